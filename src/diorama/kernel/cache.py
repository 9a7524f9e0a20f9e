"""The cache folder: where it is, and how processes share its files."""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EINVAL, EISDIR
from pathlib import Path

import platformdirs

from diorama.kernel.errors import Defect

PACKAGE = Path(__file__).parents[1]
PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600


def cache_folder() -> Path:
    """Return DIORAMA_CACHE, else a folder in the source checkout, else the user's cache folder."""
    chosen = os.environ.get("DIORAMA_CACHE")
    if chosen:
        return Path(chosen)
    checkout = checkout_of(PACKAGE)
    return checkout / ".cache" / "diorama" if checkout else Path(platformdirs.user_cache_dir("diorama"))


def checkout_of(package: Path) -> Path | None:
    """Return the writable source checkout that contains the package as src/diorama, or None."""
    source = package.parent
    try:
        project = tomllib.loads((source.parent / "pyproject.toml").read_text(encoding="utf-8")).get("project", {})
    except (OSError, ValueError):
        return None
    ours = source.name == "src" and project.get("name") == "diorama"
    return source.parent if ours and os.access(source.parent, os.W_OK) else None


def make_cache_folder() -> Path:
    """Create the cache folder, readable by this user only, and return it; raise Defect if it cannot be written."""
    folder = cache_folder()
    try:
        folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        if not os.environ.get("DIORAMA_CACHE"):  # a folder that the user chose keeps the permissions it has
            folder.chmod(PRIVATE_FOLDER)
            if checkout_of(PACKAGE) and not (folder / ".gitignore").exists():
                write_private(folder / ".gitignore", b"*\n")
        if not os.access(folder, os.W_OK):
            raise PermissionError(EACCES, os.strerror(EACCES))
    except OSError as error:
        message = f"cannot write to the cache folder {folder} ({error.strerror}): set DIORAMA_CACHE to another folder"
        raise Defect(message, boundary="reset") from error
    return folder


def write_private(path: Path, data: bytes) -> None:
    """Create or overwrite a file that only this user may read."""
    with open(path, "wb", opener=_private) as file:
        file.write(data)


def replace_private(path: Path, data: bytes) -> None:
    """Write a file under another name, then rename it: no reader sees half of it. The caller holds its lock."""
    draft = path.with_suffix(".note")
    clear_folder(draft)
    clear_folder(path)
    try:
        write_private(draft, data)
        os.replace(draft, path)
    except OSError:  # such as a full disk
        with suppress(OSError):
            draft.unlink()
        raise


def clear_folder(path: Path) -> None:
    """Move away a folder that has the name of a file of the cache; what is in it may belong to someone."""
    with suppress(FileNotFoundError, NotADirectoryError):
        if stat.S_ISDIR(path.lstat().st_mode):
            os.replace(path, tempfile.mkdtemp(prefix=f"{path.name}.moved-", dir=path.parent))


@contextmanager
def held(path: Path, wait: bool = True) -> Iterator[bool]:
    """Hold a lock file until the block or the process ends; yield False if another holds it and `wait` is off."""
    clear_folder(path)
    while True:
        with open(path, "wb", opener=_private) as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            try:
                ours = os.path.samestat(os.fstat(lock.fileno()), path.stat())
            except FileNotFoundError:
                ours = False
            if ours:  # otherwise its holder deleted it while we waited: the name belongs to another lock by now
                try:
                    yield True
                finally:
                    path.unlink(missing_ok=True)
                return


def _private(path: str, flags: int) -> int:
    return plain_file(path, flags)


def plain_file(path: str, flags: int) -> int:
    """Open a file, private if it is created; raise OSError for a pipe or device, which could keep us waiting."""
    opened = os.open(path, flags | os.O_NONBLOCK, PRIVATE_FILE)
    mode = os.fstat(opened).st_mode
    if not stat.S_ISREG(mode):
        os.close(opened)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR), path)
        raise OSError(EINVAL, "it is not a plain file", path)
    return opened


def read_plain(path: Path, most: int = -1) -> bytes:
    """Return the content of a plain file, or its first bytes."""
    with open(path, "rb", opener=plain_file) as file:
        return file.read(most)
