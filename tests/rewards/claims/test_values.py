"""Values in texts: every usual notation, and what only looks like one."""

from datetime import date

import pytest

from diorama.rewards.claims.folding import fold, fold_places
from diorama.rewards.claims.spelled import plain_words, says_amount, spell
from diorama.rewards.claims.values import cents_of, read_values, street_of


def found(text: str, kind: str) -> list[str]:
    return [one.value for one in read_values(fold(text), date(2026, 5, 4), text) if one.kind == kind]


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("EUR 1,849.00", 184900), ("1.849,00 €", 184900), ("€29", 2900), ("29 euros", 2900), ("24,90 EUR", 2490),
        ("CAD 12.50", 1250), ("12,5 €", 1250), ("1 849,00 €", 184900), ("€ 0,99", 99), ("a 10-euro gift", 1000),
        ("15,- €", 1500), ("$12.00", 1200), ("1'200 EUR", 120000),
    ],
)  # fmt: skip
def test_an_amount_is_read_in_every_notation(text: str, cents: int) -> None:
    assert found(text, "amount") == [str(cents)]


@pytest.mark.parametrize(
    "text",
    ["14:30 Uhr", "at 14.30 h", "14.30 Uhr", "um 9.15 Uhr", "30 %", "in 2026", "3 bags", "within 30 days", "250 g"],
)
def test_times_percentages_and_counts_are_not_amounts(text: str) -> None:
    assert found(text, "amount") == []
    assert found(text, "number") == []


@pytest.mark.parametrize(
    "text",
    [
        "Feb. 27", "27 février", "27/02", "den 27. Februar", "el 27 de febrero", "27 feb.", "the 27th of February",
        "February 27th", "op 27 februari", "27.02.", "27. 2.", "Feb 27",
    ],
)  # fmt: skip
def test_a_date_without_a_year_is_read_in_every_notation(text: str) -> None:
    assert found(text, "date") == ["--02-27"]


@pytest.mark.parametrize(
    "text",
    [
        "2026-02-27", "27.02.2026", "27/02/2026", "27-02-2026", "27.2.26", "27 February 2026", "February 27, 2026",
        "27 de febrero de 2026", "le 27 février 2026", "27. Februar 2026", "27 februari 2026",
    ],
)  # fmt: skip
def test_a_date_with_a_year_is_read_in_every_notation(text: str) -> None:
    assert found(text, "date") == ["2026-02-27"]


def test_the_order_of_day_and_month_may_be_either() -> None:
    (one,) = read_values("03/04/2026")
    assert set(one.readings) == {"2026-04-03", "2026-03-04"}


def test_two_days_of_one_month_are_two_dates() -> None:
    assert found("on 5 and 9 February", "date") == ["--02-05", "--02-09"]


@pytest.mark.parametrize("text", ["24/7", "1/2", "32 May", "31.02.2026", "version 1.2.3", "June 2023"])
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    assert found(text, "date") == []


def test_days_are_resolved_against_today() -> None:
    assert found("heute", "day") == ["2026-05-04"]
    assert found("tomorrow", "day") == ["2026-05-05"]
    (friday,) = (one for one in read_values("on friday", date(2026, 5, 4)) if one.kind == "day")
    assert {"2026-05-08", "2026-05-01"} <= set(friday.readings)


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("order KW-20417.", "record", "KW-20417"), ("return RMA-2009", "record", "RMA-2009"),
        ("cus_Ab3dEf6hIj9kLm2n", "record", "CUS_AB3DEF6HIJ9KLM2N"),
        ("serial BR2-2501-11873", "record", "BR2-2501-11873"),
        ("JVGL628695532626311832", "record", "JVGL628695532626311832"),
        ("05208456111644", "record", "05208456111644"),
        ("write to a.b+c@mail.example now", "email", "a.b+c@mail.example"),
        ("+44 7873 411727", "phone", "447873411727"),
        ("Visa ending 4394", "card", "4394"), ("Mastercard 5519", "card", "5519"),
        ("Karte mit den Endziffern 6791", "card", "6791"),
        ("**** 3921", "card", "3921"), ("EH6 6WB", "postcode", "EH66WB"), ("R95 HJ98", "postcode", "R95HJ98"),
        ("14 Canal Street", "street", "CANAL STREET 14"), ("Lindenallee 89", "street", "LINDENALLEE 89"),
        ("12 rue des Lilas", "street", "RUE DES LILAS 12"), ("Kerkstraat 5", "street", "KERKSTR 5"),
        ("04:57 UTC", "time", "04:57"), ("3 h 17", "time", "03:17"),
    ],
)  # fmt: skip
def test_records_contacts_and_addresses_are_read(text: str, kind: str, value: str) -> None:
    assert found(text, kind) == [value]


@pytest.mark.parametrize("text", ["2 is on its way", "ISO-9001", "onderweg 3", "my card in 2025"])
def test_what_only_looks_like_an_address_or_number_is_none(text: str) -> None:
    assert not [one for one in read_values(fold(text), None, text) if one.kind in {"street", "record", "card"}]


@pytest.mark.parametrize(
    ("number", "language", "words"),
    [
        (115, "en", "one hundred fifteen"), (38, "de", "achtunddreisig"), (95, "fr", "quatre vingt quinze"),
        (71, "fr", "soixante onze"), (43, "es", "cuarenta tres"), (19, "nl", "negentien"), (85, "nl", "vijfentachtig"),
        (200, "fr", "deux cents"), (1200, "de", "tausendzweihundert"), (100, "es", "cien"),
    ],
)  # fmt: skip
def test_numbers_are_spelled(number: int, language: str, words: str) -> None:
    assert spell(number, language) == words


def test_an_amount_in_words_is_understood() -> None:
    assert says_amount(plain_words("thirty-eight euros and ninety-five cents"), 3895)
    assert says_amount(plain_words("achtunddreißig Euro fünfundneunzig"), 3895)
    assert not says_amount(plain_words("thirty-eight euros"), 3895)
    assert not says_amount(plain_words("forty-three euros fifty"), 3895)


@pytest.mark.parametrize(("text", "cents"), [("1.849", 184900), ("1,849.5", 184950), ("7", 700), ("12,05", 1205)])
def test_separators_are_told_apart(text: str, cents: int) -> None:
    assert cents_of(text) == cents


def test_places_survive_dropped_characters() -> None:
    text = "a\u200bb e\u0301 12.50 EUR"
    folded = fold_places(text)
    (value,) = (one for one in read_values(folded.text) if one.kind == "amount")
    assert text[folded.place(value.start) : folded.place(value.end)] == "12.50 EUR"


@pytest.mark.parametrize(
    ("whole", "short"),
    [("Kerkstraat 5", "Kerkstr. 5"), ("Van Goghstraat 25", "Van Goghstr. 25"), ("Hauptstraße 4", "Hauptstr. 4")],
)
def test_a_street_may_be_abbreviated(whole: str, short: str) -> None:
    assert street_of(whole) == street_of(short) != ""
    assert found(f"to {short}", "street") in ([street_of(whole)], [street_of(whole.rpartition("Van ")[2])])
