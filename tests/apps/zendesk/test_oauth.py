"""OAuth: clients, tokens that grant access within their scopes, and revoked tokens."""

from typing import Any

import msgspec
import pytest

from diorama.apps.zendesk.rules import oauth
from diorama.apps.zendesk.schema import GRANTS, OAuthClient
from diorama.kernel import ANONYMOUS, Reply, Request
from tests.apps.zendesk.desk import ADA, ANA, APP, MARA, Desk

BACK = "https://app.example/back"
CLIENT = {"name": "Reports", "identifier": "reports", "redirect_uri": [BACK]}


def client(desk: Desk, **more: Any) -> dict[str, Any]:
    made: dict[str, Any] = desk.post("oauth/clients.json", {"client": {**CLIENT, **more}})["client"]
    return made


def token(desk: Desk, client_id: int, *scopes: str) -> dict[str, Any]:
    body = {"token": {"client_id": client_id, "scopes": scopes or ("read", "write")}}
    made: dict[str, Any] = desk.post("oauth/tokens.json", body)["token"]
    return made


def come(desk: Desk, shown: str, method: str, path: str, body: Any = None) -> Reply:
    """Send a request with an OAuth token of the desk, as a door authenticates it."""
    data = b"" if body is None else msgspec.json.encode(body)
    request = Request(method, f"/api/v2/{path}", "", {"content-type": "application/json"} if data else {}, data)
    admitted = GRANTS.admit(desk.world, request, shown)
    if admitted is None:
        return APP.refuse(GRANTS.refused)
    return desk.send(*admitted)


def grant(desk: Desk, **asked: Any) -> Reply:
    body = msgspec.json.encode(asked)
    return desk.send(Request("POST", "/oauth/tokens", "", {"content-type": "application/json"}, body), ANONYMOUS)


def test_a_client_is_created_read_changed_and_deleted(desk: Desk) -> None:
    made = client(desk, kind="public", company="Lark")
    assert (made["identifier"], made["kind"], made["global"], made["user_id"]) == (
        "reports",
        "public",
        False,
        desk.user(ADA).id,
    )
    path = f"oauth/clients/{made['id']}.json"
    shown = desk.get(path)["client"]
    assert shown == {**made, "secret": made["secret"][:10]}, "the secret is told once"
    assert desk.get("oauth/clients.json")["clients"] == [shown]
    changed = desk.put(
        path, {"client": {"name": "Reports 2", "redirect_uri": "http://localhost:9/a https://b.example"}}
    )
    assert changed["client"]["redirect_uri"] == ["http://localhost:9/a", "https://b.example"]
    assert desk.get(path)["client"]["name"] == "Reports 2"
    again = desk.put(f"oauth/clients/{made['id']}/generate_secret.json")["client"]
    assert again["secret"] != made["secret"]
    assert len(again["secret"]) == len(made["secret"])
    desk.delete(path)
    assert desk.call("GET", path).status == 404
    assert desk.get("audit_logs.json")["audit_logs"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"identifier": ""},
        {"identifier": "two words"},
        {"identifier": "reports"},
        {"kind": "secret"},
        {"redirect_uri": ["http://app.example/plain"]},
    ],
)
def test_an_invalid_oauth_client_is_refused(desk: Desk, wrong: dict[str, Any]) -> None:
    client(desk)
    reply = desk.call("POST", "oauth/clients.json", {"client": {**CLIENT, "identifier": "other", **wrong}})
    assert reply.status == 422
    assert desk.call("POST", "oauth/clients.json", {"client": CLIENT}, ANA).status == 403
    assert desk.call("GET", "oauth/clients.json", by=MARA).status == 403


def test_a_token_works_until_it_is_revoked(desk: Desk) -> None:
    made = token(desk, client(desk)["id"])
    full = made["full_token"]
    assert made["token"] == full[:10]
    assert come(desk, full, "GET", "users/me.json").json()["user"]["email"] == ADA
    current = come(desk, full, "GET", "oauth/tokens/current.json").json()["token"]
    assert (current["id"], current["scopes"], current["used_at"]) == (made["id"], ["read", "write"], None)
    assert "full_token" not in current
    ticket = desk.asks()
    assert come(desk, full, "PUT", f"tickets/{ticket}.json", {"ticket": {"priority": "high"}}).status == 200
    assert desk.ticket(ticket).priority == "high"
    assert desk.get(f"oauth/tokens/{made['id']}.json")["token"]["used_at"] is not None
    assert [one["id"] for one in desk.get("oauth/tokens.json")["tokens"]] == [made["id"]]
    desk.delete(f"oauth/tokens/{made['id']}.json")
    reply = come(desk, full, "GET", "users/me.json")
    assert (reply.status, reply.json()["error"]) == (401, "invalid_token")
    assert desk.call("GET", f"oauth/tokens/{made['id']}.json").status == 404


def test_a_token_can_revoke_itself(desk: Desk) -> None:
    full = token(desk, client(desk)["id"])["full_token"]
    assert come(desk, full, "DELETE", "oauth/tokens/current.json").status == 204
    assert come(desk, full, "GET", "users/me.json").status == 401
    assert desk.call("GET", "oauth/tokens/current.json").status == 404, "who shows no token has none"


@pytest.mark.parametrize(
    ("scopes", "reads", "writes"),
    [
        (("read",), 200, 403),
        (("write",), 403, 200),
        (("tickets:read",), 200, 403),
        (("tickets:read", "tickets:write"), 200, 200),
        (("tickets",), 200, 200),
        (("users:read", "users:write"), 403, 403),
        (("organizations:write", "read"), 200, 403),
        (("everything",), 403, 403),
    ],
)
def test_a_token_allows_what_its_scopes_name(desk: Desk, scopes: tuple[str, ...], reads: int, writes: int) -> None:
    full, ticket = token(desk, client(desk)["id"], *scopes)["full_token"], desk.asks()
    assert come(desk, full, "GET", f"tickets/{ticket}.json").status == reads
    reply = come(desk, full, "PUT", f"tickets/{ticket}.json", {"ticket": {"priority": "high"}})
    assert reply.status == writes
    assert (desk.ticket(ticket).priority == "high") is (writes == 200)


def test_deleting_a_client_or_user_revokes_its_tokens(desk: Desk) -> None:
    made = client(desk)
    full = token(desk, made["id"])["full_token"]
    desk.delete(f"oauth/clients/{made['id']}.json")
    assert come(desk, full, "GET", "users/me.json").status == 401
    again = client(desk)
    code = desk.do(lambda tx: oauth.authorize(tx, tx.get(OAuthClient, again["id"]), desk.user(ANA), "read", BACK))
    asked = {"client_id": "reports", "client_secret": again["secret"], "redirect_uri": BACK}
    access = grant(desk, grant_type="authorization_code", code=code, **asked).json()["access_token"]
    assert come(desk, access, "GET", "users/me.json").json()["user"]["email"] == ANA
    desk.put(f"users/{desk.user(ANA).id}.json", {"user": {"suspended": True}})
    assert come(desk, access, "GET", "users/me.json").status == 401


def test_an_authorization_code_works_once_and_expires(desk: Desk) -> None:
    made = client(desk)
    asked: dict[str, Any] = {
        "grant_type": "authorization_code",
        "client_id": "reports",
        "client_secret": made["secret"],
        "redirect_uri": BACK,
    }

    def code() -> str:
        return desk.do(
            lambda tx: oauth.authorize(tx, tx.get(OAuthClient, made["id"]), desk.user(ANA), "read write", BACK)
        )

    first = code()
    assert grant(desk, code=first, **{**asked, "client_secret": "wrong"}).status == 401
    reply = grant(desk, code=first, **asked)
    assert (reply.status, reply.json()["token_type"], reply.json()["scope"]) == (201, "bearer", "read write")
    assert grant(desk, code=first, **asked).json()["error"] == "invalid_grant"
    assert grant(desk, code=code(), **{**asked, "redirect_uri": "https://evil.example"}).status == 400
    late = code()
    desk.waits(minutes=3)
    assert grant(desk, code=late, **asked).json()["error"] == "invalid_grant"
    assert grant(desk, **{**asked, "grant_type": "password"}).json()["error"] == "unsupported_grant_type"


def test_a_token_expires_and_is_refreshed(desk: Desk) -> None:
    made = client(desk, kind="public")
    code = desk.do(lambda tx: oauth.authorize(tx, tx.get(OAuthClient, made["id"]), desk.user(ANA), "read", BACK))
    first = grant(
        desk, grant_type="authorization_code", code=code, client_id="reports", redirect_uri=BACK, expires_in=600
    ).json()
    assert (first["expires_in"], first["refresh_token_expires_in"]) == (600, 2_592_000)
    desk.waits(minutes=11)
    assert come(desk, first["access_token"], "GET", "users/me.json").status == 401
    again = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"], "client_id": "reports"}
    second = grant(desk, **again).json()
    assert come(desk, second["access_token"], "GET", "users/me.json").json()["user"]["email"] == ANA
    assert grant(desk, **again).json()["error"] == "invalid_grant", "a refresh token is good once"
    assert grant(desk, **{**again, "refresh_token": second["refresh_token"], "expires_in": 5}).status == 400


def test_a_personal_token_may_expire(desk: Desk) -> None:
    body = {"token": {"client_id": client(desk)["id"], "scopes": ["read"], "expires_in": 600}}
    made = desk.post("oauth/tokens.json", body)["token"]
    assert come(desk, made["full_token"], "GET", "users/me.json").status == 200
    desk.waits(minutes=11)
    assert come(desk, made["full_token"], "GET", "users/me.json").status == 401
    for wrong in (5, 10**17):
        body["token"]["expires_in"] = wrong
        assert desk.call("POST", "oauth/tokens.json", body).status == 422


def test_client_credentials_give_a_token(desk: Desk) -> None:
    made = client(desk)
    asked = {"grant_type": "client_credentials", "client_id": "reports", "scope": "read"}
    assert grant(desk, **asked).status == 401
    access = grant(desk, **asked, client_secret=made["secret"]).json()
    assert access["refresh_token"] is None
    assert come(desk, access["access_token"], "GET", "users/me.json").json()["user"]["email"] == ADA
    assert grant(desk, **{**asked, "scope": ""}, client_secret=made["secret"]).json()["error"] == "invalid_scope"


def test_only_administrators_see_all_tokens(desk: Desk) -> None:
    made = client(desk)
    mine = token(desk, made["id"])

    def hers(tx: Any) -> int:
        return int(oauth.give(tx, tx.get(OAuthClient, made["id"]), desk.user(ANA).id, ["read"]).id)

    other = desk.do(hers)
    assert [one["id"] for one in desk.get("oauth/tokens.json")["tokens"]] == [mine["id"]]
    assert [one["id"] for one in desk.get("oauth/tokens.json", all=True)["tokens"]] == [mine["id"], other]
    assert desk.get("oauth/tokens.json", all=True, client_id=made["id"] + 1)["tokens"] == []
    assert desk.get(f"oauth/tokens/{other}.json", ANA)["token"]["scopes"] == ["read"]
    assert desk.call("GET", f"oauth/tokens/{mine['id']}.json", by=ANA).status == 404
    assert desk.call("DELETE", f"oauth/tokens/{mine['id']}.json", by=ANA).status == 404
    assert desk.call("GET", "oauth/tokens.json", by=ANA).status == 403
    desk.delete(f"oauth/tokens/{other}.json", ANA)
    assert desk.call("GET", f"oauth/tokens/{other}.json").status == 404


def test_global_clients_with_a_token_are_listed(desk: Desk) -> None:
    assert desk.get("oauth/global_clients.json")["global_clients"] == []
    partner = desk.read(lambda tx: tx.first(OAuthClient, "global_ = 1"))
    assert partner is not None
    desk.do(oauth.give, partner, desk.user(ANA).id, ["read"], 600)
    desk.do(oauth.give, partner, desk.user(ADA).id, ["read"])
    [shown] = desk.get("oauth/global_clients.json")["global_clients"]
    assert desk.get(f"oauth/global_clients/{partner.id}.json")["global_client"] == shown
    assert desk.call("GET", f"oauth/clients/{partner.id}.json").status == 404
    summary = desk.get("oauth/global_clients/token_summary.json")["global_clients"]
    assert [(one["id"], one["active_tokens_count"]) for one in summary] == [(partner.id, 2)]
    desk.waits(minutes=11)
    assert desk.get("oauth/global_clients/token_summary.json")["global_clients"][0]["active_tokens_count"] == 1
    everything = desk.get("oauth/global_clients/token_summary.json", include_expired_tokens=True)
    assert everything["global_clients"][0]["active_tokens_count"] == 2
    assert desk.get("oauth/tokens.json", all=True, global_client_id=partner.id)["count"] == 2


def test_only_a_wrong_oauth_token_is_called_invalid() -> None:
    said = {shown: APP.product.refusal("unauthorized", shown) for shown in ("bearer", "basic", "")}
    assert {shown: one.code for shown, one in said.items()} == {
        "bearer": "invalid_token", "basic": "Couldn't authenticate you", "": "Couldn't authenticate you",
    }  # fmt: skip
    assert "expired, revoked" in said["bearer"].fields["error_description"]
