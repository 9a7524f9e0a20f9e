"""Stories: the plots that tickets follow, and how carelessly they are labelled and how they are rated."""

from __future__ import annotations

from datetime import datetime, timedelta

from diorama.apps.backoffice.seed import History
from diorama.kernel import Dice
from diorama.people.grammar import Renderer
from diorama.people.typos import add_typos
from diorama.worlds.book import Topic
from diorama.worlds.firm import Firm
from diorama.worlds.residents import Resident
from diorama.worlds.story_builder import Story, StoryBuilder
from diorama.worlds.team import Colleague


def tell(
    firm: Firm,
    dice: Dice,
    resident: Resident,
    topic: Topic,
    history: History | None,
    at: datetime,
    until: datetime,
) -> Story:
    """Tell a ticket's whole life, cut off at `until`."""
    builder = StoryBuilder(firm, dice, resident, topic, history, at, until)
    story = builder.open()
    plot = topic.ends or _plot(dice, topic, builder.colleague)
    PLOTS[plot](builder)
    finish(dice, story, builder, until)
    return story


def finish(dice: Dice, story: Story, builder: StoryBuilder, until: datetime) -> None:
    """Cut a story off at the present, and label it."""
    turns = [turn for turn in builder.turns if turn.at <= until]
    story.turns[:] = sorted(turns, key=lambda turn: turn.at)
    _label(builder.firm, dice, story, builder.colleague)


def _plot(dice: Dice, topic: Topic, who: Colleague) -> str:
    if dice.chance(who.forgets):
        return "closed_too_early"
    plots = {"one_touch": 0.46, "asked": topic.asks, "held": 0.13, "phoned": 0.035, "long": 0.05, "forgotten": 0.03}
    return dice.weighted({**plots, "silent": 0.012})


def one_touch(builder: StoryBuilder) -> None:
    """Tell a story that one answer solves."""
    if builder.dice.chance(builder.colleague.notes):
        builder.note("open")
    late = builder.dice.chance(0.16)
    if late:
        builder.customer("chases", "", 40.0)
    builder.agent("done", "solved", opener="chased" if late else "")
    _aftermath(builder)


def _asked(builder: StoryBuilder) -> None:
    """Tell a story in which the desk has to ask a question."""
    if not builder.ask():
        one_touch(builder)
        return
    if builder.dice.chance(0.14):
        builder.clock += timedelta(days=7)
        builder.solve()
        return
    builder.customer("photos" if _shown(builder) else "gives", "open", 6.0)
    if builder.dice.chance(0.3):
        builder.note()
    if builder.dice.chance(0.2):
        builder.hand_over()
    builder.agent("done", "solved")
    _aftermath(builder)


def _shown(builder: StoryBuilder) -> bool:
    """Check whether a photo answers the last question (by chance)."""
    asked = builder.turns[-1].body.lower()
    return any(word in asked for word in ("photo", "foto", "picture", "bild")) and builder.dice.chance(0.6)


def _held(builder: StoryBuilder) -> None:
    """Tell a story that has to wait for a third party."""
    builder.agent("hold", "hold" if builder.dice.chance(0.6) else "open")
    if not any(turn.by for turn in builder.turns):
        one_touch(builder)
        return
    if builder.dice.chance(builder.colleague.notes + 0.2):
        builder.note()
    chased = builder.dice.chance(0.4)
    if chased:
        builder.customer("chases", "open", 36.0)
    builder.agent("done", "solved", 20.0, opener="chased" if chased else "")
    _aftermath(builder)


def _closed_too_early(builder: StoryBuilder) -> None:
    """Tell a story that is solved too early and reopened, sometimes twice."""
    builder.agent("done", "solved", 3.0)
    for again in range(1 + builder.dice.chance(0.24)):
        builder.customer("unhappy", "open", 12.0)
        if builder.dice.chance(0.5) or again:
            builder.hand_over()
        if builder.dice.chance(0.4):
            builder.note()
        builder.agent("done", "solved", 6.0, opener="third" if again else "back")
    _aftermath(builder)


def _long(builder: StoryBuilder) -> None:
    """Tell a story with many rounds of questions and answers."""
    for number in range(builder.dice.integer(2, 4)):
        if number != 1 and builder.ask("pending", 14.0):
            builder.customer("photos" if _shown(builder) else "gives", "open", 20.0)
        else:
            builder.agent("hold", builder.dice.pick(("hold", "open")), 14.0)
            builder.customer("chases", "open", 36.0)
        if builder.dice.chance(0.4):
            builder.note()
        if builder.dice.chance(0.25):
            builder.hand_over()
    builder.agent("done", "solved", 12.0, opener="chased")
    _aftermath(builder)


def _phoned(builder: StoryBuilder) -> None:
    """Tell a story that is solved by phone: only a note is left."""
    builder.clock += timedelta(hours=builder.dice.lognormal(5.0, 0.9))
    builder.note("solved", builder.book.desk()["phoned"]["note"])


def _silent(builder: StoryBuilder) -> None:
    """Tell a story without any answer to the customer."""
    if builder.dice.chance(0.6):
        builder.note("open")
    builder.clock += timedelta(days=builder.dice.integer(2, 20))
    builder.solve()
    if builder.dice.chance(0.5):
        builder.customer("chases", "open", 30.0)
        builder.agent("done", "solved", 4.0, opener="chased")


def _forgotten(builder: StoryBuilder) -> None:
    """Tell a story that is forgotten and still open."""
    if builder.dice.chance(0.5):
        builder.agent("hold", builder.dice.pick(("hold", "open", "pending")))
    else:
        builder.note("open")
    if builder.dice.chance(0.6):
        builder.customer("chases", "open", 70.0)


def _ignored(builder: StoryBuilder) -> None:
    """Tell the story of a junk mail."""
    if builder.dice.chance(0.35):
        builder.note("open")
    builder.discard()


def _removed(builder: StoryBuilder) -> None:
    """Tell the story of a small request, solved with or without a reply."""
    if builder.dice.chance(0.55):
        builder.agent("done", "solved", 9.0)
    else:
        builder.note("solved")


def _thanked(builder: StoryBuilder) -> None:
    """Tell the story of a thank-you mail, solved with or without a reply."""
    if builder.dice.chance(0.6):
        builder.agent("done", "solved", 9.0)
    else:
        builder.note("solved")


def _aftermath(builder: StoryBuilder) -> None:
    """Add thanks that reopen a solved ticket, so that it has to be solved again."""
    dice = builder.dice
    if dice.chance(0.1):
        builder.customer("thanks", "open", 20.0)
        if dice.chance(0.25):
            builder.agent("welcome", "solved", 2.0)
        else:
            builder.solve()
    elif builder.topic.type == "problem" and dice.chance(0.02):
        builder.clock += timedelta(days=dice.integer(1, 3))
        builder.customer("unhappy", "open", 5.0)
        builder.agent("done", "solved", 8.0, opener="back")


PLOTS = {
    "one_touch": one_touch, "asked": _asked, "held": _held, "closed_too_early": _closed_too_early, "long": _long,
    "forgotten": _forgotten, "phoned": _phoned, "silent": _silent,
    "ignored": _ignored, "thanked": _thanked, "removed": _removed,
}  # fmt: skip


# --- labels and ratings


def _label(firm: Firm, dice: Dice, story: Story, who: Colleague) -> None:
    """Set group, priority, tags and rating, with human errors."""
    topic = story.topic
    touched = any(turn.by for turn in story.turns)
    story.group = topic.group if touched or dice.chance(0.5) else ""
    if dice.chance(0.06):
        story.group = dice.pick(firm.misrouted)
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
    lead = firm.team.lead.email
    if touched and story.assignee != lead and dice.chance(0.25 if urgent else 0.02):
        story.follower = lead
    story.tags = _tags(dice, story, who, touched)
    answered = any(turn.by and turn.public and turn.body for turn in story.turns)
    if story.status == "solved" and not topic.ends and answered:
        _rate(firm, dice, story)


def _tags(dice: Dice, story: Story, who: Colleague, touched: bool) -> tuple[str, ...]:
    topic, tags = story.topic, list[str]()
    if touched and dice.chance(who.tags):
        tags += (
            topic.tags if dice.chance(0.55) else dice.sample(topic.sloppy, dice.integer(1, min(2, len(topic.sloppy))))
        )
    if story.language != "en" and touched and dice.chance(0.4):
        tags.append(f"lang_{story.language}" if dice.chance(0.7) else story.language)
    return tuple(dict.fromkeys(tags))


def _rate(firm: Firm, dice: Dice, story: Story) -> None:
    """Rate the ticket according to what happened to the customer."""
    if not dice.chance(0.21):
        return
    waited = (story.turns[-1].at - story.turns[0].at) / timedelta(days=1)
    pleased = not story.turns[-1].by or any(
        not turn.by and turn.status == "open" and later.status == "solved" and not later.body
        for turn, later in zip(story.turns, story.turns[1:], strict=False)
    )
    unhappy = 0.02 if pleased else 0.07 + 0.25 * min(story.reopened, 2) + 0.03 * min(waited, 8.0)
    story.rating = "bad" if dice.chance(unhappy) else "good"
    again = not pleased and story.reopened > 0
    if story.rating == "bad" and dice.chance(0.7):
        slow, twice = 1.0 + 0.5 * min(waited, 8.0), 1.0 + 3.0 * min(story.reopened, 2)
        story.rating_reason = dice.weighted({5: slow, 6: twice, 7: 0.8, 8: 0.6, 100: 0.7})
    if dice.chance(0.42):
        renderer = Renderer(dice, {"agent": story.assignee.partition("@")[0].capitalize()})
        said = firm.book.desk()["ratings"][story.language]
        kinds = [story.rating]
        if waited > 5.0 or again:
            kinds = ["good_slow"] if story.rating == "good" else ["bad_slow" if waited > 5.0 else "bad_reopened"]
        elif story.rating == "good" and story.topic.group == firm.workshop:
            kinds.append("good_machine")
        from_material = [phrase for kind in kinds for phrase in said[kind]]
        story.rating_comment = renderer.fill(add_typos(dice, renderer.pick(from_material), 0.015, story.language))
