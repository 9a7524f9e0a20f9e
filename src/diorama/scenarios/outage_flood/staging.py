"""Stage an outage: the mails of affected customers, of unaffected ones, and of the engineers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec

from diorama import people
from diorama.apps.backoffice import seed
from diorama.apps.backoffice.schema import Charge, Customer
from diorama.apps.backoffice.seed import History
from diorama.apps.zendesk import rules as desk
from diorama.apps.zendesk.schema import Ticket, User
from diorama.kernel import Dice, Tx, to_us
from diorama.kit.deeds import Owed
from diorama.people import Need, Persona
from diorama.people.names import split_name
from diorama.scenarios import owed
from diorama.scenarios.anatomy import Stage
from diorama.scenarios.cast import said
from diorama.scenarios.desk_facts import plain_value
from diorama.scenarios.desk_mail import CALM_VOICES, NATIVE_VOICES, VOICES, Others, longest_line
from diorama.scenarios.larkspur import SMALL, Larkspur
from diorama.scenarios.outage_flood.plans import Plan
from diorama.scenarios.outage_flood.things import THINGS, Thing
from diorama.scenarios.refund_reasons import ALSO, stating
from diorama.scenarios.saying import Telling
from diorama.worlds import closing

STATUS = "status@larkspur.coffee"
ENGINEERS = {"sender_email": STATUS, "sender_name": "Larkspur Status"}
COLLEAGUES = ("devon@larkspur.coffee", "soraya@larkspur.coffee")
ALL_CLEAR = "ALL CLEAR"


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """A customer who is affected, their mail, and what came of their charges; late ones have no ticket yet."""

    customer: Customer
    ticket_id: int = 0
    opening: str
    owed: tuple[Owed, ...] = ()
    closing: dict[str, tuple[str, ...]] = {}
    """For each field of the form the values that are right; empty if it is not about charges."""
    tell: tuple[Telling, ...] = ()
    reply: str = ""
    """What only this customer is told."""


class Scene(msgspec.Struct, kw_only=True):
    """The morning as it was set up."""

    thing: Thing
    since: datetime
    code: str
    until: str = ""
    fixed_us: int = 0
    """When the engineers give the all-clear."""
    status_id: int = 0
    problem_id: int = 0
    second_id: int = 0
    older_id: int = 0
    hits: list[Hit] = []
    late: list[Hit] = []
    linked: list[int] = []
    strays: list[int] = []
    unrelated: list[int] = []

    @property
    def subject(self) -> str:
        """The subject of the engineers' thread."""
        return f"[status] {self.thing.title}: disturbance"

    @property
    def numbers(self) -> list[int]:
        """The tickets of affected customers."""
        return [one.ticket_id for one in self.hits]


def seconds(dice: Dice, fewest_minutes: int, most_minutes: int) -> timedelta:
    """Draw a time span, to the second."""
    return timedelta(seconds=dice.integer(60 * fewest_minutes, 60 * most_minutes))


def set_up(stage: Stage, plan: Plan, crowd: Sequence[Customer]) -> Scene:
    """Stage everything that is on the desk when Ana starts work, and schedule what comes later."""
    dice = stage.dice.child("flood")
    stage.wait(seconds(dice, 4, 200))
    thing = THINGS[dice.pick(plan.things)]
    scene = Scene(thing=thing, since=stage.now - seconds(dice, 70, 300), code=f"inc-{dice.integer(1012, 9876)}")
    others = Others(stage, Larkspur.small_talk, "")
    others.people = [one for one in others.people if one not in {customer.email for customer in crowd}]
    others.write(dice.integer(0, 1))
    count = dice.integer(4, 6)
    drafts = _drafts(stage, scene, plan, crowd[:count])
    alike = dice.sample(thing.unrelated, dice.integer(2, 4))
    order: list[Any] = dice.shuffle([*drafts, *alike])
    order.insert(dice.integer(0, len(order) // 2), None)
    for turn, one in enumerate(order):
        stage.wait(seconds(dice, 1, 9))
        if one is None:
            scene.status_id = _status(stage, scene)
        elif isinstance(one, Hit):
            subject = stage.dice.child("subject", turn).pick(thing.subjects)
            number = _mail(stage, one.customer.email, one.customer.name, subject, one.opening)
            opening = longest_line(one.opening)
            scene.hits.append(msgspec.structs.replace(one, ticket_id=number, opening=opening))
        else:
            email = others.people.pop()
            name = str(stage.read(_name, email))
            text = in_their_hand(stage, email, name, [one[1]], {}, CALM_VOICES)
            scene.unrelated.append(_mail(stage, email, name, one[0], text))
    for index, author in enumerate(crowd[count : count + plan.late]):
        text = in_their_hand(stage, author.email, author.name, [thing.letters[-1 - index]], {})
        scene.late.append(Hit(customer=author, opening=text))
    _colleagues(stage, scene, plan)
    _repair(stage, scene, plan)
    others.later(dice.integer(1, 2))
    for index, hit in enumerate(scene.hits):
        _wait_for_the_end(stage, scene, hit, index)
    stage.wait(seconds(dice, 1, 15))
    return scene


# --- mails of customers


def _drafts(stage: Stage, scene: Scene, plan: Plan, victims: Sequence[Customer]) -> list[Hit]:
    """Write the affected customers' mails; where the outage took money, add their orders and double charges."""
    dice, thing = stage.dice.child("charges"), scene.thing
    count = dice.integer(plan.billed, plan.billed + 1) if plan.billed else 0
    hit = set(dice.sample(range(len(victims)), count))
    mistaken = dice.pick([index for index in range(len(victims)) if index not in hit]) if plan.mistaken else -1
    drafts = []
    for index, customer in enumerate(victims):
        matter, facts, outcome = [thing.letters[index % len(thing.letters)]], {}, {}
        if thing.charges:
            placed = stage.now - seconds(dice, 20, 65)
            goods = [(dice.pick(SMALL), 1)]
            past = stage.do(seed.add_order_history, "system:backoffice", customer, goods, placed, outcome="open")
            if index in hit:
                second = stage.do(seed.add_second_charge, "system:backoffice", past)
                outcome = _twice(customer, past, second)
            elif index == mistaken:
                outcome = _once(past)
            if outcome and not (index in hit and plan.silent):
                matter.append(thing.claim)
                facts["order_number"] = past.order.number
        text = in_their_hand(stage, customer.email, customer.name, matter, facts)
        drafts.append(Hit(customer=customer, opening=text, **outcome))
    return drafts


def _twice(customer: Customer, past: History, second: Charge) -> dict[str, Any]:
    """Return what is owed to a customer who was charged twice, the form, and what they are told."""
    cast = {"customer": customer, "charge": past.charge, "second": second}
    about = f"order {past.order.number}"
    due = stating(
        owed.refund("charge", "second").owed(cast, Larkspur.currency, about), {"duplicate", *ALSO["duplicate"]}
    )
    form = {
        "reason": (Larkspur.form.reason_of({"twice"}),),
        "resolution": (closing.REFUNDED,),
        "amount": (plain_value(due.cents),),
        "destination": ("to_original_payment",),
        "record": (second.id,),
    }
    told = (Telling.of_value("amount", due.cents, "refund"),)
    reply = f"Hello, {owed.DEED_KINDS[due.kind].sentence(due, about)} It had been charged twice. We are sorry!"
    return {"owed": (due,), "closing": form, "tell": told, "reply": reply}


def _once(past: History) -> dict[str, Any]:
    """Return the form of a customer who was charged once and says that it was twice, and what they are told."""
    form = {
        "reason": (Larkspur.form.reason_of({"twice"}),),
        "resolution": (closing.EXPLAINED, closing.REFUSED),
        "record": (past.charge.id,),
    }
    cents = past.charge.amount_cents
    reply = (
        f"Hello, we took {said(cents, Larkspur.currency)} for order {past.order.number}, and we took it once. "
        "There is no second charge in our records."
    )
    return {"closing": form, "tell": (Telling.of_value("amount", cents, "charge"),), "reply": reply}


def _mail(stage: Stage, email: str, name: str, subject: str, text: str) -> int:
    return stage.do(desk.receive_mail, f"persona:{email}", email, subject, text, sender_name=name)


def _name(tx: Tx, email: str) -> str:
    found = tx.first(User, "email = ?", email)
    return found.name if found is not None else ""


def in_their_hand(
    stage: Stage,
    email: str,
    name: str,
    matter: Sequence[str],
    facts: dict[str, str],
    voices: Sequence[str] = NATIVE_VOICES,
) -> str:
    """Return a mail in this person's writing style, which is one of these voices."""
    dice = stage.dice.child("hand", email)
    given, family = split_name(name)
    hand = Persona(email=email, name=name, given=given, family=family, voice=dice.pick(voices))
    return people.dress(dice, people.writer_of(hand), list(matter), facts, embroider=True)


def _wait_for_the_end(stage: Stage, scene: Scene, hit: Hit, index: int) -> None:
    """Add a persona for an affected customer who has been waiting since their mail came in."""
    wish = f"Please get it working again: {scene.thing.title}."
    need = Need(name="over", check="flood.over", args={"fixed": scene.fixed_us}, wish=wish)
    stakes = tuple(owed.need_of(one) for one in hit.owed)
    voice = stage.dice.child("voice", index).pick(VOICES[:4])
    person = Persona(
        email=hit.customer.email, name=hit.customer.name, voice=voice, needs=(need,), stakes=stakes,
        patience_hours=30.0, reply_hours=1.0 + index,
    )  # fmt: skip

    def add(tx: Tx) -> None:
        persona = people.add_persona(tx, person)
        ticket = tx.get(Ticket, hit.ticket_id)
        people.expect_reply(tx, persona, "email", str(ticket.id), ticket.subject, (), "", ticket.created_at)

    stage.do(add, "system:people")


# --- engineers and colleagues


def _status(stage: Stage, scene: Scene) -> int:
    """Send the engineers' first mail, and return its ticket."""
    text = (
        f"Disturbance: {scene.thing.title}\nSince: {scene.since:%H:%M} UTC\nCode for tickets: {scene.code}\n\n"
        "We are looking into it. Updates follow in this thread. Please do not tell customers that it works again "
        f"before we write {ALL_CLEAR} here."
    )
    if scene.thing.charges:
        text += "\nWe cannot rule out that some cards were charged twice; please check everybody who writes in."
    return stage.do(desk.receive_mail, f"system:{STATUS}", **ENGINEERS, subject=scene.subject, text=text)


def _colleagues(stage: Stage, scene: Scene, plan: Plan) -> None:
    """Stage what colleagues have done so far."""
    dice, title = stage.dice.child("colleagues"), scene.thing.title
    first, other = dice.shuffle(COLLEAGUES)

    def act(function: Any, who: str, *args: Any) -> Any:
        stage.wait(seconds(dice, 1, 4))
        return stage.do(function, f"staff:{who}", who, *args)

    if plan.older:
        scene.older_id = act(_problem, other, f"{title}: slow since the February release", "Known, on the list.")
    if plan.opened:
        text = f"Several customers report trouble with: {title}. Collecting them here."
        scene.problem_id = act(_problem, first, f"{title} down", text)
        scene.linked = sorted(dice.sample(scene.numbers, dice.integer(1, 2)))
        for number in scene.linked:
            act(_link, first, number, scene.problem_id)
    if plan.stray:
        scene.strays.append(dice.pick(scene.unrelated))
        act(_link, first, scene.strays[0], scene.problem_id)
    if plan.second:
        words = "Three mails about this already, opening one so that we do not lose them."
        scene.second_id = act(_problem, other, f"Trouble: {title}", words)
        act(_link, other, dice.pick([one for one in scene.numbers if one not in scene.linked]), scene.second_id)


def _problem(tx: Tx, email: str, subject: str, text: str) -> int:
    """Open a problem ticket as a colleague."""
    me = tx.first(User, "email = ?", email)
    assert me is not None
    fields: dict[str, Any] = {"type": "problem", "assignee_id": me.id}
    first = desk.NewComment(text, public=False)
    made = desk.open_ticket(tx, requester=me, subject=subject, said=first, by=me, fields=fields)
    return int(made.ticket.id)


def _link(tx: Tx, email: str, number: int, problem: int) -> None:
    """Link a ticket to a problem as a colleague."""
    me = tx.first(User, "email = ?", email)
    assert me is not None
    desk.update(tx, tx.get(Ticket, number), by=me, fields={"type": "incident", "problem_id": problem})


def _repair(stage: Stage, scene: Scene, plan: Plan) -> None:
    """Schedule the engineers' all-clear, and the mails that arrive before it."""
    dice = stage.dice.child("repair")
    mail = {**ENGINEERS, "subject": f"Re: {scene.subject}", "ticket_id": scene.status_id}
    if plan.false_dawn:
        stage.wait(seconds(dice, 3, 12))
        hopeful = (
            f"A change went out at {stage.now - seconds(dice, 2, 9):%H:%M} UTC and it looks better. "
            "We are not sure yet, please keep customers waiting for now."
        )
        stage.do(desk.receive_mail, f"system:{STATUS}", **mail, text=hopeful)
    if plan.fixed:
        stage.wait(seconds(dice, 46, 80))
    delay = timedelta(0) if plan.fixed else seconds(dice, 100, 330)
    scene.until = f"{stage.now + delay - seconds(dice, 21, 44):%H:%M}"
    scene.fixed_us = to_us(stage.now + delay)
    over = f"{ALL_CLEAR}. Cause: {scene.thing.cause}. Over at: {scene.until} UTC. Watched since then, all normal again."
    if plan.fixed:
        stage.do(desk.receive_mail, f"system:{STATUS}", **mail, text=over)
        return
    for index, hit in enumerate(scene.late):
        letter = {"sender_email": hit.customer.email, "subject": scene.thing.subjects[index], "text": hit.opening}
        at = seconds(dice, 0, int(delay.total_seconds() // 60)) * 0.6 + delay * 0.3
        stage.plan(at, desk.receive_mail, **letter, sender_name=hit.customer.name)
    stage.plan(delay, desk.receive_mail, **mail, text=over)
