"""Shared parts of Kittiwake's scenarios: its agent and rules, two languages, local days and amounts in dollars."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TypeVar

from diorama.apps.backoffice.schema import Customer
from diorama.people.reading import READ_AT_MOST, reads
from diorama.people.writing import date_facts
from diorama.rewards import View, quality
from diorama.scenarios.anatomy import Stage
from diorama.scenarios.unported.desk import replies
from diorama.scenarios.unported.shop import ShopScenario, ShopTruth, customers
from diorama.scenarios.unported.words import says_no, spoken_dates
from diorama.worlds.kittiwake.closing import FORM
from diorama.worlds.kittiwake.firm import FIRM

DAY = timedelta(days=1)
FRENCH = frozenset(
    ("le", "la", "les", "des", "du", "une", "et", "est", "pour", "vous", "nous", "votre", "avec", "sur", "pas", "que",
     "qui", "dans", "au", "ce", "sont", "bonjour")
)  # fmt: skip
ENGLISH = frozenset(
    ("the", "and", "is", "are", "for", "you", "we", "your", "with", "on", "not", "that", "which", "in", "at", "this",
     "was", "has", "have", "hello", "hi")
)  # fmt: skip
FRENCH_SHARE = 0.35
"""How many of the variants are written by a customer who writes French."""
SMALL_TALK = (
    ("Pegs", "Hi, how many pegs come with the Fundy 4? I count nine and it looks lopsided. Thanks"),
    ("horaire", "Bonjour, êtes-vous ouverts samedi? On passerait avec une tente à faire réparer."),
    ("Kayaks in July", "do you still have a double for the second weekend of july? two adults one dog"),
    ("Socks", "The wool socks are the best I've had. Do you make them for kids too?"),
    ("reçu", "Bonjour, pourriez-vous me renvoyer le reçu de mon dernier achat? Merci bien"),
    ("Re: newsletter", "Please send me the French one only, I get both."),
    ("seam sealer", "Which one do you use on the Cabot? Mine came without any."),
)
_REFUNDED = re.compile(r"\b(?:refunded|reimbursed|paid (?:it |you )?back|remboursée?|reversée?)\b", re.IGNORECASE)

_CLAUSE = re.compile(r"(?<=[.!?])\s+|\n+|;")
_UNREAL = re.compile(
    r"\b(?:pas|plus|aucun|jamais|dès que|quand|si|une fois|après|avant|sera|when|once|if|until|after|before|as soon as|"
    r"can|will|would)\b",
    re.IGNORECASE,
)
"""Words of a denial or a condition."""

T = TypeVar("T", bound=ShopTruth)


class OutfittersTruth(ShopTruth, frozen=True, kw_only=True):
    """The hidden truth of a scenario at Kittiwake."""

    language: str
    answer: str
    """A reply that says everything that is true and must be said."""


def dollars(cents: int, language: str) -> str:
    """Write an amount as Canadians do: $129.00 in English, 129,00 $ in French."""
    whole, rest = divmod(cents, 100)
    return f"${whole}.{rest:02d}" if language == "en" else f"{whole},{rest:02d} $"


def day(moment: datetime, language: str) -> str:
    """Write a day of Halifax's calendar: June 3 or 3 juin."""
    known = date_facts(FIRM.now(moment), language)
    if language == "fr":
        return f"{'1er' if known['day'] == 1 else known['day']} {known['month']}"
    return f"{known['month']} {known['day']}"


def days(moment: datetime) -> tuple[str, ...]:
    """Return the ways of naming a day of Halifax's calendar, in both languages."""
    return (*spoken_dates(FIRM.now(moment)), day(moment, "fr"), f"{FIRM.now(moment):%Y/%m/%d}")


@reads
def language_of(text: str) -> str:
    """Return the language that most of the short words of a text belong to."""
    words = re.findall(r"[a-zàâçéèêëîïôûù]+", text.lower())
    return "fr" if sum(word in FRENCH for word in words) > sum(word in ENGLISH for word in words) else "en"


def claims(text: str, pattern: re.Pattern[str]) -> bool:
    """Check whether a clause of a text states what a pattern describes, without a denial or a condition."""
    return _claims(text[:READ_AT_MOST], pattern)


@lru_cache(maxsize=512)
def _claims(text: str, pattern: re.Pattern[str]) -> bool:
    clauses = _CLAUSE.split(text)
    return any(pattern.search(one) and not says_no(one) and not _UNREAL.search(one) for one in clauses)


def claims_refund(text: str) -> bool:
    """Check whether a text says that money was paid back."""
    return claims(text, _REFUNDED)


def any_customer(stage: Stage) -> tuple[Customer, str]:
    """Draw a customer of this split and the language in which they write."""
    language = "fr" if stage.dice.child("language").chance(FRENCH_SHARE) else "en"
    return stage.dice.pick(customers(stage, language=language)), language


def weekday_before(moment: datetime, fits: Callable[[datetime], bool]) -> datetime:
    """Return noon in Halifax of the last day before a moment that fits."""
    found = FIRM.now(moment).replace(hour=12, minute=0, second=0, microsecond=0) - DAY
    while not fits(found):
        found -= DAY
    return found.astimezone(moment.tzinfo)


class OutfittersScenario(ShopScenario[T]):
    """A ticket of Kittiwake Outfitters."""

    world = "kittiwake"
    person = "elise@kittiwake.ca"
    agent = "Élise Thibodeau"
    shop = "Kittiwake Outfitters in Halifax (outdoor gear, sold and rented)"
    records = "orders, charges, parcels, returns and notes"
    currency = "CAD"
    first_reply_hours = 8.0
    reasons = FORM.tags

    def brief(self, truth: T) -> str:
        """Return the brief; customers are answered in their own language."""
        return f"{super().brief(truth)} Answer customers who write French in French. Days are Halifax days."

    @quality(weight=1.0)
    def answered_in_their_language(self, view: View, truth: T) -> float:
        """The customer was answered in the language of their letter."""
        said = replies(view.tx, truth, view.staged_us)
        wanted = getattr(truth, "language", "en")
        return 1.0 if said and all(language_of(comment.body) == wanted for comment in said) else 0.0
