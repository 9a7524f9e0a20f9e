"""Duplicates and follow-ups: a request sent twice within days, or continued after its ticket was closed."""

from __future__ import annotations

from datetime import datetime, timedelta

from diorama.kernel import Dice
from diorama.people.grammar import Renderer
from diorama.people.rhythms import awake
from diorama.people.typos import add_typos
from diorama.people.voices import VOICES
from diorama.people.writing import long_date, quoted, with_history
from diorama.worlds.book import fitting
from diorama.worlds.closing import NOTHING
from diorama.worlds.firm import Firm
from diorama.worlds.stories import finish, one_touch
from diorama.worlds.story_builder import Story, StoryBuilder, Turn

SOLVED_FOR = timedelta(days=4, hours=1)
"""How long a ticket stays solved before it closes."""


def duplicate(firm: Firm, dice: Dice, story: Story, until: datetime) -> Story | None:
    """Return a duplicate of a story: sent twice, sent again with an introduction, or from another address."""
    first, words = story.turns[0], firm.book.desk()["twice"]
    how = dice.weighted({"same": 0.4, "again": 0.4, "quoted": 0.2})
    minutes = dice.integer(1, 9) if how == "same" else dice.lognormal(1100.0, 1.1)
    at = awake(first.at + timedelta(minutes=minutes)) if how != "same" else first.at + timedelta(minutes=minutes)
    if at > until:
        return None
    others = [email for email in story.resident.emails if email != story.email]
    email = dice.pick(others) if others and dice.chance(0.5) else story.email
    above = dice.pick(fitting(words[story.language], frozenset(("soon" if minutes < 1300 else "days",))))
    body = first.body
    if how == "again":
        body = f"{above}\n\n{first.body}"
    elif how == "quoted":
        head = f"{long_date(first.at, story.language)} {story.resident.writer.person.name}:"
        body = f"{above}\n\n{head}\n{quoted(first.body)}"
    at = at.replace(microsecond=0)
    turns = [Turn(at=at, body=body, status="new", attachments=first.attachments)]
    who = firm.team.pick(dice, story.topic.group, story.language, at)
    done = firm.team.on_shift(who, at + timedelta(hours=dice.lognormal(7.0, 1.0)), dice)
    seen = done <= until and dice.chance(0.9)
    merged = seen and not first.attachments and _unsolved_at(story, done) and dice.chance(0.85)
    if seen and not merged:
        turns.append(Turn(at=done, by=who.email, body=dice.pick(words["doubles"]), public=False, status="solved"))
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
        group=story.topic.group if dice.chance(0.6) else firm.misrouted[0],
        assignee=who.email if len(turns) > 1 else "",
        closes=NOTHING,
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
    """Check whether the ticket was unsolved at that time, so that another could be merged into it."""
    states = [turn.status for turn in story.turns if turn.status and turn.at < moment]
    return bool(states) and states[-1] not in ("solved", "closed")


def follow_up(firm: Firm, dice: Dice, story: Story, until: datetime) -> Story | None:
    """Return a follow-up: the customer answers a closed ticket, and a new one refers to it."""
    last = next((turn for turn in reversed(story.turns) if turn.by and turn.public and turn.body), None)
    if last is None or story.status != "solved" or story.channel == "api":
        return None
    at = awake(
        story.turns[-1].at + SOLVED_FOR + timedelta(days=dice.lognormal(16.0, 0.8), minutes=dice.integer(0, 600))
    )
    if at >= until:
        return None
    builder = StoryBuilder(firm, dice, story.resident, story.topic, story.history, at.replace(microsecond=0), until)
    builder.language, builder.email, builder.facts = story.language, story.email, dict(story.facts)
    builder.case, builder.told = story.case, dict(story.facts)
    voice, writer = VOICES[story.resident.writer.voice], story.resident.writer
    renderer = Renderer(dice, writer.facts())
    said = renderer.pick(fitting(firm.book.desk()["followup"][story.language], frozenset((story.topic.type or "",))))
    said = renderer.fill(f"{add_typos(dice, said, voice.typo_rate, story.language)}\n\n{writer.person.given}")
    who = last.by.partition("@")[0].capitalize()
    earlier = last.body.partition("\n> ")[0][:900]
    body = with_history(dice, said, earlier, who, firm.support, last.at, story.email, story.subject, story.language)
    builder.subject = story.subject if story.subject.lower().startswith("re:") else f"Re: {story.subject}"
    builder.turns.append(Turn(at=builder.clock, body=body, status="new"))
    again = Story(
        topic=story.topic,
        resident=story.resident,
        email=story.email,
        language=story.language,
        subject=builder.subject,
        channel="email",
        turns=builder.turns,
        history=story.history,
        facts=builder.facts,
        case=story.case,
        told=story.told,
        source=story,
    )
    one_touch(builder)
    finish(dice, again, builder, until)
    return again
