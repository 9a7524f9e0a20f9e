"""Larkspur's desk configuration apart from rules: forms, statuses, customer fields, machines, texts, logins."""

from __future__ import annotations

from diorama.apps.zendesk import seed
from diorama.apps.zendesk.rules import custom_object_records, custom_objects
from diorama.apps.zendesk.schema import ChildField, CustomObject, FormCondition, ObjectField, TicketField, User
from diorama.kernel import Tx

MACHINES = (
    ("Lark Compact", "LC", 15), ("Aria", "AR", 15), ("Aria Plus", "AP", 15), ("Calla", "CA", 9), ("Duet", "DU", 15),
    ("Tern Lever", "TL", 9), ("Atelier 2", "A2", 9), ("Finch Grinder", "FG", 0), ("Heron 64", "H6", 0),
)  # fmt: skip
"""Machine models: name, prefix of the serial numbers, pressure in bar."""


def arrange(tx: Tx, order_field: TicketField, product_field: TicketField) -> None:
    """Add everything that the desk's lead configured over the years."""
    serial = seed.add_field(tx, "Serial number", visible=True, description="On the plate below the drip tray")
    seed.add_form(
        tx,
        "Machine trouble",
        (order_field, product_field, serial),
        agent_conditions=[FormCondition(product_field.id, "aria", (ChildField(serial.id),))],
    )
    seed.add_form(tx, "Order and delivery", (order_field,))
    seed.add_custom_status(tx, "hold", "Waiting for the workshop", "In the workshop", "The machine is being repaired")
    seed.add_custom_status(tx, "pending", "Waiting for return", "Waiting for your parcel", "The customer sends it back")
    seed.add_content(
        tx,
        "Signature",
        {"en-US": "Your Larkspur team", "de": "Dein Larkspur-Team", "fr": "Votre équipe Larkspur"},
    )
    seed.add_content(
        tx,
        "Opening hours",
        {"en-US": "Monday to Friday, 8 to 18", "de": "Montag bis Freitag, 8 bis 18 Uhr"},
    )
    seed.add_user_field(tx, "machine", "Machine at home")
    seed.add_user_field(tx, "newsletter", "Gets the newsletter", "checkbox")
    seed.add_organization_field(
        tx, "terms", "Payment terms", "dropdown", [("14 days", "net_14"), ("30 days", "net_30")]
    )


def machines(tx: Tx, by: User) -> None:
    """Add the machine models that the workshop supports."""
    moment = by.created_at
    author = {"created_by_user_id": by.id, "updated_by_user_id": by.id}
    made = tx.add(
        CustomObject(
            key="machine", title="Machine", title_pluralized="Machines", created_at=moment, updated_at=moment, **author
        )
    )
    custom_objects.standard_fields(tx, made)
    for place, (key, kind, title) in enumerate(
        (("serial_prefix", "text", "Serial prefix"), ("bars", "integer", "Pressure in bar")), 2
    ):
        tx.add(
            ObjectField(
                object_key="machine",
                key=key,
                type=kind,
                title=title,
                position=place,
                created_at=moment,
                updated_at=moment,
            )
        )
    for name, letters, bars in MACHINES:
        fields = {"serial_prefix": letters, "bars": bars} if bars else {"serial_prefix": letters}
        custom_object_records.add(tx, by, "machine", name, letters, fields)
