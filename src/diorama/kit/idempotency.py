"""Idempotency keys: the same key and request get the same reply, and nothing is done twice."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

import msgspec

from diorama.kernel import Reply, Request, Tx


class Idempotency:
    """A vendor's rules: the header, how long a key is kept, and what is added to the reply."""

    def __init__(
        self,
        header: str = "idempotency-key",
        hours: int = 24,
        mark: Callable[[bool], dict[str, str]] = lambda repeated: {},
    ) -> None:
        self.header = header
        self.hours = hours
        self.mark = mark

    def recall(self, tx: Tx, app: str, request: Request, key: str) -> Reply | None:
        """Return the stored reply of this key; raise LookupError if the key was used for another request."""
        rows = tx.control(
            "SELECT at, request, status, headers, body, refused FROM _replies WHERE name = ?", _name(tx, app, key)
        )
        if not rows or tx.now_us - rows[0][0] > self.hours * 3_600_000_000:
            return None
        _, digest, status, headers, body, refused = rows[0]
        if digest != _digest(request):
            raise LookupError(key)
        return Reply(status, {**msgspec.json.decode(headers), **self.mark(True)}, body, refused)

    def keep(self, tx: Tx, app: str, request: Request, key: str, reply: Reply) -> Reply:
        """Store a reply under its key."""
        tx.control(
            "INSERT INTO _replies VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET at = excluded.at, "
            "request = excluded.request, status = excluded.status, headers = excluded.headers, body = excluded.body, "
            "refused = excluded.refused",
            _name(tx, app, key), tx.now_us, _digest(request), reply.status,
            msgspec.json.encode(reply.headers, order="deterministic").decode(), reply.body, reply.refused,
        )  # fmt: skip
        return Reply(reply.status, {**reply.headers, **self.mark(False)}, reply.body, reply.refused)


def _name(tx: Tx, app: str, key: str) -> str:
    return f"{app}:{tx.actor.name}:{key}"


def _digest(request: Request) -> str:
    return sha256(f"{request.method} {request.path}?{request.query}\n".encode() + request.body).hexdigest()
