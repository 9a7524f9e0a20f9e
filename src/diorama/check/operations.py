"""Checks of one operation or one tool of an app, by requests made from its own OpenAPI document."""

from collections.abc import Iterator
from difflib import get_close_matches

import jsonschema_rs

from diorama.check.declaring import check, short
from diorama.check.fuzz import JSON_MEDIA, document_of
from diorama.check.subjects import AppSubject, answer, told
from diorama.episodes.agents.random_agent import Seen, value_for
from diorama.kernel import Actor, Dice, Refusal, Reply
from diorama.kernel.location import declared_at
from diorama.kit import Call, Operation, Tool
from diorama.kit.openapi import answer_type

REQUESTS, READS, ANSWERS, CALLS = 24, 6, 9, 25
"""How many requests each check makes."""


@check("operation")
def no_request_breaks_it(subject: AppSubject, operation: Operation) -> Iterator[str]:
    """No request breaks an operation, or is answered with a status that its document does not name."""
    fork = subject.world.fork()
    documented = document_of(subject.app)["paths"][operation.documented][operation.method.lower()]["responses"]
    fuzz = subject.fuzz.drawing_from(Dice(f"{subject.name} {operation.name}"))
    for number, request in enumerate(fuzz.requests(operation, REQUESTS)):
        reply = subject.send(request, fork, subject.actors[number % len(subject.actors)])
        if reply.status >= 500:
            yield f"{told(request)}: {answer(reply)}"
            return  # a defect poisons the world
        if str(reply.status) not in documented and not _refused_before(reply):
            yield f"{told(request)}: {reply.status} is not documented: {short(reply.text)}"


def _refused_before(reply: Reply) -> bool:
    """Return whether a request never reached the operation: a broken id in its path leads elsewhere."""
    return reply.refused in ("unknown_path", "wrong_method")


@check("operation")
def reading_changes_nothing(subject: AppSubject, operation: Operation) -> Iterator[str]:
    """A GET changes nothing, unless contract.toml lists it under acting_reads."""
    if operation.method != "GET" or operation.path in subject.acting_reads:
        return
    fork = subject.world.fork()
    for request in subject.fuzz.drawing_from(Dice(f"read {operation.name}")).requests(operation, READS):
        reply = subject.send(request, fork)
        if reply.status >= 500:
            yield f"{told(request)}: {answer(reply)}"
            return
        asked = next(event for event in reversed(fork.events) if event.door == "python")
        if asked.changes:
            yield f"{told(request)} changed {', '.join(sorted({change.table for change in asked.changes}))}"


@check("operation")
def answers_have_their_declared_type(subject: AppSubject, operation: Operation) -> Iterator[str]:
    """The answer to a GET has its declared type."""
    if operation.method != "GET" or answer_type(operation) is None:
        return
    made = document_of(subject.app)
    content = made["paths"][operation.documented]["get"]["responses"][str(operation.status)]["content"]
    if JSON_MEDIA not in content:
        return
    schema = {**content[JSON_MEDIA]["schema"], "components": made["components"]}
    declared = jsonschema_rs.Draft202012Validator(schema)
    for request in subject.fuzz.drawing_from(Dice(f"shape {operation.name}")).requests(operation, ANSWERS):
        reply = subject.send(request)
        if reply.status == operation.status and not reply.refused:
            wrong = next(declared.iter_errors(reply.json()), None)
            if wrong is not None:
                yield f"{told(request)}: {short(wrong.message)} at /{'/'.join(map(str, wrong.instance_path))}"


@check("tool")
def tools_reach_an_operation(subject: AppSubject, tool: Tool) -> Iterator[str]:
    """A tool takes what its schema says, reaches an operation, and the agent or another account holder may use it."""
    fits = jsonschema_rs.Draft202012Validator(tool.schema)
    at = f"{tool.name} ({declared_at(tool.build)})"
    seen = Seen()
    seen.values["id"] = list(subject.fuzz.known)
    calls = []
    for number in range(CALLS):
        arguments = value_for("", tool.schema, tool.schema.get("$defs", {}), seen, Dice(f"{tool.name} {number}"))
        if not fits.is_valid(arguments):
            continue  # a pattern or a length that the draw did not meet
        call = tool.call(arguments)
        request = subject.app.request_of(call)
        try:
            subject.app.route(request)
        except Refusal:
            yield f"{at} asks for {call.method} {call.path}, {_nearest(subject, call)}"
            return
        calls.append((arguments, request))
    reply = Reply(0, {}, b"")
    for person in subject.holders:
        usable = False
        for arguments, request in calls:
            reply = subject.send(request, actor=Actor("agent", person, tool.credential or subject.actor.seat))
            if reply.status >= 500:
                yield f"{at} with {short(arguments)}: {answer(reply)}"
                return
            usable = usable or reply.refused not in ("unauthorized", "forbidden", "wrong_method")
        if usable:
            return
    yield f"{at}: no account holder may use it (tried: {', '.join(subject.holders)}); the last reply: {answer(reply)}"


def _nearest(subject: AppSubject, call: Call) -> str:
    """Say that nothing answers a call, and which operation is most like it."""
    known = {f"{one.method} {one.path}": one for one in subject.product.operations}
    for name, one in known.items():
        if one.path == call.path:
            return f"but {one.path} takes another method: {name} ({declared_at(one.handler)})"
    asked = f"{call.method} {call.path}"
    alike = [
        name for name in known if name.count("/") == asked.count("/")
    ]  # a path of as many parts is meant more often
    near = get_close_matches(asked, alike, 1, 0.5) or get_close_matches(asked, known, 1, 0.5)
    meant = f" The nearest is {near[0]} ({declared_at(known[near[0]].handler)})." if near else ""
    return f"which no operation answers: correct the path of the tool, or declare the operation.{meant}"
