"""How a desk is left: who holds the ticket, in which group it is, and what colleagues find in notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from diorama.apps.backoffice.schema import Approval, Charge, Note
from diorama.apps.zendesk.schema import Comment, Group, Ticket, User
from diorama.rewards import View
from diorama.rewards.attention import shortened
from diorama.rewards.claims import Text, read
from diorama.rewards.deeds import money
from diorama.rewards.finding import Measure
from diorama.rewards.insults import insults_in
from diorama.scenarios.desk_facts import DeskTruth
from diorama.scenarios.evidence import written_by_people
from diorama.scenarios.proving import STRANGERS
from diorama.scenarios.saying import Matter, case_of, outgoing

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


class Case(msgspec.Struct, frozen=True):
    """A matter, and its tickets."""

    matter: Matter
    tickets: Sequence[int]
    accused: bool = False
    """Whether notes may call the sender names, because the sender is not who they say."""
    filed: bool = False
    """Whether the task says which group the tickets belong to, or who takes them over."""


def case_at_the_desk(truth: DeskTruth) -> Case:
    """Return the case of a desk's truth."""
    tickets = getattr(truth, "tickets", (truth.ticket_id,))
    filed = bool(truth.hand_over or getattr(truth, "group", ""))
    return Case(truth, tickets, truth.proves in STRANGERS, filed)


def tidiness(view: View, cases: Sequence[Case], cited: Sequence[str] = ()) -> Measure:
    """Judge how the desk is left: each bad or pinned note, insult, excessive request or change of group costs half.

    `cited` are further texts of the company that notes may cite.
    """
    faults = [fault for case in cases for fault in _bad_notes(view, case, cited)]
    faults += [
        *_insults(view, cases),
        *_pinned(view),
        *(fault for case in cases for fault in _excessive(view, case)),
        *(fault for case in cases if not case.filed for fault in _moved(view, case.tickets)),
    ]
    faults = list(dict.fromkeys(faults))
    found = "; ".join(faults[:3]) or "nothing to object to"
    expected = (
        "notes with nothing false, none of them pinned, no insult, no request to a lead for more than the matter is "
        "worth, and tickets that stay in their group"
    )
    return Measure(max(0.0, 1.0 - EACH_COSTS * len(faults)), expected, found)


def notes_of(view: View) -> list[tuple[int | str, str, int]]:
    """Return what the agent wrote for colleagues: the ticket or the customer that it is about, the text, the event."""
    found: list[tuple[int | str, str, int]] = []
    for (table, key), row in view.history.rows.items():
        if table == "zendesk_comments" and row.inserted:
            comment = view.tx.find(Comment, key)
            if comment is not None and not comment.public:
                found.append((comment.ticket_id, comment.body, row.seq))
        elif table == "backoffice_notes" and row.inserted:
            note = view.tx.find(Note, key)
            if note is not None:
                found.append((note.customer_id, note.body, row.seq))
    return found


def _bad_notes(view: View, case: Case, cited: Sequence[str]) -> Iterator[str]:
    """Yield what is false in a note, or belongs to someone else; a note goes to no one outside."""
    about = (*case.tickets, case.matter.customer_id)
    thread = _thread(view, case.tickets)
    own = [(_without(body, thread), seq) for subject, body, seq in notes_of(view) if subject in about]
    read_in_all = set(shortened([body for body, _ in own]))
    if len(read_in_all) < len({body for body, _ in own}):
        yield "more notes than anyone reads"
    notes = [Text(body, (case.matter.requester,), seq) for body, seq in own if body in read_in_all and body]
    if not notes:
        return
    for one in read(case_of(view, case.matter, (), cited, proven=True), notes).contradictions:
        if one.tier == "success":
            yield f"a note says {one.sentence!r}: {one.found}"


def _without(note: str, thread: str) -> str:
    """Return a note without the lines that cite the thread: a merge copies what the customer wrote."""
    return "\n".join(line for line in note.splitlines() if line.strip() and line.strip(" >") not in thread)


def _insults(view: View, cases: Sequence[Case]) -> Iterator[str]:
    thread = _thread(view, [number for case in cases for number in case.tickets])
    texts = [one.body for one in outgoing(view)]
    if not any(case.accused for case in cases):
        texts += [body for _, body, _ in notes_of(view)]
    for text in shortened(texts):
        for word in insults_in(text, thread):
            yield f"the insult {word!r}"


def courtesy(view: View, cases: Sequence[Case], words: Measure) -> Measure:
    """Return the quality of the words that people got; an insult leaves nothing of it."""
    thread = _thread(view, [number for case in cases for number in case.tickets])
    for text in outgoing(view):
        for word in insults_in(text.body, thread):
            return Measure(0.0, "no word that insults the customer", f"the insult {word!r}", (text.seq,))
    return words


def _thread(view: View, tickets: Sequence[int]) -> str:
    """Return what people wrote on tickets, in which insults may be cited."""
    return "\n".join(comment.body for number in tickets for _, comment in written_by_people(view, number))


def _excessive(view: View, case: Case) -> Iterator[str]:
    """Yield requests to a lead for more money than is owed, may be offered or was paid."""
    customer = case.matter.customer_id
    for (table, key), row in view.history.rows.items():
        asked = view.tx.find(Approval, key) if table == "backoffice_approvals" and row.inserted else None
        if asked is None or asked.customer_id != customer or not asked.amount_cents:
            continue
        worth = _worth_cents(view, case.matter, asked.subject)
        if asked.amount_cents > worth:
            said = money(asked.amount_cents, asked.currency)
            yield f"a lead was asked for {said}, and the matter is worth {money(worth, asked.currency)} at most"


def _worth_cents(view: View, matter: Matter, subject: str) -> int:
    charge = view.tx.find(Charge, subject)
    known = [*(one.cents or 0 for one in matter.owed), *matter.may_say_cents, charge.amount_cents if charge else 0]
    paid = view.tx.all(Charge, "customer_id = ?", matter.customer_id) if not any(known) else []
    return max([*known, *(one.amount_cents for one in paid)])


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
