"""Two bad judges of late-refund: one believes everything, the other accepts only the oracle's own way."""

import re
from collections.abc import Sequence
from typing import Any

from diorama.kernel import Event, Tx
from diorama.kit.damage import Cell
from diorama.rewards import View, fact
from diorama.rewards.finding import Finding
from diorama.rewards.parts import Fact
from diorama.scenarios.desk import DeskTruth
from diorama.scenarios.late_refund import LateRefund
from diorama.scenarios.saying import outgoing

WAY = re.compile(r"tt[wo]+csf?")


class Gullible(LateRefund):
    """A judge that is content with any reply, and sees no damage."""

    def facts_for(self, truth: DeskTruth) -> Sequence[Fact]:
        """Judge nothing but the reply."""
        return [one for one in self.facts if one.name == "customer_was_told"]

    @fact("responded", booked="commitment")
    def customer_was_told(self, view: View, truth: DeskTruth) -> Finding:
        """There is a reply."""
        said = len(outgoing(view))
        return Finding(bool(said), "a reply", f"{said} replies")

    def committed_values(self, view: View, truth: DeskTruth) -> dict[str, Any]:
        """Allow any number of guesses."""
        return {}

    def covers(self, tx: Tx, truth: DeskTruth, cell: Cell) -> bool:
        """Allow everything."""
        return True


class Unfair(LateRefund):
    """A judge that accepts only the oracle's words, steps, order and door."""

    @fact("responded", booked="commitment")
    def customer_was_told(self, view: View, truth: DeskTruth) -> Finding:
        """The only reply is the oracle's, letter by letter, and the work was done in the oracle's own steps."""
        steps = "".join(map(_letter_of, (one for one in view.own() if one.actor.startswith("agent:"))))
        whole = WAY.fullmatch(steps) or not steps.endswith(("s", "f"))
        same = [text.body for text in outgoing(view)] == [truth.reply]
        return Finding(bool(whole) and same, "the oracle's own way", steps or "no step")


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
