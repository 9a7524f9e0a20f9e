"""App with a wire: operations, errors in the vendor's words, auth, limits, idempotency, tools."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from hashlib import md5
from typing import Any, TypeVar
from urllib.parse import urlencode

from diorama.kernel import App as KernelApp
from diorama.kernel import Defect, Missing, Refusal, Reply, Request, Tx
from diorama.kit.auth import AuthScheme, Bearer
from diorama.kit.grants import Grants
from diorama.kit.idempotency import Idempotency
from diorama.kit.limits import RateLimit
from diorama.kit.operation import Detail, Invalid, Malformed, Operation, Router
from diorama.kit.tools import Call, Tool
from diorama.kit.wire import JSON, json_encode

F = TypeVar("F", bound=Callable[..., Any])
Refuser = Refusal | Callable[[Any], Refusal]

KINDS = (
    "unknown_path", "wrong_method", "malformed", "invalid", "unauthorized", "forbidden", "missing", "too_large",
    "rate_limited", "down", "failing", "timeout", "conflict",
)  # fmt: skip
"""What gateway and kit refuse by themselves; an app words each of them as its vendor does."""

HUGE = re.compile(rb"\d{19}")
"""A number that no database column holds: whoever sends one is told so."""


class App(KernelApp):
    """One product with an HTTP API, declared operation by operation."""

    def __init__(
        self,
        name: str,
        *,
        title: str,
        host: str,
        refusals: Mapping[str, Refuser],
        envelope: Callable[[Refusal], tuple[str, bytes]],
        api: str = "",
        auth: AuthScheme | None = None,
        limit: RateLimit | None = None,
        grants: Grants | None = None,
        idempotency: Idempotency | None = None,
        headers: Callable[[Tx], dict[str, str]] | None = None,
        credentials: Callable[[str, str], dict[str, str]] = lambda person, secret: {"token": secret},
        suffixes: tuple[str, ...] = (),
        hears: tuple[str, ...] = (),
        refuses: tuple[int, ...] = (),
        strict: bool = True,
        etag: bool = False,
        max_body: int = 5_000_000,
        timeout_seconds: float = 30.0,
        content_type: str = JSON,
    ) -> None:
        super().__init__(name, title=title, host=host)
        unworded = [kind for kind in KINDS if kind not in refusals]
        if unworded:
            raise ValueError(f"{name} does not say how its vendor words: {', '.join(unworded)}")
        self.api = api
        self.auth: AuthScheme = auth or Bearer()
        self.refusals = dict(refusals)
        self.envelope = envelope
        self.limit = limit
        self.grants = grants
        self.idempotency = idempotency
        self.headers = headers
        self.credentials = credentials
        self.suffixes = suffixes
        self.refuses = refuses  # the statuses with which its own rules refuse a write
        self.strict = strict
        self.etag = etag
        self.max_body = max_body
        self.timeout_seconds = timeout_seconds
        self.content_type = content_type
        self.operations: list[Operation] = []
        self.tools: list[Tool] = []
        self.router = Router()
        self._limited: set[str] = set()  # operations with limits of their own
        heard = {"content-type", *(name.lower() for name in hears)}
        if idempotency:
            heard.add(idempotency.header)
        if etag:
            heard.add("if-none-match")
        if grants:
            heard.add(grants.header)
        self._heard = heard

    # --- declaring

    def operation(self, method: str, path: str, **options: Any) -> Callable[[F], F]:
        """Declare the handler of a method and path."""

        def declare(handler: F) -> F:
            made = Operation(handler, method, path, **{"strict": self.strict, **options})
            self.operations.append(made)
            self.router.add(made)
            if made.limits:
                self._limited.add(made.name)
            self._heard.update(p.name.lower() for p in made.parameters if p.place == "header")
            return handler

        return declare

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

    def tool(self, build: Callable[..., Call], show: Callable[[Reply], str] | None = None) -> Callable[..., Call]:
        """Declare a tool: a function from arguments to a request."""
        self.tools.append(Tool(self.name, build, show))
        return build

    # --- serving

    def heard(self, headers: dict[str, str]) -> dict[str, str]:
        """The declared headers of a request, lower-case."""
        return {name: value for name, value in headers.items() if name in self._heard}

    def request_of(self, call: Call) -> Request:
        """The request that a tool's call stands for."""
        body = b"" if call.body is None else json_encode(call.body)
        query = urlencode({key: _query_text(value) for key, value in call.query.items() if value is not None})
        headers = {"content-type": "application/json", **call.headers} if body else dict(call.headers)
        return Request(call.method, call.path, query, headers, body)

    def route(self, request: Request) -> tuple[Operation, dict[str, str]]:
        """The operation that a request means, and its path parameters."""
        path = request.path
        for suffix in self.suffixes:
            if path.endswith(suffix):
                path = path.removesuffix(suffix)
                break
        found = self.router.find(path)
        if found is None:
            raise self.refusal("unknown_path", path)
        methods, values = found
        method = "GET" if request.method == "HEAD" else request.method
        entry = methods.get(method)
        if entry is None:
            raise self.refusal("wrong_method", ", ".join(methods))
        operation, names = entry
        return operation, dict(zip(names, values, strict=True))

    def serve(self, tx: Tx, request: Request) -> Reply:
        """Answer one request: routing, trouble, limits, decoding, the handler, encoding."""
        if len(request.body) > self.max_body:
            raise self.refusal("too_large", len(request.body))
        operation, in_path = self.route(request)
        tx.operation = operation.name
        tx.seconds = operation.seconds
        lost = self._meet_trouble(tx, operation) if tx.faults else None
        if tx.by.kind == "anonymous" and not operation.public:
            raise self.refusal("unauthorized", "")
        if self.grants is not None and self.grants.header in request.headers:
            self.grants.guard(tx, operation, request)
        if self.limit is not None:
            retry_after = self.limit.count(tx)
            if retry_after:
                raise self.refusal("rate_limited", retry_after)
        for limit in operation.limits:
            if limit.applies is None or limit.applies(request):
                retry_after = limit.count(tx, in_path)
                if retry_after:
                    raise limit.worded(retry_after) if limit.worded else self.refusal("rate_limited", retry_after)
        reply = self._once(tx, operation, request, in_path)
        return self.refuse(lost, tx) if lost is not None else reply

    def meter(self, tx: Tx, request: Request) -> None:
        """A refused request counts against the limits too."""
        if self.limit is not None and tx.by.kind != "anonymous":
            self.limit.count(tx)
        if tx.operation in self._limited:
            operation, in_path = self.route(request)
            for limit in operation.limits:
                if limit.applies is None or limit.applies(request):
                    limit.count(tx, in_path)

    def refusal(self, kind: str, about: Any) -> Refusal:
        """How this vendor words a refusal of a kind."""
        worded = self.refusals[kind]
        made = worded if isinstance(worded, Refusal) else worded(about)
        fresh = Refusal(made.status, made.code, str(made.detail), fields=made.fields, headers=made.headers, kind=kind)
        return fresh

    def refuse(self, refusal: Refusal | Missing, tx: Tx | None = None) -> Reply:
        """The vendor's error reply."""
        if isinstance(refusal, Missing):
            refusal = self.refusal("missing", refusal)
        content_type, body = self.envelope(refusal)
        headers = {"content-type": content_type}
        if tx is not None:
            headers.update(self.headers(tx) if self.headers else {})
            headers.update(tx.headers)
        headers.update(refusal.headers)
        return Reply(refusal.status, headers, body)

    def _once(self, tx: Tx, operation: Operation, request: Request, in_path: dict[str, str]) -> Reply:
        """Run the handler, or recall what it answered to the same idempotency key."""
        key = request.headers.get(self.idempotency.header) if self.idempotency and operation.idempotent else None
        if not key or self.idempotency is None:
            return self._handle(tx, operation, request, in_path)
        try:
            known = self.idempotency.recall(tx, request, key)
        except LookupError:
            raise self.refusal("conflict", key) from None
        if known is not None:
            return known
        return self.idempotency.keep(tx, request, key, self._handle(tx, operation, request, in_path))

    def _handle(self, tx: Tx, operation: Operation, request: Request, in_path: dict[str, str]) -> Reply:
        try:
            arguments = operation.bind(request, in_path)
        except Invalid as error:
            raise self.refusal("invalid", error.detail) from error
        except Malformed as error:
            raise self.refusal("malformed", str(error)) from error
        try:
            result = operation.handler(tx, **arguments)
        except OverflowError as error:
            if not HUGE.search(request.body) and not HUGE.search(request.query.encode()):
                raise
            raise self.refusal("invalid", Detail("a number is out of range", "body")) from error
        headers = {"content-type": self.content_type}
        if self.headers is not None:
            headers.update(self.headers(tx))
        if isinstance(result, Reply):
            headers.update(result.headers)
            headers.update(tx.headers)
            return Reply(result.status, headers, result.body)
        headers.update(tx.headers)
        if result is None:
            headers.pop("content-type")
            return Reply(204 if operation.status == 200 else operation.status, headers, b"")
        body = json_encode(result)
        if self.etag and operation.method == "GET":
            mark = f'W/"{md5(body, usedforsecurity=False).hexdigest()}"'
            headers["etag"] = mark
            if request.headers.get("if-none-match") == mark:
                headers.pop("content-type")
                return Reply(304, headers, b"")
        return Reply(operation.status, headers, b"" if request.method == "HEAD" else body)

    def _meet_trouble(self, tx: Tx, operation: Operation) -> Refusal | None:
        """Apply the fault schedule; a refusal that is returned hides a reply whose work was done."""
        lost = None
        for number, kind, args in tx.trouble(self.name, operation.name):
            if kind == "slow":
                tx.seconds += float(args.get("seconds", 10))
                if tx.seconds > self.timeout_seconds:
                    tx.seconds = self.timeout_seconds
                    if not args.get("applied"):
                        raise self.refusal("timeout", "")
                    lost = self.refusal("timeout", "")
            elif kind == "rate_limited":
                raise self.refusal("rate_limited", int(args.get("retry_after", 30)))
            elif kind in ("down", "failing"):
                if tx.dice("fault", number, tx.seq).chance(float(args.get("p", 1.0))):
                    raise self.refusal(kind, args.get("detail", ""))
            else:
                raise Defect(f"fault {number} of {self.name} has the unknown kind {kind!r}", boundary="app")
        return lost


def _query_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ",".join(str(item) for item in value)
    return str(value)
