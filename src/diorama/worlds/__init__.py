"""Worlds: companies that run on several apps, how these are linked, and how large they come."""

from __future__ import annotations

from functools import cache
from types import ModuleType

from diorama.kernel import Company, World, image_of
from diorama.kit.discovery import Catalogue, WrongDeclaration, collect

__all__ = ["catalogue", "companies", "company_of", "open_world"]


@cache
def catalogue() -> Catalogue[Company]:
    """Load every world: each module that declares a COMPANY."""
    return collect("world", _declared)


def _declared(module: ModuleType) -> list[tuple[str, Company]]:
    company = getattr(module, "COMPANY", None)
    if company is None:
        return []
    if not isinstance(company, Company):
        raise WrongDeclaration(f"{module.__name__}.COMPANY is a {type(company).__name__}, not a diorama.kernel.Company")
    return [(company.name, company)]


def companies() -> tuple[Company, ...]:
    """Return every company that was found."""
    return tuple(found.thing for found in catalogue().found.values())


def company_of(name: str) -> Company:
    """Return the company of this name; raise LookupError that says why it is not there."""
    return catalogue().find(name)


def open_world(of: str | Company, size: str = "small", seed: int | str = 0) -> World:
    """Open a fresh world of a company at its starting moment; its image is built once and cached."""
    company = company_of(of) if isinstance(of, str) else of
    if size not in company.sizes:
        raise LookupError(f"{company.name} comes in {', '.join(company.sizes)}, not in {size!r}")
    return World.open(company, image_of(company, size), seed)
