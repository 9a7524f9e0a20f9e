"""Pasts: steps that put a customer's history into the back office and name its rows.

A plan lists steps. Each one adds rows, as the shop itself would have written them on a past day, and puts them into
the cast under a name: after `order(...)` the cast has `order`, `charge`, `line` and, if a parcel left, `parcel`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import cache, wraps
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from diorama.apps.backoffice import seed
from diorama.apps.backoffice.rules.customers import add_email
from diorama.apps.backoffice.rules.subscriptions import plan as plan_of
from diorama.apps.backoffice.schema import (
    Charge,
    Customer,
    DisputeReason,
    Note,
    Order,
    OrderLine,
    Plan,
    Refund,
    RefundReason,
    Return,
    ReturnReason,
    Shipment,
    Subscription,
    SubscriptionStatus,
)
from diorama.apps.backoffice.seed import History
from diorama.apps.backoffice.seed.orders import Outcome
from diorama.kernel import Dice, Tx
from diorama.people.writing import written_day
from diorama.scenarios.cast import slots_of, spoken, value_of
from diorama.scenarios.desk_customers import NO_LIVE_PLAN
from diorama.scenarios.past_moments import Days, Moments
from diorama.scenarios.shop_part import home_of

P = ParamSpec("P")
F = TypeVar("F", bound=Callable[..., None])
GONE = ("lost", "returned")
"""The states of a parcel that will not come."""
ALWAYS = ("customer", "home", "lead")
"""The names that every cast has."""
ORDER_ROWS = ("order", "charge", "line", "parcel")
"""The names of an order's rows."""


class Scene(Moments):
    """Where a past happens: a customer, dice, the colleagues who write notes, and the cast so far."""

    def __init__(
        self, tx: Tx, customer: Customer, dice: Dice, colleagues: Sequence[str], languages: Sequence[str] = ("en",)
    ) -> None:
        super().__init__(tx, dice, colleagues)
        self.languages = languages
        self.customer = customer
        self.cast |= {"customer": customer, "home": home_of(tx, customer)}
        self.histories: dict[str, History] = {}
        self.not_everyday: set[str] = set()
        """Goods that no everyday order holds."""

    @property
    def language(self) -> str:
        """The language in which the customer writes: their own if the scenario has texts in it, else its first one."""
        own = self.customer.locale[:2]
        return own if own in self.languages else self.languages[0]

    def say_day(self, day: date) -> str:
        """Return a day as the customer writes it, always in the same form."""
        far = abs((self.tx.now.date() - day).days) > 150
        return written_day(self.dice.child("how days are written"), day, self.language, far)

    def keep(self, past: History, name: str = "") -> None:
        """Put the rows of an order into the cast; `name` comes before each of their names."""
        lead = f"{name}_" if name else ""
        self.histories[f"{lead}order"] = past
        line = self.roll("line").pick(past.lines)
        self.cast |= {f"{lead}order": past.order, f"{lead}charge": past.charge, f"{lead}line": line}
        if past.shipment is not None:
            self.cast[f"{lead}parcel"] = past.shipment

    def unbought(self, goods: Sequence[str], pieces: int = 1) -> list[str]:
        """Return the goods that the customer has never ordered; all of them if there are fewer than `pieces`.

        Then what a letter names is in one order only.
        """
        theirs = "order_id IN (SELECT id FROM backoffice_orders WHERE customer_id = ?)"
        bought = {line.sku for line in self.tx.all(OrderLine, theirs, self.customer.id)}
        free = [sku for sku in goods if sku not in bought]
        return free if len(free) >= pieces else list(goods)

    def everyday_orders(self, goods: Sequence[str]) -> None:
        """Add up to two orders that have nothing to do with the matter, so that it is not always the newest one.

        Without goods there are none.
        """
        taken = {line.sku for past in self.histories.values() for line in past.lines}
        free = [sku for sku in goods if sku not in taken | self.not_everyday]
        for _ in range(self.roll("everyday").weighted({0: 0.25, 1: 0.4, 2: 0.35}) if free else 0):
            dice = self.roll("everyday order")
            chosen = [(sku, 1) for sku in dice.sample(free, min(len(free), dice.integer(1, 3)))]
            seed.add_order_history(self.tx, self.customer, chosen, self.ago((3, 20)), outcome="delivered")

    def known_since(self, moment: datetime) -> None:
        """Let the customer's account be older than this moment."""
        now = self.tx.get(Customer, self.customer.id)
        if now.created_at >= moment:
            self.tx.change(now, created_at=self.near(moment, after=False))

    def known_before_all(self) -> None:
        """Let the customer's account be older than all of its rows."""
        kinds = (Order, Charge, Refund, Return, Note, Subscription)
        rows: list[Any] = [one for kind in kinds for one in self.tx.all(kind, "customer_id = ?", self.customer.id)]
        if rows:
            self.known_since(min(one.created_at for one in rows))


class Step(msgspec.Struct, frozen=True):
    """One step of a past: what happens, and with which values."""

    what: Callable[..., None]
    args: tuple[Any, ...]
    named: dict[str, Any]

    def happen(self, scene: Scene) -> None:
        """Let it happen."""
        self.what(scene, *self.args, **self.named)

    @property
    def name(self) -> str:
        """The name of the step, as a plan writes it."""
        return self.what.__name__

    def arguments(self) -> dict[str, Any]:
        """Return the values of its arguments by name, defaults included."""
        bound = _signature(self.what).bind(None, *self.args, **self.named)
        bound.apply_defaults()
        return dict(list(bound.arguments.items())[1:])

    def adds(self) -> set[str] | None:
        """Return the names that it can put into the cast; None if it does not declare them (see `names`)."""
        declared = getattr(self.what, _NAMES, None)
        if declared is None:
            return None
        given = self.arguments()
        leads = {key: f"{value}_" if value else "" for key, value in given.items() if isinstance(value, str)}
        found = {given[one[1:]] if one.startswith("=") else one.format(**leads) for one in declared if one[0] != "*"}
        for one in declared:
            if one.startswith("**"):
                found |= set(given.get(one[2:], ()))
            elif one.startswith("*"):
                pasts = given[one[1:]]
                nested = [[pasts]] if isinstance(pasts, Step) else pasts
                inner = [each for past in nested for each in past if isinstance(each, Step)]
                found |= {f"{leads.get('name', '')}{name}" for each in inner for name in each.adds() or ()}
        return found

    def mistakes(self) -> Iterator[str]:
        """Yield each argument that is missing, unknown, or not of the kind that its annotation says."""
        try:
            given = self.arguments()
        except TypeError as error:
            yield f"the step {self.name}: {error}; it is {self.name}{_declared(self.what)}"
            return
        choices, hints = _choices(self.what), _hints(self.what)
        every = _signature(self.what).parameters.values()
        several = {one.name: one.kind is one.VAR_KEYWORD for one in every if one.kind.name.startswith("VAR_")}
        for key, value in given.items():
            if key in choices and value not in choices[key]:
                known = ", ".join(map(repr, choices[key]))
                yield f"the step {self.name} has no {key} {value!r}; there are {known}"
            elif key in hints:
                each = (value.values() if several[key] else value) if key in several else (value,)
                told = (_misfit(one, hints[key]) for one in each)
                yield from (f"the step {self.name} has {key}={value!r}; it takes {one}" for one in told if one)
        for one in (one for value in given.values() if isinstance(value, tuple) for one in value):
            for each in one if isinstance(one, list | tuple) else ():
                yield from each.mistakes() if isinstance(each, Step) else ()

    def __str__(self) -> str:
        """The step as a plan writes it."""
        said = [repr(one) for one in self.args] + [f"{key}={value!r}" for key, value in self.named.items()]
        return f"{self.name}({', '.join(one if len(one) < 60 else '...' for one in said)})"

    @property
    def customers(self) -> tuple[str, ...]:
        """The conditions on customers to whom it can happen without making a letter ambiguous."""
        own = getattr(self.what, _ONLY_FOR, "")
        if callable(own):
            bound = _signature(self.what).bind(None, *self.args, **self.named)
            bound.apply_defaults()
            own = own(bound.arguments)
        inner = [one for arg in self.args if isinstance(arg, list | tuple) for one in arg if isinstance(one, Step)]
        return tuple(one for one in (own, *(where for one in inner for where in one.customers)) if one)


_ONLY_FOR, _NAMES = "__only_for__", "__names__"


_signature = cache(inspect.signature)


@cache
def _hints(function: Callable[..., None]) -> dict[str, Any]:
    """Return the annotations of a step's arguments."""
    return get_type_hints(function)


def _declared(function: Callable[..., None]) -> str:
    """Return the arguments of a step as its signature writes them, without the scene."""
    whole = _signature(function)
    return str(whole.replace(parameters=list(whole.parameters.values())[1:], return_annotation=inspect.Signature.empty))


def _misfit(value: Any, hint: Any) -> str:
    """Return what an argument takes if this is something else; "" if it fits, or if that cannot be told."""
    if Days in (hint, *get_args(hint)):
        if value is None and type(None) in get_args(hint):
            return ""
        fits = isinstance(value, tuple | list) and len(value) == 2 and all(type(one) is int for one in value)
        return "" if fits and value[0] <= value[1] else "a pair of whole numbers, the fewest and the most"
    if hint is str:
        return "" if isinstance(value, str) else "a text"
    if get_origin(hint) is Sequence and get_args(hint) == (str,) and isinstance(value, str):
        return "a sequence of texts"
    return ""


@cache
def _choices(function: Callable[..., None]) -> dict[str, tuple[Any, ...]]:
    """Return the values that a step's arguments may have, of those whose annotation lists them."""
    hints = _hints(function)
    return {key: get_args(hint) for key, hint in hints.items() if get_origin(hint) is Literal}


def names(*declared: str) -> Callable[[F], F]:
    """Say which names a step puts into the cast, so that plans are checked when they are loaded; below `@step`.

    `order` is a name. In `{name}order` an argument comes before it, as in `other_order`. `=name` is an argument
    itself, `**cents` are the names of further arguments, and `*pasts` stands for the names of the steps in there.
    """

    def declare(function: F) -> F:
        setattr(function, _NAMES, declared)
        return function

    return declare


def only_for(condition: str | Callable[[Mapping[str, Any]], str]) -> Callable[[F], F]:
    """Say to which customers a step may happen, as a condition of `desk_customers`; stands below `@step`.

    If that depends on the step's arguments, give a function that makes the condition from them.
    """

    def declare(function: F) -> F:
        setattr(function, _ONLY_FOR, condition)
        return function

    return declare


def step(function: Callable[Concatenate[Scene, P], None]) -> Callable[P, Step]:
    """Turn a function over a scene into a step that a plan can list."""

    @wraps(function)
    def made(*args: P.args, **named: P.kwargs) -> Step:
        return Step(function, args, named)

    return made


@step
@names("*past")
def perhaps(scene: Scene, past: Step) -> None:
    """Let something have happened in half of the variants."""
    if scene.roll("perhaps").chance(0.5):
        past.happen(scene)


# --- orders


@step
@names("{name}order", "{name}charge", "{name}line", "{name}parcel")
def order(
    scene: Scene,
    goods: Sequence[str],
    days_ago: Days = (6, 15),
    outcome: Outcome = "delivered",
    *,
    pieces: Days = (1, 2),
    name: str = "",
    live: bool = True,
    for_whom: Sequence[str] = (),
) -> None:
    """Add an order of some of these goods: `order`, `charge`, `line` (one of its lines), `parcel`.

    `pieces` is the fewest and the most different goods in it, one piece of each. `name` comes before the names of the
    rows, as in `other_order`. `for_whom`: given names; one of them is the recipient's.
    """
    dice = scene.roll("order")
    chosen = [(sku, 1) for sku in dice.sample(scene.unbought(goods, pieces[1]), dice.integer(*pieces))]
    placed = scene.ago(days_ago)
    scene.known_since(placed)
    address = None
    if for_whom:
        home = scene.cast["home"]
        given = dice.pick(for_whom)
        address = msgspec.structs.replace(home, name=f"{given} {scene.customer.name.split()[-1]}")
    past = seed.add_order_history(scene.tx, scene.customer, chosen, placed, outcome=outcome, address=address, live=live)
    scene.keep(past, name)


@step
@names("=name")
def charged_again(scene: Scene, of: str = "order", *, name: str = "second") -> None:
    """Charge an order a second time, minutes after the first: `second`, or another name for a second such charge."""
    scene.cast[name] = seed.add_second_charge(scene.tx, scene.histories[of])


@step
@names("{name}order", "{name}charge", "{name}line", "{name}parcel")
def ordered_again(scene: Scene, of: str = "order", name: str = "second", hours: Days = (3, 40)) -> None:
    """Let the customer have ordered the same goods again, some hours later: `second_order`, `second_charge` ..."""
    first = scene.histories[of]
    goods = [(line.sku, line.quantity) for line in first.lines]
    later = timedelta(seconds=scene.roll("again").integer(hours[0] * 3600, hours[1] * 3600))
    at = first.order.created_at + later
    scene.keep(seed.add_order_history(scene.tx, scene.customer, goods, at, outcome="delivered"), name)


@step
@names("=name", "difference")
def repriced(scene: Scene, of: str = "order", *, off: Days, text: str, name: str = "agreed") -> None:
    """Let a colleague have agreed on a lower price in a note, soon after the order: `agreed` (cents) and `difference`.

    `off` is the fewest and the most steps of 50 cents below the order's total: `off=(8, 15)` is 4.00 to 7.50 EUR. The
    text has to name `{agreed}` or `{difference}`, or no one can know the price.
    """
    if not {name, "difference"} & {row for row, _ in slots_of(text)}:
        raise ValueError(f"the text names neither {{{name}}} nor {{difference}}, so that no one can know the price")
    dice, order = scene.roll("price"), scene.cast[of]
    off_cents = dice.integer(*off) * 50
    scene.cast |= {name: order.total_cents - off_cents, "difference": off_cents}
    _write(scene, text, scene.at_work(order.created_at, since=order.created_at), order.id)


# --- money


@step
@names("=name")
def refunded(
    scene: Scene,
    of: str = "charge",
    days_ago: Days = (1, 4),
    *,
    cents: str = "",
    reason: RefundReason = "not_received",
    note: str = "",
    failed: str = "",
    name: str = "refund",
) -> None:
    """Let a colleague have refunded a charge: all that is left, or the amount of the cast's row `cents`.

    `failed` is the bank's code, such as `card_closed`: then the money came back, and every further try fails, too.
    """
    charge = scene.tx.get(Charge, scene.cast[of].id)
    if failed:
        charge = scene.tx.change(charge, refund_fails=failed)
    amount = int(value_of(scene.cast[cents], "amount")) if cents else None
    at = scene.at_work(scene.ago(days_ago), since=_due_since(scene, charge, reason))
    by = scene.colleague(at)
    made = seed.add_refund_history(scene.tx, charge, at, by, cents=amount, reason=reason, note=note, failed=failed)
    scene.cast |= {name: made, of: scene.tx.get(Charge, charge.id)}


SEEN: tuple[RefundReason, ...] = ("wrong_item", "defective", "returned")
"""The reasons of refunds for goods that have arrived."""


def _due_since(scene: Scene, charge: Charge, reason: RefundReason) -> datetime:
    """Return since when a refund for this reason may have been made: since the charge, the parcel or the return."""
    if reason == "not_received":
        gone = scene.tx.all(Shipment, "order_id = ? AND status IN ('lost', 'returned')", charge.order_id)
        return max([charge.created_at, *(one.updated_at for one in gone)])
    if reason not in SEEN:
        return charge.created_at
    parcels = scene.tx.all(Shipment, "order_id = ? AND status = 'delivered'", charge.order_id)
    since = [charge.created_at, *(one.closed_at for one in parcels[:1] if one.closed_at is not None)]
    if reason == "returned":
        back = scene.tx.all(Return, "order_id = ?", charge.order_id)
        since += [one.received_at for one in back if one.received_at is not None]
    return max(since)


@step
@names()
def disputed(
    scene: Scene, of: str = "charge", days_ago: Days = (2, 6), *, reason: DisputeReason = "product_not_received"
) -> None:
    """Let the bank have opened a dispute about a charge: `day("charge", "dispute_day")`, or `{charge.dispute_day}`."""
    at = max(scene.ago(days_ago), scene.near(scene.cast[of].created_at))
    scene.cast[of] = seed.add_dispute_history(scene.tx, scene.cast[of], reason, at)


# --- goods


@step
@names("=name")
def returned(
    scene: Scene,
    of: str = "order",
    days_ago: Days = (9, 12),
    *,
    reason: ReturnReason = "changed_mind",
    name: str = "return",
) -> None:
    """Let the line in the cast have been sent back; it is received a week after the return was opened."""
    past = scene.histories[of]
    line = scene.cast["line" if of == "order" else f"{of.removesuffix('order')}line"]
    place = next(index for index, one in enumerate(past.lines) if one.id == line.id)
    unpacked = unpacked_at(scene, past)
    opened = scene.at_work(scene.ago(days_ago), since=unpacked)
    scene.cast[name] = seed.add_return_history(
        scene.tx, past, opened, scene.colleague(opened), reason, place, not_before=unpacked
    )


def arrival_of(past: History) -> datetime:
    """Return when the parcel of an order arrived; when it was ordered if it did not."""
    arrived = past.shipment.closed_at if past.shipment is not None else None
    return arrived or past.order.created_at


def unpacked_at(scene: Scene, past: History) -> datetime:
    """Draw when the customer has seen the goods of an order: before that no return is opened."""
    came = arrival_of(past)
    seconds = scene.roll("unpacked").integer(2_400, 6_000)
    return came + timedelta(seconds=seconds)


# --- subscriptions


@step
@only_for(NO_LIVE_PLAN)
@names("subscription", "too_much", "price", "{name}order", "{name}charge", "{name}line", "{name}parcel")
def subscription(
    scene: Scene,
    offers: Sequence[str],
    bags: Days = (3, 5),
    last_days_ago: Days = (5, 12),
    *,
    status: SubscriptionStatus = "active",
    ended: str = "",
    dearer: Days | None = None,
    name: str = "",
) -> None:
    """Add a subscription and its renewals: `subscription`, and of the last renewal `order`, `charge`, `line`.

    `name` comes before the names of the renewal's rows.
    `ended` is `before` or `after` the last renewal, for a subscription that is cancelled. `dearer`: the last renewal
    cost more than the plan by a multiple of 50 cents: `too_much` (cents) and `price`.
    """
    dice, tx = scene.roll("subscription"), scene.tx
    chosen = plan_of(tx, dice.pick([code for code in offers if plan_of(tx, code).interval_weeks <= 4]))
    week = timedelta(weeks=chosen.interval_weeks)
    last = max(scene.ago(last_days_ago), tx.now - week + timedelta(days=1))
    count = dice.integer(*bags)
    scene.known_since(last - (count - 1) * week)
    made, past = seed.add_subscription_history(
        tx, scene.customer, chosen.code, last - (count - 1) * week, status=status, renewals=dearer is None
    )
    if status == "cancelled":
        moment = scene.near(last + timedelta(days=1)) if ended == "after" else last - timedelta(days=dice.integer(2, 5))
        over = scene.near(moment, after=False)
        made = tx.change(made, cancelled_at=over, updated_at=over, cancel_reason="too_much")
    if dearer is None:
        scene.keep(past[-1], name)
    else:
        for index in range(count - 1):
            seed.add_renewal_history(tx, scene.customer, made, last - (count - 1 - index) * week)
        scene.keep(_dear_renewal(scene, made, chosen, last, dice.integer(*dearer) * 50), name)
    scene.cast["subscription"] = made


def _dear_renewal(scene: Scene, made: Subscription, chosen: Plan, at: datetime, more: int) -> History:
    scene.cast |= {"too_much": more, "price": chosen.price_cents}
    return seed.add_order_history(
        scene.tx,
        scene.customer,
        [(chosen.sku, chosen.quantity)],
        at,
        channel="subscription",
        subscription_id=made.id,
        price_cents=chosen.price_cents + more,
    )


# --- what was written


@step
@names()
def note(
    scene: Scene,
    *texts: str,
    days_ago: Days = (3, 6),
    about: str = "order",
    arrived: bool = False,
    left: bool = False,
) -> None:
    """Let a colleague have left one of these notes about the customer; `{order}` and other slots name the cast.

    `arrived`: it was written after the parcel of the order arrived; `left`: after the parcel left. About an order whose
    parcel was lost or came back, it was written after that.
    """
    named = about or ("order" if any("{order" in one for one in texts) else "")
    record, past, since = scene.cast.get(about), scene.histories.get(named), None
    if past is not None:
        parcel = past.shipment
        gone = parcel.updated_at if parcel is not None and parcel.status in GONE else None
        out = parcel.handed_over_at if parcel is not None and left else None
        since = arrival_of(past) if arrived else gone or out or past.order.created_at
    when = scene.at_work(scene.ago(days_ago), since=since)
    _write(scene, scene.roll("note").pick(texts), when, record.id if isinstance(record, Order) else "")


@step
@names("mailbox")
def second_mailbox(scene: Scene, *providers: str) -> None:
    """Let the account have a second e-mail address: `mailbox`."""
    scene.cast["mailbox"] = other_mailbox(scene, providers)
    add_email(scene.tx, scene.customer.id, scene.cast["mailbox"])


def other_mailbox(scene: Scene, providers: Sequence[str] = ()) -> str:
    """Draw an e-mail address that looks like the customer's and is not in the account."""
    dice = scene.roll("mailbox")
    local = scene.customer.email.split("@")[0].replace(".", "").replace("-", "")[:12]
    return f"{local}{dice.integer(11, 98)}@{dice.pick(tuple(providers) or PROVIDERS)}"


PROVIDERS = ("proton.me", "icloud.com", "gmx.net", "fastmail.com", "posteo.de")


def _write(scene: Scene, text: str, at: datetime, order_id: str) -> None:
    body = spoken(text, scene.cast)
    seed.add_note_history(scene.tx, scene.customer.id, body, scene.colleague(at), at, order_id)
