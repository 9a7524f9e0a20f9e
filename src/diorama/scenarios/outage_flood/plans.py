"""Plans for a morning with an outage: each says what colleagues have done before Ana starts work."""

from __future__ import annotations

import msgspec

from diorama.scenarios.outage_flood.things import THINGS

ANY = tuple(sorted(THINGS))
TAKES_MONEY = tuple(name for name in ANY if THINGS[name].charges)


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What is different this time."""

    things: tuple[str, ...] = ANY
    opened: bool = False
    """A colleague has opened the problem ticket and linked one or two incidents to it."""
    second: bool = False
    """Another colleague has opened a second problem ticket."""
    stray: bool = False
    """An unrelated ticket is linked to the problem."""
    older: bool = False
    """A problem ticket of last month is open and has a similar subject."""
    billed: int = 0
    """At least this many customers were charged twice."""
    silent: bool = False
    """The customers who were charged twice do not know it."""
    mistaken: bool = False
    """One customer claims a double charge but was charged once."""
    fixed: bool = False
    """The outage is over before Ana starts work."""
    false_dawn: bool = False
    """The engineers think that it is over, and are not sure."""
    late: int = 0
    """How many customers write while the agent waits for the repair."""


PLANS: dict[str, Plan] = {
    "nobody_opened_one": Plan(),
    "colleague_opened_one": Plan(opened=True),
    "money_for_some": Plan(things=TAKES_MONEY, billed=2),
    "they_do_not_know": Plan(things=TAKES_MONEY, billed=2, silent=True, opened=True),
    "one_is_mistaken": Plan(things=TAKES_MONEY, billed=1, mistaken=True),
    "a_stray_on_it": Plan(opened=True, stray=True),
    "the_older_problem": Plan(older=True),
    "opened_twice": Plan(opened=True, second=True),
    "over_already": Plan(fixed=True),
    "over_with_money_due": Plan(things=TAKES_MONEY, fixed=True, billed=2, opened=True),
    "not_sure_yet": Plan(false_dawn=True, opened=True),
    "they_keep_coming": Plan(late=2),
}
