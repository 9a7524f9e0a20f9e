"""The command line: one file per command, each imported only when it is used."""

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, ELOOP, EMFILE, ENAMETOOLONG, ENFILE, ENOTDIR, EPERM, EROFS
from importlib import import_module
from pathlib import Path
from signal import SIG_DFL, SIGINT, SIGTERM, getsignal, signal
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from diorama.cli.errors import Misuse, check_environment, check_words, folder_path, printable
from diorama.cli.output import OutputLost, check_streams, drop_output, unsaid

VERBS = {
    "demo": "Several agents on real scenarios, a table of their scores.",
    "apps": "List the apps that worlds are made of.",
    "worlds": "List the companies and their sizes.",
    "scenarios": "List what an agent can be asked to do.",
    "run": "Run episodes with an agent, into a run folder.",
    "play": "Do a scenario yourself, in the terminal.",
    "serve": "Serve worlds over HTTP at the vendors' own paths.",
    "show": "Say why episodes of a run failed, or tell one as a story.",
    "replay": "Print an episode, or replay a run and compare.",
    "contract": "Compare an app with its vendor's specification.",
    "bench": "Measure speed and memory on this machine.",
    "new": "Start an app, a world or a scenario from a working example.",
    "check": "Check an app, a world or a scenario.",
    "cases": "Write cases for judge-score from staged variants.",
    "judge-score": "Measure how well the judge reads words, on labelled replies.",
    "mutate": "Play oracles with generated cheats and honest variants.",
}
WITHOUT_PATH = ("bench", "new", "judge-score")
"""Verbs that do not take --path: two measure this package, the other has a --path of its own."""

UNUSABLE = (EACCES, EPERM, ELOOP, ENAMETOOLONG, ENOTDIR, EROFS)
"""What the system answers for a path that cannot be used; a command that did not expect it says so in one line."""

GIVEN_PATHS: list[Path] = []
"""The folders that were given to this command with --path: a command that this one suggests needs them too."""


def search_in(paths: list[Path] | None) -> None:
    """Add folders to DIORAMA_PATH, so that this process and the ones it starts find what is in them."""
    if paths:
        from diorama.kernel.paths import folder_problem  # only now: `--help` must not import the kernel

        for path in paths:
            if problem := folder_problem(path):
                raise Misuse(f"--path {path}: {problem}.")
    GIVEN_PATHS.extend(path for path in paths or [] if path not in GIVEN_PATHS)
    known = os.environ.get("DIORAMA_PATH", "").split(os.pathsep)
    try:
        entries = dict.fromkeys(os.path.abspath(entry) for entry in [*map(str, paths or []), *known] if entry)
    except OSError as error:
        raise Misuse(f"The current folder cannot be used: {error.strerror}. Go to another one.") from None
    if entries:
        os.environ["DIORAMA_PATH"] = os.pathsep.join(entries)


PathOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--path",
        metavar="DIR",
        parser=folder_path,
        callback=search_in,
        help="Also look for apps, worlds and scenarios in DIR; repeatable.",
    ),
]


FirstPathOption = Annotated[
    list[Path] | None,
    typer.Option("--path", metavar="DIR", parser=folder_path, help="The same as --path after the command."),
]


def _path_option() -> Any:
    """Return the option --path as an object that every verb can have."""
    alone = typer.Typer(add_completion=False)

    @alone.command()
    def verb(path: PathOption = None) -> None:
        pass

    option = next(one for one in typer.main.get_command(alone).params if one.name == "path")
    option.expose_value = False  # its callback does the work
    return option


def _function(verb: str) -> Any:
    """Import the function of a verb; its file and its name have underscores instead of hyphens."""
    name = verb.replace("-", "_")
    return getattr(import_module(f"diorama.cli.{name}"), name)


class Terminated(KeyboardInterrupt):
    """SIGTERM came: the command stops as Ctrl-C stops it."""


def _terminate(number: int, frame: Any) -> None:
    raise Terminated


def _stopped(stop: KeyboardInterrupt) -> int:
    """Say that a signal stopped the command; return its exit code."""
    typer.echo("diorama: stopped.", err=True)
    return 128 + (SIGTERM if isinstance(stop, Terminated) else SIGINT)


@contextmanager
def _saying_stopped() -> Iterator[None]:
    """Say that a signal stopped the command: Typer would end it without a word."""
    try:
        yield
    except KeyboardInterrupt as stop:
        raise typer.Exit(_stopped(stop)) from None


class Verbs(TyperGroup):
    """The commands, listed without importing them."""

    listing = False

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the commands in the order in which a new user needs them."""
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Load one command; for the list of commands, use only its help line."""
        if cmd_name not in VERBS:
            return None
        if self.listing:
            return TyperCommand(cmd_name, help=VERBS[cmd_name])
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(cmd_name, help=VERBS[cmd_name])(_function(cmd_name))
        command = typer.main.get_command(alone)
        if cmd_name not in WITHOUT_PATH:
            command.params.append(_path_option())
        return command

    def make_context(self, *given: Any, **extra: Any) -> Any:
        """Parse the options before a command."""
        with _saying_stopped():
            return super().make_context(*given, **extra)

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        with _saying_stopped():
            return super().invoke(ctx)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the commands without importing them."""
        self.listing = True
        try:
            super().format_help(ctx, formatter)
        finally:
            self.listing = False


app = typer.Typer(
    cls=Verbs, add_completion=False, rich_markup_mode=None, no_args_is_help=True, pretty_exceptions_enable=False
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"diorama {version('diorama')}")
        raise typer.Exit


@app.callback()
def diorama(
    ctx: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    path: FirstPathOption = None,
) -> None:
    """Worlds an agent cannot tell from work: run agents in them, grade them, replay them."""
    GIVEN_PATHS.clear()
    if ctx.invoked_subcommand != "new":  # it writes into the folder, which need not exist yet
        search_in(path)


class Reports(logging.StreamHandler[Any]):
    """Prints what could not be loaded: one line each, and a reason that several have only once."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter("diorama: %(message)s"))
        self.last: list[str] = []
        """The reports with the reason that was printed last; a command that fails for it need not repeat it."""
        self._reasons: dict[str, str] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Print a report; name the first thing that has the same reason instead of repeating it."""
        broken: Any = record.args[0] if isinstance(record.args, tuple) and record.args else record.args
        reason = getattr(broken, "reason", "")
        first = self._reasons.setdefault(reason, f"{broken.kind} {broken.name}") if reason else ""
        repeated = bool(reason) and first != f"{broken.kind} {broken.name}"
        self.last = [*self.last, record.getMessage()] if repeated else [record.getMessage()]
        if repeated:
            record.msg, record.args = f"{broken.kind} {broken.name} ({broken.where}) needs {first}, see above", ()
        super().emit(record)


def main() -> None:
    """Run the `diorama` command."""
    if not check_streams():
        typer.echo("diorama: standard output is closed. Send it to a file or to /dev/null.", err=True)
        sys.exit(1)
    if sys.flags.optimize > 1:
        typer.echo(
            "diorama: Python was started without docstrings (-OO or PYTHONOPTIMIZE=2), which apps and scenarios need. "
            "Start it with docstrings.",
            err=True,
        )
        sys.exit(2)
    try:
        try:
            _main()
        except SystemExit as end:
            if end.code not in (0, None) and (told := unsaid("--json" in sys.argv)):
                typer.echo(printable(told, keep="\n"))
            raise
        finally:
            sys.stdout.flush()
    except OutputLost as lost:
        drop_output()
        if not lost.is_closed_pipe:
            typer.echo(f"diorama: cannot write to standard output: {lost}.", err=True)
        sys.exit(1)


def _main() -> None:
    reports = Reports()
    discovery = logging.getLogger("diorama.discovery")  # what could not be loaded: one line each, in this process only
    discovery.addHandler(reports)
    discovery.propagate = False
    try:
        if getsignal(SIGTERM) == SIG_DFL:  # who started us may have had it ignored
            signal(SIGTERM, _terminate)
        check_words([*sys.argv[1:], os.environ.get("DIORAMA_PATH", "")])
        check_environment(name for name in os.environ if name.startswith(("DIORAMA_", "OPENAI_")))
        app(prog_name="diorama")
    except KeyboardInterrupt as stop:
        sys.exit(_stopped(stop))
    except Misuse as error:
        if str(error) not in reports.last:
            typer.echo(f"diorama: {printable(str(error), keep=chr(10))}", err=True)
        sys.exit(2)
    except Exception as error:
        from diorama.kernel.errors import Defect  # only now: `--help` must not import the kernel

        if isinstance(error, OSError) and error.errno in (EMFILE, ENFILE):
            typer.echo(f"diorama: {error.strerror}. Raise the limit with `ulimit -n`.", err=True)
            sys.exit(1)
        if isinstance(error, OSError) and error.errno in UNUSABLE and isinstance(error.filename, str):
            told = f"cannot use {error.filename}: {error.strerror}. Choose another path, or change its permissions"
            typer.echo(f"diorama: {printable(told)}.", err=True)
            sys.exit(2)
        if not isinstance(error, Defect):
            raise
        typer.echo(f"diorama: {printable(error.message, keep=chr(10))}", err=True)
        sys.exit(1)
