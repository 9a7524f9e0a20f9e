"""A language model as the agent: the tool-calling loop against any OpenAI-compatible endpoint."""

import json
import os
import re
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from http.client import HTTPException, IncompleteRead
from math import inf
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qsl, quote, unquote, urlsplit, urlunsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from diorama.doors.tools import recordable
from diorama.episodes.agents.random_agent import schema_of
from diorama.episodes.endings import AgentFailed, OutOfTokens

DEFAULT_URL = "https://api.openai.com/v1"
TRIES = 3
REPLY_SECONDS = 300.0
REPLY_AT_MOST = 32 << 20
TOLD_AT_MOST = 300
"""Characters of a provider's words in a message."""
SECRET_AT_LEAST = 6
"""Characters of a key or password that is hidden in messages; shorter ones occur in them by chance."""
HIDDEN = "***"
PERCENT = re.compile("%[0-9A-F]{2}")
BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
WORD = re.compile(r"[^\s\"'<>]+")
URL_SAFE = str.maketrans("-_", "+/")
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""Characters that break a line in two, or that a terminal obeys."""
BACKSLASHES = r"\\{1,8}"
"""How many stand before an escape: each level of JSON inside of JSON doubles them."""
SHORT = {'"': '"', "\\": r"\\", "/": "/", "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t"}
"""What stands behind the backslash in the short escapes of JSON, as a pattern."""
REFUSING = {400, 413, 422}
PASSING = {408, 409, 425, 429, 500, 502, 503, 504, 529}
INSTRUCTIONS = (
    "You work for a company with its own tools. Do the task with tool calls; `wait` when you need somebody's answer. "
    "When you are done, call `finish` with a short report."
)


class ProviderFailed(Exception):
    """The model could not be reached; the episode says nothing about the model."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def converse(hands: Any, model: str, say: Callable[[dict[str, Any]], None] = lambda message: None) -> None:
    """Run a model until the episode ends or it answers without a tool call, which counts as finish."""
    endpoint = Endpoint.from_environment()
    tools = [
        {
            "type": "function",
            "function": {
                "name": tool["name"],
                "description": tool.get("description", ""),
                "parameters": schema_of(tool),
            },
        }
        for tool in hands.tools
    ]
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": INSTRUCTIONS},
        {"role": "user", "content": str(hands.brief)},
    ]
    while True:
        try:
            message, usage = endpoint.complete(model, messages, tools)
        except ConversationRefused as error:
            if len(messages) == 2:  # nothing in it is the model's yet
                raise ProviderFailed("refused", str(error)) from None
            raise AgentFailed(f"the provider refuses what the model wrote: {error}") from None
        except (ProviderFailed, OutOfTokens):
            raise
        except Exception as error:  # noqa: BLE001 - what a provider answers is never the model's fault
            told = endpoint.told(f"{endpoint.url} gave an answer that cannot be read: {type(error).__name__}: {error}")
            raise ProviderFailed("malformed", told) from None
        say({"said": recordable(message.get("content") or ""), "usage": recordable(usage)})
        messages.append(message)
        calls = message.get("tool_calls") or []
        if not calls:
            hands.call("finish", {"report": message.get("content") or ""})
            return
        for call in calls if isinstance(calls, list) else [calls]:
            number, name, arguments = endpoint.hidden_in(_tool_call(call))
            observation = hands.call(name, arguments)
            if observation.ended:
                return
            messages.append({"role": "tool", "tool_call_id": number, "content": observation.text})


class ConversationRefused(Exception):
    """The provider works, but does not accept this conversation."""


class Endpoint:
    """A server for completions."""

    def __init__(self, url: str, key: str) -> None:
        """`url` may hold a user, a password and a query; they are sent, but never stored or printed."""
        parts = urlsplit(url)
        self.url = shown_address(url).rstrip("/")
        self.key = key
        self._target = f"{self.url}/chat/completions" + (f"?{parts.query}" if parts.query else "")
        self._login = unquote(parts.netloc.rpartition("@")[0])
        user, _, password = self._login.partition(":")
        values = [value for _, value in parse_qsl(parts.query)]
        bearer = key and f"Bearer {key}"
        known = (key, bearer, self._login, user, password, parts.query, *values)
        forms = {form for one in known for form in _spellings(one)}
        self._secrets = sorted((one for one in forms if len(one) >= SECRET_AT_LEAST), key=len, reverse=True)
        self._escaped = [re.compile("".join(map(_in_json, secret))) for secret in self._secrets]

    @classmethod
    def from_environment(cls) -> "Endpoint":
        """Read OPENAI_BASE_URL and OPENAI_API_KEY, as other clients do."""
        url = os.environ.get("OPENAI_BASE_URL") or DEFAULT_URL
        if not shown_address(url):
            raise ProviderFailed(
                "configuration",
                "OPENAI_BASE_URL is not an http or https URL as in https://HOST/v1 (write @, / and # in a user or "
                "password as %40, %2F and %23)",
            )
        key = os.environ.get("OPENAI_API_KEY", "").strip()
        if not (key.isascii() and key.isprintable()):  # the library that sends it would print it
            raise ProviderFailed("configuration", "OPENAI_API_KEY has characters that a header cannot have")
        return cls(url, key)

    def hidden(self, text: object) -> str:
        """Return a text of the provider or about it without the key and the password, should it repeat them."""
        shown = str(text)
        for secret in self._secrets:
            shown = shown.replace(secret, HIDDEN)
        if "\\" in shown:
            for pattern in self._escaped:
                shown = pattern.sub(HIDDEN, shown)
        if self._secrets:
            shown = BASE64.sub(self._in_base64, shown)
            shown = WORD.sub(self._in_percents, shown) if "%" in shown else shown
        return shown

    def _in_base64(self, found: re.Match[str]) -> str:
        """Return a piece of a text, or stars if it is base64 that holds a secret, wherever it begins."""
        bare = found[0].rstrip("=").translate(URL_SAFE)
        return self._unless_told(found[0], [_decoded(bare[start:]) for start in range(4)])

    def _in_percents(self, found: re.Match[str]) -> str:
        """Return a word, or stars if it is percent-encoded, once or twice, and holds a secret."""
        once = unquote(found[0]) if "%" in found[0] else ""
        return self._unless_told(found[0], [once, unquote(once)]) if once else found[0]

    def _unless_told(self, piece: str, plain: Sequence[str]) -> str:
        return HIDDEN if any(secret in one for one in plain for secret in self._secrets) else piece

    def told(self, text: object) -> str:
        """Return a cause for a message: without secrets, in one line, with control characters as escapes."""
        return CONTROL.sub(lambda found: ascii(found[0])[1:-1], self.hidden(text))

    def hidden_in(self, value: Any) -> Any:
        """Return JSON data of the provider without the key and the password, in any text and any name in it."""
        if isinstance(value, str):
            return self.hidden(value)
        if isinstance(value, Mapping):
            return {self.hidden_in(name): self.hidden_in(item) for name, item in value.items()}
        return [self.hidden_in(item) for item in value] if isinstance(value, list | tuple) else value

    def complete(
        self, model: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the assistant's next message and its token usage; retry temporary failures."""
        body = json.dumps({"model": model, "messages": messages, "tools": tools}).encode()
        for attempt in range(1, TRIES + 1):
            try:
                status, headers, text = self._post(body)
            except (URLError, HTTPException, OSError) as error:
                if attempt == TRIES:
                    raise self._failed(type(error).__name__, f"could not be reached: {error}") from None
                time.sleep(0.2 * attempt)
                continue
            if 200 <= status < 300:
                return self._read(text)
            told = self.told(text.decode(errors="replace"))
            if status == 400 and "context_length" in told:
                raise OutOfTokens(told[:TOLD_AT_MOST])
            if status in REFUSING:
                raise ConversationRefused(self.told(f"{self.url} answered {status}: {told[:TOLD_AT_MOST]}"))
            if status not in PASSING or attempt == TRIES:
                raise self._failed(f"http_{status}", f"answered {status}: {told[:TOLD_AT_MOST]}")
            time.sleep(min(_seconds(headers.get("Retry-After"), 2.0 ** (attempt - 1)), 30.0))
        raise AssertionError("unreachable: the last try returns or raises")

    def _failed(self, kind: str, what: str) -> ProviderFailed:
        return ProviderFailed(kind, self.told(f"{self.url} {what}"))

    def _post(self, body: bytes) -> tuple[int, Any, bytes]:
        """Return the status, the headers and the whole body of an answer, also of one that is an error."""
        headers = {"Content-Type": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        elif self._login:
            headers["Authorization"] = f"Basic {b64encode(self._login.encode()).decode()}"
        request = Request(self._target, data=body, headers=headers)  # noqa: S310 - the scheme was checked
        try:
            reply = _opener().open(request, timeout=REPLY_SECONDS)
        except HTTPError as error:
            reply = error
        with reply:
            text = reply.read(REPLY_AT_MOST + 1)
            if len(text) <= REPLY_AT_MOST and getattr(
                reply, "length", None
            ):  # the connection ended before the body did
                raise IncompleteRead(text, reply.length)
            return reply.status, reply.headers, text

    def _read(self, text: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the message and the usage of a completion, without secrets."""
        if len(text) > REPLY_AT_MOST:
            raise self._failed("malformed", f"answered with more than {REPLY_AT_MOST} bytes")
        try:
            document = self.hidden_in(json.loads(text))
        except (ValueError, RecursionError):
            shown = self.told(text.decode(errors="replace"))[:TOLD_AT_MOST]  # a key that is cut is not found
            raise self._failed("malformed", f"answered with something that is not JSON: {shown}") from None
        try:
            choice = document["choices"][0]
            message = dict(choice["message"])
            usage = dict(document.get("usage") or {})
            cut = choice.get("finish_reason") == "length"
        except (KeyError, IndexError, TypeError, ValueError, AttributeError):
            shown = self.told(json.dumps(document))[:TOLD_AT_MOST]
            raise self._failed("malformed", f"answered with a completion without a message: {shown}") from None
        if cut:
            raise OutOfTokens("the model's answer was cut at its token limit")
        kept = {key: message[key] for key in ("content", "tool_calls") if message.get(key) is not None}
        return {**kept, "role": "assistant"}, usage


class _Stay(HTTPRedirectHandler):
    """Follows no redirection: the key must not reach another host."""

    def redirect_request(self, *_: Any) -> None:
        return None


@cache
def _opener() -> OpenerDirector:
    return build_opener(_Stay)


def _decoded(text: str) -> str:
    """Return what base64 without its padding holds, as far as it can be read."""
    whole = text[: len(text) - 1] if len(text) % 4 == 1 else text
    return b64decode(whole + "=" * (-len(whole) % 4)).decode(errors="replace")


def _spellings(secret: str) -> tuple[str, ...]:
    """Return a secret as texts, addresses, JSON and base64 write it."""
    coded = b64encode(secret.encode()).decode().rstrip("=")
    quoted = [quote(secret, safe=safe) for safe in ("", "/")]
    small = [PERCENT.sub(lambda found: found[0].lower(), one) for one in quoted]
    return secret, *quoted, *small, json.dumps(secret)[1:-1], secret.replace("/", "\\/"), coded


def _in_json(character: str) -> str:
    """Return a pattern of one character as any JSON writer may write it: as it is, or escaped."""
    pair = character.encode("utf-16-be", "surrogatepass").hex()  # two escapes beyond U+FFFF
    codes = [pair[at : at + 4] for at in range(0, len(pair), 4)]
    escapes = "".join(f"{BACKSLASHES}u(?i:{code})" for code in codes)
    short = [(r"\\" if character == "\\" else BACKSLASHES) + SHORT[character]] if character in SHORT else []
    return f"(?:{'|'.join([escapes, *short, re.escape(character)])})"


def shown_address(url: str) -> str:
    """Return the scheme, the host and the path of an address of a provider, which may be printed; "" if it is none.

    What is not written correctly is none: where its password ends cannot be told.
    """
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        fits = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        return ""
    if not fits or url.count("@") > 1 or "@" in parts.path + parts.query or "#" in url:
        return ""
    return urlunsplit((parts.scheme, host, parts.path, "", ""))


def _tool_call(call: Any) -> tuple[str, Any, Any]:
    """Return the number, the tool and the arguments of a call; one of another shape names no tool."""
    wanted = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(wanted, Mapping):
        return "", recordable(call), {}
    return str(call.get("id", "")), wanted.get("name"), _arguments(wanted.get("arguments"))


def _arguments(text: Any) -> Any:
    """Parse the model's arguments, or return the text if it is not JSON: the tool door refuses it."""
    if isinstance(text, Mapping):
        return text
    try:
        return json.loads(text) if text else {}
    except (TypeError, ValueError, RecursionError):
        return text


def _seconds(header: str | None, otherwise: float) -> float:
    """Parse Retry-After; what is not a number of seconds from 0 on counts as not sent."""
    try:
        seconds = float(header) if header else otherwise
    except ValueError:
        return otherwise
    return seconds if 0.0 <= seconds < inf else otherwise
