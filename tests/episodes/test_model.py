"""A model behind an OpenAI-compatible endpoint: a small server on the loopback plays the provider."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from diorama.episodes.agents.model import ProviderFailed, converse
from diorama.episodes.endings import OutOfTokens
from diorama.runs.perform import perform
from diorama.runs.replay import verify
from diorama.runs.store import Job, unpack
from tests.episodes.test_random_agent import Desk

Script = Callable[[int, dict[str, Any]], tuple[int, Any]]


class Provider:
    """Returns scripted completions, and records the requests."""

    def __init__(self) -> None:
        self.script: Script = lambda n, body: (200, said("bye"))
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    served = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            served.asked.append(body)
            served.keys.append(self.headers["Authorization"])
            status, answer = served.script(len(served.asked), body)
            data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status if self.path == "/v1/chat/completions" else 404)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "k-123")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    yield served
    server.shutdown()
    server.server_close()


def said(text: str | None = None, *calls: tuple[str, str], finish: str = "stop") -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = [
            {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for n, (name, arguments) in enumerate(calls)
        ]
    return {"choices": [{"message": message, "finish_reason": finish}], "usage": {"total_tokens": 5}}


def test_tool_calls_are_made_and_their_results_returned(provider: Provider) -> None:
    provider.script = lambda n, body: (
        200,
        said("hm", ("wait", '{"seconds": 5}'), ("wait", "{}")) if n == 1 else said("Done it."),
    )
    desk = Desk()
    heard: list[dict[str, Any]] = []
    converse(desk, "m-1", heard.append)
    assert desk.calls == [("wait", {"seconds": 5}), ("wait", {}), ("finish", {"report": "Done it."})]
    second = provider.asked[1]["messages"]
    assert [message["role"] for message in second] == ["system", "user", "assistant", "tool", "tool"]
    assert second[3] == {"role": "tool", "tool_call_id": "c0", "content": "..."}
    assert provider.asked[0]["model"] == "m-1"
    assert provider.asked[0]["tools"][0]["function"]["name"] == "desk_change"
    assert provider.keys[0] == "Bearer k-123"
    assert heard[0] == {"said": "hm", "usage": {"total_tokens": 5}}


def test_a_message_without_a_tool_call_is_finish(provider: Provider) -> None:
    desk = Desk()
    converse(desk, "m")
    assert desk.calls == [("finish", {"report": "bye"})]


def test_the_model_is_not_asked_after_the_end(provider: Provider) -> None:
    provider.script = lambda n, body: (200, said(None, ("finish", "{}"), ("wait", "{}")))
    desk = Desk()
    converse(desk, "m")
    assert desk.calls == [("finish", {})]
    assert len(provider.asked) == 1


def test_arguments_that_are_not_json_are_passed_on_unchanged(provider: Provider) -> None:
    provider.script = lambda n, body: (200, said(None, ("wait", "{oops")) if n == 1 else said("x"))
    desk = Desk()
    converse(desk, "m")
    assert desk.calls[0] == ("wait", "{oops")


def test_a_temporary_error_is_retried(provider: Provider) -> None:
    provider.script = lambda n, body: (429, {"error": "slow down"}) if n == 1 else (200, said("ok"))
    desk = Desk()
    converse(desk, "m")
    assert desk.calls == [("finish", {"report": "ok"})]


@pytest.mark.parametrize(
    ("status", "answer", "kind"),
    [
        (401, {"error": "who are you"}, "http_401"),
        (500, {"error": "oh no"}, "http_500"),
        (200, b"<html>", "malformed"),
        (200, {"choices": []}, "malformed"),
        (200, {"choices": [{"message": {}}], "usage": 7}, "malformed"),
        (200, [], "malformed"),
        (200, b"[" * 100_000, "malformed"),
        (400, {"error": "no such model"}, "refused"),
    ],
)
def test_a_provider_that_fails_is_named(provider: Provider, status: int, answer: Any, kind: str) -> None:
    provider.script = lambda n, body: (status, answer)
    with pytest.raises(ProviderFailed) as failed:
        converse(Desk(), "m")
    assert failed.value.kind == kind


def test_a_missing_provider_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    with pytest.raises(ProviderFailed, match="could not be reached"):
        converse(Desk(), "m")


@pytest.mark.parametrize(
    ("status", "answer"),
    [(200, said("I was about to", finish="length")), (400, {"error": {"code": "context_length_exceeded"}})],
)
def test_running_out_of_tokens_is_reported(provider: Provider, status: int, answer: Any) -> None:
    provider.script = lambda n, body: (status, answer)
    with pytest.raises(OutOfTokens):
        converse(Desk(), "m")


@pytest.mark.usefixtures("in_the_bakery")
def test_a_model_solves_a_real_episode(provider: Provider) -> None:
    def baker(n: int, body: dict[str, Any]) -> tuple[int, Any]:
        if n == 1:
            return 200, said("Let me look.", ("oven_look", "{}"), ("oven_bake", '{"kind": 7}'))
        if n == 2:
            kind = body["messages"][1]["content"].removeprefix("Bake this: ")
            return 200, said(None, ("oven_bake", json.dumps({"kind": kind})))
        return 200, said("It is baked.")

    provider.script = baker
    finished = perform(Job("openai:m-1", "oven/bake", 0))
    assert finished.result["success"] is True
    assert finished.result["turns"] == 4
    turns = unpack(finished.transcript)
    assert [turn.get("tool") for turn in turns] == [None, "oven_look", "oven_bake", None, "oven_bake", None, "finish"]
    assert turns[2]["is_error"]
    assert turns[0]["usage"] == {"total_tokens": 5}
    assert verify(finished) is None


@pytest.mark.usefixtures("in_the_bakery")
def test_a_provider_that_fails_voids_the_episode_at_its_boundary(provider: Provider) -> None:
    provider.script = lambda n, body: (401, {"error": "who are you"})
    result = perform(Job("openai:m-1", "oven/bake", 0)).result
    assert (result["ended"], result["reward"]) == ("void", None)
    assert (result["fault"]["boundary"], result["fault"]["kind"]) == ("provider", "http_401")


ODD_MESSAGES: dict[str, Any] = {
    "half an emoji": said("\ud83d", ("oven_bake", '{"kind": "\\ud83d"}')),
    "half an emoji as the name": said(None, ("oven_\ud83d", "{}")),
    "zero bytes": said("\x00", ("oven_bake", '{"kind": "\\u0000"}')),
    "arguments that are not JSON": said(None, ("oven_bake", "{oops")),
    "arguments nested too deeply": said(None, ("oven_bake", "[" * 50_000)),
    "NaN and a huge number": said(None, ("oven_bake", '{"kind": NaN, "x": ' + "9" * 400 + "}")),
    "arguments that are a list": said(None, ("oven_bake", "[1]")),
    "content that is a list": {"choices": [{"message": {"content": [{"type": "text", "text": "\ud83d"}]}}]},
    "calls that are no list": {"choices": [{"message": {"tool_calls": {"function": 5}}}]},
    "calls without a function": {"choices": [{"message": {"tool_calls": [5, None, {"id": 7}]}}]},
    "a name that is no text": {"choices": [{"message": {"tool_calls": [{"function": {"name": {"a": 1}}}]}}]},
    "a huge number of tokens": said("x") | {"usage": {"total_tokens": 10**30}},
}


@pytest.mark.parametrize("odd", ODD_MESSAGES)
@pytest.mark.usefixtures("in_the_bakery")
def test_what_a_model_writes_never_voids_its_episode(provider: Provider, odd: str) -> None:
    provider.script = lambda n, body: (200, ODD_MESSAGES[odd] if n == 1 else said("bye"))
    finished = perform(Job("openai:m-1", "oven/bake", 0))
    assert (finished.result["ended"], finished.result["fault"], finished.note) == ("done", None, "")
    assert unpack(finished.transcript)
    assert verify(finished) is None


@pytest.mark.usefixtures("in_the_bakery")
def test_a_conversation_that_the_provider_refuses_is_the_models_fault(provider: Provider) -> None:
    provider.script = lambda n, body: (200, said(None, ("oven_bake", "{"))) if n == 1 else (400, {"error": "bad JSON"})
    finished = perform(Job("openai:m-1", "oven/bake", 0))
    assert (finished.result["ended"], finished.result["fault"]) == ("gave_up", None)
    assert "the provider refuses what the model wrote" in finished.note
