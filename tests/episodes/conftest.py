"""Fixtures of the episode tests."""

from tests.runs.conftest import in_the_bakery

__all__ = ["in_the_bakery"]
