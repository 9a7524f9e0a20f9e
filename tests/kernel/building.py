"""A company whose builds are logged, also as a process that builds its image and may die in the middle."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from diorama.kernel import Company, Product, Record, Tx, World, image_of

ROOT = Path(__file__).parents[2]
SOURCES = f"sources-{sys.implementation.cache_tag}.json"
APP = Product("quarry")


@APP.record("stones", search=("name",))
class Stone(Record):
    """A record of the test image."""

    name: str


def fill(tx: Tx, size: str) -> None:
    """Add stones; LINGER makes it last, DIE kills it."""
    log("begin")
    for number in range(500):
        tx.add(Stone(name=f"{size} stone {tx.dice('stone', number).hex(4)}"))
        if number == 250 and os.environ.get("DIE"):
            os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(float(os.environ.get("LINGER", "0")))
    log("end")


def log(word: str) -> None:
    """Append one line to the log."""
    with open(os.environ["BUILD_LOG"], "a", encoding="utf-8") as file:
        file.write(f"{word}\n")


COMPANY = Company("quarry", [APP], build=fill)


class Yard:
    """A cache folder, and processes that build into it."""

    def __init__(self, folder: Path) -> None:
        self.cache = folder / "cache"
        self.log = folder / "log"
        self.log.touch()

    def start(self, **settings: str) -> "subprocess.Popen[str]":
        """Start a process that opens the image."""
        env = {**os.environ, "DIORAMA_CACHE": str(self.cache), "BUILD_LOG": str(self.log), **settings}
        return subprocess.Popen(
            [sys.executable, "-m", "tests.kernel.building"],
            env=env, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def told(self) -> list[str]:
        """Return which builds began and ended."""
        return self.log.read_text().split()

    def files(self) -> set[str]:
        """Return the kinds of files of images."""
        return {path.suffix for path in self.cache.iterdir() if path.name != SOURCES}


if __name__ == "__main__":
    image = image_of(COMPANY)
    world = World.open(COMPANY, image)
    sys.stdout.write(f"{image.digest} {world.state} {world.read(lambda tx: tx.count(Stone))}")
