"""Plans for a morning with an outage: each says what has happened before Ana starts work, and what comes later."""

from __future__ import annotations

import msgspec

from diorama.scenarios.outage_flood.things import THINGS

ANY = tuple(sorted(THINGS))
TAKES_MONEY = tuple(name for name in ANY if THINGS[name].charges)
NEW = "eval-new"


class Plan(msgspec.Struct, frozen=True):
    """What is different this time."""

    name: str
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
    """The engineers have given the all-clear before Ana starts work."""
    false_dawn: bool = False
    """The engineers think that it is over, and are not sure."""
    late: int = 0
    """How many customers write while the agent waits for the repair."""
    split: str = ""
    """`eval-new` for a plan that is never trained on."""


PLANS = (
    Plan("nobody_opened_one"),
    Plan("colleague_opened_one", opened=True),
    Plan("money_for_some", things=TAKES_MONEY, billed=2),
    Plan("they_do_not_know", things=TAKES_MONEY, billed=2, silent=True, opened=True),
    Plan("one_is_mistaken", things=TAKES_MONEY, billed=1, mistaken=True),
    Plan("all_are_mistaken", things=TAKES_MONEY, mistaken=True, opened=True),
    Plan("a_stray_on_it", opened=True, stray=True),
    Plan("the_older_problem", older=True),
    Plan("opened_twice", opened=True, second=True),
    Plan("over_already", fixed=True),
    Plan("over_with_money_due", things=TAKES_MONEY, fixed=True, billed=2, opened=True),
    Plan("not_sure_yet", opened=True, false_dawn=True),
    Plan("they_keep_coming", late=2),
    Plan("two_problems_and_a_stray", opened=True, second=True, stray=True, older=True, split=NEW),
    Plan("hope_and_money", things=TAKES_MONEY, billed=1, mistaken=True, false_dawn=True, late=1, split=NEW),
)
