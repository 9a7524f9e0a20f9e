"""Errors that the values of a plan cause when it is staged, with the name of the plan."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from diorama.kernel import Defect, Refusal
from diorama.scenarios.plan import Plan


@contextmanager
def naming(plan: Plan, what: str = "") -> Iterator[None]:
    """Name the plan, and the step of its past, in an error that its values cause."""
    try:
        yield
    except Defect:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, Refusal) as error:
        told = f"plan {plan.name!r}: {f'{what}: ' if what else ''}"
        raise LookupError(f"{told}{error}") from error
