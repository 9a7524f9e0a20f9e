"""Agents of the kind that people bring along: `python:tests.runs.guests:NAME`."""

import json
import sys
import time
from typing import Any

from diorama.episodes.agents.model import ProviderFailed
from diorama.episodes.endings import OutOfTokens
from diorama.scenarios import Hands


def crashes(hands: Hands) -> None:
    """Bake the wrong thing, then fail."""
    hands.call("oven_bake", {"kind": "white"})
    raise KeyError("my own fault")


def leaves(hands: Hands) -> None:
    """End the process, or try to."""
    hands.call("oven_bake", {"kind": "white"})
    sys.exit(5)


def stalls(hands: Hands) -> None:
    """Loop forever and refuse to be interrupted."""
    hands.call("oven_bake", {"kind": "white"})
    while True:
        try:
            time.sleep(60)
        except Exception:  # noqa: BLE001 - an agent that swallows whatever it meets
            hands.call("oven_look", {})


def loses_its_model(hands: Hands) -> None:
    """Fail because the model provider is unavailable."""
    hands.call("oven_bake", {"kind": "white"})
    raise ProviderFailed("http_500", "the model answered 500")


def runs_out(hands: Hands) -> None:
    """Fail because no tokens are left."""
    raise OutOfTokens("cut at the limit")


def burns(hands: Hands) -> None:
    """Call a handler that fails."""
    hands.call("oven_look", {})
    hands.call("oven_bake", {"kind": "burnt"})


def burns_by_http(hands: Hands) -> None:
    """Send a request whose handler fails, and go on."""
    hands.http("oven", "GET", "/loaves")
    hands.http("oven", "POST", "/loaves", body={"kind": "burnt"}, headers={"x-oven": "1"})
    hands.http("oven", "GET", "/loaves")


def curses(hands: Hands) -> None:
    """Trigger a grader that fails."""
    hands.call("oven_bake", {"kind": "cursed"})


def speaks_http(hands: Hands) -> None:
    """Use the vendor's API, with a body that is not text."""
    hands.http("oven", "GET", "/loaves")
    hands.http("oven", "POST", "/loaves", body=b"\xff\xfe")
    hands.http("oven", "MAKE ME", "/a loaf?of=rye bread")
    hands.http("oven", "POST", "/loaves", body={"kind": "white"})
    hands.call("wait", {"minutes": 30, "until": "notice"})


def shows_an_invalid_token(hands: Hands) -> None:
    """Use a token that the desk never gave out, between requests with the own credential."""
    for token in ("", "0d1a" + "0" * 44, "0d1a" + "1" * 44, ""):
        heads = {"authorization": f"Bearer {token}"} if token else {}
        hands.http("zendesk", "GET", "/api/v2/users/me.json?include=abilities", headers=heads)


def says_odd_things(hands: Hands) -> None:
    """Call tools with arguments that no schema allows."""
    for odd in (2**70, float("inf"), "\ud800", object(), {1: 2}, b"\xff", {"kind": 2**65}, {"kind": "\udcff"}, [[]]):
        hands.call("oven_bake", odd)  # type: ignore[arg-type] # the point of it
    hands.call("nothing \ud800", {})
    hands.call("finish", {"report": 7})


def sells(hands: Hands) -> None:
    """Bake what the oven then rings up at the till: once it is sold, once it is refused."""
    hands.call("oven_bake", {"kind": "rye for sale"})
    hands.call("oven_bake", {"kind": "stolen, for sale"})
    hands.call("wait", {"minutes": 5})


def writes_much(hands: Hands) -> None:
    """Send the same large body twice, and a large one that is not text."""
    for _ in range(2):
        hands.http("oven", "POST", "/loaves", body={"kind": "long " * 20_000})
    hands.http("oven", "POST", "/loaves", body=b"\xff" * 100_000)
    hands.http("oven", "GET", "/loaves")


async def waits_async(hands: Hands) -> None:
    """Act in a coroutine, which a plain call does not run."""


def yields(hands: Hands) -> Any:
    """Act in a generator, which a plain call does not run."""
    yield hands.call("finish", {"report": "done"})


def returns_a_coroutine(hands: Hands) -> Any:
    """Return the work instead of doing it."""
    return waits_async(hands)


def raises_in_a_library(hands: Hands) -> None:
    """Fail in a function of another module."""
    json.loads("{")


def speaks_with_spaces(hands: Hands) -> None:
    """Send methods and paths with spaces, long ones too, before and after the end."""
    for _ in range(2):
        for method in ("GET /a", "", " ", "GET  ", "A b c"):
            for path in ("/" + "b" * 100_000, "/b c", "", " "):
                hands.http("oven", method, path)
        hands.call("finish", {"report": "x"})


def takes_its_time(hands: Any) -> None:
    """Act three times, with some wall time between."""
    for _ in range(3):
        hands.call("oven_look", {})
        time.sleep(0.01)
    hands.call("finish", {"report": "looked"})
