"""A team as Chat has it: members, channels, and what was said in the last weeks."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from diorama.kernel import Tx

from harbour.apps.chat import rules
from harbour.apps.chat.schema import APP, Channel, IncomingHook, Member


def add_person(tx: Tx, email: str, real_name: str, title: str = "", owner: bool = False) -> Member:
    """Add a person; the handle is the part of the address before the @."""
    name = email.partition("@")[0].replace(".", "")
    return tx.add(Member(name=name, real_name=real_name, email=email, title=title, role="owner" if owner else "member"))


def add_bot(tx: Tx, name: str, real_name: str) -> Member:
    """Add a bot."""
    return tx.add(Member(name=name, real_name=real_name, role="bot"))


def add_channels(tx: Tx, channels: Mapping[str, Sequence[Member]], private: Sequence[str] = ()) -> dict[str, Channel]:
    """Add named channels with their members."""
    return {
        name: rules.add_channel(tx, name, "private" if name in private else "public", list(members))
        for name, members in channels.items()
    }


def say(tx: Tx, author: Member, channel: Channel, text: str, at: datetime) -> None:
    """Add a message of the past; it wakes no one."""
    rules.post(tx, author, channel.id, text, at=at)


def add_incoming_hook(tx: Tx, channel: Channel, author: Member) -> str:
    """Add an incoming hook; return its URL."""
    secret = tx.dice("chat hook", channel.id).hex(24)
    hook = tx.add(IncomingHook(secret=secret, channel=channel.id, author=author.id))
    return f"https://{APP.of(tx).host}/services/{hook.id}/{secret}"
