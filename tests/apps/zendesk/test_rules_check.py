"""People, links and scenarios call the rules without the API: the same checks hold for them."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from diorama.apps.zendesk.rules import (
    custom_objects,
    essentials_cards,
    oauth,
    ticket_content_pins,
    ticket_imports,
    trigger_categories,
    voice,
    webhooks,
)
from diorama.apps.zendesk.schema import Ticket, User
from diorama.apps.zendesk.seed import Turn
from diorama.kernel import Missing, Refusal, Tx
from tests.apps.zendesk.desk import Desk

CLIENT = {"name": "Reports", "identifier": "reports"}
HOOK = {
    "name": "Chat",
    "endpoint": "https://x.example",
    "http_method": "POST",
    "request_format": "json",
    "status": "active",
}
CALL = voice.PhoneCall(from_="", to="+1", recording_url="https://x.example", started_at="2026-03-02", call_duration=1)


def client_twice(tx: Tx, me: User) -> None:
    oauth.add_client(tx, me, CLIENT)
    oauth.add_client(tx, me, CLIENT)


def object_twice(tx: Tx, me: User) -> None:
    titles = {"title": "Lease", "title_pluralized": "Leases"}
    custom_objects.add_object(tx, me, "lease", titles)
    custom_objects.add_object(tx, me, "lease", titles)


def standard_field(tx: Tx, me: User) -> None:
    custom_objects.add_object(tx, me, "lease", {"title": "Lease", "title_pluralized": "Leases"})
    custom_objects.remove_field(tx, me, custom_objects.field_of(tx, "lease", "standard::name"))


def pinned_twice(tx: Tx, me: User) -> None:
    for _ in range(2):
        ticket_content_pins.pin(tx, tx.all(Ticket)[0], "external_content", "a", None)


def future(tx: Tx, me: User) -> None:
    turn = Turn(at=tx.now + timedelta(days=1), author=me, body="Tomorrow")
    ticket_imports.import_ticket(tx, me, {}, [turn])


WRONG: dict[str, Callable[[Tx, User], Any]] = {
    "redirect_uri": lambda tx, me: oauth.add_client(tx, me, {**CLIENT, "redirect_uri": ("http://evil.example",)}),
    "identifier": client_twice,
    "expires_in": lambda tx, me: oauth.give_own(tx, me, oauth.add_client(tx, me, CLIENT), ["read"], 5),
    "key": lambda tx, me: custom_objects.add_object(tx, me, "Big Lease", {}),
    "key taken": object_twice,
    "title": lambda tx, me: custom_objects.add_object(tx, me, "lease", {}),
    "standard field": standard_field,
    "card": lambda tx, me: essentials_cards.set_card(tx, me, "zen:user", [{"id": "shoe_size"}]),
    "card length": lambda tx, me: essentials_cards.set_card(tx, me, "zen:user", [{"id": "email"}] * 3, 2),
    "category": lambda tx, me: trigger_categories.add_category(tx, {"name": " "}),
    "endpoint": lambda tx, me: webhooks.add(tx, me, {**HOOK, "endpoint": "ftp://x.example"}),
    "event type": lambda tx, me: webhooks.add(tx, me, {**HOOK, "subscriptions": ("zen:event-type:none",)}),
    "call": lambda tx, me: voice.first_comment(tx, "voicemail", CALL),
    "voicemail": lambda tx, me: voice.first_comment(tx, "voicemail", None),
    "channel": lambda tx, me: voice.channel_of(tx, 1, 0),
    "pin kind": lambda tx, me: ticket_content_pins.pin(tx, tx.all(Ticket)[0], "poem", "1", None),
    "pin article": lambda tx, me: ticket_content_pins.pin(tx, tx.all(Ticket)[0], "article", "1", None),
    "pin": pinned_twice,
    "import": future,
    "empty import": lambda tx, me: ticket_imports.import_ticket(tx, me, {}, []),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_rule_refuses_without_the_api(name: str, desk: Desk) -> None:
    desk.post("tickets.json", {"ticket": {"subject": "One", "comment": {"body": "One"}}})

    def act(tx: Tx) -> Any:
        return WRONG[name](tx, tx.all(User, "role = 'admin'")[0])

    with pytest.raises((Refusal, Missing)):
        desk.world.do(act, "system:test")
