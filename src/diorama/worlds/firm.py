"""A firm: everything that the history of one company is told from, besides its rows."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from diorama.kernel import Company, Dice
from diorama.people.material import MATERIAL
from diorama.people.rhythms import MONTHS
from diorama.worlds.book import Book, Topic
from diorama.worlds.team import Colleague, Team

if TYPE_CHECKING:
    from diorama.apps.backoffice.seed import History
    from diorama.worlds.residents import Resident


class Firm:
    """One company as the tellers of its history know it; a world declares a subclass and makes one instance.

    Moments of a history are in `zone`, so that shifts, nights and weekends are the company's own.
    """

    name: ClassVar[str]
    short: ClassVar[str]
    """What customers call it."""
    domain: ClassVar[str]
    support: ClassVar[str]
    team: ClassVar[Team]
    book: ClassVar[Book]
    zone: ClassVar[tzinfo] = UTC
    locales: ClassVar[Mapping[str, str]]
    """The desk's locale for each language."""
    usual_locale: ClassVar[str]
    """The desk's locale for people without a language."""
    strangers: ClassVar[Mapping[str, float]]
    """Chance, by topic, that a message comes from a person who never bought anything."""
    question: ClassVar[str]
    """The topic of a person who has no order yet."""
    windows: ClassVar[Mapping[str, tuple[timedelta, timedelta]]]
    """How long before a message the order was placed that it is about, by kind: at most, at least."""
    product_orders: ClassVar[frozenset[str]]
    """Kinds of orders whose letters are about a product."""
    date_form: ClassVar[str] = "%Y-%m-%d"
    """How customers copy a date from their records."""
    withdrawal: ClassVar[timedelta] = timedelta(days=14)
    """How long after arrival goods may be returned without a reason."""
    misrouted: ClassVar[tuple[str, ...]]
    """Groups into which tickets are put by mistake."""
    workshop: ClassVar[str] = ""
    """The group that repairs; satisfied customers praise its work."""
    screens: ClassVar[tuple[str, ...]] = (
        "Screenshot_{day}-{time}.png",
        "Screenshot {date} at {clock}.png",
        "IMG_{n}.PNG",
    )
    """How files with screenshots are named."""

    months: ClassVar[Sequence[float]] = MONTHS
    """How much is written in each month, relative to an average one."""
    names: ClassVar[Path] = MATERIAL
    """The folder whose `names.toml` and `addresses.toml` say who customers are and where they live."""

    def now(self, moment: datetime) -> datetime:
        """Return a moment in the company's time zone."""
        return moment.astimezone(self.zone)

    def suits(self, topic: Topic, history: History, at: datetime) -> bool:
        """Return whether a customer with this order can write about this topic now."""
        raise NotImplementedError

    def organization_fields(self, dice: Dice) -> dict[str, str]:
        """Draw the values of a firm's own fields at the desk."""
        return {}

    def known_facts(
        self, dice: Dice, resident: Resident, topic: Topic, history: History | None, at: datetime, language: str
    ) -> dict[str, str]:
        """Return what the customer can say; the back office denies none of it, except what they confused."""
        raise NotImplementedError

    def desk_facts(
        self, history: History | None, facts: Mapping[str, str], at: datetime, language: str
    ) -> Mapping[str, str]:
        """Return the same facts as the desk writes them, and what it reads in the tracking at that moment."""
        raise NotImplementedError

    def greeting(self, at: datetime, language: str) -> str:
        """Return what people wish one another at this hour."""
        raise NotImplementedError

    def faults(self, topic: Topic, facts: Mapping[str, str]) -> Sequence[str]:
        """Return the faults that the product of a topic can have; empty for topics about no fault."""
        return ()

    def reply_facts(self, who: Colleague) -> dict[str, str]:
        """Return what a colleague can name besides the facts of the case."""
        return {}

    def enclosures(self, topic: str, facts: Mapping[str, str], text: str) -> tuple[str, ...]:
        """Return the files that a colleague attaches to a text that promises some."""
        raise NotImplementedError

    def spoken_words(self) -> set[str]:
        """Return the lower-case words of goods, codes and greetings that customers write."""
        raise NotImplementedError


def firm_of(company: Company) -> Firm | None:
    """Return the firm that a company's module declares as FIRM, or None."""
    found = getattr(sys.modules.get(company.module), "FIRM", None)
    return found if isinstance(found, Firm) else None
