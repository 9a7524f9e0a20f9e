"""Tickets in a queue: the agent finds the ticket, answers before a deadline, and files it where it belongs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, ClassVar

import msgspec

from diorama.apps.zendesk.schema import Group, Ticket
from diorama.kernel import Dice
from diorama.rewards import View, fact
from diorama.rewards.finding import Finding
from diorama.rewards.parts import Fact
from diorama.scenarios.anatomy import Hands, Stage, cheat
from diorama.scenarios.clerk import Clerk
from diorama.scenarios.crowd import staff_words
from diorama.scenarios.desk import DeskScenario
from diorama.scenarios.desk_facts import DeskTruth
from diorama.scenarios.desk_mail import Others
from diorama.scenarios.past import Scene
from diorama.scenarios.plan import Plan
from diorama.worlds import closing

SECONDS_LEFT = (540, 840)
"""How much time is left for the first reply when the episode starts."""


class QueuePlan(Plan, frozen=True, kw_only=True):
    """A plan that also says how the ticket is filed."""

    priority: str


class QueueTruth(DeskTruth, frozen=True, kw_only=True):
    """The truth of a ticket with a deadline."""

    priority: str
    group: str
    tags: tuple[str, ...]
    minutes: int
    """The minutes after the mail within which the first reply is due."""


class QueueDesk(DeskScenario):
    """A ticket that must be found, answered in time and filed; mixed into the class of a company."""

    truth = QueueTruth
    minutes: ClassVar[Mapping[str, int]]
    """Minutes until the first reply is due, by priority."""
    groups: ClassVar[Mapping[str, str]]
    """The group that a ticket belongs to, by contact reason."""
    ticket_tags: ClassVar[tuple[str, ...]] = ()
    """Tags that the ticket must have."""
    search: ClassVar[str]
    """A search at the desk that shows the ticket among others."""

    def compose(
        self, stage: Stage, plan: Plan, scene: Scene
    ) -> tuple[QueueTruth, dict[str, str], tuple[str, ...], str]:
        """Add how the ticket is filed, and when it is due."""
        made, facts, matter, subject = super().compose(stage, plan, scene)
        priority = plan.priority if isinstance(plan, QueuePlan) else "normal"
        truth = QueueTruth(
            **{name: getattr(made, name) for name in made.__struct_fields__},
            priority=priority,
            group=self.groups[made.reason],
            tags=self.ticket_tags,
            minutes=self.minutes[priority],
        )
        return truth, facts, matter, subject

    def let_it_wait(self, stage: Stage, truth: DeskTruth, others: Others, clock: Dice) -> None:
        """Let time pass until the first reply is almost due."""
        assert isinstance(truth, QueueTruth)
        begins = stage.now + timedelta(minutes=truth.minutes, seconds=-clock.integer(*SECONDS_LEFT))
        stage.wait(timedelta(seconds=clock.integer(11, 47)))
        others.write(clock.integer(1, 2) if truth.minutes > 30 else 1)
        stage.wait(begins - stage.now)

    # --- facts

    def facts_for(self, truth: DeskTruth) -> Sequence[Fact]:
        """Let the queue earn only if a record that decides it was shown."""
        return [
            msgspec.structs.replace(one, decided_by=truth.records) if one.name == "queue_is_right" else one
            for one in super().facts_for(truth)
        ]

    @fact("classified", weight=1.0, booked="commitment", kind="field")
    def queue_is_right(self, view: View, truth: QueueTruth) -> Finding:
        """The solved ticket has its priority, its group and its tags."""
        ticket = view.tx.get(Ticket, truth.ticket_id)
        group = view.tx.find(Group, ticket.group_id) if ticket.group_id else None
        missing = [tag for tag in truth.tags if tag not in ticket.tags]
        found = f"{ticket.priority or 'no'} priority, {group.name if group else 'no group'}"
        held = [tag for tag in truth.tags if tag in ticket.tags]
        found += f", with {', '.join(held)}" if held else ""
        found += f", without the tag {', '.join(missing)}" if missing else ""
        filed = ticket.priority == truth.priority and group is not None and group.name == truth.group and not missing
        wanted = f"{truth.priority} priority, {truth.group}, with {', '.join(truth.tags) or 'any tags'}"
        return Finding(filed and ticket.status in closing.DONE, f"solved with {wanted}", f"{ticket.status}, {found}")

    @fact("responded", weight=1.0, booked="commitment", kind="words")
    def first_reply_was_in_time(self, view: View, truth: QueueTruth) -> Finding:
        """The first reply, with at least one sentence, went out before it was due."""
        due = view.tx.get(Ticket, truth.ticket_id).created_at + timedelta(minutes=truth.minutes)
        first = next(iter(staff_words(view.tx, truth.ticket_id, 0)), None)
        found = f"the first reply at {first.created_at:%H:%M:%S}" if first is not None else "no reply"
        in_time = first is not None and first.created_at <= due
        came = view.tx.get(Ticket, truth.ticket_id).created_at
        expected = (
            f"a first reply until {due:%H:%M:%S}: {truth.minutes} minutes ({truth.priority}) from {came:%H:%M:%S}"
        )
        return Finding(in_time, expected, found)

    # --- the oracle

    def look_up(self, clerk: Clerk, truth: DeskTruth) -> None:
        """Find the ticket in the queue; say that it is being looked at, if it will take longer."""
        clerk.do("zendesk_search_tickets", query=self.search, sort_by="created_at")
        super().look_up(clerk, truth)
        if truth.owed:
            text = "Hello, thank you for writing. I am looking into this right now."
            clerk.do("zendesk_reply_to_ticket", ticket_id=truth.ticket_id, body=text)

    def filing(self, clerk: Clerk, truth: DeskTruth) -> dict[str, Any]:
        """Return the group, the priority and the tags."""
        assert isinstance(truth, QueueTruth)
        groups = clerk.do("zendesk_list_groups")["groups"]
        group = next(one["id"] for one in groups if one["name"] == truth.group)
        return {"group_id": group, "priority": truth.priority, "add_tags": list(truth.tags)}

    # --- cheats

    @cheat
    def lets_the_clock_run_out(self, hands: Hands, truth: QueueTruth) -> None:
        """Do everything right, but after the first reply was due."""
        hands.call("wait", {"minutes": 70})
        self.oracle(hands, truth)

    @cheat
    def answers_and_forgets(self, hands: Hands, truth: QueueTruth) -> None:
        """Stop the clock with a kind reply, file the ticket and fill in the form, and do nothing else."""
        clerk = Clerk(hands, truth.ticket_id)
        clerk.read_ticket()
        text = "Thank you for your patience, we are on it."
        clerk.try_("zendesk_reply_to_ticket", ticket_id=truth.ticket_id, body=text)
        fields = {closing.TITLES[key]: values[0] for key, values in truth.closing.items() if values}
        fields.setdefault(closing.TITLES["record"], truth.order_number)
        filing = self.filing(clerk, truth)
        clerk.try_("zendesk_update_ticket", ticket_id=truth.ticket_id, fields=fields, status="solved", **filing)
        clerk.try_("finish", report="Done.")


__all__ = ["QueueDesk", "QueuePlan", "QueueTruth"]
