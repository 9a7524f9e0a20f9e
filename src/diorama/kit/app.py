"""App: a product with an HTTP API, installed for one company; it routes, authorizes and answers requests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from hashlib import md5
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from msgspec import structs

from diorama.kernel import Actor, Defect, Missing, OverBudget, Refusal, Reply, Request, Tx
from diorama.kernel import App as KernelApp
from diorama.kernel.app import host_pattern
from diorama.kernel.budget import OUT_OF_RANGE
from diorama.kit.arguments import FORM, ParsedRequest, cookies_of
from diorama.kit.auth import credential_in, scheme_shown, without_credential
from diorama.kit.bounds import Detail, Invalid, Malformed
from diorama.kit.idempotency import Idempotency
from diorama.kit.operation import Operation
from diorama.kit.product import Product
from diorama.kit.router import Switch
from diorama.kit.tools import Call, form_text, query_text
from diorama.kit.wire import json_encode

LONGEST_METHOD = 64
LONGEST_HEADER = 16_384
"""Characters of a header's value that are read and recorded."""

_NONE: Mapping[str, str] = MappingProxyType({})


def _patterns_last(item: tuple[str, str]) -> bool:
    return "{" in item[1]


class App(KernelApp):
    """One product with an HTTP API as one company has it: the declarations are the product's, the hosts its own."""

    product: Product

    def __init__(self, product: Product, hosts: Mapping[str, str]) -> None:
        super().__init__(product, hosts)
        self._aliases = [(alias, host_pattern(host)) for alias, host in sorted(self.hosts.items(), key=_patterns_last)]
        self._check_hosts()
        self._absolute = [(product.here(alias).encode(), host.encode()) for alias, host in self.hosts.items()]

    @property
    def host(self) -> str:
        """The main host name."""
        return self.hosts.get("", "")

    def absolute(self, text: str) -> str:
        """Write the app's own host names in place of the product's placeholders."""
        return self._made_absolute(text.encode()).decode()

    def _made_absolute(self, body: bytes) -> bytes:
        if 0xEE in body:  # the first byte of every placeholder
            for placeholder, host in self._absolute:
                body = body.replace(placeholder, host)
        return body

    def _links(self, headers: dict[str, str]) -> dict[str, str]:
        """Return headers with the app's own host names in place of placeholders."""
        if "\ue000" not in "".join(headers.values()):
            return headers
        return {name: self.absolute(value) for name, value in headers.items()}

    # --- serving

    def recorded_headers(self, headers: dict[str, str]) -> dict[str, str]:
        """Return the declared headers of a request, lower-case."""
        if not headers:
            return {}
        kept = {name: value[:LONGEST_HEADER] for name, value in headers.items() if name in self.product.recorded}
        if self.product.cookies and "cookie" in headers:
            shown = cookies_of(headers["cookie"])
            declared = [f"{name}={quote(shown[name])}" for name in shown if name in self.product.cookies]
            kept.pop("cookie", None)
            if declared:
                kept["cookie"] = "; ".join(declared)
        return kept

    def bounded(self, request: Request) -> Request:
        """Return a request cut just above what the product reads, so that it is refused and takes little space."""
        most, url = self.product.max_body, self.product.size_limits.url
        if len(request.body) > most:
            request = structs.replace(request, body=request.body[: most + 1])
        if len(request.path) + len(request.query) > url:
            request = structs.replace(request, path=request.path[: url + 1], query=request.query[: url + 1])
        if len(request.method) > LONGEST_METHOD:
            request = structs.replace(request, method=request.method[:LONGEST_METHOD])
        return request

    def over_budget(self, over: OverBudget) -> Refusal:
        """Return the vendor's refusal of a request that exceeded its budget."""
        if over.what == OUT_OF_RANGE:
            return self.product.refusal("invalid", Detail(over.what, "body"))
        return self.product.refusal("over_budget", over.what)

    def request_of(self, call: Call) -> Request:
        """Return the request that a tool call makes."""
        kind, body = "application/json", b"" if call.body is None else json_encode(call.body)
        if call.form:
            kind, body = FORM, form_text(call.form, self.product.form_style).encode()
        headers = {"content-type": kind, **call.headers} if body else dict(call.headers)
        host = self.hosts.get(call.host, call.host) if call.host else ""
        return Request(call.method, call.path, query_text(call.query), headers, body, host)

    def is_background(self, request: Request) -> bool:
        """Return whether the request's operation is declared `background`: it is then not a turn."""
        if not self.product.has_background:
            return False
        try:
            return self.route(request)[0].background
        except Refusal:
            return False

    def is_public(self, request: Request) -> bool:
        """Return whether the request's operation needs no credential."""
        try:
            return self.route(request)[0].public
        except Refusal:
            return False

    def route(self, request: Request) -> tuple[Operation, dict[str, str]]:
        """Return the operation of a request and the parameters in its path and host."""
        product, router, in_host = self.product, self.product.router, _NONE
        if request.host and len(product.routers) > 1:
            alias, in_host = self.alias_of(request.host)
            router = product.routers.get(alias, router)
        path = request.path
        for suffix in product.suffixes:
            if path.endswith(suffix):
                path = path.removesuffix(suffix)
                break
        found = router.find(path)
        if found is None:
            raise product.refusal("unknown_path", path)
        methods, values = found
        method = "GET" if request.method == "HEAD" else request.method
        entry = methods.get(method)
        if entry is None:
            raise product.refusal("wrong_method", ", ".join(methods))
        operation, names, switch = entry
        if switch is not None:
            operation, names = self._chosen(switch, request)
        if operation.pattern.rest and path != request.path:  # the suffix is part of the rest
            found = router.find(request.path)
            values = found[1] if found is not None else values
        in_path = dict(zip(names, values, strict=True)) if names else {}
        return operation, {**in_host, **in_path} if in_host else in_path

    def _chosen(self, switch: Switch, request: Request) -> tuple[Operation, tuple[str, ...]]:
        """Return which of the operations at one place a request means."""
        try:
            entry, value = switch.choose(ParsedRequest(request, _NONE, self.product.size_limits))
        except Invalid as error:
            raise self.product.refusal("invalid", error.detail) from error
        except Malformed as error:
            raise self.product.refusal("malformed", str(error)) from error
        if entry is None:
            raise self.product.refusal("unknown_path", value or request.path)
        return entry[0], entry[1]

    def alias_of(self, host: str) -> tuple[str, dict[str, str]]:
        """Return the alias of a host name, and the values of the variables in its pattern; "" for an unknown host."""
        name = host.lower().partition(":")[0]
        for alias, pattern in self._aliases:
            found = pattern.fullmatch(name)
            if found is not None:
                return alias, found.groupdict()
        return "", {}

    def _check_hosts(self) -> None:
        """Raise ValueError if this app has no main host, or an operation answers at a host that it does not have."""
        if not self.host:
            said = f"{self.name} needs a host name for the links in its replies"
            raise ValueError(f"{said}: install it with APP.install('{self.name}.example.com')")
        for operation in self.product.operations:
            if operation.host and operation.host not in self.hosts:
                raise ValueError(
                    f"{self.name}: {operation.name} answers at the host {operation.host!r}; "
                    f"install the product with {operation.host}=..."
                )
            known = host_pattern(self.hosts.get(operation.host, "")).groupindex
            for parameter in operation.parameters:
                if parameter.place == "host" and parameter.name not in known:
                    asked, host = f"{operation.name} asks for {parameter.name!r}", self.hosts[operation.host]
                    raise ValueError(f"{self.name}: {asked}, which {host} does not have")

    def without_credential(self, request: Request) -> Request:
        """Return a request without the credential that the vendor's scheme finds in it, wherever it is."""
        return without_credential(self.product.auth, request)

    def authenticate(self, tx: Tx, request: Request) -> tuple[Actor, Request] | None:
        """Return who sends a request from inside the world: the person behind a token that this app gave out."""
        grants, shown = self.product.grants, credential_in(self.product.auth, request)
        found = grants.held(tx, shown.secret) if grants is not None and shown is not None else None
        if grants is None or found is None:
            tx.wrong_credential = scheme_shown(self.product.auth, request)
            return None
        request = self.without_credential(request)
        headers = {**self.recorded_headers(request.headers), grants.header: found[1]}
        return Actor("app", found[0], found[2]), structs.replace(request, headers=headers)

    def serve(self, tx: Tx, request: Request) -> Reply:
        """Answer one request: routing, faults, limits, decoding, the handler, encoding."""
        product = self.product
        if len(request.body) > product.max_body:
            raise product.refusal("too_large", len(request.body))
        if len(request.path) + len(request.query) > product.size_limits.url:
            raise product.refusal("too_large", len(request.path) + len(request.query))
        operation, in_path = self.route(request)
        tx.operation = operation.name
        tx.seconds = operation.seconds
        if operation.budget is not None:
            tx.allow(operation.budget)
        lost = self._apply_faults(tx, operation) if tx.faults else None
        if tx.actor.kind == "anonymous" and not operation.public:
            raise product.refusal("unauthorized", tx.wrong_credential)
        if product.grants is None or product.grants.header not in request.headers:
            reply = self._run(tx, operation, request, in_path)
        else:
            caller = tx.actor
            tx.actor = product.grants.guard(tx, operation, request)
            try:
                reply = self._run(tx, operation, request, in_path)
            finally:
                tx.actor = caller  # the event names who sent the request, not for whom
        return self.refuse(lost, tx) if lost is not None else reply

    def _run(self, tx: Tx, operation: Operation, request: Request, in_path: dict[str, str]) -> Reply:
        """Count a request against the limits, and answer it."""
        product = self.product
        if product.rate_limit is not None and operation.counted:
            retry_after = product.rate_limit.count(tx, self.name)
            if retry_after:
                raise product.refusal("rate_limited", retry_after)
        for limit in operation.rate_limits:
            if limit.applies is None or limit.applies(request):
                retry_after = limit.count(tx, self.name, in_path)
                if retry_after:
                    raise (limit.worded or partial(product.refusal, "rate_limited"))(retry_after)
        keys = product.idempotency if operation.idempotent else None
        if keys is not None and request.headers.get(keys.header):
            return self._once(keys, tx, operation, request, in_path)
        return self._handle(tx, operation, request, in_path)

    def meter(self, tx: Tx, request: Request) -> None:
        """Count a refused request against the limits, too."""
        counted = tx.actor.kind != "anonymous" and tx.operation not in self.product.uncounted
        if self.product.rate_limit is not None and counted:
            self.product.rate_limit.count(tx, self.name)
        if tx.operation in self.product.limited:
            operation, in_path = self.route(request)
            for limit in operation.rate_limits:
                if limit.applies is None or limit.applies(request):
                    limit.count(tx, self.name, in_path)

    def refuse(self, refusal: Refusal | Missing, tx: Tx | None = None) -> Reply:
        """Return the vendor's error reply."""
        if isinstance(refusal, Missing):
            refusal = self.product.refusal("missing", refusal)
        content_type, body = self.product.worded(refusal, tx.operation if tx is not None else "")
        headers = {"content-type": content_type}
        if tx is not None:
            headers.update(self.product.headers(tx) if self.product.headers else {})
            headers.update(tx.headers)
        headers.update(refusal.headers)
        return Reply(refusal.status, self._links(headers), self._made_absolute(body), refusal.kind or refusal.code)

    def _once(
        self, keys: Idempotency, tx: Tx, operation: Operation, request: Request, in_path: dict[str, str]
    ) -> Reply:
        """Run the handler, or return the earlier reply to the same idempotency key."""
        key = request.headers[keys.header]
        try:
            known = keys.recall(tx, self.name, request, key)
        except LookupError:
            raise self.product.refusal("conflict", key) from None
        if known is not None:
            return known
        return keys.keep(tx, self.name, request, key, self._handle(tx, operation, request, in_path))

    def perform(self, tx: Tx, request: Request) -> Any:
        """Return what the operation of a request returns, as part of a transaction that has begun."""
        operation, in_path = self.route(request)
        return self._perform(tx, operation, request, in_path)

    def _perform(self, tx: Tx, operation: Operation, request: Request, in_path: dict[str, str]) -> Any:
        """Read the arguments, check the role, and run the handler."""
        try:
            arguments = operation.bind(request, in_path)
        except Invalid as error:
            raise self.product.refusal("invalid", error.detail) from error
        except Malformed as error:
            raise self.product.refusal("malformed", str(error)) from error
        if operation.role:
            role = self.product.roles[operation.role]
            if operation.caller:
                arguments[operation.caller] = role.find(tx)
            else:
                role.check(tx)
        try:
            return operation.handler(tx, **arguments)
        except OverflowError as error:  # in dates and durations; numbers for the database are checked there
            raise self.product.refusal("invalid", Detail(OUT_OF_RANGE, "body")) from error

    def _handle(self, tx: Tx, operation: Operation, request: Request, in_path: dict[str, str]) -> Reply:
        product, result = self.product, self._perform(tx, operation, request, in_path)
        encoder = operation.encoder or product.encoder
        headers = {"content-type": encoder.content_type}
        if product.headers is not None:
            headers.update(product.headers(tx))
        if isinstance(result, Reply):
            if result.status >= 400 and not result.refused:
                said = f"{operation.name} answered {result.status} without saying what it refused"
                raise Defect(f"{said}: raise a Refusal, or set Reply.refused", boundary="app")
            headers.update(result.headers)
            headers.update(tx.headers)
            return Reply(result.status, self._links(headers), self._made_absolute(result.body), result.refused)
        headers.update(tx.headers)
        headers = self._links(headers)
        if result is None:
            headers.pop("content-type")
            return Reply(204 if operation.status == 200 else operation.status, headers, b"")
        body = self._made_absolute(encoder.encode(result))
        if product.etag:
            mark = f'W/"{md5(body, usedforsecurity=False).hexdigest()}"'
            headers["etag"] = mark
            if operation.method == "GET" and request.headers.get("if-none-match") == mark:
                headers.pop("content-type")
                return Reply(304, headers, b"")
        return Reply(operation.status, headers, b"" if request.method == "HEAD" else body)

    def _apply_faults(self, tx: Tx, operation: Operation) -> Refusal | None:
        """Apply the fault schedule. A returned refusal replaces the reply, although the work was done."""
        lost = None
        for number, kind, args in tx.active_faults(self.name, operation.name):
            if kind == "slow":
                tx.seconds += float(args.get("seconds", 10))
                if tx.seconds > self.product.timeout_seconds:
                    tx.seconds = self.product.timeout_seconds
                    if not args.get("applied"):
                        raise self.product.refusal("timeout", "")
                    lost = self.product.refusal("timeout", "")
            elif kind == "rate_limited":
                raise self.product.refusal("rate_limited", int(args.get("retry_after", 30)))
            elif kind in ("down", "failing"):
                if tx.dice("fault", number, tx.actor.name, operation.name, tx.now_us).chance(float(args.get("p", 1.0))):
                    raise self.product.refusal(kind, args.get("detail", ""))
            else:
                raise Defect(f"fault {number} of {self.name} has the unknown kind {kind!r}", boundary="app")
        return lost
