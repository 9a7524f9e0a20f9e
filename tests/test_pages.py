"""Pages that show program output match the real output; `make pages` rewrites them."""

import re
import sys
from pathlib import Path

from diorama.worlds import open_world
from diorama.worlds.threads import as_text, threads

ROOT = Path(__file__).parents[1]
LARKSPUR = ROOT / "docs" / "explanation" / "larkspur.md"
SHOWN = re.compile(r"(?<=^```text\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
ASKED = re.compile(r"^diorama worlds larkspur --threads (\d+) --seed (\d+)$", re.MULTILINE)


def printed() -> str:
    """Return the output of the command on the page."""
    asked = ASKED.search(LARKSPUR.read_text(encoding="utf-8"))
    assert asked is not None
    return as_text(threads(open_world("larkspur"), int(asked[1]), int(asked[2])))


def test_the_threads_on_the_page_are_what_the_command_prints() -> None:
    shown = SHOWN.search(LARKSPUR.read_text(encoding="utf-8"))
    assert shown is not None
    assert shown[0] == printed(), "the desk's past has changed; run `make pages` and read it"


def main() -> None:
    """Rewrite the pages."""
    text = printed()
    assert "```" not in text
    LARKSPUR.write_text(SHOWN.sub(lambda _: text, LARKSPUR.read_text(encoding="utf-8"), count=1), encoding="utf-8")
    sys.stdout.write(f"wrote {LARKSPUR.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
