"""The score of an episode: every part has the reason that its author wrote."""

from diorama.rewards.account import Account
from diorama.rewards.finding import Measure
from diorama.rewards.parts import Quality
from diorama.rewards.scoring import score_of


def test_a_quality_shows_its_docstring_as_the_reason() -> None:
    same_day = Quality("same_day", 1.0, lambda *_: 1.0, "It was done on the same day.")
    score = score_of(
        [], Account((), {}, 0.0), [], {}, [], {"same_day": Measure(0.5, "today", "tomorrow")}, [], [same_day], 0.75
    )
    assert [(part.name, part.because) for part in score.parts] == [("same_day", "It was done on the same day.")]
