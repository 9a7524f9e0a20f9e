"""Mails that are more than a plain letter: forwarded, written below an old notice, or followed by a second one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Literal

from msgspec.structs import replace

from diorama import people
from diorama.apps.zendesk import rules as desk
from diorama.apps.zendesk import seed
from diorama.kernel import Dice, Tx
from diorama.people import Persona
from diorama.people.names import draw_person
from diorama.people.writing import forwarded, with_history
from diorama.scenarios.anatomy import Stage
from diorama.scenarios.desk import DeskScenario
from diorama.scenarios.desk_facts import DeskTruth
from diorama.scenarios.desk_mail import Writing, longest_line
from diorama.scenarios.past import Scene
from diorama.scenarios.plan import Plan

MAILBOXES = ("gmail.com", "outlook.com", "posteo.net")
Sorting = Sequence[tuple[str, str, str]]
"""Triggers for new tickets: title, words of the subject, tags to add."""


class LetterPlan(Plan, frozen=True, kw_only=True):
    """A plan whose mail has a frame, or a second mail after it."""

    frame: Literal["", "forwarded", "answers"] = ""
    """`forwarded`: another person wrote the letter to the customer, who passes it on. `answers`: the letter stands
    above a notice of the shop that it answers."""
    notice: str = ""
    """The notice that the letter answers, with slots that the letter has, too."""
    then: Sequence[str] = ()
    """A second mail on the same ticket, some time later; like `letter`."""


class LetterDesk(DeskScenario):
    """Mails with frames and second thoughts, sorted by their subjects; mixed into the class of a company."""

    sorting: Sorting = ()
    notices_from: tuple[str, str] = ("", "")
    """The name and the address that the shop's notices come from."""

    def stage(self, stage: Stage) -> DeskTruth:
        """Set up the triggers that sort new mail, then stage the plan."""
        dice = stage.dice.child("sorting")
        ages = [timedelta(seconds=dice.integer(300 * 86_400, 420 * 86_400)) for _ in self.sorting]
        stage.do(_sort, "system:zendesk", self.sorting, sorted(ages, reverse=True))
        return super().stage(stage)

    def compose(self, stage: Stage, plan: Plan, scene: Scene) -> tuple[DeskTruth, dict[str, str], tuple[str, ...], str]:
        """Return the truth, what the customer knows, the sentences of all mails, and the subject."""
        assert isinstance(plan, LetterPlan)
        return super().compose(stage, replace(plan, letter=[*plan.letter, *plan.then]), scene)

    def write(self, stage: Stage, truth: DeskTruth, writing: Writing) -> DeskTruth:
        """Let the customer write, once or twice; return the truth with the ticket that the mail became."""
        persona, matter, subject, others, clock = writing
        plan = next(one for one in self.plans if one.name == truth.plan)
        assert isinstance(plan, LetterPlan)
        first, second = matter[: len(plan.letter)], matter[len(plan.letter) :]
        text = self.framed(stage, plan, persona, first, subject)
        later = _dressed(stage.dice.child("second letter"), persona, second) if second else ""
        said = f"{text}\n{later}"
        told = [name for name, value in persona.facts.items() if value and value in said]
        number = self.send(stage, persona, subject, text, told)
        if later:
            stage.wait(timedelta(seconds=clock.integer(660, 3_000)))
            sender = f"persona:{persona.email}"
            stage.do(desk.receive_mail, sender, persona.email, f"Re: {subject}", later, number)
        self.let_it_wait(stage, truth, others, clock)
        return replace(truth, ticket_id=number, opening=longest_line(later or _own_part(text, plan)))

    def framed(self, stage: Stage, plan: LetterPlan, persona: Persona, matter: Sequence[str], subject: str) -> str:
        """Return the text of the first mail."""
        dice = stage.dice.child("letter")
        ago = timedelta(seconds=dice.integer(15 * 3_600, 60 * 3_600))
        if plan.frame == "forwarded":
            return _passed_on(dice, persona, matter, subject.removeprefix("Fwd: "), stage.now - ago)
        text = _dressed(dice, persona, matter)
        if plan.frame == "answers":
            name, address = self.notices_from
            notice = f"Hello {persona.given},\n\n{plan.notice.format(**persona.facts)}\n\n{name}"
            about = subject.removeprefix("Re: ")
            moment = stage.now - timedelta(seconds=dice.integer(6 * 86_400, 7 * 86_400))
            text = with_history(dice.child("history"), text, notice, name, address, moment, persona.email, about, "en")
        return text


def _dressed(dice: Dice, persona: Persona, matter: Sequence[str]) -> str:
    return people.dress(dice, people.writer_of(persona), matter, persona.facts, embroider=True)


def _passed_on(dice: Dice, persona: Persona, matter: Sequence[str], subject: str, moment: Any) -> str:
    """Return another person's mail, forwarded with a short introduction."""
    who = draw_person(dice.child("colleague"))
    given, _, family = who.name.rpartition(" ")
    box = "".join(one for one in f"{given[:1]}.{family}".lower() if one.isascii() and (one.isalnum() or one == "."))
    address = f"{box}@{dice.pick(MAILBOXES)}"
    author = Persona(
        email=address, name=who.name, given=given or who.name, family=family, voice=dice.pick(("plain", "terse"))
    )
    written = people.dress(dice, people.writer_of(author), matter, persona.facts)
    return forwarded(dice.child("passing on"), written, who.name, address, moment, persona.email, subject, "en")


def _own_part(text: str, plan: LetterPlan) -> str:
    """Return the lines of a mail that are not quoted from an older one."""
    if plan.frame != "answers":
        return text
    return "\n".join(line for line in text.splitlines() if not line.startswith(">"))


def _sort(tx: Tx, sorting: Sorting, ages: Sequence[timedelta]) -> None:
    """Add triggers, made long ago, that tag new mail by its subject."""
    reasons = " ".join(sorted({tag for _, _, tags in sorting for tag in tags.split()}))
    for (title, words, tags), age in zip(sorting, ages, strict=True):
        every = [
            ("update_type", "is", "Create"),
            ("subject_includes_word", "includes", words),
            ("current_tags", "not_includes", reasons),
        ]
        seed.add_trigger(tx, title, every, [("current_tags", tags)], at=(tx.now - age).replace(microsecond=0))
