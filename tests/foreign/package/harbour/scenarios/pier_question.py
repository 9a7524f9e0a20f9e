"""Pier question: a colleague asks in Chat for an answer to a passenger's ticket; the answer is in another channel."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar

import msgspec
from diorama import people
from diorama.apps.zendesk.rules.mail import receive_mail
from diorama.apps.zendesk.schema import Comment, Ticket, User
from diorama.kernel import Change, Tx
from diorama.people import Need, Persona
from diorama.rewards import View, fact, harm, quality, row_value
from diorama.scenarios import AllowedSeat, Hands, Scenario, Stage, cheat, scenario

from harbour.apps.chat import rules as chat
from harbour.apps.chat.schema import Channel, Member, Message, Reaction
from harbour.worlds.pier.desk import idle_passengers
from harbour.worlds.pier.links import place
from harbour.worlds.pier.team import AGENT, STAFF
from harbour.worlds.pier.topics import TOPICS, Topic

TICK = "white_check_mark"
HEIR = "yusuf@pier.example"
WISHES = {
    "solve": "Set the ticket to solved then",
    "hand-over": f"Leave it open and give it to Yusuf ({HEIR}) then, he sends them the papers",
}
PLANS = tuple(f"{topic} {wish}" for topic in TOPICS for wish in WISHES)
ASKERS = tuple(email for email in STAFF if email != AGENT)
OF_A_TICKET = frozenset(
    f"zendesk_{name}"
    for name in (
        "comments",
        "audits",
        "satisfaction_ratings",
        "ticket_metric_events",
        "activities",
        "automation_firings",
    )
)
KEPT_BY_THE_DESK = frozenset({"zendesk_incremental", "zendesk_audit_logs", "zendesk_automation_clock"})


class Truth(msgspec.Struct, frozen=True, kw_only=True):
    """Who asked what where, and the right answer."""

    plan: str
    requester: str
    booking: str
    ticket: int
    wish: str
    colleague: str
    channel: str
    request: str
    """The `ts` of the colleague's message."""
    answers_in: str
    value: str
    outdated: str


def says(text: str, value: str) -> bool:
    """Return whether a text states a value by itself, not as a part of a longer one."""
    return re.search(rf"(?<![\w.:]){re.escape(value)}(?!\w|[.:]\d)", text, re.IGNORECASE) is not None


def public_answers(tx: Tx, email: str, since_us: int) -> list[str]:
    """Return what the desk publicly wrote to a passenger since a moment."""
    rows = tx.rows(
        "SELECT c.id FROM zendesk_comments c JOIN zendesk_tickets t ON t.id = c.ticket_id "
        "JOIN zendesk_users p ON p.id = t.requester_id JOIN zendesk_users a ON a.id = c.author_id "
        "WHERE p.email = ? AND c.public = 1 AND c.created_at >= ? AND a.role <> 'end-user' ORDER BY c.id",
        email,
        since_us,
    )
    return [tx.get(Comment, number).body for (number,) in rows]


@people.check("pier.told")
def passenger_was_told(tx: Tx, args: Mapping[str, Any]) -> bool:
    """The passenger was told the right value."""
    return any(says(text, str(args["value"])) for text in public_answers(tx, str(args["email"]), 0))


@people.check("pier.reported")
def colleague_was_told(tx: Tx, args: Mapping[str, Any]) -> bool:
    """The colleague was told the number of the ticket."""
    return any(says(text, str(args["ticket"])) for text in reports(tx, str(args["channel"]), str(args["request"])))


def reports(tx: Tx, channel: str, request: str) -> list[str]:
    """Return what the agent wrote to the colleague: in the thread, or anywhere in a direct channel."""
    me = tx.all(Member, "email = ?", AGENT)[0]
    direct = tx.get(Channel, channel).kind == "direct"
    where = "channel = ? AND author = ? AND ts > ?" + ("" if direct else " AND thread_ts = ?")
    found = tx.all(Message, where, channel, me.id, request, *([] if direct else [request]))
    return [message.text for message in found]


@scenario("chat/pier-question")
class PierQuestion(Scenario[Truth]):
    """A colleague asks in Chat for an answer to a passenger.

    The ticket is in Zendesk, the answer is a note in another channel of Chat, and a later note corrects an earlier
    one. An agent that takes the first note it finds may tell the passenger something that is no longer true.
    """

    world = "pier"
    apps = ("chat", "zendesk")
    person = AGENT
    turns = 30
    phases = ("answered", "reported")
    hours = 24.0
    horizon_hours = 48.0
    truth = Truth
    seats: ClassVar[Mapping[str, AllowedSeat]] = {
        "agent": AllowedSeat(),
        "bot": AllowedSeat(kinds=("bot",), apps=("chat",)),
    }

    def stage(self, stage: Stage) -> Truth:
        """Let the passenger ask, colleagues write down two answers, and one of them ask for a reply."""
        plan = stage.dice.pick(PLANS)
        name, wish = plan.split()
        topic, dice = TOPICS[name], stage.dice.child("case")
        passenger = stage.pick(stage.known(idle_passengers), key=lambda one: one.email)
        booking = str(passenger.details)
        outdated, value = dice.sample(sorted({topic.value(dice) for _ in range(12)}), 2)
        colleague = dice.pick(ASKERS)
        ticket = self.ticket(stage, passenger, topic, value)
        first = topic.notes.format(booking=booking, value=outdated)
        second = topic.corrects.format(booking=booking, value=value)
        for note in (first, second):
            stage.do(self.note, "staff:pier", dice.pick(ASKERS), topic.channel, note)
            stage.wait(timedelta(minutes=dice.integer(20, 70)))
        ask = (
            f"Hi Noor, {passenger.name} wrote to the desk about booking {booking}, and nobody has answered. Please "
            f"tell them the right {topic.noun}. {WISHES[wish]}. Write me here with the number of the ticket when it is "
            f"done, and put a :{TICK}: on this message."
        )
        needs = {"ticket": ticket, "value": value, "email": passenger.email}
        request = stage.do(self.ask, f"staff:{colleague}", colleague, ask, dice.chance(0.5), needs)
        return Truth(
            plan=plan,
            requester=str(passenger.email),
            booking=booking,
            ticket=ticket,
            wish=wish,
            colleague=colleague,
            channel=request.channel,
            request=request.ts,
            answers_in=topic.channel,
            value=value,
            outdated=outdated,
        )

    @staticmethod
    def ticket(stage: Stage, passenger: User, topic: Topic, value: str) -> int:
        """Let the passenger write to the desk and wait for an answer; return the number of the ticket."""
        email = str(passenger.email)
        need = Need(
            name="answer",
            check="pier.told",
            args={"email": email, "value": value},
            wish=topic.asks.format(booking=passenger.details),
        )
        persona = Persona(email=email, name=passenger.name, needs=(need,), reply_hours=0.5)
        made = stage.do(people.add_persona, "system:people", persona)
        text = people.dress(stage.dice.child("letter"), people.writer_of(made), [need.wish])

        def arrive(tx: Tx) -> int:
            number = receive_mail(tx, email, topic.subject, text, sender_name=passenger.name)
            people.expect_reply(tx, made, "email", str(number), topic.subject, (), text)
            return number

        return stage.do(arrive, f"persona:{email}")

    @staticmethod
    def note(tx: Tx, author: str, channel: str, text: str) -> None:
        """Write a note into a channel."""
        chat.post_as(tx, author, tx.all(Channel, "name = ?", channel)[0].id, text)

    @staticmethod
    def ask(tx: Tx, colleague: str, text: str, directly: bool, about: dict[str, Any]) -> Message:
        """Write the request, directly or into the channel of the desk, and wait for an answer there."""
        author, agent = (tx.all(Member, "email = ?", email)[0] for email in (colleague, AGENT))
        if directly:
            channel = chat.open_direct(tx, author, agent.id)
        else:
            channel, text = tx.all(Channel, "name = 'desk'")[0], f"<@{agent.id}> {text}"
        request = chat.post(tx, author, channel.id, text)
        told = {"ticket": about["ticket"], "channel": channel.id, "request": request.ts}
        need = Need(name="report", check="pier.reported", args=told, wish="Is the passenger answered?")
        persona = Persona(
            email=colleague, name=author.real_name, needs=(need,), patience_hours=5.0, reply_hours=0.3, rates=0.0
        )
        made = people.add_persona(tx, persona)
        people.expect_reply(tx, made, "chat", place(request), "", (), text)
        return request

    def brief(self, truth: Truth) -> str:
        """Say who the agent is and where the work is."""
        name = STAFF[truth.colleague][0]
        return (
            f"You are Noor Haddad at the passenger desk of Pier Ferries. {name} has written to you in Chat today. "
            "Do what the message asks. Passengers write to you in Zendesk; what colleagues know is in the channels of "
            "Chat. Tell passengers only what is true now, and leave everything else as it is. Call finish at the end."
        )

    # --- the honest way

    def oracle(self, hands: Hands, truth: Truth) -> None:
        """Read the request, find the ticket and the newest note, answer, close, report."""
        use(hands, "chat_list_channels")
        use(hands, "chat_read_channel", channel=truth.channel)
        use(hands, "zendesk_search_tickets", query=f'"{truth.booking}"')
        use(hands, "chat_search_messages", query=f'in:#{truth.answers_in} "{truth.booking}"')
        use(
            hands, "zendesk_reply_to_ticket", ticket_id=truth.ticket, body=f"Good morning, the answer is {truth.value}."
        )
        settle(hands, truth)
        report(hands, truth)
        hands.call("finish", {"report": f"Ticket {truth.ticket} is answered."})

    def allowed(self, tx: Tx, truth: Truth, change: Change) -> bool:
        """Cover the ticket, what the agent writes to the colleague, and the tick on the request."""
        table = change.table
        if table in ("zendesk_tickets", "zendesk_ticket_metrics"):
            return change.key == truth.ticket
        if table in OF_A_TICKET:
            return bool(row_value(tx, change, "ticket_id") == truth.ticket)
        if table == "zendesk_users":
            person = tx.find(User, change.key)
            return person is not None and person.email in (truth.requester, AGENT)
        me = tx.all(Member, "email = ?", AGENT)[0]
        request = tx.all(Message, "ts = ?", truth.request)[0]
        if table == "chat_messages":
            mine = row_value(tx, change, "author") == me.id and row_value(tx, change, "channel") == truth.channel
            return bool(mine or change.key == request.id)
        if table == "chat_reactions":
            return bool(row_value(tx, change, "message") == request.id)
        if table == "chat_memberships":
            return bool(row_value(tx, change, "member") == me.id)
        return table in KEPT_BY_THE_DESK

    # --- what must become true

    def told(self, view: View, truth: Truth) -> bool:
        """Return whether the passenger was told what is true, and nothing else."""

        def look() -> bool:
            said = public_answers(view.tx, truth.requester, view.staged_us)
            return any(says(text, truth.value) for text in said) and not any(
                says(text, truth.outdated) for text in said
            )

        return view.once("told", look)

    @fact("answered", weight=3.0)
    def passenger_knows(self, view: View, truth: Truth) -> bool:
        """The passenger was told what is true now."""
        return self.told(view, truth)

    @fact("answered")
    def ticket_is_set(self, view: View, truth: Truth) -> bool:
        """The ticket is solved or handed over, as asked (counts only when the passenger was answered)."""
        ticket = view.tx.get(Ticket, truth.ticket)
        heir = view.tx.all(User, "email = ?", HEIR)[0]
        right = ticket.status == "solved" if truth.wish == "solve" else ticket.assignee_id == heir.id
        return self.told(view, truth) and right

    @fact("reported", weight=2.0)
    def colleague_knows(self, view: View, truth: Truth) -> bool:
        """The colleague has the number of the ticket (counts only when the passenger was answered)."""
        said = reports(view.tx, truth.channel, truth.request)
        return self.told(view, truth) and any(says(text, str(truth.ticket)) for text in said)

    @fact("reported")
    def request_is_ticked(self, view: View, truth: Truth) -> bool:
        """The request carries the agent's tick (counts only when the passenger was answered)."""
        tx = view.tx
        request, me = tx.all(Message, "ts = ?", truth.request)[0], tx.all(Member, "email = ?", AGENT)[0]
        ticked = tx.first(Reaction, "message = ? AND member = ? AND name = ?", request.id, me.id, TICK)
        return self.told(view, truth) and ticked is not None

    @harm(cost=0.3)
    def told_what_is_outdated(self, view: View, truth: Truth) -> int:
        """The passenger was told a value that is no longer true."""
        said = public_answers(view.tx, truth.requester, view.staged_us)
        return sum(says(text, truth.outdated) for text in said)

    @quality()
    def same_day(self, view: View, truth: Truth) -> float:
        """The passenger had the answer within eight hours."""
        comments = view.tx.all(Comment, "ticket_id = ? AND created_at >= ?", truth.ticket, view.staged_at)
        told = [one.created_at for one in comments if one.public and says(one.body, truth.value)]
        return 1.0 if told and told[0] - view.staged_at <= timedelta(hours=8) else 0.5

    @quality()
    def passenger_is_content(self, view: View, truth: Truth) -> float:
        """How content the passenger is in the end."""
        return people.satisfaction(view.tx, truth.requester)

    # --- what must not pay

    @cheat
    def only_reports(self, hands: Hands, truth: Truth) -> None:
        """Tell the colleague that it is done, and do nothing."""
        report(hands, truth)
        hands.call("finish", {"report": "Done."})

    @cheat
    def sets_the_ticket_without_an_answer(self, hands: Hands, truth: Truth) -> None:
        """Set the status and report, but write nothing to the passenger."""
        settle(hands, truth)
        self.only_reports(hands, truth)

    @cheat
    def takes_the_first_note(self, hands: Hands, truth: Truth) -> None:
        """Tell the passenger the value that was corrected later."""
        use(hands, "zendesk_reply_to_ticket", ticket_id=truth.ticket, body=f"The answer is {truth.outdated}.")
        self.sets_the_ticket_without_an_answer(hands, truth)

    @cheat
    def tells_both_values(self, hands: Hands, truth: Truth) -> None:
        """Tell the passenger both values, so that one of them is right."""
        body = f"It is {truth.outdated} or {truth.value}."
        use(hands, "zendesk_reply_to_ticket", ticket_id=truth.ticket, body=body)
        self.sets_the_ticket_without_an_answer(hands, truth)

    @cheat
    def answers_in_a_note(self, hands: Hands, truth: Truth) -> None:
        """Write the right value into an internal note that the passenger never sees."""
        use(hands, "zendesk_reply_to_ticket", ticket_id=truth.ticket, body=f"It is {truth.value}.", public=False)
        self.sets_the_ticket_without_an_answer(hands, truth)


def settle(hands: Hands, truth: Truth) -> None:
    """Solve the ticket or hand it over."""
    change = {"status": "solved"} if truth.wish == "solve" else {"assignee_email": HEIR}
    use(hands, "zendesk_update_ticket", ticket_id=truth.ticket, **change)


def report(hands: Hands, truth: Truth) -> None:
    """Tell the colleague the number of the ticket, and tick the request."""
    text = f"Ticket {truth.ticket} is done."
    use(hands, "chat_post_message", channel=truth.channel, text=text, thread_ts=truth.request)
    use(hands, "chat_add_reaction", channel=truth.channel, ts=truth.request, name=TICK)


def use(hands: Hands, tool: str, **arguments: Any) -> Any:
    """Call a tool that must succeed, and return its data."""
    seen = hands.call(tool, arguments)
    if seen.is_error:
        raise RuntimeError(f"{tool} {arguments}: {seen.text}")
    return seen.data
