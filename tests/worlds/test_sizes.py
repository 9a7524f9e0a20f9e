"""What a company says of its sizes is true of its data."""

import re

import pytest

from diorama.worlds import companies, open_world
from diorama.worlds.coherence import contradictions

HELP_DESKS = [company.name for company in companies() if "zendesk" in {app.name for app in company.apps}]


@pytest.mark.parametrize("name", HELP_DESKS)
def test_the_smallest_size_has_what_it_declares(name: str) -> None:
    company = next(one for one in companies() if one.name == name)
    size, text = next(iter(company.sizes.items()))
    declared = re.fullmatch(r"at least ([\d,]+) tickets and ([\d,]+) customers", str(text))
    assert declared is not None, text
    world = open_world(company, size)
    counts = [
        world.read(lambda tx, table=table: tx.rows(f"SELECT count(*) FROM {table}")[0][0])
        for table in ("zendesk_tickets", "backoffice_customers")
    ]
    for count, least in zip(counts, (int(group.replace(",", "")) for group in declared.groups()), strict=True):
        assert least <= count <= 1.3 * least


@pytest.mark.soak
@pytest.mark.parametrize(("name", "size"), [(one.name, size) for one in companies() for size in one.sizes])
def test_every_size_can_be_built_and_agrees_with_itself(name: str, size: str) -> None:
    assert contradictions(open_world(name, size)) == []
