"""A desk before its first ticket: colleagues with their groups, and the macros, triggers and views of the material."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import msgspec

from diorama.apps.zendesk import rules as desk_rules
from diorama.apps.zendesk import seed
from diorama.apps.zendesk.rules import users
from diorama.apps.zendesk.rules.account import default_locale, time_zone_name
from diorama.apps.zendesk.rules.time_zones import iana_name
from diorama.apps.zendesk.schema import Group, GroupMembership, Identity, Macro, Session, TicketField, Trigger, User
from diorama.kernel import Tx, to_us
from diorama.people.grammar import WORD
from diorama.worlds.book import Book
from diorama.worlds.closing import ClosingForm
from diorama.worlds.team import Colleague


class Helpdesk(msgspec.Struct, frozen=True):
    """What a history needs of the desk: groups, colleagues, fields, macros and triggers."""

    groups: dict[str, Group]
    staff: dict[str, User]
    order_field: TicketField
    product_field: TicketField
    products: tuple[str, ...]
    """What can be chosen in the product field."""
    standard: seed.Standard
    macros: dict[str, Macro]
    triggers: tuple[Trigger, ...]
    """Those that sort what comes in, first to last: by VIP tag or by words."""
    form: ClosingForm
    closing: dict[str, TicketField]
    """The fields of the closing form, by key."""

    def routed(self, text: str, tags: Sequence[str]) -> tuple[seed.Fired, ...]:
        """Return what the desk's triggers did to a new ticket: the first word that fits brings it into a group."""
        words, fired = set(WORD.findall(text.lower())), list[seed.Fired]()
        sorted_in = False
        for trigger in self.triggers:
            test, deed = trigger.conditions.all[-1], trigger.actions[0]
            if deed.field == "priority":
                if "vip" in tags:
                    fired.append(seed.Fired(trigger, {"priority": deed.value}))
            elif not sorted_in and words & set(str(test.value).split()):
                sorted_in = True
                fired.append(seed.Fired(trigger, {"group_id": int(deed.value)}))
        return tuple(fired)


@contextmanager
def backdated(tx: Tx, moment: datetime) -> Iterator[None]:
    """Set the clock to a past moment inside the block."""
    now_us, tx.now_us = tx.now_us, to_us(moment)
    try:
        yield
    finally:
        tx.now_us = now_us


def add_colleague(tx: Tx, who: Colleague, groups: Mapping[str, Group], signed: str) -> User:
    """Add a colleague as an agent of the desk and a member of their groups; `signed` stands below their name."""
    email, home, zone = who.email, groups[who.groups[0]], time_zone_name(tx)
    dice = tx.dice("first day", email)
    since = who.since + timedelta(minutes=dice.integer(2, 90), seconds=dice.integer(1, 59))
    user = tx.add(
        User(
            name=who.name,
            email=email,
            time_zone=zone,
            iana_time_zone=iana_name(zone),
            locale=default_locale(tx),
            role="admin" if who.role != "agent" else "agent",
            default_group_id=home.id,
            created_at=since,
            updated_at=since,
            last_login_at=desk_rules.now(tx) - timedelta(seconds=tx.dice("login", email).integer(1_200, 12_000)),
            verified=True,
            signature=f"{who.name}\n{signed}",
            photo=seed.photo(tx, email),
        )
    )
    tx.add(Identity(user_id=user.id, value=email, primary=True, verified=True, created_at=since, updated_at=since))
    for name in ("Support", *who.groups):
        group = groups[name]
        member = GroupMembership(
            user_id=user.id, group_id=group.id, default=group.id == home.id, created_at=since, updated_at=since
        )
        tx.add(member)
    return user


def add_macros(tx: Tx, book: Book) -> dict[str, Macro]:
    """Add the macros of `rules.toml`; return them by title."""
    macros = dict[str, Macro]()
    for macro in book.macros:
        then: list[tuple[str, Any]] = [("current_tags", macro.tags), ("status", macro.status)]
        if macro.text:
            then.append(("comment_value", macro.text))
        macros[macro.title] = seed.add_macro(tx, macro.title, then)
    return macros


def add_routing(tx: Tx, book: Book, groups: Mapping[str, Group]) -> tuple[Trigger, ...]:
    """Add the triggers of `rules.toml`, which put new tickets into groups by their words."""
    return tuple(
        seed.add_trigger(
            tx,
            trigger["title"],
            [
                ("update_type", "is", "Create"),
                ("group_id", "is", ""),
                ("comment_includes_word", "includes", trigger["words"]),
            ],
            [("group_id", str(groups[trigger["group"]].id))],
        )
        for trigger in book.load("rules")["triggers"]
    )


def add_views(tx: Tx, book: Book, groups: Mapping[str, Group]) -> None:
    """Add the views of `rules.toml`: unsolved tickets of a group, or with a tag."""
    unsolved = ("status", "less_than", "solved")
    for view in book.load("rules")["views"]:
        if "group" in view:
            seed.add_view(tx, view["title"], [unsolved, ("group_id", "is", str(groups[view["group"]].id))])
        else:
            seed.add_view(tx, view["title"], [unsolved, ("current_tags", "includes", view["tag"])])


def open_sessions(tx: Tx, staff: Mapping[str, User]) -> None:
    """Let every colleague answer for the brand and be signed in."""
    for user in staff.values():
        users.add_brand_agents(tx, user)
        since = user.last_login_at or user.created_at
        tx.add(Session(user_id=user.id, authenticated_at=since, last_seen_at=since))
