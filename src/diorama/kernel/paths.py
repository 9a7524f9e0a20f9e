"""Paths that a user gave: why one cannot be used, in a few words and without an exception."""

import os
import stat
from pathlib import Path


def folder_problem(path: Path) -> str:
    """Return why a folder cannot be listed, or "" if it can."""
    found = _mode(path)
    if isinstance(found, str):
        return found or "there is no such folder"
    if not stat.S_ISDIR(found):
        return "it is not a folder"
    return "" if os.access(path, os.R_OK | os.X_OK) else "you may not read it"


def file_problem(path: Path) -> str:
    """Return why something that may be at a path cannot be looked at; "" if it can, and if nothing is there."""
    found = _mode(path)
    return found if isinstance(found, str) else ""


def _mode(path: Path) -> int | str:
    """Return the mode of what is at a path, or why it cannot be told: "" if nothing is there."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:  # a name with a null character is a ValueError
        return getattr(error, "strerror", None) or str(error)
