"""The tool door: JSON-schema tools in, one canonical text of limited length out."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from diorama.kernel import Reply
from diorama.kernel.events import BODY_AT_MOST
from diorama.kernel.sizes import has_more_values
from diorama.kit import App, Call, Tool

TEXT_AT_MOST = 16_000
ARGUMENTS_AT_MOST = 6_000_000
"""Bytes of a tool call's arguments that are read; no app reads a larger request."""
VALUES_AT_MOST = 20_000
"""Values in a tool call's arguments that are read: in memory and in a record, each is larger than its text."""
LARGEST = 2**63 - 1
DEEPEST = 100


class Observation(msgspec.Struct, frozen=True):
    """What the agent sees after one turn."""

    text: str
    data: Any = None
    is_error: bool = False
    ended: bool = False


def wait(
    until: Annotated[
        Literal["notice"] | None, Meta(description="'notice': stop as soon as somebody writes or something needs you")
    ] = None,
    minutes: Annotated[float, Meta(description="how long to wait at most", gt=0, le=20160)] = 60,
) -> Call:
    """Let time pass: meanwhile, colleagues and customers act and timers run."""
    return Call("WAIT", "", {"until": until, "minutes": minutes})


def finish(
    report: Annotated[str, Meta(description="what you did, in a few sentences")] = "",
    gave_up: Annotated[bool, Meta(description="true if you could not do it")] = False,
) -> Call:
    """End your work on this task; you cannot do anything afterwards."""
    return Call("FINISH", "", {"report": report, "gave_up": gave_up})


WAIT = Tool("world", wait)
FINISH = Tool("world", finish)
WAIT.name, FINISH.name = "wait", "finish"


def tools_of(apps: list[App]) -> dict[str, Tool]:
    """Return the tools of some apps by name, with `wait` and `finish`."""
    return {tool.name: tool for tool in [*(t for app in apps for t in app.product.tools), WAIT, FINISH]}


def observe(tool: Tool, reply: Reply) -> Observation:
    """Return a vendor's reply as the agent reads it."""
    failed = bool(reply.refused)
    data: Any = None
    if reply.body and "json" in reply.headers.get("content-type", ""):
        data = reply.json()
    if tool.show is not None and not failed:
        text = tool.show(reply)
    elif data is not None:
        text = msgspec.json.encode(_without_nulls(data)).decode()
    else:
        text = reply.text or f"done ({reply.status})"
    said = reply.status if reply.status >= 400 else reply.refused  # some vendors refuse with status 200
    return Observation(bounded(f"error {said}: {text}" if failed else text), data, failed)


def bounded(text: str) -> str:
    """Return the text; if it is too long, cut it and say so at its end."""
    if len(text) <= TEXT_AT_MOST:
        return text
    rest = len(text) - TEXT_AT_MOST
    return f"{text[:TEXT_AT_MOST]}\n[cut here: {rest} more characters; ask for fewer items or another page]"


def recordable(arguments: Any) -> Any:
    """Return arguments as JSON can hold them; others become their repr, which every tool refuses."""
    try:
        text = msgspec.json.encode(arguments)
        if len(text) > ARGUMENTS_AT_MOST or has_more_values(text, VALUES_AT_MOST):
            return f"{text[:2000].decode(errors='replace')}... ({len(text)} bytes)"
        made = msgspec.json.decode(text)
        if _small(made):
            return made
    except (TypeError, ValueError, RecursionError):
        pass
    try:
        return sendable(repr(arguments)[:2000])
    except Exception:  # noqa: BLE001 - a value of the agent's own kind, or one that is nested too deeply
        return f"<{type(arguments).__name__}>"


def cut(arguments: Any) -> Any:
    """Return the arguments of a wrong call as they are recorded: only the beginning if they are very long."""
    text = msgspec.json.encode(arguments)
    return arguments if len(text) <= BODY_AT_MOST else f"{text[:2000].decode(errors='replace')}... ({len(text)} bytes)"


def sendable(text: object) -> str:
    """Return a text that can be sent: lone surrogates become question marks; other objects become their text."""
    try:
        return str(text).encode(errors="replace").decode()
    except Exception:  # noqa: BLE001 - an object of the agent's own kind
        return f"<{type(text).__name__}>"


def json_body(body: Any) -> bytes:
    """Encode a JSON body; lone surrogates are sent as clients send them, and the vendor answers that."""
    try:
        return msgspec.json.encode(body)
    except UnicodeEncodeError:
        return json.dumps(body).encode()


def _small(value: Any, levels: int = DEEPEST) -> bool:
    """Return whether every number in a value fits into a database column, and nothing is nested too deeply."""
    if isinstance(value, dict):
        return levels > 0 and all(_small(item, levels - 1) for item in value.values())
    if isinstance(value, list):
        return levels > 0 and all(_small(item, levels - 1) for item in value)
    return not isinstance(value, int) or -LARGEST <= value <= LARGEST


_NESTED = (dict, list)


def _without_nulls(value: Any) -> Any:
    """Return decoded JSON without the members that are null."""
    if isinstance(value, dict):
        kept = {key: item for key, item in value.items() if item is not None}
        for key, item in kept.items():
            if isinstance(item, _NESTED):
                kept[key] = _without_nulls(item)
        return kept
    if isinstance(value, list):
        return [_without_nulls(item) if isinstance(item, _NESTED) else item for item in value]
    return value
