"""Many tickets at once: one matter per customer, words read per recipient, forms judged together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from diorama.apps.zendesk.schema import Comment, Ticket, User
from diorama.kernel import Tx, from_us
from diorama.kit.deeds import Owed
from diorama.rewards import View
from diorama.rewards.claims.speech import is_speech
from diorama.rewards.claims.working import working_words
from diorama.rewards.finding import Finding
from diorama.rewards.parts import Fact
from diorama.scenarios.desk_facts import matches
from diorama.scenarios.saying import Telling
from diorama.worlds import closing
from diorama.worlds.closing import closing_tags, closing_values

SHOWN_AT_MOST = 3


class Matter(msgspec.Struct, frozen=True, kw_only=True):
    """What concerns one of many customers: their ticket, what they must be told, what they are owed, their form."""

    ticket_id: int
    """0 if the customer has not written yet."""
    requester: str
    customer_id: str
    tell: tuple[Telling, ...] = ()
    owed: tuple[Owed, ...] = ()
    closing: dict[str, tuple[str, ...]] = {}
    """For each field of the form the values that are right; an empty one means that the field may be empty."""
    opening: str = ""
    """Words of the customer's mail."""
    reply: str = ""
    """A true reply about what concerns only them; "" if nothing does."""
    may_say_cents: tuple[int, ...] = ()
    digits: str = ""

    @property
    def emails(self) -> tuple[str, ...]:
        """The addresses of the account: all of them write from their own."""
        return (self.requester,)


def decided(facts: Iterable[Fact], *shown: str) -> list[Fact]:
    """Return facts whose fields pay short of success only if a reply has shown one of these values."""
    return [msgspec.structs.replace(one, decided_by=shown) if one.kind == "field" else one for one in facts]


def joined(findings: Iterable[Finding], expected: str, found: str) -> Finding:
    """Return one finding for many: those that do not hold, or these two sentences if all hold."""
    bad = [one for one in findings if not one.holds]
    if not bad:
        return Finding(True, expected, found)
    evidence = tuple(dict.fromkeys(seq for one in bad for seq in one.evidence))
    more = f" ({len(bad) - SHOWN_AT_MOST} more)" if len(bad) > SHOWN_AT_MOST else ""
    shown = bad[:SHOWN_AT_MOST]
    return Finding(
        False, "; ".join(one.expected for one in shown), "; ".join(one.found for one in shown) + more, evidence
    )


def each_ticket(findings: Sequence[tuple[Matter, Finding]], expected: str, found: str) -> Finding:
    """Return one finding for the tickets of many: which of them lack what, none left out, or that all hold."""
    lacking: dict[str, list[str]] = {}
    for matter, one in findings:
        if not one.holds:
            name = f"#{matter.ticket_id}" if matter.ticket_id else f"no ticket of {matter.requester}"
            lacking.setdefault(one.found, []).append(name)
    if not lacking:
        return Finding(True, expected, found)
    evidence = tuple(dict.fromkeys(seq for _, one in findings if not one.holds for seq in one.evidence))
    wanted = dict.fromkeys(f"#{matter.ticket_id}: {one.expected}" for matter, one in findings if not one.holds)
    told = "; ".join(f"ticket {', '.join(numbers)}: {what}" for what, numbers in lacking.items())
    return Finding(False, f"{expected} ({'; '.join(wanted)})", told, evidence)


def first_that_holds(findings: Iterable[Finding]) -> Finding:
    """Return the first finding that holds, or else the first one; those after it are not looked for."""
    every = iter(findings)
    first = next(every)
    return first if first.holds else next((one for one in every if one.holds), first)


def form_finding(view: View, ticket_id: int, right: Mapping[str, Sequence[str]]) -> Finding:
    """Judge the form of one of several tickets; a field without right values must be empty."""
    filled = closing_values(view.tx, ticket_id)
    wrong = []
    for key, title in closing.TITLES.items():
        value, values = filled.get(key, ""), right.get(key, ("",))
        empty = not value or (key == "amount" and matches(key, value, ("0.00",)))
        if not (matches(key, value, values) or (empty and "" in values)):
            wanted = " or ".join(one or "empty" for one in values)
            wrong.append((f"{title}: {wanted}", f"{title}: {value or 'empty'}"))
    tags = {*view.tx.get(Ticket, ticket_id).tags} & closing_tags()
    if len(tags) > 1:
        wrong.append(("one contact reason", f"the contact reasons {', '.join(sorted(tags))}"))
    about = f"ticket {ticket_id}"
    if not wrong:
        return Finding(True, f"the form of {about} is right", f"the form of {about} is right")
    expected, found = (", ".join(one[side] for one in wrong) for side in (0, 1))
    return Finding(False, f"{about}: {expected}", f"{about}: {found}")


def said_too_early(view: View, matters: Sequence[Matter], end_us: int) -> Finding:
    """Judge whether a customer was told that it works while it did not; later words do not take that back."""
    end = from_us(end_us).replace(microsecond=0)
    expected = f"no customer is told that it works before {end:%H:%M:%S} UTC"
    for one in matters:
        for sent in view.sent():
            if from_us(sent.at) >= end or not (sent.thread == one.ticket_id or one.requester in sent.to):
                continue
            theirs = _their_words(view.tx, one.ticket_id)
            for sentence, words in (working_words(text, theirs) for text in (sent.body, *sent.extra)):
                if not sentence:
                    continue
                when = f"{from_us(sent.at):%H:%M:%S} UTC"
                said = f"ticket {one.ticket_id}, {when}: {sentence!r}; {words!r} was read as: it works again"
                return Finding(False, expected, said, (sent.seq,))
    return Finding(True, expected, "no customer was told so before")


def staff_words(tx: Tx, ticket_id: int, since_us: int) -> list[Comment]:
    """Return the public comments on a ticket since a moment that are words and not by a customer, in order."""
    said = tx.all(Comment, "ticket_id = ? AND public = 1 AND created_at >= ?", ticket_id, since_us, order="id")
    staff = (one for one in said if (author := tx.find(User, one.author_id)) is None or author.role != "end-user")
    return [one for one in staff if is_speech(one.body)]


def _their_words(tx: Tx, ticket_id: int) -> str:
    """Return what customers wrote on a ticket, for quotations."""
    rows = tx.rows(
        "SELECT c.body FROM zendesk_comments c JOIN zendesk_users u ON u.id = c.author_id "
        "WHERE c.ticket_id = ? AND u.role = 'end-user'",
        ticket_id,
    )
    return "\n".join(str(body) for (body,) in rows)


def tickets_of(tx: Tx, requester: str, after: int) -> list[Ticket]:
    """Return the tickets of a person with a higher number than another one, oldest first."""
    author = tx.first(User, "email = ?", requester)
    if author is None:
        return []
    return tx.all(Ticket, "requester_id = ? AND id > ? AND channel = 'email'", author.id, after, order="id")
