"""Duplicate tickets: one person, several mails, one or two issues; settle each once, in one ticket."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import msgspec

from diorama import people
from diorama.apps.backoffice.schema import Customer, Subscription
from diorama.apps.zendesk import rules as desk
from diorama.apps.zendesk.schema import Audit, Comment, Ticket, User
from diorama.kernel import Change, Tx, to_us
from diorama.people import Need, Persona
from diorama.people.schema import Conversation
from diorama.rewards import View, fact, harm, quality, row_value
from diorama.scenarios.anatomy import Hands, Stage, cheat, scenario
from diorama.scenarios.closing_form import closing
from diorama.scenarios.duplicate_tickets.plans import MAIN, PLANS, STRANGER, Case, Letter, Matter, Scene
from diorama.scenarios.unported.desk import (
    OF_A_TICKET,
    bring_to_life,
    call,
    finish,
    is_complete_reply,
    morning_mail,
    must,
    people_voice,
    replies,
    update,
)
from diorama.scenarios.unported.larkspur import HOUSE_RULES, REASONS, SMALL_TALK, LarkspurDesk
from diorama.scenarios.unported.shop import ShopTruth, customers, paid
from diorama.worlds.closing import ANSWERED, by_field_id

COLLEAGUE = "devon@larkspur.coffee"
DOMAINS = ("proton.me", "icloud.com", "gmx.net", "posteo.example", "hotmail.com", "fastmail.com")


class DuplicateTruth(ShopTruth, frozen=True, kw_only=True):
    """Which tickets are duplicates, which are not, and what is owed for each; `ticket_id` is the one that stays."""

    asked: int
    """The ticket that the brief names."""
    duplicates: tuple[int, ...] = ()
    """Tickets that must be merged into the one that stays."""
    optional_duplicates: tuple[int, ...] = ()
    """Older tickets about the same issue, already marked solved: they may be merged or left."""
    also: tuple[ShopTruth, ...] = ()
    """The other issue, in its own ticket."""
    addresses: tuple[str, ...] = ()
    subscription_id: str = ""
    answers: tuple[str, ...] = ()

    @property
    def matters(self) -> tuple[ShopTruth, ...]:
        """All issues of the customer."""
        return (self, *self.also)

    @property
    def family(self) -> tuple[int, ...]:
        """All tickets about the first issue."""
        return (self.ticket_id, *self.duplicates, *self.optional_duplicates)

    @property
    def tickets(self) -> tuple[int, ...]:
        """All tickets of this customer in this case."""
        return (*self.family, *(one.ticket_id for one in self.also))


@scenario("zendesk/duplicate-tickets")
class DuplicateTickets(LarkspurDesk[DuplicateTruth]):
    """One customer has written several times, from one or two addresses.

    Some of the mails are about the same issue and belong in one ticket; another may be about a different issue, or
    come from another customer. The last mail may change what the first one asked for. What is owed is owed once, no
    matter how often it was requested, and a merge cannot be undone.
    """

    truth = DuplicateTruth
    asks_for = frozenset({"zendesk_tickets.email_cc_ids"})  # a merge copies the requester of the other ticket
    tags = ("support", "money", "duplicates")

    def stage(self, stage: Stage) -> DuplicateTruth:
        """Pick a customer and a plan, deliver the mails one by one, and let the customer wait for an answer."""
        plan = stage.dice.pick(sorted(PLANS))
        customer, other = stage.dice.sample(customers(stage), 2)
        second = _other_address(stage, customer)
        dice = stage.dice.child("case")
        case = stage.do(lambda tx: PLANS[plan](Scene(tx, customer, other, second, dice)), "system:backoffice")
        morning_mail(stage, SMALL_TALK)
        numbers = [
            _arrive(stage, index, letter, case, other if letter.about == STRANGER else customer, second)
            for index, letter in enumerate(case.letters)
        ]
        return self._truth(stage, plan, case, numbers, customer, second)

    def _truth(
        self, stage: Stage, plan: str, case: Case, numbers: list[int], customer: Customer, second: str
    ) -> DuplicateTruth:
        placed = list(zip(numbers, case.letters, strict=True))
        first, *rest = [number for number, letter in placed if letter.about == MAIN and not letter.solved]
        matters = [
            _settled_in(plan, matter, customer, next(n for n, letter in placed if letter.about == index and n >= first))
            for index, matter in enumerate(case.matters)
        ]
        main = msgspec.structs.asdict(matters[0])
        main["dues"] = tuple(due for matter in case.matters for due in matter.dues)
        truth = DuplicateTruth(
            **main,
            asked=stage.dice.child("asked").pick([first, *rest]),
            duplicates=tuple(rest),
            optional_duplicates=tuple(number for number, letter in placed if letter.about == MAIN and letter.solved),
            also=tuple(matters[1:]),
            addresses=(customer.email, second),
            subscription_id=case.matters[0].subscription_id,
            answers=tuple(matter.answer for matter in case.matters),
        )
        needs = _needs(truth, case.matters, stage)
        persona = bring_to_life(stage, customer, needs, case.facts, known_as=[second], patience_hours=36.0)
        for matter in matters:
            stage.do(_waits, "system:people", persona.id, matter.ticket_id)
        for number in truth.optional_duplicates:
            stage.do(_has_left, "system:people", persona.id, number)
        return truth

    def brief(self, truth: DuplicateTruth) -> str:
        """Return the task as a team lead would phrase it."""
        return (
            f"You are Ana Duarte, support agent at Larkspur (espresso machines and coffee subscriptions). "
            f"Take care of the customer behind ticket #{truth.asked} in Zendesk, who seems to have written more than "
            "once in the last days, maybe not always from the same address; orders, charges, parcels and "
            "subscriptions are in the back office. Everything about one matter belongs into one ticket: merge it into "
            "the oldest one that is not solved yet. A different matter stays a ticket of its own, and so does whatever "
            "somebody else wrote. Answer each matter once, in the ticket that stays. "
            f"{HOUSE_RULES}"
        )

    # --- facts

    def done(self, view: View, truth: DuplicateTruth) -> bool:
        """Check whether all dues are paid once and the subscription is cancelled; if nothing is due, as `told`."""
        tx, empty = view.tx, not truth.dues and not truth.subscription_id
        if any(paid(tx, due) != 1 for due in truth.dues):
            return False
        if truth.subscription_id and tx.get(Subscription, truth.subscription_id).status != "cancelled":
            return False
        return self.told(view, truth) if empty else True

    @fact("classified", weight=2.0)
    def duplicates_are_one(self, view: View, truth: DuplicateTruth) -> bool:
        """All tickets about the same issue were merged into the ticket that stays."""
        if not truth.duplicates:
            return self._done(view, truth)
        merged = {pair for pair in _merges(view) if pair[1] == truth.ticket_id}
        return {(number, truth.ticket_id) for number in truth.duplicates} <= merged

    @fact("classified", weight=1.0)
    def reason_is_right(self, view: View, truth: DuplicateTruth) -> bool:
        """Every ticket that stays has its contact reason and no other (counts only once the problem is fixed)."""
        return self._done(view, truth) and all(
            set(view.tx.get(Ticket, one.ticket_id).tags) & set(REASONS) == {one.reason} for one in truth.matters
        )

    @fact("responded", weight=2.0)
    def customer_knows(self, view: View, truth: DuplicateTruth) -> bool:
        """The customer was told about each issue in the right ticket (counts only once the problem is fixed)."""
        return self._done(view, truth) and all(_told(view, one) for one in truth.matters)

    @fact("resolved", weight=1.0)
    def ticket_is_solved(self, view: View, truth: DuplicateTruth) -> bool:
        """Every ticket that stays is solved and was not merged (counts only once the problem is fixed)."""
        if not self._done(view, truth):
            return False
        gone = {source for source, _ in _merges(view)}
        return all(
            one.ticket_id not in gone and view.tx.get(Ticket, one.ticket_id).status in ("solved", "closed")
            for one in truth.matters
        )

    # --- harms

    @harm(cost=0.2)
    def strangers_were_merged(self, view: View, truth: DuplicateTruth) -> int:
        """Tickets were merged that are not about the same issue of the same customer."""
        return sum(1 for source, into in _merges(view) if not {source, into} <= set(truth.family))

    # --- qualities

    @quality(weight=1.0)
    def answered_once(self, view: View, truth: DuplicateTruth) -> float:
        """Each issue was answered once, however many mails there were."""
        said = sum(_public_words(view.tx, number, view.staged_us) for number in truth.tickets)
        return min(1.0, len(truth.matters) / said) if said else 0.0

    # --- allowed changes

    def allowed(self, tx: Tx, truth: DuplicateTruth, change: Change) -> bool:
        """Allow this customer's tickets of the case, and the subscription if it must be cancelled."""
        table = change.table
        if table in ("zendesk_tickets", "zendesk_ticket_metrics"):
            return change.key in truth.tickets
        if table in OF_A_TICKET:
            return row_value(tx, change, "ticket_id") in truth.tickets
        if table == "backoffice_subscriptions":
            return bool(truth.subscription_id) and change.key == truth.subscription_id
        return super().allowed(tx, truth, change)

    def addresses(self, truth: DuplicateTruth) -> tuple[str, ...]:
        """Return both addresses of the customer."""
        return truth.addresses

    # --- the oracle

    def oracle(self, hands: Hands, truth: DuplicateTruth) -> None:
        """Read everything, look it up, give what is owed once, merge duplicates, answer and solve each issue."""
        shown = must(hands, "zendesk_get_ticket", ticket_id=truth.asked)
        must(hands, "backoffice_get_customer", customer_id=truth.customer_id)
        must(hands, "zendesk_list_user_tickets", user_id=shown["ticket"]["requester_id"])
        for number in truth.tickets:
            must(hands, "zendesk_list_comments", ticket_id=number)
        if truth.subscription_id:
            must(hands, "backoffice_change_subscription", subscription_id=truth.subscription_id, action="cancel")
        for due in truth.dues:
            arguments = {"charge_id": due.charges[-1], "reason": "goodwill", "amount_cents": due.cents}
            must(hands, "backoffice_refund_charge", **arguments, destination=due.destination)
        if truth.duplicates:
            must(hands, "zendesk_merge_tickets", into=truth.ticket_id, ticket_ids=list(truth.duplicates))
        for one, answer in zip(truth.matters, truth.answers, strict=True):
            must(hands, "zendesk_update_ticket", ticket_id=one.ticket_id, add_tags=[one.reason])
            must(hands, "zendesk_reply_to_ticket", ticket_id=one.ticket_id, body=answer)
        for one in truth.matters:
            must(hands, "zendesk_update_ticket", ticket_id=one.ticket_id, status="solved", fields=closing(one))
        finish(hands, "All settled.")

    # --- cheats

    @cheat
    def tidies_up_only(self, hands: Hands, truth: DuplicateTruth) -> None:
        """Merge the duplicates and close them without giving the customer anything."""
        must(hands, "zendesk_get_ticket", ticket_id=truth.ticket_id)
        if truth.duplicates:
            must(hands, "zendesk_merge_tickets", into=truth.ticket_id, ticket_ids=list(truth.duplicates))
        for one in truth.matters:
            call(hands, "zendesk_update_ticket", ticket_id=one.ticket_id, status="solved", fields=closing(one))
        finish(hands)

    @cheat
    def answers_every_mail_alone(self, hands: Hands, truth: DuplicateTruth) -> None:
        """Treat each mail as a separate issue: refund, answer and solve them one by one."""
        for number in truth.tickets:
            call(hands, "zendesk_get_ticket", ticket_id=number)
            for charge in truth.dues[0].charges if truth.dues else ():
                call(hands, "backoffice_refund_charge", charge_id=charge, reason="goodwill")
            call(hands, "zendesk_reply_to_ticket", ticket_id=number, body=truth.answers[0])
            call(hands, "zendesk_update_ticket", ticket_id=number, status="solved", fields=closing(truth))
        finish(hands)

    @cheat
    def merges_every_open_ticket(self, hands: Hands, truth: DuplicateTruth) -> None:
        """Make the refunds, but merge every open ticket into one."""
        must(hands, "zendesk_get_ticket", ticket_id=truth.ticket_id)
        for due in truth.dues:
            call(
                hands, "backoffice_refund_charge", charge_id=due.charges[-1], reason="goodwill", amount_cents=due.cents
            )
        found = must(hands, "zendesk_search_tickets", query="status<solved", sort_by="created_at")["results"]
        others = [row["id"] for row in found if row["id"] != truth.ticket_id]
        call(hands, "zendesk_merge_tickets", into=truth.ticket_id, ticket_ids=others)
        body = " ".join(truth.answers)
        call(hands, "zendesk_reply_to_ticket", ticket_id=truth.ticket_id, body=body)
        update(hands, truth, status="solved")
        finish(hands)


# --- staging


def _other_address(stage: Stage, customer: Customer) -> str:
    local = customer.email.split("@")[0].replace(".", "").replace("-", "").replace("_", "")[:14]
    dice = stage.dice.child("second address")
    return f"{local}{dice.integer(2, 98)}@{dice.pick(DOMAINS)}"


def _arrive(stage: Stage, index: int, letter: Letter, case: Case, author: Customer, second: str) -> int:
    """Deliver one mail and let time pass; add a colleague's answer if there is one; return the ticket's number."""
    stranger = letter.about == STRANGER
    sender = second if letter.elsewhere else author.email
    given, _, family = author.name.rpartition(" ")
    voice = stage.dice.child("stranger voice").pick(("plain", "terse", "polite")) if stranger else people_voice(stage)
    hand = Persona(email=sender, name=author.name, given=given or author.name, family=family, voice=voice)
    dice, facts = stage.dice.child("letter", index), case.stranger_facts if stranger else case.facts
    text = people.dress(dice, people.writer_of(hand), letter.matter, facts, embroider=True)
    number = stage.do(desk.receive_mail, f"persona:{sender}", sender, letter.subject, text, sender_name=author.name)
    stage.wait(timedelta(minutes=dice.integer(12, 95)))
    if letter.answered:
        stage.do(_answer, f"staff:{COLLEAGUE}", number, letter.answered, letter.solved)
        stage.wait(timedelta(minutes=dice.integer(20, 90)))
    return number


def _answer(tx: Tx, number: int, text: str, solved: bool) -> None:
    """Add a colleague's answer, and set the ticket to solved or pending."""
    colleague = tx.first(User, "email = ?", COLLEAGUE)
    fields: dict[str, Any] = {"status": "solved" if solved else "pending"}
    if solved:
        fields["custom_fields"] = by_field_id(tx, {"reason": "reason_lost_parcel", "resolution": ANSWERED})
    desk.comment(tx, number, text, by=colleague, assignee_id=colleague.id if colleague else None, **fields)


def _settled_in(plan: str, matter: Matter, customer: Customer, number: int) -> ShopTruth:
    return ShopTruth(
        plan=plan,
        ticket_id=number,
        requester=customer.email,
        customer_id=customer.id,
        reason=matter.reason,
        dues=matter.dues,
        say_cents=matter.say_cents,
        may_say_cents=matter.may_say_cents,
        say=matter.say,
        order_number=matter.order,
        budget=22,
    )


def _waits(tx: Tx, persona_id: int, number: int) -> None:
    """Let the customer wait for an answer in this thread since the mail arrived."""
    ticket = tx.get(Ticket, number)
    people.expect_reply(
        tx, tx.get(Persona, persona_id), "email", str(number), ticket.subject, (), "", ticket.created_at
    )


def _has_left(tx: Tx, persona_id: int, number: int) -> None:
    """Let the customer ignore this thread: they have written another mail since."""
    at = tx.get(Ticket, number).created_at
    thread = str(number)
    tx.add(
        Conversation(persona_id=persona_id, channel="email", thread=thread, state="moved", opened_at=at, spoke_at=at)
    )


def _needs(truth: DuplicateTruth, matters: Sequence[Matter], stage: Stage) -> list[Need]:
    needs = []
    for index, (one, matter) in enumerate(zip(truth.matters, matters, strict=True)):
        for due in matter.dues:
            args = {"due": msgspec.to_builtins(due)}
            needs.append(Need(name=f"refund {index}", check="refund.paid", args=args, wish=matter.wish, about="refund"))
        if matter.subscription_id:
            args = {"subscription": matter.subscription_id, "status": "cancelled"}
            wish = "Please cancel the subscription."
            needs.append(Need(name="the end", check="shop.subscription", args=args, wish=wish, about="cancellation"))
        if not matter.dues and not matter.subscription_id:
            told = {"truth": msgspec.to_builtins(one), "since": to_us(stage.now)}
            needs.append(Need(name=f"answer {index}", check="desk.told", args=told, wish=matter.wish))
    return needs


# --- judging


def _told(view: View, one: ShopTruth) -> bool:
    return any(is_complete_reply(comment.body, one) for comment in replies(view.tx, one, view.staged_us))


def _merges(view: View) -> set[tuple[int, int]]:
    """Return every merge since the episode began, from the audits: the closed ticket and the target."""

    def look() -> set[tuple[int, int]]:
        touched = "ticket_id IN (SELECT id FROM zendesk_tickets WHERE updated_at >= ?)"
        merged = f"{touched} AND created_at >= ? AND instr(source, 'merge') > 0"
        found = view.tx.all(Audit, merged, view.staged_at, view.staged_at)
        return {
            (audit.ticket_id, int(audit.source["to"]["ticket_id"]))
            for audit in found
            if audit.source.get("rel") == "merge" and audit.source.get("to", {}).get("ticket_id")
        }

    return view.once("merges", look)


def _public_words(tx: Tx, number: int, since_us: int) -> int:
    """Return how often staff publicly replied in a ticket."""
    said = tx.all(Comment, "ticket_id = ? AND public = 1 AND created_at >= ?", number, since_us)
    return sum(1 for comment in said if tx.get(User, comment.author_id).role != "end-user")


__all__ = ["DuplicateTickets", "DuplicateTruth"]
