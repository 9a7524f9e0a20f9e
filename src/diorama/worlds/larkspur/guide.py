"""Larkspur's Help Center: articles written over the years, with readers' votes and comments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple

import msgspec

from diorama.apps.zendesk.rules import help_center
from diorama.apps.zendesk.schema import User
from diorama.apps.zendesk.schema.help_center import Article, PermissionGroup, Section, UserSegment
from diorama.kernel import Tx
from diorama.worlds.closing import publish
from diorama.worlds.helpdesk import backdated
from diorama.worlds.larkspur.closing import FORM
from diorama.worlds.larkspur.company import DOMAIN, FOUNDED, LEAD
from diorama.worlds.larkspur.firm import BOOK

VOTERS = 90
"""How many customers have ever voted."""


class House(msgspec.Struct, frozen=True):
    """Who writes and who reads."""

    staff: Mapping[str, User]
    readers: Sequence[User]
    inside: int
    signed_in: int
    locked: int

    def writer(self, told: Mapping[str, Any]) -> User:
        """Return the author of an item, or a substitute."""
        for handle in (told.get("author", ""), told.get("fallback", "")):
            found = self.staff.get(f"{handle}@{DOMAIN}")
            if found is not None:
                return found
        return self.staff[LEAD.email]


def open_help_center(tx: Tx, staff: Mapping[str, User]) -> int:
    """Add every article with its translations, votes and comments; return the number of articles."""
    house = House(
        staff,
        tx.all(User, "role = 'end-user' AND active = 1", order="id", limit=VOTERS),
        tx.all(UserSegment, "user_type = 'staff'")[0].id,
        tx.all(UserSegment, "user_type = 'signed_in_users'")[0].id,
        tx.all(PermissionGroup, "admins_only = 1")[0].id,
    )
    lead, count = staff[LEAD.email], 1
    with backdated(tx, FOUNDED):
        publish(tx, FORM, lead)
    pages: list[Page] = []
    for place, shelf in enumerate(BOOK.load("guide")["categories"]):
        with backdated(tx, FOUNDED):
            category = help_center.add_category(tx, lead, shelf["name"], shelf["description"], position=place)
        for row, told in enumerate(shelf["sections"]):
            with backdated(tx, FOUNDED):
                section = help_center.add_section(tx, lead, category, told["name"], told["description"], position=row)
            pages += [Page(section, spot, article) for spot, article in enumerate(told["articles"])]
    _write_all(tx, house, pages)
    return count + len(pages)


class Page(NamedTuple):
    """An article of the material: its section, its place there, and what it says."""

    section: Section
    place: int
    told: Mapping[str, Any]


def _write_all(tx: Tx, house: House, pages: list[Page]) -> None:
    """Write, translate and edit the articles in the order of their dates, so that their ids grow with the dates."""
    moments = [
        (_working_hour(tx, page.told[when], page.told["title"]), number, when)
        for number, page in enumerate(pages)
        for when in ("created", "edited")
    ]
    made: dict[int, Article] = {}
    for at, number, when in sorted(moments):
        with backdated(tx, at):
            if when == "created":
                made[number] = _write(tx, house, pages[number])
            else:
                made[number] = _edit(tx, house, made[number], pages[number].told)
    for number, page in enumerate(pages):
        _read(tx, house, made[number], page.told)


def _write(tx: Tx, house: House, page: Page) -> Article:
    told = page.told
    fields: dict[str, Any] = {"position": page.place, "promoted": told.get("promoted", False)}
    if told.get("staff") or told.get("signed_in"):
        fields["user_segment_id"] = house.inside if told.get("staff") else house.signed_in
    if told.get("locked"):
        fields["permission_group_id"] = house.locked
    return help_center.add_article(
        tx,
        house.writer(told),
        page.section,
        told["title"],
        told["body"],
        draft=told.get("draft", False),
        labels=told["labels"],
        **fields,
    )


def _edit(tx: Tx, house: House, article: Article, told: Mapping[str, Any]) -> Article:
    """Add the translations, and date the last edit."""
    for locale, words in told.get("translations", {}).items():
        made = help_center.add_translation(tx, article, locale, house.writer(told), words["title"], words["body"])
        if words.get("outdated"):
            tx.change(made, outdated=True)
    return tx.change(article, edited_at=tx.now, updated_at=tx.now)


def _read(tx: Tx, house: House, article: Article, told: Mapping[str, Any]) -> None:
    """Add readers' votes and comments; articles for staff are read by staff."""
    dice = tx.dice("help center readers", article.id)
    crowd = list(house.staff.values()) if told.get("staff") else list(house.readers)
    moments = _moments(article.edited_at, tx.now)
    voters = dice.shuffle(crowd)
    up, down = _scaled(told["up"], told["down"], len(voters))
    for voter, value in zip(voters, [1] * up + [-1] * down, strict=False):
        with backdated(tx, next(moments)):
            help_center.vote(tx, tx.get(Article, article.id), voter, value)
    for said in told.get("comments", ()):
        writer = house.writer(said) if "author" in said else (dice.pick(crowd) if crowd else None)
        if writer is not None:
            with backdated(tx, next(moments)):
                help_center.comment_on(tx, article, writer, said["body"])


def _scaled(up: int, down: int, readers: int) -> tuple[int, int]:
    """Scale votes down to the number of readers, in the same proportion."""
    if up + down <= readers:
        return up, down
    kept = round(readers * up / (up + down))
    return kept, readers - kept


def _moments(begin: datetime, end: datetime) -> Iterator[datetime]:
    """Yield times after `begin` that approach `end`."""
    moment = begin
    while True:
        moment += max((end - moment) / 40, timedelta(0))
        yield moment.replace(microsecond=0)


def _working_hour(tx: Tx, day: date, title: str) -> datetime:
    """Return a moment of a day at which a colleague wrote, to the second; the same one for the same day and title."""
    dice = tx.dice("help center hours", title, f"{day}")
    return datetime.combine(day, time(dice.integer(8, 16), dice.integer(0, 59), dice.integer(0, 59)), UTC)
