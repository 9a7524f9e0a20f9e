"""The foreign package behind a real server: both hosts, links that lead there, and tokens in the vendor's format."""

import asyncio
import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from diorama.server.front import Front, Ready, Settings
from diorama.worlds import company_of
from tests.doors.serving import TOKEN, Server, in_thread
from tests.foreign.finding import STORY


@pytest.fixture
def server(harbour: None) -> Iterator[Server]:
    async def main(stopping: asyncio.Event, ready: Callable[[Ready], None]) -> None:
        await Front(Settings(token=TOKEN, port=0, workers=0), (company_of("pier"),)).serve(stopping, ready)

    with in_thread(main) as ready:
        server = Server(ready)
        yield server
        server.control.close()


class Client:
    """A client of Chat with one token."""

    def __init__(self, opened: dict[str, Any], token: str) -> None:
        chat = opened["apps"]["chat"]
        self.hosts = {host["role"]: host for host in chat["hosts"]}
        self.headers = {"authorization": f"Bearer {token}".strip()}

    def call(self, method: str, role: str = "", **form: Any) -> Any:
        """Call a method with a form."""
        url = f"{self.hosts[role]['base_url']}/api/{method}"
        reply = httpx.post(url, data=form, headers=self.headers)
        assert reply.status_code == 200
        return reply.json()

    def desk(self, **form: Any) -> str:
        """Return the id of the channel of the desk."""
        channels = self.call("conversations.list", **form)["channels"]
        return next(str(one["id"]) for one in channels if one["name"] == "desk")


def test_tokens_have_the_vendors_format_and_say_who_asks(server: Server) -> None:
    opened = server.start(STORY, seats=["agent", "bot"])
    chat = opened["apps"]["chat"]
    tokens = chat["credentials"]
    assert re.fullmatch(r"xoxp-\d{12}-\d{13}-\w{24}", tokens["user_token"])
    assert re.fullmatch(r"xoxb-\d{12}-\d{13}-\w{24}", tokens["bot_token"])
    assert list(chat["seats"]["bot"]["credentials"]) == ["bot_token"]
    assert Client(opened, tokens["user_token"]).call("auth.test")["user"] == "noor"
    bot = Client(opened, tokens["bot_token"])
    assert bot.call("auth.test")["user"] == "deskbot"
    assert bot.call("search.messages", query="booking") == {"ok": False, "error": "not_allowed_token_type"}


def test_a_token_in_a_form_names_the_caller_and_is_not_recorded(server: Server) -> None:
    opened = server.start(STORY)
    secret = opened["apps"]["chat"]["credentials"]["user_token"]
    client = Client(opened, secret)
    assert client.call("auth.test", token=secret)["user"] == "noor"
    client.headers = {}
    assert client.call("auth.test", token=secret)["user"] == "noor"
    assert client.call("chat.postMessage", token=secret, channel=client.desk(token=secret), text=f"I am {secret}")["ok"]
    events = server.control.get(f"/v1/episodes/{opened['id']}/events").json()["events"]
    assert secret not in str(events)


def test_a_token_minted_in_the_world_has_the_vendors_format_too(server: Server) -> None:
    opened, other = server.start(STORY, 4), server.start(STORY, 4)
    made = []
    for one in (opened, other):
        person = Client(one, one["apps"]["chat"]["credentials"]["user_token"])
        token = person.call("apps.tokens.create", token_type="bot")["token"]
        assert re.fullmatch(r"xoxb-\d{12}-\d{13}-[0-9A-Za-z]{24}", token)
        assert Client(one, token).call("auth.test")["user"] == "deskbot"
        made.append(token)
    assert made[0][:-16] == made[1][:-16], "the same world"
    assert made[0] != made[1], "another episode"
    assert server.show(opened)["turns"] == server.show(other)["turns"] == 2
    events = server.control.get(f"/v1/episodes/{opened['id']}/events").json()["events"]
    assert made[0][-16:] not in str(events), "no event contains the mark of its episode"


def test_one_app_can_hold_a_token_of_another(server: Server) -> None:
    opened = server.start(STORY)
    chat = Client(opened, opened["apps"]["chat"]["credentials"]["user_token"])
    token = chat.call("apps.tokens.create", token_type="bot")["token"]
    zendesk = opened["apps"]["zendesk"]
    login = (f"{zendesk['credentials']['email']}/token", zendesk["credentials"]["token"])
    with httpx.Client(base_url=zendesk["base_url"], auth=login) as desk:
        ticket = {"subject": "Token", "comment": {"body": f"Use {token} please", "public": False}}
        made = desk.post("/api/v2/tickets.json", json={"ticket": ticket}).json()["ticket"]
        assert token in made["description"], "the client reads what it wrote"
    events = server.control.get(f"/v1/episodes/{opened['id']}/events").json()["events"]
    assert token[:-16] in str([event["request"] for event in events])
    assert token not in str(events), "the world knows the token without its mark"


def test_a_stranger_is_refused_with_status_200(server: Server) -> None:
    opened = server.start(STORY)
    for token, error in (("xoxp-1-x", "invalid_auth"), ("x", "invalid_auth"), ("", "not_authed")):
        assert Client(opened, token).call("auth.test") == {"ok": False, "error": error}
    assert server.show(opened)["turns"] == 0


def test_both_hosts_have_ports_and_links_lead_to_them(server: Server) -> None:
    opened = server.start(STORY)
    client = Client(opened, opened["apps"]["chat"]["credentials"]["user_token"])
    assert [client.hosts[role]["host"] for role in ("", "files")] == ["pier.chat.example", "files-pier.chat.example"]
    files = client.hosts["files"]["base_url"]
    assert files != client.hosts[""]["base_url"]
    made = client.call("files.getUploadURLExternal", filename="plan.txt", length=5)
    assert made["upload_url"] == f"{files}/upload/v1/{made['file_id']}"
    assert httpx.post(made["upload_url"], content=b"deck5", headers=client.headers).text == "OK - 5"
    shared = f'[{{"id": "{made["file_id"]}"}}]'
    done = client.call("files.completeUploadExternal", files=shared, channel_id=client.desk())
    url = done["files"][0]["url_private"]
    assert url.startswith(f"{files}/files-pri/")
    assert httpx.get(url, headers=client.headers).content == b"deck5"
    assert client.call("auth.test", role="files")["error"] == "unknown_method"
    events = server.control.get(f"/v1/episodes/{opened['id']}/events").json()["events"]
    asked = [event["request"].get("host", "") for event in events if event["door"] == "http"]
    assert set(asked) == {"", "files-pier.chat.example"}


def test_text_that_people_wrote_keeps_the_vendors_name(server: Server) -> None:
    opened = server.start(STORY)
    client = Client(opened, opened["apps"]["chat"]["credentials"]["user_token"])
    text = "see https://files-pier.chat.example/files-pri/F1/x"
    made = client.call("chat.postMessage", channel=client.desk(), text=text)
    assert made["message"]["text"] == text


def test_the_scenario_is_won_over_http(server: Server) -> None:
    opened = server.start(STORY, 4)
    chat = Client(opened, opened["apps"]["chat"]["credentials"]["user_token"])
    zendesk = opened["apps"]["zendesk"]
    login = (f"{zendesk['credentials']['email']}/token", zendesk["credentials"]["token"])
    channels = chat.call("conversations.list")["channels"]
    found = [
        (channel["id"], message)
        for channel in channels
        for message in chat.call("conversations.history", channel=channel["id"])["messages"]
        if "Noor" in message["text"]
    ]
    [(channel, request)] = found
    booking = re.search(r"PN-\d+", request["text"])
    assert booking is not None
    notes = chat.call("search.messages", query=f'"{booking[0]}" -from:me')["messages"]["matches"]
    newest = next(
        one["text"] for one in notes if one["channel"]["name"] in ("operations", "lost-and-found", "cabins", "cars")
    )
    value = re.findall(r"[A-Z]?\d[\d.:]*\d", newest.replace(booking[0], ""))[-1]
    with httpx.Client(base_url=zendesk["base_url"], auth=login) as desk:
        listed = desk.get("/api/v2/search.json", params={"query": f"type:ticket {booking[0]}"}).json()["results"]
        ticket = listed[0]["id"]
        change = {"assignee_email": "yusuf@pier.example"} if "Yusuf" in request["text"] else {"status": "solved"}
        body = {"ticket": {"comment": {"body": f"It is {value}."}, **change}}
        assert desk.put(f"/api/v2/tickets/{ticket}.json", json=body).status_code == 200
    assert chat.call("chat.postMessage", channel=channel, text=f"Ticket {ticket}", thread_ts=request["ts"])["ok"]
    assert chat.call("reactions.add", channel=channel, timestamp=request["ts"], name="white_check_mark")["ok"]
    result = server.post(opened, "finish")
    assert (result["success"], result["reward"]) == (True, 1.0), result["score"]
