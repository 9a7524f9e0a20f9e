"""How a persona behaves: reads messages, answers, follows up, comes back, gives up, and rates the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec

from diorama.kernel import Tx
from diorama.people import colleagues
from diorama.people.checks import holds
from diorama.people.judging import mood_of, plan_rating, reader_named, unmet, unseen
from diorama.people.material import load
from diorama.people.names import Person, split_name
from diorama.people.reading import READ_AT_MOST, Reading, load_patterns, read
from diorama.people.rhythms import awake, reply_delay
from diorama.people.schema import APP, Conversation, Need, Persona, Retort, Speech, Spoke, Utterance
from diorama.people.settings import local_now, settings
from diorama.people.writing import Writer, dress

APP.before_serving(load_patterns)

FOLLOW_UPS_AT_MOST = 3
REOPENS_AT_MOST = 2
PROMISES_TRUSTED = 2
HEARD_AT_MOST = 50
"""The messages that a person reads before they react; older ones are ignored."""
READING_ROWS = 4
"""The rows that a character counts for which a person reads."""
THREADS_AT_MOST = 100
"""How many of their newest conversations a person has in mind; in older ones they only answer."""
ANSWERS_AT_MOST = 8
"""How many mails of one thread a colleague answers."""
MAIL = "mail"
"""The channel of posted mail, which colleagues answer; that of customers and the desk is `email`."""
OWN_MAILBOX = "own_mailbox"
"""The request to write from the address on file, as a careful desk asks of an unknown sender."""

# --- adding personas


def add_persona(tx: Tx, persona: Persona) -> Persona:
    """Add a person; their name, address, given facts and the company's name are all they will ever state."""
    given, family = split_name(persona.name)
    here = settings(tx)
    shop = {"shop": here.shop, "shop_name": here.shop_name} if here.shop else {}
    facts = {"email": persona.email, "name": persona.name, **shop, **persona.facts}
    return tx.add(
        msgspec.structs.replace(persona, given=persona.given or given, family=persona.family or family, facts=facts)
    )


def writer_of(persona: Persona) -> Writer:
    """Return the persona as a writer."""
    who = Person(given=persona.given, family=persona.family, culture="", country="", language=persona.language)
    facts = persona.facts
    return Writer(
        person=who,
        email=persona.email,
        voice=persona.voice,
        phone=facts.get("phone", ""),
        company=facts.get("company", ""),
    )


def expect_reply(
    tx: Tx,
    persona: Persona,
    channel: str,
    thread: str,
    subject: str = "",
    told: tuple[str, ...] = (),
    text: str = "",
    since: datetime | None = None,
) -> Conversation:
    """Let a persona wait for an answer in a thread in which it has already written (the staging wrote it)."""
    opened = since or tx.now
    conversation = tx.add(
        Conversation(
            persona_id=persona.id,
            channel=channel,
            thread=thread,
            subject=subject,
            told=told,
            opened_at=opened,
            spoke_at=opened,
        )
    )
    if text:
        tx.add(Utterance(conversation_id=conversation.id, at=opened, speech="opening", text=text))
    tx.change(persona, state="waiting")
    return _wait(tx, persona, conversation, persona.patience_hours)


def write(tx: Tx, persona: Persona, channel: str, subject: str, text: str, told: tuple[str, ...] = ()) -> Conversation:
    """Open a conversation by the persona; the world's links create it in an app and bind the thread."""
    conversation = expect_reply(tx, persona, channel, "", subject, told, text)
    tx.emit(_spoken(persona, conversation, text))
    return conversation


def set_thread(tx: Tx, conversation_id: int, thread: str) -> None:
    """Set the thread of a conversation to the number that an app gave it."""
    conversation = tx.get(Conversation, conversation_id)
    tx.change(conversation, thread=thread)


# --- receiving messages


def receive_message(
    tx: Tx, person: str, channel: str, thread: str, text: str, facts: Mapping[str, Any] | None = None
) -> bool:
    """Record a message to a person. Facts: `automatic` (a machine wrote it), `status` of the case, `agent` who wrote.

    Return False for people without a persona. The persona reacts later, in `react`; after an automatic mail it only
    checks whether its needs are met. Without a thread, the message belongs to the newest waiting conversation.
    Colleagues react to posted mail only (`MAIL`), customers never to that.
    """
    reader = reader_named(tx, person)
    if reader is None:
        return False
    persona_id, reply_hours, contact_id = reader
    if bool(contact_id) != (channel == MAIL):
        return True
    facts = facts or {}
    if not thread:
        waiting = _waiting(tx, persona_id)
        if not waiting:
            return True
        conversation = waiting[-1]
    else:
        conversation = _thread(tx, persona_id, channel, thread)
    if facts.get("automatic"):
        seen = tx.add(Utterance(conversation_id=conversation.id, at=tx.now, speech="notice", text=text))
        planned = conversation.looks_at is not None and conversation.looks_at > tx.now
        if conversation.state == "waiting" and not thread and not planned:
            delay = reply_delay(tx.dice("persona look", persona_id, seen.id), local_now(tx), reply_hours)
            tx.later(delay, recheck, conversation_id=conversation.id)
            tx.change(conversation, looks_at=tx.now + delay)
        return True
    heard = tx.add(Utterance(conversation_id=conversation.id, at=tx.now, speech="heard", text=text))
    told: dict[str, Any] = {"heard_at": tx.now}
    status = facts.get("status")
    if status is not None:
        told["solved"] = status in ("solved", "closed")
    if text:
        told["answered_at"] = conversation.answered_at or tx.now
        told["agent"] = str(facts.get("agent", "")) or conversation.agent
    if conversation.state == "gave_up":
        tx.change(conversation, **told)
        return True
    if conversation.reading:
        tx.cancel(conversation.reading)  # react to all messages at once, after the last one
    dice = tx.dice("persona reply", persona_id, heard.id)
    if contact_id:
        delay = colleagues.reading_delay(tx, dice, contact_id, reply_hours)
    else:
        delay = reply_delay(dice, local_now(tx), reply_hours)
    told["reading"] = tx.later(delay, react, conversation_id=conversation.id, utterance_id=heard.id)
    tx.change(conversation, **told)
    return True


_IN_THREAD = "channel = ? AND thread = ? AND +persona_id = ?"
"""The plus keeps SQLite from reading all conversations of the persona: it uses the index on the thread."""
_NEWEST = "SELECT id FROM _people_conversations WHERE persona_id = ? ORDER BY id DESC LIMIT ?"


def _waiting(tx: Tx, persona_id: int) -> list[Conversation]:
    """Return the conversations of a persona that wait for an answer, the oldest first."""
    tx.spend(THREADS_AT_MOST // 4)  # the rows that the statement reads and does not return
    return tx.all(Conversation, f"id IN ({_NEWEST}) AND state = 'waiting'", persona_id, THREADS_AT_MOST)


def _thread(tx: Tx, persona_id: int, channel: str, thread: str) -> Conversation:
    """Return the conversation of a thread; if it is new, waiting conversations of the persona move there."""
    known = tx.first(Conversation, _IN_THREAD, channel, thread, persona_id)
    if known is not None:
        return known
    live = _waiting(tx, persona_id)
    for conversation in live:
        if conversation.timer:
            tx.cancel(conversation.timer)
        tx.change(conversation, state="moved", timer=0)
    before = live[-1] if live else None
    return tx.add(
        Conversation(
            persona_id=persona_id,
            channel=channel,
            thread=thread,
            subject=before.subject if before else "",
            state="waiting" if tx.get(Persona, persona_id).needs else "quiet",
            opened_at=before.opened_at if before else tx.now,
            spoke_at=before.spoke_at if before else tx.now,
            told=before.told if before else (),
            follow_ups=before.follow_ups if before else 0,
            reopens=before.reopens if before else 0,
            broken_promises=before.broken_promises if before else 0,
            answered_at=before.answered_at if before else None,
        )
    )


# --- reacting


@APP.command
def react(tx: Tx, conversation_id: int, utterance_id: int) -> None:
    """React to a message, unless a newer one has come: then the newer one is handled."""
    conversation = tx.get(Conversation, conversation_id)
    if conversation.state in ("gave_up", "moved"):
        return
    where = "conversation_id = ? AND at >= ? AND speech = 'heard'"
    since = tx.all(Utterance, where, conversation.id, conversation.spoke_at, order="id DESC", limit=HEARD_AT_MOST)[::-1]
    if since and since[-1].id > utterance_id:
        return
    persona = tx.get(Persona, conversation.persona_id)
    tx.spend(min(READ_AT_MOST, sum(len(one.text) for one in since)) * READING_ROWS)
    if persona.contact_id:
        _answer_colleague(tx, persona, conversation, since)
        return
    reading = _read_all(since)
    if _says_done(tx, persona, reading):
        doubtful = tuple(need.name for need in unseen(tx, persona.needs, conversation))
    else:
        doubtful = ()
    open_needs = _open_needs(tx, persona, conversation, doubtful)
    conversation = tx.change(conversation, rudeness=conversation.rudeness + reading.rude)
    asked = _meant(reading.asks, persona)
    asked = [item for item in asked if item in persona.facts or not conversation.solved]
    doubted = OWN_MAILBOX in asked or (reading.requests and not asked)  # strangers are asked this in many words
    if OWN_MAILBOX in asked and not persona.other_emails and "card" in persona.facts:
        asked.append("card")  # they cannot write from there, so they prove it otherwise
    asked = [item for item in dict.fromkeys(asked) if item != OWN_MAILBOX]
    knows = any(item in persona.facts for item in asked)
    retort = _retort(tx, persona) if open_needs else None
    if doubted and open_needs and persona.other_emails and not conversation.solved:
        _write_from_known_address(tx, persona, conversation, open_needs)
    elif asked and not conversation.solved and (knows or (open_needs and retort is None)):
        _answer(tx, persona, conversation, asked)
    elif retort is None and not conversation.solved and not asked and _is_puzzling(reading):
        _say(tx, persona, conversation, "unclear", _wishes(conversation, open_needs))
    elif not open_needs:
        _settle(tx, persona, conversation)
    elif retort is not None:
        _send_retort(tx, persona, conversation, retort)
    else:
        _react_to_unmet_need(tx, persona, conversation, reading, open_needs, doubtful)


def _answer_colleague(tx: Tx, persona: Persona, conversation: Conversation, heard: list[Utterance]) -> None:
    """Answer a colleague's mails from what this one knows, at most `ANSWERS_AT_MOST` times in a thread."""
    said = tx.count(Utterance, "conversation_id = ? AND speech = 'answer'", conversation.id)
    if said >= ANSWERS_AT_MOST:
        return
    texts, left = list[str](), READ_AT_MOST
    for one in reversed(heard):
        texts.append(one.text[: max(0, left)])
        left -= len(one.text)
    dice = tx.dice("colleague says", persona.id, conversation.id, _spoken_so_far(tx, conversation))
    asked = "\n".join(reversed(texts))
    text = colleagues.answer(tx, dice, persona, conversation.thread, asked, conversation.agent)
    tx.add(Utterance(conversation_id=conversation.id, at=tx.now, speech="answer", text=text))
    tx.emit(_spoken(persona, conversation, text))
    tx.change(conversation, spoke_at=tx.now)


def _open_needs(
    tx: Tx, persona: Persona, conversation: Conversation, doubtful: tuple[str, ...] = ()
) -> tuple[Need, ...]:
    """Return the needs that are not met, or that staff call done while the person sees nothing of it."""
    said = {*conversation.claimed, *doubtful}
    missed = unmet(tx, persona.needs, conversation)
    untrue = unseen(tx, [need for need in persona.needs if need.name in said], conversation)
    missing = {need.name for need in (*missed, *untrue)}
    return tuple(need for need in persona.needs if need.name in missing)


def _says_done(tx: Tx, persona: Persona, reading: Reading) -> bool:
    """Check whether a reply says that something was done now.

    A date or a number that the person did not give shows a record of something earlier, so it is an explanation.
    """
    known = (tx.now.date().isoformat(), *persona.facts.values())
    return reading.done and all(any(one in fact for fact in known) for one in reading.points)


def _is_puzzling(reading: Reading) -> bool:
    """Check whether a message only asks something that was not understood."""
    return reading.question and not reading.claims and reading.promise_hours is None


WHICH_ONE, OTHER_ORDER = "which_one", "other_order"
"""The items of questions such as "which of the two?", which names no kind of thing, and "which shall I cancel?"."""


def _meant(asks: Sequence[str], persona: Persona) -> list[str]:
    """Return what is asked for; "which of them?" asks for the plan, the order or the machine that the persona means."""
    if OTHER_ORDER in asks and OTHER_ORDER in persona.facts:
        return [item for item in asks if item not in (WHICH_ONE, "order_number")]
    asks = [item for item in asks if item != OTHER_ORDER]
    named = [item for item in asks if item != WHICH_ONE]
    if len(named) == len(asks) or any(item in persona.facts for item in named):
        return named
    known = [item for item in ("subscription", "order_number", "serial_number") if item in persona.facts]
    return [*named, *known[:1]]


def _read_all(heard: list[Utterance]) -> Reading:
    """Combine the readings of several messages; of very long ones only the newest are read."""
    texts, left = [], READ_AT_MOST
    for utterance in reversed(heard):
        if left > 0:
            texts.append(utterance.text[:left])
            left -= len(texts[-1])
    readings = [read(text) for text in reversed(texts)]
    asks = dict.fromkeys(item for reading in readings for item in reading.asks)
    claims = dict.fromkeys(deed for reading in readings for deed in reading.claims)
    promises = [reading.promise_hours for reading in readings if reading.promise_hours is not None]
    spoken = [text for text in texts if text.strip()]
    last = read(spoken[0]) if spoken else Reading()  # the newest decides: it may put an earlier one right
    return Reading(
        tuple(asks),
        tuple(claims),
        max(promises, default=None),
        any(reading.rude for reading in readings),
        any(reading.question for reading in readings),
        any(reading.requests for reading in readings),
        last.done,
        last.points,
    )


def _react_to_unmet_need(
    tx: Tx,
    persona: Persona,
    conversation: Conversation,
    reading: Reading,
    open_needs: tuple[Need, ...],
    doubtful: tuple[str, ...],
) -> None:
    """React while a need is unmet: wait for a claim or a promise to come true, come back, or keep waiting."""
    claimed = [need for need in open_needs if need.name in doubtful or (need.about and need.about in reading.claims)]
    fresh = [need.name for need in claimed if need.name not in conversation.claimed]
    if fresh and all(need in claimed or need.name in conversation.claimed for need in open_needs):
        grace = max(need.grace_hours for need in claimed)
        conversation = tx.change(conversation, claimed=(*conversation.claimed, *fresh))
        _wait(tx, persona, conversation, grace)
        return
    if reading.promise_hours is not None and not conversation.solved and conversation.promises < PROMISES_TRUSTED:
        until = tx.now + timedelta(hours=reading.promise_hours)
        conversation = tx.change(conversation, promises=conversation.promises + 1, promised_until=until)
        _wait(tx, persona, conversation, reading.promise_hours)
        return
    if conversation.solved:
        _complain(tx, persona, conversation, open_needs, "reopen")
        return
    if reading.question and not reading.claims:
        _say(tx, persona, conversation, "answer", _wishes(conversation, open_needs))
        return
    _wait(tx, persona, conversation, persona.patience_hours)


@APP.command
def recheck(tx: Tx, conversation_id: int) -> None:
    """Check after an automatic mail whether all needs are met now, and settle if they are."""
    conversation = tx.get(Conversation, conversation_id)
    persona = tx.get(Persona, conversation.persona_id)
    if conversation.state == "waiting" and persona.needs and not _open_needs(tx, persona, conversation):
        _settle(tx, persona, conversation)


@APP.command
def run_out_of_patience(tx: Tx, conversation_id: int) -> None:
    """Settle if all needs are met by now; otherwise complain, follow up or give up."""
    conversation = tx.get(Conversation, conversation_id)
    if conversation.state != "waiting":
        return
    persona = tx.get(Persona, conversation.persona_id)
    conversation = tx.change(conversation, timer=0)
    open_needs = _open_needs(tx, persona, conversation)
    if not open_needs:
        _settle(tx, persona, conversation)
        return
    if any(need.name in conversation.claimed for need in open_needs):
        still = tuple(name for name in conversation.claimed if name not in {need.name for need in open_needs})
        conversation = tx.change(conversation, claimed=still, broken_promises=conversation.broken_promises + 1)
        _complain(tx, persona, conversation, open_needs, "broken_promise")
    elif conversation.promised_until is not None and conversation.promised_until <= tx.now:
        conversation = tx.change(conversation, promised_until=None, broken_promises=conversation.broken_promises + 1)
        _complain(tx, persona, conversation, open_needs, "overdue_promise")
    elif conversation.follow_ups >= FOLLOW_UPS_AT_MOST:
        _give_up(tx, persona, conversation)
    else:
        heard = conversation.answered_at is not None
        kinds = ("follow_up" if heard else "follow_up_unheard", "follow_up_again", "escalate")
        kind = kinds[conversation.follow_ups]
        conversation = tx.change(conversation, follow_ups=conversation.follow_ups + 1)
        _say(tx, persona, conversation, kind, _wishes(conversation, open_needs))


def _complain(tx: Tx, persona: Persona, conversation: Conversation, open_needs: tuple[Need, ...], kind: str) -> None:
    """Complain that a need is still unmet; give up after `REOPENS_AT_MOST` complaints."""
    if conversation.reopens >= REOPENS_AT_MOST:
        _give_up(tx, persona, conversation)
        return
    conversation = tx.change(conversation, reopens=conversation.reopens + 1)
    _say(tx, persona, conversation, kind, _wishes(conversation, open_needs))


def _give_up(tx: Tx, persona: Persona, conversation: Conversation) -> None:
    _say(tx, persona, conversation, "give_up", {})
    conversation = tx.get(Conversation, conversation.id)
    if conversation.timer:
        tx.cancel(conversation.timer)
    conversation = tx.change(conversation, state="gave_up", timer=0)
    tx.change(persona, state="gave_up", mood=mood_of(tx, persona, conversation))
    plan_rating(tx, persona, conversation)


def _settle(tx: Tx, persona: Persona, conversation: Conversation) -> None:
    """Mark the conversation as content, sometimes say thanks for a deed, and plan the rating of a solved case."""
    first = conversation.state == "waiting"
    if conversation.timer:
        tx.cancel(conversation.timer)
    conversation = tx.change(
        conversation,
        state="content",
        timer=0,
        settled_at=conversation.settled_at or tx.now,
        claimed=(),
        promised_until=None,
    )
    tx.change(persona, state="content", mood=mood_of(tx, persona, conversation))
    courtesy = 0.35 if persona.voice in ("terse", "angry") else 0.6
    thankful = tx.dice("persona thanks", persona.id, conversation.id).chance(courtesy)
    thankful = thankful and bool(persona.needs) and not unseen(tx, persona.needs, conversation)
    if first and not conversation.solved and conversation.answered_at is not None and thankful:
        conversation = _say(tx, persona, conversation, "thanks", {}, wait=False)
    if conversation.solved:
        plan_rating(tx, persona, conversation)


# --- writing


def _wishes(conversation: Conversation, needs: tuple[Need, ...]) -> dict[str, str]:
    """Return what the person repeats: the wishes of open needs, each once; `{subject}` is that of their mail."""
    wishes = dict.fromkeys(need.wish for need in needs)
    return {"wish": " ".join(one for one in wishes if conversation.subject or "{subject}" not in one)}


def _answer(tx: Tx, persona: Persona, conversation: Conversation, asked: list[str]) -> None:
    """Give the facts that were asked for, and say which of them the persona does not know."""
    material = load(persona.language)["persona"]
    dice = tx.dice("persona answer", persona.id, conversation.id, _spoken_so_far(tx, conversation))
    parts, unknown, files = [], [], []
    for item in asked:
        label = material["items"][item]
        if item not in persona.facts:
            unknown.append(dice.pick(material["unknown"]).replace("{item}", label))
        elif item == "photo":
            files.append(persona.facts[item])
            parts.append(dice.pick(material["photo"]))
        else:
            phrases = material["confirm"] if item in ("preference", "address") else material["answer_item"]
            parts.append(dice.pick(phrases).replace("{item}", label).replace("{value}", f"{{{item}}}"))
    repeated = bool(parts) and all(item in conversation.told for item in asked if item in persona.facts)
    kind = "asked_before" if repeated else "answer"
    conversation = tx.change(
        conversation,
        told=tuple(dict.fromkeys((*conversation.told, *(item for item in asked if item in persona.facts)))),
        repeated_questions=conversation.repeated_questions + repeated,
    )
    text = dice.pick(material[kind]).replace("{answers}", ", ".join(parts)) if parts else ""
    _say(tx, persona, conversation, kind, {}, matter=[text, *unknown], files=tuple(files))


def _write_from_known_address(
    tx: Tx, persona: Persona, conversation: Conversation, open_needs: tuple[Need, ...]
) -> None:
    """Repeat the request from the address on file."""
    dice = tx.dice("persona vouches", persona.id, conversation.id, _spoken_so_far(tx, conversation))
    phrase = dice.pick(load(persona.language)["persona"]["vouch"])
    matter = [phrase.replace("{wish}", _wishes(conversation, open_needs)["wish"])]
    _say(tx, persona, conversation, "answer", {}, matter=matter, sender=persona.other_emails[0])


def _retort(tx: Tx, persona: Persona) -> Retort | None:
    """Return the first unused retort of the persona whose check holds, or None."""
    kept = tx.all(Retort, "persona_id = ? AND said_at IS NULL", persona.id, order="id")
    return next((retort for retort in kept if holds(tx, retort.check, retort.args)), None)


def _send_retort(tx: Tx, persona: Persona, conversation: Conversation, retort: Retort) -> None:
    """Say the retort, once, and wait for the answer to it."""
    tx.change(retort, said_at=tx.now)
    told = tuple(dict.fromkeys((*conversation.told, *retort.tells)))
    conversation = tx.change(conversation, told=told)
    _say(tx, persona, conversation, "answer", {}, matter=list(retort.matter))


SPEECHES: dict[str, Speech] = {
    "answer": "answer",
    "asked_before": "answer",
    "unclear": "answer",
    "follow_up": "follow_up",
    "follow_up_unheard": "follow_up",
    "follow_up_again": "follow_up",
    "escalate": "escalation",
    "reopen": "reopening",
    "broken_promise": "complaint",
    "overdue_promise": "complaint",
    "thanks": "thanks",
    "give_up": "giving_up",
}
HARDENED = frozenset({"plain", "phone", "terse", "rambling", "nonnative"})


def _say(
    tx: Tx,
    persona: Persona,
    conversation: Conversation,
    kind: str,
    slots: Mapping[str, str],
    matter: list[str] | None = None,
    files: tuple[str, ...] = (),
    wait: bool = True,
    sender: str = "",
) -> Conversation:
    """Write a message in the persona's voice and from its facts, and wait for an answer."""
    dice = tx.dice("persona says", persona.id, conversation.id, _spoken_so_far(tx, conversation))
    if matter is None:
        phrase = "{wish}" if kind == "answer" else dice.pick(load(persona.language)["persona"][kind])
        matter = [phrase.replace("{wish}", slots.get("wish", "")).strip()]
    sore = conversation.broken_promises > 0 or conversation.follow_ups > 1
    voice = "angry" if sore and persona.voice in HARDENED else persona.voice
    facts = {"subject": conversation.subject, **persona.facts}
    text = dress(dice, writer_of(persona), matter, facts, persona.language, voice)
    used = {name: value for name, value in persona.facts.items() if value and value in text}
    tx.add(Utterance(conversation_id=conversation.id, at=tx.now, speech=SPEECHES[kind], text=text, used=used))
    tx.emit(_spoken(persona, conversation, text, files, sender))
    if conversation.timer:
        tx.cancel(conversation.timer)
    conversation = tx.change(conversation, spoke_at=tx.now, timer=0, solved=conversation.solved and not wait)
    tx.change(persona, mood=mood_of(tx, persona, conversation))
    if not wait:
        return conversation
    tx.change(persona, state="waiting")
    conversation = tx.change(conversation, state="waiting")
    return _wait(tx, persona, conversation, persona.patience_hours)


def _spoken(
    persona: Persona, conversation: Conversation, text: str, files: tuple[str, ...] = (), sender: str = ""
) -> Spoke:
    return Spoke(
        person=sender or persona.email,
        name=persona.name,
        channel=conversation.channel,
        thread=conversation.thread,
        conversation=conversation.id,
        subject=conversation.subject,
        text=text,
        language=persona.language,
        attachments=files,
    )


def _spoken_so_far(tx: Tx, conversation: Conversation) -> int:
    """Count the messages of a conversation; the number makes each draw unique."""
    return tx.count(Utterance, "conversation_id = ?", conversation.id)


def _wait(tx: Tx, persona: Persona, conversation: Conversation, hours: float) -> Conversation:
    """Set the timer to about `hours` from now, not at night; 0 hours means no timer."""
    if conversation.timer:
        tx.cancel(conversation.timer)
    if hours <= 0:
        return tx.change(conversation, timer=0, state="waiting")
    dice = tx.dice("persona patience", persona.id, conversation.id, _spoken_so_far(tx, conversation))
    give = dice.between(0.95, 1.25)
    timer = tx.at(
        awake(local_now(tx) + timedelta(hours=hours * give)), run_out_of_patience, conversation_id=conversation.id
    )
    return tx.change(conversation, timer=timer, state="waiting")
