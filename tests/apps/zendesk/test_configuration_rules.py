"""The rules of the configuration refuse for every caller: a handler, a colleague or staging."""

from collections.abc import Callable
from typing import Any

import pytest

from diorama.apps.zendesk import rules
from diorama.apps.zendesk.rules import (
    brands,
    custom_roles,
    custom_statuses,
    groups,
    queues,
    schedules,
    sharing_agreements,
    support_addresses,
    targets,
    ticket_fields,
    ticket_forms,
    user_identities,
    user_passwords,
    users,
    workspaces,
)
from diorama.apps.zendesk.schema import (
    Brand,
    CustomStatus,
    Holiday,
    Identity,
    Interval,
    SupportAddress,
    TicketField,
    TicketForm,
    User,
)
from diorama.kernel import Refusal, Tx
from tests.apps.zendesk.desk import ADA, ANA, BEN, MARA, Desk

Rule = Callable[[Tx, User], Any]


def default(tx: Tx, record: type[Any]) -> Any:
    return tx.all(record, '"default" = 1')[0]


REFUSED: list[tuple[str, Rule]] = [
    ("default brand cannot be deleted", lambda tx, me: brands.delete_brand(tx, default(tx, Brand))),
    ("default brand cannot be dea", lambda tx, me: brands.change_brand(tx, me, default(tx, Brand), {"active": False})),
    (
        "Subdomain: has already been taken",
        lambda tx, me: brands.add_brand(tx, me, {"name": "x", "subdomain": "larkspur"}),
    ),
    ("Subdomain: is invalid", lambda tx, me: brands.add_brand(tx, me, {"name": "x", "subdomain": "-"})),
    ("Name: cannot be blank", lambda tx, me: brands.add_brand(tx, me, {"subdomain": "fresh"})),
    ("default form cannot be deleted", lambda tx, me: ticket_forms.delete_form(tx, me, default(tx, TicketForm))),
    (
        "default form cannot be deactivated",
        lambda tx, me: ticket_forms.change_form(tx, me, default(tx, TicketForm), {"active": False}),
    ),
    (
        "default status of a category",
        lambda tx, me: custom_statuses.change_status(tx, me, default(tx, CustomStatus), {"active": False}),
    ),
    ("Status category: odd", lambda tx, me: custom_statuses.add_status(tx, me, "odd", {"agent_label": "Odd"})),
    ("has already been taken", lambda tx, me: custom_statuses.add_status(tx, me, "open", {"agent_label": "Pending"})),
    ("one status per category", lambda tx, me: custom_statuses.make_defaults(tx, [default(tx, CustomStatus)] * 2)),
    ("403", lambda tx, me: ticket_fields.delete_field(tx, me, tx.all(TicketField, "removable = 0")[0])),
    ("default support address", lambda tx, me: support_addresses.delete_address(tx, me, default(tx, SupportAddress))),
    ("is not properly formatted", lambda tx, me: support_addresses.add_address(tx, me, "nobody", {})),
    ("Type: smoke", lambda tx, me: support_addresses.verify_address(tx, me, default(tx, SupportAddress), "smoke")),
    ("Name: cannot be blank", lambda tx, me: groups.change_group(tx, groups.add_group(tx, name="x"), {"name": " "})),
    ("Primary identity", lambda tx, me: user_identities.delete_identity(tx, tx.all(Identity, '"primary" = 1')[0])),
    ("current password is incorrect", lambda tx, me: user_passwords.change_password(tx, me, "old", "new password")),
    ("Time zone: is invalid", lambda tx, me: schedules.check_schedule("Hours", "Atlantis")),
    ("must not overlap", lambda tx, me: schedules.check_intervals([Interval(0, 60), Interval(30, 90)])),
    (
        "must not precede",
        lambda tx, me: schedules.check_holiday(Holiday(id=1, name="x", start_date="2026-01-02", end_date="2026-01-01")),
    ),
    ("Priority: must be between", lambda tx, me: queues.add_queue(tx, {"name": "q", "priority": 0})),
    ("Title: cannot be blank", lambda tx, me: workspaces.check_fields({"title": ""})),
    ("Type: pigeon", lambda tx, me: targets.add_target(tx, me, {"type": "pigeon", "title": "x"})),
    ("Target url: cannot be blank", lambda tx, me: targets.add_target(tx, me, {"type": "http_target", "title": "x"})),
    ("Status: maybe", lambda tx, me: sharing_agreements.add_agreement(tx, me, {"status": "maybe"})),
    ("has already been taken", lambda tx, me: [custom_roles.add_role(tx, me, "Twin", "", {}) for _ in range(2)]),
]


@pytest.mark.parametrize(("why", "rule"), REFUSED)
def test_a_configuration_rule_refuses_without_the_api(desk: Desk, why: str, rule: Rule) -> None:
    with pytest.raises(Refusal, match=why):
        desk.do(lambda tx: rule(tx, tx.get(User, desk.user(ADA).id)))


def test_a_role_that_agents_have_is_not_deleted(desk: Desk) -> None:
    def assign(tx: Tx) -> None:
        me = tx.get(User, desk.user(ADA).id)
        role = custom_roles.add_role(tx, me, "Reader", "", {})
        rules.change_user(tx, tx.get(User, desk.user(ANA).id), {"custom_role_id": role.id})
        custom_roles.delete_role(tx, me, role)

    with pytest.raises(Refusal, match="still assigned"):
        desk.do(assign)


def test_agents_change_end_users_and_themselves_only(desk: Desk) -> None:
    ada, ana, ben, mara = (desk.user(email) for email in (ADA, ANA, BEN, MARA))
    for me, user, role in ((ada, ben, "admin"), (ana, mara, None), (ana, None, None), (ana, ana, None)):
        users.check_may_write(me, user, role)
    for me, user, role in ((ana, ben, None), (ana, None, "agent"), (ana, mara, "admin"), (mara, mara, None)):
        with pytest.raises(Refusal, match="403"):
            users.check_may_write(me, user, role)
