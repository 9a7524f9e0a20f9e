"""Checks of a desk: the article's rule for the field Record, applied to the staged rows, and who may write."""

from collections.abc import Callable, Iterator
from copy import copy
from itertools import combinations
from typing import Any

from diorama.apps.backoffice.schema import (
    Charge,
    Order,
    OrderLine,
    Refund,
    Return,
    Shipment,
    Subscription,
    Unit,
)
from diorama.apps.zendesk.schema import Comment, Ticket
from diorama.check.declaring import Warned, check
from diorama.check.scenarios import played_variants
from diorama.check.shapes import Shape, look_alike, rows_alike, shape_of
from diorama.episodes.episode import start
from diorama.kernel import Tx
from diorama.scenarios import Scenario
from diorama.scenarios.anatomy import Stage
from diorama.scenarios.cast import slots_of, type_named
from diorama.scenarios.covering import one_of_each_plan, variants_of_plan
from diorama.scenarios.desk import DeskScenario, DeskTruth
from diorama.scenarios.plan import Plan
from diorama.scenarios.plan_twins import answers_differ, shows_the_same
from diorama.worlds import open_world
from diorama.worlds.closing import NO_REASON
from diorama.worlds.matter import ALIKE, Matter, read_matter
from diorama.worlds.plausible import ROWS, Written, implausible, read_written

FIRST, COMPARED = 3, 12
"""How many variants of a plan are staged to compare their rows with those of another plan: more if some look alike."""
SAMPLED = 6
"""How many variants of a plan are staged to see what its records look like."""
UNPROVEN = "unproven"
"""The fact of a sender who does not prove that an account is theirs."""
PEOPLE_AT_LEAST = 10
"""With fewer people in a split, most of its variants are about the same ones."""


@check("scenario")
def each_split_has_enough_people(scenario: Scenario[Any]) -> Iterator[str]:
    """Every plan of a desk has customers who may write, in each split; fewer than 10 are a warning."""
    if not isinstance(scenario, DeskScenario):
        return
    for split in scenario.splits:
        sizes = _pools(scenario, split)
        if not sizes:
            continue
        name = min(sizes, key=lambda plan: sizes[plan])
        told = f"{split}: {sizes[name]} customers may write in the plan {name}; widen customers_where"
        if not sizes[name]:
            yield told
        elif sizes[name] < PEOPLE_AT_LEAST:
            yield Warned(f"warning: {told} (at least {PEOPLE_AT_LEAST})")


def _pools(scenario: DeskScenario, split: str) -> dict[str, int]:
    """Return how many customers may write in each plan of a split."""
    world = open_world(scenario.world, scenario.size, f"{scenario.name}/pools/{split}")
    stage = Stage(world, scenario.name, 0, split)
    plans = [one for one in scenario.plans if one.split == (split if split == "eval-new" else "")]
    return {one.name: len(scenario.candidates(stage, one)) for one in plans}


@check("scenario")
def the_record_follows_from_the_article(scenario: Scenario[Any]) -> Iterator[str]:
    """The field Record holds what the article about the closing form says, read from the staged rows."""
    if not isinstance(scenario, DeskScenario) or not scenario.has_shop:
        return
    told: dict[str, str] = {}
    for split, seed in played_variants(scenario):
        episode = start(scenario, seed, split=split)
        for truth in (episode.truth, *getattr(episode.truth, "also", ())):
            problem = episode.world.read(lambda tx, truth=truth: _problem(tx, scenario, truth))
            if problem:
                told.setdefault(truth.plan, f"{split} {seed} ({truth.plan}): {problem}")
    yield from told.values()


@check("scenario")
def the_records_are_plausible(scenario: Scenario[Any]) -> Iterator[str]:
    """No row precedes its cause, and no letter states what the rows contradict (`worlds.plausible`)."""
    if not isinstance(scenario, DeskScenario) or not scenario.has_shop:
        return
    told: dict[str, str] = {}
    before = open_world(scenario.world, scenario.size, f"{scenario.name}/before").read(rows_before)
    for split, seed in played_variants(scenario):
        episode = start(scenario, seed, split=split)
        for truth in (episode.truth, *getattr(episode.truth, "also", ())):
            for problem in episode.world.read(lambda tx, truth=truth: [*implausible(written_of(tx, truth, before))]):
                told.setdefault(truth.plan, f"{split} {seed} ({truth.plan}): {problem}")
    yield from told.values()


def rows_before(tx: Tx) -> frozenset[str]:
    """Return the ids of the rows of the company's own history."""
    return frozenset(one.id for kind in ROWS for one in tx.all(kind))


def written_of(tx: Tx, truth: DeskTruth, before: frozenset[str]) -> Written:
    """Return what the customer of a staged variant wrote, with their rows."""
    ticket = tx.get(Ticket, truth.ticket_id)
    mine = [one.id for one in tx.all(Ticket, "requester_id = ?", ticket.requester_id) if one.id >= ticket.id]
    said = [one for number in mine for one in tx.all(Comment, "ticket_id = ?", number, order="id")]
    words = [one for one in said if one.author_id == ticket.requester_id]
    letter = "\n".join(one.body for one in words)
    return read_written(tx, truth.customer_id, letter, ticket.created_at, truth.order_number, before, truth.plan)


@check("scenario")
def the_reason_follows_from_the_records(scenario: Scenario[Any]) -> Iterator[str]:
    """The facts of a plan, which decide the contact reason, agree with the staged rows as far as rows can say it."""
    if not isinstance(scenario, DeskScenario) or not scenario.has_shop:
        return
    wrong = set()
    for split, seed in one_of_each_plan(scenario, range(0)):
        plan, matter = _staged(scenario, split, seed)
        over = len(getattr(plan, "mails", ())) > 1 and scenario.form.deciding_fact(plan.facts) == NO_REASON
        problem = scenario.form.contradiction(plan.facts, matter)
        if problem and not over:  # a later mail can say that the matter is over
            wrong.add(plan.name)
            yield f"{split} {seed} ({plan.name}, facts {', '.join(plan.facts)}): {problem}"
    for one, other in combinations(scenario.plans, 2):
        reasons = [scenario.form.reason_of(plan.facts) for plan in (one, other)]
        proof = UNPROVEN in {*one.facts, *other.facts}  # whether a sender proves it is in their words
        if reasons[0] == reasons[1] or proof or wrong & {one.name, other.name} or not shows_the_same(one, other):
            continue
        if _shown(scenario, one) & _shown(scenario, other):
            yield (
                f"the plans {one.name} and {other.name} have the same letter, and the records of both show the same "
                f"facts of the table, but their contact reasons are {reasons[0]} and {reasons[1]}"
            )


@check("scenario")
def records_tell_plans_apart(scenario: Scenario[Any]) -> Iterator[str]:
    """Plans with the same letter and another answer have records that look different.

    Letters that state more than records of the shop, such as a new address or a fault, are not compared.
    """
    if not isinstance(scenario, DeskScenario) or not scenario.has_shop:
        return
    quiet = copy(scenario)
    quiet.everyday = ()  # type: ignore[misc] # of this copy only: orders beside the matter would hide what is alike
    shapes: dict[str, list[Shape]] = {}
    for one, other in combinations(scenario.plans, 2):
        if not answers_differ(one, other, scenario.form) or not shows_the_same(one, other) or _states_more(one):
            continue
        few = [_shapes(quiet, plan, FIRST, shapes) for plan in (one, other)]
        if rows_alike(*few) and look_alike(*(_shapes(quiet, plan, COMPARED, shapes) for plan in (one, other))):
            yield (
                f"the plans {one.name} and {other.name} have the same letter, and their records look alike, but their "
                f"answers differ in: {answers_differ(one, other, scenario.form)}. Let the letter or a record say which"
            )


def _shapes(scenario: DeskScenario, plan: Plan, count: int, known: dict[str, list[Shape]]) -> list[Shape]:
    """Return what the records of the first variants of a plan look like; those in `known` are not staged again."""
    found = known.setdefault(plan.name, [])
    if len(found) < count:
        variants = variants_of_plan(scenario, plan.name, plan.split or "train", count)
        found += [shape_of(start(scenario, seed, split=split)) for split, seed in variants[len(found) :]]
    return found


def _states_more(plan: Plan) -> bool:
    """Check whether a letter names something else than records of the shop."""
    named = {row for text in (*plan.letter, *plan.retort) for row, _ in slots_of(str(text))}
    return any(type_named(row) is None for row in named - {"which"})


def _staged(scenario: DeskScenario, split: str, seed: int) -> tuple[Plan, Matter]:
    """Return the plan of a variant, and the rows of its matter."""
    episode = start(scenario, seed, split=split)
    plan = next(one for one in scenario.plans if one.name == episode.truth.plan)
    return plan, episode.world.read(lambda tx: _rows(tx, scenario, episode.truth))


def _shown(scenario: DeskScenario, plan: Plan) -> set[tuple[str, ...]]:
    """Return what the rows of a few variants of a plan show of the table's facts."""
    variants = variants_of_plan(scenario, plan.name, plan.split or "train", SAMPLED)
    return {scenario.form.shown(_staged(scenario, *one)[1]) for one in variants}


def _rows(tx: Tx, scenario: DeskScenario, truth: DeskTruth) -> Matter:
    found = _Matter(tx, scenario, truth)
    owed: dict[str, set[str]] = {}
    for due in truth.owed:
        owed.setdefault(due.kind, set()).update(due.subjects)
    return read_matter(tx, truth.customer_id, truth.requester, found.orders | found.about, owed)


def _problem(tx: Tx, scenario: DeskScenario, truth: DeskTruth) -> str:
    """Return what is wrong with the right values of the field Record; "" if nothing is."""
    right = truth.closing.get("record")
    if right is None:
        return ""
    if not right and not truth.made:
        return "the field Record is needed, and no value of it is right; say it in closing={'record': ...}"
    sources = scenario.form.sources(truth.reason)
    matter = _Matter(tx, scenario, truth)
    for value in right:
        found = {source: _READ[source](matter, value) for source in sources}
        if not any(why == "" for why in found.values()):
            why = next((why for why in found.values() if why), f"is no {' or '.join(sources)} of the customer")
            return f"the field Record ({truth.reason}) expects {value}, which {why}"
    return ""


class _Matter:
    """What the rows say about a matter: the orders that something owed acts on, else the one that it is about."""

    def __init__(self, tx: Tx, scenario: DeskScenario, truth: DeskTruth) -> None:
        self.tx = tx
        self.truth = truth
        self.customer = truth.customer_id
        self.about = {one.id for one in tx.all(Order, "number = ?", truth.order_number)}
        self.subjects = {one for due in truth.owed for one in due.subjects}
        self.acted_on = set()
        for kind in (Charge, Shipment, Unit, Return):
            for one in self.subjects:
                row: Any = tx.find(kind, one)
                self.acted_on |= {row.order_id} if row is not None and row.order_id else set()
        self.acted_on |= {one for one in self.subjects if tx.find(Order, one) is not None}
        self.orders = self.acted_on or self.about
        rules = scenario.form.reason_rules
        self.is_dispute = any(rule.fact == "dispute" and rule.reason == truth.reason for rule in rules)

    def goods(self, order_id: str) -> list[tuple[str, int]]:
        """Return what an order holds."""
        return sorted((one.sku, one.quantity) for one in self.tx.all(OrderLine, "order_id = ?", order_id))

    def charge(self, value: str) -> str | None:
        """Check that it is the disputed charge, or the latest of those that look alike."""
        mine = self.tx.find(Charge, value)
        if mine is None or mine.customer_id != self.customer:
            return None
        every = self.tx.all(Charge, "customer_id = ?", self.customer)
        if self.is_dispute:
            return "" if mine.disputed_at is not None else "is not the charge that the bank disputes"
        alike = [
            one
            for one in every
            if one.order_id == mine.order_id
            or (abs(one.created_at - mine.created_at) < ALIKE and self.goods(one.order_id) == self.goods(mine.order_id))
        ]
        if not self.orders & {one.order_id for one in alike}:
            return "is the charge of another order"
        later = max(alike, key=lambda one: one.created_at)
        return "" if later.id == mine.id else f"is not the later one: that is {later.id}"

    def refund(self, value: str) -> str | None:
        """Check that it is a refund for one of the orders."""
        mine = self.tx.find(Refund, value)
        if mine is None or mine.customer_id != self.customer:
            return None
        return "" if mine.order_id in self.about | self.acted_on else "is the refund of another order"

    def tracking(self, value: str) -> str | None:
        """Check that it is a parcel of one of the orders, and not one that arrived while another one did not."""
        mine = self.tx.first(Shipment, "tracking_number = ? AND customer_id = ?", value, self.customer)
        if mine is None:
            return None
        return "" if mine.order_id in self.orders or mine.id in self.subjects else "is the parcel of another order"

    def order(self, value: str) -> str | None:
        """Check that it is one of the orders, or that a true reply states it."""
        mine = self.tx.first(Order, "number = ? AND customer_id = ?", value, self.customer)
        if mine is None:
            return None
        fits = mine.id in self.orders | self.about or value in self.truth.reply
        return "" if fits else "is an order that the matter is not about"

    def subscription(self, value: str) -> str | None:
        """Check that it is the one that something owed acts on, or that of the order."""
        mine = self.tx.find(Subscription, value)
        if mine is None or mine.customer_id != self.customer:
            return None
        acted_on = {one for one in self.subjects if self.tx.find(Subscription, one) is not None}
        if acted_on:
            return "" if mine.id in acted_on else "is not the subscription that something owed acts on"
        named = {self.tx.get(Order, one).subscription_id for one in self.orders} - {""}
        return "" if not named or mine.id in named else "is not the subscription of the order"

    def serial(self, value: str) -> str | None:
        """Check that it is the unit that something owed acts on, or the one that replaced it."""
        mine = self.tx.find(Unit, value)
        if mine is None:  # it may be another person's, who gave it away
            return None
        acted_on = {one for one in self.subjects if self.tx.find(Unit, one) is not None}
        fits = not acted_on or {mine.id, mine.replaces, mine.replaced_by} & acted_on
        return "" if fits else "is not the unit that something owed acts on"

    def return_(self, value: str) -> str | None:
        """Check that it is a return of one of the orders."""
        mine = self.tx.first(Return, "number = ? AND customer_id = ?", value, self.customer)
        if mine is None:
            return None
        return "" if mine.order_id in self.about | self.acted_on else "is the return of another order"

    def customer_id(self, value: str) -> str | None:
        """Check that it is the customer."""
        return "" if value == self.customer else None


_READ: dict[str, Callable[[_Matter, str], str | None]] = {
    "order": _Matter.order,
    "charge": _Matter.charge,
    "refund": _Matter.refund,
    "tracking": _Matter.tracking,
    "subscription": _Matter.subscription,
    "serial": _Matter.serial,
    "return": _Matter.return_,
    "customer": _Matter.customer_id,
}
"""How a value of each kind is compared with the rows: "" if it fits, None if it is another kind, else what is wrong."""
