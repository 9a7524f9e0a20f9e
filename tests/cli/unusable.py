"""Run commands with a path that cannot be used, each in a process of its own, as a user who is not root."""

import ctypes
import json
import os
import sys
from pathlib import Path

from tests.cli.commands import attempt, import_everything

PR_CAPBSET_DROP = 24
READS_EVERYTHING = (1, 2)
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, with which root may read every folder."""


def obey_permissions() -> None:
    """Let the programs that this process starts obey permissions, also as root."""
    if os.geteuid() == 0:
        for capability in READS_EVERYTHING:
            ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


if __name__ == "__main__":
    import_everything()
    asked = json.loads(sys.stdin.read())
    files = (Path(os.devnull), Path(asked["folder"]) / "stdout", Path(asked["folder"]) / "stderr")
    done = []
    for words, settings in asked["commands"]:
        code = attempt(words, {**os.environ, **settings}, files)
        done.append((code, files[1].read_text(), files[2].read_text()))
    sys.stdout.write(json.dumps(done))
