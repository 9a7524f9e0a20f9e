"""Worlds: companies that run on several apps, how these are wired, and how large they come."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from diorama.kernel import Company, World, image_of

__all__ = ["companies", "company_of", "open_world"]


@cache
def _registry() -> dict[str, Company]:
    """Every package of this folder with a COMPANY, by name."""
    modules = (
        importlib.import_module(f"{__name__}.{entry.name}") for entry in pkgutil.iter_modules(__path__) if entry.ispkg
    )
    return {module.COMPANY.name: module.COMPANY for module in modules}


def companies() -> tuple[Company, ...]:
    """Every company there is."""
    return tuple(_registry().values())


def company_of(name: str) -> Company:
    """The company of this name."""
    try:
        return _registry()[name]
    except KeyError:
        raise LookupError(f"there is no world {name!r}; there are: {', '.join(_registry())}") from None


def open_world(of: str | Company, size: str = "small", seed: int | str = 0) -> World:
    """Open a fresh world of a company at its starting moment; its image is built once and cached."""
    company = company_of(of) if isinstance(of, str) else of
    if size not in company.sizes:
        raise LookupError(f"{company.name} comes in {', '.join(company.sizes)}, not in {size!r}")
    return World.open(company, image_of(company, size), seed)
