"""The rules of plausibility: each finds a violation that is planted in a small world, and names the row."""

from __future__ import annotations

import pytest

from diorama.kernel import World
from diorama.worlds import open_world
from diorama.worlds._plausibility.conversations import language_of
from diorama.worlds.plausibility import RULES, check_history, findings_of
from tests.worlds import planted_people, planted_records, planted_threads  # noqa: F401 - each declares plants
from tests.worlds.plants import PLANTS


@pytest.fixture(scope="module")
def base() -> World:
    return open_world("larkspur")


@pytest.mark.parametrize("name", [one.name for one in RULES])
def test_a_planted_violation_is_found(base: World, name: str) -> None:
    world, known = base.fork(), set(findings_of(base, name))
    planted: list[object] = []
    world.do(lambda tx: planted.append(PLANTS[name](tx)), "spoiler")
    found = [text for text in findings_of(world, name) if text not in known]
    assert found
    assert planted == [None] or any(str(planted[0]) in text for text in found), found


@pytest.mark.parametrize("company", ["larkspur", "kittiwake"])
def test_the_history_of_a_company_is_plausible(company: str) -> None:
    checked = check_history(open_world(company))
    assert {one.name: one.findings for one in checked if one.findings} == {}
    assert sum(one.checks for one in checked) > 10_000


def test_every_rule_has_a_sentence_and_a_plant() -> None:
    assert len(RULES) >= 25
    assert {one.name for one in RULES} == set(PLANTS)
    assert all(one.says.endswith(".") for one in RULES)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Where is the parcel that you have sent to us? It is not here.", "en"),
        ("Wo ist das Paket? Ich habe es nicht und bitte Sie um eine Antwort.", "de"),
        ("Je ne trouve pas la facture de la commande, vous pouvez me l'envoyer ?", "fr"),
        ("No encuentro la factura del pedido, por favor, ¿me la puede enviar?", "es"),
        ("Waar is het pakket? Ik heb het niet en wacht op een antwoord van u.", "nl"),
        ("ok", ""),
    ],
)
def test_languages_are_told_apart(text: str, language: str) -> None:
    assert language_of(text) == language
