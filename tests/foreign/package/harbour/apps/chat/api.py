"""The API of Chat: one method per path; arguments come from a form, JSON or the query; the rules do the work."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeVar

import msgspec
from diorama.kernel import Record, Reply, Tx
from diorama.kit import Caller, Field, Form, JsonField, Upload
from diorama.kit import File as FilePart
from diorama.kit.paging import BadCursor, Cursor, by, window
from msgspec import Meta

from harbour.apps.chat import rules, search, shapes
from harbour.apps.chat.schema import APP, Channel, Member, Message, no

F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R", bound=Record)
Me = Annotated[Member, Caller()]
ChannelId = Annotated[str, Field("channel")]
Ts = Annotated[str, Field()]
Limit = Annotated[int, Field(), Meta(ge=1, le=200)]
OLDEST, NEWEST = by("id"), by("id", descending=True)


def reads(path: str, **options: Any) -> Callable[[F], F]:
    """Declare a method that only reads: clients of this vendor send it as GET or as POST."""

    def declare(handler: F) -> F:
        APP.get(path, **options)(handler)
        return APP.post(path, name=f"{handler.__name__}_by_post", **options)(handler)

    return declare


def page(
    tx: Tx, record: type[R], where: str, args: Sequence[Any], order: Any, size: int, cursor: str
) -> tuple[list[R], shapes.Metadata]:
    """Return one page of records, and where the next one begins."""
    try:
        found = window(tx, record, where, args, order, Cursor(size, after=cursor))
    except BadCursor:
        raise no("invalid_cursor") from None
    return found.items, shapes.Metadata((found.last or "") if found.has_more else "")


@reads("/api/auth.test", role="member")
def auth_test(tx: Tx, me: Me) -> shapes.Identity:
    """Say who asks."""
    return shapes.Identity(f"https://{APP.here()}/", me.name, me.id, me.role == "bot")


@APP.post("/api/apps.tokens.create", role="user")
def make_token(tx: Tx, me: Me, kind: Annotated[str, Field("token_type")] = "user") -> shapes.NewToken:
    """Make a token of the caller's own, or of the team's bot, for a program."""
    made = rules.make_token(tx, me, kind)
    return shapes.NewToken(made.kind, made.token)


@reads("/api/users.list", role="member")
def list_users(tx: Tx, limit: Limit = 100, cursor: Annotated[str, Field()] = "") -> shapes.Members:
    """List the members of the team."""
    found, more = page(tx, Member, "", (), OLDEST, limit, cursor)
    return shapes.Members([shapes.member_shape(one) for one in found], more)


VISIBLE = "(kind = 'public' OR id IN (SELECT channel FROM chat_memberships WHERE member = ?))"


@reads("/api/conversations.list", role="member")
def list_conversations(tx: Tx, me: Me, limit: Limit = 100, cursor: Annotated[str, Field()] = "") -> shapes.Channels:
    """List the public channels, and the private and direct ones that the caller is in."""
    found, more = page(tx, Channel, VISIBLE, (me.id,), OLDEST, limit, cursor)
    return shapes.Channels([shapes.channel_shape(tx, one) for one in found], more)


@reads("/api/conversations.info", role="member")
def show_conversation(tx: Tx, me: Me, channel: ChannelId) -> shapes.OneChannel:
    """Show one channel."""
    return shapes.OneChannel(shapes.channel_shape(tx, rules.readable(tx, channel, me)))


@reads("/api/conversations.history", role="member")
def list_history(
    tx: Tx, me: Me, channel: ChannelId, limit: Limit = 50, cursor: Annotated[str, Field()] = ""
) -> shapes.Messages:
    """List the messages of a channel without replies, the newest first."""
    found = rules.readable(tx, channel, me)
    messages, more = page(tx, Message, "channel = ? AND thread_ts = ''", (found.id,), NEWEST, limit, cursor)
    return shapes.Messages([shapes.message_shape(tx, one) for one in messages], bool(more.next_cursor), more)


@reads("/api/conversations.replies", role="member")
def list_replies(
    tx: Tx, me: Me, channel: ChannelId, ts: Ts, limit: Limit = 100, cursor: Annotated[str, Field()] = ""
) -> shapes.Messages:
    """List a thread, the first message first."""
    first = rules.message_at(tx, rules.readable(tx, channel, me), ts)
    where, args = "channel = ? AND (ts = ? OR thread_ts = ?)", (first.channel, first.ts, first.ts)
    messages, more = page(tx, Message, where, args, OLDEST, limit, cursor)
    return shapes.Messages([shapes.message_shape(tx, one) for one in messages], bool(more.next_cursor), more)


@APP.post("/api/conversations.open", role="member")
def open_conversation(tx: Tx, me: Me, users: Annotated[str, Field()]) -> shapes.OneChannel:
    """Open the direct channel with one member."""
    return shapes.OneChannel(shapes.channel_shape(tx, rules.open_direct(tx, me, users)))


@APP.post("/api/conversations.join", role="member")
def join_conversation(tx: Tx, me: Me, channel: ChannelId) -> shapes.OneChannel:
    """Enter a public channel."""
    return shapes.OneChannel(shapes.channel_shape(tx, rules.join(tx, me, channel)))


@APP.post("/api/conversations.mark", role="user")
def mark_conversation(tx: Tx, me: Me, channel: ChannelId, ts: Ts) -> shapes.Done:
    """Say how far the caller has read; bots do not read."""
    rules.mark(tx, me, channel, ts)
    return shapes.Done()


@APP.post("/api/chat.postMessage", role="member")
def post_message(
    tx: Tx,
    me: Me,
    channel: ChannelId,
    text: Annotated[str, Field()] = "",
    thread_ts: Annotated[str, Field()] = "",
) -> shapes.Posted:
    """Write a message, or a reply in a thread."""
    made = rules.post(tx, me, channel, text, thread_ts)
    return shapes.Posted(made.channel, made.ts, shapes.message_shape(tx, made))


@APP.post("/api/chat.update", role="member")
def update_message(tx: Tx, me: Me, channel: ChannelId, ts: Ts, text: Annotated[str, Field()]) -> shapes.Posted:
    """Change one of the caller's own messages."""
    made = rules.edit(tx, me, channel, ts, text)
    return shapes.Posted(made.channel, made.ts, shapes.message_shape(tx, made))


@APP.post("/api/chat.delete", role="member")
def delete_message(tx: Tx, me: Me, channel: ChannelId, ts: Ts) -> shapes.Deleted:
    """Delete one of the caller's own messages."""
    rules.delete(tx, me, channel, ts)
    return shapes.Deleted(channel, ts)


@APP.post("/api/reactions.add", role="member")
def add_reaction(
    tx: Tx, me: Me, channel: ChannelId, timestamp: Annotated[str, Field()], name: Annotated[str, Field()]
) -> shapes.Done:
    """Put an emoji on a message."""
    rules.react(tx, me, channel, timestamp, name)
    return shapes.Done()


@reads("/api/search.messages", role="user")
def search_messages(
    tx: Tx,
    me: Me,
    query: Annotated[str, Field()],
    count: Annotated[int, Field(), Meta(ge=1, le=100)] = 20,
    number: Annotated[int, Field("page"), Meta(ge=1, le=100)] = 1,
) -> shapes.Found:
    """Search the messages that the caller may read; bots may not search."""
    if not query.strip():
        raise no("no_query")
    total, found = search.find(tx, me, query, count, number)
    return shapes.Found(query, shapes.Matches(total, number, [_match(tx, one) for one in found]))


def _match(tx: Tx, message: Message) -> shapes.Match:
    channel, author = tx.get(Channel, message.channel), tx.get(Member, message.author)
    link = f"https://{APP.here()}/archives/{channel.id}/p{message.ts.replace('.', '')}"
    shown = shapes.channel_shape(tx, channel)
    return shapes.Match(shown, author.id, author.name, message.ts, message.text, link)


# --- files: announced and shared at the main host, sent and read at the files host


@APP.post("/api/files.getUploadURLExternal", role="member")
def announce_file(
    tx: Tx, me: Me, filename: Annotated[str, Field()], length: Annotated[int, Field()]
) -> shapes.UploadUrl:
    """Return the URL to which the bytes of a file must be sent."""
    file = rules.announce(tx, me, filename, length)
    return shapes.UploadUrl(f"https://{APP.here('files')}/upload/v1/{file.id}", file.id)


@APP.post("/upload/v1/{file_id}", host="files", role="member")
def receive_file(tx: Tx, me: Me, file_id: str, body: bytes) -> Reply:
    """Take the bytes of an announced file."""
    file = rules.upload(tx, me, file_id, body)
    return Reply(200, {"content-type": "text/plain; charset=utf-8"}, f"OK - {file.length}".encode())


class ToShare(msgspec.Struct):
    """A file to share."""

    id: str


@APP.post("/api/files.completeUploadExternal", role="member")
def share_files(
    tx: Tx,
    me: Me,
    files: Annotated[list[ToShare], JsonField()],
    channel: Annotated[str, Field("channel_id")],
    comment: Annotated[str, Field("initial_comment")] = "",
    thread_ts: Annotated[str, Field()] = "",
) -> shapes.Files:
    """Show uploaded files in a channel."""
    if not 1 <= len(files) <= 10:
        raise no("invalid_arguments")
    for one in files:
        rules.share(tx, me, one.id, channel, comment, thread_ts)
    return shapes.Files([shapes.file_shape(rules.readable_file(tx, me, one.id)) for one in files])


@APP.post("/api/files.upload", role="member")
def upload_file(
    tx: Tx,
    me: Me,
    file: Annotated[Upload, FilePart()],
    channels: Annotated[str, Form()],
    initial_comment: Annotated[str, Form()] = "",
) -> shapes.OneFile:
    """Send and share a file in one multipart form."""
    made = rules.announce(tx, me, file.filename, len(file.content))
    rules.upload(tx, me, made.id, file.content)
    rules.share(tx, me, made.id, channels, initial_comment)
    return shapes.OneFile(shapes.file_shape(made))


@reads("/api/files.info", role="member")
def show_file(tx: Tx, me: Me, file: Annotated[str, Field()]) -> shapes.OneFile:
    """Show where a file is."""
    return shapes.OneFile(shapes.file_shape(rules.readable_file(tx, me, file)))


@APP.get("/files-pri/{file_id}/{name}", host="files", role="member")
def read_file(tx: Tx, me: Me, file_id: str, name: str) -> Reply:
    """Send the bytes of a file."""
    file = rules.readable_file(tx, me, file_id)
    if file.state == "announced" or file.name != name:
        raise no("file_not_found")
    return Reply(200, {"content-type": file.mimetype}, file.content)


# --- hooks


class HookMessage(msgspec.Struct):
    """What a program posts."""

    text: str


@APP.post("/services/{hook_id}/{secret}", public=True)
def post_by_hook(tx: Tx, hook_id: str, secret: str, message: HookMessage) -> Reply:
    """Write a message for a program that knows the URL."""
    rules.post_by_hook(tx, hook_id, secret, message.text)
    return Reply(200, {"content-type": "text/plain; charset=utf-8"}, b"ok")
