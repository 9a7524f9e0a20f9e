"""The tools that an agent gets for Chat; each sends a form, as the vendor's own clients do."""

from typing import Annotated

from diorama.kit import Call
from msgspec import Meta

from harbour.apps.chat.schema import APP

ChannelId = Annotated[str, Meta(description="The id of the channel, such as C0123456789.")]
Ts = Annotated[str, Meta(description="The `ts` of the message.")]


@APP.tool
def list_channels(cursor: str = "") -> Call:
    """List the channels that you may read, direct ones included."""
    return Call("GET", "/api/conversations.list", query={"cursor": cursor or None})


@APP.tool
def list_members(cursor: str = "") -> Call:
    """List the people and bots of the team."""
    return Call("GET", "/api/users.list", query={"cursor": cursor or None})


@APP.tool
def read_channel(channel: ChannelId, limit: Annotated[int, Meta(ge=1, le=200)] = 30, cursor: str = "") -> Call:
    """Read the newest messages of a channel; read_thread has the replies."""
    return Call(
        "GET", "/api/conversations.history", query={"channel": channel, "limit": limit, "cursor": cursor or None}
    )


@APP.tool
def read_thread(channel: ChannelId, ts: Ts) -> Call:
    """Read a message and its replies."""
    return Call("GET", "/api/conversations.replies", query={"channel": channel, "ts": ts})


@APP.tool
def search_messages(
    query: Annotated[
        str,
        Meta(
            min_length=1,
            description='Words and "phrases"; in:#channel, from:@name, from:me, has:link, has:file, is:thread, '
            "before:2026-03-01, after:2026-02-01, on:today; a minus in front excludes.",
        ),
    ],
    page: Annotated[int, Meta(ge=1, le=100)] = 1,
) -> Call:
    """Search all messages that you may read, the newest first."""
    return Call("GET", "/api/search.messages", query={"query": query, "page": page})


@APP.tool
def post_message(
    channel: ChannelId,
    text: Annotated[str, Meta(min_length=1)],
    thread_ts: Annotated[str | None, Meta(description="Reply in the thread of this message.")] = None,
) -> Call:
    """Write a message. <@U0123456789> mentions a member."""
    return Call("POST", "/api/chat.postMessage", form={"channel": channel, "text": text, "thread_ts": thread_ts})


@APP.tool
def update_message(channel: ChannelId, ts: Ts, text: Annotated[str, Meta(min_length=1)]) -> Call:
    """Change a message that you wrote."""
    return Call("POST", "/api/chat.update", form={"channel": channel, "ts": ts, "text": text})


@APP.tool
def delete_message(channel: ChannelId, ts: Ts) -> Call:
    """Delete a message that you wrote."""
    return Call("POST", "/api/chat.delete", form={"channel": channel, "ts": ts})


@APP.tool
def add_reaction(
    channel: ChannelId, ts: Ts, name: Annotated[str, Meta(description="Such as white_check_mark.")]
) -> Call:
    """Put an emoji on a message."""
    return Call("POST", "/api/reactions.add", form={"channel": channel, "timestamp": ts, "name": name})


@APP.tool
def open_direct(user: Annotated[str, Meta(description="The id of the member.")]) -> Call:
    """Open the direct channel with a member."""
    return Call("POST", "/api/conversations.open", form={"users": user})


@APP.tool
def read_file(file_id: str, name: str) -> Call:
    """Read a text file that was shared."""
    return Call("GET", f"/files-pri/{file_id}/{name}", host="files")
