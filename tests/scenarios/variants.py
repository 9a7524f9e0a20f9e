"""Parts of a final score, for tests of scenarios."""

from diorama.episodes.result import Result


def parts(result: Result) -> dict[str, float]:
    """Return the parts of the final score."""
    assert result.score is not None
    return {part.name: part.value for part in result.score.parts if part.scale == "episode"}


def damaged(found: dict[str, float]) -> bool:
    """Check whether parts of a score state damage."""
    return any(name.startswith("damage: ") and value < 0 for name, value in found.items())
