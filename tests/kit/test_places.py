"""Addresses are compared as people write them."""

import pytest

from diorama.kit.places import differing_parts, same_part

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


HOME = {"name": "Sheila Sutherland", "line1": "17 Bank Street", "city": "Thunder Bay", "postal_code": "P7B 7X8",
        "region": "ON", "country": "CA"}  # fmt: skip
GOAL = {"line1": "15 Somerset Street", "city": "Kingston", "postal_code": "K7L 0N9"}
RIGHT = {**GOAL, "name": "Sheila Sutherland", "region": "ON", "country": "CA"}
SPANISH = {"line1": "Camino Viejo, 150", "city": "Madrid", "postal_code": "28017"}
MARTA = {"name": "Marta López Díaz", "country": "ES"}


@pytest.mark.parametrize(
    "change",
    [
        {"region": "Ontario"}, {"region": ""}, {"city": "Kingston, ON", "region": ""}, {"city": "Kingston (Ontario)"},
        {"city": "KINGSTON"}, {"city": "K7L 0N9 Kingston"}, {"name": "S. Sutherland"}, {"name": "Mrs S. Sutherland"},
        {"name": "Sutherland, Sheila"}, {"name": "Sheila Anne Sutherland"}, {"name": "Sheila & family"},
        {"line1": "15 Somerset St."}, {"postal_code": "k7l0n9"},
    ],
)  # fmt: skip
def test_an_address_may_be_written_in_any_ordinary_way(change: dict[str, str]) -> None:
    known = [HOME, {"name": "Sheila Anne Sutherland"}]
    assert differing_parts({**RIGHT, **change}, GOAL, known) == ()


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("region", "Nova Scotia"), ("region", "NS"), ("region", "somewhere"), ("city", "Toronto"),
        ("name", "Tom Sutherland"), ("name", "T. Sutherland"), ("name", "Vic Marlow"), ("line2", "c/o Hotel"),
        ("line2", "locker 7"), ("line1", "16 Somerset Street"), ("postal_code", "K7L 0N8"), ("country", "US"),
    ],
)  # fmt: skip
def test_the_part_that_makes_it_another_address_is_named(part: str, value: str) -> None:
    assert differing_parts({**RIGHT, part: value}, GOAL, [HOME]) == (part,)


@pytest.mark.parametrize(
    "change",
    [
        {"line1": "C/ Camino Viejo 150"}, {"line1": "Camino Viejo n.º 150"}, {"line1": "Camino Viejo, nº 150"},
        {"line1": "Cno. Viejo 150"}, {"line1": "Camino Viejo", "line2": "150"}, {"region": "Comunidad de Madrid"},
        {"city": "28017 Madrid"}, {"name": "Marta López"}, {"name": "Sra. M. López Díaz"}, {"name": "Díaz, Marta"},
    ],
)  # fmt: skip
def test_a_spanish_address_may_be_written_in_any_way(change: dict[str, str]) -> None:
    assert differing_parts({**SPANISH, **MARTA, **change}, SPANISH, [MARTA]) == ()


@pytest.mark.parametrize("region", ["QC", "Québec", "Quebec", "Qué."])
def test_regions_have_names_in_both_languages(region: str) -> None:
    goal = {"line1": "12, rue Saint-Jean", "city": "Québec", "postal_code": "G1R 1A1"}
    place = {**goal, "line1": "12 rue St-Jean", "region": region, "country": "CA", "name": "Luc Roy"}
    assert differing_parts(place, goal, [{"name": "Luc Roy", "region": "QC", "country": "CA"}]) == ()


def test_a_host_has_to_stand_on_the_label() -> None:
    goal, known = {**GOAL, "name": "Anna Berg"}, [HOME]
    for name in ("Anna Berg", "A. Berg", "Berg, Anna", "Sheila Sutherland c/o Anna Berg"):
        assert differing_parts({**RIGHT, "name": name}, goal, known) == ()
    for name in ("Sheila Sutherland", "Tom Berg", "Anna Marlow", "Vic Marlow c/o Anna Berg"):
        assert differing_parts({**RIGHT, "name": name}, goal, known) == ("name",)


def test_a_flat_may_stand_on_either_line() -> None:
    goal = {"line1": "15 Main Street", "line2": "Flat 3", "city": "Leeds", "postal_code": "LS1 4AB"}
    known = [{"name": "Ann Poe", "country": "GB"}]
    rest = {"city": "Leeds", "postal_code": "LS1 4AB", "country": "GB", "name": "Ann Poe"}
    assert differing_parts({**rest, "line1": "15 Main St, Apt 3"}, goal, known) == ()
    assert differing_parts({**rest, "line1": "Flat 3, 15 Main Street"}, goal, known) == ()
    assert differing_parts({**rest, "line1": "3 Main Street", "line2": "Flat 15"}, goal, known) == ("line1",)
    assert differing_parts({**rest, "line1": "15 Main Street"}, goal, known) == ("line2",)


def test_a_name_of_stop_words_only_is_not_the_customers() -> None:
    place = {"name": "Family of Care", "line1": "1 Mill Road", "postal_code": "LS1 4AB", "city": "Leeds"}
    known = {**place, "name": "Ann Bell"}
    goal = {key: value for key, value in place.items() if key != "name"}
    assert differing_parts(place, goal, [known]) == ("name",)
    assert differing_parts({**place, "name": "Family Bell"}, goal, [known]) == ()
    assert differing_parts({**place, "name": ""}, goal, [known]) == ()
