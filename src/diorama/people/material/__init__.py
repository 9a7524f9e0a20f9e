"""Authored material as data: names, places and phrases."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

MATERIAL = Path(__file__).parent


@cache
def load(name: str, folder: Path = MATERIAL) -> dict[str, Any]:
    """Load one file of material, once per process."""
    return tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))
