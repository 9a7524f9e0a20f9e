"""What a plan owes about coffee plans: a pause, a skipped delivery, a new start, another coffee, an end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args

import msgspec

from diorama.apps.backoffice.deeds import pause_end
from diorama.apps.backoffice.schema import CancelReason, Subscription
from diorama.kernel import Tx
from diorama.kit.damage import Cell
from diorama.kit.deeds import Owed
from diorama.people import check
from diorama.scenarios.cast import Cast, Value
from diorama.scenarios.clerk import TRIES, Clerk
from diorama.scenarios.owed import DEED_KINDS, Due, Ends, Kind

CHANGE = "backoffice_change_subscription"


class Steering(Due, frozen=True, kw_only=True):
    """A subscription has to be changed: from a day of the cast on, to values of the cast or given ones."""

    on: str = ""
    sets: tuple[tuple[str, str], ...] = ()
    """What is set, and the cast's name of its value."""
    given: tuple[tuple[str, str], ...] = ()

    def mistakes(self) -> Iterator[str]:
        """Yield a wrong row or reason."""
        yield from super().mistakes()
        known = get_args(CancelReason)
        for key, value in self.given:
            if key == "reason" and value not in known:
                yield f"end({value!r}): there are {', '.join(map(repr, known))}"

    def owed(self, cast: Cast, currency: str, about: str) -> Owed:
        """Return what is owed, with its day and its values."""
        made = super().owed(cast, currency, about)
        goal = {key: str(cast[name]) for key, name in self.sets} | dict(self.given)
        if self.kind == "plan_change" and cast[self.rows[0]].option:
            goal.setdefault("option", cast[self.rows[0]].option)  # what no one asked to change stays
        day = Value(self.on, "day").of(cast).isoformat() if self.on else ""
        made = msgspec.structs.replace(made, to=goal or None, day=day)
        return msgspec.structs.replace(made, sentence=DEED_KINDS[self.kind].verdict(made, about))


def pause(until: str = "until", row: str = "subscription") -> Due:
    """A subscription has to rest and go on on a day of the cast."""
    return Steering(kind="pause", rows=(row,), on=until)


def skip(to: str = "later", row: str = "subscription") -> Due:
    """The next deliveries have to be left out, so that the next one is on a day of the cast."""
    return Steering(kind="skip", rows=(row,), on=to)


def resume(row: str = "subscription") -> Due:
    """A paused subscription has to go on at once."""
    return Steering(kind="resumption", rows=(row,), given=(("soon", "yes"),))


def change_plan(plan: str = "new_plan", option: str = "", row: str = "subscription") -> Due:
    """A subscription has to have another plan of the cast and, if given, another option; otherwise it keeps its own."""
    return Steering(kind="plan_change", rows=(row,), sets=(("plan", plan), *((("option", option),) if option else ())))


def end(reason: str, row: str = "subscription", at: Ends = "now") -> Due:
    """A subscription has to be cancelled for a reason, now or at its next renewal."""
    return Steering(kind="cancellation", rows=(row,), given=(("at", at), ("reason", reason)))


class SteerKind(Kind):
    """A subscription is changed."""

    takes = (Subscription,)
    columns: tuple[str, ...] = ("status", "next_renewal_at", "resumes_at")

    def need(self, owed: Owed) -> tuple[str, dict[str, Any]]:
        """Return the check for the subscription's row."""
        return "owed.steered", {"owed": msgspec.to_builtins(owed)}

    def covers(self, tx: Tx, owed: Owed, cell: Cell) -> bool:
        """Cover the columns of the subscription that such a change sets, unless it was cancelled."""
        mine = cell.table == "backoffice_subscriptions" and cell.key in owed.subjects
        if cell.row.get("status") == "cancelled":
            return False
        return mine and cell.column in (*self.columns, "timer", "updated_at")


class PauseKind(SteerKind):
    """A subscription rests until a day."""

    helper = "pause"

    def verdict(self, owed: Owed, about: str) -> str:
        """Return what rests until when."""
        return f"subscription {owed.subjects[0]} paused until {owed.day}"

    def do(self, clerk: Clerk, owed: Owed, why: str) -> None:
        """Pause it; a pause with another end is ended first."""
        known = clerk.do("backoffice_get_record", kind="subscriptions", id=owed.subjects[0])
        if known["status"] == "paused":
            clerk.do(CHANGE, subscription_id=owed.subjects[0], action="resume")
        made = clerk.do(CHANGE, subscription_id=owed.subjects[0], action="pause", resumes_at=f"{owed.day}T09:00:00Z")
        clerk.note("pause", made, "resumes_at")

    def sentence(self, owed: Owed, about: str) -> str:
        """Return until when it rests."""
        return f"I have paused your coffee plan; it goes on by itself on {owed.day}."


class SkipKind(SteerKind):
    """Deliveries are left out."""

    helper = "skip"

    def verdict(self, owed: Owed, about: str) -> str:
        """Return when the next delivery is."""
        return f"deliveries of {owed.subjects[0]} left out until the renewal of {owed.day}"

    def do(self, clerk: Clerk, owed: Owed, why: str) -> None:
        """Leave one out until the day is right."""
        made = clerk.do("backoffice_get_record", kind="subscriptions", id=owed.subjects[0])
        for _ in range(TRIES):
            if made["next_renewal_at"][:10] >= owed.day:
                break
            made = clerk.do(CHANGE, subscription_id=owed.subjects[0], action="skip")
        clerk.note("skip", made, "next_renewal_at")

    def sentence(self, owed: Owed, about: str) -> str:
        """Return when the next delivery is."""
        return f"As you asked, the next renewal is on {owed.day}."


class ResumeKind(SteerKind):
    """A paused subscription goes on."""

    helper = "resume"

    def verdict(self, owed: Owed, about: str) -> str:
        """Return what goes on."""
        return f"subscription {owed.subjects[0]} goes on within days"

    def do(self, clerk: Clerk, owed: Owed, why: str) -> None:
        """Resume it."""
        made = clerk.do(CHANGE, subscription_id=owed.subjects[0], action="resume")
        clerk.note("resumption", made, "next_renewal_at")

    def sentence(self, owed: Owed, about: str) -> str:
        """Return that it goes on."""
        return "Your coffee plan runs again; the next bag is charged tomorrow."


class ChangePlanKind(SteerKind):
    """A subscription gets another plan."""

    helper = "change_plan"

    columns = ("plan_code", "option")

    def verdict(self, owed: Owed, about: str) -> str:
        """Return the new plan."""
        return f"subscription {owed.subjects[0]} changed to {', '.join((owed.to or {}).values())}"

    def do(self, clerk: Clerk, owed: Owed, why: str) -> None:
        """Look up the plans and change it."""
        clerk.do("backoffice_list_records", kind="plans", limit=50)
        made = clerk.do(CHANGE, subscription_id=owed.subjects[0], action="change_plan", **(owed.to or {}))
        clerk.note("plan_change", made, "next_renewal_at")

    def sentence(self, owed: Owed, about: str) -> str:
        """Return that it is changed."""
        return "I have changed your coffee plan as you asked."


DEED_KINDS |= {
    "pause": PauseKind(),
    "skip": SkipKind(),
    "resumption": ResumeKind(),
    "plan_change": ChangePlanKind(),
}


@check("owed.steered")
def steered(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Check whether a subscription is as owed."""
    owed = msgspec.convert(args["owed"], Owed)
    found, goal = tx.get(Subscription, owed.subjects[0]), owed.to or {}
    if owed.kind == "pause":
        return found.status == "paused" and pause_end(found) == owed.day
    if owed.kind == "skip":
        return found.next_renewal_at is not None and f"{found.next_renewal_at:%Y-%m-%d}" >= owed.day
    if owed.kind == "resumption":
        return found.status == "active"
    return found.plan_code == goal["plan"] and found.option == goal.get("option", found.option)
