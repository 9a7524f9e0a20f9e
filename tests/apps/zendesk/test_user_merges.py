"""Merging and permanently deleting users, passwords, subscriptions, and bulk memberships."""

from typing import Any

import pytest

from diorama.kernel import Actor, Request
from tests.apps.zendesk.desk import ADA, ANA, BEN, MARA, OLEG, Desk


def job(desk: Desk, reply: Any) -> Any:
    """Wait for a background job, and return its status."""
    desk.waits(minutes=2)
    return desk.get(f"job_statuses/{reply['job_status']['id']}.json")["job_status"]


def test_merging_users_moves_tickets_comments_and_emails(desk: Desk) -> None:
    number = desk.asks(by=MARA)
    loser, winner = desk.user(MARA), desk.user(OLEG)
    merged = desk.put(f"users/{loser.id}/merge.json", {"user": {"id": winner.id}}, ANA)["user"]
    assert merged["id"] == winner.id
    assert desk.ticket(number).requester_id == winner.id
    assert {words.author_id for words in desk.comments(number)} == {winner.id}
    told = desk.audits(number)[-1].events[0]
    assert (told.field_name, told.value) == ("requester_id", str(winner.id))
    values = {one["value"]: one["primary"] for one in desk.get(f"users/{winner.id}/identities.json")["identities"]}
    assert (values[MARA], values[OLEG]) == (False, True)
    assert desk.get(f"users/{loser.id}.json")["user"]["active"] is False
    assert desk.ticket(desk.asks(by=MARA)).requester_id == winner.id


def test_agents_and_the_same_user_cannot_be_merged(desk: Desk) -> None:
    mara = desk.user(MARA).id
    for other in (desk.user(BEN).id, mara):
        assert desk.call("PUT", f"users/{mara}/merge.json", {"user": {"id": other}}).status == 422
    assert desk.call("PUT", f"users/{mara}/merge.json", {"user": {"id": desk.user(OLEG).id}}, MARA).status == 403


def test_a_customer_merges_accounts_with_the_other_password(desk: Desk) -> None:
    oleg = desk.user(OLEG)
    desk.post(f"users/{oleg.id}/password.json", {"password": "arabica!"})
    wrong = desk.call("PUT", "users/me/merge.json", {"user": {"email": OLEG, "password": "nope"}}, MARA)
    assert wrong.status == 422
    desk.put("users/me/merge.json", {"user": {"email": OLEG, "password": "arabica!"}}, MARA)
    assert desk.get(f"users/{oleg.id}.json")["user"]["active"] is False


def test_a_deleted_user_is_listed_counted_and_purged(desk: Desk) -> None:
    mara = desk.user(MARA).id
    assert desk.call("GET", f"deleted_users/{mara}.json").status == 404
    desk.delete(f"users/{mara}.json")
    assert [one["id"] for one in desk.get("deleted_users.json")["deleted_users"]] == [mara]
    assert desk.get("deleted_users/count.json")["count"]["value"] == 1
    assert desk.get(f"deleted_users/{mara}.json")["deleted_user"]["name"] == "Mara Voss"
    assert desk.call("DELETE", f"deleted_users/{mara}.json", None, ANA).status == 403
    desk.delete(f"deleted_users/{mara}.json")
    assert desk.get("deleted_users/count.json")["count"]["value"] == 0
    assert desk.get(f"users/{mara}.json")["user"]["name"] == "Permanently deleted user"
    desk.waits(minutes=11)
    steps = desk.get(f"users/{mara}/compliance_deletion_statuses.json")["compliance_deletion_statuses"]
    assert [step["action"] for step in steps] == ["request_deletion", "started", "complete"]
    assert steps[0]["executer_id"] == desk.user(ADA).id
    assert desk.call("GET", f"users/{desk.user(OLEG).id}/compliance_deletion_statuses.json").status == 404


def test_changing_a_password_needs_the_old_one_or_an_admin(desk: Desk) -> None:
    mara = desk.user(MARA).id
    assert len(desk.get(f"users/{mara}/password/requirements.json")["requirements"]) == 3
    assert desk.call("POST", f"users/{mara}/password.json", {"password": "abc"}).status == 422
    assert desk.call("POST", f"users/{mara}/password.json", {"password": "abcdef"}, ANA).status == 403
    desk.post(f"users/{mara}/password.json", {"password": "abcdef"})
    path = f"users/{mara}/password.json"
    assert desk.call("PUT", path, {"previous_password": "x", "password": "ghijkl"}, MARA).status == 422
    desk.put(path, {"previous_password": "abcdef", "password": "ghijkl"}, MARA)
    desk.put(path, {"previous_password": "ghijkl", "password": "mnopqr"}, MARA)
    assert desk.call("PUT", path, {"previous_password": "mnopqr", "password": "other"}, OLEG).status == 403


def test_an_unverified_address_gets_a_verification_mail(desk: Desk) -> None:
    mara = desk.user(MARA).id
    identity = desk.get(f"users/{mara}/identities.json")["identities"][0]
    desk.put(f"users/{mara}/identities/{identity['id']}/request_verification.json")
    assert desk.announced() == ["VerificationRequested"]
    desk.put(f"users/{mara}/identities/{identity['id']}/verify.json")
    reply = desk.call("PUT", f"users/{mara}/identities/{identity['id']}/request_verification.json")
    assert reply.status == 422


def test_merging_organizations_moves_everything_in_a_job(desk: Desk) -> None:
    nord = desk.post("organizations.json", {"organization": {"name": "Nord", "domain_names": ["nord.example"]}})
    winner, loser = nord["organization"]["id"], desk.user(OLEG).organization_id
    number = desk.asks(by=OLEG)
    body = {"organization_merge": {"winner_id": winner}}
    made = desk.post(f"organizations/{loser}/merge.json", body)["organization_merge"]
    assert (made["status"], made["loser_id"]) == ("new", loser)
    desk.waits(minutes=1)
    assert desk.get(f"organization_merges/{made['id']}.json")["organization_merge"]["status"] == "complete"
    assert desk.call("GET", f"organizations/{loser}.json").status == 404
    assert (desk.user(OLEG).organization_id, desk.ticket(number).organization_id) == (winner, winner)
    assert "example.org" in desk.get(f"organizations/{winner}.json")["organization"]["domain_names"]
    assert [one["id"] for one in desk.get(f"organizations/{winner}/merges.json")["organization_merges"]] == [made["id"]]
    assert desk.call("POST", f"organizations/{winner}/merge.json", body).status == 422


def test_an_organization_can_be_followed_and_unfollowed(desk: Desk) -> None:
    oleg = desk.user(OLEG)
    body = {"organization_subscription": {"user_id": oleg.id, "organization_id": oleg.organization_id}}
    assert desk.call("POST", "organization_subscriptions.json", body, OLEG).status == 403
    made = desk.post("organization_subscriptions.json", body)["organization_subscription"]
    assert desk.get(f"organization_subscriptions/{made['id']}.json")["organization_subscription"] == made
    assert desk.get("organization_subscriptions.json", OLEG)["organization_subscriptions"] == [made]
    assert desk.get("organization_subscriptions.json", MARA)["organization_subscriptions"] == []
    path = f"organizations/{oleg.organization_id}/subscriptions.json"
    assert desk.get(path)["count"] == desk.get(f"users/{oleg.id}/organization_subscriptions.json")["count"] == 1
    assert desk.get(f"users/{oleg.id}/related.json")["user_related"]["organization_subscriptions"] == 1
    desk.delete(f"organization_subscriptions/{made['id']}.json")
    assert desk.get("organization_subscriptions.json")["count"] == 0


def test_memberships_are_created_and_deleted_in_bulk(desk: Desk) -> None:
    mara, company = desk.user(MARA), desk.user(OLEG).organization_id
    wanted = [{"user_id": mara.id, "organization_id": company}, {"user_id": 1, "organization_id": company}]
    done = job(desk, desk.post("organization_memberships/create_many.json", {"organization_memberships": wanted}))
    assert [one.get("status") or one["error"] for one in done["results"]] == ["Created", "RecordNotFound"]
    assert desk.user(MARA).organization_id == company
    ids = done["results"][0]["id"]
    job(desk, desk.delete("organization_memberships/destroy_many.json", ids=ids).json())
    assert desk.user(MARA).organization_id is None
    billing = desk.group("Billing").id
    body = {"group_memberships": [{"user_id": desk.user(BEN).id, "group_id": billing}]}
    made = job(desk, desk.post("group_memberships/create_many.json", body))["results"][0]["id"]
    assert [user["email"] for user in desk.get(f"groups/{billing}/users.json")["users"]] == [BEN]
    job(desk, desk.delete("group_memberships/destroy_many.json", ids=made).json())
    assert desk.get(f"groups/{billing}/users.json")["users"] == []


def test_a_users_organizations_can_be_changed_by_path(desk: Desk) -> None:
    oleg = desk.user(OLEG)
    nord = desk.post("organizations.json", {"organization": {"name": "Nord"}})["organization"]["id"]
    body = {"organization_membership": {"user_id": oleg.id, "organization_id": nord}}
    desk.post("organization_memberships.json", body)
    made = desk.put(f"users/{oleg.id}/organizations/{nord}/make_default.json")["organization_membership"]
    assert (made["default"], desk.user(OLEG).organization_id) == (True, nord)
    desk.delete(f"users/{oleg.id}/organizations/{nord}.json")
    assert desk.user(OLEG).organization_id == oleg.organization_id
    assert desk.call("DELETE", f"users/{oleg.id}/organizations/{nord}.json").status == 404


def test_organizations_are_exported_since_a_time(desk: Desk) -> None:
    desk.waits(minutes=5)
    start = int(desk.world.now.timestamp()) - 120
    desk.put(f"organizations/{desk.user(OLEG).organization_id}.json", {"organization": {"notes": "new"}})
    desk.waits(minutes=5)
    found = desk.get("incremental/organizations.json", start_time=start)
    assert [one["notes"] for one in found["organizations"]] == ["new"]
    assert found["end_of_stream"] is True


def test_assignables_are_found_by_group_and_name(desk: Desk) -> None:
    support = desk.group("Support").id

    def get(path: str, query: str = "") -> Any:
        return desk.send(Request("GET", f"/api/lotus/assignables/{path}", query, {}, b""), Actor("agent", ANA)).json()

    assert [group["name"] for group in get("groups.json")["groups"]] == ["Support"]
    assert {one["name"] for one in get(f"groups/{support}/agents.json")["agents"]} == {
        "Ada King",
        "Ana Ruiz",
        "Ben Ito",
    }
    found = get("autocomplete.json", "name=ben")
    assert [(one["name"], one["group"]) for one in found["agents"]] == [("Ben Ito", "Support")]


@pytest.mark.parametrize("noun", ["users", "organizations"])
def test_user_tags_are_set_added_and_removed(desk: Desk, noun: str) -> None:
    oleg = desk.user(OLEG)
    path = f"{noun}/{oleg.id if noun == 'users' else oleg.organization_id}/tags.json"
    assert desk.post(path, {"tags": ["b", "A"]})["tags"] == ["a", "b"]
    assert desk.put(path, {"tags": ["c"]})["tags"] == ["a", "b", "c"]
    assert desk.call("DELETE", path, {"tags": ["a"]}).json()["tags"] == ["b", "c"]
    assert desk.get(path)["tags"] == ["b", "c"]
    assert {"b", "c"} <= set(desk.ticket(desk.asks(by=OLEG)).tags)


def test_memberships_can_be_read_and_deleted_by_owner(desk: Desk) -> None:
    ben, oleg = desk.user(BEN), desk.user(OLEG)
    works = desk.get(f"users/{ben.id}/group_memberships.json")["group_memberships"][0]
    path = f"users/{ben.id}/group_memberships/{works['id']}.json"
    assert desk.get(path)["group_membership"] == works
    assert desk.call("GET", f"users/{oleg.id}/group_memberships/{works['id']}.json").status == 404
    group = f"groups/{works['group_id']}/memberships/assignable.json"
    assert works["id"] in [one["id"] for one in desk.get(group)["group_memberships"]]
    desk.delete(path)
    assert works["id"] not in [one["id"] for one in desk.get(group)["group_memberships"]]
    belongs = desk.get(f"users/{oleg.id}/organization_memberships.json")["organization_memberships"][0]
    path = f"users/{oleg.id}/organization_memberships/{belongs['id']}.json"
    assert desk.get(path)["organization_membership"] == belongs
    desk.delete(path)
    assert desk.user(OLEG).organization_id is None
