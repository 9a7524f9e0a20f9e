"""Past outages: for each, one problem ticket by the lead and the incidents linked to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any

import msgspec

from diorama.kernel import Dice, Tx
from diorama.people.grammar import Renderer
from diorama.people.writing import letter
from diorama.worlds.book import Topic
from diorama.worlds.closing import NO_REASON
from diorama.worlds.larkspur.company import AT_THE_DESK, FIRST_LINE, LEAD, TEAM
from diorama.worlds.larkspur.firm import BOOK
from diorama.worlds.residents import Resident
from diorama.worlds.story_builder import Story, Turn

OUTAGE = Topic(
    name="outage", order="none", fact=NO_REASON, tags=("outage",), sloppy=("outage", "website"), group=FIRST_LINE
)


class Outage(msgspec.Struct, frozen=True, kw_only=True):
    """One day on which a Larkspur service was down."""

    name: str
    days_ago: int
    hour: int
    hours: float
    """How long it lasted."""
    subject: str
    opened: str
    notes: tuple[str, ...]
    solved: str
    holding: tuple[str, ...]
    en: dict[str, tuple[str, ...]]
    de: dict[str, tuple[str, ...]]
    fr: dict[str, tuple[str, ...]]
    es: dict[str, tuple[str, ...]]
    nl: dict[str, tuple[str, ...]]


@cache
def outages() -> tuple[Outage, ...]:
    """Return all past outages, newest first."""
    return msgspec.convert(BOOK.load("outages")["outages"], tuple[Outage, ...])


@cache
def said_in_outages() -> dict[str, Any]:
    """Return the written texts about outages."""
    return BOOK.load("outages")


def tell_outages(tx: Tx, residents: Sequence[Resident], days: int, many: int) -> Iterator[Story]:
    """Yield the problems and incidents of the last `days` days, in order of arrival."""
    for outage in reversed(outages()):
        began = (tx.now - timedelta(days=outage.days_ago)).replace(hour=outage.hour, minute=10, second=0, microsecond=0)
        there = [one for one in residents if one.since < began]
        if outage.days_ago < days and there:
            dice = tx.dice("larkspur outage", outage.name)
            yield from _tell(dice, outage, began, dice.sample(there, min(many, len(there))))


def _tell(dice: Dice, outage: Outage, began: datetime, reporters: Sequence[Resident]) -> Iterator[Story]:
    over = began + timedelta(hours=outage.hours)
    problem = Story(
        topic=OUTAGE,
        resident=reporters[0],
        email=LEAD.email,
        language="en",
        subject=outage.subject,
        channel="web",
        turns=[Turn(at=began + timedelta(minutes=14, seconds=dice.integer(0, 59)), body=outage.opened, status="new")],
        group=FIRST_LINE,
        assignee=LEAD.email,
        priority="urgent",
        type="problem",
        tags=("outage", outage.name),
    )
    for number, note in enumerate(outage.notes):
        at = began + (over - began) * (number + 1) / (len(outage.notes) + 1) + timedelta(seconds=dice.integer(0, 400))
        problem.turns.append(Turn(at=at, by=LEAD.email, body=note, public=False, status="open"))
    problem.turns.append(Turn(at=over, by=LEAD.email, body=outage.solved, status="solved"))
    stories = [problem]
    for resident in reporters:
        # most customers write in the first hour; some may have written before the lead did
        share = dice.uniform() ** 1.7
        stories.append(_incident(dice, outage, problem, resident, began + (over - began) * (0.04 + 0.9 * share), over))
    yield from sorted(stories, key=lambda story: story.turns[0].at)


def _incident(dice: Dice, outage: Outage, problem: Story, resident: Resident, at: datetime, over: datetime) -> Story:
    writer, language = resident.writer, resident.writer.person.language
    words = letter(dice, writer, getattr(outage, language), {}, said_in_outages()["lists"], language)
    at = at.replace(microsecond=0)
    turns = [Turn(at=at, body=words.body, status="new")]
    answered = max(at, problem.turns[0].at) + timedelta(minutes=dice.lognormal(25.0, 0.8))
    there = [one for one in AT_THE_DESK if FIRST_LINE in one.groups and TEAM.at_work(one, answered)]
    there = [one for one in there if language in one.languages]
    holding = outage.holding if language == "en" else said_in_outages()["holding"][language]
    who = dice.weighted(there, [one.share for one in there]) if there else LEAD
    if there and answered < over and dice.chance(0.9):
        renderer = Renderer(dice, {"given": writer.person.given, "name": writer.person.name, "agent": who.given})
        turns.append(Turn(at=answered, by=who.email, body=renderer.fill(renderer.pick(holding)), status="hold"))
    else:
        who = LEAD  # who is on call
        turns.append(Turn(at=min(answered, over), by=who.email, status="open"))
    turns.append(
        Turn(
            at=over + timedelta(seconds=5),
            by=LEAD.email,
            body=outage.solved,
            status="solved",
            link="problem",
            other=problem,
        )
    )
    if dice.chance(0.15):
        later = over + timedelta(hours=dice.lognormal(3.0, 0.8))
        turns.append(Turn(at=later, body=dice.pick(THANKS[language]), status="open"))
        turns.append(Turn(at=TEAM.on_shift(who, later + timedelta(hours=3), dice), by=who.email, status="solved"))
    return Story(
        topic=OUTAGE,
        resident=resident,
        email=writer.email,
        language=language,
        subject=words.subject,
        channel=dice.weighted({"email": 0.7, "web": 0.3}),
        turns=[msgspec.structs.replace(turn, at=turn.at.replace(microsecond=0)) for turn in turns],
        facts={"product": "Aria"},
        group=FIRST_LINE,
        assignee=who.email,
        priority=dice.weighted({"normal": 0.5, "high": 0.3, "": 0.2}) or None,
        type="incident",
        tags=OUTAGE.tags if dice.chance(0.7) else (dice.pick(OUTAGE.sloppy),),
        problem=problem,
    )


THANKS = {
    "en": ("works now, thanks", "Went through, thank you", "ok ordered. thanks for the quick info"),
    "de": ("Geht wieder, danke", "Hat jetzt geklappt."),
    "fr": ("Ça marche, merci !",),
    "es": ("Ya funciona, gracias",),
    "nl": ("Werkt weer, bedankt",),
}
