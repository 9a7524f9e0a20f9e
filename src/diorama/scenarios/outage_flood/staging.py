"""Stage an outage: the mails of affected customers, of unaffected ones, and of the engineers."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec

from diorama import people
from diorama.apps.backoffice import seed
from diorama.apps.backoffice.schema import Customer
from diorama.apps.zendesk import rules as desk
from diorama.apps.zendesk.schema import Ticket, User
from diorama.kernel import Tx, to_us
from diorama.people import Persona
from diorama.scenarios.anatomy import Stage
from diorama.scenarios.outage_flood.plans import Plan
from diorama.scenarios.outage_flood.things import THINGS, Thing
from diorama.scenarios.unported.shop import Due

STATUS = "status@larkspur.coffee"
COLLEAGUES = ("devon@larkspur.coffee", "soraya@larkspur.coffee")
GOODS = ("AC-TAMPER", "AC-JUG35", "AC-JUG60", "AC-KNOCK", "AC-WDT", "AC-CUPS", "AC-FILTER3", "AC-SCALE", "PT-TRAY")
COFFEES = ("CF-HARBOUR1K", "CF-KOCHERE", "CF-NYERI", "CF-HUILA", "CF-NIGHT")
VOICES = ("plain", "terse", "polite", "phone", "rambling", "angry", "nonnative")
ALL_CLEAR = "ALL CLEAR"


class Bill(msgspec.Struct, frozen=True, kw_only=True):
    """A customer whom the outage charged twice."""

    email: str
    customer_id: str
    due: Due


class Scene(msgspec.Struct, kw_only=True):
    """The morning as it was set up."""

    thing: Thing
    since: str
    code: str
    status_id: int = 0
    problem_id: int = 0
    second_id: int = 0
    older_id: int = 0
    incidents: list[int] = []
    linked: list[int] = []
    strays: list[int] = []
    unrelated: list[int] = []
    victims: list[Customer] = []
    late: list[Customer] = []
    bills: list[Bill] = []
    fixed_us: int = 0


def set_up(stage: Stage, plan: Plan, crowd: list[Customer]) -> Scene:
    """Stage everything that is on the desk when Ana starts work, and schedule what comes later."""
    dice = stage.dice.child("flood")
    began = stage.now - timedelta(minutes=dice.integer(70, 300))
    scene = Scene(
        thing=THINGS[dice.pick(plan.things)],
        since=f"{began:%H:%M}",
        code=f"inc-{dice.integer(1012, 9876)}",
    )
    count = dice.integer(4, 6)
    victims, others = crowd[:count], crowd[count + plan.late : count + plan.late + dice.integer(2, 4)]
    scene.victims, scene.late = victims, crowd[count : count + plan.late]
    _charge(stage, scene, plan)
    order = dice.shuffle([("hit", index) for index in range(count)] + [("not", index) for index in range(len(others))])
    place, unrelated = dice.integer(0, len(order) // 2), dice.sample(scene.thing.unrelated, len(others))
    for turn, (kind, index) in enumerate([*order[:place], ("status", 0), *order[place:]]):
        stage.wait(timedelta(minutes=dice.integer(1, 9)))
        if kind == "status":
            scene.status_id = _status(stage, scene)
        elif kind == "hit":
            scene.incidents.append(_complains(stage, scene, plan, index, turn))
        else:
            subject, text = unrelated[index]
            scene.unrelated.append(_mail(stage, others[index], subject, [text], turn, {}))
    _colleagues(stage, scene, plan)
    _repair(stage, scene, plan)
    return scene


def _charge(stage: Stage, scene: Scene, plan: Plan) -> None:
    """Add the double charges that the outage caused."""
    dice = stage.dice.child("charges")
    if not scene.thing.charges:
        return
    goods = COFFEES if scene.thing is THINGS["renewals"] else GOODS
    hit = set(dice.sample(range(len(scene.victims)), dice.integer(plan.billed, plan.billed + 1) if plan.billed else 0))
    for index, customer in enumerate(scene.victims):
        placed = stage.now - timedelta(minutes=dice.integer(20, 65))
        past = stage.do(
            seed.add_order_history, "system:backoffice", customer, [(dice.pick(goods), 1)], placed, outcome="open"
        )
        if index in hit:
            second = stage.do(seed.add_second_charge, "system:backoffice", past)
            due = Due(charges=(past.charge.id, second.id), cents=past.charge.amount_cents)
            scene.bills.append(Bill(email=customer.email, customer_id=customer.id, due=due))


def _complains(stage: Stage, scene: Scene, plan: Plan, index: int, turn: int) -> int:
    """Write an affected customer's mail in their own style, and return its ticket."""
    dice, customer, thing = stage.dice.child("complaint", index), scene.victims[index], scene.thing
    matter, facts = [thing.letters[index % len(thing.letters)]], {}
    billed = [bill for bill in scene.bills if bill.customer_id == customer.id]
    unbilled = [one.id for one in scene.victims if one.id not in {bill.customer_id for bill in scene.bills}]
    wrongly = plan.mistaken and customer.id == unbilled[0]
    if (billed and not plan.silent) or wrongly:
        matter.append(thing.claim)
        facts["order_number"] = stage.read(_last_order, customer.id)
    return _mail(stage, customer, dice.pick(thing.subjects), matter, turn, facts)


def _last_order(tx: Tx, customer_id: str) -> str:
    rows = tx.rows(
        "SELECT number FROM backoffice_orders WHERE customer_id = ? ORDER BY created_at DESC, id LIMIT 1", customer_id
    )
    return str(rows[0][0])


def _mail(stage: Stage, author: Customer, subject: str, matter: list[str], turn: int, facts: dict[str, str]) -> int:
    text = in_their_hand(stage, author, matter, turn, facts)
    return stage.do(desk.receive_mail, f"persona:{author.email}", author.email, subject, text, sender_name=author.name)


def in_their_hand(stage: Stage, author: Customer, matter: list[str], turn: int, facts: dict[str, str]) -> str:
    """Return a mail in this customer's writing style."""
    dice = stage.dice.child("hand", turn, author.id)
    given, _, family = author.name.rpartition(" ")
    hand = Persona(
        email=author.email, name=author.name, given=given or author.name, family=family, voice=dice.pick(VOICES)
    )
    return people.dress(dice, people.writer_of(hand), matter, facts, embroider=True)


def _status(stage: Stage, scene: Scene) -> int:
    """Send the engineers' first mail, and return its ticket."""
    thing = scene.thing
    text = (
        f"Disturbance: {thing.title}\nSince: {scene.since} UTC\nCode for tickets: {scene.code}\n\n"
        "We are looking into it. Updates follow in this thread. Please do not tell customers that it works again "
        f"before we write {ALL_CLEAR} here."
    )
    if thing.charges:
        text += "\nWe cannot rule out that some cards were charged twice; please check whoever writes in."
    subject = f"[status] {thing.title}: disturbance"
    return stage.do(desk.receive_mail, f"system:{STATUS}", STATUS, subject, text, sender_name="Larkspur Status")


def _colleagues(stage: Stage, scene: Scene, plan: Plan) -> None:
    """Stage what colleagues have done so far."""
    dice, title = stage.dice.child("colleagues"), scene.thing.title
    if plan.older:
        subject = f"{title}: slow since the February release"
        scene.older_id = stage.do(_problem, f"staff:{COLLEAGUES[1]}", COLLEAGUES[1], subject, "Known, on the list.")
    if plan.opened:
        text = f"Several customers report trouble with: {title}. Collecting them here."
        scene.problem_id = stage.do(_problem, f"staff:{COLLEAGUES[0]}", COLLEAGUES[0], f"{title} down", text)
        first = dice.sample(scene.incidents, dice.integer(1, 2))
        for number in first:
            stage.do(_link, f"staff:{COLLEAGUES[0]}", COLLEAGUES[0], number, scene.problem_id)
        scene.linked = sorted(first)
    if plan.stray:
        stray = dice.pick(scene.unrelated)
        stage.do(_link, f"staff:{COLLEAGUES[0]}", COLLEAGUES[0], stray, scene.problem_id)
        scene.strays.append(stray)
    if plan.second:
        words = "Three mails about this already, opening one so that we do not lose them."
        scene.second_id = stage.do(_problem, f"staff:{COLLEAGUES[1]}", COLLEAGUES[1], f"Trouble: {title}", words)
        rest = [number for number in scene.incidents if number not in scene.linked]
        stage.do(_link, f"staff:{COLLEAGUES[1]}", COLLEAGUES[1], dice.pick(rest), scene.second_id)


def _problem(tx: Tx, email: str, subject: str, text: str) -> int:
    """Open a problem ticket as a colleague."""
    me = tx.first(User, "email = ?", email)
    assert me is not None
    fields: dict[str, Any] = {"type": "problem", "assignee_id": me.id}
    said = desk.NewComment(text, public=False)
    made = desk.open_ticket(tx, requester=me, subject=subject, said=said, by=me, fields=fields)
    return int(made.ticket.id)


def _link(tx: Tx, email: str, number: int, problem: int) -> None:
    """Link a ticket to a problem as a colleague."""
    me = tx.first(User, "email = ?", email)
    assert me is not None
    desk.update(tx, tx.get(Ticket, number), by=me, fields={"type": "incident", "problem_id": problem})


def _repair(stage: Stage, scene: Scene, plan: Plan) -> None:
    """Schedule the engineers' all-clear, and the mails that arrive before it."""
    dice, subject = stage.dice.child("repair"), f"Re: [status] {scene.thing.title}: disturbance"
    over = f"{ALL_CLEAR}. Cause: {scene.thing.cause}. Fixed and watched for half an hour, all normal again."
    mail = {"sender_email": STATUS, "subject": subject, "ticket_id": scene.status_id, "sender_name": "Larkspur Status"}
    if plan.fixed:
        stage.wait(timedelta(minutes=dice.integer(5, 30)))
        stage.do(desk.receive_mail, f"system:{STATUS}", **mail, text=over)
        scene.fixed_us = to_us(stage.now)
        return
    if plan.false_dawn:
        hopeful = "A change went out and it looks better. We are not sure yet, please keep customers waiting for now."
        stage.do(desk.receive_mail, f"system:{STATUS}", **mail, text=hopeful)
    delay = timedelta(minutes=dice.integer(100, 330))
    for index, author in enumerate(scene.late):
        text = in_their_hand(stage, author, [scene.thing.letters[-1 - index]], 90 + index, {})
        letter = {"sender_email": author.email, "subject": scene.thing.subjects[index], "text": text}
        stage.plan(delay * dice.between(0.3, 0.9), desk.receive_mail, **letter, sender_name=author.name)
    stage.plan(delay, desk.receive_mail, **mail, text=over)
    scene.fixed_us = to_us(stage.now + delay)
