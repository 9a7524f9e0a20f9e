"""Realistic worlds for agents: clones of company software with verified rewards and exact replay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from diorama.episodes.episode import Episode, start
    from diorama.episodes.result import Result

__all__ = ["Episode", "Result", "start"]


def __getattr__(name: str) -> Any:
    """Import heavy modules on first access, so that `diorama --help` stays fast."""
    if name in ("Episode", "start"):
        from diorama.episodes import episode

        return getattr(episode, name)
    if name == "Result":
        from diorama.episodes.result import Result

        return Result
    raise AttributeError(f"diorama has no {name!r}")
