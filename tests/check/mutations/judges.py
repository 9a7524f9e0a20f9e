"""Two bad judges of late-refund: one believes everything, the other accepts only the oracle's own way."""

import re
from functools import cached_property
from typing import Any, ClassVar

from diorama.kernel import Change, Event, Tx
from diorama.rewards import View, deed, fact
from diorama.rewards.parts import Harm
from diorama.scenarios.desk import replies
from diorama.scenarios.late_refund import LateRefund, RefundTruth

WAY = re.compile(r"to\w*gcsf?")


class Gullible(LateRefund):
    """A judge that is content with any reply, and sees no damage."""

    plans: ClassVar[Any] = ("believes everything",)

    @cached_property
    def harms(self) -> tuple[Harm, ...]:
        """See none."""
        return ()

    @deed("opened", weight=0.5)
    def ticket_was_read(self, event: Event, truth: RefundTruth) -> bool:
        """The agent did anything."""
        return True

    def _replied(self, view: View, truth: RefundTruth) -> bool:
        return bool(replies(view.tx, truth, view.staged_us))

    @fact("resolved", weight=4.0)
    def problem_is_fixed(self, view: View, truth: RefundTruth) -> bool:
        """There is a reply."""
        return self._replied(view, truth)

    @fact("classified", weight=1.0)
    def reason_is_right(self, view: View, truth: RefundTruth) -> bool:
        """There is a reply."""
        return self._replied(view, truth)

    @fact("responded", weight=2.0)
    def customer_knows(self, view: View, truth: RefundTruth) -> bool:
        """There is a reply."""
        return self._replied(view, truth)

    @fact("resolved", weight=1.0)
    def ticket_is_solved(self, view: View, truth: RefundTruth) -> bool:
        """There is a reply."""
        return self._replied(view, truth)

    def allowed(self, tx: Tx, truth: RefundTruth, change: Change) -> bool:
        """Allow everything."""
        return True


class Unfair(LateRefund):
    """A judge that accepts only the oracle's words, steps, order and door."""

    plans: ClassVar[Any] = ("accepts one way",)

    def told(self, view: View, truth: RefundTruth) -> bool:
        """Check whether the only reply is the oracle's, letter by letter."""
        return [comment.body for comment in replies(view.tx, truth, view.staged_us)] == [self._letter(truth)]

    def done(self, view: View, truth: RefundTruth) -> bool:
        """Check whether the work was done in the oracle's own steps."""
        steps = "".join(map(_letter_of, (one for one in view.own() if one.actor.startswith("agent:"))))
        whole = WAY.fullmatch(steps) or not steps.endswith(("s", "f"))
        return bool(whole) and super().done(view, truth)


def _letter_of(event: Event) -> str:
    """Return one letter for what an event is, "x" for what the oracle never does."""
    path, body = str(event.request.get("path", "")), str(event.request.get("body", ""))
    if event.operation in ("finish", "wait"):
        return event.operation[0]
    if event.door != "tools":
        return "x"
    if event.request.get("method") == "GET":
        return "t" if "/tickets/" in path else "o" if "/orders/" in path else "w"
    if event.request.get("method") == "PUT":
        marks = {"g": "additional_tags", "c": "comment", "s": "status"}
        found = [letter for letter, word in marks.items() if word in body]
        return found[0] if len(found) == 1 else "x"
    return "x" if path.endswith(("/credits", "/notes", "/void")) else "w"
