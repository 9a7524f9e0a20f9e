"""`diorama play`: a person plays a scenario in the terminal, with the same tools as an agent."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from diorama.cli.errors import Misuse, out_path

HELP = "A number or a name calls a tool; also `NAME key=value ...` or `NAME {JSON}`. `tools`, `brief`, `quit`."


class Quit(Exception):
    """The person stops: end of input, or `quit`."""


def play(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help="Which scenario, as `diorama scenarios` lists them.")
    ],
    seed: Annotated[int, typer.Option(min=0, max=2**62, help="Which variant.")] = 0,
    out: Annotated[
        Path | None, typer.Option(parser=out_path, metavar="PATH", help="Save the episode in this run folder.")
    ] = None,
) -> None:
    """Show the brief and the tools, then prompt for one call after another."""
    from diorama.cli.display import out as console
    from diorama.cli.display import program
    from diorama.episodes.agents import PERSON
    from diorama.episodes.agents.recorded import AgentHands
    from diorama.episodes.episode import start
    from diorama.runs.jobs import chosen
    from diorama.runs.perform import stored_episode
    from diorama.runs.store import Job

    if sys.stdin is None:
        raise Misuse("Standard input is closed. Type your calls in a terminal, or send them from a file or a pipe.")
    job = Job(PERSON, chosen([scenario])[0].name, seed)
    if out is not None:
        reserve(out, job)
    episode = start(scenario, seed)
    hands = AgentHands(episode.hands, episode.world)
    screen = console()
    screen.print(f"{scenario}, seed {seed}\n\n{hands.brief}\n\n{menu(hands.tools)}\n\n{HELP}", markup=False)
    ended = converse(screen, hands)
    finished = stored_episode(job, episode, hands, episode.finish(ended=ended, agent=PERSON))
    print_result(screen, finished.result)
    if out is not None:
        save(out, finished)
        screen.print(f"Saved. Read it: {program()} replay {out}", markup=False)
    if finished.result["ended"] == "void":
        raise typer.Exit(3)


def converse(screen: Any, hands: Any) -> Literal["done", "gave_up"]:
    """Run the person's calls until the episode ends or they quit."""
    while True:
        try:
            line = ask("> ")
            if line in ("tools", "help", "?"):
                screen.print(menu(hands.tools), markup=False)
            elif line == "brief":
                screen.print(hands.brief, markup=False)
            elif line:
                seen = hands.call(*parse_call(line, hands.tools))
                screen.print(seen.text, markup=False, style="red" if seen.is_error else "green")
                if seen.ended:
                    return "done"
        except Quit:
            return "gave_up"
        except ValueError as error:
            screen.print(str(error), markup=False, style="yellow")


def ask(prompt: str) -> str:
    """Read one line from the terminal or a pipe."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    try:
        line = sys.stdin.readline()
    except OSError as error:  # such as a stream that was opened for writing
        raise Misuse(f"Cannot read standard input: {error.strerror or error}.") from None
    if not sys.stdin.isatty():
        sys.stdout.write(line if line.endswith("\n") else f"{line}\n")
    if not line or line.strip() == "quit":
        raise Quit
    return line.strip()


def menu(tools: Sequence[Mapping[str, Any]]) -> str:
    """Return the numbered list of tools with their arguments."""
    lines = []
    for number, tool in enumerate(tools, 1):
        schema = tool["parameters"]
        must = schema.get("required", ())
        taken = ", ".join(name if name in must else f"[{name}]" for name in schema.get("properties", {}))
        lines.append(f"{number:3}  {tool['name']}({taken})\n       {tool['description'].splitlines()[0]}")
    return "\n".join(lines)


def parse_call(line: str, tools: Sequence[Mapping[str, Any]]) -> tuple[str, dict[str, Any]]:
    """Parse a line into a tool and its arguments; prompt for them if none are given."""
    head, _, rest = line.partition(" ")
    if head.isdecimal() and 1 <= int(head) <= len(tools):
        tool = tools[int(head) - 1]
    else:
        found = [tool for tool in tools if tool["name"] == head]
        if not found:
            raise ValueError(f"There is no tool {head!r}. Type `tools` to see them.")
        tool = found[0]
    schema = tool["parameters"]
    if rest.lstrip().startswith("{"):
        given = json.loads(rest)
    elif rest:
        given = dict(pair(part, schema) for part in rest.split())
    else:
        given = prompt_for_arguments(schema)
    return tool["name"], given


def pair(part: str, schema: Mapping[str, Any]) -> tuple[str, Any]:
    """Parse one `key=value`."""
    name, found, text = part.partition("=")
    if not found:
        raise ValueError(
            f"{part!r} is not of the form key=value. For texts with spaces give JSON, or only the tool's name."
        )
    return name, value(text, schema.get("properties", {}).get(name, {}))


def prompt_for_arguments(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Prompt for every argument; an empty line skips an optional one."""
    given = {}
    for name, inner in schema.get("properties", {}).items():
        must = name in schema.get("required", ())
        kinds = "/".join(str(one) for one in inner["enum"]) if "enum" in inner else str(inner.get("type", "value"))
        while True:
            text = ask(f"  {name} ({kinds}{'' if must else ', optional'}): ")
            if text:
                given[name] = value(text, inner)
            elif must:
                continue
            break
    return given


def value(text: str, schema: Mapping[str, Any]) -> Any:
    """Convert typed text to the schema's type; leave invalid values to the tool to refuse."""
    kinds = {schema.get("type")} | {choice.get("type") for choice in schema.get("anyOf", ())}
    if kinds == {"string"} or (kinds <= {"string", "null", None} and "string" in kinds) or "enum" in schema:
        return text
    if "boolean" in kinds and text.lower() in ("yes", "y", "no", "n"):
        return text.lower().startswith("y")
    try:
        return json.loads(text)
    except ValueError:
        return text.split(",") if "array" in kinds else text


def print_result(screen: Any, result: Mapping[str, Any]) -> None:
    """Print the result and its parts, each with what it means, and why if it is not met."""
    from diorama.runs.reasons import judged_parts

    if result["ended"] == "void":
        fault = result["fault"]
        text = f"The harness broke at the boundary {fault['boundary']}: {fault['message']}. There is no score."
        screen.print(text, markup=False, style="red")
        return
    score, word = result["score"], "Success" if result["success"] else "Not solved"
    scales = ", ".join(f"{scale} {score[scale]:.3f}" for scale in ("step", "phase", "episode"))
    screen.print(
        f"\n{word} ({result['ended']}): {scales}",
        markup=False,
        style="green" if result["success"] else "red",
    )
    for part in judged_parts(result):
        screen.print(f"  {part.value:+.2f}  {part.mark:<10}  {part.name}: {part.because}", markup=False)
        for side in ("expected", "found") if part.mark != "met" else ():
            screen.print(f"{'':21}{side}: {getattr(part, side)}", markup=False)


def reserve(folder: Path, job: Any) -> None:
    """Refuse a folder that the episode could not be saved in, before it is played."""
    from diorama.runs.file import WrongRun
    from diorama.runs.jobs import run_info
    from diorama.runs.store import Store

    with Store.begin(folder, run_info(["play", job.scenario], [job])) as store:
        if store.find():
            raise WrongRun(f"{folder} holds this episode already. Choose another folder with --out.")


def save(folder: Path, finished: Any) -> None:
    """Write the episode into its own run folder."""
    from diorama.runs.digests import take_key
    from diorama.runs.jobs import run_info
    from diorama.runs.store import Store
    from diorama.runs.taxonomy import Tally

    job = finished.job
    with Store.begin(folder, run_info(["play", job.scenario], [job]), take_key()) as store:
        store.add([finished])
        store.finish(Tally(store.results(), store.info.jobs).summary())
