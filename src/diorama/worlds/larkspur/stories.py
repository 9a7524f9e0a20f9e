"""Stories: the plots that tickets follow, how carelessly they are labelled, and how the same matter comes twice."""

from __future__ import annotations

from datetime import datetime, timedelta

from diorama.kernel import Dice
from diorama.people.grammar import Pen
from diorama.people.rhythms import awake
from diorama.people.slips import slip
from diorama.people.writing import long_date, quoted
from diorama.worlds.larkspur.company import Colleague
from diorama.worlds.larkspur.residents import Resident
from diorama.worlds.larkspur.telling import Story, Teller, Turn, on_shift, pick_colleague
from diorama.worlds.larkspur.topics import Topic, desk


def tell(dice: Dice, resident: Resident, topic: Topic, at: datetime, until: datetime) -> Story:
    """A whole life, cut off at `until`."""
    teller = Teller(dice, resident, topic, at, until)
    story = teller.open()
    plot = topic.ends or _plot(dice, topic, teller.colleague)
    PLOTS[plot](teller)
    turns = [turn for turn in teller.turns if turn.at <= until]
    story.turns[:] = sorted(turns, key=lambda turn: turn.at)
    _label(dice, story, teller.colleague)
    return story


def _plot(dice: Dice, topic: Topic, who: Colleague) -> str:
    if dice.chance(who.forgets):
        return "closed_too_early"
    plots = {"one_touch": 0.46, "asked": topic.asks, "held": 0.16, "silent": 0.05, "long": 0.05, "forgotten": 0.035}
    return dice.weighted(plots)


def _one_touch(teller: Teller) -> None:
    """One answer settles it."""
    if teller.dice.chance(teller.colleague.notes):
        teller.note("open")
    late = teller.dice.chance(0.18)
    if late:
        teller.customer("chases", "", 30.0)
    teller.agent("done", "solved", opener="chased" if late else "")
    _aftermath(teller)


def _asked(teller: Teller) -> None:
    """The desk has to ask back."""
    teller.agent("ask", "pending")
    if teller.dice.chance(0.16):
        teller.clock += timedelta(days=7)
        teller.solve()
        return
    teller.customer("photos" if teller.dice.chance(teller.topic.photos) else "gives", "open", 6.0)
    if teller.dice.chance(0.3):
        teller.note()
    if teller.dice.chance(0.25):
        teller.hand_over()
    teller.agent("done", "solved")
    _aftermath(teller)


def _held(teller: Teller) -> None:
    """Somebody else has to do something first."""
    teller.agent("holding", "hold" if teller.dice.chance(0.6) else "open")
    if teller.dice.chance(teller.colleague.notes + 0.2):
        teller.note()
    chased = teller.dice.chance(0.45)
    if chased:
        teller.customer("chases", "open", 40.0)
    teller.agent("done", "solved", 20.0, opener="chased" if chased else "")
    _aftermath(teller)


def _closed_too_early(teller: Teller) -> None:
    """Solved on paper only; it comes back, sometimes twice."""
    teller.agent("done", "solved", 3.0)
    for _ in range(1 + teller.dice.chance(0.22)):
        teller.customer("unhappy", "open", 9.0)
        if teller.dice.chance(0.5):
            teller.hand_over()
        if teller.dice.chance(0.4):
            teller.note()
        teller.agent("done", "solved", 6.0, opener="back")
    _aftermath(teller)


def _long(teller: Teller) -> None:
    """A case that never ends."""
    for _ in range(teller.dice.integer(2, 4)):
        teller.agent(
            "ask" if teller.dice.chance(0.5) else "holding", teller.dice.pick(("pending", "hold", "open")), 14.0
        )
        teller.customer(teller.dice.pick(("chases", "gives", "unhappy")), "open", 20.0)
        if teller.dice.chance(0.4):
            teller.note()
        if teller.dice.chance(0.3):
            teller.hand_over()
    teller.agent("done", "solved", 12.0)
    _aftermath(teller)


def _silent(teller: Teller) -> None:
    """Nobody ever answered."""
    if teller.dice.chance(0.6):
        teller.note("open")
    teller.clock += timedelta(days=teller.dice.integer(2, 20))
    teller.solve()
    if teller.dice.chance(0.4):
        teller.customer("unhappy", "open", 10.0)
        teller.agent("done", "solved", 4.0, opener="back")


def _forgotten(teller: Teller) -> None:
    """It fell between two chairs and still lies there."""
    if teller.dice.chance(0.5):
        teller.agent("holding", teller.dice.pick(("hold", "open", "pending")))
    else:
        teller.note("open")
    if teller.dice.chance(0.6):
        teller.customer("chases", "open", 70.0)


def _ignored(teller: Teller) -> None:
    """Junk, or nothing to answer."""
    if teller.dice.chance(0.35):
        teller.note("open")
    teller.solve()


def _thanked(teller: Teller) -> None:
    """A friendly word, or none."""
    if teller.dice.chance(0.5):
        teller.agent("done", "solved", 9.0)
    else:
        teller.solve()


def _aftermath(teller: Teller) -> None:
    """Thanks open a solved ticket again, and somebody has to close it."""
    if teller.dice.chance(0.09):
        teller.customer("thanks", "open", 8.0)
        teller.solve()
    elif teller.dice.chance(0.02):
        teller.clock += timedelta(days=teller.dice.integer(1, 3))
        teller.customer("again", "open", 5.0)
        teller.agent("done", "solved", 8.0)


PLOTS = {
    "one_touch": _one_touch, "asked": _asked, "held": _held, "closed_too_early": _closed_too_early, "long": _long,
    "forgotten": _forgotten,
    "silent": _silent, "ignored": _ignored, "thanked": _thanked,
}  # fmt: skip


# --- what the desk made of it


def _label(dice: Dice, story: Story, who: Colleague) -> None:
    """Group, priority, tags and rating, as carefully or carelessly as people do that."""
    topic = story.topic
    touched = any(turn.by for turn in story.turns)
    story.group = topic.group if touched or dice.chance(0.5) else ""
    if dice.chance(0.06):
        story.group = dice.pick(("First Line", "Billing", "Orders & Delivery"))
    story.assignee = next((turn.by for turn in reversed(story.turns) if turn.by), "")
    urgent = story.resident.writer.voice == "angry" or story.resident.segment == "vip"
    weights = {"low": 0.1, "normal": 0.7, "high": 0.35 if urgent else 0.12, "urgent": 0.15 if urgent else 0.02}
    story.priority = dice.weighted(weights) if touched and dice.chance(0.58) else None
    story.type = (
        topic.type
        if dice.chance(0.42)
        else dice.pick(("question", "problem", None, None, "task"))
        if dice.chance(0.1)
        else None
    )
    tags: list[str] = []
    if touched and dice.chance(who.tags):
        tags += (
            topic.tags if dice.chance(0.55) else dice.sample(topic.sloppy, dice.integer(1, min(2, len(topic.sloppy))))
        )
    if story.status == "solved" and topic.reason and dice.chance(0.3 + 0.6 * who.tags):
        story.reason = dice.pick(topic.wrong) if dice.chance(0.09) else topic.reason
        tags.append(story.reason)
    if story.language != "en" and dice.chance(0.4):
        tags.append(f"lang_{story.language}" if dice.chance(0.7) else story.language)
    if story.resident.segment == "vip" and dice.chance(0.5):
        tags.append("vip")
    story.tags = tuple(dict.fromkeys(tags))
    if (
        story.status == "solved"
        and not topic.ends
        and any(turn.by and turn.public and turn.body for turn in story.turns)
    ):
        _rate(dice, story)


def _rate(dice: Dice, story: Story) -> None:
    if not dice.chance(0.21):
        return
    waited = (story.turns[-1].at - story.turns[0].at) / timedelta(days=1)
    unhappy = 0.08 + 0.25 * min(story.reopened, 2) + 0.03 * min(waited, 8.0)
    story.rating = "bad" if dice.chance(unhappy) else "good"
    if story.rating == "bad" and dice.chance(0.7):
        slow, again = 1.0 + 0.5 * min(waited, 8.0), 1.0 + 3.0 * min(story.reopened, 2)
        story.rating_reason = dice.weighted({5: slow, 6: again, 7: 0.8, 8: 0.6, 100: 0.7})
    if dice.chance(0.42):
        pen = Pen(dice, {"agent": story.assignee.partition(".")[0].capitalize()})
        from_material = desk()["ratings"][story.rating]
        story.rating_comment = pen.fill(slip(dice, pen.pick(from_material), 0.015))


def duplicate(dice: Dice, story: Story, until: datetime) -> Story | None:
    """The same matter a second time: sent again, or through the form, or from another address."""
    first = story.turns[0]
    at = awake(first.at + timedelta(minutes=dice.lognormal(90.0, 1.6)))
    if at > until:
        return None
    others = [email for email in story.resident.emails if email != story.email]
    email = dice.pick(others) if others and dice.chance(0.5) else story.email
    how = dice.weighted({"same": 0.5, "again": 0.3, "quoted": 0.2})
    body = first.body
    if how == "again":
        body = f"{dice.pick(AGAIN)}\n\n{first.body}"
    elif how == "quoted":
        head = f"{long_date(first.at, story.language)} {story.resident.writer.person.name}:"
        body = f"{dice.pick(AGAIN)}\n\n{head}\n{quoted(first.body)}"
    turns = [Turn(at=at, body=body, status="new", attachments=first.attachments)]
    who = pick_colleague(dice, story.topic.group, story.language)
    done = on_shift(who, at + timedelta(hours=dice.lognormal(7.0, 1.0)))
    seen = done <= until and dice.chance(0.9)
    merged = seen and not first.attachments and _unsolved_at(story, done) and dice.chance(0.85)
    if seen and not merged:
        turns.append(Turn(at=done, by=who.email, body=dice.pick(DOUBLES), public=False, status="solved"))
    twin = Story(
        topic=story.topic,
        resident=story.resident,
        email=email,
        language=story.language,
        subject=story.subject if dice.chance(0.7) else f"Re: {story.subject}",
        channel="web" if how == "same" and dice.chance(0.5) else story.channel,
        turns=turns,
        history=story.history,
        facts=story.facts,
        told=story.told,
        group=story.topic.group if dice.chance(0.6) else "First Line",
        assignee=who.email if len(turns) > 1 else "",
    )
    if merged:
        source = Turn(at=done, by=who.email, public=False, status="closed", link="merged_into", other=story)
        twin.turns.append(source)
        target = Turn(at=done, by=who.email, public=False, link="merged_from", other=twin)
        story.turns[:] = sorted([*story.turns, target], key=lambda turn: turn.at)
    elif seen and dice.chance(0.6):
        twin.tags = (dice.pick(("duplicate", "dup", "merged", "double")),)
    return twin


def _unsolved_at(story: Story, moment: datetime) -> bool:
    """Whether the ticket could still take another one in."""
    states = [turn.status for turn in story.turns if turn.status and turn.at < moment]
    return bool(states) and states[-1] not in ("solved", "closed")


AGAIN = (
    "Sending this again, no answer so far.",
    "??",
    "Second try:",
    "I wrote this yesterday and got no reply.",
    "See below!!",
    "again:",
)
DOUBLES = (
    "dup, see other ticket",
    "duplicate of the earlier one, answered there",
    "double",
    "Same customer, same thing. Closing.",
    "merge?",
)
