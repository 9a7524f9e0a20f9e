"""The control plane over HTTP: start, watch, fork and finish episodes; agents never see it."""

import hmac
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal, Protocol, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from diorama.doors.asgi import MAX_BODY
from diorama.episodes.usage import check_variant
from diorama.runs.pipes import Problem
from diorama.scenarios import AGENT_SEAT, SPLITS
from diorama.server.agent_words import readable

LARGEST = 2**63 - 1
"""The largest whole number that a request may have."""


TURNS_AT_MOST = 1_000_000
SEATS_AT_MOST = 64
"""The most seats that a request may list; a scenario allows far fewer."""
LEASE_AT_MOST = 366 * 86_400
"""The longest lease of an episode, in seconds: a year."""


class StartRequest(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A request for a new episode."""

    scenario: str
    seed: int = 0
    split: Literal["train", "eval", "eval-new"] = "train"
    clock: Literal["virtual", "paced"] = "virtual"
    rate: float = 1.0  # virtual seconds per second of wall time, when paced
    lease_seconds: Annotated[float, msgspec.Meta(gt=0, le=LEASE_AT_MOST)] | None = None
    world_size: str | None = None
    turns: Annotated[int, msgspec.Meta(ge=1, le=TURNS_AT_MOST)] | None = None  # instead of the scenario's own limit
    # whose credentials to hand out, of those that the scenario allows
    seats: Annotated[tuple[str, ...], msgspec.Meta(max_length=SEATS_AT_MOST)] = (AGENT_SEAT,)

    def __post_init__(self) -> None:
        """Refuse a seed that names no variant, before it is sent to a worker."""
        check_variant(self.seed, self.split, SPLITS)


class WaitRequest(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A request to let time pass, or to wait for a notice."""

    seconds: float = 3600.0
    until: Literal["notice"] | None = None


class RestoreRequest(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A request to return to a snapshot."""

    snapshot: str


class ForkRequest(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A request for a fork; with `dice` it gets other dice."""

    dice: Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)] | None = None


class CallRequest(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A tool call, for agents without HTTP."""

    tool: str
    arguments: Any = None
    """An object; anything else is a mistake of the agent, which it sees as an observation."""


class FinishRequest(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A request to finish, with the agent's report."""

    report: str = ""


class Host(Protocol):
    """What holds the live episodes: one process, or several workers. Replies can be encoded as JSON."""

    async def health(self) -> Any: ...
    async def metrics(self) -> str: ...
    async def apps(self) -> Any: ...
    async def scenarios(self) -> Any: ...
    async def start(self, options: StartRequest) -> Any: ...
    async def episodes(self) -> Any: ...
    async def show(self, episode: str) -> Any: ...
    async def events(self, episode: str, after: int, limit: int) -> Any: ...
    async def call(self, episode: str, options: CallRequest) -> Any: ...
    async def wait(self, episode: str, options: WaitRequest) -> Any: ...
    async def snapshot(self, episode: str) -> Any: ...
    async def restore(self, episode: str, options: RestoreRequest) -> Any: ...
    async def fork(self, episode: str, options: ForkRequest) -> Any: ...
    async def finish(self, episode: str, options: FinishRequest) -> Any: ...
    async def delete(self, episode: str) -> None: ...


T = TypeVar("T")
Answer = Callable[[Request], Awaitable[Response]]

_encode = msgspec.json.Encoder().encode


def control(host: Host, token: str) -> Starlette:
    """Return the ASGI app of the control plane; `token` is the bearer token that requests must carry."""
    plane = _Plane(host, token)
    one = "/v1/episodes/{id}"
    routes = [Route("/v1/health", plane.health, methods=["GET"])]
    for method, path, answer in (
        ("GET", "/v1/metrics", plane.metrics),
        ("GET", "/v1/apps", plane.apps),
        ("GET", "/v1/scenarios", plane.scenarios),
        ("POST", "/v1/episodes", plane.start),
        ("GET", "/v1/episodes", plane.episodes),
        ("GET", one, plane.show),
        ("DELETE", one, plane.delete),
        ("GET", f"{one}/events", plane.events),
        ("POST", f"{one}/call", plane.call),
        ("POST", f"{one}/wait", plane.wait),
        ("POST", f"{one}/snapshot", plane.snapshot),
        ("POST", f"{one}/restore", plane.restore),
        ("POST", f"{one}/fork", plane.fork),
        ("POST", f"{one}/finish", plane.finish),
    ):
        routes.append(Route(path, plane.guarded(answer), methods=[method]))
    handlers = {Problem: _on_problem, HTTPException: _on_http_exception, Exception: _on_fault}
    return Starlette(routes=routes, exception_handlers=handlers)


class _Plane:
    """The endpoints: each decodes a request, calls the host and encodes the answer as JSON."""

    def __init__(self, host: Host, token: str) -> None:
        self._host = host
        self._expected = f"Bearer {token}".encode()

    def guarded(self, answer: Answer) -> Answer:
        """Return an endpoint that answers 401 without the token."""

        async def inner(request: Request) -> Response:
            given = [value.encode("latin-1", "replace") for value in request.headers.getlist("authorization")]
            if len(given) != 1 or not hmac.compare_digest(given[0], self._expected):
                detail = "Send `Authorization: Bearer TOKEN`: DIORAMA_ADMIN_TOKEN, or what `diorama serve` printed."
                return _problem(Problem(401, "unauthorized", detail), {"www-authenticate": "Bearer"})
            return await answer(request)

        return inner

    async def health(self, request: Request) -> Response:
        """Answer that the server is up; with the token also the details."""
        if "authorization" not in request.headers:
            return _json({"status": (await self._host.health())["status"]})
        return await self.guarded(self.details)(request)

    async def details(self, request: Request) -> Response:
        return _json(await self._host.health())

    async def metrics(self, request: Request) -> Response:
        return PlainTextResponse(await self._host.metrics(), media_type="text/plain; version=0.0.4")

    async def apps(self, request: Request) -> Response:
        return _json({"apps": await self._host.apps()})

    async def scenarios(self, request: Request) -> Response:
        return _json({"scenarios": await self._host.scenarios()})

    async def start(self, request: Request) -> Response:
        return _json(await self._host.start(await _read(request, StartRequest)), 201)

    async def episodes(self, request: Request) -> Response:
        return _json(await self._host.episodes())

    async def show(self, request: Request) -> Response:
        return _json(await self._host.show(_id(request)))

    async def events(self, request: Request) -> Response:
        after, limit = _number(request, "after", 0), _number(request, "limit", 1000)
        return _json(await self._host.events(_id(request), after, limit))

    async def call(self, request: Request) -> Response:
        return _json(await self._host.call(_id(request), call_of(await _body(request))))

    async def wait(self, request: Request) -> Response:
        return _json(await self._host.wait(_id(request), await _read(request, WaitRequest)))

    async def snapshot(self, request: Request) -> Response:
        return _json(await self._host.snapshot(_id(request)), 201)

    async def restore(self, request: Request) -> Response:
        return _json(await self._host.restore(_id(request), await _read(request, RestoreRequest)))

    async def fork(self, request: Request) -> Response:
        return _json(await self._host.fork(_id(request), await _read(request, ForkRequest)), 201)

    async def finish(self, request: Request) -> Response:
        return _json(await self._host.finish(_id(request), finish_of(await _body(request))))

    async def delete(self, request: Request) -> Response:
        await self._host.delete(_id(request))
        return Response(status_code=204)


def call_of(body: bytes) -> CallRequest:
    """Return a tool call. What an agent may have got wrong in it is kept: the agent sees an error, and it is a turn."""
    if len(body) > MAX_BODY:
        return CallRequest(f"(a call of more than {MAX_BODY} bytes)")
    return _decoded(readable(body, "tool", "(a call that cannot be read)"), CallRequest)


def finish_of(body: bytes) -> FinishRequest:
    """Return the request to finish; what cannot stand in a report is replaced."""
    if len(body) > MAX_BODY:
        return FinishRequest(f"(a report of more than {MAX_BODY} bytes)")
    return _decoded(readable(body, "report", "(a report that cannot be read)"), FinishRequest)


def _id(request: Request) -> str:
    return str(request.path_params["id"])


def _number(request: Request, name: str, default: int) -> int:
    try:
        found = int(request.query_params.get(name, default))
    except ValueError:  # also for thousands of digits
        found = LARGEST + 1
    if abs(found) > LARGEST:
        raise Problem(422, "invalid", f"`{name}` must be a whole number of at most {LARGEST}.")
    return found


async def _read(request: Request, shape: type[T]) -> T:
    """Return the body as a typed request; without a body all fields have their defaults."""
    body = await _body(request)
    if len(body) > MAX_BODY:
        raise Problem(413, "too_large", f"The body is larger than {MAX_BODY} bytes.")
    return _decoded(body, shape)


async def _body(request: Request) -> bytes:
    """Return the body; one that is too large is cut, and has more than MAX_BODY bytes."""
    size, parts = 0, []
    try:
        async for part in request.stream():
            size += len(part)
            parts.append(part)
            if size > MAX_BODY:
                break
    except ClientDisconnect:
        raise Problem(400, "disconnected", "The body ended early.") from None
    return b"".join(parts)[: MAX_BODY + 1]


def _decoded(body: bytes, shape: type[T]) -> T:
    try:
        return msgspec.json.decode(body or b"{}", type=shape)
    except msgspec.ValidationError as error:
        raise Problem(422, "invalid", f"{error}{_choices(shape, str(error))}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Problem(422, "malformed", f"The body is not JSON: {error}") from None


def _choices(shape: type[Any], complaint: str) -> str:
    """Return what a field of a closed list can be, if the complaint is about one."""
    field = complaint.rpartition("`$.")[2].rstrip("`")
    found = [value for part in _parts(get_type_hints(shape).get(field)) for value in part]
    return f"; it is one of {', '.join(msgspec.json.encode(value).decode() for value in found)}" if found else ""


def _parts(hint: Any) -> list[tuple[Any, ...]]:
    """Return the values of every Literal in a type."""
    if get_origin(hint) is Literal:
        return [get_args(hint)]
    inner = [values for part in get_args(hint) for values in _parts(part)]
    return [*inner, (None,)] if inner and type(None) in get_args(hint) else inner


def _json(value: Any, status: int = 200) -> Response:
    return Response(_encode(value), status, media_type="application/json")


def _problem(problem: Problem, headers: dict[str, str] | None = None) -> Response:
    response = _json({"error": problem.error, "detail": problem.detail}, problem.status)
    response.headers.update(headers or {})
    return response


async def _on_problem(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, Problem)
    return _problem(problem)


async def _on_http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    word = {404: "unknown_path", 405: "wrong_method"}.get(error.status_code, "refused")
    problem = Problem(error.status_code, word, f"{request.method} {request.url.path} is not served here.")
    return _problem(problem, dict(error.headers or {}))


async def _on_fault(request: Request, error: Exception) -> Response:
    detail = f"{type(error).__name__}: {error} (a fault of this server, not of the request)"
    return _problem(Problem(500, "engine", detail))
