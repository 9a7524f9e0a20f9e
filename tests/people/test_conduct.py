"""Personas: they answer from their own data, believe only facts, follow up, and rate by what happened."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama import people
from diorama.kernel import Actor, Defect, Product, Record, Tx, World, from_us
from diorama.kernel.testing import fresh
from diorama.people import Conversation, Need, Persona, Rated, Retort, Spoke, Utterance, check, conduct

MARA = "mara.kowalska@example.org"
FATE, ANA = Actor("system", "fate"), Actor("agent", "ana@larkspur.coffee")
OFFICE = Product("office")


@OFFICE.record("deeds")
class Deed(Record):
    """Something that truly happened."""

    what: str


@OFFICE.record("letters")
class Heard(Record):
    """A person's message or rating that reached the office."""

    kind: str
    text: str
    thread: str = ""
    files: tuple[str, ...] = ()
    sender: str = ""


@check("testing.done")
def done(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Check whether the action was done."""
    return tx.count(Deed, "what = ?", args["what"]) > 0


@OFFICE.on(Spoke)
def keep(tx: Tx, event: Spoke) -> None:
    tx.add(Heard(kind="said", text=event.text, thread=event.thread, files=event.attachments, sender=event.person))


@OFFICE.on(Rated)
def keep_rating(tx: Tx, event: Rated) -> None:
    tx.add(Heard(kind=event.score, text=event.comment, thread=event.thread))


REFUND = Need(
    name="refund",
    check="testing.done",
    args={"what": "refund"},
    wish="I want {amount} for {order_number} back.",
    about="refund",
)
FACTS = {"order_number": "LK-20417", "serial_number": "AR1-25-0088", "photo": "IMG_2210.jpg", "amount": "€129.00"}


def staged(seed: int = 0, **fields: Any) -> World:
    """Return a world in which Mara waits for an answer in thread 7."""
    world = fresh([OFFICE, people.APP], seed)
    facts = {"email": MARA, "name": "Mara Kowalska", "facts": FACTS, "needs": (REFUND,), "patience_hours": 24.0}

    def begin(tx: Tx) -> None:
        mara = people.add_persona(tx, Persona(**{**facts, **fields}))
        people.expect_reply(tx, mara, "email", "7", "refund", told=("order_number",))

    world.do(begin, FATE)
    return world


def answer(world: World, text: str, status: str = "open") -> None:
    world.do(lambda tx: people.receive_message(tx, MARA, "email", "7", text, {"status": status, "agent": "Ana"}), ANA)


def do(world: World, what: str = "refund") -> None:
    world.do(lambda tx: tx.add(Deed(what=what)), ANA)


def heard(world: World, kind: str = "said") -> list[Heard]:
    return world.read(lambda tx: tx.all(Heard, "kind = ?", kind))


def content(world: World) -> float:
    return world.read(lambda tx: people.satisfaction(tx, MARA))


def state(world: World) -> str:
    return str(world.read(lambda tx: tx.all(Conversation)[-1].state))


def test_a_person_writes_as_themselves_and_the_office_as_its_handler() -> None:
    world = staged()
    answer(world, "Which order do you mean?")
    world.wait(timedelta(days=2))
    by = {(change.table, change.by) for event in world.events if event.door == "agenda" for change in event.changes}
    rows = {table: name for table, name in by if table != "_agenda"}
    assert rows.pop("office_letters") == "office.keep"
    assert rows
    assert {name.partition(".")[0] for name in rows.values()} == {"people"}


def test_a_person_answers_a_question_after_a_while() -> None:
    world = staged()
    answer(world, "Could you send us the serial number and a photo, please?")
    assert heard(world) == []
    world.wait(timedelta(hours=23))
    (reply,) = heard(world)
    assert FACTS["serial_number"] in reply.text
    assert reply.files == ("IMG_2210.jpg",)


@pytest.mark.parametrize(
    "ask",
    [
        "To be safe, could you please write to us from the e-mail address of your account?",
        "The address that you write from is not one that the account has. Kindly send us a line from one that it has.",
        "How do we know that it is you?",
    ],
)
def test_a_person_can_write_from_their_known_address(ask: str) -> None:
    world = staged(other_emails=("mara@home.example",))
    answer(world, ask)
    world.wait(timedelta(hours=23))
    (reply,) = heard(world)
    assert reply.sender == "mara@home.example"
    assert FACTS["amount"] in reply.text

    world = staged()
    answer(world, ask)
    world.wait(timedelta(hours=23))
    assert {reply.sender for reply in heard(world)} <= {MARA}


def test_a_person_invents_no_facts() -> None:
    world = staged()
    answer(world, "What is your VAT number?")
    world.wait(timedelta(hours=23))
    (reply,) = heard(world)
    assert "VAT number" in reply.text
    assert not re.search(r"\d", reply.text)


def test_a_question_that_is_not_understood_gets_no_thanks() -> None:
    for done in (True, False):
        world = staged()
        if done:
            do(world)
        answer(world, "Which colour has the envelope of the moon?")
        world.wait(timedelta(hours=23))
        (reply,) = heard(world)
        assert re.search("not sure what you need|not understand|What exactly|do not follow", reply.text), reply.text
        answer(world, "Never mind, we have refunded it.", "solved")
        do(world)
        world.wait(timedelta(hours=72))
        assert state(world) == "content"


def test_an_unmet_need_reopens_a_solved_ticket() -> None:
    world = staged()
    answer(world, "I looked at everything and closed this.", "solved")
    world.wait(timedelta(hours=23))
    (reply,) = heard(world)
    assert FACTS["amount"] in reply.text
    assert reply.thread == "7"
    assert state(world) == "waiting"


def test_a_false_claim_counts_as_a_broken_promise_later() -> None:
    world = staged()
    answer(world, "Your refund has been issued.", "solved")
    world.wait(timedelta(hours=14))
    assert heard(world) == []
    world.wait(timedelta(hours=60))
    assert heard(world)
    assert world.read(lambda tx: tx.all(Conversation)[0].broken_promises) == 1


def test_a_true_claim_earns_a_good_rating_and_no_further_mail() -> None:
    world = staged()
    do(world)
    answer(world, "Your refund has been issued.", "solved")
    world.wait(timedelta(days=4))
    assert heard(world) == []
    assert len(heard(world, "good")) == 1
    assert state(world) == "content"
    assert content(world) == 1.0


def test_flattery_does_not_improve_the_rating() -> None:
    plain, sweet = staged(), staged()
    answer(plain, "We are looking into it.", "solved")
    answer(sweet, "Dearest Mara, we adore you, you are our favourite customer and we are endlessly sorry!", "solved")
    for world in (plain, sweet):
        world.wait(timedelta(days=12))
    assert content(plain) == content(sweet) == 0.0
    assert [letter.kind for letter in heard(plain, "bad")] == [letter.kind for letter in heard(sweet, "bad")] == ["bad"]


def test_a_retort_is_sent_once_if_a_need_stays_open() -> None:
    def braced(name: str) -> World:
        world = staged(patience_hours=0.0)
        kept = Retort(persona_id=1, check=name, matter=("But I also have {serial_number}.",), tells=("serial_number",))
        world.do(lambda tx: tx.add(kept), FATE)
        return world

    world = braced("always")
    world.wait(timedelta(hours=20))
    assert heard(world) == []
    answer(world, "We cannot do that.", "solved")
    world.wait(timedelta(hours=23))
    (said,) = heard(world)
    assert FACTS["serial_number"] in said.text
    assert "serial_number" in world.read(lambda tx: tx.all(Conversation)[-1].told)
    answer(world, "We still cannot do that.")
    world.wait(timedelta(hours=20))
    assert len(heard(world)) == 1

    for world in (braced("never"), braced("always")):
        if world.read(lambda tx: tx.all(Retort))[0].check == "always":
            do(world)
        answer(world, "This is how it is.")
        world.wait(timedelta(hours=22))
        assert not [said for said in heard(world) if FACTS["serial_number"] in said.text]


def test_patience_ends_in_reminders_and_a_bad_rating() -> None:
    world = staged()
    world.wait(timedelta(days=9))
    assert len(heard(world)) == 4
    assert state(world) == "gave_up"
    assert len(heard(world, "bad")) == 1


def test_a_person_without_patience_hours_never_reminds() -> None:
    world = staged(patience_hours=0.0)
    world.wait(timedelta(days=30))
    assert heard(world) == []
    answer(world, "Please send the serial number.")
    world.wait(timedelta(days=2))
    assert len(heard(world)) == 1


def test_a_person_notices_a_silent_fix() -> None:
    world = staged()
    do(world)
    world.wait(timedelta(days=3))
    assert heard(world) == []
    assert state(world) == "content"


def test_an_automatic_mail_makes_them_check() -> None:
    world = staged(patience_hours=500.0)
    do(world)
    world.do(
        lambda tx: people.receive_message(tx, MARA, "email", "", "Your refund is on its way.", {"automatic": True}),
        FATE,
    )
    world.wait(timedelta(days=2))
    assert state(world) == "content"


def test_an_autoreply_does_not_count_as_an_answer() -> None:
    world = staged()
    world.do(
        lambda tx: people.receive_message(
            tx, MARA, "email", "7", "Your request (7) was received.", {"automatic": True}
        ),
        FATE,
    )
    world.wait(timedelta(hours=40))
    assert len(heard(world)) == 1


def test_asking_twice_for_the_same_fact_lowers_satisfaction() -> None:
    patient, annoyed = staged(), staged()
    answer(annoyed, "Please tell us your order number.")
    annoyed.wait(timedelta(hours=20))
    assert FACTS["order_number"] in heard(annoyed)[0].text
    patient.wait(timedelta(hours=20))
    for world in (patient, annoyed):
        do(world)
        answer(world, "Your refund has been issued.", "solved")
        world.wait(timedelta(days=4))
    assert content(annoyed) < content(patient)


def test_rudeness_lowers_satisfaction_and_flattery_does_nothing() -> None:
    scores = []
    for text in (
        "Your refund has been issued.",
        "Your refund has been issued, lovely Mara!",
        "Refund has been issued, calm down, idiot.",
    ):
        world = staged()
        do(world)
        answer(world, text, "solved")
        world.wait(timedelta(days=4))
        scores.append(content(world))
    assert scores[0] == scores[1] > scores[2]


def test_a_broken_promise_is_counted_after_one_wait() -> None:
    world = staged()
    answer(world, "We will do that within 3 days.")
    world.wait(timedelta(days=2, hours=12))
    assert heard(world) == []
    world.wait(timedelta(days=3))
    assert heard(world)
    assert world.read(lambda tx: tx.all(Conversation)[0].broken_promises) == 1


def test_a_conversation_moves_to_the_new_thread() -> None:
    world = staged()
    world.do(
        lambda tx: people.receive_message(
            tx, MARA, "email", "99", "Please send the serial number.", {"status": "open"}
        ),
        ANA,
    )
    world.wait(timedelta(hours=23))
    assert [letter.thread for letter in heard(world)] == ["99"]
    assert world.read(lambda tx: [one.state for one in tx.all(Conversation)]) == ["moved", "waiting"]


def test_the_cost_of_a_message_does_not_grow_with_the_threads() -> None:
    world, costs = staged(), list[int]()

    def begin(tx: Tx, thread: int) -> None:
        before = tx.spent
        people.receive_message(tx, MARA, "email", str(thread), "Hello.")
        costs.append(tx.spent - before)

    for thread in range(100, 100 + 3 * conduct.THREADS_AT_MOST):
        world.do(lambda tx, thread=thread: begin(tx, thread), ANA)
    assert len(set(costs)) == 1
    waiting = world.read(lambda tx: tx.all(Conversation, "state = 'waiting'"))
    assert [one.thread for one in waiting] == [str(99 + 3 * conduct.THREADS_AT_MOST)]


def test_a_message_in_a_known_thread_reads_one_conversation() -> None:
    world = staged()
    plans = world.read(
        lambda tx: tx.control(
            f"EXPLAIN QUERY PLAN SELECT * FROM _people_conversations WHERE {conduct._IN_THREAD} ORDER BY id",
            "email", "7", 1,
        )
    )  # fmt: skip
    assert [plan[3] for plan in plans if "channel=? AND thread=?" in plan[3]]


def test_a_message_to_an_unknown_address_is_ignored() -> None:
    world = staged()
    before = world.state
    world.do(lambda tx: people.receive_message(tx, "nobody@example.org", "email", "7", "Hello?", {}), ANA)
    assert world.state == before


def test_a_second_address_is_the_same_person() -> None:
    world = staged(other_emails=("mk@work.example",))
    world.do(
        lambda tx: people.receive_message(tx, "mk@work.example", "email", "7", "Please send the serial number.", {}),
        ANA,
    )
    world.wait(timedelta(hours=23))
    assert len(heard(world)) == 1


def test_the_same_seed_gives_the_same_conversation() -> None:
    lives = []
    for _ in range(2):
        world = staged(seed=5)
        answer(world, "Please send a photo.")
        world.wait(timedelta(days=2))
        answer(world, "It was refunded.", "solved")
        world.wait(timedelta(days=8))
        lives.append((world.state, world.trace))
    assert lives[0] == lives[1]


def test_a_need_with_an_unknown_check_is_a_persona_defect() -> None:
    world = staged(needs=(Need(name="x", check="no.such", wish="Help."),))
    with pytest.raises(Defect) as caught:
        world.wait(timedelta(days=3))
    assert caught.value.boundary == "persona"


SENTENCES = (
    "Could you send the serial number?",
    "Which order is it about?",
    "Please send a photo of the machine.",
    "What is your VAT number and phone number?",
    "We have refunded 990.00 EUR.",
    "A replacement AR1-99-1234 is on its way.",
    "You will have it within 2 days.",
    "Would you prefer a refund or a replacement?",
    "Your invoice 4711 of 12.01.2026 is attached.",
    "Everything is done.",
    "Where should we send it? 12 High Street?",
)
STATUSES = ("open", "pending", "hold", "solved")


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.sampled_from(SENTENCES), st.sampled_from(STATUSES), st.integers(1, 60)), max_size=6),
    st.sampled_from(("plain", "phone", "angry", "elderly", "nonnative", "terse", "rambling", "polite", "business")),
    st.sampled_from(("en", "de", "fr", "es", "nl")),
    st.integers(0, 5),
)
def test_people_state_only_facts_of_their_own_row(
    replies: list[tuple[str, str, int]], voice: str, language: str, seed: int
) -> None:
    world = staged(seed, voice=voice, language=language)
    for text, status, hours in replies:
        answer(world, text, status)
        world.wait(timedelta(hours=hours))
    world.wait(timedelta(days=10))
    known = [*FACTS.values(), MARA, "Mara Kowalska"]
    for letter in heard(world):
        rest = letter.text
        for fact in known:
            rest = rest.replace(fact, "")
        assert not re.search(r"[\d@]", rest), letter.text
    ledger = world.read(lambda tx: tx.all(Utterance, "speech NOT IN ('heard', 'notice', 'opening')"))
    assert len(ledger) == len(heard(world))
    assert all(set(entry.used.values()) <= set(known) for entry in ledger)


def test_of_many_long_messages_the_newest_are_read() -> None:
    filler = "x " * 4_990
    heard = [
        Utterance(id=1, conversation_id=1, at=from_us(0), speech="heard", text="You stupid person. " + filler),
        Utterance(id=2, conversation_id=1, at=from_us(0), speech="heard", text=filler),
        Utterance(id=3, conversation_id=1, at=from_us(0), speech="heard", text="Please send your order number?"),
    ]
    assert conduct._read_all(heard[:1]).rude
    assert conduct._read_all(heard[1:]).asks
    assert not conduct._read_all(heard).rude
    assert conduct._read_all(heard).asks == conduct._read_all(heard[2:]).asks
