"""Small worlds for tests: some apps, no data, a fixed clock."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from diorama.kernel.app import App, Product
from diorama.kernel.company import MONDAY, Company
from diorama.kernel.image import build
from diorama.kernel.pages import Image
from diorama.kernel.world import World

_IMAGES: dict[str, Image] = {}


def image_for(company: Company, size: str = "small") -> Image:
    """Build an image of a company in a temporary file, once per process and schema."""
    name = sha256(repr((company.name, company.ddl, company.start, company.build)).encode()).hexdigest()
    if name not in _IMAGES:
        handle, path = tempfile.mkstemp(suffix=".db", prefix="diorama-test-")
        os.close(handle)
        os.unlink(path)
        built = build(company, size, 0, Path(path))
        _IMAGES[name] = Image(Path(path), built.digest)
        os.unlink(path)  # the mapping keeps the bytes
    return _IMAGES[name]


def fresh(apps: Sequence[App | Product], seed: int = 0, start: datetime | None = None) -> World:
    """Open a world with these apps, empty tables, and a clock at a Monday morning."""
    company = Company("testing", apps, start=start or MONDAY)
    return World.open(company, image_for(company), seed)
