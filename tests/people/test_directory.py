"""The directory: one person, several addresses and accounts, and the hours at which they work."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama import people
from diorama.kernel import Company, Tx, World
from diorama.kernel.testing import image_for
from diorama.people import Absence, Contact
from diorama.people.directory import mailbox_at, next_at_work, without_tag

MONDAY = datetime(2026, 3, 2, 7, 30, tzinfo=UTC)


def fill(tx: Tx, size: str) -> None:
    """Write two colleagues, a customer and the address of a desk."""
    people.set_up(tx, shop="Tea", shop_name="Tea Ltd", time_zone="UTC", days_off=[date(2026, 3, 3)])
    people.add_contact(
        tx,
        Contact(
            name="Mika Holm", email="Mika@tea.example", role="agent", team="Support", shift=(9, 17), days=(0, 1, 2),
            absences=(Absence(date(2026, 3, 4), date(2026, 3, 9)),), languages=("en", "fi"), time_zone="UTC",
        ),
        ["mika.holm@tea.example"],
        {"zendesk": ["361"], "slack": ["U04MIKA"]},
    )  # fmt: skip
    people.add_contact(tx, Contact(name="Jo Holm", email="jo@tea.example", role="lead", team="Support"))
    people.add_contact(tx, Contact(name="Bo Berg", email="bo@mail.example"), accounts={"zendesk": ["362"]})
    people.add_mailbox(tx, "help@tea.example", app="zendesk")
    people.add_mailbox(tx, "@tea.zendesk.com", app="zendesk")


COMPANY = Company("directory-tests", [people.APP], fill)


@pytest.fixture
def world() -> World:
    return World.open(COMPANY, image_for(COMPANY), 0)


def test_a_person_is_found_by_each_address_account_and_team(world: World) -> None:
    def found(tx: Tx) -> set[str]:
        by = [people.contact_at(tx, "MIKA.HOLM@tea.example "), people.contact_at(tx, "mika@tea.example")]
        by += [people.contact_with(tx, "zendesk", 361), people.contact_with(tx, "slack", "U04MIKA")]
        by += [one for one in people.team_members(tx, "Support") if one.given == "Mika"]
        return {one.id for one in by if one is not None}

    assert world.read(found) == {"mika.holm"}
    assert world.read(lambda tx: people.contact_at(tx, "unknown@tea.example")) is None
    assert world.read(lambda tx: people.contact_with(tx, "slack", "362")) is None


def test_a_person_keeps_addresses_and_accounts_in_one_place(world: World) -> None:
    mika = world.read(lambda tx: people.contact_at(tx, "mika@tea.example"))
    assert mika is not None
    assert world.read(people.addresses_of, mika) == ("mika@tea.example", "mika.holm@tea.example")
    assert {one.id for one in world.read(people.accounts_of, mika)} == {"zendesk 361", "slack U04MIKA"}


def test_two_people_of_one_name_have_two_keys(world: World) -> None:
    twin = world.do(lambda tx: people.add_contact(tx, Contact(name="Bo Berg", email="b2@mail.example")), "system:test")
    assert twin.id == "bo.berg-2"


def test_only_people_with_a_role_are_staff(world: World) -> None:
    assert world.read(people.is_staff_address, "jo@tea.example")
    assert not world.read(people.is_staff_address, "bo@mail.example")
    assert not world.read(people.is_staff_address, "help@tea.example")
    assert [one.given for one in world.read(people.staff)] == ["Jo", "Mika"]


def test_a_tag_and_a_whole_domain_lead_to_the_same_mailbox(world: World) -> None:
    for address in ("help@tea.example", "help+id12@tea.example", "help+side-x@tea.example", "any@tea.zendesk.com"):
        box = world.read(mailbox_at, address)
        assert box is not None
        assert box.app == "zendesk"
    assert world.read(mailbox_at, "helpx@tea.example") is None


@given(st.text(max_size=60))
def test_any_text_can_be_looked_up(text: str) -> None:
    world = World.open(COMPANY, image_for(COMPANY), 0)
    assert world.read(people.contact_at, text) is None
    assert world.read(people.fate_of, text) in ("unknown_domain", "unknown_mailbox", "app")
    assert len(without_tag(text)) <= len(text)


@pytest.mark.parametrize(
    ("moment", "works"),
    [
        (MONDAY, datetime(2026, 3, 2, 9, 30, tzinfo=UTC)),
        (MONDAY.replace(hour=12), datetime(2026, 3, 2, 12, 30, tzinfo=UTC)),
        # closed on Tuesday, away from Wednesday to the next Monday, works from Tuesday again
        (MONDAY.replace(hour=18), datetime(2026, 3, 10, 9, 30, tzinfo=UTC)),
    ],
)
def test_people_work_in_their_shift_and_not_while_away(world: World, moment: datetime, works: datetime) -> None:
    mika = world.read(lambda tx: people.contact_at(tx, "mika@tea.example"))
    assert mika is not None
    assert world.read(next_at_work, mika, moment) == works


def test_no_app_can_read_the_directory() -> None:
    tables = {table.name for table in people.APP.tables}
    assert {"_people_directory", "_people_mailboxes", "_people_accounts", "_people_mails", "_people_knowledge"} < tables
    assert all(name.startswith("_") for name in tables)
