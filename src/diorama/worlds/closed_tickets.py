"""What past tickets state in their closing form: taken from the desk's last answer and the rows of the order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from diorama.apps.backoffice.schema import Return
from diorama.apps.zendesk.schema import TicketField
from diorama.kernel import Tx
from diorama.worlds.closing import ANSWERED, EXPLAINED, NOTHING, REFUNDED, ClosingForm
from diorama.worlds.firm import Firm
from diorama.worlds.parcels import parcel_state
from diorama.worlds.story_builder import Story, Turn

_ENDS = {"ignored": NOTHING, "thanked": NOTHING, "removed": ANSWERED}


class Closings:
    """Fills in the closing form of the tickets of a firm's past."""

    def __init__(self, tx: Tx, firm: Firm, form: ClosingForm, fields: Mapping[str, TicketField]) -> None:
        self.tx = tx
        self.firm = firm
        self.form = form
        self.ids = {key: str(field.id) for key, field in fields.items()}
        self.facts = {rule.fact for rule in form.reason_rules}
        self.tags = {option.value for field in form.fields for option in field.options}
        """All tags that belong to a field of the form."""

    def values(self, story: Story, place: int) -> dict[str, str]:
        """Return what the form says, by key, when the turn at `place` solves the ticket."""
        turn, reason = story.turns[place], self._reason(story, story.turns[place])
        resolution = self._resolution(story, place)
        filled = {"reason": reason, "resolution": resolution}
        history = story.history
        for key in self.form.needs(resolution):
            if key == "record":
                filled[key] = next(self._records(story, reason))
            elif key == "effective":
                filled[key] = self._effective(story, turn)
            elif history is not None and history.refund is not None:
                whole, rest = divmod(history.refund.amount_cents, 100)
                filled[key] = f"{whole}.{rest:02d}" if key == "amount" else f"to_{history.refund.destination}"
        return filled

    def _reason(self, story: Story, turn: Turn) -> str:
        """Return the contact reason by the table: what the letter is about, and what the order's rows say."""
        topic, facts = story.topic, set[str]()
        facts.add(topic.cases.get(story.case, topic.fact))
        if story.history is not None and story.history.order.subscription_id:
            facts.add("plan")
        if parcel_state(story.history, turn.at) == "lost":
            facts.add("lost")
        return self.form.reason_of(facts & self.facts)

    def _resolution(self, story: Story, place: int) -> str:
        if story.closes or story.topic.ends:
            return story.closes or _ENDS[story.topic.ends]
        told = [turn for turn in story.turns[: place + 1] if turn.by and turn.status == "solved"]
        done = next((turn for turn in reversed(told) if turn.matter), None)
        if done is None:
            return ANSWERED if any(turn.body for turn in told) else NOTHING
        state, book = parcel_state(story.history, done.at), self.firm.book
        for close in story.topic.closes:
            fits = not close.says or re.search(book.says(close.says), done.matter)
            if fits and close.state in ("", state) and story.history is not None:
                return EXPLAINED if close.how == REFUNDED and story.history.refund is None else close.how
        return ANSWERED

    def _records(self, story: Story, reason: str) -> Iterator[str]:
        """Yield the numbers of the records that a contact reason names, the best first."""
        history = story.history
        if history is not None:
            sent, paid_back = history.shipment, history.refund
            known = {
                "order": history.order.number,
                "charge": history.charge.id,
                "refund": paid_back.id if paid_back is not None else "",
                "tracking": sent.tracking_number if sent is not None else "",
                "subscription": history.order.subscription_id,
                "serial": story.facts.get("serial", ""),
                "customer": history.order.customer_id,
            }
            for source in self.form.sources(reason):
                found = known[source] if source != "return" else self._return(history.order.id)
                if found:
                    yield found
            yield history.order.number

    def _return(self, order_id: str) -> str:
        found = self.tx.first(Return, "order_id = ?", order_id, order="created_at")
        return found.number if found is not None else ""

    def _effective(self, story: Story, turn: Turn) -> str:
        """Return the day of the next delivery of a changed plan; the day of the turn if none is known."""
        plan = story.history.order.subscription_id if story.history is not None else ""
        later = [
            one.order.created_at
            for one in story.resident.histories
            if plan and one.order.subscription_id == plan and one.order.created_at > turn.at
        ]
        return self.firm.now(min(later, default=turn.at)).date().isoformat()
