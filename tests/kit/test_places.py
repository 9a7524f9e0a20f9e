"""Addresses are compared as people write them."""

import pytest

from diorama.kit.places import same_part

SAME = [
    ("10 Oxford St", "10 Oxford Street"), ("10, OXFORD STREET", "10 Oxford St."), ("Hauptstr. 5", "Hauptstraße 5"),
    ("Haupt-Str. 5", "HAUPTSTRASSE 5"), ("12, rue de l'Église", "12 r. de l’Eglise"), ("C/ Mayor, 4", "Calle Mayor 4"),
    ("Avda. de la Paz nº 3", "Avenida de la Paz 3"), ("Keizersgracht 10 B", "Keizersgracht 10b"),
    ("Müllerweg 3", "Muellerweg 3"), ("Dorpsstr. 8", "Dorpsstraat 8"), ("8 bd Voltaire", "8 boulevard Voltaire"),
]  # fmt: skip
OTHER = [
    ("10 Oxford Street", "11 Oxford Street"), ("1 12 Oxford Street", "11 2 Oxford Street"),
    ("10 Oxford Street", "10 Oxford Road"), ("Hauptstraße 5", "Hauptweg 5"), ("Keizersgracht 10b", "Keizersgracht 10c"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME)
def test_ordinary_spellings_of_a_street_are_equal(one: str, other: str) -> None:
    assert same_part("line1", one, other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_another_house_or_street_is_not_equal(one: str, other: str) -> None:
    assert not same_part("line1", one, other)


def test_blanks_in_a_postcode_do_not_count() -> None:
    assert same_part("postal_code", "1012 AB", "1012ab")
    assert same_part("postal_code", "D-10115", "10115")
    assert not same_part("postal_code", "1012 AB", "1012 AC")
