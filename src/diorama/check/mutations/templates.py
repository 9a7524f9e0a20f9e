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

Place = tuple[Any, ...]
Looked = dict[str, Any]
"""What a fixed look found: the ticket, its comments, and the customer's records."""
_TICKET = re.compile(r"#(\d+)")
_WORD = re.compile(r"[^\W\d_]{3,}")
_SLOT = re.compile(r"\[\[(\d+)\]\]")
FIRST = ("amount_cents", "disputed_at", "refunds", "charges", "total_cents", "created_at")
"""Where a value is looked for first if several places show it."""
TELLING = ("status", "outcome", "reason", "destination", "trace", "failure_code", "dispute_reason", "channel")
"""Fields of records whose values tell cases apart."""
WORDS = ("comment", "note", "justification")
"""Fields of requests that hold words for people."""
LISTS = ("charges", "orders", "subscriptions", "shipments", "refunds", "returns", "units")


def look(episode: Episode, letter: bool = True) -> Looked:
    """Read the ticket that the brief names, its comments, and the requester's records; always the same requests.

    The order of the case is the one that the customer names; without `letter`, the newest one. If no account has the
    requester's address, it is the account of that order. If the brief names no ticket, the right one is given away: a
    policy is measured as if it had found it.
    """
    found: Looked = {"brief": {}}
    named_ticket = _TICKET.search(episode.brief)
    number = int(named_ticket[1]) if named_ticket else int(getattr(episode.truth, "ticket_id", 0) or 0)
    if not number:
        return found
    found["brief"] = {"ticket": number}
    ticket = _read(episode, "zendesk", f"/api/v2/tickets/{number}.json?include=users")
    found["ticket"] = ticket
    found["comments"] = _read(episode, "zendesk", f"/api/v2/tickets/{number}/comments.json").get("comments", [])
    requester = (ticket.get("ticket") or {}).get("requester_id")
    mine = _read(episode, "zendesk", f"/api/v2/users/{requester}/tickets/requested.json")
    newest = reversed(mine.get("tickets", [])[-6:])
    found["tickets"] = [{"id": one["id"], "status": one["status"]} for one in newest]
    if "backoffice" not in episode.scenario.apps:
        return found
    email = next((one.get("email") for one in ticket.get("users", []) if one.get("id") == requester), "")
    owners = _read(episode, "backoffice", f"/api/v1/customers?email={email}").get("data", []) if email else []
    words = " ".join(str(one.get("body", "")) for one in found["comments"])
    named = NUMBER.search(f"{(ticket.get('ticket') or {}).get('subject', '')} {words}") if letter else None
    case = _read(episode, "backoffice", f"/api/v1/orders/{named[0]}") if named else {}
    owner = owners[0]["id"] if owners else case.get("customer_id", "")
    if not owner:
        return found
    orders = _read(episode, "backoffice", f"/api/v1/orders?customer={owner}&limit=1").get("data", [])
    if not case.get("id") and orders:
        case = _read(episode, "backoffice", f"/api/v1/orders/{orders[0]['id']}")
    found["case"] = case
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
            yield from _leaves(inner, (*at, key))
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

    @property
    def deeds(self) -> str:
        """A text that is equal for answers that differ in nothing but the words of replies and notes."""
        sent = [(ask.method, ask.path, repr(_without_words(ask.body))) for ask in self.asks]
        return _SLOT.sub(lambda found: repr(self.slots[int(found[1])]), repr(sent))

    @property
    def places(self) -> set[str]:
        """The parts of a look that its values come from, such as `brief` and `case`."""
        return {str(place[0]) for place, _ in self.slots}

    def filled(self, ask: Ask, looked: Looked, currency: str) -> Ask:
        """Return one of the actions for another variant, by what was looked up and made so far."""
        values = [_written(_at(looked, place), form, currency) for place, form in self.slots]
        return _filled(ask, values)


def _without_words(body: Any) -> Any:
    """Return a body without comments, notes and reasons in free text."""
    if isinstance(body, dict):
        return {key: _without_words(value) for key, value in body.items() if key not in WORDS}
    return [_without_words(one) for one in body] if isinstance(body, list) else body


def _written(value: Any, form: str, currency: str) -> Any:
    if value is None:
        return ""
    if form == "money":
        return written(int(value), currency) if isinstance(value, int) else ""
    if form == "decimal":
        return written(int(value), "").strip() if isinstance(value, int) else ""
    if form.startswith("day:"):
        try:
            moment = datetime.fromisoformat(str(value))
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


def _preference(place: Place) -> tuple[int, int, int]:
    """Return how good a place is to look a value up: the case's own order first, telling names first, short ones."""
    names = [FIRST.index(part) for part in place if part in FIRST]
    return (0 if place[0] in ("brief", "case", "made") else 1, min(names, default=len(FIRST)), len(place))


class _Cutter:
    """Replaces the values in actions by slots."""

    def __init__(self, looked: Looked) -> None:
        self.slots: dict[tuple[Place, str], int] = {}
        self._places: dict[Any, Place] = {}
        self._days: dict[str, tuple[Place, str]] = {}
        self.learn(looked)

    def learn(self, looked: Looked) -> None:
        """Take in what was looked up or made; a value that is known already keeps its place."""
        found = sorted(_leaves(looked), key=lambda one: _preference(one[0]))
        for place, value in found:
            if value is None or value == "" or isinstance(value, bool):
                continue
            self._places.setdefault(value, place)
            if isinstance(value, str) and re.match(r"20\d\d-\d\d-\d\dT", value):
                moment = datetime.fromisoformat(value)
                for form in ("%Y-%m-%d", "%d %B", "%B %d", "%d %b"):
                    self._days.setdefault(moment.strftime(form).lstrip("0"), (place, f"day:{form}"))

    def _slot(self, place: Place, form: str) -> str:
        return f"[[{self.slots.setdefault((place, form), len(self.slots))}]]"

    def _known(self, found: re.Match[str]) -> str:
        return self._slot(self._places[found[0]], "text") if found[0] in self._places else found[0]

    def _amount(self, found: re.Match[str]) -> str:
        cents = next(iter(cents_in(found[0])))
        form = "decimal" if found[0].replace(".", "").isdecimal() else "money"
        return self._slot(self._places[cents], form) if cents in self._places else found[0]

    def text(self, text: str) -> str:
        """Return a text with slots for numbers, ids, days and amounts."""
        text = NUMBER.sub(self._known, TOKEN.sub(self._known, text))
        for day, (place, form) in self._days.items():
            if day in text:
                text = re.sub(rf"(?<!\d){re.escape(day)}(?!\d)", self._slot(place, form), text)
        return AMOUNT.sub(self._amount, text)

    def path(self, path: str) -> str:
        """Return a path with slots for ids."""
        path = re.sub(r"(?<=/)(\d{2,})(?=[/.]|$)", lambda found: self._in_path(found), path)
        return TOKEN.sub(self._known, path)

    def _in_path(self, found: re.Match[str]) -> str:
        place = self._places.get(int(found[1]))
        return self._slot(place, "text") if place else found[0]

    def body(self, value: Any) -> Any:
        """Return a body with slots."""
        if isinstance(value, dict):
            return {key: self.body(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.body(inner) for inner in value]
        if isinstance(value, bool) or not isinstance(value, int | str):
            return value
        telling = value > 99 if isinstance(value, int) else len(value) > 7 or NUMBER.fullmatch(value) is not None
        if telling and value in self._places:
            return self._slot(self._places[value], "value")
        return self.text(value) if isinstance(value, str) else value


def template_of(script: Script, looked: Looked) -> Template:
    """Return what an oracle does, with every value that the look or an earlier action shows replaced by its place."""
    cutter, asks = _Cutter(looked), []
    for step in script.steps:
        ask = step.ask
        if ask.is_read or ask.is_finish or ask.method == "CALL":
            continue
        headers = {name: value for name, value in ask.headers.items() if name != "idempotency-key"}
        tool = ask.tool if ask.method == "WAIT" else ""
        asks.append(
            msgspec.structs.replace(
                ask, path=cutter.path(ask.path), body=cutter.body(ask.body), headers=headers, tool=tool
            )
        )
        made = data_of(step.answer) if ask.app else None
        cutter.learn({"made": {len(asks) - 1: made}})
    return Template(script.result.plan, tuple(asks), tuple(cutter.slots))


# --- what a policy may see


def words_of_ticket(looked: Looked) -> Counter[str]:
    """Return the words of the ticket: its subject and its comments."""
    ticket = (looked.get("ticket") or {}).get("ticket") or {}
    texts = [str(ticket.get("subject", "")), *(str(one.get("body", "")) for one in looked.get("comments", []))]
    return Counter(word.lower() for text in texts for word in _WORD.findall(text))


def words_of_records(looked: Looked) -> Counter[str]:
    """Return what the records of the case show, without anything that the customer wrote."""
    records, found = looked.get("records") or {}, Counter[str]()
    for note in records.get("notes", []):
        found.update(word.lower() for word in _WORD.findall(str(note.get("body", ""))))
    for one in records.get("subscriptions", []):
        found[f"subscription={one.get('status')}"] += 1
    found[f"returns={len(records.get('open_returns', []))}"] += 1
    for name, value in (looked.get("case") or {}).items():
        if isinstance(value, list):
            found[f"{name}={len(value)}"] += 1
        for place, inner in _leaves(value, (name,)):
            key = next((str(part) for part in reversed(place) if isinstance(part, str)), name)
            if key in TELLING or isinstance(inner, bool):
                found[f"{name}.{key}={inner}"] += 1
            elif inner in (None, 0, ""):
                found[f"{name}.{key} is empty"] += 1
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
