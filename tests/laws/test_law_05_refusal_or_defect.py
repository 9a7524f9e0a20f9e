"""Law 5. Refusal or Defect, nothing between: a broken harness has no reward, and says whose boundary broke."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest

from diorama.episodes.episode import Episode
from diorama.episodes.result import Result
from diorama.kernel import Defect, Event, Tx
from diorama.rewards import View, deed, fact, harm, quality
from diorama.scenarios import Hands, Stage
from tests.laws.elsewhere import acts
from tests.laws.village import BANK, Case, Debt, PayItBack, break_down, debt, start, village
from tests.runs.misbehaving import ODD


class Planted(PayItBack):
    """The debt scenario with one planted failure."""

    broken = ""

    def oracle(self, hands: Hands, truth: Debt) -> None:
        """Solve the task, with the failing request first if that is planted."""
        if self.broken == "handler":
            hands.call("bank_pay", {"to": truth.creditor, "cents": truth.cents, "memo": "burn"})
        super().oracle(hands, truth)


class BrokenStage(Planted):
    """Cannot be set up."""

    def stage(self, stage: Stage) -> Debt:
        """Raise a planted error."""
        raise KeyError("planted in staging")


class BrokenFact(Planted):
    """A grader breaks when there is something to grade."""

    @fact("resolved")
    def breaks(self, view: View, truth: Debt) -> bool:
        """Fail on the first payment."""
        if view.tx.rows("SELECT 1 FROM bank_entries"):
            raise IndexError("planted in a fact")
        return False


class BrokenDeed(Planted):
    """A grader breaks over an event."""

    @deed("opened")
    def breaks(self, event: Event, truth: Debt) -> bool:
        """Fail at once."""
        raise IndexError("planted in a deed")


class BrokenHarm(Planted):
    """A grader breaks when it counts harm."""

    @harm(cost=1.0)
    def breaks(self, view: View, truth: Debt) -> int:
        """Fail at once."""
        raise IndexError("planted in a harm")


class BrokenQuality(Planted):
    """A grader breaks at the very end."""

    @quality()
    def breaks(self, view: View, truth: Debt) -> float:
        """Fail at the end."""
        raise IndexError("planted in a quality")


class WritingFact(Planted):
    """A grader that changes what it judges."""

    @fact("resolved")
    def breaks(self, view: View, truth: Debt) -> bool:
        """Write to the state while grading."""
        if view.tx.rows("SELECT 1 FROM bank_entries"):
            view.tx.add(Case(about="forged"))
        return False


class BoundlessQuality(Planted):
    """A quality that returns more than 1."""

    @quality()
    def breaks(self, view: View, truth: Debt) -> float:
        """Return a value that is too high."""
        return 17.0


class BrokenPersona(Planted):
    """A villager breaks in the night."""

    def stage(self, stage: Stage) -> Debt:
        """Schedule the failure."""
        stage.plan(timedelta(hours=30), break_down)
        return super().stage(stage)


class BrokenHandler(Planted):
    """An app breaks on a request."""

    broken = "handler"


CASES = {
    BrokenHandler: ("app", "ZeroDivisionError", "planted in a handler"),
    BrokenPersona: ("persona", "KeyError", "planted in a persona"),
    BrokenFact: ("grader", "IndexError", "planted in a fact"),
    BrokenDeed: ("grader", "IndexError", "planted in a deed"),
    BrokenHarm: ("grader", "IndexError", "planted in a harm"),
    BrokenQuality: ("grader", "IndexError", "planted in a quality"),
    BoundlessQuality: ("grader", "Defect", "outside 0 to 1"),
    WritingFact: ("grader", "Defect", "is read-only, but it wrote to bank_cases"),
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_law_05_a_broken_part_voids_the_episode_at_its_boundary(case: type[Planted]) -> None:
    boundary, kind, words = CASES[case]
    episode = start(3, case())
    case().oracle(episode.hands, debt(episode))
    result = episode.finish()
    assert (result.ended, result.reward, result.success, result.score) == ("void", None, None, None)
    assert result.fault is not None
    assert (result.fault.boundary, result.fault.kind) == (boundary, kind)
    assert words in result.fault.message


def test_law_05_a_stage_that_breaks_is_a_defect_of_the_reset() -> None:
    with pytest.raises(Defect, match="planted in staging") as caught:
        start(3, BrokenStage())
    assert caught.value.boundary == "reset"


def test_law_05_the_same_attempt_without_the_fault_is_scored() -> None:
    episode = start(3, Planted())
    Planted().oracle(episode.hands, debt(episode))
    assert episode.finish().reward == 1.0


def test_law_05_a_defect_poisons_the_episode_and_its_forks() -> None:
    episode = start(3, BrokenHandler())
    sound = episode.snapshot()
    before = (episode.state, episode.trace)
    seen = episode.call("bank_pay", {"to": debt(episode).creditor, "cents": 5, "memo": "burn"})
    assert (seen.ended, seen.is_error) == (True, True)
    assert "planted" not in seen.text
    fork = episode.fork()
    for one in (episode, fork):
        assert one.ended == "void"
        assert one.call("post_read_letters").ended
        assert one.http("bank", "GET", "/accounts").refused == "ended"
        assert one.finish().reward is None
        with pytest.raises(Defect):
            one.snapshot()
    episode.restore(sound)
    assert (episode.ended, episode.state, episode.trace) == (None, *before)
    PayItBack().oracle(episode.hands, debt(episode))
    assert episode.finish().reward == 1.0
    assert fork.finish().ended == "void"


def refusals(episode: Episode) -> Iterator[Callable[[], Any]]:
    """Yield every kind of invalid request that an agent can make."""
    yield lambda: episode.http("bank", "GET", "/nowhere")
    yield lambda: episode.http("bank", "DELETE", "/accounts")
    yield lambda: episode.http("bank", "GET", "/cases/99")
    yield lambda: episode.http("bank", "GET", "/cases/x")
    yield lambda: episode.http("bank", "POST", "/payments", b"{")
    yield lambda: episode.http("bank", "POST", "/payments", {"to": 7})
    yield lambda: episode.http("bank", "POST", "/payments", b"0" * 6_000_000)
    yield lambda: episode.http("bank", "POST", "/payments", {"to": "nobody", "cents": 5})
    yield lambda: episode.http("bank", "POST", "/payments", {"to": debt(episode).creditor, "cents": 10**30})
    yield lambda: episode.http("post", "GET", "/letters/\udcff?search=%ff%00")
    yield lambda: episode.http("post", "GET\ud800", "/letters", headers={"x-\ud800": "\ud800"})
    yield lambda: episode.http("post", "POST", "/letters", {"to": "\ud800", "text": "x"})
    yield lambda: episode.call("bank_pay", {"to": "nobody", "cents": 5})
    yield lambda: episode.call("bank_pay", {"to": "\ud800", "cents": 5})
    yield lambda: episode.call("bank_pay", {"cents": 10**400})
    yield lambda: episode.call("bank_pay", {"to": float("nan"), "cents": {1: b"x"}})
    yield lambda: episode.call("bank_\ud800", {"\ud800": object()})
    yield lambda: episode.call("bank_pay", [1, 2])  # type: ignore[arg-type] # an agent's mistake
    yield lambda: episode.call("wait", {"minutes": -1})
    yield lambda: episode.call("wait", {"minutes": float("inf")})


def test_law_05_a_refusal_does_not_change_the_state() -> None:
    staged = start(3)
    for number in range(len(list(refusals(staged)))):
        episode = staged.fork()
        before, seen = episode.state, len(episode.events)
        answer = list(refusals(episode))[number]()
        assert getattr(answer, "status", 400) < 500
        assert getattr(answer, "is_error", True)
        assert (episode.state, len(episode.events), episode.ended) == (before, seen + 1, None), number
        assert episode.turns == 1


def odd_requests(episode: Episode, odd: Any) -> Iterator[Callable[[], Any]]:
    """Yield requests in which one part is something that no schema allows."""
    yield lambda: episode.call(odd)
    yield lambda: episode.call("bank_pay", odd)
    yield lambda: episode.call("bank_pay", {"to": odd, "cents": odd})
    yield lambda: episode.call("bank_pay", {odd: odd})
    yield lambda: episode.call("wait", {"minutes": odd, "until": odd})
    yield lambda: episode.call("finish", {"report": odd})
    yield lambda: episode.http("bank", odd, "/accounts")
    yield lambda: episode.http("bank", "GET", odd)
    yield lambda: episode.http("bank", "GET", f"/accounts?search={odd}")
    yield lambda: episode.http("bank", "POST", "/payments", odd)
    yield lambda: episode.http("bank", "POST", "/payments", {"to": odd, "cents": odd})
    yield lambda: episode.http("bank", "GET", "/accounts", headers={"x-odd": odd})
    yield lambda: episode.http("bank", "GET", "/accounts", headers={odd: "x"})
    yield lambda: episode.http(odd, "GET", "/accounts")
    yield lambda: episode.http("bank", "GET", "/accounts", seat=odd, credential=odd)


@pytest.mark.parametrize("number", range(len(ODD)))
def test_law_05_odd_values_are_the_agents_mistake(number: int) -> None:
    staged = start(3)
    for which in range(15):
        episode = staged.fork()
        try:
            list(odd_requests(episode, ODD[number]))[which]()
        except (TypeError, ValueError, LookupError, RecursionError, AttributeError, RuntimeError):
            assert which >= 3, "a tool call never raises"  # {odd: ...} and later ones may be impossible to write
        assert episode.ended in (None, "done"), (which, episode.world.defect)
        assert episode.finish().reward is not None


def test_law_05_an_outage_is_not_a_defect() -> None:
    world = village()

    def trouble(tx: Tx) -> None:
        tx.fault("bank", "down", timedelta(0), timedelta(hours=1))

    world.do(trouble, "system:fate")
    episode = start(3)
    episode.world.do(trouble, "system:fate")
    assert episode.http("bank", "GET", "/accounts").status == 503
    assert episode.ended is None


def test_law_05_reward_is_none_exactly_when_the_episode_is_void() -> None:
    results: list[Result] = []
    for seed in range(6):
        episode = start(seed)
        acts(episode, f"law 5 {seed}", 10)
        if seed % 2:
            episode.world.poison(Defect("planted", boundary="door"))
        results.append(episode.finish())
    assert [result.ended == "void" for result in results] == [False, True] * 3
    for result in results:
        assert (result.reward is None) == (result.ended == "void") == (result.fault is not None)
        assert (result.success is None) == (result.reward is None)


def test_law_05_a_timeout_has_no_default_value() -> None:
    """A handler that gives up raises; it never returns a reply that looks like an empty answer."""
    with mock.patch.object(BANK, "router") as router:
        router.find.side_effect = TimeoutError("planted")
        episode = start(3)
        assert episode.http("bank", "GET", "/accounts").status == 500
        assert episode.finish().fault is not None
