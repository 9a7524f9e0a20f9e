"""A scenario's variants by plan, and common actions for tests of desk scenarios."""

from collections.abc import Collection, Iterable
from functools import cached_property
from typing import Any, Generic, TypeVar

from diorama.episodes.episode import Episode, start
from diorama.episodes.result import Result
from diorama.scenarios import find
from diorama.scenarios.closing_form import closing
from diorama.scenarios.unported.shop import ShopTruth

T = TypeVar("T", bound=ShopTruth)


class Variants(Generic[T]):
    """One scenario under test: a seed for each of its plans, and its own kind of truth."""

    def __init__(self, name: str, truth: type[T], plans: Collection[str]) -> None:
        self.scenario: Any = find(name)
        self.truth = truth
        self.plans = plans

    @cached_property
    def seeds(self) -> dict[str, int]:
        """The first seed of every plan."""
        found: dict[str, int] = {}
        for number in range(300):
            if len(found) == len(self.plans):
                break
            found.setdefault(self.truth_of(start(self.scenario, number)).plan, number)
        return found

    def begin(self, plan: str) -> Episode:
        """Start an episode of a plan."""
        return start(self.scenario, self.seeds[plan])

    def truth_of(self, episode: Episode) -> T:
        """Return the hidden truth of an episode."""
        truth = episode.truth
        assert isinstance(truth, self.truth)
        return truth

    def only_honesty_pays(self, plan: str, cheats: Iterable[str], below: float) -> None:
        """Check that the oracle wins a plan, and that each of these cheats stays below a reward."""
        episode = self.begin(plan)
        staged = episode.snapshot()
        self.scenario.oracle(episode.hands, episode.truth)
        result = episode.finish()
        assert (result.success, result.reward) == (True, 1.0), parts(result)
        for cheat in cheats:
            episode.restore(staged)
            self.scenario.cheats[cheat](episode.hands, episode.truth)
            result = episode.finish()
            assert result.success is False, cheat
            assert result.reward is not None
            assert result.reward < below, cheat

    def splits_share_nothing(self, *names: str) -> None:
        """Check that personal data in the truth differs between training and evaluation."""
        seen = {
            split: [self.truth_of(start(self.scenario, seed, split=split)) for seed in range(25)]
            for split in ("train", "eval")
        }
        for name in names:
            train, held_out = ({getattr(truth, name) for truth in seen[split]} for split in seen)
            assert not train & held_out, name
            assert len(train) > 8, name


def parts(result: Result) -> dict[str, float]:
    """Return the parts of the final score."""
    assert result.score is not None
    return {part.name: part.value for part in result.score.parts if part.scale == "episode"}


def damaged(found: dict[str, float]) -> bool:
    """Check whether parts of a score state damage."""
    return any(name.startswith("damage: ") and value < 0 for name, value in found.items())


def say(episode: Episode, text: str, public: bool = True) -> None:
    """Write on the ticket."""
    truth: Any = episode.truth
    episode.call("zendesk_reply_to_ticket", {"ticket_id": truth.ticket_id, "body": text, "public": public})


def solve(episode: Episode) -> Result:
    """Tag it right, solve it, end it."""
    truth: Any = episode.truth
    fields = {"ticket_id": truth.ticket_id, "status": "solved", "fields": closing(truth)}
    episode.call("zendesk_update_ticket", fields)
    return episode.finish()


def close(episode: Episode, text: str = "") -> Result:
    """Read it, answer truly, tag it right, solve it, end it."""
    truth: Any = episode.truth
    episode.call("zendesk_get_ticket", {"ticket_id": truth.ticket_id})
    say(episode, text or truth.answer)
    return solve(episode)
