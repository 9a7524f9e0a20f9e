"""How a morning with an outage can lie on the desk: each plan says who has done what before Ana comes in."""

from __future__ import annotations

import msgspec

from diorama.scenarios.outage_flood.things import THINGS

ANY = tuple(sorted(THINGS))
TAKES_MONEY = tuple(name for name in ANY if THINGS[name].charges)


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What is different this time."""

    things: tuple[str, ...] = ANY
    opened: bool = False
    """A colleague has opened the problem ticket, and hung one or two on it."""
    second: bool = False
    """Another colleague has opened one, too."""
    stray: bool = False
    """A ticket hangs on it that has nothing to do with it."""
    older: bool = False
    """There is an open problem of last month that sounds like it."""
    billed: int = 0
    """So many at least were charged twice."""
    silent: bool = False
    """Those do not know it."""
    mistaken: bool = False
    """Somebody says so and was not."""
    fixed: bool = False
    """It is over before Ana comes in."""
    false_dawn: bool = False
    """The engineers think that it is over, and are not sure."""
    late: int = 0
    """So many write while one waits for the repair."""


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
