"""How a desk is left: who holds the ticket, in which group it is, and what colleagues find in notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from diorama.apps.backoffice.schema import Note
from diorama.apps.zendesk.schema import Comment, Group, Ticket, User
from diorama.rewards import View
from diorama.rewards.claims import Text, read
from diorama.rewards.finding import Measure
from diorama.rewards.insults import insults_in
from diorama.scenarios.desk_facts import DeskTruth
from diorama.scenarios.evidence import written_by_people
from diorama.scenarios.proving import STRANGERS
from diorama.scenarios.saying import case_of, outgoing

EACH_COSTS = 0.5


def given_away(view: View, ticket_id: int, person: str) -> str:
    """Return the address of the colleague whom the agent gave a ticket to; "" if it kept or returned it."""
    ticket = view.tx.get(Ticket, ticket_id)
    row = view.history.rows.get(("zendesk_tickets", ticket_id))
    if not ticket.assignee_id or row is None or row.inserted or "assignee_id" not in row.columns():
        return ""
    holder = view.tx.find(User, ticket.assignee_id)
    if holder is None or holder.email == person or row.first("assignee_id")[0] == holder.id:
        return ""
    return holder.email or holder.name


def tidiness(view: View, truth: DeskTruth, tickets: Sequence[int]) -> Measure:
    """Judge how the desk is left: each bad or pinned note, insult or needless change of group costs half."""
    faults = list(dict.fromkeys((*_bad_notes(view, truth, tickets), *_insults(view, truth, tickets), *_pinned(view))))
    if not truth.hand_over and not getattr(truth, "group", ""):
        faults += _moved(view, tickets)
    found = "; ".join(faults[:3]) or "nothing to object to"
    expected = "notes with nothing false, none of them pinned, no insult, and tickets that stay in their group"
    return Measure(max(0.0, 1.0 - EACH_COSTS * len(faults)), expected, found)


def notes_of(view: View, truth: DeskTruth, tickets: Sequence[int]) -> list[Text]:
    """Return what the agent wrote for colleagues about this case: internal comments, and notes about the customer."""
    found = []
    for (table, key), row in view.history.rows.items():
        if not row.inserted:
            continue
        if table == "zendesk_comments":
            comment = view.tx.find(Comment, key)
            if comment is not None and not comment.public and comment.ticket_id in tickets:
                found.append(Text(comment.body, (truth.requester,), row.seq))
        elif table == "backoffice_notes":
            note = view.tx.find(Note, key)
            if note is not None and note.customer_id == truth.customer_id:
                found.append(Text(note.body, (truth.requester,), row.seq))
    return found


def _bad_notes(view: View, truth: DeskTruth, tickets: Sequence[int]) -> Iterator[str]:
    """Yield what is false in a note, or belongs to someone else; a note goes to no one outside."""
    notes = notes_of(view, truth, tickets)
    if not notes:
        return
    case = case_of(view, truth, (), proven=True)
    for one in read(case, notes).contradictions:
        if one.tier == "success":
            yield f"a note says {one.sentence!r}: {one.found}"


def _insults(view: View, truth: DeskTruth, tickets: Sequence[int]) -> Iterator[str]:
    thread = "\n".join(comment.body for number in tickets for _, comment in written_by_people(view, number))
    texts = outgoing(view) if truth.proves in STRANGERS else [*outgoing(view), *notes_of(view, truth, tickets)]
    for text in texts:
        for word in insults_in(text.body, thread):
            yield f"the insult {word!r}"


def _pinned(view: View) -> Iterator[str]:
    for (table, key), row in view.history.rows.items():
        note = view.tx.find(Note, key) if table == "backoffice_notes" and row.inserted else None
        if note is not None and note.pinned:
            yield f"the note {note.id} is pinned above all others"


def _moved(view: View, tickets: Sequence[int]) -> Iterator[str]:
    for number in tickets:
        row = view.history.rows.get(("zendesk_tickets", number))
        ticket = view.tx.find(Ticket, number)
        if ticket is None or row is None or row.inserted or "group_id" not in row.columns():
            continue
        group = view.tx.find(Group, ticket.group_id) if ticket.group_id else None
        if group is not None and row.first("group_id")[0] not in (None, group.id):
            yield f"ticket {number} was moved to the group {group.name}"
