"""A scene: one variant, the script of its oracle, and what a mutation may use from the world."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from typing import Any

import msgspec

from diorama import people
from diorama.check.mutations.asks import Answer, Ask, data_of, refused, send
from diorama.check.mutations.declaring import Unfit
from diorama.check.mutations.hands import AlteredHands
from diorama.episodes.episode import Episode, start
from diorama.episodes.result import Result
from diorama.kernel import Reply, Snapshot, Tx, World
from diorama.kit import Tool
from diorama.scenarios import Scenario

LANGUAGES = ("en", "de", "fr", "es", "nl")
Alter = Callable[["Scene", Ask], Answer]


class Step(msgspec.Struct, frozen=True):
    """One step of an oracle: what it asked, what it read, and whether it was refused."""

    ask: Ask
    answer: Answer

    @property
    def done(self) -> bool:
        """Whether the app did what was asked."""
        return not refused(self.answer)


class Script(msgspec.Struct, frozen=True):
    """The oracle's attempt at one variant: where it began, every step, and the result."""

    staged: Snapshot
    truth: Any
    brief: str
    steps: tuple[Step, ...]
    result: Result
    done: Episode

    @property
    def replies(self) -> list[Ask]:
        """The public replies, in order."""
        return [step.ask for step in self.steps if step.ask.words and step.done]

    @property
    def deeds(self) -> list[Step]:
        """The deeds that were done in a back office."""
        return [step for step in self.steps if step.ask.deed and step.done]


@lru_cache(maxsize=80)
def script(scenario: Scenario[Any], seed: int, split: str = "train") -> Script:
    """Play the oracle on one variant, and keep every step; made once per process."""
    episode = start(scenario, seed, split=split)
    staged, brief = episode.snapshot(), episode.brief
    hands = AlteredHands(episode)
    scenario.oracle(hands, episode.truth)
    result = episode.finish()
    steps = tuple(Step(ask, answer) for ask, answer in hands.steps)
    return Script(staged, episode.truth, brief, steps, result, episode)


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A customer as desk and back office know them; what is unknown is empty."""

    user_id: int = 0
    customer_id: str = ""
    name: str = ""
    email: str = ""
    phone: str = ""
    locale: str = "en"
    address: dict[str, str] = {}
    card: str = ""
    order: str = ""


class Scene:
    """One attempt at a variant by a mutated oracle; a mutation changes what is sent, and sends more."""

    def __init__(self, scenario: Scenario[Any], script: Script) -> None:
        self.scenario = scenario
        self.script = script
        self.episode = Episode(scenario, World.at(script.staged))
        self.truth = self.episode.truth
        self.said = 0
        """How many public replies the oracle has sent."""
        self.extra: list[bool] = []
        """For each request that the mutation added: whether the app accepted it."""
        self.refusals: set[int] = set()
        """The statuses with which the app refused what the mutation added."""
        self.stopped = ""
        """Why the oracle could not go on, if so."""
        self.kept: dict[str, Any] = {}
        """Whatever a mutation remembers between two asks."""
        self.facts: dict[str, Any] = {}
        """What was looked up about the case, once."""
        self.altered = False
        """Whether anything was sent that the oracle would not have sent, or left out."""
        self._asked = self._sent = 0
        self._hands = AlteredHands(self.episode)

    # --- playing

    def oracle(self, alter: Alter) -> None:
        """Let the oracle play, with everything that it asks passed to `alter`."""

        def answer(ask: Ask) -> Answer:
            self._asked += 1
            found = alter(self, ask)
            self.said += bool(ask.words)
            return found

        hands = AlteredHands(self.episode, answer)
        try:
            self.scenario.oracle(hands, self.truth)
        except (RuntimeError, LookupError, TypeError, ValueError) as error:
            self.stopped = f"{type(error).__name__}: {error}"[:300]  # an oracle may insist on what it was used to

    def play(self, asks: list[Ask]) -> None:
        """Send recorded asks, whatever comes back."""
        self.altered = True
        for ask in asks:
            if self.episode.ended is None:
                self.send(ask)

    def send(self, ask: Ask) -> Answer:
        """Send an ask of the oracle, altered or not."""
        self._sent += 1
        self.altered |= ask.altered
        return send(self.episode, ask, self._hands.tools_by_name)

    def add(self, app: str, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Reply:
        """Send a request that the oracle does not send; remember whether the app accepted it."""
        reply = self.episode.http(app, method, path, body, headers)
        accepted = not reply.refused and reply.status < 400
        self.extra.append(accepted)
        if not accepted:
            self.refusals.add(reply.status)
        return reply

    def as_read(self, ask: Ask) -> Answer:
        """Return what an ask would show, without asking it in this episode."""
        self.altered = True
        twin = self.episode.fork()
        return send(twin, ask, self._hands.tools_by_name)

    @property
    def is_oracle(self) -> bool:
        """Whether nothing differs from what the oracle does by itself."""
        return not self.altered and not self.extra and self._asked == self._sent

    @property
    def tools(self) -> dict[str, Tool]:
        """The tools of the episode by name."""
        return self._hands.tools_by_name

    # --- the case

    def is_main_reply(self, ask: Ask) -> bool:
        """Return whether this is the oracle's last public reply."""
        return bool(ask.words) and self.said == len(self.script.replies) - 1

    @cached_property
    def ticket_id(self) -> int:
        """The ticket that the case is about; Unfit if there is none."""
        asked = [ask.ticket_id for ask in reversed(self.script.replies)]
        asked += [int(getattr(self.truth, "ticket_id", 0) or 0)]
        asked += [step.ask.ticket_id for step in self.script.steps if step.ask.ticket]
        for number in asked:
            if number and self.rows("SELECT 1 FROM zendesk_tickets WHERE id = ?", number):
                return number
        raise Unfit("the oracle works on no ticket that was there before")

    @property
    def words(self) -> str:
        """The oracle's last public reply; Unfit if it writes none."""
        if not self.script.replies:
            raise Unfit("the oracle writes no public reply")
        return self.script.replies[-1].words

    @property
    def all_words(self) -> str:
        """All public replies of the oracle."""
        return "\n".join(ask.words for ask in self.script.replies)

    @cached_property
    def customer(self) -> Person:
        """The requester of the ticket."""
        number = self.ticket_id
        found: Person | None = self.episode.world.read(lambda tx: _person(tx, self._has_shop, ticket=number))
        if found is None:
            raise Unfit(f"ticket {number} has no requester")
        return found

    @cached_property
    def stranger(self) -> Person:
        """Another customer, whom the case does not concern."""
        me, truth = self.customer, repr(msgspec.to_builtins(self.truth))
        worked_on = tuple(dict.fromkeys(step.ask.ticket_id for step in self.script.steps if step.ask.ticket_id))
        found: Person | None = self.episode.world.read(
            lambda tx: next(_strangers(tx, self._has_shop, me, truth, worked_on), None)
        )
        if found is None:
            raise Unfit("there is no other customer")
        return found

    @property
    def language(self) -> str:
        """The language in which the customer writes, if it is one of the five; else English."""
        persona = self.episode.world.read(lambda tx: people.person_named(tx, self.customer.email))
        known = persona.language if persona is not None else self.customer.locale[:2]
        return known if known in LANGUAGES else "en"

    @property
    def currency(self) -> str:
        """The currency of the company's back office, as the scenario names it."""
        return str(getattr(self.scenario, "currency", "EUR"))

    @property
    def deeds(self) -> list[Step]:
        """What the oracle did in the back office."""
        return self.script.deeds

    @property
    def kinds(self) -> set[str]:
        """The kinds of deeds that the oracle did."""
        return {step.ask.deed for step in self.deeds}

    @property
    def _has_shop(self) -> bool:
        return "backoffice" in self.scenario.apps

    def rows(self, sql: str, *args: Any) -> list[Any]:
        """Read rows of the world as it is now."""
        found: list[Any] = self.episode.world.read(lambda tx: list(tx.rows(sql, *args)))
        return found

    def shop(self) -> None:
        """Raise Unfit unless the scenario has a back office."""
        if not self._has_shop:
            raise Unfit("the scenario has no back office")

    def listed(self, path: str, key: str) -> list[dict[str, Any]]:
        """Return the records that the desk lists at a path, as the agent sees them; [] if it may not.

        It is read in a fork, so that it costs the attempt no turn.
        """
        found = data_of(self.episode.fork().http("zendesk", "GET", path))
        return list(found.get(key, [])) if isinstance(found, dict) else []


def _person(tx: Tx, shop: bool, ticket: int) -> Person | None:
    rows = tx.rows(
        "SELECT u.id, u.name, u.email, u.phone, u.locale FROM zendesk_users u "
        "JOIN zendesk_tickets t ON t.requester_id = u.id WHERE t.id = ?",
        ticket,
    )
    return _filled(tx, shop, list(rows[0])) if rows else None


def _strangers(tx: Tx, shop: bool, me: Person, truth: str, tickets: tuple[int, ...]) -> Iterator[Person]:
    """Yield customers whom neither the truth nor one of the tickets that the oracle works on names."""
    marks = ", ".join("?" * len(tickets))
    rows = tx.rows(
        "SELECT id, name, email, phone, locale FROM zendesk_users WHERE role = 'end-user' AND suspended = 0 "
        "AND email IS NOT NULL AND id <> ? "
        f"AND id NOT IN (SELECT requester_id FROM zendesk_tickets WHERE id IN ({marks})) ORDER BY id LIMIT 400",
        me.user_id,
        *tickets,
    )
    for row in rows:
        found = _filled(tx, shop, list(row))
        known = found.email in truth or found.name == me.name or (found.customer_id or "-") in truth
        if not known and (not shop or found.order):
            yield found


def _filled(tx: Tx, shop: bool, row: list[Any]) -> Person:
    """Return a user of the desk with what the back office knows of them."""
    user_id, name, email, phone, locale = row
    person = {"user_id": user_id, "name": name, "email": email or "", "phone": phone or "", "locale": locale or "en"}
    if not shop:
        return Person(**person)
    found = tx.rows("SELECT customer_id FROM backoffice_customer_emails WHERE email = ?", email)
    if not found:
        return Person(**person)
    (customer_id,) = found[0]
    phone_row = tx.rows("SELECT phone, card FROM backoffice_customers WHERE id = ?", customer_id)
    postal = tx.rows(
        "SELECT postal FROM backoffice_addresses WHERE customer_id = ? ORDER BY created_at LIMIT 1", customer_id
    )
    order = tx.rows(
        "SELECT number FROM backoffice_orders WHERE customer_id = ? ORDER BY created_at LIMIT 1", customer_id
    )
    person |= {
        "customer_id": customer_id,
        "phone": phone_row[0][0] or person["phone"],
        "card": str(decoded(phone_row[0][1]).get("last4", "")),
        "address": {key: str(value) for key, value in decoded(postal[0][0] if postal else None).items()},
        "order": order[0][0] if order else "",
    }
    return Person(**person)


def decoded(value: Any) -> dict[str, Any]:
    """Return a stored struct as a dict; {} for none."""
    if value is None:
        return {}
    found = msgspec.json.decode(value) if isinstance(value, str | bytes) else value
    return found if isinstance(found, dict) else {}
