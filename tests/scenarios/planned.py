"""Shared by tests of planned scenarios: episodes by the name of their plan, and what anyone can read in them."""

from contextlib import suppress
from typing import Any, Generic, TypeVar

from diorama.apps.backoffice.schema import Customer
from diorama.episodes.episode import Episode, start
from diorama.episodes.result import Result
from diorama.rewards.claims.clauses import language_of
from diorama.rewards.claims.folding import fold
from diorama.scenarios import find
from diorama.scenarios.cast import Worded, in_language
from diorama.scenarios.desk import DeskScenario
from diorama.scenarios.desk_facts import DeskTruth

T = TypeVar("T")
MOST = {"train": 900, "eval-new": 60}
"""How many variants of a split are searched for a plan."""


class Planned(Generic[T]):
    """The episodes of one scenario by the names of its plans; seeds are searched once."""

    def __init__(self, name: str, truth: type[T]) -> None:
        self.scenario: Any = find(name)
        self.kind = truth
        self._seeds: dict[str, tuple[str, int]] = {}
        self._searched = dict.fromkeys(MOST, 0)

    def seed(self, plan: str) -> tuple[str, int]:
        """Return the split and the first seed of a plan."""
        known = {one.name: one.split or "train" for one in getattr(self.scenario, "plans", ())}
        for split in [known[plan]] if plan in known else MOST:
            while plan not in self._seeds and self._searched[split] < MOST[split]:
                seed = self._searched[split]
                self._searched[split] += 1
                self._seeds.setdefault(start(self.scenario, seed, split=split).truth.plan, (split, seed))
        return self._seeds[plan]

    def begin(self, plan: str) -> Episode:
        """Start an episode of a plan."""
        split, seed = self.seed(plan)
        return start(self.scenario, seed, split=split)

    def truth_of(self, episode: Episode) -> T:
        """Return the hidden truth of an episode."""
        truth = episode.truth
        assert isinstance(truth, self.kind)
        return truth

    def then_the_oracle(self, episode: Episode) -> Result:
        """Let the oracle do its work after something else was done; it may fail on the way."""
        with suppress(RuntimeError):
            self.scenario.oracle(episode.hands, episode.truth)
        return episode.finish()

    def speaks_the_customers_language(self, variants: int) -> None:
        """Check that letters and true replies are in the customer's language, and that every text has both."""
        seen = set()
        for seed in range(variants):
            episode = start(self.scenario, seed)
            language = rows(episode, Customer, "id = ?", truth_of(episode).customer_id)[0].locale[:2]
            seen.add(language)
            for text in (mail(episode), truth_of(episode).reply):
                assert language_of(fold(text), language) == language, (seed, text)
        assert seen == {"en", "fr"}
        assert isinstance(self.scenario, DeskScenario)
        for plan in self.scenario.plans:
            for text in (*plan.letter, *([plan.reply] if plan.reply else [])):
                assert isinstance(text, Worded), (plan.name, text)
                assert in_language(text, "fr") != in_language(text, "en") == in_language(text, "de")


class OtherHands:
    """An oracle's hands; a subclass changes what some calls do."""

    def __init__(self, hands: Any) -> None:
        self.hands = hands

    def __getattr__(self, name: str) -> Any:
        return getattr(self.hands, name)


class Adding(OtherHands):
    """An oracle's hands that say more in every reply."""

    def __init__(self, hands: Any, more: str) -> None:
        super().__init__(hands)
        self.more = more

    def call(self, tool: str, arguments: dict[str, Any] | None = None) -> Any:
        """Call a tool; a reply says more."""
        given = arguments or {}
        if tool == "zendesk_reply_to_ticket":
            given = {**given, "body": f"{given['body']} {self.more}"}
        return self.hands.call(tool, given)


def truth_of(episode: Episode) -> DeskTruth:
    """Return the hidden truth of an episode."""
    truth = episode.truth
    assert isinstance(truth, DeskTruth)
    return truth


def mail(episode: Episode) -> str:
    """Return the customer's first mail."""
    found = episode.call("zendesk_list_comments", {"ticket_id": truth_of(episode).ticket_id}).data
    return str(found["comments"][0]["plain_body"])


def rows(episode: Episode, record: type[Any], where: str, *args: Any) -> list[Any]:
    """Return rows of an episode's world."""
    found: list[Any] = episode.world.read(lambda tx: tx.all(record, where, *args))
    return found


def damaged(result: Result) -> bool:
    """Check whether a score states damage."""
    assert result.score is not None
    return any(part.name.startswith("damage") for part in result.score.parts)
