"""What agents wrote into a request to the control plane: their mistakes are theirs to see, not errors of the client."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from diorama.doors.tools import recordable, sendable

LONG_NUMBER = 100
"""How many digits of a whole number are read; it has more than 64 bits already."""


def readable(body: bytes, name: str, otherwise: str) -> bytes:
    """Return a JSON body with the agent's words as every part of the server can read them.

    `name` is the text that the agent wrote: half an emoji in it becomes a question mark, and another value its text.
    `arguments` become what `recordable` makes of them. What no reader can read is `otherwise`. The rest is as it was.
    """
    try:
        asked = json.loads(body.decode(errors="replace") or "{}", parse_int=_whole)
    except RecursionError:  # nested too deeply
        return msgspec.json.encode({name: otherwise})
    except ValueError:
        return body  # not JSON: a mistake of the client
    if not isinstance(asked, dict) or not all(map(_is_sendable, asked)):
        return body
    if name in asked:
        asked[name] = _text(asked[name])
    if "arguments" in asked:
        asked["arguments"] = recordable(asked["arguments"])
    try:
        return msgspec.json.encode(asked)
    except (ValueError, RecursionError):  # in a field that does not exist
        return body


def _whole(digits: str) -> int:
    return int(digits[:LONG_NUMBER])


def _is_sendable(text: str) -> bool:
    return sendable(text) == text


def _text(value: Any) -> str:
    if isinstance(value, str):
        return sendable(value)
    made = recordable(value)
    return "" if made is None else made if isinstance(made, str) else msgspec.json.encode(made).decode()
