"""Products with an HTTP API: operations, errors in the vendor's words, authentication, limits and tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

import msgspec

from diorama.kernel import Product as KernelProduct
from diorama.kernel import Record, Refusal, Reply, Tx
from diorama.kernel.records import table_of
from diorama.kit.arguments import Merged
from diorama.kit.auth import AuthScheme, Bearer
from diorama.kit.bounds import SizeLimits
from diorama.kit.credential_kinds import CredentialKind, kinds_by_name
from diorama.kit.damage import WEIGHTS, TableKinds
from diorama.kit.deeds import Recogniser
from diorama.kit.dispatch import ByHeader
from diorama.kit.edge import Edge
from diorama.kit.encoders import AS_JSON, Encoder
from diorama.kit.grants import Grants
from diorama.kit.idempotency import Idempotency
from diorama.kit.operation import Operation
from diorama.kit.rate_limits import RateLimit
from diorama.kit.router import Router
from diorama.kit.tools import FormStyle, Tool
from diorama.kit.words import Outlet

if TYPE_CHECKING:
    from diorama.kit.app import App

F = TypeVar("F", bound=Callable[..., Any])
Refuser = Refusal | Callable[[Any], Refusal]

REFUSAL_KINDS = (
    "unknown_path", "wrong_method", "malformed", "invalid", "unauthorized", "forbidden", "missing", "too_large",
    "rate_limited", "down", "failing", "timeout", "conflict",
)  # fmt: skip
"""What the gateway and the kit refuse themselves; a product words each of them as its vendor does."""
ALL_REFUSAL_KINDS = (*REFUSAL_KINDS, "over_budget")
"""Also a request that reads or writes too much, which is worded like `too_large` unless the product says otherwise."""


class Role(msgspec.Struct, frozen=True):
    """Who may call an operation: `find` returns the caller or raises the vendor's refusal.

    `check` only raises; it is for operations that do not ask who calls, where it may be cheaper.
    """

    find: Callable[[Tx], Any]
    check: Callable[[Tx], Any]


HOST_PLACEHOLDER = "\ue000{product}.{alias}\ue001"
"""Stands for a host name of the installed app in what a product declares; replies get the real name."""


class Product(KernelProduct):
    """One product with an HTTP API, declared operation by operation."""

    def __init__(
        self,
        name: str,
        *,
        title: str,
        refusals: Mapping[str, Refuser],
        envelope: Callable[[Refusal], tuple[str, bytes] | Any],
        api: str = "",
        auth: AuthScheme | None = None,
        rate_limit: RateLimit | None = None,
        grants: Grants | None = None,
        idempotency: Idempotency | None = None,
        headers: Callable[[Tx], dict[str, str]] | None = None,
        edge: Edge | None = None,
        domain: str = "",
        credential_kinds: tuple[CredentialKind, ...] = (CredentialKind(),),
        suffixes: tuple[str, ...] = (),
        reads: tuple[str, ...] = (),
        refuses: tuple[int, ...] = (),
        strict: bool = True,
        etag: bool = False,
        read_seconds: float = 0.4,
        max_body: int = 5_000_000,
        timeout_seconds: float = 30.0,
        size_limits: SizeLimits | None = None,
        arguments: Merged | None = None,
        form_style: FormStyle = "json",
        encoder: Encoder = AS_JSON,
    ) -> None:
        """Declare a product.

        `refusals`: the vendor's words for each kind of REFUSAL_KINDS, as a Refusal or a function that makes one. The
        function of `unauthorized` gets the name of the scheme in which a wrong credential was shown, such as `bearer`,
        or "" if none was shown; a vendor may word them differently.
        `envelope`: how a refusal looks, as content type and bytes, or as a value that the encoder writes.
        `headers`: of every reply, recorded with it; `edge`: those that its front end adds, which no event records.
        `domain`: the vendor's own, below which all its hosts are; its certificate is for all of them.
        `rate_limit`: how many requests a caller may send; `size_limits`: how large a request may be.
        `credential_kinds`: the kinds of credentials that people hold. `arguments`: where Field arguments come from.
        `read_seconds`: the virtual time of a GET that declares none.
        `form_style`: how the forms of its tools hold lists and objects.
        `reads`: headers that its handlers read; `refuses`: the statuses with which its own rules refuse a write.
        """
        super().__init__(name, title=title)
        unworded = [kind for kind in REFUSAL_KINDS if kind not in refusals]
        if unworded:
            raise ValueError(f"{name} does not say how its vendor words: {', '.join(unworded)}")
        unknown = [kind for kind in refusals if kind not in ALL_REFUSAL_KINDS]
        if unknown:
            raise ValueError(f"{name} words what is never refused: {', '.join(unknown)}; see ALL_REFUSAL_KINDS")
        self.api = api
        self.auth: AuthScheme = auth or Bearer()
        self.refusals = {"over_budget": refusals["too_large"], **refusals}
        self.envelope = envelope
        self.rate_limit = rate_limit
        self.grants = grants
        self.idempotency = idempotency
        self.headers = headers
        self.edge = edge
        self.domain = domain
        self.credential_kinds = kinds_by_name(credential_kinds)
        for kind in credential_kinds:
            if kind.scheme and kind.scheme not in self.auth.names:
                said = f"{name}: the credential kind {kind.name!r} asks for the scheme {kind.scheme!r}"
                raise ValueError(f"{said}; auth has {', '.join(self.auth.names)}")
        self.suffixes = suffixes
        self.refuses = refuses
        self.strict = strict
        self.etag = etag
        self.read_seconds = read_seconds
        self.max_body = max_body
        self.timeout_seconds = timeout_seconds
        self.size_limits = size_limits or SizeLimits()
        self.arguments = arguments
        self.form_style: FormStyle = form_style
        self.encoder = encoder
        self.encoders: dict[str, Encoder] = {}  # of operations that write their replies in another way
        self.operations: list[Operation] = []
        self.account_holders: Callable[[Tx], list[str]] | None = None
        self.tools: list[Tool] = []
        self.damage_kinds: dict[str, TableKinds] = {}
        self.recognisers: dict[str, Recogniser] = {}
        self.outlets: dict[str, Outlet] = {}
        self.roles: dict[str, Role] = {}
        self.router = Router()
        self.routers = {"": self.router}  # one for each alias of a host
        self.cookies: set[str] = set()
        self.has_background = False
        self.limited: set[str] = set()  # operations with rate limits of their own
        self.uncounted: set[str] = set()  # operations that the product's rate limit does not count
        self.recorded = {"content-type", *(name.lower() for name in reads)}
        if idempotency:
            self.recorded.add(idempotency.header)
        if etag:
            self.recorded.add("if-none-match")
        if grants:
            self.recorded.add(grants.header)

    def install(self, *hosts: str, **named: str) -> App:
        """Install the product for a company at its host names: the main one first, the others by alias.

        A host may be a pattern: `{bucket}.s3.amazonaws.com`.
        """
        from diorama.kit.app import App

        self._check_roles()
        if len(hosts) > 1:
            raise ValueError(f"{self.name}: give every host but the main one an alias, as in install(main, files=...)")
        return App(self, {**({"": hosts[0]} if hosts else {}), **named})

    def of(self, tx: Tx) -> App:
        """Return this product as the transaction's company has it installed."""
        return cast("App", tx.company.app(self.name))

    def here(self, alias: str = "") -> str:
        """Return the placeholder of a host name; the installed app writes the real name into every reply."""
        return HOST_PLACEHOLDER.format(product=self.name, alias=alias)

    # --- declaration

    def operation(self, method: str, path: str, **options: Any) -> Callable[[F], F]:
        """Declare the handler of a method and path."""

        def declare(handler: F) -> F:
            own = {"strict": self.strict, "size_limits": self.size_limits, "arguments": self.arguments}
            if method == "GET":
                own["seconds"] = self.read_seconds
            self._add(Operation(handler, method, path, **{**own, **options}))
            return handler

        return declare

    def _add(self, made: Operation) -> None:
        self.routers.setdefault(made.host, Router()).add(made)
        self.operations.append(made)
        if made.rate_limits:
            self.limited.add(made.name)
        if not made.counted:
            self.uncounted.add(made.name)
        self.has_background = self.has_background or made.background
        if made.encoder is not None:
            self.encoders[made.name] = made.encoder
        self.recorded.update(p.name.lower() for p in made.parameters if p.place == "header")
        self.cookies.update(p.name for p in made.parameters if p.place == "cookie")
        if isinstance(made.when, ByHeader):
            self.recorded.add(made.when.name.lower())

    def get(self, path: str, **options: Any) -> Callable[[F], F]:
        """Declare a GET operation."""
        return self.operation("GET", path, **options)

    def post(self, path: str, **options: Any) -> Callable[[F], F]:
        """Declare a POST operation."""
        return self.operation("POST", path, **options)

    def put(self, path: str, **options: Any) -> Callable[[F], F]:
        """Declare a PUT operation."""
        return self.operation("PUT", path, **options)

    def patch(self, path: str, **options: Any) -> Callable[[F], F]:
        """Declare a PATCH operation."""
        return self.operation("PATCH", path, **options)

    def delete(self, path: str, **options: Any) -> Callable[[F], F]:
        """Declare a DELETE operation."""
        return self.operation("DELETE", path, **options)

    def role(self, name: str, check: Callable[[Tx], Any] | None = None) -> Callable[[F], F]:
        """Declare who has a role: the function returns the caller, or raises the vendor's refusal.

        `check`, where given, is called instead for operations that do not ask for the caller.
        """

        def declare(find: F) -> F:
            if name in self.roles:
                raise ValueError(f"{self.name} declares the role {name!r} twice")
            self.roles[name] = Role(find, check or find)
            return find

        return declare

    def _check_roles(self) -> None:
        for operation in self.operations:
            if operation.role and operation.role not in self.roles:
                raise ValueError(f"{self.name}: {operation.name} asks for the undeclared role {operation.role!r}")

    @overload
    def tool(self, build: F) -> F: ...
    @overload
    def tool(self, *, show: Callable[[Reply], str] | None = None, credential: str = "") -> Callable[[F], F]: ...
    def tool(self, build: Any = None, *, show: Callable[[Reply], str] | None = None, credential: str = "") -> Any:
        """Declare a tool: a function from arguments to a request (`@APP.tool` or `@APP.tool(credential="user")`).

        `credential` is the kind of credential that the request uses, one of `credential_kinds`; "" is the first one
        that the agent's seat holds.
        """

        def declare(function: F) -> F:
            made = Tool(self.name, function, show, credential)
            if credential and credential not in self.credential_kinds:
                said = f"the tool {made.name} asks for the credential {credential!r}"
                raise ValueError(f"{said}; {self.name} has {', '.join(map(repr, self.credential_kinds))}")
            self.tools.append(made)
            return function

        return declare if build is None else declare(build)

    def people(self, function: Callable[[Tx], list[str]]) -> Callable[[Tx], list[str]]:
        """Declare who has an account, most permissions first; `contract` and `check` act as these people."""
        self.account_holders = function
        return function

    # --- judging

    def damage(self, kinds: Mapping[str, TableKinds]) -> None:
        """Declare what changes of tables mean if a task does not ask for them; every table needs a line.

        The names are those given to `record`.
        """
        tables = {table.name: table for table in self.tables}
        for name, said in kinds.items():
            table = tables.get(f"{self.name}_{name}")
            if table is None:
                known = ", ".join(one.removeprefix(f"{self.name}_") for one in tables)
                raise ValueError(f"{self.name} has no table {name}; it has {known}")
            unknown = sorted({*said.columns, *said.void, *said.texts} - set(table.names))
            if unknown:
                raise ValueError(f"{table.name} has no column {', '.join(unknown)}; it has {', '.join(table.names)}")
            wrong = sorted({said.row, *filter(None, (said.other, said.removed)), *said.columns.values()} - set(WEIGHTS))
            if wrong:
                raise ValueError(f"{table.name}: no kind of damage {', '.join(wrong)}; kinds: {', '.join(WEIGHTS)}")
            if table.name in self.damage_kinds:
                raise ValueError(f"{self.name} says twice what changes of {table.name} mean")
            self.damage_kinds[table.name] = said

    def deed(self, record: type[Record]) -> Callable[[F], F]:
        """Declare how deeds are recognised in changes of a table: a function (tx, act) -> deeds."""

        def declare(function: F) -> F:
            self.recognisers[table_of(record).name] = function
            return function

        return declare

    def outlet(self, record: type[Record], *, everyone: bool = False) -> Callable[[F], F]:
        """Declare how changes of a table tell people outside something: a function (moment, change) -> words.

        `everyone`: changes that the agent did not cause are read, too.
        """

        def declare(function: F) -> F:
            self.outlets[table_of(record).name] = Outlet(function, everyone)
            return function

        return declare

    # --- answering

    def dressed(self, reply: Reply, now_us: int) -> Reply:
        """Return a reply with the headers of the vendor's front end."""
        return reply if self.edge is None else self.edge.dressed(reply, now_us)

    def refusal(self, kind: str, about: Any) -> Refusal:
        """Return a refusal of a kind in the vendor's words."""
        worded = self.refusals[kind]
        made = worded if isinstance(worded, Refusal) else worded(about)
        return Refusal(made.status, made.code, str(made.detail), fields=made.fields, headers=made.headers, kind=kind)

    def worded(self, refusal: Refusal, operation: str = "") -> tuple[str, bytes]:
        """Return the content type and the bytes of the vendor's error reply."""
        made = self.envelope(refusal)
        if isinstance(made, tuple):
            return made
        encoder = self.encoders.get(operation, self.encoder)
        return encoder.content_type, encoder.encode(made)
