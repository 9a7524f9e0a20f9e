"""Another process that builds an image: it notes when a build begins and ends, and may die in the middle."""

import os
import signal
import sys
import time

from diorama.kernel import Company, Product, Record, Tx, World, image_of

APP = Product("quarry")


@APP.record("stones", search=("name",))
class Stone(Record):
    """Something heavy."""

    name: str


def fill(tx: Tx, size: str) -> None:
    """Slow enough for a second builder to come along."""
    log("begin")
    for number in range(500):
        tx.add(Stone(name=f"{size} stone {tx.dice('stone', number).hex(4)}"))
        if number == 250 and os.environ.get("DIE"):
            os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(float(os.environ.get("LINGER", "0")))
    log("end")


def log(word: str) -> None:
    """One line per happening, appended at once."""
    with open(os.environ["BUILD_LOG"], "a", encoding="utf-8") as file:
        file.write(f"{word}\n")


COMPANY = Company("quarry", [APP], build=fill)

if __name__ == "__main__":
    image = image_of(COMPANY)
    world = World.open(COMPANY, image)
    sys.stdout.write(f"{image.digest} {world.state} {world.read(lambda tx: tx.count(Stone))}")
