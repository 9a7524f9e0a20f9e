"""An ASGI app on a listener: whole requests in, whole replies out."""

import asyncio
import hmac
import logging
from typing import Any
from urllib.parse import unquote

from diorama.doors.connection import Admission, Answer, Done, head_of, plain_refusal
from diorama.doors.heads import Head

log = logging.getLogger("diorama.control")

MAX_BODY = 1 << 20
TOO_LARGE = b" " * (MAX_BODY + 1)
"""What the app gets instead of a body that is too large and was not kept."""


class AsgiApp:
    """Serves an ASGI app to those who hold a bearer token; of other clients no body is kept."""

    def __init__(self, app: Any, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()
        self._tasks: set[asyncio.Task[None]] = set()

    def admit(self, head: Head) -> Admission:
        """Admit a body only with the token."""
        given = [value for name, value in head.fields.pairs if name == b"authorization"]
        known = len(given) == 1 and hmac.compare_digest(given[0], self._expected)
        return Admission(None, "" if known else None, MAX_BODY if known else 0)

    def crowded(self, admission: Admission) -> Answer:
        """Refuse one connection too many."""
        return Answer(503, b"content-type: text/plain\r\n", b"Too many connections.\n")

    def unreadable(self, status: int, reason: str, episode: str | None) -> Answer:
        """Refuse what is not HTTP."""
        return plain_refusal(status, reason)

    def answer(self, head: Head, admission: Admission, body: bytes | None, done: Done) -> None:
        """Call the app in a task; what a body that is too large means, it decides itself."""
        if body is None and admission.episode is not None:
            body = TOO_LARGE
        task = asyncio.get_running_loop().create_task(self._call(head, body or b"", done))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _call(self, head: Head, body: bytes, done: Done) -> None:
        made = Answer(500, b"")
        parts: list[bytes] = []
        read = False

        async def receive() -> Any:
            nonlocal read
            if read:
                return {"type": "http.disconnect"}
            read = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                sent = message.get("headers", ())
                made.status = message["status"]
                made.head = head_of((name, value) for name, value in sent if name.lower() != b"content-length")
            else:
                parts.append(message.get("body", b""))

        scope = {
            "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1",
            "method": head.method, "scheme": "http", "path": unquote(head.path.decode("latin-1")),
            "raw_path": head.path, "query_string": head.query, "root_path": "", "headers": head.fields.pairs,
            "client": None, "server": None,
        }  # fmt: skip
        try:
            await self._app(scope, receive, send)
        except Exception:
            log.exception("%s %s failed", head.method, head.path.decode("latin-1"))
        finally:
            made.content = b"".join(parts)
            done(made)
