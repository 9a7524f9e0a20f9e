"""Chat at work: refusals with status 200, arguments from everywhere, seats, private channels, files and hooks."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from harbour.apps.chat import rules
from harbour.apps.chat.schema import Channel, Member, Message
from harbour.worlds.pier.team import AGENT

from diorama.apps.zendesk.schema import Ticket
from diorama.apps.zendesk.schema.webhooks import Attempt
from diorama.episodes.episode import Episode
from diorama.kernel import Reply, Tx

FORM = {"content-type": "application/x-www-form-urlencoded"}
PARTS = (
    b'--x\r\ncontent-disposition: form-data; name="channel"\r\n\r\n{0}\r\n'
    b'--x\r\ncontent-disposition: form-data; name="text"\r\n\r\nhi\r\n--x--\r\n'
)


def send(episode: Episode, method: str, seat: str = "agent", **form: Any) -> Reply:
    """Call a method of Chat with a form."""
    return episode.http("chat", "POST", f"/api/{method}", urlencode(form).encode(), FORM, seat=seat)


def channel(episode: Episode, name: str) -> str:
    """Return the id of a channel."""
    return str(episode.world.read(lambda tx: tx.all(Channel, "name = ?", name)[0].id))


def messages(episode: Episode, name: str) -> list[str]:
    """Return what was said in a channel, the oldest first."""
    there = channel(episode, name)
    return [one.text for one in episode.world.read(lambda tx: tx.all(Message, "channel = ?", there))]


def test_a_refusal_has_status_200_and_is_an_error_of_the_tool(episode: Episode) -> None:
    seen = episode.call("chat_read_channel", {"channel": "C00000000"})
    assert seen.is_error
    assert seen.data == {"ok": False, "error": "channel_not_found"}
    assert seen.text.startswith("error missing: ")
    event = episode.events[-1]
    assert (event.reply["status"], event.reply["refused"]) == (200, "missing")
    assert not episode.call("chat_list_channels").is_error


@pytest.mark.parametrize(
    ("body", "headers", "query"),
    [
        (b"channel={0}&text=hi", FORM, ""),
        (b'{"channel": "{0}", "text": "hi"}', {"content-type": "application/json"}, ""),
        (b"text=hi", FORM, "?channel={0}"),
        (None, {}, "?channel={0}&text=hi"),
        (PARTS, {"content-type": "multipart/form-data; boundary=x"}, ""),
    ],
)
def test_arguments_come_as_form_json_query_or_multipart(
    body: bytes | None, headers: dict[str, str], query: str, episode: Episode
) -> None:
    there = channel(episode, "desk")
    sent = body.replace(b"{0}", there.encode()) if body is not None else None
    path = "/api/chat.postMessage" + query.replace("{0}", there)
    made = episode.http("chat", "POST", path, sent, headers).json()
    assert (made["ok"], made["message"]["text"]) == (True, "hi")


def test_what_is_wrong_with_an_argument_is_said(episode: Episode) -> None:
    refused = send(episode, "conversations.history", channel=channel(episode, "desk"), limit="many")
    assert (refused.status, refused.json()["error"]) == (200, "invalid_arguments")
    assert "limit" in refused.json()["response_metadata"]["messages"][0]
    assert send(episode, "no.such.method").json() == {"ok": False, "error": "unknown_method"}


# --- seats


def test_a_bot_and_its_owner_are_different_members(episode: Episode) -> None:
    person, bot = send(episode, "auth.test").json(), send(episode, "auth.test", "bot").json()
    assert (person["user"], person["is_bot"]) == ("noor", False)
    assert (bot["user"], bot["is_bot"]) == ("deskbot", True)
    assert episode.events[-1].actor == f"agent:{AGENT}#bot"


def test_a_bot_may_not_search_or_mark_or_read_elsewhere(episode: Episode) -> None:
    desk, general = channel(episode, "desk"), channel(episode, "general")
    assert send(episode, "search.messages", query="booking").json()["messages"]["total"] > 0
    refused = send(episode, "search.messages", "bot", query="booking")
    assert (refused.status, refused.json()["error"]) == (200, "not_allowed_token_type")
    newest = send(episode, "conversations.history", "bot", channel=desk, limit=1).json()["messages"][0]["ts"]
    assert send(episode, "conversations.mark", channel=desk, ts=newest).json() == {"ok": True}
    assert send(episode, "conversations.mark", "bot", channel=desk, ts=newest).refused == "not_allowed_token_type"
    assert send(episode, "conversations.history", channel=general).json()["ok"]
    assert send(episode, "conversations.history", "bot", channel=general).json()["error"] == "not_in_channel"


def test_a_member_cannot_edit_a_message_of_another_member(episode: Episode) -> None:
    there = channel(episode, "desk")
    mine = send(episode, "chat.postMessage", channel=there, text="one").json()["ts"]
    bots = send(episode, "chat.postMessage", "bot", channel=there, text="two").json()["ts"]
    assert send(episode, "chat.update", channel=there, ts=mine, text="one!").json()["ok"]
    assert send(episode, "chat.update", channel=there, ts=bots, text="x").json()["error"] == "cant_update_message"
    assert send(episode, "chat.delete", "bot", channel=there, ts=mine).json()["error"] == "cant_delete_message"
    assert send(episode, "chat.delete", "bot", channel=there, ts=bots).json()["ok"]


def test_the_scenario_decides_which_seats_there_are(episode: Episode) -> None:
    with pytest.raises(LookupError, match="allows the seats agent, bot"):
        send(episode, "auth.test", "owner")
    with pytest.raises(LookupError, match="holds these credentials at zendesk: none"):
        episode.http("zendesk", "GET", "/api/v2/users/me", seat="bot")


# --- private channels and attention


def later(tx: Tx, author: str, name: str, text: str) -> None:
    """Let a member write in ten minutes."""
    there = tx.all(Channel, "name = ?", name)[0].id
    tx.later(timedelta(minutes=10), rules.write_later, email=author, channel_id=there, text=text)


def wait(episode: Episode) -> Any:
    return episode.call("wait", {"until": "notice", "minutes": 30})


def test_a_wake_shows_nothing_of_a_private_channel(episode: Episode) -> None:
    me = episode.world.read(lambda tx: tx.all(Member, "email = ?", AGENT)[0].id)
    secret = f"The crew of <@{me}> will be cut next week."
    episode.world.do(later, "system:test", "wanda@pier.example", "captains", secret)
    seen = wait(episode)
    assert (seen.data["notices"], "crew" in seen.text) == ([], False)
    assert secret in messages(episode, "captains")
    assert send(episode, "conversations.history", channel=channel(episode, "captains")).refused == "channel_not_found"
    listed = episode.call("chat_list_channels").data["channels"]
    assert "captains" not in {one["name"] for one in listed}


def test_a_mention_in_a_common_channel_wakes(episode: Episode) -> None:
    me = episode.world.read(lambda tx: tx.all(Member, "email = ?", AGENT)[0].id)
    episode.world.do(later, "system:test", "wanda@pier.example", "general", "Good morning all.")
    assert wait(episode).data["notices"] == []
    episode.world.do(later, "system:test", "wanda@pier.example", "general", f"<@{me}> have you got a minute?")
    seen = wait(episode)
    assert [notice["notice"] for notice in seen.data["notices"]] == ["MessagePosted"]
    assert "Wanda Okoro in #general: " in seen.text


def test_a_colleague_who_waits_too_long_asks_again_and_wakes(episode: Episode) -> None:
    truth: Any = episode.truth
    notices: list[Any] = []
    while not notices and episode.ended is None:
        notices = episode.call("wait", {"until": "notice", "minutes": 600}).data["notices"]
    assert (notices[0]["notice"], notices[0]["thread_ts"]) == ("MessagePosted", truth.request)


# --- files


def test_a_file_goes_to_the_files_host_and_comes_back(episode: Episode) -> None:
    there, content = channel(episode, "desk"), b"gate 7"
    made = send(episode, "files.getUploadURLExternal", filename="gate.txt", length=len(content)).json()
    assert made["upload_url"] == f"https://files-pier.chat.example/upload/v1/{made['file_id']}"
    plain = {"content-type": "application/octet-stream"}
    assert episode.http("chat", "POST", made["upload_url"], content, plain).text == "OK - 6"
    assert episode.events[-1].request["host"] == "files-pier.chat.example"
    shared = f'[{{"id": "{made["file_id"]}"}}]'
    done = send(episode, "files.completeUploadExternal", files=shared, channel_id=there, initial_comment="look").json()
    url = done["files"][0]["url_private"]
    assert url == f"https://files-pier.chat.example/files-pri/{made['file_id']}/gate.txt"
    read = episode.http("chat", "GET", url)
    assert (read.body, read.headers["content-type"]) == (content, "text/plain")
    assert episode.call("chat_read_file", {"file_id": made["file_id"], "name": "gate.txt"}).text == "gate 7"
    wrong = episode.http("chat", "GET", url.replace("files-pier", "pier"))
    assert (wrong.status, wrong.json()["error"]) == (200, "unknown_method")


def test_a_multipart_form_uploads_at_once(episode: Episode) -> None:
    body = (
        b'--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n1,2\r\n'
        b'--x\r\ncontent-disposition: form-data; name="channels"\r\n\r\n%b\r\n--x--\r\n'
    ) % channel(episode, "desk").encode()
    kind = {"content-type": "multipart/form-data; boundary=x"}
    made = episode.http("chat", "POST", "/api/files.upload", body, kind).json()
    assert episode.http("chat", "GET", made["file"]["url_private"]).body == b"1,2"


# --- hooks


def test_a_new_ticket_is_told_in_the_channel_of_the_desk(episode: Episode) -> None:
    ticket = {
        "subject": "Seasick",
        "comment": {"body": "Help"},
        "requester": {"email": "new@mail.example", "name": "N"},
    }
    made = episode.http("zendesk", "POST", "/api/v2/tickets", {"ticket": ticket}).json()["ticket"]
    episode.call("wait", {"minutes": 1})
    assert messages(episode, "desk")[-1] == f"New ticket #{made['id']}: Seasick"
    posted = next(event for event in reversed(episode.events) if event.operation == "post_by_hook")
    assert (posted.door, posted.actor, posted.turn) == ("world", "anonymous:", 1)  # a part of the first turn
    attempts = episode.world.read(lambda tx: tx.all(Attempt))
    assert {one.status for one in attempts} == {"success"}


def test_a_word_in_the_channel_opens_a_ticket(episode: Episode) -> None:
    there = channel(episode, "desk")
    asked = send(episode, "chat.postMessage", channel=there, text="!ticket Broken lamp on deck 3").json()
    episode.call("wait", {"minutes": 1})
    ticket = episode.world.read(lambda tx: tx.all(Ticket, order="id DESC", limit=1)[0])
    assert ticket.subject == "Broken lamp on deck 3"
    thread = episode.call("chat_read_thread", {"channel": there, "ts": asked["ts"]}).data["messages"]
    assert [one["text"] for one in thread] == ["!ticket Broken lamp on deck 3", "A ticket is open."]
    called = next(event for event in reversed(episode.events) if event.app == "zendesk" and event.door == "world")
    assert called.actor == "app:wanda@pier.example"
    assert "Bearer" not in str(called.request)


def test_a_hook_meets_the_outage_of_the_other_app(episode: Episode) -> None:
    episode.world.do(lambda tx: tx.fault("zendesk", "down", timedelta(0), timedelta(hours=1)), "system:test")
    there = channel(episode, "desk")
    asked = send(episode, "chat.postMessage", channel=there, text="!ticket Broken lamp").json()
    episode.call("wait", {"minutes": 1})
    thread = episode.call("chat_read_thread", {"channel": there, "ts": asked["ts"]}).data["messages"]
    assert thread[-1]["text"] == "The hook failed with status 503."


def test_a_wrong_secret_posts_nothing(episode: Episode) -> None:
    before = messages(episode, "desk")
    refused = episode.http("chat", "POST", "/services/B00000000/wrong", {"text": "spam"})
    assert (refused.status, refused.json()) == (200, {"ok": False, "error": "invalid_token"})
    assert messages(episode, "desk") == before
