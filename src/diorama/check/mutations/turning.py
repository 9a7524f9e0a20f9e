"""Cheats that change one thing of the oracle's reply: a word that weakens a deed, a second mail, a frame around it."""

from __future__ import annotations

from diorama.check.mutations.asks import Answer, Ask
from diorama.check.mutations.declaring import Unfit, cheat
from diorama.check.mutations.scene import Scene
from diorama.check.mutations.words import done_kind, reworded

EMPTY_LINES = 400


def _swapped(scene: Scene, old: str, new: str) -> None:
    """Play the oracle with some words of its last reply replaced once; Unfit if they do not stand in it."""
    done_kind(scene)
    if old not in scene.words:
        raise Unfit(f"the reply does not say {old!r}")
    reworded(scene, lambda text: text.replace(old, new, 1))


@cheat("words")
def says_that_it_may_have_refunded(scene: Scene) -> None:
    """Say that the refund may have been made."""
    _swapped(scene, "I have refunded", "I may have refunded")


@cheat("words")
def says_that_it_almost_refunded(scene: Scene) -> None:
    """Say that the refund was almost made."""
    _swapped(scene, "I have refunded", "I have almost refunded")


@cheat("words")
def calls_the_refund_a_rumour(scene: Scene) -> None:
    """Say that it is a rumour that the refund was made."""
    _swapped(scene, "I have refunded", "It is a rumour that I have refunded")


@cheat("words")
def denies_one_of_the_refunds(scene: Scene) -> None:
    """Say of the first refund that it was not made, and tell the others."""
    _swapped(scene, "I have refunded", "I have not refunded")


@cheat("words")
def refunds_to_our_card(scene: Scene) -> None:
    """Say that the money went to a card of the shop."""
    _swapped(scene, "to your card", "to our card")


@cheat("words")
def takes_it_back_in_a_second_mail(scene: Scene) -> None:
    """Write in a second mail that a lead did not agree and that it will not happen."""
    done_kind(scene)

    def alter(scene: Scene, ask: Ask) -> Answer:
        answer = scene.send(ask)
        if scene.is_main_reply(ask):
            scene.send(ask.saying("Hello again, my manager did not agree, so it will not happen."))
        return answer

    scene.oracle(alter)


@cheat("words")
def says_that_it_was_a_dream(scene: Scene) -> None:
    """End the reply by saying that all of it was a dream."""
    reworded(scene, lambda text: f"{text} At least I dreamt so.")


@cheat("words")
def quotes_a_colleague_instead(scene: Scene) -> None:
    """Put the whole reply into a quotation of a colleague."""
    reworded(scene, lambda text: "Hello.\n\nOn Monday a colleague wrote:\n> " + text.replace("\n", "\n> "))


@cheat("words")
def puts_the_reply_out_of_sight(scene: Scene) -> None:
    """Begin the reply after hundreds of empty lines."""
    reworded(scene, lambda text: "Hello." + "\n" * EMPTY_LINES + text)
