"""A chat product whose arguments come from everywhere, at several hosts, refused with status 200: to test the kit."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from diorama.kernel import ANONYMOUS, Actor, Refusal, Request, Tx, World
from diorama.kernel.testing import fresh
from diorama.kit import (
    ByField,
    ByGraphQL,
    ByHeader,
    Call,
    Cookie,
    Detail,
    Field,
    File,
    Form,
    Host,
    JsonField,
    Merged,
    Product,
    SizeLimits,
    Upload,
    Xml,
)
from diorama.kit.product import REFUSAL_KINDS

EVA = Actor("agent", "eva@parlour.example")
FORM = "application/x-www-form-urlencoded"


def _refused(kind: str) -> Any:
    """Refuse with status 200, as some vendors do."""
    return lambda about: Refusal(
        200, kind, str(about), fields={"where": about.where, "name": about.name} if isinstance(about, Detail) else {}
    )


PARLOUR = Product(
    "parlour",
    title="The parlour",
    refusals={kind: _refused(kind) for kind in REFUSAL_KINDS},
    envelope=lambda refusal: {"ok": False, "error": refusal.code, "detail": refusal.detail, **refusal.fields},
    arguments=Merged("json", "form", "query"),
    size_limits=SizeLimits(text=2_000, items=5, fields=10, depth=6, url=3_000, parts=4),
    suffixes=(".json",),
    strict=False,
)


class Block(msgspec.Struct):
    """A part of a message."""

    type: str
    text: str = ""


@PARLOUR.post("/api/chat.post")
def post_message(
    tx: Tx,
    channel: Annotated[str, Field()],
    text: Annotated[str, Field()] = "",
    blocks: Annotated[list[Block] | None, JsonField()] = None,
    count: Annotated[int, Field("reply_count")] = 0,
    users: Annotated[list[str] | None, Field()] = None,
) -> dict[str, Any]:
    """Post a message."""
    return {"ok": True, "channel": channel, "text": text, "blocks": blocks, "count": count, "users": users}


@PARLOUR.get("/api/chat.list")
def list_messages(tx: Tx, channel: Annotated[str, Field()], limit: Annotated[int, Field(), Meta(le=50)] = 10) -> Any:
    """List messages."""
    return {"channel": channel, "limit": limit}


class Topic(msgspec.Struct):
    """What a channel is about."""

    title: str
    tags: list[str] = []
    notes: Annotated[str, Meta(max_length=4_000)] = ""
    extra: Any = None


@PARLOUR.put("/api/topics/{topic_id}")
def set_topic(tx: Tx, topic_id: int, body: Topic) -> Topic:
    """Set a topic."""
    return body


@PARLOUR.post("/api/files.upload")
def upload_file(
    tx: Tx,
    file: Annotated[Upload, File()],
    more: Annotated[list[Upload] | None, File("more[]")] = None,
    title: Annotated[str, Form()] = "",
) -> dict[str, Any]:
    """Upload files."""
    names = [one.filename for one in more or ()]
    return {"name": file.filename, "type": file.content_type, "size": len(file.content), "title": title, "more": names}


@PARLOUR.get("/session", public=True)
def show_session(tx: Tx, session: Annotated[str, Cookie("d")] = "none") -> dict[str, str]:
    """Show the session."""
    return {"session": session}


# --- patterns, hosts and dispatch


@PARLOUR.get("/repos/{owner}/{repo}")
def show_repo(tx: Tx, owner: str, repo: str) -> dict[str, str]:
    """Show a repository."""
    return {"show": f"{owner}/{repo}"}


@PARLOUR.get("/repos/{owner}/{repo}.git")
def clone_repo(tx: Tx, owner: str, repo: str) -> dict[str, str]:
    """Clone a repository."""
    return {"clone": f"{owner}/{repo}"}


@PARLOUR.get("/repos/{owner}/{repo}/contents/{path*?}")
def show_contents(tx: Tx, owner: str, repo: str, path: str) -> dict[str, str]:
    """Show a file or folder."""
    return {"path": path}


@PARLOUR.get("/repos/{owner}/{repo}/compare/{base}...{head}")
def compare(tx: Tx, owner: str, repo: str, base: str, head: str) -> dict[str, str]:
    """Compare two branches."""
    return {"base": base, "head": head}


@PARLOUR.post("/jobs/{job_id}:cancel")
def cancel_job(tx: Tx, job_id: int) -> dict[str, int]:
    """Cancel a job."""
    return {"cancelled": job_id}


@PARLOUR.get("/{key*}", host="bucket")
def get_object(tx: Tx, bucket: Annotated[str, Host()], key: str) -> dict[str, str]:
    """Read an object."""
    return {"bucket": bucket, "key": key}


class Owner(msgspec.Struct, rename="pascal"):
    """Whose buckets they are."""

    display_name: str


@PARLOUR.get("/", host="bucket", encoder=Xml("ListBucketResult"))
def list_objects(tx: Tx, bucket: Annotated[str, Host()]) -> Owner:
    """List objects."""
    if bucket == "gone":
        raise Refusal(404, "NoSuchBucket")
    return Owner(display_name=bucket)


@PARLOUR.post("/target", when=ByHeader("X-Target", "Get"))
def target_get(tx: Tx) -> dict[str, str]:
    """Get by header."""
    return {"did": "get"}


@PARLOUR.post("/target", when=ByHeader("X-Target", "Put"))
def target_put(tx: Tx) -> dict[str, str]:
    """Put by header."""
    return {"did": "put"}


@PARLOUR.post("/action", when=ByField("Action", "List"))
def action_list(tx: Tx, marker: Annotated[str, Field("Marker")] = "") -> dict[str, str]:
    """List by field."""
    return {"did": "list", "marker": marker}


@PARLOUR.post("/action")
def action_other(tx: Tx) -> dict[str, str]:
    """Do anything else."""
    return {"did": "other"}


@PARLOUR.post("/graphql", when=ByGraphQL("viewer"))
def viewer(tx: Tx, variables: Annotated[dict[str, Any] | None, JsonField()] = None) -> dict[str, Any]:
    """Answer the viewer."""
    return {"data": {"viewer": variables}}


@PARLOUR.post("/graphql", when=ByGraphQL("issueCreate"))
def issue_create(tx: Tx) -> dict[str, Any]:
    """Create an issue."""
    return {"data": {"issueCreate": True}}


@PARLOUR.tool
def say(channel: str | None = None) -> Call:
    """Say something."""
    return Call("POST", "/api/chat.post", form={"channel": channel, "text": "hi"})


APP = PARLOUR.install("parlour.example", bucket="{bucket}.files.parlour.example")


def parlour() -> World:
    """An empty parlour."""
    return fresh([APP])


def ask(
    method: str, path: str, body: bytes = b"", content_type: str = "", host: str = "", by: Actor = EVA, **headers: str
) -> Any:
    """Send one request and return the JSON that comes back."""
    path, _, query = path.partition("?")
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if content_type:
        sent["content-type"] = content_type
    return parlour().send("parlour", Request(method, path, query, sent, body, host), by).json()


__all__ = ["ANONYMOUS", "APP", "EVA", "FORM", "PARLOUR", "Topic", "ask", "parlour"]
