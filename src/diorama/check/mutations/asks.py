"""Asks: what an oracle asks of an app, in one form for tools and HTTP, so that mutations see operations, not doors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from diorama.doors.tools import Observation, observe
from diorama.episodes.episode import Episode
from diorama.kernel import Reply
from diorama.kit import Tool, WrongArguments
from diorama.scenarios import Seen
from diorama.scenarios.anatomy import Acting

Answer = Seen | Reply

_TICKET = re.compile(r"/api/v2/(?:tickets|requests)/(\d+)(?:\.json)?$")
_DEEDS: tuple[tuple[str, str], ...] = (
    (r"/refunds$", "refund"),
    (r"/credits$", "credit"),
    (r"/replacements$", "replacement"),
    (r"/returns$", "label"),
    (r"/shipments/[^/]+/reship$", "reshipment"),
    (r"/orders/[^/]+/cancel$", "order_cancellation"),
    (r"/subscriptions/[^/]+/cancel$", "cancellation"),
    (r"/subscriptions/[^/]+/pause$", "pause"),
    (r"/subscriptions/[^/]+/resume$", "resumption"),
    (r"/subscriptions/[^/]+/skip$", "skip"),
    (r"/subscriptions/[^/]+/plan$", "plan"),
    (r"/[^/]+/[^/]+/address$", "address_change"),
)
"""How the requests of a back office are recognised as deeds."""


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """One request about to be sent: the vendor's method, path and body, and the tool that makes it, if one does."""

    app: str = ""
    method: str
    path: str = ""
    query: str = ""
    body: Any = None
    headers: dict[str, str] = {}
    host: str = ""
    seat: str = ""
    credential: str = ""
    tool: str = ""
    arguments: dict[str, Any] = {}
    """The arguments of the tool call; they no longer count once the request was altered."""
    altered: bool = False

    @property
    def is_read(self) -> bool:
        """Whether it only reads."""
        return self.method == "GET"

    @property
    def is_finish(self) -> bool:
        """Whether it ends the episode."""
        return self.tool == "finish"

    @property
    def ticket_id(self) -> int:
        """The ticket whose own resource is asked for; 0 if it is none."""
        found = _TICKET.search(self.path) if self.app == "zendesk" else None
        return int(found[1]) if found else 0

    @property
    def ticket(self) -> dict[str, Any]:
        """The fields that an update of one ticket sends; empty for every other request."""
        if not self.ticket_id or self.method != "PUT" or not isinstance(self.body, dict):
            return {}
        inner = self.body.get("ticket") or self.body.get("request")
        return inner if isinstance(inner, dict) else {}

    @property
    def words(self) -> str:
        """What it says to the customer on an existing ticket; "" if nothing, or an internal note."""
        comment = self.ticket.get("comment")
        if not isinstance(comment, dict) or comment.get("public") is False:
            return ""
        return str(comment.get("body") or comment.get("html_body") or "")

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of a ticket that it sets, without the comment."""
        return {name: value for name, value in self.ticket.items() if name != "comment"}

    @property
    def solves(self) -> bool:
        """Whether it sets a ticket to solved."""
        return self.fields.get("status") in ("solved", "closed")

    @property
    def deed(self) -> str:
        """The kind of deed in a back office that it asks for, or ""."""
        if self.app in ("", "zendesk") or self.method != "POST":
            return ""
        return next((kind for pattern, kind in _DEEDS if re.search(pattern, self.path)), "")

    def with_ticket(self, **fields: Any) -> Ask:
        """Return the same update with some fields replaced; a field that is None is left out."""
        new = {name: value for name, value in {**self.ticket, **fields}.items() if value is not None}
        return replace(self, body={"ticket": new}, altered=True)

    def saying(self, text: str) -> Ask:
        """Return the same reply with other words."""
        return self.with_ticket(comment={"body": text, "public": True})


def ask_of_call(episode: Episode, tools: Mapping[str, Tool], name: str, arguments: Mapping[str, Any]) -> Ask:
    """Return what a tool call asks; a call that fits no tool stays a bare call."""
    tool = tools.get(name)
    if tool is None:
        return Ask(method="CALL", tool=name, arguments=dict(arguments))
    try:
        call = tool.call(dict(arguments), episode.world.read)
    except WrongArguments:
        return Ask(method="CALL", tool=name, arguments=dict(arguments))
    if call.method in ("WAIT", "FINISH"):
        return Ask(method=call.method, tool=name, arguments=dict(arguments), body=call.body)
    sent = episode.app(tool.app).request_of(call)
    return Ask(
        app=tool.app,
        method=sent.method,
        path=sent.path,
        query=sent.query,
        body=_decoded(sent.body),
        headers=dict(sent.headers),
        host=sent.host,
        credential=tool.credential,
        tool=name,
        arguments=dict(arguments),
    )


def _decoded(body: bytes) -> Any:
    if not body:
        return None
    try:
        return msgspec.json.decode(body)
    except msgspec.DecodeError:
        return body


def send(hands: Acting, ask: Ask, tools: Mapping[str, Tool]) -> Answer:
    """Send an ask: as the tool call that it is, or as a request if it is none or was altered."""
    if ask.tool and not ask.altered:
        return hands.call(ask.tool, ask.arguments)
    tool = tools.get(ask.tool)
    reply = request(hands, ask)
    return reply if tool is None else observe(tool, reply)


def request(hands: Acting, ask: Ask) -> Reply:
    """Send an ask as a request to the vendor's API."""
    path = f"https://{ask.host}{ask.path}" if ask.host else ask.path
    return hands.http(
        ask.app,
        ask.method,
        f"{path}?{ask.query}" if ask.query else path,
        ask.body,
        ask.headers,
        seat=ask.seat,
        credential=ask.credential,
    )


def refused(answer: Answer) -> bool:
    """Return whether an answer is a refusal."""
    return bool(answer.refused) if isinstance(answer, Reply) else answer.is_error


def text_of(answer: Answer) -> str:
    """Return an answer as the agent reads it."""
    return answer.text


def data_of(answer: Answer) -> Any:
    """Return the decoded body of an answer, or None."""
    if not isinstance(answer, Reply):
        return answer.data
    return answer.json() if answer.body and "json" in answer.headers.get("content-type", "") else None


def seen(data: Any) -> Observation:
    """Return data as a tool would have shown it."""
    return Observation(msgspec.json.encode(data).decode(), data)
