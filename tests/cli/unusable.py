"""Run commands with a path that cannot be used, each in a process of its own, as a user who is not root."""

import ctypes
import json
import os
import pkgutil
import sys
from importlib import import_module
from pathlib import Path

from diorama.cli import main

PR_CAPBSET_DROP = 24
READS_EVERYTHING = (1, 2)
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, with which root may read every folder."""


def obey_permissions() -> None:
    """Let the programs that this process starts obey permissions, also as root."""
    if os.geteuid() == 0:
        for capability in READS_EVERYTHING:
            ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


def attempt(words: list[str], settings: dict[str, str], folder: Path) -> tuple[int, str, str]:
    """Run one command in a child; return its exit code and what it wrote."""
    out, err = folder / "stdout", folder / "stderr"
    child = os.fork()
    if not child:
        for fd, file in ((1, out), (2, err)):
            os.dup2(os.open(file, os.O_CREAT | os.O_TRUNC | os.O_WRONLY), fd)
        os.environ |= settings
        sys.argv = ["diorama", *words]
        code = 99
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        except BaseException:  # noqa: BLE001 - what Python does at the end of a process
            sys.excepthook(*sys.exc_info())
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), out.read_text(), err.read_text()


def import_everything() -> None:
    """Import what commands use, so that the children need not; nothing is searched for yet."""
    for name in ("apps", "worlds", "scenarios", "cli", "runs", "check", "contract"):
        package = import_module(f"diorama.{name}")
        for info in pkgutil.iter_modules(package.__path__):
            import_module(f"{package.__name__}.{info.name}")


if __name__ == "__main__":
    import_everything()
    asked = json.loads(sys.stdin.read())
    done = [attempt(words, settings, Path(asked["folder"])) for words, settings in asked["commands"]]
    sys.stdout.write(json.dumps(done))
