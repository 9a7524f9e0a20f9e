"""Snapshot: a frozen moment of a world, which can travel to another process."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import msgspec

from diorama.kernel.company import Company
from diorama.kernel.events import Chain, Entry
from diorama.kernel.hot import Hot
from diorama.kernel.lane import LANES
from diorama.kernel.pages import NOTHING_DECODED, Image, Layer, PageMap
from diorama.kernel.sizes import inflate

SNAPSHOT_FORMAT = 3
DUMP_AT_MOST = 1 << 30
"""Bytes of a snapshot that comes from another process, when it is decompressed."""


class Snapshot:
    """A frozen state: the pages of a world, its hot struct and the head of its chain."""

    __slots__ = ("chain", "company", "decoded", "frozen", "hot", "image", "pages")

    def __init__(
        self,
        company: Company,
        image: Image,
        frozen: tuple[Layer, ...],
        pages: int,
        chain: Chain,
        hot: Hot | None = None,
        decoded: Mapping[str, Any] = NOTHING_DECODED,
    ) -> None:
        self.company = company
        self.image = image
        self.frozen = frozen
        self.pages = pages
        self.chain = chain
        self.hot = hot
        """None means that the pages hold the newest."""
        self.decoded = decoded
        """Rows of `_truth` that are already decoded; not dumped, because the pages hold them."""

    def map(self) -> PageMap:
        """Return a page map that starts at this moment."""
        return PageMap(self.image, self.frozen, self.pages, self.hot, self.decoded)

    def dump(self) -> bytes:
        """Return bytes that another process with the same image can load."""
        leaving = self.map()
        lane = LANES.borrow(self.image, self.company.tracked)
        lane.bind(leaving)
        lane.flush()
        entries = [entry.row() for entry in self.chain.entries()]
        about = (SNAPSHOT_FORMAT, self.company.name, self.image.digest, self.image.layout)
        return zlib.compress(
            msgspec.msgpack.encode((about, leaving.pages, leaving.written(), entries, self.chain.head)), 1
        )

    @classmethod
    def load(cls, data: bytes, company: Company, image: Image) -> Snapshot:
        """Load what dump() wrote; the image must be the one it was made on."""
        about, pages, written, entries, head = msgspec.msgpack.decode(inflate(data, DUMP_AT_MOST))
        if tuple(about) != (SNAPSHOT_FORMAT, company.name, image.digest, image.layout):
            raise ValueError(f"this snapshot was made on {about[1:]}, not on {company.name} {image.digest}")
        chain = Chain()
        for row in entries:
            entry = Entry.from_row(row)
            if sha256(chain.head + entry.core).digest() != entry.trace:
                raise ValueError(f"event {len(chain) + 1} of this snapshot does not match its digest")
            for digest, body in list(entry.bodies.items()):
                if sha256(body).hexdigest() != digest:
                    raise ValueError(f"a body of event {len(chain) + 1} of this snapshot does not match its digest")
                chain.keep(digest, body, entry.bodies)
            chain.append(entry)
        if chain.head != head:
            raise ValueError("the events of this snapshot do not end at its head digest")
        return cls(company, image, (written,), pages, chain)
