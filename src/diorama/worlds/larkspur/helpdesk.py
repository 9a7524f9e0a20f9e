"""Larkspur's desk before the first ticket: groups, colleagues, fields, macros, triggers and views."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import msgspec

from diorama.apps.zendesk import rules as desk_rules
from diorama.apps.zendesk import seed
from diorama.apps.zendesk.rules.time_zones import iana_name
from diorama.apps.zendesk.schema import Group, GroupMembership, Identity, Macro, TicketField, Trigger, User
from diorama.kernel import Tx, to_us
from diorama.people.grammar import WORD
from diorama.people.material import load
from diorama.worlds.larkspur import configuration
from diorama.worlds.larkspur.company import (
    AT_THE_DESK,
    CURRENCY,
    FOUNDED,
    GROUPS,
    HOLIDAYS,
    LOCALE,
    NAME,
    SUPPORT,
    TIME_ZONE,
)
from diorama.worlds.larkspur.held_mail import hold_mail
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
    macros: dict[str, Macro]
    triggers: tuple[Trigger, ...]
    """Those that sort what comes in, first to last."""

    def routed(self, text: str, tags: Sequence[str]) -> tuple[seed.Fired, ...]:
        """What the desk's own triggers did to a new ticket: the first word that fits brings it into a group."""
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
    """Whatever happens inside happened at that moment."""
    now_us, tx.now_us = tx.now_us, to_us(moment)
    try:
        yield
    finally:
        tx.now_us = now_us


def add_helpdesk(tx: Tx) -> Helpdesk:
    """The account as it was set up when the company began, and what was added since."""
    with backdated(tx, FOUNDED):
        everybody = seed.set_up(
            tx,
            NAME,
            plan="suite_enterprise",
            time_zone=TIME_ZONE,
            currency=CURRENCY,
            locale=LOCALE,
            languages=("de", "fr", "es", "it", "nl"),
            help_center_languages=("de", "es", "fr", "nl"),
            support_address=SUPPORT,
            running=False,
        )
        groups = {"Support": everybody}
        for name, description in GROUPS.items():
            groups[name] = desk_rules.add_group(tx, name=name, description=description)
        order_field = seed.add_field(tx, "Order number", visible=True)
        options = [(product, product.lower().replace(" ", "_")) for product in PRODUCTS]
        product_field = seed.add_field(tx, "Product", "tagger", options, visible=True)
        macros, triggers = _rules(tx, groups)
        configuration.arrange(tx, order_field, product_field)
        _promises(tx, groups)
    seed.start_automations(tx)
    hold_mail(tx)
    staff = {colleague.email: _colleague(tx, colleague.email, groups) for colleague in AT_THE_DESK}
    configuration.machines(tx, next(iter(staff.values())))
    configuration.at_work(tx, staff)
    return Helpdesk(groups, staff, order_field, product_field, seed.standard(tx), macros, triggers)


def _colleague(tx: Tx, email: str, groups: dict[str, Group]) -> User:
    who = next(one for one in AT_THE_DESK if one.email == email)
    home = groups[who.groups[0]]
    user = tx.add(
        User(
            name=who.name,
            email=email,
            time_zone=TIME_ZONE,
            iana_time_zone=iana_name(TIME_ZONE),
            locale=LOCALE,
            role="admin" if who.role != "agent" else "agent",
            default_group_id=home.id,
            created_at=who.since,
            updated_at=who.since,
            last_login_at=desk_rules.now(tx) - timedelta(minutes=tx.dice("login", email).integer(20, 200)),
            verified=True,
            signature=f"{who.name}\n{NAME}",
            photo=seed.photo(tx, email),
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


def _rules(tx: Tx, groups: dict[str, Group]) -> tuple[dict[str, Macro], tuple[Trigger, ...]]:
    raw, macros, triggers = load("rules", MATERIAL), dict[str, Macro](), list[Trigger]()
    for macro in raw["macros"]:
        then: list[tuple[str, Any]] = [("current_tags", macro["tags"]), ("status", macro["status"])]
        if macro["text"]:
            then.append(("comment_value", macro["text"]))
        macros[macro["title"]] = seed.add_macro(tx, macro["title"], then)
    triggers.append(
        seed.add_trigger(
            tx,
            "VIP: nobody waits",
            [("update_type", "is", "Create"), ("current_tags", "includes", "vip")],
            [("priority", "high")],
        )
    )
    for trigger in raw["triggers"]:
        triggers.append(
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
        )
    for view in raw["views"]:
        unsolved = ("status", "less_than", "solved")
        if "group" in view:
            seed.add_view(tx, view["title"], [unsolved, ("group_id", "is", str(groups[view["group"]].id))])
        else:
            seed.add_view(tx, view["title"], [unsolved, ("current_tags", "includes", view["tag"])])
    return macros, tuple(triggers)


def _promises(tx: Tx, groups: dict[str, Group]) -> None:
    """When the desk works, and how fast it said that it would answer."""
    seed.add_schedule(tx, "Desk hours", TIME_ZONE, seed.weekly(9, 18), HOLIDAYS)
    usual = {"urgent": 60, "high": 120, "normal": 480, "low": 960}
    seed.add_sla_policy(
        tx,
        "VIP customers",
        [("current_tags", "includes", "vip")],
        {
            "first_reply_time": {"urgent": 30, "high": 60, "normal": 120, "low": 240},
            "next_reply_time": {"urgent": 30, "high": 60, "normal": 120, "low": 240},
            "requester_wait_time": {"urgent": 240, "high": 480, "normal": 1080, "low": 1620},
        },
        business_hours=False,
        description="Regulars who spend a lot, and reviewers; around the clock",
    )
    seed.add_sla_policy(
        tx,
        "Everybody else",
        [("type", "is_not", "task")],
        {
            "first_reply_time": usual,
            "next_reply_time": usual,
            "pausable_update_time": {"urgent": 240, "high": 540, "normal": 1080, "low": 2160},
        },
        description="Answers within the day, in desk hours",
    )
    others = [group.id for name, group in groups.items() if name != "Support"]
    seed.add_group_sla_policy(tx, "Specialists", others, {"urgent": 120, "high": 240, "normal": 1080, "low": 2160})
