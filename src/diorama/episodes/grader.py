"""Grader: judges an episode turn by turn, at a commitment and at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from diorama.episodes.gradebook import Gradebook
from diorama.kernel import Chain, Defect, Signal, Tx, World
from diorama.kit.damage import Cell
from diorama.rewards.account import (
    Account,
    Score,
    ScorePart,
    changed_minds,
    check_facts,
    count_harms,
    measure_qualities,
    reward_of,
)
from diorama.rewards.damage import Damage, damage_of, total
from diorama.rewards.deeds import covered
from diorama.rewards.finding import Finding, Measure
from diorama.rewards.history import History
from diorama.rewards.parts import Fact, Harm, Look, Quality, View
from diorama.rewards.scoring import score_of
from diorama.scenarios import Scenario

When = Literal["turn", "commitment", "end"]
GAVE_UP = Finding(False, "an agent that says that the task is done", "the agent gave up")
"""Why an episode that ended by giving up is never a success, whatever was done before."""


UNSETTLED = Finding(
    False, "a world that settles after the end", "the agent left more queued work than a settlement runs"
)
"""Why an episode whose settlement was cut earns nothing: what would have happened later must not be avoided so."""


COSTLY_CHARACTERS = 2_000
"""A judgement that has more to read takes more than some milliseconds."""
COSTLY_CHANGES = 2_000
"""And so does one that has more changes of rows to look at."""
COSTLY_BYTES = 32 << 10
"""And one that has more memory of such changes to read: several times what was written."""


class Verdict(msgspec.Struct, frozen=True):
    """What was judged at one moment: the account, what each checked part found, and the damage if it was looked for."""

    account: Account
    findings: dict[str, Finding]
    damage: Sequence[Damage]
    when: When
    revocable: float
    """The weight of the damage that can be taken back, as booked."""


class Outcome(NamedTuple):
    """What was judged at the end, with the qualities of a success."""

    verdict: Verdict
    qualities: dict[str, Measure]


class Turn(NamedTuple):
    """What was judged in a turn, and after how many changes of rows; it holds until a row changes."""

    history: History
    changes: int
    committed: bool
    findings: dict[str, Finding]
    damage: Sequence[Damage]


class Seen(msgspec.Struct, frozen=True):
    """What one event of the agent was the first to do or show."""

    deeds: tuple[str, ...] = ()
    looked: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.deeds or self.looked or self.shown)


NOTHING = Seen()


class Awaited(msgspec.Struct, frozen=True):
    """What no event has done or shown yet, as a gradebook says; `numbers` are those of the records that decide."""

    book: Gradebook
    deeds: Sequence[Fact]
    looks: Sequence[Look]
    fields: Sequence[Fact]
    numbers: Sequence[str]

    def __bool__(self) -> bool:
        return bool(self.deeds or self.looks or self.fields)


class Grader:
    """Judges one variant of one scenario. It keeps nothing but what it has read of the chain."""

    def __init__(self, scenario: Scenario[Any], truth: Any, open_facts: Sequence[str]) -> None:
        self.scenario = scenario
        self.truth = truth
        self._brief = scenario.brief(truth)
        self._owed = scenario.owed(truth)
        facts = tuple(scenario.facts_for(truth))
        self.facts: list[Fact] = [f for f in facts if f.name in open_facts]
        self.kept: list[Fact] = [f for f in facts if f.name not in open_facts]
        """Facts that held at staging: they earn nothing, and success needs them to hold."""
        self.looks = tuple(scenario.looks_for(truth))
        self._at_turn = [f for f in self.facts if f.booked == "turn"]
        self._by_rows = not scenario.harms and all(f.kind == "deed" and not f.deed for f in self._at_turn)
        """Whether what is judged in a turn follows from rows alone."""
        self._awaited: Awaited | None = None
        self._turn: Turn | None = None
        self._history: History | None = None
        self._last: tuple[bytes, Gradebook, Outcome] | None = None

    def fork(self) -> Grader:
        """Return a grader for a fork of the episode."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._history = None
        twin._turn = None
        twin._last = None
        return twin

    # --- turns

    def notice(self, chain: Chain, place: int, gradebook: Gradebook) -> Seen:
        """Judge an event of the agent: deeds, looks and deciding records that it was the first to do or show."""
        awaited = self._awaited
        if awaited is None or awaited.book is not gradebook:
            awaited = self._awaited = self._await(gradebook)
        if not awaited:
            return NOTHING
        event = chain[place]
        if not event.actor.startswith("agent:"):
            return NOTHING
        text = str(event.reply.get("body", "")) if awaited.numbers else ""
        seen = {number for number in awaited.numbers if number in text and stands_in(number, text)}
        deeds = [f.name for f in awaited.deeds if f.check(self.scenario, event, self.truth)]
        looked = [one.name for one in awaited.looks if one.check(self.scenario, event, self.truth)]
        shown = [f.name for f in awaited.fields if not seen.isdisjoint(f.decided_by)] if seen else ()
        return Seen(tuple(deeds), tuple(looked), tuple(shown)) if deeds or looked or shown else NOTHING

    def _await(self, gradebook: Gradebook) -> Awaited:
        """Return what is still to be done or shown."""
        fields = [f for f in self.facts if f.decided_by and f.name not in gradebook.shown]
        return Awaited(
            gradebook,
            [f for f in self.facts if f.deed and f.name not in gradebook.deeds],
            [one for one in self.looks if one.name not in gradebook.looked],
            fields,
            list(dict.fromkeys(number for f in fields for number in f.decided_by)),
        )

    def judge(self, world: World, gradebook: Gradebook, end: bool = False) -> Verdict:
        """Judge the current state: what is booked in its turn, or everything at a first commitment and at the end."""
        if not end:
            return world.read(lambda tx: self._judge(tx, world.chain, gradebook, False))
        outcome = world.read(lambda tx: self._judge_all(tx, world.chain, gradebook))
        self._last = world.chain.head, self.booked(outcome.verdict, gradebook), outcome
        return outcome.verdict

    def _judge_all(self, tx: Tx, chain: Chain, book: Gradebook) -> Outcome:
        """Judge everything, and measure the quality of a success; a text that a reader fails at there costs success."""
        if self._history is not None:
            self._history.failures.forget("quality")
        verdict = self._judge(tx, chain, book, True)
        if not verdict.account.success(self.facts):
            return Outcome(verdict, {})
        view = View(tx, chain, book.staged_us, book.staged_seq, self._history, self._brief)
        view.recall()
        qualities = measure_qualities(self.scenario, self.scenario.qualities, view, self.truth)
        if view.history.failures.errors():
            return Outcome(self._judge(tx, chain, book, True), {})
        return Outcome(verdict, qualities)

    def unreadable(self) -> tuple[str, ...]:
        """Return the errors of readers that failed at what the agent wrote."""
        return self._history.failures.errors() if self._history is not None else ()

    def is_costly(self, chain: Chain, book: Gradebook, size: int) -> bool:
        """Return whether the judgement after a request of this size may take long: it may be the first commitment."""
        if book.committed or len(self._at_turn) == len(self.facts):
            return False
        history = self._history
        if history is None:  # nothing was written yet, or the episode was forked or restored
            new = range(book.staged_seq, len(chain)) if size else ()
            changed = sum(one.memory for place in new if (one := chain.entry(place)).has_changes)
            return size > COSTLY_CHARACTERS or changed > COSTLY_BYTES
        return history.written + size > COSTLY_CHARACTERS or len(history.log) > COSTLY_CHANGES

    def _judge(self, tx: Tx, chain: Chain, book: Gradebook, end: bool) -> Verdict:
        scenario, truth = self.scenario, self.truth
        view = View(tx, chain, book.staged_us, book.staged_seq, self._history, self._brief)
        history = self._history = view.history
        view.recall()
        known = self._turn
        if known and not end and known[:3] == (history, len(history.log), book.committed):
            return self._verdict("turn", dict(known.findings), {}, known.damage, book, book.lost, book.revocable)
        waits = not book.committed and len(self._at_turn) < len(self.facts)
        history.failures.forget("fact", "harm", "slander", "covers", "commitment")
        reading = history.failures.reading
        committed = not end and waits and reading(("commitment", ""), lambda: scenario.committed(view, truth), False)
        when: When = "end" if end else "commitment" if committed else "turn"
        findings = check_facts(scenario, self._at_turn if when == "turn" else self.facts, view, truth, book.deeds)
        harms = count_harms(scenario, scenario.harms, view, truth)
        damage = damage_of(view.tx, history, lambda cell: self._covers(view, cell), final=when == "turn")
        if when == "turn":
            if self._by_rows:
                self._turn = Turn(history, len(history.log), book.committed, findings, damage)
            return self._verdict(when, findings, harms, damage, book, book.lost, book.revocable)
        broken = {n: made for n, made in check_facts(scenario, self.kept, view, truth, ()).items() if not made}
        broken |= changed_minds(reading(("commitment", "values"), lambda: scenario.committed_values(view, truth), {}))
        broken |= view.unread()
        if book.ended == "gave_up":
            broken["gave_up"] = GAVE_UP
        if book.unsettled:
            broken["unsettled"] = UNSETTLED
        revocable = total(one for one in damage if not one.final)
        return self._verdict(when, findings | broken, harms, damage, book, tuple(broken), revocable)

    def _verdict(
        self,
        when: When,
        findings: dict[str, Finding],
        harms: dict[str, int],
        damage: Sequence[Damage],
        book: Gradebook,
        lost: tuple[str, ...],
        revocable: float,
    ) -> Verdict:
        """Add up what was found; a fact that was not judged now counts as it was booked."""
        held = {f.name for f in self.facts if not book.unsettled and findings.get(f.name, f.name in book.held)}
        weight = revocable + total(one for one in damage if one.final)
        account = Account.of(
            self.facts, held, harms, looks=self.looks, looked=book.looked, shown=book.shown, damage=weight, lost=lost
        )  # fmt: skip
        return Verdict(account, findings, damage, when, revocable)

    def _covers(self, view: View, cell: Cell) -> bool:
        """Check whether the task covers a changed value: it belongs to an owed deed, or the scenario says so."""
        if owed := self._owed:
            done = view.once("owed deeds", lambda: [deed for _, deed in view.matched(owed).done])
            if covered(cell, done):
                return True
        covers, place = self.scenario.covers, ("covers", f"{cell.table} {cell.key} {cell.column}")
        return view.history.failures.reading(place, lambda: covers(view.tx, self.truth, cell), False, cell.seq)

    def booked(self, verdict: Verdict, book: Gradebook) -> Gradebook:
        """Return the gradebook with a verdict, or the same one if nothing changed."""
        account = verdict.account
        committed = book.committed or verdict.when == "commitment"
        made = replace(
            book, held=account.held, harms=account.harms, potential=account.potential, damage=account.damage,
            lost=account.lost, committed=committed, revocable=verdict.revocable,
        )  # fmt: skip
        return book if made == book else made

    def signals(self, verdict: Verdict, before: Gradebook, looked: Sequence[str] = ()) -> list[Signal]:
        """Return the change of the potential with its reasons, and the phases that are complete now."""
        account, signals = verdict.account, []
        if account.potential != before.potential:
            words, expected, found = self._reasons(verdict, before, looked)
            change = account.potential - before.potential
            signals.append(Signal("potential", "step", change, words, expected, found))
        for phase in self.scenario.phases:
            own = {f.name for f in self.facts if f.phase == phase}
            if own and own <= set(account.held) and not own <= set(before.held):
                signals.append(Signal(phase, "phase", 1.0, "complete", ", ".join(sorted(own)), "complete"))
        return signals

    def _reasons(self, verdict: Verdict, before: Gradebook, looked: Sequence[str]) -> tuple[str, str, str]:
        """Return what changed since the last booking, what was expected and what was found."""
        account = verdict.account
        judged: list[Fact | Look | Harm] = [*self.facts, *self.looks, *self.scenario.harms]
        because = {part.name: part.because for part in judged}
        lines: list[tuple[str, Finding]] = []
        for name in [*account.held, *before.held]:
            if (name in account.held) != (name in before.held):
                made = verdict.findings[name]
                lines.append((f"{'+' if name in account.held else '-'}{name}", made))
        for name in looked:
            lines.append((f"+{name}", Finding(True, because[name], "it stood in a reply")))
        for name, count in account.harms.items():
            if count > before.harms.get(name, 0):
                said = f"this never happens: {because[name]}"
                lines.append((f"harm: {name}", Finding(False, said, f"{count} times")))
        lines += [(f"lost: {name}", verdict.findings[name]) for name in account.lost if name not in before.lost]
        if account.damage != before.damage:
            first = verdict.damage[0].part() if verdict.damage else None
            found = f"damage {account.damage:.2f}{f', first: {first.found}' if first else ''}"
            lines.append((f"damage: {account.damage:.2f}", Finding(False, f"damage {before.damage:.2f}", found)))
        if not lines:  # a fact that held already earns now, or no longer
            was, now = f"potential {before.potential:.4f}", f"potential {account.potential:.4f}"
            lines.append(("what holds counts differently", Finding(True, was, now)))
        names, findings = zip(*lines, strict=True)
        return ", ".join(names), "; ".join(f.expected for f in findings), "; ".join(f.found for f in findings)

    # --- the end

    def score(self, world: World, book: Gradebook, steps: list[ScorePart]) -> tuple[Score, bool]:
        """Grade the episode as it stands; whatever was not booked yet is a last step."""
        scenario = self.scenario

        known = self._last
        if known is not None and known[:2] == (world.chain.head, book):
            verdict, qualities = known[2]
        else:
            verdict, qualities = world.read(lambda tx: self._judge_all(tx, world.chain, book))
        account = verdict.account
        if account.potential != book.potential:
            words, expected, found = self._reasons(verdict, book, ())
            here = len(world.chain)
            steps.append(ScorePart("end", "step", account.potential - book.potential, words, (here,), expected, found))
        weights = {q.name: q.weight for q in scenario.qualities}
        values = {name: made.value for name, made in qualities.items()}
        reward, success = reward_of(account, self.facts, scenario.harms, values, weights)
        phases = [p for p in scenario.phases if any(f.phase == p for f in self.facts)]
        judged: list[Harm | Quality] = [*scenario.harms, *scenario.qualities]
        score = score_of(
            steps, account, self.facts, verdict.findings, phases, qualities, verdict.damage,
            judged, reward, self.looks,
        )  # fmt: skip
        if abs(score.step - account.potential) > 1e-9:
            said = f"the steps add up to {score.step}, the potential is {account.potential}"
            raise Defect(said, boundary="grader")
        return score, success


def stands_in(number: str, text: str) -> bool:
    """Check whether a number stands in a text as a word of its own."""
    place = text.find(number)
    while place >= 0:
        end = place + len(number)
        if not (text[place - 1 : place].isalnum() or text[end : end + 1].isalnum()):
            return True
        place = text.find(number, place + 1)
    return False
