"""Larkspur's desk before the first ticket: groups, colleagues, fields, macros, triggers and views."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import msgspec

from diorama.apps.zendesk import rules as desk_rules
from diorama.apps.zendesk import seed
from diorama.apps.zendesk.schema import Group, GroupMembership, Identity, TicketField, User
from diorama.kernel import Tx, to_us
from diorama.people.material import load
from diorama.worlds.larkspur.company import AT_THE_DESK, FOUNDED, GROUPS, NAME, SUPPORT
from diorama.worlds.larkspur.topics import MATERIAL

PRODUCTS = (
    "Lark Compact",
    "Aria",
    "Aria Plus",
    "Calla",
    "Duet",
    "Tern Lever",
    "Atelier 2",
    "Finch Grinder",
    "Heron 64",
    "Coffee",
)


class Helpdesk(msgspec.Struct, frozen=True):
    """The desk's fixtures, by name."""

    groups: dict[str, Group]
    staff: dict[str, User]
    order_field: TicketField
    product_field: TicketField
    standard: seed.Standard


@contextmanager
def backdated(tx: Tx, moment: datetime) -> Iterator[None]:
    """Whatever happens inside happened at that moment."""
    now_us, tx.now_us = tx.now_us, to_us(moment)
    try:
        yield
    finally:
        tx.now_us = now_us


def add_helpdesk(tx: Tx) -> Helpdesk:
    """The account as it was set up when the company began, and what was added since."""
    with backdated(tx, FOUNDED):
        everybody = seed.set_up(tx, NAME, SUPPORT)
        groups = {"Support": everybody}
        for name, description in GROUPS.items():
            groups[name] = desk_rules.add_group(tx, name=name, description=description)
        order_field = seed.add_field(tx, "Order number", visible=True)
        options = [(product, product.lower().replace(" ", "_")) for product in PRODUCTS]
        product_field = seed.add_field(tx, "Product", "tagger", options, visible=True)
        _rules(tx, groups)
    staff = {colleague.email: _colleague(tx, colleague.email, groups) for colleague in AT_THE_DESK}
    return Helpdesk(groups, staff, order_field, product_field, seed.standard(tx))


def _colleague(tx: Tx, email: str, groups: dict[str, Group]) -> User:
    who = next(one for one in AT_THE_DESK if one.email == email)
    home = groups[who.groups[0]]
    user = tx.add(
        User(
            name=who.name,
            email=email,
            role="admin" if who.role != "agent" else "agent",
            default_group_id=home.id,
            created_at=who.since,
            updated_at=who.since,
            verified=True,
            signature=f"{who.name}\n{NAME}",
        )
    )
    tx.add(
        Identity(user_id=user.id, value=email, primary=True, verified=True, created_at=who.since, updated_at=who.since)
    )
    for name in ("Support", *who.groups):
        group = groups[name]
        member = GroupMembership(
            user_id=user.id, group_id=group.id, default=group.id == home.id, created_at=who.since, updated_at=who.since
        )
        tx.add(member)
    return user


def _rules(tx: Tx, groups: dict[str, Group]) -> None:
    raw = load("rules", MATERIAL)
    for macro in raw["macros"]:
        then: list[tuple[str, Any]] = [("current_tags", macro["tags"]), ("status", macro["status"])]
        if macro["text"]:
            then.append(("comment_value", macro["text"]))
        seed.add_macro(tx, macro["title"], then)
    seed.add_trigger(
        tx,
        "VIP: nobody waits",
        [("update_type", "is", "Create"), ("current_tags", "includes", "vip")],
        [("priority", "high")],
    )
    for trigger in raw["triggers"]:
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
    for view in raw["views"]:
        unsolved = ("status", "less_than", "solved")
        if "group" in view:
            seed.add_view(tx, view["title"], [unsolved, ("group_id", "is", str(groups[view["group"]].id))])
        else:
            seed.add_view(tx, view["title"], [unsolved, ("current_tags", "includes", view["tag"])])
