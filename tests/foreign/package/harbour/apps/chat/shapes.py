"""What Chat's replies look like."""

from typing import Literal

import msgspec
from diorama.kernel import Tx

from harbour.apps.chat.schema import APP, Channel, File, Member, Message, Reaction


class Done(msgspec.Struct):
    """Nothing but a yes."""

    ok: bool = True


class ReactionShape(msgspec.Struct):
    """An emoji, and who put it there."""

    name: str
    users: list[str]
    count: int


class FileShape(msgspec.Struct):
    """A file; its bytes are at the files host."""

    id: str
    name: str
    mimetype: str
    size: int
    user: str
    url_private: str


class MessageShape(msgspec.Struct, omit_defaults=True):
    """A message."""

    user: str
    ts: str
    text: str
    type: Literal["message"] | msgspec.UnsetType = msgspec.UNSET
    thread_ts: str = ""
    reply_count: int = 0
    latest_reply: str = ""
    reactions: list[ReactionShape] = []
    files: list[FileShape] = []


class ChannelShape(msgspec.Struct):
    """A channel."""

    id: str
    name: str
    is_private: bool
    is_im: bool
    topic: str
    num_members: int


class MemberShape(msgspec.Struct):
    """A person or a bot."""

    id: str
    name: str
    real_name: str
    title: str
    email: str
    is_bot: bool


class Metadata(msgspec.Struct):
    """Where the next page begins; "" on the last one."""

    next_cursor: str = ""


class Identity(msgspec.Struct):
    """Who asks."""

    url: str
    user: str
    user_id: str
    is_bot: bool
    ok: bool = True


class NewToken(msgspec.Struct):
    """A token, shown once."""

    token_type: str
    token: str
    ok: bool = True


class Members(msgspec.Struct):
    """Members of the team."""

    members: list[MemberShape]
    response_metadata: Metadata
    ok: bool = True


class Channels(msgspec.Struct):
    """Channels."""

    channels: list[ChannelShape]
    response_metadata: Metadata
    ok: bool = True


class OneChannel(msgspec.Struct):
    """A channel."""

    channel: ChannelShape
    ok: bool = True


class Messages(msgspec.Struct):
    """Messages of a channel or a thread."""

    messages: list[MessageShape]
    has_more: bool
    response_metadata: Metadata
    ok: bool = True


class Posted(msgspec.Struct):
    """A message that was written or changed."""

    channel: str
    ts: str
    message: MessageShape
    ok: bool = True


class Deleted(msgspec.Struct):
    """A message that is gone."""

    channel: str
    ts: str
    ok: bool = True


class Match(msgspec.Struct):
    """A message that was found, and where."""

    channel: ChannelShape
    user: str
    username: str
    ts: str
    text: str
    permalink: str


class Matches(msgspec.Struct):
    """One page of messages that were found."""

    total: int
    page: int
    matches: list[Match]


class Found(msgspec.Struct):
    """What a search found."""

    query: str
    messages: Matches
    ok: bool = True


class UploadUrl(msgspec.Struct):
    """Where the bytes of an announced file go."""

    upload_url: str
    file_id: str
    ok: bool = True


class Files(msgspec.Struct):
    """Files that were shared."""

    files: list[FileShape]
    ok: bool = True


class OneFile(msgspec.Struct):
    """A file."""

    file: FileShape
    ok: bool = True


def file_shape(file: File) -> FileShape:
    """Return a file as the API shows it."""
    url = f"https://{APP.here('files')}/files-pri/{file.id}/{file.name}"
    return FileShape(file.id, file.name, file.mimetype, file.length, file.owner, url)


def message_shape(tx: Tx, message: Message) -> MessageShape:
    """Return a message as the API shows it."""
    emojis: dict[str, list[str]] = {}
    for reaction in tx.all(Reaction, "message = ?", message.id):
        emojis.setdefault(reaction.name, []).append(reaction.member)
    file = tx.find(File, message.file) if message.file else None
    return MessageShape(
        user=message.author,
        ts=message.ts,
        text=message.text,
        type="message",
        thread_ts=message.thread_ts or (message.ts if message.reply_count else ""),
        reply_count=message.reply_count,
        latest_reply=message.latest_reply,
        reactions=[ReactionShape(name, users, len(users)) for name, users in emojis.items()],
        files=[file_shape(file)] if file is not None else [],
    )


def channel_shape(tx: Tx, channel: Channel) -> ChannelShape:
    """Return a channel as the API shows it."""
    members = tx.rows("SELECT count(*) FROM chat_memberships WHERE channel = ?", channel.id)[0][0]
    return ChannelShape(
        channel.id, channel.name, channel.kind != "public", channel.kind == "direct", channel.topic, members
    )


def member_shape(member: Member) -> MemberShape:
    """Return a member as the API shows them."""
    return MemberShape(member.id, member.name, member.real_name, member.title, member.email, member.role == "bot")
