"""The curl commands of the documentation run as they are written."""

import asyncio
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from diorama.server.front import Front, Ready, Settings
from tests.doors.serving import TOKEN, in_thread

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "serve.md"
needs_tools = pytest.mark.skipif(
    not (shutil.which("curl") and shutil.which("jq")), reason="the commands use curl and jq"
)


def commands() -> list[str]:
    walk = PAGE.read_text().partition("## Try it with curl\n")[2].partition("\n## ")[0]
    return [line for block in re.findall(r"```console\n(.*?)```", walk, re.DOTALL) for line in block.splitlines()]


@needs_tools
def test_the_curl_tutorial_runs_as_written(tmp_path: Path) -> None:
    async def main(stopping: asyncio.Event, ready: Callable[[Ready], None]) -> None:
        await Front(Settings(token=TOKEN, port=0, workers=0)).serve(stopping, ready)

    with in_thread(main) as ready:
        script = "\n".join(["set -euo pipefail", *commands()])
        script = script.replace("http://127.0.0.1:8700", ready.control_url).replace("choose-one", TOKEN)
        done = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
        )
    assert done.returncode == 0, done.stderr
    said = done.stdout
    statuses = [line for line in said.splitlines() if re.fullmatch(r"\d{3}", line)]
    assert statuses == ["401", "401", "403"], said  # a wrong token, an anonymous visitor, a finished episode
    assert '"error": "unknown_seat"' in said
    assert '"turns": 2,' in said  # the wrong token did not count as a turn
    assert f'"url": "{ready.origins[0]["zendesk"]}/api/v2/users/' in said
    assert '["zendesk/late-refund",["agent"]]' in said
    assert re.search(r'"ended": "done",\s*"success": false,\s*"reward": 0', said), said


def test_the_ports_are_those_of_the_page() -> None:
    named = dict(re.findall(r"^\| (87\d\d) \| (.*) \|$", PAGE.read_text(), re.MULTILINE))
    front = Front(Settings(token=TOKEN, port=0, workers=0))
    try:
        doors = [f"`{name}`" for name in front.ready.origins[0]]
    finally:
        front.close()
    assert list(named.values()) == ["the control plane", *doors, "the HTTPS proxy"]
    assert list(named) == [str(8700 + offset) for offset in range(len(named))]
