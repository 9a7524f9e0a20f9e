"""Usage errors that commands raise."""

from pathlib import Path

from diorama.episodes.usage import Misuse

__all__ = ["Misuse", "out_path", "writable"]


def out_path(text: str) -> Path:
    """Parse --out; refuse the empty text, which Path takes for the current folder."""
    if not text.strip():
        raise Misuse("--out is empty: name a file or a folder.")
    return Path(text)


def writable(file: Path) -> Path:
    """Return a file that can be written; refuse any other before long work is done for it."""
    try:
        with file.open("a", encoding="utf-8"):
            return file
    except OSError as error:
        raise Misuse(f"Cannot write {file}: {error.strerror}. Choose another file with --out.") from None
