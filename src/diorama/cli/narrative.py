"""Print the story of an episode: the reason first, then turn by turn, then every part of the score."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec

from diorama.cli import excerpts
from diorama.cli.display import number
from diorama.cli.errors import printable
from diorama.runs.reasons import Judged
from diorama.runs.story import Happening, RowChange, Step, Story, Turn

WIDEST = 110
"""Texts are wrapped at this width even if the screen is wider."""
MARGIN = 9
"""Where the texts of a turn begin: behind a label of six letters."""
ROWS = 6
"""How many rows of one event are shown."""
COLUMNS = 8
"""How many columns of a new row are shown."""
SPOKEN = 400
"""How many characters of a model's words are shown."""
ERROR = 500
"""How many characters of an error are shown."""
PLACES = 5
"""How many events of one part are named."""
STYLES = {"success": "bold green", "failed": "bold red", "void": "bold yellow", "damaged": "bold yellow"}
MARKS = {"met": "green", "partly met": "yellow", "missing": "red", "cost": "red"}
MOVES = {"+": "{} now holds", "-": "{} no longer holds", "!": "harm: {}"}


def write(
    screen: Any,
    text: str,
    label: str = "",
    indent: int = 0,
    style: str = "",
    label_style: str = "bold",
    repeat: bool = False,
) -> None:
    """Print a text wrapped behind a label; lines after the first begin where the text began, or `repeat` the label."""
    room = max(20, min(screen.width, WIDEST) - indent - len(label) - (1 if label else 0))
    for at, line in enumerate(wrapped(screen, excerpts.printable(text), room)):
        before = label if at == 0 or repeat else " " * len(label)
        if line:
            made = f"{' ' * indent}{painted(screen, before, label_style)}{' ' if label else ''}"
            screen.file.write(f"{made}{painted(screen, line, style)}\n")
        else:
            screen.file.write(f"{(' ' * indent + painted(screen, before.rstrip(), label_style)).rstrip()}\n")


def wrapped(screen: Any, text: str, room: int) -> list[str]:
    """Return a text in lines of at most this width."""
    if len(text) <= room and text.isascii() and text.isprintable():
        return [text.rstrip()]
    from rich.text import Text

    return [line.plain.rstrip() for line in Text(text).wrap(screen, room)] or [""]


def painted(screen: Any, text: str, style: str) -> str:
    """Return a text with the codes of a style, if the screen has colours; much faster than to print it with rich."""
    if not text or not style or screen.color_system is None:
        return text
    from rich.console import COLOR_SYSTEMS

    made: str = screen.get_style(style).render(text, color_system=COLOR_SYSTEMS[screen.color_system])
    return made


class Narrator:
    """Prints one story; `full` shortens nothing and leaves nothing out."""

    def __init__(self, screen: Any, story: Story, full: bool) -> None:
        screen.size = screen.size  # asked for once: to ask for every line takes most of the time
        self.screen = screen
        self.story = story
        self.full = full
        self.shown: set[str] = set()
        """Texts for people that were printed already."""
        self.places = {turn.event: turn.turn for turn in story.turns if turn.event is not None}

    def tell(self) -> None:
        """Print the whole story."""
        story = self.story
        write(self.screen, printable(story.headline), style=STYLES[story.outcome])
        for line in about(story):
            write(self.screen, printable(line))
        broken = story.outcome in ("void", "damaged")
        if broken:
            self.gaps()
        if story.reasons:
            self.title("Why" if story.outcome == "failed" else "What cost quality")
            for part in story.reasons:
                self.part(part)
        if story.brief is not None:
            self.title("Brief")
            self.prose(story.brief.strip().split("\n"), 2)
        for turn in story.turns:
            self.turn(turn)
        if story.settlement:
            self.title(f"After the agent's work, until {moment(story.settlement[-1].at)}")
            self.happenings(story.settlement)
        self.steps(story.settlement_steps)
        if story.parts:
            self.title(f"Score: reward {number(story.reward)}")
            for part in (*story.parts, *story.looks):
                self.part(part)
            for phase in story.phases:
                write(self.screen, f"{phase.name} {phase.value:.2f} ({phase.because})", "phase", 2)
        if not broken:
            self.gaps()
        if not self.full and story.turns:
            self.screen.print()
            write(self.screen, "Long replies and bookkeeping are shortened. Everything: --full", style="dim")

    def title(self, text: str) -> None:
        """Print the heading of a section, with an empty line before it."""
        self.screen.print()
        write(self.screen, text, style="bold")

    def prose(self, lines: Iterable[str], indent: int = MARGIN) -> None:
        """Print a text for people, each line behind a bar."""
        for line in lines:
            write(self.screen, line, "|", indent, label_style="dim", repeat=True)

    def line(self, label: str, text: str, style: str = "") -> None:
        """Print one line of a turn behind its label."""
        write(self.screen, text, f"{label:<6}", 2, style)

    def gaps(self) -> None:
        """Print what cannot be shown."""
        if self.story.not_shown:
            self.title("Not shown")
            for text in self.story.not_shown:
                write(self.screen, text, "-", 2)

    def part(self, part: Judged) -> None:
        """Print one part of the score: its value and name, what was expected, what was found, and where."""
        write(self.screen, part.name, f"{part.value:+.2f} {part.mark:<7}", 2, label_style=MARKS[part.mark])
        where = where_of(part, self.places, self.story.turns)
        for label, text in (("expected", part.expected), ("found", part.found), ("where", where)):
            if text:
                write(self.screen, text, f"{label:<8}", 8, label_style="dim")

    def turn(self, turn: Turn) -> None:
        """Print one turn: what the agent said and did, what changed, what it saw, and what happened until the next."""
        when = f"{moment(turn.at)}, event {turn.event}" if turn.at is not None else "left no event"
        self.title(f"Turn {turn.turn}, {when}" if turn.turn else f"A turn that {when}")
        for text in turn.said:
            self.line("said", text if self.full else excerpts.cut(text, SPOKEN))
        texts = self.act(turn)
        self.rows(turn.changes, turn.app, texts)
        waits = turn.tool == "wait"
        if waits:
            self.happenings(turn.meanwhile)
        if turn.saw and turn.tool != "finish":
            self.saw(turn)
        if self.full and turn.notices:
            self.line("notice", ", ".join(turn.notices))
        if not waits:
            self.happenings(turn.meanwhile)
        self.steps(turn.steps)

    def act(self, turn: Turn) -> list[str]:
        """Print the call or request of a turn; return the long texts in it."""
        given = turn.arguments
        if turn.tool == "finish" and turn.by_harness:
            self.line("ended", f"the agent did not call finish; the run ended the episode ({self.story.ended})")
            return []
        if turn.tool:
            self.line("did", f"{turn.tool}({_pairs(excerpts.without_texts(given))})")
        else:
            seat = f" as {turn.seat}" if turn.seat else ""
            self.line("did", f"{turn.app} {turn.request}{seat}" if turn.request else "nothing")
            given = _document(turn.body)
            if given not in (None, "", {}):
                self.line("with", _pairs(excerpts.without_texts(given)))
        texts = excerpts.texts_in(given, "body" if isinstance(given, str) else "")
        for name, text in texts:
            write(self.screen, f"{name}:", indent=MARGIN)
            self.prose(text.strip().split("\n"))
            self.shown.add(text.strip())
        return [text for _, text in texts]

    def saw(self, turn: Turn) -> None:
        """Print what the agent saw: everything, or the lines that matter."""
        label, style = ("error", "red") if turn.is_error else ("saw", "")
        if self.full:
            lines, text = excerpts.whole(turn.saw), ""
        elif turn.is_error:
            lines, text = [excerpts.cut(turn.saw.removeprefix("error: "), ERROR)], ""
        else:
            lines, text = excerpts.reply(turn.saw, turn.reply)
        for at, line in enumerate(lines):
            deeper = len(line) - len(line.lstrip())
            write(self.screen, line.strip(), f"{label if at == 0 else '':<6}", 2 + deeper, style)
        if text and text.strip() not in self.shown:
            self.shown.add(text.strip())
            self.prose(excerpts.few_lines(text))

    def rows(self, changes: Sequence[RowChange], app: str, texts: Sequence[str]) -> None:
        """Print the rows that changed: those of the called app first, then the consequences."""
        telling = [one for one in changes if self.full or not one.derived]
        telling.sort(key=lambda one: one.by != app)
        shown = telling if self.full else telling[:ROWS]
        for at, one in enumerate(shown):
            self.line("" if at else "rows", row_text(one, app, texts, self.full))
        for word, rest in (("more", telling[len(shown) :]), ("bookkeeping", [o for o in changes if o not in telling])):
            if rest:
                tables = ", ".join(dict.fromkeys(one.table for one in rest))
                count = f"{len(rest)} row{'' if len(rest) == 1 else 's'}"
                kind = "of bookkeeping" if word == "bookkeeping" else "more"
                self.line("" if shown else "rows", f"{'and ' if shown else ''}{count} {kind}: {tables}", "dim")

    def happenings(self, happened: Sequence[Happening]) -> None:
        """Print what happened by itself: words of people, rows that the agent caused, and counts of the rest."""
        quiet: Counter[str] = Counter()
        for one in happened:
            spoken = [speech.text for speech in one.speeches]
            rows = one.changes
            if not self.full:
                rows = [row for row in rows if not row.derived and not any(_repeats(row, text) for text in spoken)]
                if not spoken and not (rows and one.caused_by in self.places):
                    quiet.update([one.operation] if one.changes else [])
                    continue
            when = moment(one.at)
            for speech in one.speeches:
                write(self.screen, f"{speech.who} wrote ({speech.kind.replace('_', ' ')}):", when, 2)
                self.prose(speech.text.strip().split("\n"))
                self.shown.add(speech.text.strip())
            if not spoken:
                cause = f", because of turn {self.places[one.caused_by]}" if one.caused_by in self.places else ""
                write(self.screen, f"{one.operation} (event {one.event}{cause})", when, 2)
            self.rows(rows, one.operation.partition(" ")[0], spoken)
        if quiet:
            counts = ", ".join(f"{name} {count}" for name, count in quiet.most_common())
            self.line("also", f"background work that the agent did not cause: {counts}", "dim")

    def steps(self, steps: Sequence[Step]) -> None:
        """Print how the potential moved, and why."""
        for step in steps:
            told = ", ".join(MOVES.get(sign, "{}").format(name) for sign, name in signs(step.because))
            text = f"potential {step.value:+.3f}, now {step.potential:.3f}: {told}"
            self.line("signal", text, "green" if step.value > 0 else "red")
            if step.found and self.full:
                self.line("", f"expected {step.expected}; found {step.found}", "dim")


def about(story: Story) -> list[str]:
    """Return which episode this is, and how it ended."""
    plan = f", plan {story.plan}" if story.plan else ""
    attempt = f", attempt {story.attempt + 1}" if story.attempt else ""
    which = f"Episode {story.number} of {story.run}: {story.scenario}, seed {story.seed} ({story.split}){plan}"
    turns = f"{story.turns_taken} turn{'' if story.turns_taken == 1 else 's'}"
    lines = [f"{which}, agent {story.agent}{attempt}."]
    if story.outcome == "void" and story.fault is not None:
        at = f" at event {story.fault['at']}" if story.fault["at"] is not None else ""
        lines.append(f"Fault {story.fault['kind']}{at}, after {turns}.")
    elif story.ended:
        passed = duration(story.virtual_seconds)
        lines.append(f"Reward {number(story.reward)}, ended by {story.ended}, {turns}, {passed} of virtual time.")
    return [*lines, *(f"An earlier attempt was void: {text}" for text in story.earlier)]


def duration(seconds: float) -> str:
    """Return a span of virtual time in its two largest units."""
    minutes = round(seconds / 60)
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def moment(at: datetime) -> str:
    """Return a virtual time."""
    return f"{at:%a %d %b %H:%M:%S}"


def where_of(part: Judged, places: dict[int, int], turns: Sequence[Turn]) -> str:
    """Return the turns and events that show a part: its evidence, else turns that made it hold or not."""
    if part.evidence:
        named = [f"turn {places[seq]} (event {seq})" if seq in places else f"event {seq}" for seq in part.evidence]
        more = f" and {len(named) - PLACES} more" if len(named) > PLACES else ""
        return ", ".join(named[:PLACES]) + more
    moved = [
        f"{'holds' if sign == '+' else 'no longer holds' if sign == '-' else 'done'} from turn {turn.turn} on"
        for turn in turns
        for step in turn.steps
        for sign, name in signs(step.because)
        if name == part.name
    ]
    return ", ".join(moved)


def signs(because: str) -> list[tuple[str, str]]:
    """Return the facts of a step with `+` if it began to hold, `-` if it ceased to, and `!` for a harm."""
    words = because.split(", ") if because else []
    return [
        ("!", word[6:]) if word.startswith("harm: ") else (word[0], word[1:]) if word[0] in "+-" else ("", word)
        for word in words
        if word
    ]


def row_text(one: RowChange, app: str, texts: Sequence[str], full: bool) -> str:
    """Return one changed row as a sentence: table, key, and each column with its value before and after."""
    by = f" (by {one.by})" if one.by not in (app, "") else ""
    most = 1_000_000 if full else excerpts.VALUE
    if one.op == "update":
        cells = [
            f"{name}: {excerpts.cell(name, old, most)} -> {excerpts.cell(name, new, most)}"
            for name, (old, new) in one.columns.items()
            if full or not name.endswith("_at")
        ]
        return f"{one.table} {one.key}: {'; '.join(cells)}{by}"
    side = 0 if one.op == "delete" else 1
    row = {name: pair[side] for name, pair in one.columns.items()}
    if not full:
        row = excerpts.main_columns(row, COLUMNS)
    cells = [
        f"{name} {'(the text above)' if held in texts else excerpts.cell(name, held, most)}"
        for name, held in row.items()
    ]
    return f"{one.table} {one.key} {'deleted' if side == 0 else 'added'}: {', '.join(cells)}{by}"


def _repeats(row: RowChange, text: str) -> bool:
    """Tell whether a row is new and holds a text that was just printed."""
    return row.op == "insert" and any(new == text for _, new in row.columns.values())


def _document(body: Any) -> Any:
    """Return a request's body as data, if it is JSON."""
    if not isinstance(body, str):
        return body
    try:
        return msgspec.json.decode(body)
    except msgspec.MsgspecError:
        return body


def _pairs(given: Any) -> str:
    if not isinstance(given, dict):
        return "" if given is None else excerpts.value(given, 10 * excerpts.VALUE)
    return ", ".join(f"{name}={_argument(item)}" for name, item in given.items())


def _argument(item: Any) -> str:
    if isinstance(item, str):
        return item if item == "..." else f'"{item}"'
    return msgspec.json.encode(item).decode()
