"""What people and bots can do in Chat, whom a message wakes, and which hooks it calls."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec
from diorama.kernel import Tx, Wake, counter
from diorama.kit import webhooks

from harbour.apps.chat.schema import (
    APP,
    GRANTS,
    Channel,
    File,
    HookCall,
    IncomingHook,
    Member,
    Membership,
    Message,
    MessagePosted,
    OutgoingHook,
    Reaction,
    Token,
    no,
)

APP.needs(webhooks.COURIER)
LONGEST = 4_000
SHOWN = 200
"""How much of a message a notification shows."""


# --- who asks, and what they may see


@APP.role("member")
def caller(tx: Tx) -> Member:
    """Return the member who asks: a person by address, or the team's bot if a bot token was shown."""
    bot = tx.actor.seat == "bot"
    me = tx.first(Member, "role = 'bot'") if bot else tx.first(Member, "email = ? AND email <> ''", tx.actor.name)
    if me is None:
        raise no("user_not_found" if not bot else "no_bot_installed")
    return me


@APP.role("user")
def user(tx: Tx) -> Member:
    """Return the person who asks; a bot token is not enough."""
    if tx.actor.seat == "bot":
        raise no("not_allowed_token_type")
    return caller(tx)


@GRANTS.holder
def holder(tx: Tx, token: str) -> tuple[str, str, str] | None:
    """Return the member of a token, the id of its row and its kind."""
    found = tx.first(Token, "token = ?", token)
    return None if found is None else (found.email, str(found.id), found.kind)


def make_token(tx: Tx, me: Member, kind: Any) -> Token:
    """Make a token for a program."""
    if kind not in GRANTS.forms:
        raise no("invalid_token_type")
    return tx.add(Token(token=GRANTS.mint(tx, "token", tx.count(Token), kind), kind=kind, email=me.email))


def is_in(tx: Tx, channel: str, member: str) -> bool:
    """Return whether a member is in a channel."""
    return tx.first(Membership, "channel = ? AND member = ?", channel, member) is not None


def readable(tx: Tx, channel_id: str, me: Member) -> Channel:
    """Return a channel that the member may read: people read every public one, bots only those that they are in."""
    channel = tx.get(Channel, channel_id)
    if not is_in(tx, channel.id, me.id):
        if channel.kind != "public":
            raise no("channel_not_found")
        if me.role == "bot":
            raise no("not_in_channel")
    return channel


def writable(tx: Tx, channel_id: str, me: Member) -> Channel:
    """Return a channel that the member is in."""
    channel = readable(tx, channel_id, me)
    if not is_in(tx, channel.id, me.id):
        raise no("not_in_channel")
    return channel


def message_at(tx: Tx, channel: Channel, ts: str) -> Message:
    """Return a message by its name on the wire."""
    found = tx.first(Message, "ts = ? AND channel = ?", ts, channel.id)
    if found is None:
        raise no("message_not_found")
    return found


# --- writing


def post(
    tx: Tx, me: Member, channel_id: str, text: str, thread_ts: str = "", file: str = "", at: datetime | None = None
) -> Message:
    """Write a message; `at` is for histories."""
    channel = writable(tx, channel_id, me)
    if not text.strip() and not file:
        raise no("no_text")
    if len(text) > LONGEST:
        raise no("msg_too_long")
    moment = at or tx.now
    ts = f"{int(moment.timestamp())}.{tx.mint('chat_ts', counter(100)):06d}"
    if thread_ts:
        first = tx.first(Message, "ts = ? AND channel = ? AND thread_ts = ''", thread_ts, channel.id)
        if first is None:
            raise no("thread_not_found")
        tx.change(first, reply_count=first.reply_count + 1, latest_reply=ts)
    message = Message(channel=channel.id, author=me.id, ts=ts, text=text, at=moment, thread_ts=thread_ts, file=file)
    made = tx.add(message)
    if at is None:
        tx.emit(MessagePosted(message=made.id, channel=channel.id, author=me.email))
    return made


def edit(tx: Tx, me: Member, channel_id: str, ts: str, text: str) -> Message:
    """Change a message of the member."""
    message = own(tx, me, channel_id, ts, "cant_update_message")
    if not text.strip():
        raise no("no_text")
    if len(text) > LONGEST:
        raise no("msg_too_long")
    return tx.change(message, text=text, edited_at=tx.now)


def delete(tx: Tx, me: Member, channel_id: str, ts: str) -> None:
    """Delete a message of the member; the first one of a thread stays."""
    message = own(tx, me, channel_id, ts, "cant_delete_message")
    if message.reply_count:
        raise no("cant_delete_message")
    for reaction in tx.all(Reaction, "message = ?", message.id):
        tx.remove(reaction)
    if message.thread_ts:
        first = message_at(tx, tx.get(Channel, message.channel), message.thread_ts)
        tx.change(first, reply_count=first.reply_count - 1)
    tx.remove(message)


def own(tx: Tx, me: Member, channel_id: str, ts: str, otherwise: str) -> Message:
    """Return a message of the member, or refuse."""
    message = message_at(tx, readable(tx, channel_id, me), ts)
    if message.author != me.id:
        raise no(otherwise)
    return message


def react(tx: Tx, me: Member, channel_id: str, ts: str, name: str) -> Reaction:
    """Put an emoji on a message."""
    message = message_at(tx, readable(tx, channel_id, me), ts)
    emoji = name.strip(":")
    if not emoji or not emoji.replace("_", "").replace("-", "").replace("+", "").isalnum() or len(emoji) > 100:
        raise no("invalid_name")
    if tx.first(Reaction, "message = ? AND member = ? AND name = ?", message.id, me.id, emoji):
        raise no("already_reacted")
    return tx.add(Reaction(message=message.id, member=me.id, name=emoji))


def mark(tx: Tx, me: Member, channel_id: str, ts: str) -> Membership:
    """Say how far one has read."""
    channel = writable(tx, channel_id, me)
    message_at(tx, channel, ts)
    membership = tx.first(Membership, "channel = ? AND member = ?", channel.id, me.id)
    if membership is None:
        raise no("not_in_channel")
    return tx.change(membership, last_read=ts)


def join(tx: Tx, me: Member, channel_id: str) -> Channel:
    """Enter a public channel."""
    channel = tx.get(Channel, channel_id)
    if channel.kind != "public":
        raise no("channel_not_found")
    if not is_in(tx, channel.id, me.id):
        tx.add(Membership(channel=channel.id, member=me.id))
    return channel


def open_direct(tx: Tx, me: Member, other_id: str) -> Channel:
    """Return the direct channel of two members; open it if there is none."""
    other = tx.find(Member, other_id)
    if other is None or other.id == me.id:
        raise no("user_not_found")
    rows = tx.rows(
        "SELECT c.id FROM chat_channels c JOIN chat_memberships a ON a.channel = c.id JOIN chat_memberships b "
        "ON b.channel = c.id WHERE c.kind = 'direct' AND a.member = ? AND b.member = ?",
        me.id,
        other.id,
    )
    if rows:
        return tx.get(Channel, rows[0][0])
    return add_channel(tx, "", "direct", [me, other])


def add_channel(tx: Tx, name: str, kind: Any, members: list[Member], topic: str = "") -> Channel:
    """Add a channel with its members."""
    channel = tx.add(Channel(name=name, kind=kind, topic=topic, created_at=tx.now))
    for member in members:
        tx.add(Membership(channel=channel.id, member=member.id))
    return channel


# --- files


def announce(tx: Tx, me: Member, name: str, length: int) -> File:
    """Say that a file will come."""
    if not name.strip() or len(name) > 200 or not 0 < length <= APP.max_body:
        raise no("invalid_arguments")
    kind = {"txt": "text/plain", "csv": "text/csv", "pdf": "application/pdf"}.get(name.rpartition(".")[2].lower())
    mimetype = kind or "application/octet-stream"
    return tx.add(File(name=name, mimetype=mimetype, length=length, owner=me.id, created_at=tx.now))


def upload(tx: Tx, me: Member, file_id: str, content: bytes) -> File:
    """Take the bytes of a file that was announced."""
    file = tx.get(File, file_id)
    if file.owner != me.id or file.state == "shared":
        raise no("file_not_found")
    if len(content) != file.length:
        raise no("length_mismatch")
    return tx.change(file, content=content, state="uploaded")


def share(tx: Tx, me: Member, file_id: str, channel_id: str, comment: str = "", thread_ts: str = "") -> Message:
    """Show an uploaded file in a channel."""
    file = tx.get(File, file_id)
    if file.owner != me.id or file.state != "uploaded":
        raise no("file_not_found")
    message = post(tx, me, channel_id, comment, thread_ts, file.id)
    tx.change(file, state="shared", channel=channel_id)
    return message


def readable_file(tx: Tx, me: Member, file_id: str) -> File:
    """Return a file that the member owns, or that was shared in a channel they may read."""
    file = tx.get(File, file_id)
    if file.owner != me.id:
        if not file.channel:
            raise no("file_not_found")
        readable(tx, file.channel, me)
    return file


# --- hooks


def post_by_hook(tx: Tx, hook_id: str, secret: str, text: str) -> Message:
    """Write what a program sent to an incoming hook."""
    hook = tx.find(IncomingHook, hook_id)
    if hook is None or hook.secret != secret:
        raise no("invalid_token")
    return post(tx, tx.get(Member, hook.author), hook.channel, text)


@APP.on(MessagePosted)
def call_hooks(tx: Tx, notice: MessagePosted) -> None:
    """Call the outgoing hooks whose word a person's message begins with."""
    message = tx.get(Message, notice.message)
    for hook in tx.all(OutgoingHook, "channel = ?", notice.channel) if notice.author else ():
        word, _, rest = message.text.partition(" ")
        if word == hook.word and rest.strip():
            body = _filled(hook.body, {"{text}": rest.strip(), "{email}": notice.author})
            headers = {"content-type": "application/json", **hook.headers}
            sent = webhooks.post(
                tx, APP.name, "hook", hook.url, msgspec.json.encode(body).decode(), headers, retries=()
            )
            tx.add(HookCall(hook=hook.id, message=message.id, delivery=sent.id))


@APP.on(webhooks.Delivered)
def hook_answered(tx: Tx, notice: webhooks.Delivered) -> None:
    """Write into the thread that a hook worked."""
    _tell(tx, notice.app, notice.delivery, "")


@APP.on(webhooks.DeliveryFailed)
def hook_failed(tx: Tx, notice: webhooks.DeliveryFailed) -> None:
    """Write into the thread that a hook failed."""
    _tell(tx, notice.app, notice.delivery, f"The hook failed with status {notice.status or 'unknown'}.")


def _tell(tx: Tx, app: str, delivery: int, failure: str) -> None:
    call = tx.first(HookCall, "delivery = ?", delivery) if app == APP.name else None
    message = tx.find(Message, call.message) if call is not None else None
    if call is not None and message is not None:
        hook = tx.get(OutgoingHook, call.hook)
        text = failure or hook.answer
        post(tx, tx.get(Member, hook.author), message.channel, text, message.thread_ts or message.ts)


def _filled(value: Any, words: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {name: _filled(one, words) for name, one in value.items()}
    return words.get(value, value) if isinstance(value, str) else value


# --- attention


@APP.wakes(MessagePosted)
def woken(tx: Tx, notice: MessagePosted) -> Iterator[Wake]:
    """Wake the people in the channel whom a message concerns.

    These are all members of a direct channel, the people whom the text mentions, and those who wrote in the thread;
    never the author, and no one outside the channel.
    """
    message, channel = tx.get(Message, notice.message), tx.get(Channel, notice.channel)
    thread = (
        tx.all(Message, "ts = ? OR thread_ts = ?", message.thread_ts, message.thread_ts) if message.thread_ts else []
    )
    wrote = {one.author for one in thread}
    author = tx.get(Member, message.author)
    for membership in tx.all(Membership, "channel = ?", channel.id):
        member = tx.get(Member, membership.member)
        concerned = channel.kind == "direct" or f"<@{member.id}>" in message.text or member.id in wrote
        if member.email and member.id != author.id and concerned:
            where = f"#{channel.name}" if channel.name else "a direct message"
            text = f"{author.real_name} in {where}: {message.text[:SHOWN]}"
            data = {"channel": channel.id, "ts": message.ts, "thread_ts": message.thread_ts or message.ts}
            yield Wake(member.email, type(notice).__name__, text, data)


def post_as(tx: Tx, email: str, channel_id: str, text: str, thread_ts: str = "") -> Message:
    """Write a message as a given member, for links and staging."""
    author = tx.first(Member, "email = ?", email)
    if author is None:
        raise no("user_not_found")
    return post(tx, author, channel_id, text, thread_ts)


@APP.command
def write_later(tx: Tx, email: str, channel_id: str, text: str) -> None:
    """Write a message as a member; worlds and scenarios schedule it."""
    post_as(tx, email, channel_id, text)
