"""Rules about people: where they live, how they are called, and who acts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from diorama.worlds._plausibility.records import Records
from diorama.worlds._plausibility.rule import BACKOFFICE, ZENDESK, rule

POSTCODES = {
    "AT": r"[1-9]\d{3}",
    "BE": r"[1-9]\d{3}",
    "CA": r"[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] \d[ABCEGHJ-NPRSTV-Z]\d",
    "DE": r"(?!00)\d{5}",
    "ES": r"(?:0[1-9]|[1-4]\d|5[0-2])\d{3}",
    "FR": r"(?:0[1-9]|[1-8]\d|9[0-8])\d{3}",
    "GB": r"[A-PR-UWYZ](?:\d{1,2}|[A-HK-Y]\d{1,2}|\d[A-HJKPSTUW]|[A-HK-Y]\d[ABEHMNPRVWXY]) \d[ABD-HJLNP-UW-Z]{2}",
    "IE": r"(?:D6W|[AC-FHKNPRTV-Y]\d{2}) [0-9AC-FHKNPRTV-Y]{4}",
    "NL": r"[1-9]\d{3} ?(?!SA|SD|SS)[A-Z]{2}",
    "US": r"\d{5}(?:-\d{4})?",
}
PHONES = {
    "AT": ("43", "0", 9, 13),
    "BE": ("32", "0", 8, 9),
    "CA": ("1", "1", 10, 10),
    "DE": ("49", "0", 9, 11),
    "ES": ("34", "", 9, 9),
    "FR": ("33", "0", 9, 9),
    "GB": ("44", "0", 9, 10),
    "IE": ("353", "0", 8, 9),
    "NL": ("31", "0", 9, 9),
    "US": ("1", "1", 10, 10),
}
"""Country code, what is dialled before the number inside the country, fewest and most digits without both."""
NOBODY = re.compile(r"^(?:seed|system|bot|test|admin|root|history|generator)\b|:seed|diorama", re.IGNORECASE)
ACTED = {
    "backoffice_notes": "author",
    "backoffice_refunds": "created_by",
    "backoffice_returns": "created_by",
    "backoffice_replacements": "created_by",
    "backoffice_credits": "created_by",
}
"""Columns that name the person who acted."""


@rule(BACKOFFICE)
def postcodes_fit_their_country(records: Records) -> Iterator[str]:
    """Every postal code has the form of its country."""
    asked = "SELECT id, postal ->> 'country', postal ->> 'postal_code' FROM backoffice_addresses ORDER BY id"
    for number, country, code in records.tx.rows(asked):
        fits = country in POSTCODES and re.fullmatch(POSTCODES[country], code)
        yield "" if fits else f"address {number}: {code!r} in {country}"


@rule(BACKOFFICE)
def phone_numbers_fit_their_country(records: Records) -> Iterator[str]:
    """Every telephone number can be dialled in the country of its customer."""
    homes = dict(
        records.tx.rows("SELECT customer_id, postal ->> 'country' FROM backoffice_addresses WHERE is_default = 1")
    )
    for one in records.customers.values():
        country = homes.get(one.id, "")
        if one.phone and country in PHONES:
            yield "" if _dials(one.phone, country) else f"customer {one.id}: {one.phone!r} in {country}"


def _dials(phone: str, country: str) -> bool:
    code, trunk, least, most = PHONES[country]
    digits = re.sub(r"\D", "", phone)
    if phone.startswith("+"):
        return digits.startswith(code) and least <= len(digits) - len(code) <= most
    here = digits.removeprefix(trunk)
    return (country in ("ES", "CA", "US") or digits.startswith(trunk)) and least <= len(here) <= most and here[0] != "0"


@rule(BACKOFFICE)
def people_act_under_their_names(records: Records) -> Iterator[str]:
    """Where a person acts, the author is an employee of the company, not a program."""
    staff = {email for (email,) in records.tx.rows("SELECT email FROM backoffice_staff")}
    for table, column in ACTED.items():
        for number, author in records.tx.rows(f"SELECT id, {column} FROM {table} ORDER BY id"):
            yield f"{table} {number} is by {author!r}" if author not in staff or NOBODY.search(author) else ""


@rule(ZENDESK)
def words_have_an_author(records: Records) -> Iterator[str]:
    """Every comment, and every update that no rule made, has a person as its author."""
    for comments in records.comments.values():
        for one in comments:
            author = records.users.get(one.author_id)
            nobody = author is None or not author.name.strip() or NOBODY.search(author.name)
            yield f"comment {one.id} is by {author.name if author else one.author_id!r}" if nobody else ""
    for audits in records.audits.values():
        for audit in audits:
            wrong = audit.author_id not in records.users and audit.source.get("rel") not in ("automation", "trigger")
            yield f"audit {audit.id} of {audit.channel} has no author" if wrong else ""


GREETED = re.compile(
    r"^(?:(?:Hi|Hey|Hello) there|Hi|Hey|Hello(?: hello)?|Dear|Good (?:morning|afternoon|evening)"
    r"|Hallo|Guten (?:Morgen|Tag|Abend)"
    r"|Bonjour|Bonsoir"
    r"|Hola|Buen[oa]s (?:días|tardes|noches)|Beste|Goedemorgen|Goedemiddag|Goedenavond|Salut) (?P<name>[^,!:\n]{2,60}?)"
    r" ?[,!:]",
)
ANYBODY = {"customer", "there", "all", "team", "kunde", "client"}


@rule(ZENDESK)
def greetings_name_the_requester(records: Records) -> Iterator[str]:
    """A colleague who greets a person by name uses the name of a person on the ticket."""
    for thread in records.threads:
        people = [thread.requester.name, *(one.author.name for one in thread.messages if one.author and not one.staff)]
        people += [one.comment.body for one in thread.messages if not one.staff]  # as they sign
        known = " ".join(people).lower()
        for one in thread.answers:
            found = GREETED.match(one.comment.body)
            if found and found["name"].lower() not in ANYBODY:
                name = found["name"].removesuffix(" :)").lower()
                wrong = not any(part in known for part in name.split())
                yield f"comment {one.comment.id} greets {found['name']!r}, not {thread.requester.name}" if wrong else ""
