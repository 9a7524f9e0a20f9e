"""The transcript of a run: what is kept of the last request."""

from typing import Any

from diorama.episodes.agents.recorded import AgentHands
from diorama.kernel import Defect
from tests.laws.village import start

SECRETS = ("Authorization", "proxy-authorization", "Cookie", "X-Api-Key", "x-auth-token", "X-Amz-Signature", "X-Auth")


def test_the_last_request_is_kept_without_its_credentials() -> None:
    episode = start(1)
    hands = AgentHands(episode.hands, episode.world)

    class Breaking(type(episode.world)):  # type: ignore[misc] # a class of its own for one test
        """A world in which every request is a defect."""

        __slots__ = ()

        def send(self, *args: Any, **named: Any) -> Any:
            raise Defect("broken")

    episode.world.__class__ = Breaking
    headers = {**dict.fromkeys(SECRETS, "s3cret"), "Idempotency-Key": "k1", "Accept": "text/plain"}
    hands.http("post", "GET", "/letters", headers=headers)
    assert hands.ended
    assert hands.transcript[-1]["request"]["headers"] == {"Idempotency-Key": "k1", "Accept": "text/plain"}
    assert "s3cret" not in str(hands.transcript)


def test_long_names_and_paths_are_not_kept_whole() -> None:
    hands = AgentHands(start(1).hands)
    assert hands.call("x" * 2_000_000).is_error
    assert hands.http("post", "GET", "/" + "y" * 2_000_000).refused
    assert len(str(hands.transcript)) < 300_000
