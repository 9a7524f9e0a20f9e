"""Operation: one declaration that serves router, tools, OpenAPI document, coverage and docs."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from diorama.kernel import Budget, Request
from diorama.kit.arguments import (
    FORM,
    MULTIPART,
    Merged,
    Parameter,
    ParsedRequest,
    as_utf8,
    declared,
    is_json,
    media_type,
    nested,
    parse_form,
    reader_of,
)
from diorama.kit.bounds import Detail, Invalid, Malformed, SizeLimits, check_json, check_value, raised_by
from diorama.kit.dispatch import When
from diorama.kit.encoders import Encoder
from diorama.kit.rate_limits import RateLimit
from diorama.kit.router import Pattern

LIMITS = SizeLimits()
IN_BODY = ("body", "form", "field", "json field", "file")


class Operation:
    """One API call: method, path, parameters, body, reply and cost."""

    def __init__(
        self,
        handler: Callable[..., Any],
        method: str,
        path: str,
        *,
        name: str = "",
        answers: Any = None,
        status: int = 200,
        also: tuple[int, ...] = (),
        seconds: float = 0.4,
        idempotent: bool = False,
        public: bool = False,
        background: bool = False,
        role: str = "",
        host: str = "",
        when: When | None = None,
        strict: bool = True,
        tags: tuple[str, ...] = (),
        rate_limits: tuple[RateLimit, ...] = (),
        counted: bool = True,
        size_limits: SizeLimits = LIMITS,
        arguments: Merged | None = None,
        forms: bool = True,
        encoder: Encoder | None = None,
        budget: Budget | None = None,
    ) -> None:
        """Declare an operation; raise ValueError if no request could reach or fill it.

        `status`: what a success answers; `also`: other statuses of success that its handler answers with a Reply.
        `role`: who may call it, as the product's role of this name checks; "" means every caller with a credential.
        `host`: the alias of the host at which it answers, "" for the main one.
        `when`: the condition that selects it among others at the same method and path.
        `rate_limits`: its own rate limits; `counted`: whether the product's rate limit counts it.
        `size_limits`: how large a request may be.
        `arguments`: where Field arguments come from.
        `forms`: whether a typed body may also come as a url-encoded form.
        `encoder`: how it writes its reply, if not as the product does.
        `budget`: how much it may read and write, if more than other requests.
        """
        self.handler = handler
        self.method = method
        self.pattern = Pattern.parse(path)
        self.path = self.pattern.documented
        self.name = name or handler.__name__
        self.summary = (inspect.getdoc(handler) or "").split("\n\n")[0].replace("\n", " ")
        self.status = status
        self.also = also
        self.seconds = seconds
        self.idempotent = idempotent
        self.public = public
        self.background = background  # what a page asks for by itself: recorded, but not a turn
        self.role = role
        self.host = host
        self.when = when
        self.tags = tags
        self.rate_limits = rate_limits
        self.counted = counted
        self.size_limits = size_limits
        self.strict = strict
        self.arguments = arguments
        self.forms = forms
        self.encoder = encoder
        self.budget = budget
        hints = typing.get_type_hints(handler, include_extras=True)
        returned = hints.pop("return", None)
        self.answers = answers if answers is not None else returned
        taken = list(inspect.signature(handler).parameters.values())[1:]
        try:
            found = [declared(p, hints[p.name], set(self.pattern.names)) for p in taken]
            self._check(found)
        except ValueError as error:
            raise ValueError(f"{self.name} ({method} {path}): {error}") from None
        self.parameters = [p for p in found if p.place != "caller"]
        self.caller = next((p.argument for p in found if p.place == "caller"), "")
        self.body = next((p for p in self.parameters if p.place == "body"), None)
        self.media = self._media()
        self._readers = [
            (p.argument, reader_of(p, size_limits, arguments, strict)) for p in self.parameters if p.place != "body"
        ]
        self._reads_body = [p for p in self.parameters if p.place in IN_BODY and p.place != "body"]
        self.body_limits = size_limits
        """How large the parts of a body may be: its fields may raise the bounds."""
        if self.body is not None and self.body.type is not bytes:
            self.body_limits = raised_by(self.body.type, size_limits)
            self._decode = msgspec.json.Decoder(self.body.type, strict=strict).decode

    def __repr__(self) -> str:
        return f"<{self.name}: {self.method} {self.path}>"

    @property
    def documented(self) -> str:
        """The operation's key in documents: the path, and the condition that selects it."""
        return self.path + (self.when.fragment if self.when is not None else "")

    def bind(self, request: Request, in_path: Mapping[str, str]) -> dict[str, Any]:
        """Return the handler's arguments, typed; raise Invalid or Malformed if the request does not fit."""
        out: dict[str, Any] = {}
        if self._readers:
            given = ParsedRequest(request, in_path, self.size_limits)
            if self._reads_body and self.media and request.body:
                self._check_media(request)
            for argument, read in self._readers:
                out[argument] = read(given)
        if self.body is not None:
            out[self.body.argument] = self._read_body(request, self.body)
        return out

    def _read_body(self, request: Request, parameter: Parameter) -> Any:
        if parameter.type is bytes:
            return request.body
        data = request.body
        if not data:
            if not parameter.required:
                return parameter.default
            data = b"{}"
        header = request.headers.get("content-type", "")
        try:
            if header != "application/json":
                kind, charset = media_type(header)
                if kind == FORM and self.forms and request.body:
                    return self._read_form(data, charset, parameter)
                if not is_json(kind):
                    raise Malformed(f"the content type {kind} is not one of {', '.join(self.media)}")
                data = as_utf8(data, charset)
            check_json(data, self.body_limits)
            return self._decode(data)
        except msgspec.ValidationError as error:
            text, _, where = str(error).partition(" - at ")
            raise Invalid(Detail(text, "body", where.strip("`").removeprefix("$.").removeprefix("$"))) from error
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Malformed(str(error)) from error

    def _read_form(self, data: bytes, charset: str, parameter: Parameter) -> Any:
        form = parse_form(data, charset, self.body_limits)
        value = msgspec.convert(nested(form, self.body_limits), parameter.type, strict=False)
        check_value(value, self.body_limits, "body", "the form")
        return value

    def _check_media(self, request: Request) -> None:
        """Raise Malformed if the body has a content type that the operation does not read."""
        kind, _ = media_type(request.headers.get("content-type", ""))
        known = [media for media in self.media if media == kind or (media == "application/json" and is_json(kind))]
        if not known:
            raise Malformed(f"the content type {kind or 'of the body'} is not one of {', '.join(self.media)}")

    # --- declaration

    def _check(self, found: list[Parameter]) -> None:
        """Raise ValueError if the arguments contradict each other, the path or the product."""
        places = [p.place for p in found]
        taken = {p.name for p in found if p.place == "path"}
        for name in self.pattern.names:
            if name not in taken:
                raise ValueError(f"the path names {name!r}, but the handler does not take it")
        if len([place for place in places if place == "body"]) > 1:
            raise ValueError("the handler takes two bodies")
        others = [p for p in found if p.place in ("form", "field", "json field", "file")]
        if "body" in places and others:
            raise ValueError(f"argument {others[0].argument!r} is part of the body, which the handler takes as a whole")
        if self.method in ("GET", "HEAD") and ({"body", "form", "file"} & set(places)):
            raise ValueError(f"a {self.method} has no body")
        merged = self.arguments.places if self.arguments is not None else ()
        if self.method in ("GET", "HEAD") and others and "query" not in merged:
            raise ValueError(f"argument {others[0].argument!r} is nowhere in the request: it has only a query")
        if "field" in places and self.arguments is None:
            raise ValueError("a Field needs the product's order: Product(arguments=Merged('query', 'form', 'json'))")
        if "host" in places and not self.host:
            raise ValueError("an argument comes from the host, but the operation answers at the main host: host='...'")
        if "caller" in places and not self.role:
            caller = next(p.argument for p in found if p.place == "caller")
            raise ValueError(f"{caller!r} asks for the caller, but there is no role that finds one")
        if self.role and self.public:
            raise ValueError(f"a public operation cannot ask for the role {self.role!r}")

    def _media(self) -> tuple[str, ...]:
        """Return the content types of the bodies that it reads."""
        if self.method in ("GET", "HEAD"):
            return ()
        if self.body is not None:
            if self.body.type is bytes:
                return ("application/octet-stream",)
            return ("application/json", FORM) if self.forms else ("application/json",)
        places = {p.place for p in self.parameters}
        if "file" in places:
            return (MULTIPART,)
        if not places & set(IN_BODY):
            return ()
        if "form" in places or self.arguments is None:
            return (FORM, MULTIPART)
        kinds = {"form": (FORM, MULTIPART), "json": ("application/json",), "query": ()}
        return tuple(kind for place in self.arguments.places for kind in kinds[place])
