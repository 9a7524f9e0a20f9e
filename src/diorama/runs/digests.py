"""Digests of a run: of every stored column, of every row, of the whole run, and its seal with a key."""

import hmac
import os
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

import msgspec

KEY_VARIABLE = "DIORAMA_RUN_KEY"
SIZE = 32
RUN_COLUMNS = ("id", "format", "command", "plan", "versions", "created")
"""The columns that describe a run; they are written when it begins."""
ROW_COLUMNS = (
    *("number", "agent", "scenario", "split", "seed", "idx", "attempt"),
    *("result", "events", "bodies", "transcript", "note", "source", "finished"),
)
"""The columns of an attempt that have a digest of their own; the others repeat fields of `result`."""
UNSEALED = (1 + len(ROW_COLUMNS)) * SIZE
"""Bytes of the digests of a row that has no seal."""


def digests_of(run: str, columns: Iterable[str], row: Mapping[str, Any]) -> bytes:
    """Return the digests of the run's id and of the named columns, one after the other."""
    return b"".join(sha256(_encoded(value)).digest() for value in (run, *(row[name] for name in columns)))


def changed_columns(run: str, columns: Iterable[str], row: Mapping[str, Any]) -> list[str]:
    """Return the columns that differ from the digests stored in the row; `run` if the row is from another run.

    Only the row of an attempt may have a seal behind its digests.
    """
    columns = ("run", *columns)
    there, now = row["digests"], digests_of(run, columns[1:], row)
    sealable = columns[1:] == ROW_COLUMNS
    if not isinstance(there, bytes) or len(there) not in (len(now), len(now) + SIZE * sealable):
        return ["digests"]
    places = range(0, len(now), SIZE)
    return [name for name, at in zip(columns, places, strict=True) if there[at : at + SIZE] != now[at : at + SIZE]]


def run_digest(run: bytes, finished: str | None, rows: Iterable[bytes]) -> str:
    """Return the digest of a run: its column digests, when it finished, and the column digests of all its rows."""
    digest = sha256(b"diorama run\n" + sha256(run).digest() + sha256(_encoded(finished)).digest())
    for row in sorted(sha256(row).digest() for row in rows):
        digest.update(row)
    return digest.hexdigest()


def seal_of(digest: str, key: str) -> str:
    """Return the HMAC of a run's digest, which only the holder of the key can make."""
    return hmac.new(key.encode(), digest.encode(), sha256).hexdigest()


def row_seal(digests: bytes, before: bytes, key: str) -> bytes:
    """Return the HMAC of a row's digests and of the seal of the row before it, or of the run's own digests.

    It stands behind the digests of a row that was saved with a key.
    """
    return hmac.new(key.encode(), before + digests, sha256).digest()


def has_seal(digests: bytes) -> bool:
    """Tell whether a seal stands behind the digests of a row."""
    return len(digests) == UNSEALED + SIZE


def same_digest(stored: Any, expected: str | bytes) -> bool:
    """Compare a stored value, whatever it is, with a digest or a seal; how long it takes tells nothing about it."""
    return hmac.compare_digest(_bytes_of(stored), _bytes_of(expected))


def _bytes_of(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode(errors="surrogatepass")


def take_key() -> str:
    """Return the key from the environment, or "", and remove it there, so that no worker or agent inherits it."""
    return os.environ.pop(KEY_VARIABLE, "")


def _encoded(value: Any) -> bytes:
    """Encode a stored value so that equal bytes mean equal values of the same type."""
    if isinstance(value, bytes):
        return b"b" + value
    return type(value).__name__.encode() + b" " + msgspec.json.encode(value)


EDITED = {"image": "an app or the world of {0} was edited", "reward": "the scenario {0} was edited"}
"""What a different version of each kind means to the user; other kinds are told as they are."""
BEYOND = "code that decides the results of {0} was edited"


def edits_between(scenario: str, before: dict[str, str], now: dict[str, str]) -> list[str]:
    """Return what was edited between two versions of a scenario, in plain words."""
    kinds = [kind for kind in now if before.get(kind) != now[kind]]
    if kinds == ["source"]:
        return [BEYOND.format(scenario)]
    kinds = [kind for kind in kinds if kind != "source"]
    return [
        EDITED.get(kind, f"{kind} changed from {before.get(kind)} to {now[kind]}").format(scenario) for kind in kinds
    ]
