"""Permissions: every list, count, view and search shows an agent exactly the tickets that they may open."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.apps.zendesk import rules, seed
from diorama.apps.zendesk.rules import custom_roles
from diorama.apps.zendesk.schema import GroupMembership, Ticket
from diorama.kernel import Actor, Request, Tx
from tests.apps.zendesk.desk import ADA, ANA, BEN, MARA, OLEG, Desk, listened

RESTRICTIONS = st.one_of(
    st.tuples(st.just("role"), st.sampled_from(custom_roles.CHOICES["ticket_access"])),
    st.tuples(st.just("user"), st.sampled_from([None, "groups", "organization", "assigned", "requested"])),
)
TICKETS = st.lists(
    st.tuples(
        st.sampled_from([MARA, OLEG, ANA]),
        st.sampled_from(["", ANA, BEN]),
        st.sampled_from(["", "Support", "Billing", "Vault"]),
    ),
    min_size=3,
    max_size=7,
)


def staged(restriction: tuple[str, Any], tickets: list[Any], company: bool) -> Desk:
    """Return a desk with a private group, a restricted agent, and tickets with different owners."""
    desk = Desk()
    vault = desk.post("groups.json", {"group": {"name": "Vault", "is_public": False}})["group"]["id"]
    for who, group in ((ANA, "Support"), (BEN, "Support"), (BEN, "Billing"), (ADA, "Vault"), (BEN, "Vault")):
        body = {"user_id": desk.user(who).id, "group_id": desk.group(group).id}
        desk.call("POST", "group_memberships.json", {"group_membership": body})
    if company:
        desk.put(f"users/{desk.user(ANA).id}.json", {"user": {"organization_id": desk.user(OLEG).organization_id}})
    for by, assignee, group in tickets:
        number = desk.post("tickets.json", {"ticket": {
            "subject": "Leak", "comment": {"body": "It leaks"}, "requester_id": desk.user(by).id, "type": "problem",
        }})["ticket"]["id"]  # fmt: skip
        fields: dict[str, Any] = {"group_id": desk.group(group).id} if group else {}
        if assignee and (not group or _member(desk, assignee, group)):
            fields["assignee_id"] = desk.user(assignee).id
        desk.updates(number, by=ADA, **fields)
    assert vault
    where, value = restriction
    if where == "user":
        fields = {"ticket_restriction": value}
    else:
        role = {"name": "R", "configuration": {"ticket_access": value}}
        fields = {"custom_role_id": desk.post("custom_roles.json", {"custom_role": role})["custom_role"]["id"]}
    desk.put(f"users/{desk.user(ANA).id}.json", {"user": fields})
    return desk


def _member(desk: Desk, who: str, group: str) -> bool:
    user, team = desk.user(who).id, desk.group(group).id
    found: int = desk.read(lambda tx: tx.count(GroupMembership, "user_id = ? AND group_id = ?", user, team))
    return found > 0


def told_by_hand(desk: Desk, restriction: tuple[str, Any]) -> set[int]:
    """Compute the agent's visible tickets independently, in Python, ticket by ticket."""
    where, value = restriction
    words = {None: "all", "groups": "within-groups", "organization": "within-organization", "assigned": "assigned-only"}
    far = value if where == "role" else words.get(value, value)
    me = desk.user(ANA)

    def sees(tx: Tx, ticket: Ticket) -> bool:
        if far == "all" or ticket.requester_id == me.id:
            return True
        if ticket.assignee_id == me.id and far != "requested":
            return True
        if far == "within-organization":
            return ticket.organization_id is not None and ticket.organization_id == me.organization_id
        if far.startswith("within-groups"):
            mine = {one.group_id for one in tx.all(GroupMembership, "user_id = ?", me.id)}
            public = {row[0] for row in tx.rows("SELECT id FROM zendesk_groups WHERE is_public = 1")}
            return ticket.group_id in (mine | public if far.endswith("public-groups") else mine)
        return False

    return desk.read(lambda tx: {ticket.id for ticket in tx.all(Ticket) if sees(tx, ticket)})


@settings(max_examples=40, deadline=None)
@given(RESTRICTIONS, TICKETS, st.booleans())
def test_lists_show_only_tickets_the_caller_may_open(restriction: Any, tickets: list[Any], company: bool) -> None:
    desk = staged(restriction, tickets, company)
    every = desk.read(lambda tx: [ticket.id for ticket in tx.all(Ticket)])
    status = {number: desk.call("GET", f"tickets/{number}.json", by=ANA).status for number in every}
    assert set(status.values()) <= {200, 403}
    may = {number for number, code in status.items() if code == 200}
    assert may == told_by_hand(desk, restriction)

    def ids(path: str, key: str = "tickets", name: str = "id", **query: Any) -> set[int]:
        return {one[name] for one in desk.get(path, by=ANA, **query)[key]}

    assert ids("tickets.json") == ids("tickets.json", raw={"page[size]": 50}) == may
    assert desk.get("tickets.json", by=ANA)["count"] == len(may)
    assert desk.get("tickets/count.json", by=ANA)["count"]["value"] == len(may)
    assert ids("tickets/show_many.json", ids=",".join(map(str, every))) == may
    assert ids("search.json", "results", query="type:ticket leak") == may
    assert desk.get("search/count.json", by=ANA, query="type:ticket leak")["count"] == len(may)
    assert ids("problems.json") == may
    assert ids("ticket_metrics.json", "ticket_metrics", "ticket_id") == may
    assert ids("ticket_audits.json", "audits", "ticket_id") == may
    view = desk.do(seed.add_view, "All", [("status", "less_than", "closed")])
    assert ids(f"views/{view.id}/tickets.json") == ids(f"views/{view.id}/execute.json", "rows", "ticket_id") == may
    assert desk.get(f"views/{view.id}/count.json", by=ANA)["view_count"]["value"] == len(may)
    for who in (MARA, OLEG, ANA):
        user = desk.user(who).id
        part = {n for n in may if desk.ticket(n).requester_id == user}
        assert ids(f"users/{user}/tickets/requested.json") == part
        assert desk.get(f"users/{user}/tickets/requested/count.json", by=ANA)["count"]["value"] == len(part)
        assert ids(f"users/{user}/requests.json", "requests") == part
    for number in every:
        wanted = 200 if number in may else 403
        for part_of in ("comments", "audits", "metrics", "tags", "related", "collaborators", "conversation_log"):
            assert desk.call("GET", f"tickets/{number}/{part_of}.json", by=ANA).status == wanted, part_of
        assert desk.call("GET", f"requests/{number}.json", by=ANA).status == wanted
        reply = desk.call("PUT", f"tickets/{number}.json", {"ticket": {"subject": "Leaks"}}, by=ANA)
        assert reply.status == wanted


def test_background_jobs_respect_ticket_restrictions(desk: Desk) -> None:
    number = desk.asks()
    desk.put(f"users/{desk.user(ANA).id}.json", {"user": {"ticket_restriction": "assigned"}})
    job = desk.put("tickets/update_many.json", {"ticket": {"priority": "high"}}, by=ANA, ids=str(number))
    desk.waits(minutes=1)
    done = desk.get(f"job_statuses/{job['job_status']['id']}.json")["job_status"]
    assert desk.ticket(number).priority is None
    assert "success" not in done["results"][0] or not done["results"][0]["success"]


def test_an_unknown_ticket_restriction_is_refused(desk: Desk) -> None:
    reply = desk.call("PUT", f"users/{desk.user(ANA).id}.json", {"user": {"ticket_restriction": "nothing"}})
    assert reply.status == 422


# --- customers

NOTE = "the refund was denied internally"


def test_customers_never_see_private_comments(desk: Desk) -> None:
    first = {"subject": "S", "requester_id": desk.user(MARA).id, "comment": {"body": NOTE, "public": False}}
    hidden = desk.post("tickets.json", {"ticket": first}, by=ANA)["ticket"]["id"]
    assert desk.call("GET", f"requests/{hidden}.json", by=MARA).status == 404
    desk.replies(hidden, "Hello Mara, this is public.")
    number = desk.asks()
    up = desk.world.send("zendesk", *_upload())
    token = up.json()["upload"]["token"]
    desk.updates(number, comment={"body": NOTE, "public": False, "uploads": [token]})
    paths = ["requests.json", f"requests/{hidden}.json", f"requests/{number}.json", "requests/open.json",
             f"requests/{hidden}/comments.json", f"requests/{number}/comments.json", "requests/solved.json",
             "requests/ccd.json"]  # fmt: skip
    for path in paths:
        reply = desk.call("GET", path, by=MARA)
        assert reply.status == 200, path
        assert NOTE not in reply.text, path
    assert desk.get("requests/search.json", by=MARA, query="denied internally")["requests"] == []
    assert desk.get(f"requests/{hidden}.json", by=MARA)["request"]["description"] == "Hello Mara, this is public."
    private = next(one for one in desk.comments(number) if not one.public)
    assert desk.call("GET", f"requests/{number}/comments/{private.id}.json", by=MARA).status == 404
    address = desk.get(f"tickets/{number}/comments.json")["comments"][-1]["attachments"][0]["content_url"]
    path = address.partition("zendesk.com")[2].partition("?")[0]
    assert desk.send(_get(path), _actor(MARA)).status == 404
    assert desk.send(_get(path), _actor(ANA)).status == 200
    for path in (f"tickets/{number}.json", f"tickets/{number}/audits.json", f"tickets/{number}/comments.json",
                 "search.json", "search/count.json", "ticket_audits.json", "views.json", "incremental/tickets.json",
                 f"tickets/{number}/conversation_log.json"):  # fmt: skip
        assert desk.call("GET", path, by=MARA).status == 403, path


def test_mail_to_customers_has_no_private_comments() -> None:
    desk, heard = listened()
    words = (
        "{{ticket.latest_comment}} {{ticket.comments_formatted}} {{ticket.latest_comment_formatted}} {{ticket.title}}"
        "{% for comment in ticket.comments %}{{comment.value}}{% endfor %} {{ticket.description}}"
    )
    then = [{"field": "notification_user", "value": ["requester_id", "News", words]}]
    every = [{"field": "status", "operator": "less_than", "value": "closed"}]
    desk.post("triggers.json", {"trigger": {"title": "T", "conditions": {"all": every}, "actions": then}})
    number = desk.asks(body="It leaks so much")
    desk.replies(number, NOTE, public=False)
    desk.updates(number, priority="high")
    first = {"subject": "S", "requester_id": desk.user(MARA).id, "comment": {"body": NOTE, "public": False}}
    desk.post("tickets.json", {"ticket": first}, by=ANA)
    assert len(heard) >= 4
    assert "It leaks so much" in heard[-2].body
    assert NOTE not in "".join(mail.body + mail.subject for mail in heard)


def test_a_request_with_only_private_comments_is_hidden(desk: Desk) -> None:
    number = desk.asks(body=NOTE)
    words = desk.comments(number)[0]
    desk.put(f"tickets/{number}/comments/{words.id}/make_private.json", by=ADA)
    assert desk.ticket(number).is_public is False
    assert desk.call("GET", f"requests/{number}.json", by=MARA).status == 404
    desk.replies(number, "An answer.")
    shown = desk.get(f"requests/{number}.json", by=MARA)["request"]
    assert shown["description"] == "An answer."


def test_organization_members_read_and_comment_if_allowed(desk: Desk) -> None:
    company = desk.user(OLEG).organization_id
    peer = "peer@example.org"
    desk.do(lambda tx: rules.add_user(tx, name="Pia Peer", email=peer, organization_id=company))
    number = desk.asks(by=OLEG)
    asks = {"request": {"comment": {"body": "Me too"}}}
    assert desk.call("GET", f"requests/{number}.json", by=peer).status == 404
    desk.put(f"users/{desk.user(peer).id}.json", {"user": {"ticket_restriction": "organization"}})
    assert desk.get(f"users/{desk.user(peer).id}.json")["user"]["ticket_restriction"] == "organization"
    assert desk.call("GET", f"requests/{number}.json", by=peer).status == 200
    listed = desk.get(f"organizations/{company}/requests.json", by=peer)["requests"]
    assert [one["id"] for one in listed] == [number]
    assert desk.call("PUT", f"requests/{number}.json", asks, by=peer).status == 403
    desk.put(f"organizations/{company}.json", {"organization": {"shared_comments": True}})
    assert desk.call("PUT", f"requests/{number}.json", asks, by=peer).status == 200
    assert desk.call("GET", f"requests/{number}.json", by=MARA).status == 404


def _upload() -> tuple[Request, Actor]:
    request = Request("POST", "/api/v2/uploads.json", "filename=note.txt", {"content-type": "text/plain"}, b"secret")
    return request, _actor(ANA)


def _get(path: str) -> Request:
    return Request("GET", path, "", {}, b"")


def _actor(email: str) -> Actor:
    return Actor("agent", email)
