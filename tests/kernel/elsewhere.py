"""A separate process: load a snapshot from standard input, continue in it, print the result."""

import json
import sys
from datetime import timedelta

from diorama.kernel import Snapshot, World
from diorama.kernel.testing import image_for
from tests.kernel.workshop import COMPANY, TESTER, Part, names, ring_on


def go_on(world: World) -> list[str]:
    """Continue a history: run planned commands, draw from dice, create ids, plan a command."""
    world.wait(timedelta(minutes=3))
    world.do(lambda tx: tx.add(Part(name=tx.dice("name", tx.seq).hex(6), stock=tx.dice("stock").integer(1, 9))), TESTER)
    world.plan(timedelta(minutes=1), ring_on, bell="late", every_seconds=30, times=3)
    world.wait(timedelta(minutes=20))
    return [world.state, world.trace, str(world.now), ",".join(names(world)), str(world.turn)]


if __name__ == "__main__":
    world = World.at(Snapshot.load(sys.stdin.buffer.read(), COMPANY, image_for(COMPANY)))
    sys.stdout.write(json.dumps([[world.state, world.trace], go_on(world)]))
