"""The end of a transaction: what it leaves in the clock row, and the row changes that it made."""

from __future__ import annotations

from diorama.kernel.changes import Change, Net, updated_digest, updated_sums
from diorama.kernel.hot import Hot
from diorama.kernel.lane import Lane
from diorama.kernel.schema import NEVER, due_after
from diorama.kernel.tx import Tx
from diorama.kernel.work import Work


def conclude(lane: Lane, clock: Hot, work: Work, tx: Tx) -> tuple[list[Change], int]:
    """Write id counters, set the clock and the state digest; return the row changes and the time reached."""
    changes: list[Change] = []
    net: list[Net] = []
    if lane.journal.raw:
        net = lane.journal.net(tx.called)
        clock.state = updated_digest(clock.state, net)
        if lane.journal.touched:
            clock.sums = updated_sums(clock.sums, net, lane.journal.cached)
        changes = lane.journal.describe(net)
    clock.ids = tx.keep_ids()
    if tx._agenda_touched:
        due = due_after(clock.due, net)
        clock.due = lane.control("SELECT coalesce(min(at), ?) FROM _agenda", (NEVER,))[0][0] if due is None else due
    target = clock.now + round((tx.seconds + work.extra_seconds) * 1e6) if work.turn else clock.now
    clock.faults, clock.dice, clock.meters = tx.faults, tx.dice_key, tx.meters
    return changes, target
