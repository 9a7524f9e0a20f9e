"""Users, identities, organizations and groups."""

import pytest

from tests.apps.zendesk.desk import ADA, ANA, BEN, MARA, OLEG, Desk


def test_me_is_the_caller(desk: Desk) -> None:
    assert desk.get("users/me.json", ANA)["user"]["email"] == ANA
    assert desk.get("users/me.json", MARA)["user"]["role"] == "end-user"


def test_a_user_is_created_read_changed_and_deleted(desk: Desk) -> None:
    body = {"name": "Ida Lund", "email": "Ida@Example.net", "phone": "+4912", "tags": ["b", "A"], "external_id": "7"}
    made = desk.post("users.json", {"user": body}, ANA)["user"]
    assert (made["email"], made["tags"], made["role"]) == ("ida@example.net", ["a", "b"], "end-user")
    assert desk.get(f"users/{made['id']}.json")["user"] == made
    desk.put(f"users/{made['id']}.json", {"user": {"notes": "Prefers mail", "email": "ida@lund.example"}})
    changed = desk.get(f"users/{made['id']}.json")["user"]
    assert (changed["notes"], changed["email"]) == ("Prefers mail", "ida@lund.example")
    identities = desk.get(f"users/{made['id']}/identities.json")["identities"]
    assert {(one["value"], one["primary"]) for one in identities if one["type"] == "email"} == {
        ("ida@example.net", False),
        ("ida@lund.example", True),
    }
    gone = desk.delete(f"users/{made['id']}.json").json()["user"]
    assert (gone["active"], gone["email"]) == (False, None)
    assert desk.get("users/search.json", query="ida")["count"] == 0


def test_an_address_belongs_to_one_user(desk: Desk) -> None:
    reply = desk.call("POST", "users.json", {"user": {"name": "Other", "email": MARA}}, ANA)
    assert reply.status == 422
    assert reply.json()["details"] == {
        "email": [{"description": f"Email: {MARA} is already being used by another user", "error": "DuplicateValue"}]
    }


@pytest.mark.parametrize("user", [{"name": "", "email": "a@b.de"}, {"name": "x", "email": "nonsense"}])
def test_a_user_needs_a_name_and_a_proper_address(desk: Desk, user: dict[str, str]) -> None:
    assert desk.call("POST", "users.json", {"user": user}, ANA).status == 422


def test_create_or_update_finds_the_user_by_address_or_external_id(desk: Desk) -> None:
    first = desk.post("users/create_or_update.json", {"user": {"name": "M. Voss", "email": MARA}}, ANA)["user"]
    assert (first["id"], first["name"]) == (desk.user(MARA).id, "M. Voss")
    made = desk.post("users/create_or_update.json", {"user": {"name": "New", "email": "new@x.example"}}, ANA)["user"]
    assert made["id"] != first["id"]


def test_users_are_listed_counted_shown_and_autocompleted(desk: Desk) -> None:
    assert {user["email"] for user in desk.get("users.json", role="agent")["users"]} == {ANA, BEN}
    both = desk.get("users.json", raw={"role[]": "admin"})["users"]
    assert {user["email"] for user in both} == {ADA}
    assert desk.get("users/count.json")["count"]["value"] == 5
    ids = f"{desk.user(MARA).id},{desk.user(OLEG).id}"
    assert desk.get("users/show_many.json", ids=ids)["count"] == 2
    assert [user["email"] for user in desk.get("users/autocomplete.json", name="mar")["users"]] == [MARA]
    related = desk.get(f"users/{desk.user(MARA).id}/related.json")["user_related"]
    assert related["requested_tickets"] == 0


def test_a_user_joins_the_organization_of_their_domain(desk: Desk) -> None:
    made = desk.post("users.json", {"user": {"name": "Pia", "email": "pia@example.org"}}, ANA)["user"]
    assert made["organization_id"] == desk.user(OLEG).organization_id


def test_agents_create_customers_but_only_admins_create_agents(desk: Desk) -> None:
    body = {"user": {"name": "Eve", "email": "eve@larkspur.example", "role": "agent"}}
    assert desk.call("POST", "users.json", body, ANA).status == 403
    made = desk.post("users.json", body)["user"]
    assert made["default_group_id"] == desk.group("Support").id


def test_a_requester_of_an_open_ticket_cannot_be_deleted(desk: Desk) -> None:
    desk.asks()
    assert desk.call("DELETE", f"users/{desk.user(MARA).id}.json").status == 422


def test_an_agent_changes_no_addresses_of_other_agents(desk: Desk) -> None:
    path = f"users/{desk.user(ADA).id}/identities"
    body = {"identity": {"type": "email", "value": "ada@home.example"}}
    assert desk.call("POST", f"{path}.json", body, ANA).status == 403
    made = desk.post(f"{path}.json", body, ADA)["identity"]["id"]
    for method, end in (("PUT", ""), ("PUT", "/make_primary"), ("PUT", "/verify"), ("DELETE", "")):
        assert desk.call(method, f"{path}/{made}{end}.json", body, ANA).status == 403, end
    assert desk.post(
        f"users/{desk.user(ANA).id}/identities.json", {"identity": {"type": "email", "value": "a@b.co"}}, ANA
    )


def test_identities_are_added_verified_made_primary_and_removed(desk: Desk) -> None:
    path = f"users/{desk.user(MARA).id}/identities"
    made = desk.post(f"{path}.json", {"identity": {"type": "email", "value": "mara@home.example"}})["identity"]
    assert not made["verified"]
    assert desk.put(f"{path}/{made['id']}/verify.json")["identity"]["verified"]
    desk.put(f"{path}/{made['id']}/make_primary.json")
    assert desk.get(f"users/{desk.user('mara@home.example').id}.json")["user"]["email"] == "mara@home.example"
    assert desk.asks(by=MARA) == 1
    assert desk.ticket(1).requester_id == made["user_id"]
    assert desk.call("DELETE", f"{path}/{made['id']}.json").status == 422
    other = next(one["id"] for one in desk.get(f"{path}.json")["identities"] if one["value"] == MARA)
    desk.delete(f"{path}/{other}.json")
    assert desk.call("GET", f"{path}/{other}.json").status == 404


def test_an_organization_is_created_read_changed_and_deleted(desk: Desk) -> None:
    made = desk.post("organizations.json", {"organization": {"name": "Cafe Nord", "tags": ["b2b"]}})["organization"]
    assert made == desk.get(f"organizations/{made['id']}.json")["organization"]
    assert set(made) == {
        "url", "id", "name", "shared_tickets", "shared_comments", "external_id", "created_at", "updated_at",
        "domain_names", "details", "notes", "group_id", "tags", "organization_fields",
    }  # fmt: skip
    desk.put(f"organizations/{made['id']}.json", {"organization": {"external_id": "n-1", "notes": "pays late"}})
    found = desk.get("organizations/search.json", external_id="n-1")["organizations"]
    assert [one["notes"] for one in found] == ["pays late"]
    assert [one["id"] for one in desk.get("organizations/autocomplete.json", name="caf")["organizations"]] == [
        made["id"]
    ]
    desk.delete(f"organizations/{made['id']}.json")
    assert desk.call("GET", f"organizations/{made['id']}.json").json() == {
        "error": "RecordNotFound",
        "description": "Not found",
    }


def test_organization_names_are_unique_and_agents_only_change_notes(desk: Desk) -> None:
    assert desk.call("POST", "organizations.json", {"organization": {"name": "roasters united"}}).status == 422
    number = desk.user(OLEG).organization_id
    body = {"organization": {"name": "Renamed", "notes": "new note"}}
    after = desk.put(f"organizations/{number}.json", body, ANA)["organization"]
    assert (after["name"], after["notes"]) == ("Roasters United", "new note")


def test_a_membership_can_become_the_default(desk: Desk) -> None:
    nord = desk.post("organizations.json", {"organization": {"name": "Cafe Nord"}})["organization"]
    oleg = desk.user(OLEG)
    body = {"organization_membership": {"user_id": oleg.id, "organization_id": nord["id"]}}
    made = desk.post("organization_memberships.json", body)["organization_membership"]
    assert (made["default"], made["organization_name"]) == (False, "Cafe Nord")
    assert desk.call("POST", "organization_memberships.json", body).status == 422
    desk.put(f"users/{oleg.id}/organization_memberships/{made['id']}/make_default.json")
    assert desk.user(OLEG).organization_id == nord["id"]
    desk.delete(f"organization_memberships/{made['id']}.json")
    assert desk.user(OLEG).organization_id == oleg.organization_id
    assert desk.get(f"organizations/{oleg.organization_id}/related.json")["organization_related"]["users_count"] == 1


def test_groups_list_their_members(desk: Desk) -> None:
    made = desk.post("groups.json", {"group": {"name": "Returns"}})["group"]
    body = {"group_membership": {"user_id": desk.user(BEN).id, "group_id": made["id"]}}
    member = desk.post("group_memberships.json", body)["group_membership"]
    assert [user["email"] for user in desk.get(f"groups/{made['id']}/users.json")["users"]] == [BEN]
    number = desk.asks()
    desk.updates(number, group_id=made["id"], assignee_email=BEN)
    desk.delete(f"group_memberships/{member['id']}.json")
    assert desk.ticket(number).assignee_id is None
    desk.delete(f"groups/{made['id']}.json")
    assert desk.ticket(number).group_id is None
    assert "Returns" not in [group["name"] for group in desk.get("groups.json")["groups"]]


def test_only_agents_join_groups_and_only_admins_create_them(desk: Desk) -> None:
    body = {"group_membership": {"user_id": desk.user(MARA).id, "group_id": desk.group("Support").id}}
    assert desk.call("POST", "group_memberships.json", body).status == 422
    assert desk.call("POST", "groups.json", {"group": {"name": "x"}}, ANA).status == 403
