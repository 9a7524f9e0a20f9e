"""Checks of an app behind its doors: the same call gives the same event through every door."""

from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import msgspec

from diorama.check.declaring import NotApplicable, check, short
from diorama.check.fuzz import Fuzz
from diorama.check.http_door import SECRET, scheme_of, send_http
from diorama.check.subjects import AppSubject, told
from diorama.contract.pool import Pool, fill, noun
from diorama.episodes.agents.random_agent import Seen, value_for
from diorama.episodes.episode import Episode, start
from diorama.episodes.seats import actor_at, kinds_at
from diorama.kernel import Dice, Event, Request
from diorama.kit import App, Credential, Tool
from diorama.kit.auth import CUT, scheme_shown
from diorama.kit.tools import WrongArguments

MAY_DIFFER = ("door", "wall", "signals")
"""What may differ between doors: the door itself, the wall clock, and what a grader notes beside an event."""
CALLS = 8


def staged(subject: AppSubject) -> Episode:
    """Return an episode of a scenario that uses the app."""
    if subject.scenario is None:
        raise NotApplicable("no scenario uses the app")
    return start(subject.scenario)


def same(event: Event) -> dict[str, Any]:
    """Return an event without what may differ."""
    return {name: value for name, value in msgspec.to_builtins(event).items() if name not in MAY_DIFFER}


@check("door")
def tool_calls_are_the_same_event(subject: AppSubject) -> Iterator[str]:
    """A tool call is the same event through every door."""
    episode = staged(subject)
    pool = fill(episode.world, subject.app, Dice(subject.name))
    for tool in subject.product.tools:
        yield from _differences(episode, subject.app, tool, pool)


def _differences(episode: Episode, app: App, tool: Tool, pool: Pool) -> Iterator[str]:
    before = len(episode.world.events)
    for number in range(CALLS):
        arguments = arguments_for(pool, app, tool, number)
        try:
            call = tool.call(arguments, episode.world.read)
        except WrongArguments:  # refused by what the tool sees in the world, before the app is asked
            continue
        request = app.request_of(call)
        if tool.credential and tool.credential not in kinds_at(episode.scenario, app):
            continue  # this scenario does not give the agent this kind: the tool door answers without asking the app
        doors = {door: episode.fork() for door in ("tools", "python", "http")}
        doors["tools"].call(tool.name, arguments)
        path = f"{request.path}?{request.query}" if request.query else request.path
        path = f"https://{request.host}{path}" if request.host else path
        asked = (app.name, request.method, path, request.body or None, request.headers)
        doors["python"].http(*asked, credential=tool.credential)
        send_http(doors["http"], app, request, credential=tool.credential)
        broken = next((one.world.defect for one in doors.values() if one.world.defect is not None), None)
        if broken is not None:
            raise broken
        events = {door: one.world.events[before] for door, one in doors.items()}
        if {door: event.door for door, event in events.items()} != {door: door for door in doors}:
            yield f"{tool.name} {short(arguments)}: recorded doors {[event.door for event in events.values()]}"
        elif not same(events["tools"]) == same(events["python"]) == same(events["http"]):
            yield f"{tool.name} {short(arguments)}: the events differ"
        elif events["http"].reply["status"] >= 500:
            yield f"{tool.name} {short(arguments)}: {short(events['http'].reply)}"


def arguments_for(pool: Pool, app: App, tool: Tool, number: int) -> dict[str, Any]:
    """Return arguments that fit a tool's schema, out of what is in this world."""
    dice = Dice(f"{tool.name} {number}")
    seen = Seen()
    for about, keys in pool.ids.items():
        seen.values[f"{about}_id"] = list(keys)
    seen.values.update({field: list(values) for field, values in pool.fields.items()})
    seen.values["id"] = list(pool.ids.get(noun(app.product.tables[0].name.partition("_")[2]), ()))
    fits = jsonschema_rs.Draft202012Validator(tool.schema).is_valid
    drawn = (value_for("", tool.schema, tool.schema.get("$defs", {}), seen, dice) for _ in range(50))
    return next(arguments for arguments in drawn if fits(arguments))


@check("door")
def requests_are_the_same_event(subject: AppSubject) -> Iterator[str]:
    """A request is the same event over HTTP and in process."""
    episode, app = staged(subject), subject.app
    fuzz = Fuzz(app, episode.world, Dice(f"doors {app.name}"))
    before = len(episode.world.events)
    for operation in app.product.operations:
        for request in fuzz.requests(operation, 2):
            headers = app.recorded_headers(request.headers)
            if any("\n" in value or "\r" in value or not value.isascii() for value in headers.values()):
                continue  # no client can put that into a header
            sent = Request(request.method, request.path, request.query, headers, request.body, request.host)
            inside, outside = episode.fork(), episode.fork()
            one, other = inside.request(app.name, sent, "python"), send_http(outside, app, sent)
            for broken in (inside.world.defect, outside.world.defect):
                if broken is not None:
                    raise broken
            if same(inside.world.events[before]) != same(outside.world.events[before]):
                yield f"{told(sent)}: the events differ"
            elif inside.world.now != outside.world.now:
                yield f"{told(sent)}: it is {inside.world.now} after it in process, {outside.world.now} over HTTP"
            elif (one.status, one.body) != (other.status, other.body) and other.status not in (204, 304):
                yield f"{told(sent)}: {one.status} in process, {other.status} over HTTP"
            elif not {key.lower() for key in one.headers} <= {key.lower() for key in other.headers}:
                yield f"{told(sent)}: headers are lost over HTTP"


@check("door")
def strangers_leave_no_trace(subject: AppSubject) -> Iterator[str]:
    """A wrong secret is refused at the door and leaves no trace."""
    episode = staged(subject)
    before = (episode.trace, episode.turns)
    path, auth = subject.product.operations[0].path, subject.product.auth
    for secret in ("wrong", SECRET.upper(), SECRET[:-1], " "):
        reply = send_http(episode, subject.app, Request("GET", path), secret)
        scheme = scheme_of(subject.app, actor_at(episode.scenario, episode.truth, subject.app))
        signed = auth.write(Request("GET", path), Credential(episode.actor.name, secret, scheme=scheme))
        expected = subject.app.refuse(subject.product.refusal("unauthorized", scheme_shown(auth, signed)))
        if (reply.status, reply.body) != (expected.status, expected.body):
            yield f"the secret {secret!r} gets {reply.status}"
    if (episode.trace, episode.turns) != before:
        yield "the attempts were recorded"


@check("door")
def credentials_are_never_recorded(subject: AppSubject) -> Iterator[str]:
    """Credentials are never recorded, not even where a client writes one a second time."""
    episode = staged(subject)
    path, form = subject.product.operations[0].path, {"content-type": "application/x-www-form-urlencoded"}
    twice = f"note={SECRET}"
    plain = Request("GET", path, "", {"cookie": "undeclared=abc", "x-api-key": "abc"})
    for sent in (plain, Request("GET", path, twice), Request("POST", path, "", form, twice.encode())):
        send_http(episode, subject.app, sent)
        if episode.world.defect is not None:
            raise episode.world.defect
        recorded = repr(episode.world.events[-1])
        words = (SECRET, "undeclared=abc", "authorization")
        yield from (f"{word} is in the event of {told(sent)}" for word in words if word in recorded)
        if sent is plain and CUT in recorded:
            yield f"{told(sent)}: the scheme leaves its credential in the request; its `strip` must remove it"
