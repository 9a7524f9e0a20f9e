"""One episode as a story: what the agent did and saw, what changed, what people answered, and how it was judged."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from diorama.episodes.episode import ACTING_DOORS, start
from diorama.kernel import Defect
from diorama.kit.damage import UNKNOWN, TableKinds
from diorama.rewards.history import kinds_of
from diorama.runs.documents import UNREADABLE, UTTERANCES
from diorama.runs.file import Damaged
from diorama.runs.perform import event_json
from diorama.runs.reasons import Judged, Outcome, headline, judged, judged_parts, outcome_of, reasons
from diorama.runs.replay import difference
from diorama.runs.store import Job, Store, read_events, read_result, read_turns
from diorama.scenarios import find
from diorama.worlds import company_of

CONVERSATIONS, PERSONAS = "_people_conversations", "_people_personas"
"""The tables in which people keep their threads, and who they are."""
RECEIVED = ("heard", "notice")
"""Kinds of speech that a person received instead of saying it."""
CUT = "\n[cut here: "
"""What stands at the end of a reply that was too long for an agent."""
STAGING = ("control", "agenda")
"""Doors of events that no agent caused."""


class RowChange(msgspec.Struct, frozen=True):
    """One row that changed: each column with its value before and after."""

    table: str
    key: int | str
    op: str
    by: str
    columns: dict[str, tuple[Any, Any]]
    derived: bool = False
    """Whether it only follows from another change, as the app declares its kinds of damage."""


class Speech(msgspec.Struct, frozen=True):
    """Words of a person: who, what kind of message, and the text."""

    who: str
    kind: str
    text: str


class Happening(msgspec.Struct, frozen=True):
    """One event that no turn of the agent is: a timer, a person, a link, the settlement."""

    event: int
    at: datetime
    actor: str
    operation: str
    caused_by: int
    """The event that set it off; 0 if it was planned before the episode."""
    speeches: list[Speech]
    changes: list[RowChange]
    notices: list[str]


class Step(msgspec.Struct, frozen=True):
    """What a turn did to the potential, and why."""

    value: float
    potential: float
    because: str
    expected: str = ""
    found: str = ""


class Turn(msgspec.Struct, kw_only=True):
    """One turn: what the agent said, did and saw, and what followed before the next one."""

    turn: int
    event: int | None
    at: datetime | None
    said: list[str] = []
    tool: str = ""
    arguments: Any = None
    request: str = ""
    app: str = ""
    seat: str = ""
    body: Any = None
    saw: str = ""
    reply: str = ""
    """The vendor's reply; the agent saw only its beginning. Empty if the agent saw all of it."""
    is_error: bool = False
    wrong_call: bool = False
    by_harness: bool = False
    """Whether no call of the agent made this event."""
    status: int | None = None
    changes: list[RowChange] = []
    notices: list[str] = []
    steps: list[Step] = []
    meanwhile: list[Happening] = []


class Story(msgspec.Struct, kw_only=True):
    """Everything that a run holds of one attempt, in the order in which it happened."""

    run: str
    number: int
    episode: str
    scenario: str
    seed: int
    split: str
    agent: str
    attempt: int
    outcome: Outcome
    headline: str
    plan: str = ""
    ended: str = ""
    success: bool | None = None
    reward: float | None = None
    turns_taken: int = 0
    virtual_seconds: float = 0.0
    note: str = ""
    fault: dict[str, Any] | None = None
    earlier: list[str] = []
    """Why each earlier attempt at the same episode was void."""
    not_shown: list[str] = []
    """What cannot be shown, and why."""
    damaged: bool = False
    """Whether something that is stored cannot be read, so that not everything is shown."""
    reasons: list[Judged] = []
    brief: str | None = None
    turns: list[Turn] = []
    settlement: list[Happening] = []
    settlement_steps: list[Step] = []
    parts: list[Judged] = []
    looks: list[Judged] = []
    phases: list[Judged] = []


def story_of(store: Store, job: Job, with_brief: bool = True) -> Story:
    """Return the story of one attempt; whatever cannot be read is left out and named in `not_shown`."""
    row = store.row(job)
    gone: list[str] = []
    result, wrong = result_or_problem(row["result"])
    events = _logged(read_events, row["events"], "events", gone)
    transcript = _logged(read_turns, row["transcript"], "transcript", gone)
    if result is None:
        gone.append(f"the result: it was changed or damaged, so there is no score: {wrong}")
    story = Story(
        run=str(store.folder),
        number=store.number(job),
        episode=job.name,
        scenario=job.scenario,
        seed=job.seed,
        split=job.split,
        agent=job.agent,
        attempt=job.attempt,
        outcome=outcome_of(result),
        headline=headline(result, row["note"]),
        note=row["note"],
        not_shown=gone,
        damaged=bool(gone),
    )
    if result is not None:
        _add_result(story, result)
    acted = staged(events)
    graded = (result or {}).get("score") or {"parts": []}
    last_steps = [part for part in graded["parts"] if part["scale"] == "step" and part["name"] == "end"]
    try:
        _add_turns(story, events, acted, transcript, last_steps)
    except UNREADABLE as error:  # what the check of a document does not cover: values inside of it
        gone.append(f"what happened from here on: the stored logs are damaged ({type(error).__name__}: {error})")
        story.damaged = True
    if with_brief:
        story.brief, why = _brief(job, events[:acted])
        gone += [f"the brief: {why}"] if why else []
    _say_what_is_missing(story, events, transcript)
    return story


def result_or_problem(text: str) -> tuple[dict[str, Any] | None, str]:
    """Decode a stored result; if it is not one, return None and why."""
    try:
        return read_result(text), ""
    except Damaged as damaged:
        return None, str(damaged)


def staged(events: Sequence[Mapping[str, Any]]) -> int:
    """Return how many events belong to staging: those before the first input, or before the settlement without one."""
    for index, event in enumerate(events):
        if event["door"] not in STAGING:
            return index
    last = max((index for index, event in enumerate(events) if event["door"] == "control"), default=len(events))
    settled = last < len(events) and events[last]["operation"] == "wait"
    return last if settled else len(events)


def _logged(
    read: Callable[[bytes], list[dict[str, Any]]], data: bytes, what: str, gone: list[str]
) -> list[dict[str, Any]]:
    """Read a log; if it cannot be read, say so and return an empty one."""
    try:
        return read(data)
    except Damaged as damaged:
        gone.append(f"the {what}: the stored log is damaged: {damaged}")
        return []


def _add_result(story: Story, result: dict[str, Any]) -> None:
    story.plan = result.get("plan", "")
    story.ended, story.success, story.reward = result["ended"], result["success"], result["reward"]
    story.turns_taken, story.virtual_seconds = result["turns"], result.get("virtual_seconds", 0.0)
    story.fault = result["fault"]
    if result["score"] is None:
        return
    story.reasons = reasons(result)
    story.parts = judged_parts(result)
    story.looks, story.phases = (
        [judged(part) for part in result["score"]["parts"] if part["scale"] == scale] for scale in ("look", "phase")
    )


def _add_turns(
    story: Story,
    events: list[dict[str, Any]],
    acted: int,
    transcript: Iterable[Mapping[str, Any]],
    last_steps: Iterable[Mapping[str, Any]],
) -> None:
    """Put the events after staging and the entries of the transcript together, turn by turn."""
    people = People(events)
    acts = [entry for entry in transcript if "event" not in entry]
    said: list[str] = []
    potential = 0.0
    settling = False
    kinds = _kinds(story.scenario)
    for event in events[acted:]:
        settling = settling or (event["door"] == "control" and event["operation"] == "wait")
        steps = []
        for signal in event["signals"]:
            if signal["scale"] == "step":
                potential += signal["value"]
                steps.append(_step(signal, potential))
        if event["door"] in ACTING_DOORS and event["root"] == event["seq"]:
            said += _words(acts)
            while acts and not _is_event_of(acts[0], event) and _comes_later(acts, event):
                story.turns.append(_turn(acts.pop(0), None, said))
                said = _words(acts)
            act = acts.pop(0) if acts and _is_event_of(acts[0], event) else None
            turn = _turn(act, event, said)
            turn.steps = steps
            turn.changes = changes_of(event, kinds)
            story.turns.append(turn)
            said = []
            continue
        happened = _happening(event, people, kinds)
        if settling or not story.turns:
            story.settlement.append(happened)
            story.settlement_steps += steps
        else:
            story.turns[-1].meanwhile.append(happened)
            story.turns[-1].steps += steps
    while acts:
        said += _words(acts)
        if acts:
            story.turns.append(_turn(acts.pop(0), None, said))
            said = []
    for part in last_steps:  # what was booked only when the episode was graded
        potential += part["value"]
        story.settlement_steps.append(_step(part, potential))
    if said:
        story.turns.append(Turn(turn=len(story.turns) + 1, event=None, at=None, said=said))


def _step(moved: Mapping[str, Any], potential: float) -> Step:
    """Return a change of the potential, from the signal of an event or from a part of the score."""
    return Step(moved["value"], potential, moved["because"], moved.get("expected") or "", moved.get("found") or "")


def _words(acts: list[Mapping[str, Any]]) -> list[str]:
    """Take what a model said off the front of a transcript."""
    out = []
    while acts and "tool" not in acts[0] and "http" not in acts[0]:
        out.append(str(acts.pop(0).get("said", "")))
    return [text for text in out if text.strip()]


def _is_event_of(act: Mapping[str, Any], event: Mapping[str, Any]) -> bool:
    """Tell whether an event can be the record of a turn."""
    asked, operation = event["request"], event["operation"]
    if "tool" in act:
        if event["door"] != "tools":
            return False
        if operation == "wrong_call":
            return bool(asked["tool"] == act["tool"][:1000])
        return (act["tool"] == operation) if operation in ("wait", "finish") else act["tool"] not in ("wait", "finish")
    return (
        "method" in asked
        and event["app"] == act.get("app")
        and act["http"].startswith(asked["method"])
        and asked["path"] in act["http"]
    )


def _comes_later(acts: Sequence[Mapping[str, Any]], event: Mapping[str, Any]) -> bool:
    """Tell whether a later turn made the event, so that the next one left no event."""
    return any(("tool" in act or "http" in act) and _is_event_of(act, event) for act in acts[1:])


def _turn(act: Mapping[str, Any] | None, event: Mapping[str, Any] | None, said: list[str]) -> Turn:
    turn = Turn(
        turn=event["turn"] if event else 0,
        event=event["seq"] if event else None,
        at=_time(event["at"]) if event else None,
        said=said,
    )
    if event is not None:
        asked = event["request"]
        turn.app, turn.notices, turn.status = event["app"], event["notices"], event["reply"].get("status")
        turn.wrong_call = event["operation"] == "wrong_call"
        if "method" in asked:
            query = f"?{asked['query']}" if asked["query"] else ""
            turn.request, turn.body = f"{asked['method']} {asked['path']}{query}", asked.get("body") or None
        if act is None:
            turn.by_harness = True
            turn.tool = "" if turn.request else event["operation"]
            turn.arguments = None if turn.request else asked
            turn.saw = str(event["reply"].get("body") or "")
            turn.is_error = bool(event["reply"].get("refused"))
    if act is not None:
        turn.tool, turn.arguments = act.get("tool", ""), act.get("arguments")
        turn.request = turn.request or act.get("http", "")
        turn.app, turn.seat = turn.app or act.get("app", ""), act.get("seat", "")
        turn.saw, turn.is_error = act["text"], act["is_error"]
        body = event["reply"].get("body") if event is not None else None
        if CUT in turn.saw[-200:] and isinstance(body, str):
            turn.reply = body
    return turn


class People:
    """The names of the people who speak, as far as the events tell them."""

    def __init__(self, events: Iterable[Mapping[str, Any]]) -> None:
        self.personas: dict[Any, str] = {}
        self.threads: dict[Any, Any] = {}
        for event in events:
            for change in event["changes"]:
                row = change["after"] or {}
                if change["table"] == PERSONAS and "name" in row:
                    self.personas[change["key"]] = row["name"]
                elif change["table"] == CONVERSATIONS and "persona_id" in row:
                    self.threads[change["key"]] = row["persona_id"]

    def name(self, row: Mapping[str, Any]) -> str:
        """Return the name of the person who said something."""
        try:
            told = msgspec.json.decode(row.get("used") or "{}").get("name", "")
        except (msgspec.MsgspecError, AttributeError):
            told = ""
        return str(self.personas.get(self.threads.get(row.get("conversation_id"))) or told or "a person")


def _happening(event: Mapping[str, Any], people: People, kinds: Mapping[str, TableKinds]) -> Happening:
    speeches = [
        Speech(people.name(row), row["speech"], row["text"])
        for row in (
            change["after"] for change in event["changes"] if change["table"] == UTTERANCES and change["op"] == "insert"
        )
        if row.get("speech") not in RECEIVED
    ]
    return Happening(
        event["seq"],
        _time(event["at"]),
        event["actor"],
        f"{event['app']} {event['operation']}".strip(),
        event["root"] if event["root"] != event["seq"] else 0,
        speeches,
        changes_of(event, kinds),
        event["notices"],
    )


def changes_of(event: Mapping[str, Any], kinds: Mapping[str, TableKinds]) -> list[RowChange]:
    """Return the rows of apps that an event changed; tables of the simulation itself are left out."""
    found = []
    for change in event["changes"]:
        table, columns = change["table"], _columns(change)
        if not table.startswith("_"):
            derived = kinds.get(table, UNKNOWN).follows(change["op"], columns)
            found.append(RowChange(table, change["key"], change["op"], change.get("by", ""), columns, derived))
    return found


def _kinds(scenario: str) -> Mapping[str, TableKinds]:
    """Return what changes of each table mean; empty if the scenario or its world is not installed here."""
    try:
        return kinds_of(company_of(find(scenario).world))
    except LookupError:
        return {}


def _columns(change: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    before, after = change["before"] or {}, change["after"] or {}
    return {name: (before.get(name), after.get(name)) for name in {**before, **after}}


def _brief(job: Job, recorded: Sequence[Mapping[str, Any]]) -> tuple[str | None, str]:
    """Stage the variant again; return its brief if the staging equals the recorded one, else why not."""
    if not recorded:
        return None, "the episode was never staged"
    try:
        episode = start(job.scenario, job.seed, split=job.split)
    except LookupError:
        return None, f"a run does not store it, and {job.scenario} is not installed here (see --path)"
    except (Defect, ValueError) as error:
        return None, f"a run does not store it, and {job.scenario} cannot be staged here: {error}"
    entries = list(episode.world.chain.entries())
    again = [event_json(entry.open(whole=False), {}) for entry in entries]
    same = len(again) == len(recorded) and not any(
        difference(old, new, {"wall"}) for old, new in zip(recorded, again, strict=True)
    )
    if not same:
        return None, "a run does not store it, and the code or the data of the scenario was changed since the run"
    return episode.brief, ""


def _say_what_is_missing(story: Story, events: list[Any], transcript: list[Any]) -> None:
    """Name what a reader would look for and this run does not hold."""
    gone = story.not_shown
    if not events and not any("events" in text for text in gone):
        gone.append("what happened: the run holds no events of this attempt, because it broke outside of any world")
    if events and story.turns_taken and not transcript and not any("transcript" in text for text in gone):
        gone.append(
            "what the agent saw through its tools: the run has no transcript, so the vendors' replies are shown"
        )
    if story.agent.startswith("python:"):
        gone.append("what the agent's own code printed or thought: a run stores only what it did and saw")


def _time(at_us: int) -> datetime:
    return datetime.fromtimestamp(at_us / 1e6, UTC)
