"""What Chat stores, what it announces, and how it refuses."""

from datetime import datetime
from typing import Any, Literal

from diorama.kernel import Missing, Notice, Record, Refusal, counter, token
from diorama.kit import (
    Bearer,
    CredentialKind,
    Detail,
    Either,
    Grants,
    Merged,
    Product,
    RateLimit,
    SizeLimits,
    TokenField,
)

LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def no(code: str, **fields: Any) -> Refusal:
    """Return a refusal as the vendor gives it: status 200, `ok` false, and a code."""
    return Refusal(200, code, fields=fields)


def envelope(refusal: Refusal) -> dict[str, Any]:
    """Return the body of a refusal."""
    return {"ok": False, "error": refusal.code, **refusal.fields}


def missing(about: Missing) -> Refusal:
    """Refuse because there is no record of this id."""
    return no(f"{about.record.__name__.lower()}_not_found")


def invalid(detail: Detail) -> Refusal:
    """Refuse an argument, and say which."""
    return no("invalid_arguments", response_metadata={"messages": [f"[ERROR] {detail}"]})


def slower(seconds: int) -> Refusal:
    """Refuse because there were too many requests; this is the one refusal with a status of its own."""
    return Refusal(429, "ratelimited", headers={"retry-after": str(seconds)})


FORMS = {"user": "xoxp-{digits:12}-{digits:13}-{alnum:24}", "bot": "xoxb-{digits:12}-{digits:13}-{alnum:24}"}
GRANTS = Grants("x-chat-token-id", no("invalid_auth"), FORMS)

APP = Product(
    "chat",
    title="Chat",
    api="2026-01",
    auth=Either(Bearer(), TokenField("token", "form", "query")),
    envelope=envelope,
    grants=GRANTS,
    arguments=Merged("form", "json", "query"),
    strict=False,
    rate_limit=RateLimit(200, per_seconds=60),
    size_limits=SizeLimits(text=40_000, items=200, fields=200, depth=12, url=8_000, parts=20),
    max_body=1_000_000,
    refuses=(200,),
    credential_kinds=(
        CredentialKind("user", FORMS["user"], lambda person, secret: {"user_token": secret}),
        CredentialKind("bot", FORMS["bot"], lambda person, secret: {"bot_token": secret}),
    ),
    refusals={
        "unknown_path": no("unknown_method"),
        "wrong_method": no("method_not_supported"),
        "malformed": no("invalid_form_data"),
        "invalid": invalid,
        "unauthorized": lambda shown: no("invalid_auth" if shown else "not_authed"),
        "forbidden": no("access_denied"),
        "missing": missing,
        "too_large": no("request_too_large"),
        "rate_limited": slower,
        "down": Refusal(503, "service_unavailable"),
        "failing": Refusal(500, "internal_error"),
        "timeout": Refusal(504, "request_timeout"),
        "conflict": no("conflict"),
    },
)

Kind = Literal["public", "private", "direct"]


@APP.record("members", ids=token("U", LETTERS, 9), unique=[("name",)], index=[("email",)], cached=True)
class Member(Record):
    """A person or a bot of the team; `name` is the handle after the @."""

    id: str = ""
    name: str
    real_name: str
    email: str = ""
    title: str = ""
    role: Literal["owner", "member", "bot"] = "member"


@APP.record("channels", ids=token("C", LETTERS, 9), index=[("name",)], cached=True)
class Channel(Record):
    """A place to talk; a direct one has no name and two members."""

    id: str = ""
    name: str
    kind: Kind = "public"
    topic: str = ""
    created_at: datetime


@APP.record("memberships", ids=counter(1), unique=[("channel", "member")], index=[("member",)])
class Membership(Record):
    """Who is in which channel, and how far they have read."""

    channel: str
    member: str
    last_read: str = ""


@APP.record("messages", ids=counter(1), unique=[("ts",)], index=[("channel", "thread_ts", "id")], search=("text",))
class Message(Record):
    """One message. `ts` is its name on the wire; a reply has the `ts` of its thread's first message."""

    channel: str
    author: str
    ts: str
    text: str
    at: datetime
    thread_ts: str = ""
    reply_count: int = 0
    latest_reply: str = ""
    edited_at: datetime | None = None
    file: str = ""


@APP.record("reactions", ids=counter(1), unique=[("message", "member", "name")])
class Reaction(Record):
    """One emoji of one member on one message."""

    message: int
    member: str
    name: str


@APP.record("files", ids=token("F", LETTERS, 9), index=[("owner",)])
class File(Record):
    """A file: announced first, then uploaded, then shared in a channel."""

    id: str = ""
    name: str
    mimetype: str
    length: int
    content: bytes = b""
    owner: str
    state: Literal["announced", "uploaded", "shared"] = "announced"
    channel: str = ""
    created_at: datetime


@APP.record("incoming_hooks", ids=token("B", LETTERS, 9))
class IncomingHook(Record):
    """A URL by which a program posts into one channel."""

    id: str = ""
    secret: str
    channel: str
    author: str


@APP.record("outgoing_hooks", ids=counter(1), index=[("channel",)])
class OutgoingHook(Record):
    """A URL that is called with every message of a channel that begins with a word.

    `{text}` and `{email}` in the body are the rest of the message and its author's address.
    """

    channel: str
    word: str
    url: str
    headers: dict[str, str] = {}
    body: dict[str, Any]
    answer: str
    author: str


@APP.record("hook_calls", ids=counter(1), unique=[("delivery",)])
class HookCall(Record):
    """One call of an outgoing hook, and the message that caused it."""

    hook: int
    message: int
    delivery: int


@APP.record("tokens", ids=counter(1), unique=[("token",)])
class Token(Record):
    """A token that a member made for a program; it acts as the member, or as the team's bot."""

    token: str
    kind: Literal["user", "bot"]
    email: str


class MessagePosted(Notice):
    """A message was written."""

    message: int
    channel: str
    author: str
    """The address of the author; "" for a bot."""
