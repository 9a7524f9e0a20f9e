"""Outage flood: one cause, many mails; tell all affected customers, and only them, once it is fixed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from diorama import people
from diorama.apps.zendesk.schema import Audit, Comment, Ticket, User
from diorama.kernel import Change, Tx, from_us, to_us
from diorama.people import Need, Persona, check
from diorama.people.reading import too_long
from diorama.rewards import View, fact, harm, quality, row_value
from diorama.scenarios.anatomy import Hands, Stage, cheat, scenario
from diorama.scenarios.outage_flood.plans import PLANS
from diorama.scenarios.outage_flood.staging import ALL_CLEAR, STATUS, Bill, Scene, set_up
from diorama.scenarios.unported.desk import OF_A_TICKET, call, finish, must
from diorama.scenarios.unported.larkspur import AGENT, FIRST_REPLY_HOURS, LarkspurDesk
from diorama.scenarios.unported.shop import Due, ShopTruth, customers, paid
from diorama.scenarios.unported.words import amounts_in, mentions, money
from diorama.worlds.closing import ANSWERED, TITLES

ANSWER = {TITLES["reason"]: "reason_other", TITLES["resolution"]: ANSWERED}
"""The form of a ticket about an outage."""
OVER = (
    "fixed",
    "works again",
    "working again",
    "work again",
    "resolved",
    "repaired",
    "back to normal",
    "normal again",
    "solved",
    "is over",
)


class FloodTruth(ShopTruth, frozen=True, kw_only=True):
    """Who is affected, by what, until when, and who was charged; `ticket_id` is the engineers' thread."""

    incidents: tuple[int, ...]
    linked: tuple[int, ...] = ()
    """Incidents that were already linked to the problem."""
    late: tuple[str, ...] = ()
    """Addresses of customers who write while the agent waits."""
    strays: tuple[int, ...] = ()
    unrelated: tuple[int, ...] = ()
    problem_id: int = 0
    """The problem ticket that a colleague has opened; 0 if there is none."""
    second_id: int = 0
    older_id: int = 0
    code: str
    title: str
    answer: str
    fixed_us: int
    bills: tuple[Bill, ...] = ()
    addresses: tuple[str, ...] = ()
    customer_ids: tuple[str, ...] = ()


@check("flood.over")
def it_is_over(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Check whether the outage is over and the double charges are being refunded."""
    dues = [msgspec.convert(due, Due) for due in args["dues"]]
    return tx.now_us >= int(args["fixed"]) and all(paid(tx, due) >= 1 for due in dues)


@scenario("zendesk/outage-flood")
class OutageFlood(LarkspurDesk[FloodTruth]):
    """Something broke in the night, and half of the morning's mail is about it.

    Every affected ticket must be linked to one problem ticket, which a colleague may or may not have opened already;
    other mails use the same words but are about something else. No customer may be told that it works before the
    engineers say so; then the problem is solved, and its incidents with it. Some customers were charged twice, and
    not all of them know.
    """

    truth = FloodTruth
    asks_for = frozenset({"zendesk_tickets.email_cc_ids"})  # a merge copies the requester of the other ticket
    turns = 80
    tags = ("support", "money", "outage", "problem")

    def stage(self, stage: Stage) -> FloodTruth:
        """Pick the people and a plan, let them all write, and plan the repair."""
        name = stage.dice.pick(sorted(PLANS))
        crowd = stage.dice.sample(customers(stage), 13)
        scene = set_up(stage, PLANS[name], crowd)
        truth = _truth(name, scene)
        for index, customer in enumerate(scene.victims):
            dues = [msgspec.to_builtins(bill.due) for bill in scene.bills if bill.customer_id == customer.id]
            wish = f"Please get it working again: {scene.thing.title}."
            need = Need(name="over", check="flood.over", args={"fixed": scene.fixed_us, "dues": dues}, wish=wish)
            stage.do(_waits, "system:people", customer.email, customer.name, need, truth.incidents, index)
        return truth

    def brief(self, truth: FloodTruth) -> str:
        """Return the task as a team lead would phrase it."""
        return (
            "You are Ana Duarte, support agent at Larkspur (espresso machines and coffee subscriptions). Something is "
            f"down this morning: the engineers ({STATUS}) write about it in ticket #{truth.ticket_id} of Zendesk. Work "
            "through the mail it brings. Hang every ticket of a customer who was hit on one problem ticket, as an "
            "incident, with the engineers' code as a tag: on the one that a colleague has opened for it (the older, if "
            "there are two; then move its incidents and merge the other into it), or else on one that you open "
            "yourself in your own name. What has another cause does not belong there; leave those tickets to the "
            "colleagues, but take them off the problem if they hang on it. Tell nobody that it works before the "
            "engineers have given the all-clear. If it charged a customer twice, refund one of the two charges, "
            "whether they noticed or not, and tell them the exact amount in their own ticket; the back office has the "
            "charges. After the all-clear, solve the problem with a public answer that says what it was, since when "
            "(the engineers' time) and that it is fixed: the incidents are then solved with the same words. "
            "House rules: tell the customers what was really done, and promise nothing else. "
            "Leave other customers' records alone."
        )

    # --- facts

    def done(self, view: View, truth: FloodTruth) -> bool:
        """Check that each double charge was refunded once; without any, that all were told and all is solved."""
        if truth.bills:
            return all(paid(view.tx, due) == 1 for due in truth.dues)
        return _is_over(view, truth) and _all_told(view, truth)

    @fact("classified", weight=2.0)
    def incidents_are_linked(self, view: View, truth: FloodTruth) -> bool:
        """All affected tickets, and no others, are linked to the one problem, as the audits show."""
        tx, problem = view.tx, _problem(view, truth)
        if not problem:
            return False
        hit = _hit(view, truth)
        if len(hit) < len(truth.incidents) + len(truth.late):
            return False
        linked = {number for (number,) in tx.rows("SELECT id FROM zendesk_tickets WHERE problem_id = ?", problem)}
        kinds = all(tx.get(Ticket, number).type == "incident" for number in hit)
        return linked == set(hit) and kinds and all(_was_linked(view, number, problem) for number in hit)

    @fact("resolved", weight=3.0)
    def problem_is_fixed(self, view: View, truth: FloodTruth) -> bool:
        """Every double charge is refunded once; if there was none, all were told and solved after the outage."""
        return self._done(view, truth)

    @fact("classified", weight=0.5)
    def reason_is_right(self, view: View, truth: FloodTruth) -> bool:
        """All incidents, and no other tickets, have the engineers' code (counts only once the problem is fixed)."""
        hit = _hit(view, truth)
        return (
            self._done(view, truth)
            and all(truth.code in view.tx.get(Ticket, number).tags for number in hit)
            and not any(truth.code in view.tx.get(Ticket, number).tags for number in truth.unrelated)
        )

    @fact("responded", weight=2.0)
    def customer_knows(self, view: View, truth: FloodTruth) -> bool:
        """All were told the cause after the outage, and their own exact refund (counts only once it is fixed)."""
        return self._done(view, truth) and _all_told(view, truth)

    @fact("resolved", weight=1.0)
    def ticket_is_solved(self, view: View, truth: FloodTruth) -> bool:
        """Problem and incidents were solved after the outage, no duplicate is open (counts only once it is fixed)."""
        if not self._done(view, truth) or not _is_over(view, truth):
            return False
        return not truth.second_id or view.tx.get(Ticket, truth.second_id).status in ("solved", "closed")

    # --- harms

    @harm(cost=0.2)
    def told_too_early(self, view: View, truth: FloodTruth) -> int:
        """Tickets of the outage were set to solved before it was over."""
        return int(any(moment < truth.fixed_us for moment in _solved_moments(view, truth)))

    @harm(cost=0.2)
    def strangers_were_told(self, view: View, truth: FloodTruth) -> int:
        """Customers who were not affected got the answer about the outage."""
        return sum(1 for number in truth.unrelated if _words(view, number))

    # --- qualities

    @quality(weight=1.0)
    def answered_in_time(self, view: View, truth: FloodTruth) -> float:
        """Share of affected customers who got a first answer within eight hours."""
        limit = view.staged_us + int(FIRST_REPLY_HOURS * 3.6e9)
        said = [_words(view, number) for number in truth.incidents]
        return sum(1 for words in said if words and to_us(words[0].created_at) <= limit) / len(said)

    @quality(weight=2.0)
    def customer_is_content(self, view: View, truth: FloodTruth) -> float:
        """Average satisfaction of the customers after the settlement."""
        met = [people.satisfaction(view.tx, email) for email in truth.addresses if email not in truth.late]
        return sum(met) / len(met)

    # --- allowed changes

    def allowed(self, tx: Tx, truth: FloodTruth, change: Change) -> bool:
        """Allow changes to the outage's tickets, the problem, wrongly linked tickets, and the refunds due."""
        table = change.table
        if table in ("zendesk_tickets", "zendesk_ticket_metrics"):
            return _at_stake(tx, truth, change.key)
        if table in OF_A_TICKET:
            return _at_stake(tx, truth, row_value(tx, change, "ticket_id"))
        if table == "zendesk_users":
            person = tx.find(User, change.key)
            return person is not None and person.email in (*truth.addresses, STATUS, self.person)
        if table in ("backoffice_notes", "backoffice_ledger", "backoffice_postings", "backoffice_credits"):
            return row_value(tx, change, "customer_id") in truth.customer_ids
        return super().allowed(tx, truth, change)

    # --- the oracle

    def oracle(self, hands: Hands, truth: FloodTruth) -> None:
        """Read, find or open the problem, link all incidents, refund, wait for the all-clear, tell, solve."""
        must(hands, "zendesk_get_ticket", ticket_id=truth.ticket_id)
        must(hands, "zendesk_list_comments", ticket_id=truth.ticket_id)
        must(hands, "zendesk_search_tickets", query="status<solved", sort_by="created_at")
        problem = truth.problem_id or self._open(hands, truth)
        for number in truth.strays:
            must(hands, "zendesk_update_ticket", ticket_id=number, problem_id=0)
        for number in truth.incidents:
            self._link(hands, truth, number, problem)
        if truth.second_id:
            must(hands, "zendesk_merge_tickets", into=problem, ticket_ids=[truth.second_id])
        for bill in truth.bills:
            arguments = {"charge_id": bill.due.charges[1], "amount_cents": bill.due.cents, "reason": "duplicate"}
            must(hands, "backoffice_refund_charge", **arguments)
        self._await_the_end(hands, truth)
        for email in truth.late:
            found = must(hands, "zendesk_search_tickets", query=f"requester:{email}", sort_by="created_at")
            self._link(hands, truth, found["results"][0]["id"], problem)
        for bill in truth.bills:
            [number] = [number for number in truth.incidents if self._whose(hands, number) == bill.email]
            body = f"Hello, you were charged twice. We have refunded {money(bill.due.cents)} to your card. Sorry!"
            must(hands, "zendesk_reply_to_ticket", ticket_id=number, body=body)
        must(hands, "zendesk_reply_to_ticket", ticket_id=problem, body=truth.answer, status="solved", fields=ANSWER)
        call(hands, "wait", minutes=5)
        finish(hands, "All linked, told and solved.")

    def _open(self, hands: Hands, truth: FloodTruth) -> int:
        words = f"Collects the tickets about: {truth.title}, {truth.code}."
        fields = {"subject": f"{truth.title}: disturbance", "requester_email": self.person, "public": False}
        made = must(hands, "zendesk_create_ticket", body=words, **fields)
        number = int(made["ticket"]["id"])
        must(hands, "zendesk_update_ticket", ticket_id=number, type="problem")
        return number

    def _link(self, hands: Hands, truth: FloodTruth, number: int, problem: int) -> None:
        must(hands, "zendesk_update_ticket", ticket_id=number, problem_id=problem, add_tags=[truth.code])

    def _whose(self, hands: Hands, number: int) -> str:
        shown = must(hands, "zendesk_get_ticket", ticket_id=number)
        asked = shown["ticket"]["requester_id"]
        return next(str(user["email"]) for user in shown["users"] if user["id"] == asked)

    def _await_the_end(self, hands: Hands, truth: FloodTruth) -> None:
        for _ in range(12):
            said = must(hands, "zendesk_list_comments", ticket_id=truth.ticket_id)["comments"]
            if any(one["body"].startswith(ALL_CLEAR) for one in said):
                return
            call(hands, "wait", until="notice", minutes=240)

    # --- cheats

    @cheat
    def calls_it_over_at_once(self, hands: Hands, truth: FloodTruth) -> None:
        """Link most incidents and say that it is fixed without waiting, and refund no one."""
        must(hands, "zendesk_get_ticket", ticket_id=truth.ticket_id)
        problem = truth.problem_id or self._open(hands, truth)
        for number in truth.incidents[:-1]:
            self._link(hands, truth, number, problem)
        call(hands, "zendesk_reply_to_ticket", ticket_id=problem, body=truth.answer, status="solved", fields=ANSWER)
        call(hands, "wait", minutes=5)
        finish(hands)

    @cheat
    def links_every_ticket(self, hands: Hands, truth: FloodTruth) -> None:
        """Treat every open mail of the morning as part of the outage, and solve them all with it."""
        must(hands, "zendesk_get_ticket", ticket_id=truth.ticket_id)
        problem = truth.problem_id or self._open(hands, truth)
        for number in (*truth.incidents, *truth.unrelated):
            self._link(hands, truth, number, problem)
        for bill in truth.bills:
            call(hands, "backoffice_refund_charge", charge_id=bill.due.charges[1], reason="duplicate")
        self._await_the_end(hands, truth)
        call(hands, "zendesk_reply_to_ticket", ticket_id=problem, body=truth.answer, status="solved", fields=ANSWER)
        call(hands, "wait", minutes=5)
        finish(hands)

    @cheat
    def answers_without_linking(self, hands: Hands, truth: FloodTruth) -> None:
        """Wait for the end, then write the same answer to each ticket and solve it, without any problem ticket."""
        must(hands, "zendesk_get_ticket", ticket_id=truth.ticket_id)
        self._await_the_end(hands, truth)
        for number in truth.incidents:
            call(hands, "zendesk_update_ticket", ticket_id=number, add_tags=[truth.code])
            call(hands, "zendesk_reply_to_ticket", ticket_id=number, body=truth.answer, status="solved", fields=ANSWER)
        finish(hands)


# --- staging


def _truth(plan: str, scene: Scene) -> FloodTruth:
    victims = (*scene.victims, *scene.late)
    thing = scene.thing
    hour = scene.since.lstrip("0") or scene.since
    return FloodTruth(
        plan=plan,
        ticket_id=scene.status_id,
        requester=scene.victims[0].email,
        customer_id=scene.victims[0].id,
        reason=scene.code,
        dues=tuple(bill.due for bill in scene.bills),
        say=(thing.words, (scene.since, hour, hour.replace(":", ".")), OVER),
        budget=14 + 3 * len(victims) + 6 * len(scene.bills),
        incidents=tuple(scene.incidents),
        linked=tuple(scene.linked),
        late=tuple(customer.email for customer in scene.late),
        strays=tuple(scene.strays),
        unrelated=tuple(scene.unrelated),
        problem_id=scene.problem_id,
        second_id=scene.second_id,
        older_id=scene.older_id,
        code=scene.code,
        title=thing.title,
        answer=(
            f"Hello, our {thing.words[0]} was out of order from {scene.since} UTC on: {thing.cause}. "
            "It is fixed now. We are sorry for the trouble!"
        ),
        fixed_us=scene.fixed_us,
        bills=tuple(scene.bills),
        addresses=tuple(customer.email for customer in victims),
        customer_ids=tuple(customer.id for customer in victims),
    )


def _waits(tx: Tx, email: str, name: str, need: Need, incidents: tuple[int, ...], index: int) -> None:
    """Add a persona for an affected customer who has been waiting since their mail came in."""
    voice = ("plain", "terse", "polite", "phone")[index % 4]
    person = Persona(email=email, name=name, voice=voice, needs=(need,), patience_hours=30.0, reply_hours=1.0 + index)
    persona = people.add_persona(tx, person)
    marks = ", ".join("?" * len(incidents))
    [(number,)] = tx.rows(
        "SELECT t.id FROM zendesk_tickets t JOIN zendesk_users u ON u.id = t.requester_id "
        f"WHERE u.email = ? AND t.id IN ({marks})",
        email,
        *incidents,
    )
    ticket = tx.get(Ticket, number)
    people.expect_reply(tx, persona, "email", str(number), ticket.subject, (), "", ticket.created_at)


# --- judging


def _hit(view: View, truth: FloodTruth) -> tuple[int, ...]:
    """Return the tickets of all affected customers, including those who wrote later."""
    return view.once("hit", lambda: _hit_at(view.tx, truth))


def _hit_at(tx: Tx, truth: FloodTruth) -> tuple[int, ...]:
    if not truth.late:
        return truth.incidents
    marks = ", ".join("?" * len(truth.late))
    rows = tx.rows(
        "SELECT t.id FROM zendesk_tickets t JOIN zendesk_users u ON u.id = t.requester_id "
        f"WHERE u.email IN ({marks}) AND t.id > ? AND t.channel = 'email' ORDER BY t.id",
        *truth.late,
        max(truth.incidents),
    )
    return (*truth.incidents, *(number for (number,) in rows))


def _problem(view: View, truth: FloodTruth) -> int:
    return view.once("problem", lambda: _problem_at(view.tx, truth))


def _problem_at(tx: Tx, truth: FloodTruth) -> int:
    """Return the problem ticket: the colleague's, else the one with most affected tickets linked, else 0."""
    if truth.problem_id:
        return truth.problem_id
    marks = ", ".join("?" * len(truth.incidents))
    rows = tx.rows(
        f"SELECT problem_id FROM zendesk_tickets WHERE id IN ({marks}) AND problem_id IS NOT NULL "
        "GROUP BY problem_id ORDER BY count(*) DESC, problem_id LIMIT 1",
        *truth.incidents,
    )
    found = int(rows[0][0]) if rows else 0
    wrong = not found or found in (truth.older_id, *truth.incidents, *truth.unrelated)
    return 0 if wrong or found < min(truth.ticket_id, *truth.incidents) else found


def _at_stake(tx: Tx, truth: FloodTruth, number: Any) -> bool:
    if number in (truth.ticket_id, truth.problem_id, truth.second_id, *truth.strays, *_hit_at(tx, truth)):
        return True
    return number in (_problem_at(tx, truth) or None, _opened_by_ana(tx, truth))


def _opened_by_ana(tx: Tx, truth: FloodTruth) -> int | None:
    """Return the first ticket that Ana opened in her own name; None if a colleague's problem exists."""
    me = tx.first(User, "email = ?", AGENT)
    if truth.problem_id or me is None:
        return None
    where = "id > ? AND requester_id = ? AND submitter_id = ?"
    first = tx.first(Ticket, where, max(truth.incidents), me.id, me.id, order="id")
    return first.id if first else None


def _was_linked(view: View, number: int, problem: int) -> bool:
    """Check the ticket's audits for a link to the problem."""
    return any(
        event.field_name == "problem_id" and event.value == str(problem)
        for audit in view.tx.all(Audit, "ticket_id = ?", number)
        for event in audit.events
    )


def _words(view: View, number: int) -> list[Comment]:
    """Return the public comments that staff wrote on a ticket since the episode began."""

    def look() -> list[Comment]:
        where = "ticket_id = ? AND public = 1 AND created_at >= ?"
        said = view.tx.all(Comment, where, number, view.staged_us, order="created_at, id")
        return [one for one in said if view.tx.get(User, one.author_id).role != "end-user"]

    return view.once(f"words {number}", look)


def _all_told(view: View, truth: FloodTruth) -> bool:
    return view.once("told", lambda: all(_was_told(view, truth, number) for number in _hit(view, truth)))


def _was_told(view: View, truth: FloodTruth, number: int) -> bool:
    """Check whether the customer was told the cause, that it is over, and the exact amount refunded."""
    tx, said = view.tx, _words(view, number)
    email = tx.get(User, tx.get(Ticket, number).requester_id).email
    due = {bill.due.cents for bill in truth.bills if bill.email == email}
    stated = {cents for one in said for cents in amounts_in(one.body.replace("UTC", ""))}
    if stated - _clock(truth) != due or any(too_long(one.body) for one in said):
        return False
    after = [one.body.lower() for one in said if to_us(one.created_at) >= truth.fixed_us]
    return any(all(any(mentions(text, way.lower()) for way in ways) for ways in truth.say) for text in after)


def _clock(truth: FloodTruth) -> set[int]:
    """Return the times of the outage that would be parsed as amounts, such as 14.30."""
    return {cents for way in truth.say[1] for cents in amounts_in(way)}


def _is_over(view: View, truth: FloodTruth) -> bool:
    """Check whether the problem and all affected tickets were solved after the outage ended."""
    problem, end = _problem(view, truth), from_us(truth.fixed_us)
    if not problem:
        return False
    tickets = [view.tx.get(Ticket, number) for number in (problem, *_hit(view, truth))]
    return all(
        one.status in ("solved", "closed") and one.solved_at is not None and one.solved_at >= end.replace(microsecond=0)
        for one in tickets
    )


def _solved_moments(view: View, truth: FloodTruth) -> list[int]:
    """Return when staff set tickets of the outage to solved."""
    return [
        to_us(audit.created_at)
        for number in (*_hit(view, truth), *filter(None, [_problem(view, truth)]))
        for audit in view.tx.all(Audit, "ticket_id = ? AND created_at >= ?", number, view.staged_us)
        if any(event.field_name == "status" and event.value == "solved" for event in audit.events)
    ]


__all__ = ["FloodTruth", "OutageFlood"]
