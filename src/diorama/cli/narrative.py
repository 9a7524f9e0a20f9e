"""Print the story of an episode: the reason first, then turn by turn, then every part of the score."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec

from diorama.cli import excerpts
from diorama.cli.display import number
from diorama.runs.reasons import Judged
from diorama.runs.story import Happening, RowChange, Story, Turn

WIDEST = 110
"""Texts are wrapped at this width even if the screen is wider."""
MARGIN = 9
"""Where texts of a turn begin: behind a word of at most six letters."""
ROWS = 6
"""How many rows of a turn are shown."""
COLUMNS = 8
"""How many columns of a new row are shown."""
SPOKEN = 400
"""How many characters of a model's words are shown."""
STYLES = {"success": "bold green", "failed": "bold red", "void": "bold yellow", "damaged": "bold yellow"}
MARKS = {"met": "green", "partly met": "yellow", "missing": "red", "cost": "red"}


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
    from rich.text import Text

    room = max(20, min(screen.width, WIDEST) - indent - len(label) - (1 if label else 0))
    lines = Text(excerpts.printable(text)).wrap(screen, room) if text else [Text("")]
    for at, line in enumerate(lines):
        head = label if at == 0 or repeat else " " * len(label)
        made = Text(" " * indent)
        made.append(head, label_style)
        made.append(" " if label else "")
        made.append(line.plain.rstrip(), style)
        made.rstrip()
        screen.print(made, soft_wrap=True)


def title(screen: Any, text: str) -> None:
    """Print the heading of a section, with an empty line before it."""
    screen.print()
    write(screen, text, style="bold")


def prose(screen: Any, lines: Iterable[str], indent: int) -> None:
    """Print a text for people, each line behind a bar."""
    for line in lines:
        write(screen, line, "|", indent, label_style="dim", repeat=True)


def tell(screen: Any, story: Story, full: bool) -> None:
    """Print the whole story."""
    write(screen, story.headline, style=STYLES[story.outcome])
    for line in about(story):
        write(screen, line)
    places = {turn.event: turn.turn for turn in story.turns if turn.event is not None}
    if story.reasons:
        title(screen, "Why" if story.outcome == "failed" else "What cost quality")
        for part in story.reasons:
            print_part(screen, part, places, story)
    if story.not_shown:
        title(screen, "Not shown")
        for text in story.not_shown:
            write(screen, text, "-", 2)
    if story.brief is not None:
        title(screen, "Brief")
        prose(screen, story.brief.strip().split("\n"), 2)
    for turn in story.turns:
        print_turn(screen, turn, full)
    if story.settlement:
        last = story.settlement[-1].at
        title(screen, f"After the agent's work, until {moment(last)}")
        print_happenings(screen, story.settlement, full)
        print_steps(screen, story.settlement_steps)
    if story.parts:
        title(screen, f"Score: reward {number(story.reward)}")
        for part in story.parts:
            print_part(screen, part, places, story)
        for phase in story.phases:
            write(screen, f"{phase.name} {phase.value:.2f} ({phase.because})", "phase", 2)
    if not full and story.turns:
        screen.print()
        write(screen, "Long replies are shortened and bookkeeping is left out. Everything: --full", style="dim")


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
    lines += [f"An earlier attempt was void: {text}" for text in story.earlier]
    return lines


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


def print_part(screen: Any, part: Judged, places: dict[int, int], story: Story) -> None:
    """Print one part of the score: its value and name, what was expected, what was found, and where."""
    write(screen, part.name, f"{part.value:+.2f} {part.mark}", 2, label_style=MARKS[part.mark])
    write(screen, part.expected, "expected", 8, label_style="dim")
    write(screen, part.found, "found   ", 8, label_style="dim")
    where = where_of(part, places, story)
    if where:
        write(screen, where, "where   ", 8, label_style="dim")


def where_of(part: Judged, places: dict[int, int], story: Story) -> str:
    """Return the turns and events that show a part: its evidence, else the turns in which it began or ceased to hold."""
    if part.evidence:
        named = [f"turn {places[seq]} (event {seq})" if seq in places else f"event {seq}" for seq in part.evidence]
        return ", ".join(named[:5]) + (f" and {len(named) - 5} more" if len(named) > 5 else "")
    moved = [
        f"{'first' if sign == '+' else 'no longer'} so in turn {turn.turn}"
        for turn in story.turns
        for step in turn.steps
        for sign, name in signs(step.because)
        if name == part.name
    ]
    return ", ".join(moved)


def signs(because: str) -> list[tuple[str, str]]:
    """Return the facts of a step with `+` if it began to hold, `-` if it ceased to, and `!` for a harm."""
    words = because.split(", ") if because else []
    return [("!", word[6:]) if word.startswith("harm: ") else (word[:1], word[1:]) for word in words]


def print_turn(screen: Any, turn: Turn, full: bool) -> None:
    """Print one turn: what the agent said, did and saw, what changed, and what happened until the next one."""
    when = f", {moment(turn.at)}, event {turn.event}" if turn.at is not None else " (left no event)"
    title(screen, f"Turn {turn.turn}{when}" if turn.turn else f"A turn{when}")
    for text in turn.said:
        write(screen, text if full else excerpts.cut(text, SPOKEN), "said  ", 2)
    texts = print_act(screen, turn)
    print_rows(screen, turn.changes, turn.app, texts, full)
    waits = turn.tool == "wait"
    if waits:
        print_happenings(screen, turn.meanwhile, full)
    if turn.saw and turn.tool != "finish":
        print_saw(screen, turn, full)
    if full and turn.notices:
        write(screen, ", ".join(turn.notices), "notice", 2)
    if not waits:
        print_happenings(screen, turn.meanwhile, full)
    print_steps(screen, turn.steps)


def print_act(screen: Any, turn: Turn) -> list[str]:
    """Print the call or request of a turn; return the long texts in it."""
    given = turn.arguments
    if not turn.tool:
        seat = f" as {turn.seat}" if turn.seat else ""
        write(screen, f"{turn.app} {turn.request}{seat}" if turn.request else "nothing", "did   ", 2)
        given = _document(turn.body)
        if given not in (None, "", {}):
            write(screen, _pairs(excerpts.without_texts(given)), "with  ", 2)
    else:
        write(screen, f"{turn.tool}({_pairs(excerpts.without_texts(given))})", "did   ", 2)
    texts = excerpts.texts_in(given, "body" if isinstance(given, str) else "")
    for name, text in texts:
        write(screen, f"{name}:", indent=MARGIN)
        prose(screen, text.strip().split("\n"), MARGIN)
    return [text for _, text in texts]


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
    return excerpts.printable(msgspec.json.encode(item).decode())


def print_saw(screen: Any, turn: Turn, full: bool) -> None:
    """Print what the agent saw: everything, or the lines that matter."""
    label, style = ("error ", "red") if turn.is_error else ("saw   ", "")
    if full:
        lines, text = turn.saw.split("\n"), ""
    else:
        lines, text = excerpts.reply(turn.saw, turn.reply)
    for at, line in enumerate(lines):
        write(screen, line.strip(), label if at == 0 else " " * len(label), 2 + len(line) - len(line.lstrip()), style)
    prose(screen, excerpts.few_lines(text) if text else (), MARGIN)


def print_rows(screen: Any, changes: Sequence[RowChange], app: str, texts: Sequence[str], full: bool) -> None:
    """Print the rows that changed: those of the called app first, then the consequences."""
    shown = sorted(
        (one for one in changes if full or not excerpts.bookkeeping(one.table, one.columns, one.op)),
        key=lambda one: one.by != app,
    )
    most = len(shown) if full else ROWS
    for at, one in enumerate(shown[:most]):
        write(screen, row_text(one, app, texts, full), "wrote " if at == 0 else "      ", 2)
    left = len(changes) - min(len(shown), most)
    if left:
        tables = ", ".join(dict.fromkeys(one.table for one in changes if one not in shown[:most]))
        label = "" if shown else "wrote "
        write(screen, f"{'and ' if shown else ''}{left} more rows: {tables}", label or " " * 6, 2, "dim")


def row_text(one: RowChange, app: str, texts: Sequence[str], full: bool) -> str:
    """Return one changed row in words: table, key, and each column with its value before and after."""
    by = f" (by {one.by})" if one.by not in (app, "") else ""
    most = 10_000 if full else excerpts.VALUE
    if one.op == "update":
        cells = [
            f"{name}: {excerpts.cell(name, old, most)} -> {excerpts.cell(name, new, most)}"
            for name, (old, new) in one.columns.items()
            if full or not (name.endswith("_at") and len(one.columns) > 1)
        ]
        return f"{one.table} {one.key}: {'; '.join(cells)}{by}"
    side = 0 if one.op == "delete" else 1
    row = {name: pair[side] for name, pair in one.columns.items()}
    if not full:
        keys = [name for name in row if name.endswith(("_id", "_cents")) or name in excerpts.MATTERS]
        text = next((name for name in excerpts.PROSE if row.get(name)), None)
        row = {name: row[name] for name in [*keys, *([text] if text else [])] if name != "id"}
        row = {name: held for name, held in row.items() if held not in (None, "", 0, "[]", "{}")}
        row = dict(list(row.items())[:COLUMNS]) | ({text: row[text]} if text in row else {})
    cells = [
        f"{name} {'(the text above)' if held in texts else excerpts.cell(name, held, most)}" for name, held in row.items()
    ]
    return f"{one.table} {one.key} {'deleted' if side == 0 else 'added'}: {', '.join(cells)}{by}"


def print_happenings(screen: Any, happened: Sequence[Happening], full: bool) -> None:
    """Print what happened by itself: words of people, rows that the agent caused, and counts of the rest."""
    quiet: Counter[str] = Counter()
    for one in happened:
        rows = [row for row in one.changes if full or not excerpts.bookkeeping(row.table, row.columns, row.op)]
        spoken = [speech.text for speech in one.speeches]
        if not full:
            rows = [row for row in rows if not any(_repeats(row, text) for text in spoken)]
        if not full and not spoken and (not one.caused_by or not rows):
            if one.changes:
                quiet[one.operation] += 1
            continue
        for speech in one.speeches:
            kind = speech.kind.replace("_", " ")
            write(screen, f"{speech.who} wrote ({kind}):", moment(one.at), 2)
            prose(screen, speech.text.strip().split("\n"), MARGIN)
        if not spoken:
            write(screen, f"{one.operation}, event {one.event}", moment(one.at), 2)
        if rows:
            print_rows(screen, rows, one.operation.partition(" ")[0], spoken, full)
    if quiet:
        counts = ", ".join(f"{name} {count}" for name, count in quiet.most_common())
        write(screen, f"unrelated work in the background: {counts}", "also  ", 2, "dim")


def _repeats(row: RowChange, text: str) -> bool:
    """Tell whether a row is new and holds a text that was just printed."""
    return row.op == "insert" and any(new == text for _, new in row.columns.values())


def print_steps(screen: Any, steps: Sequence[Any]) -> None:
    """Print how the potential moved, and why."""
    words = {"+": "{} now holds", "-": "{} no longer holds", "!": "harm: {}"}
    for step in steps:
        told = ", ".join(words.get(sign, "{}").format(name) for sign, name in signs(step.because))
        style = "green" if step.value > 0 else "red"
        write(screen, f"{step.value:+.3f}, now {step.potential:.3f}: {told}", "score ", 2, style)
