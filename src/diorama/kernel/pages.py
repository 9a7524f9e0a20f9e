"""Pages: a read-only image that all worlds share, and layers of the pages that one world has written."""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import apsw

from diorama.kernel.cache import plain_file
from diorama.kernel.errors import Defect
from diorama.kernel.hot import Hot
from diorama.kernel.rows import Rows

PAGE = 2048
ZERO = bytes(PAGE)
DEEPEST = 8  # maximum number of frozen layers before some are merged

PART = 128
"""A packed page holds the parts of this size that differ from the image, behind two bytes that say which."""
MOST_PARTS = 11
"""A page is not packed if more parts of it differ."""

Layer = dict[int, bytes]
"""Pages by number: whole, or packed, which are shorter."""
NOTHING_DECODED: Mapping[str, Any] = {}


class Image:
    """A built database file: memory-mapped, never written, shared by all worlds and processes."""

    __slots__ = ("__weakref__", "bytes", "content", "ctime_ns", "digest", "known", "mtime_ns", "pages", "path", "rows")

    def __init__(self, path: Path, digest: str) -> None:
        self.path = path
        self.digest = digest
        self.known: dict[Any, Any] = {}
        """What was computed from the image alone and need not be computed again."""
        self.rows = Rows()
        with open(path, "rb", opener=plain_file) as file:
            found = os.fstat(file.fileno())
            if not found.st_size or found.st_size % PAGE:
                raise ValueError(f"{found.st_size} bytes is not a whole number of {PAGE}-byte pages")
            self.content = mmap.mmap(file.fileno(), found.st_size, access=mmap.ACCESS_READ)
        self.bytes, self.mtime_ns, self.ctime_ns = found.st_size, found.st_mtime_ns, found.st_ctime_ns
        self.pages = self.bytes // PAGE

    @property
    def layout(self) -> str:
        """A digest of the first page: pages that a world has written fit only over an image with the same one."""
        return sha256(self.content[:PAGE]).hexdigest()[:16]

    def page(self, number: int) -> bytes:
        """Return a page; behind the end they are zeros."""
        return self.content[number * PAGE : (number + 1) * PAGE] if number < self.pages else ZERO

    def content_hash(self) -> str:
        """Return a hash of the whole file."""
        return sha256(self.content).hexdigest()


def pack(page: bytes, base: bytes) -> bytes:
    """Return the parts of a page that differ from another one; the page itself if they are many."""
    which, parts = 0, []
    for start in range(0, PAGE, PART):
        part = page[start : start + PART]
        if part != base[start : start + PART]:
            which |= 1 << start // PART
            parts.append(part)
    return b"".join((which.to_bytes(2, "big"), *parts)) if len(parts) <= MOST_PARTS else page


def unpack(packed: bytes, base: bytes) -> bytes:
    """Undo pack(): return the whole page."""
    which, page, at = packed[0] << 8 | packed[1], bytearray(base), 2
    for start in range(0, PAGE, PART):
        if which & 1:
            page[start : start + PART] = packed[at : at + PART]
            at += PART
        which >>= 1
    return bytes(page)


class PageMap:
    """The pages of one world: frozen layers over an image, and its own top layer."""

    __slots__ = ("__weakref__", "bound_as", "decoded", "flushed", "frozen", "hot", "image", "lane", "pages", "top")

    def __init__(
        self,
        image: Image,
        frozen: tuple[Layer, ...] = (),
        pages: int | None = None,
        hot: Hot | None = None,
        decoded: Mapping[str, Any] = NOTHING_DECODED,
    ) -> None:
        self.image = image
        self.lane: object = None
        """The connection that was bound to these pages last: another one must drop its cache first."""
        self.bound_as = 0
        """Which of the bindings of that connection it was."""
        self.frozen = frozen
        self.top: Layer = {}
        self.pages = image.pages if pages is None else pages
        self.hot = hot
        """The clock row and the meters, which are newer than those in the pages; None means not read yet."""
        self.flushed: Hot | None = None
        """The struct that the pages hold, too."""
        self.decoded = decoded
        """Rows of `_truth` that are already decoded; never changed in place, because forks and snapshots share it."""

    def write(self, number: int, page: bytes) -> None:
        """Replace or add one page, in the top layer only."""
        if number >= self.pages:
            for hole in range(self.pages, number):
                self.top[hole] = ZERO
            self.pages = number + 1
        self.top[number] = page

    def freeze(self) -> tuple[Layer, ...]:
        """Freeze the top layer: its pages can be shared and are never written again."""
        if self.top:
            self.frozen = _merged((*self.frozen, self.top))
            self.top = {}
        return self.frozen

    def pack(self) -> None:
        """Keep only what differs from the image in the pages of the top layer.

        Frozen layers stay as they are: other worlds that are in use may share them.
        """
        top = self.top  # another thread may freeze it in the meantime
        for number, page in list(top.items()):
            if len(page) == PAGE:
                top[number] = pack(page, self.image.page(number))

    def fork(self) -> PageMap:
        """Return a map that starts with the same pages; each then writes its own."""
        return PageMap(self.image, self.freeze(), self.pages, self.hot, self.decoded)

    def written(self) -> Layer:
        """Return every page that differs from the image, in its newest version; the hot struct must be flushed."""
        if self.hot is not self.flushed:
            raise Defect("the pages of a world cannot leave before Lane.flush: its clock row is newer than they are")
        out: Layer = {}
        for layer in (*self.frozen, self.top):
            out.update(layer)
        return {
            number: page if len(page) == PAGE else unpack(page, self.image.page(number)) for number, page in out.items()
        }


def _merged(layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
    """Merge the newest layers while they are small compared to the layer below."""
    if len(layers) <= DEEPEST:
        return layers
    stack = list(layers)
    top = stack.pop()
    while stack and (len(stack[-1]) <= 2 * len(top) or len(stack) >= DEEPEST):
        top = {**stack.pop(), **top}
    return (*stack, top)


TRAITS = int(apsw.SQLITE_IOCAP_ATOMIC2K | apsw.SQLITE_IOCAP_SAFE_APPEND | apsw.SQLITE_IOCAP_SEQUENTIAL)


class PageFile:
    """The file that SQLite has open, backed by the page map that is bound to it."""

    __slots__ = ("map",)

    def __init__(self) -> None:
        self.map: PageMap | None = None

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - SQLite's name
        bound = self.map
        if bound is None:
            return b""
        number, skip = divmod(offset, PAGE)
        page = bound.top.get(number)
        if page is None:
            if number >= bound.pages:
                return b""
            for layer in reversed(bound.frozen):
                page = layer.get(number)
                if page is not None:
                    break
            else:
                start = offset - skip
                page = bound.image.content[start : start + PAGE]
        if len(page) != PAGE:
            page = unpack(page, bound.image.page(number))
        if amount == PAGE and not skip:
            return page
        if skip + amount <= PAGE:
            return page[skip : skip + amount]
        return page[skip:] + self.xRead(skip + amount - PAGE, offset + PAGE - skip)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        bound = self.map
        number, skip = divmod(offset, PAGE)
        if bound is None or skip or len(data) != PAGE:
            raise apsw.IOError(f"a world is written in whole pages, got {len(data)} bytes at {offset}")
        if number < bound.pages:
            bound.top[number] = bytes(data)
        else:
            bound.write(number, bytes(data))

    def xTruncate(self, size: int) -> None:  # noqa: N802 - SQLite's name
        bound = self.map
        if bound is not None:
            bound.pages = size // PAGE
            for number in [n for n in bound.top if n >= bound.pages]:
                del bound.top[number]

    def xFileSize(self) -> int:  # noqa: N802 - SQLite's name
        return self.map.pages * PAGE if self.map is not None else 0

    def xLock(self, level: int) -> None:  # noqa: N802 - SQLite's name
        pass

    def xUnlock(self, level: int) -> None:  # noqa: N802 - SQLite's name
        pass

    def xCheckReservedLock(self) -> bool:  # noqa: N802 - SQLite's name
        return False

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        pass

    def xSectorSize(self) -> int:  # noqa: N802 - SQLite's name
        return PAGE

    def xDeviceCharacteristics(self) -> int:  # noqa: N802 - SQLite's name
        return TRAITS

    def xFileControl(self, op: int, pointer: int) -> bool:  # noqa: N802 - SQLite's name
        return False

    def xClose(self) -> None:  # noqa: N802 - SQLite's name
        self.map = None


class PageVFS(apsw.VFS):
    """The file system of worlds: no files, no wall clock, no randomness."""

    NAME = "diorama"

    def __init__(self) -> None:
        super().__init__(self.NAME, base="")
        self.opened: PageFile | None = None
        self.clock: Callable[[], int] = lambda: 0  # virtual time, in microseconds, of the current world

    def xOpen(self, name: Any, flags: list[int]) -> Any:  # noqa: N802 - SQLite's name
        if not flags[0] & apsw.SQLITE_OPEN_MAIN_DB:
            raise apsw.CantOpenError("a world keeps no file beside its pages")
        self.opened = PageFile()
        flags[1] = flags[0]
        return self.opened

    def xDelete(self, name: str, sync: bool) -> None:  # noqa: N802 - SQLite's name
        pass

    def xAccess(self, name: str, flags: int) -> bool:  # noqa: N802 - SQLite's name
        return False

    def xFullPathname(self, name: str) -> str:  # noqa: N802 - SQLite's name
        return name

    def xRandomness(self, count: int) -> bytes:  # noqa: N802 - SQLite's name
        return bytes(count)

    def xCurrentTime(self) -> float:  # noqa: N802 - SQLite's name
        return self.xCurrentTimeInt64() / 86_400_000

    def xCurrentTimeInt64(self) -> int:  # noqa: N802 - SQLite's name
        return 210_866_760_000_000 + self.clock() // 1000


VFS = PageVFS()
