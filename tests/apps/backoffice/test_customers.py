"""An email belongs to one customer, and changing an address book changes no order in progress."""

import pytest

from diorama.apps.backoffice import rules
from diorama.apps.backoffice.schema import Address, Note, Postal
from diorama.kernel import Refusal, World
from tests.apps.backoffice.shop import ANA, FATE, HOME, MARA, WORK, ask, buy, mara, now


def test_a_customer_is_found_by_every_address_in_any_case(world: World) -> None:
    for email in (MARA.name, "M.Kok@Work.example", " MARA@example.com "):
        found = world.read(rules.by_email, email)
        assert found is not None
        assert found.id == mara(world).id
    assert world.read(rules.by_email, "nobody@example.com") is None


def test_an_address_belongs_to_one_customer(world: World) -> None:
    other = world.do(rules.open_account, ANA, "Tom Reed", ["tom@example.com"])
    with pytest.raises(Refusal, match="409 email_taken"):
        world.do(rules.add_email, ANA, other.id, MARA.name)
    with pytest.raises(Refusal, match="409 email_taken"):
        world.do(rules.open_account, ANA, "Mara again", ["new@example.com", MARA.name])


@pytest.mark.parametrize("email", ["", "mara", "mara@", "@example.com", "a b@example.com", "mara@host"])
def test_an_invalid_email_address_is_refused(world: World, email: str) -> None:
    with pytest.raises(Refusal, match="400 email_invalid"):
        world.do(rules.add_email, ANA, mara(world).id, email)


def test_the_primary_email_can_be_switched_but_not_removed(world: World) -> None:
    who = mara(world).id
    with pytest.raises(Refusal, match="409 email_primary"):
        world.do(rules.remove_email, ANA, who, MARA.name)
    with pytest.raises(Refusal, match="400 email_unknown"):
        world.do(rules.update_customer, ANA, who, email="new@example.com")
    changed = world.do(rules.update_customer, ANA, who, email="m.kok@work.example")
    assert changed.emails == ("m.kok@work.example", MARA.name)
    assert world.do(rules.remove_email, ANA, who, MARA.name).emails == ("m.kok@work.example",)


def test_a_new_default_address_does_not_change_open_orders(world: World) -> None:
    order = buy(world)
    entry = world.do(rules.add_address, ANA, mara(world).id, WORK, "office", make_default=True)
    assert now(world, order).shipping_address == HOME
    book = world.read(lambda tx: tx.all(Address, order="is_default DESC"))
    assert [(one.id == entry.id, one.is_default) for one in book] == [(True, True), (False, False)]
    assert buy(world).shipping_address == WORK


def test_an_address_without_a_street_or_country_is_refused(world: World) -> None:
    for broken in (
        Postal(name="M", line1=" ", city="Delft", postal_code="2611", country="NL"),
        Postal(name="M", line1="Oude Delft 12", city="Delft", postal_code="2611", country="Netherlands"),
    ):
        with pytest.raises(Refusal, match=r"400 (address_incomplete|country_invalid)"):
            world.do(rules.add_address, ANA, mara(world).id, broken)


def test_notes_can_be_added_but_not_edited(world: World) -> None:
    path = f"/api/v1/customers/{mara(world).id}/notes"
    written = ask(world, "POST", path, {"body": "Prefers e-mail.", "pinned": True}).json()
    assert written["author"] == ANA.name
    assert ask(world, "GET", path).json()["data"] == [written]
    for method in ("PUT", "PATCH", "DELETE"):
        assert ask(world, method, f"{path}/{written['id']}", {}).status == 404
    assert world.read(lambda tx: tx.count(Note)) == 1


def test_a_note_about_another_customers_order_is_refused(world: World) -> None:
    order = buy(world)
    other = world.do(rules.open_account, FATE, "Tom Reed", ["tom@example.com"])
    reply = ask(world, "POST", f"/api/v1/customers/{other.id}/notes", {"body": "x", "order_id": order.id})
    assert reply.status == 404
