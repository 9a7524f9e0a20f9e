"""Rules about conversations: letters fit the records, and answers fit the letters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from diorama.worlds._plausibility.records import Message, Records, Thread
from diorama.worlds._plausibility.rule import BACKOFFICE, ZENDESK, at, rule
from diorama.worlds.clashes import CLASHES, DELIVERY_DENIED, MARKED, SENT, SHARE, clashing
from diorama.worlds.enclosures import promised

if TYPE_CHECKING:
    from diorama.apps.backoffice.schema import Order


class Saying(msgspec.Struct, frozen=True):
    """Words that name a day relative to a letter: how many days before it something must have been."""

    words: re.Pattern[str]
    of: str
    """placed, due or arrived."""
    least: int
    most: int


def _saying(of: str, least: int, most: int, words: str) -> Saying:
    return Saying(re.compile(words, re.IGNORECASE), of, least, most)


LONG_AGO = 5_000
SAYINGS = (
    _saying("due", 2, 14, r"due last week|sollte (?:schon )?letzte woche|la semaine dernière devait|vorige week zou"),
    _saying("due", 0, LONG_AGO, r"supposed to be here by now|sollte (?:schon )?längst hier"),
    _saying("placed", 3, LONG_AGO, r"meant to take three days"),
    _saying("placed", 2, LONG_AGO, r"(?:not moved|same line|nothing else'?) for days|tracking says nothing since days"),
    _saying("placed", 4, LONG_AGO, r"(?:not moved|same line|nothing else'?) since last week"),
    _saying("arrived", 0, 0, r"arrived (?:today|this morning)|kam heute|arrivée? (?:aujourd'hui|ce matin)|llegó hoy"),
    _saying("arrived", 1, 1, r"arrived yesterday|kam gestern|arrivée? hier|llegó ayer|gisteren (?:aan)?gekomen"),
    _saying("arrived", 0, 14, r"the (?:fourteen days|return period) (?:are|is) not over|frist läuft noch"),
    _saying("placed", 0, 366, r"not even a year old|kein jahr alt|même pas un an|ni un año|nog geen jaar oud"),
    _saying("placed", 350, 560, r"just over a year old|gut ein jahr alt|un peu plus d'un an|algo más de un año"),
    _saying("placed", 1, 60, r"barely used"),
)
"""What letters say of days, and what the order's dates must be."""


def _order_of(records: Records, thread: Thread) -> Order | None:
    """Return the one order that a ticket names and that is its requester's, or None."""
    form = re.compile(rf"{re.escape(records.settings.order_prefix)}?(\d{{4,6}})\b", re.IGNORECASE)
    mine = _owned(records).get(thread.requester.email or "", set())
    texts = [thread.ticket.subject, thread.ticket.description, *map(str, thread.ticket.custom_fields.values())]
    named = {f"{records.settings.order_prefix}{found[1]}" for text in texts for found in form.finditer(text)}
    found = [records.numbers[number] for number in named if number in records.numbers]
    found = [order for order in found if order.customer_id in mine]
    return found[0] if len(found) == 1 else None


@cache
def _owned(records: Records) -> dict[str, set[str]]:
    owners: dict[str, set[str]] = {}
    for email, customer in records.tx.rows("SELECT email, customer_id FROM backoffice_customer_emails"):
        owners.setdefault(email, set()).add(customer)
    return owners


@rule(ZENDESK, BACKOFFICE)
def letters_fit_the_dates(records: Records) -> Iterator[str]:
    """A letter's "due last week", "arrived yesterday" or "a year old" fits the dates of the order it names."""
    for thread in records.threads:
        order = None if thread.requester.staff else _order_of(records, thread)
        for one in SAYINGS if order is not None else ():
            found = one.words.search(" ".join(thread.ticket.description.split()))
            moment = _moment(records, order, one.of, thread.ticket.created_at) if found and order is not None else None
            if found is None or order is None:
                continue
            days = (thread.ticket.created_at.date() - moment.date()).days if moment is not None else None
            wrong = days is None or not one.least <= days <= one.most
            yield (
                f"ticket {thread.ticket.id} says {found[0]!r}, {one.of} {at(moment)} ({order.number})" if wrong else ""
            )


def _moment(records: Records, order: Order, of: str, before: datetime) -> datetime | None:
    if of == "placed":
        return order.created_at
    parcels = [one for one in records.parcels_of.get(order.id, []) if not one.replacement_id]
    if of == "due":
        return parcels[0].estimated_at if parcels else None
    came = [one.closed_at for one in parcels if one.closed_at is not None and one.closed_at <= before]
    return max(came, default=None)


@rule(ZENDESK)
def answers_agree_with_the_customer(records: Records) -> Iterator[str]:
    """An answer does not contradict what the customer said before in the thread."""
    for thread in records.threads:
        heard: list[str] = []
        for one in thread.messages:
            if one.answer:
                broken = clashing(heard, one.own, CLASHES)
                yield f"comment {one.comment.id} of ticket {thread.ticket.id}: {broken.name}" if broken else ""
            elif not one.staff:
                heard.append(one.own)


@rule(ZENDESK, BACKOFFICE)
def deliveries_agree_with_the_customer(records: Records) -> Iterator[str]:
    """No customer is told that a parcel is there after they wrote, later than its delivery, that nothing came."""
    for thread in records.threads:
        order = _order_of(records, thread)
        came = records.arrived(order.id) if order is not None else None
        heard: list[str] = []
        for one in thread.messages if came is not None else ():
            if one.answer:
                broken = clashing(heard, one.own, (DELIVERY_DENIED,))
                yield f"comment {one.comment.id} of ticket {thread.ticket.id}: came {at(came)}" if broken else ""
            elif not one.staff and came is not None and one.comment.created_at > came + timedelta(hours=12):
                heard.append(one.own)


NUMBER_ASKED = re.compile(
    r"(?:what is|give me|send me|could you (?:send|give)[^.?]*|which order is it)[^.?]*order number|which order is it\?"
    r"|wie lautet die bestellnummer|quel est le numéro de commande|cuál es el número de pedido|wat is het bestelnummer",
    re.IGNORECASE,
)


@rule(ZENDESK, BACKOFFICE)
def nobody_asks_what_was_said(records: Records) -> Iterator[str]:
    """A colleague does not ask for an order number that the customer has given in full."""
    form = re.compile(rf"{re.escape(records.settings.order_prefix)}\d{{4,6}}", re.IGNORECASE)
    for thread in records.threads:
        told = False
        for one in thread.messages:
            if one.answer and NUMBER_ASKED.search(one.own):
                yield f"comment {one.comment.id} of ticket {thread.ticket.id} asks for the order number" if told else ""
            told = told or (not one.staff and bool(form.search(one.own)))


@rule(ZENDESK)
def offers_fit_the_fault(records: Records) -> Iterator[str]:
    """Money off for keeping damaged goods is offered only for marks, never for what does not work."""
    for thread in records.threads:
        said = " ".join(one.own for one in thread.messages if not one.staff)
        for one in thread.answers:
            if SHARE.search(one.own):
                yield (
                    "" if MARKED.search(said) else f"comment {one.comment.id} of ticket {thread.ticket.id}: {said[:80]}"
                )


DONE = re.compile(
    r"\bfitted it\b|collected (?:this morning|and swapped)|(?:new|right) one (?:has come|came|is here)|it came today"
    r"|eingebaut|(?<!niemand )abgeholt|die neue ist da|ist heute gekommen|montée?\b|la nouvelle est arrivée"
    r"|ya (?:la )?(?:he )?montad"
    r"|gemonteerd|de nieuwe is er",
    re.IGNORECASE,
)
A_NIGHT = timedelta(hours=18)


@rule(ZENDESK)
def repairs_take_more_than_a_day(records: Records) -> Iterator[str]:
    """No one says that a part is fitted or a machine collected before a night after it was promised."""
    for thread in records.threads:
        told: datetime | None = None
        for one in thread.messages:
            if one.answer and SENT.search(one.own):
                told = one.comment.created_at
            elif told is not None and not one.staff and DONE.search(one.own):
                soon = one.comment.created_at - told < A_NIGHT
                yield f"comment {one.comment.id} of ticket {thread.ticket.id}: {one.own[:60]!r}" if soon else ""


@rule(ZENDESK)
def promised_files_are_attached(records: Records) -> Iterator[str]:
    """A colleague who says that something is attached attaches it."""
    for thread in records.threads:
        for one in thread.answers:
            if promised(one.own):
                yield "" if one.comment.attachments else f"comment {one.comment.id} of ticket {thread.ticket.id}"


# --- languages

STOP = {
    "en": "the and you is to of for it we have that this with your are not on at be will has was can please",
    "de": "der die das und ist nicht ich sie wir ein eine mit auf für den zu es bitte haben wird bei dem ihre im am",
    "fr": "le la les et est vous nous je un une pour dans pas que de du des votre avec sur au ce il ne en par ci",
    "es": "el la los y es de que en un una por para con no se su lo le hay del al está puede como más ya",
    "nl": "de het een en is niet ik u wij met voor op van dat te aan er wordt uw naar bij in die kunt heeft",
}
WORDS = {language: frozenset(words.split()) for language, words in STOP.items()}
SURE = 3
"""By how many words a language must lead."""


def language_of(text: str) -> str:
    """Return the language of a text, or "" if that is not clear."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    ranked = sorted(((sum(word in stop for word in words), name) for name, stop in WORDS.items()), reverse=True)
    return ranked[0][1] if ranked[0][0] - ranked[1][0] >= SURE else ""


@rule(ZENDESK)
def answers_are_in_the_customers_language(records: Records) -> Iterator[str]:
    """A colleague answers in the language of the letter; in English only if no one at the desk speaks it."""
    team = records.team
    spoken = {language for one in team.at_the_desk for language in one.languages} if team is not None else {"en"}
    for thread in records.threads:
        theirs = "" if thread.requester.staff else language_of(_first(thread))
        for one in thread.answers if theirs else ():
            ours = language_of(one.own)
            if ours:
                wrong = ours != theirs and (theirs in spoken or ours != "en")
                yield f"comment {one.comment.id} of ticket {thread.ticket.id}: {ours} to {theirs}" if wrong else ""


def _first(thread: Thread) -> str:
    """Return the customer's own words of the first message, without what was forwarded."""
    own: Message | None = next(iter(thread.messages), None)
    return re.split(r"\n-{5,}|\n(?:From|Von|De|Van) ?: ", own.own)[0] if own is not None else ""
