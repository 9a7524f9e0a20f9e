"""Run commands of the command line, each in a process of its own, without importing everything again.

A server imports the package once and forks for every command. A command does what `python -m diorama` does; only the
imports are shared. Commands that need another interpreter, limits or a terminal are started as usual.
"""

import atexit
import json
import os
import pkgutil
import subprocess
import sys
import threading
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory


def import_everything() -> None:
    """Import what commands use, so that the children need not; nothing is searched for yet."""
    for name in ("apps", "worlds", "scenarios", "cli", "runs", "check", "contract"):
        package = import_module(f"diorama.{name}")
        for info in pkgutil.iter_modules(package.__path__):
            import_module(f"{package.__name__}.{info.name}")


def attempt(words: list[str], settings: dict[str, str], files: tuple[Path, Path, Path], cwd: str = ".") -> int:
    """Run one command in a child, with files for its input and its outputs; return its exit code."""
    child = os.fork()
    if not child:
        reading, writing = os.O_RDONLY, os.O_CREAT | os.O_TRUNC | os.O_WRONLY
        for fd, (file, mode) in enumerate(zip(files, (reading, writing, writing), strict=True)):
            os.dup2(os.open(file, mode), fd)
        os.chdir(cwd)
        os.environ.clear()
        os.environ.update(settings)
        sys.argv = ["diorama", *words]
        os._exit(_main())
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def _main() -> int:
    """Run the command line as a process does from its first to its last step."""
    from diorama.cli import main

    code = 0
    try:
        main()
    except SystemExit as end:
        code = int(end.code or 0)
    except BaseException:  # noqa: BLE001 - what Python does at the end of a process
        sys.excepthook(*sys.exc_info())
        code = 99
    threading._shutdown()  # type: ignore[attr-defined] # Python calls it at its end
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = 120
    return code


class Commands:
    """A server of commands; it ends with the process that uses it."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="diorama-commands-")
        root = Path(__file__).parents[2]
        self._inherited = os.environ.get("PYTHONPATH")
        paths = [str(root / "src"), str(root), *filter(None, [self._inherited])]
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.cli.commands"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        )

    def run(self, words: tuple[str, ...], cwd: Path | None, told: str | None) -> subprocess.CompletedProcess[str]:
        """Run one command with the environment of now; with another PYTHONPATH, in an interpreter of its own."""
        if os.environ.get("PYTHONPATH") != self._inherited:
            line = [sys.executable, "-m", "diorama", *words]
            return subprocess.run(line, capture_output=True, text=True, check=False, cwd=cwd, input=told)
        folder = Path(self._folder.name)
        files = [folder / name for name in ("stdin", "stdout", "stderr")]
        files[0].write_text(told or "")
        asked = [words, dict(os.environ), [str(one) for one in files], str(cwd or Path.cwd())]
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps(asked) + "\n")
        self._server.stdin.flush()
        code = json.loads(self._server.stdout.readline())
        out, err = (one.read_bytes().decode() for one in files[1:])
        return subprocess.CompletedProcess(["diorama", *words], code, out, err)


if __name__ == "__main__":
    import_everything()
    for line in sys.stdin:
        words, settings, (told, out, err), cwd = json.loads(line)
        code = attempt(words, settings, (Path(told), Path(out), Path(err)), cwd)
        sys.stdout.write(f"{code}\n")
        sys.stdout.flush()
