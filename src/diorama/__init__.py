"""Worlds an agent cannot tell from work: clones of company software with honest rewards and exact replay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from diorama.episodes.episode import Episode, start
    from diorama.episodes.result import Result

__all__ = ["Episode", "Result", "start"]


def __getattr__(name: str) -> Any:
    """Load the heavy parts when they are asked for, so that `diorama --help` stays quick."""
    if name in ("Episode", "start"):
        from diorama.episodes import episode

        return getattr(episode, name)
    if name == "Result":
        from diorama.episodes.result import Result

        return Result
    raise AttributeError(f"diorama has no {name!r}")
