"""Templates: an oracle's actions with their values replaced by the places where a fixed look finds them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec

from diorama.check.mutations.asks import Ask, data_of
from diorama.check.mutations.entities import AMOUNT, NUMBER, TOKEN, cents_in, written
from diorama.check.mutations.scene import Script
from diorama.episodes.episode import Episode

Place = tuple[str | int, ...]
Looked = dict[str, Any]
"""What a fixed look found: the ticket, its comments, and the customer's records."""
_TICKET = re.compile(r"#(\d+)")
_WORD = re.compile(r"[^\W\d_]{3,}")
_SLOT = re.compile(r"\[\[(\d+)\]\]")
LISTS = ("charges", "orders", "subscriptions", "shipments", "refunds", "returns", "units")


def look(episode: Episode) -> Looked:
    """Read the ticket that the brief names, its comments, and the requester's records; always the same requests."""
    found: Looked = {"brief": {}}
    number = _TICKET.search(episode.brief)
    if number is None:
        return found
    found["brief"] = {"ticket": int(number[1])}
    ticket = _read(episode, "zendesk", f"/api/v2/tickets/{number[1]}.json?include=users")
    found["ticket"] = ticket
    found["comments"] = _read(episode, "zendesk", f"/api/v2/tickets/{number[1]}/comments.json").get("comments", [])
    if "backoffice" not in episode.scenario.apps:
        return found
    requester = (ticket.get("ticket") or {}).get("requester_id")
    email = next((one.get("email") for one in ticket.get("users", []) if one.get("id") == requester), "")
    owners = _read(episode, "backoffice", f"/api/v1/customers?email={email}").get("data", []) if email else []
    if not owners:
        return found
    owner = owners[0]["id"]
    found["records"] = _read(episode, "backoffice", f"/api/v1/customers/{owner}/overview")
    for kind in LISTS:
        found[kind] = _read(episode, "backoffice", f"/api/v1/{kind}?customer={owner}&limit=10").get("data", [])
    return found


def _read(episode: Episode, app: str, path: str) -> dict[str, Any]:
    data = data_of(episode.http(app, "GET", path))
    return data if isinstance(data, dict) else {}


def _leaves(value: Any, at: Place = ()) -> Iterator[tuple[Place, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, (*at, str(key)))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _leaves(inner, (*at, number))
    else:
        yield at, value


def _at(value: Any, place: Place) -> Any:
    """Return what is at a place, or None."""
    for part in place:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return None
    return value


class Template(msgspec.Struct, frozen=True):
    """A fixed answer: actions with slots, and for each slot where its value is looked up and how it is written."""

    plan: str
    asks: tuple[Ask, ...]
    slots: tuple[tuple[Place, str], ...]

    @property
    def signature(self) -> str:
        """A text that is equal for equal answers."""
        sent = [(ask.method, ask.path, repr(ask.body)) for ask in self.asks]
        return repr((sent, self.slots))

    def filled(self, looked: Looked, currency: str) -> list[Ask]:
        """Return the actions for another variant."""
        values = [_written(_at(looked, place), form, currency) for place, form in self.slots]
        return [_filled(ask, values) for ask in self.asks]


def _written(value: Any, form: str, currency: str) -> Any:
    if value is None:
        return ""
    if form == "money":
        return written(int(value), currency) if isinstance(value, int) else ""
    if form.startswith("day:"):
        try:
            moment = datetime.fromisoformat(str(value).replace("Z", "+00:00"))
        except ValueError:
            return ""
        return moment.strftime(form[4:]).lstrip("0")
    return value


def _filled(ask: Ask, values: list[Any]) -> Ask:
    def fill(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: fill(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [fill(inner) for inner in value]
        if not isinstance(value, str):
            return value
        whole = _SLOT.fullmatch(value)
        if whole:
            return values[int(whole[1])]
        return _SLOT.sub(lambda found: str(values[int(found[1])]), value)

    return msgspec.structs.replace(ask, path=fill(ask.path), body=fill(ask.body), altered=True)


def template_of(script: Script, looked: Looked) -> Template:
    """Return an oracle's writing actions with every value that the look shows replaced by its place."""
    places: dict[Any, Place] = {}
    for place, value in _leaves(looked):
        if value is not None and value != "" and not isinstance(value, bool):
            places.setdefault(value, place)
    slots: dict[tuple[Place, str], int] = {}

    def slot(place: Place, form: str) -> str:
        return f"[[{slots.setdefault((place, form), len(slots))}]]"

    days = {}
    for place, value in _leaves(looked):
        if isinstance(value, str) and re.match(r"20\d\d-\d\d-\d\dT", value):
            for form in ("%Y-%m-%d", "%d %B", "%B %d", "%d %b"):
                text = datetime.fromisoformat(value.replace("Z", "+00:00")).strftime(form).lstrip("0")
                days.setdefault(text, (place, f"day:{form}"))

    def in_text(text: str) -> str:
        def amount(found: re.Match[str]) -> str:
            cents = next(iter(cents_in(found[0])))
            return slot(places[cents], "money") if cents in places else found[0]

        def known(found: re.Match[str]) -> str:
            return slot(places[found[0]], "text") if found[0] in places else found[0]

        text = NUMBER.sub(known, TOKEN.sub(known, text))
        for day, (place, form) in days.items():
            if day in text:
                text = text.replace(day, slot(place, form))
        return AMOUNT.sub(amount, text)

    def cut(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: cut(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [cut(inner) for inner in value]
        if isinstance(value, int) and not isinstance(value, bool) and value in places and value > 99:
            return slot(places[value], "value")
        if isinstance(value, str) and value in places and (len(value) > 7 or NUMBER.fullmatch(value)):
            return slot(places[value], "value")
        return in_text(value) if isinstance(value, str) else value

    asks = []
    for step in script.steps:
        ask = step.ask
        if ask.is_read or not ask.app or not step.done:
            continue
        path = re.sub(r"(?<=/)(\d{2,})(?=[/.]|$)", lambda found: _of_path(found, places, slot), ask.path)
        path = TOKEN.sub(lambda found: slot(places[found[0]], "text") if found[0] in places else found[0], path)
        headers = {name: value for name, value in ask.headers.items() if name != "idempotency-key"}
        asks.append(msgspec.structs.replace(ask, path=path, body=cut(ask.body), headers=headers, arguments={}, tool=""))
    return Template(script.result.plan, tuple(asks), tuple(slots))


def _of_path(found: re.Match[str], places: dict[Any, Place], slot: Any) -> str:
    number = int(found[1])
    return str(slot(places[number], "text")) if number in places else found[0]


# --- what a policy may see


def words_of_ticket(looked: Looked) -> Counter[str]:
    """Return the words of the ticket: its subject and its comments."""
    ticket = (looked.get("ticket") or {}).get("ticket") or {}
    texts = [str(ticket.get("subject", "")), *(str(one.get("body", "")) for one in looked.get("comments", []))]
    return Counter(word.lower() for text in texts for word in _WORD.findall(text))


def words_of_records(looked: Looked) -> Counter[str]:
    """Return what the records show, without anything that the customer wrote."""
    found: Counter[str] = Counter()
    for kind in ("records", *LISTS):
        rows = looked.get(kind) or []
        if isinstance(rows, list):
            found[f"{kind}={len(rows)}"] += 3
        for place, value in _leaves(rows):
            name = next((str(part) for part in reversed(place) if isinstance(part, str)), kind)
            if isinstance(value, str) and " " in value:
                found.update(word.lower() for word in _WORD.findall(value))
            elif isinstance(value, str) and value and not any(letter.isdigit() for letter in value):
                found[f"{name}={value}"] += 1
            elif isinstance(value, bool) or value == 0 or value is None:
                found[f"{name}={value}"] += 1
    return found


class Nearest:
    """The variants that look most like another one: cosine of word weights."""

    def __init__(self, seen: list[Counter[str]]) -> None:
        self._rarity: dict[str, float] = {}
        counts = Counter(word for words in seen for word in words)
        for word, count in counts.items():
            self._rarity[word] = math.log((1 + len(seen)) / (1 + count))
        self._known = [self._weighed(words) for words in seen]

    def _weighed(self, words: Counter[str]) -> dict[str, float]:
        weights = {word: (1 + math.log(count)) * self._rarity.get(word, 0.0) for word, count in words.items()}
        length = math.sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        return {word: weight / length for word, weight in weights.items() if weight}

    def of(self, words: Counter[str], most: int = 5) -> list[int]:
        """Return the numbers of the nearest ones, the nearest first."""
        mine = self._weighed(words)
        scores = [sum(weight * other.get(word, 0.0) for word, weight in mine.items()) for other in self._known]
        return sorted(range(len(scores)), key=lambda number: (-scores[number], number))[:most]
