"""Recorded exchanges with the vendor: archives of HTTP fixtures, and the operation each belongs to."""

import gzip
import lzma
import os
import re
import tarfile
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from diorama.contract.source import FILE, Unreadable
from diorama.contract.stage import folder_of
from diorama.kit import App

METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}


class Names(Struct, frozen=True, forbid_unknown_fields=True):
    """An app's settings for recordings: addresses of bare bodies, and names below which every account differs."""

    addresses: dict[str, str] = {}
    free: list[str] = []


class Exchange(Struct, frozen=True):
    """One recorded success: its source, the address (a path, or only a fixture's name), and the reply."""

    source: str
    method: str
    address: str
    query: str
    body: Any


def names_of(app: str) -> Names:
    """Return the `[recordings]` section of the app's contract file."""
    file = folder_of(app) / FILE
    if not file.is_file():
        return Names()
    try:
        return msgspec.convert(tomllib.loads(file.read_text()).get("recordings", {}), Names)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise Unreadable(str(file), f"[recordings]: {error}") from None


def recordings_for(app: str) -> list[Path]:
    """Return the vendor's recordings on this machine (`DIORAMA_RECORDINGS`, else beside the source tree), by name."""
    named = os.environ.get("DIORAMA_RECORDINGS")
    place = Path(named) if named else Path(__file__).resolve().parents[3].parent / "shared" / "recordings"
    return sorted(place.glob(f"{app}_*.tar*")) if os.path.isdir(place) else []


def read(recordings: Sequence[Path], names: Names) -> list[Exchange]:
    """Return every success with a JSON body in these archives."""
    found: list[Exchange] = []
    for archive in recordings:
        try:
            with tarfile.open(archive) as tar:
                for member in sorted(tar.getmembers(), key=lambda member: member.name):
                    stream = tar.extractfile(member) if member.isfile() else None
                    if stream is not None and member.name.endswith(".json"):
                        found += _exchanges(f"{archive.name}:{member.name}", stream.read(), names)
        except tarfile.ReadError:
            raise Unreadable(str(archive), "it is not a tar archive (.tar, .tar.gz, .tar.xz)") from None
        except (OSError, tarfile.TarError, EOFError, lzma.LZMAError) as error:
            raise Unreadable(str(archive), str(error)) from None
    return found


def operation_of(app: App, exchange: Exchange) -> tuple[str, str] | None:
    """Return method and path template of the operation a recording belongs to, or None if we do not serve it."""
    guesses = [exchange.address] if exchange.address.startswith("/") else _guesses(app, exchange.address)
    for guess in guesses:
        found = app.product.router.find(guess.removesuffix(".json"))
        entry = found[0].get(exchange.method) if found else None
        if entry is not None:
            return exchange.method, entry[0].path
    return None


def _exchanges(source: str, content: bytes, names: Names) -> list[Exchange]:
    """Return the successes of one file: a list of recorded calls, or one body in a folder named after its method."""
    try:
        tree = msgspec.json.decode(content)
    except msgspec.DecodeError:
        return []
    if isinstance(tree, list) and all(isinstance(call, Mapping) and "response" in call for call in tree):
        calls = [call for call in tree if 200 <= int(call.get("status", 0)) < 300]
        plain = [(call, _plain(call["response"])) for call in calls]
        return [
            Exchange(source, str(call["method"]).upper(), address.path, address.query, body)
            for call, body in plain
            for address in [urlsplit(str(call["path"]))]
            if isinstance(body, Mapping | list) and body
        ]
    parts = PurePosixPath(source.partition(":")[2]).with_suffix("").parts
    method = next((part for part in parts if part in METHODS), "")
    if not method or not isinstance(tree, Mapping):
        return []
    name = "/".join(parts[parts.index(method) + 1 :])
    address = urlsplit(names.addresses.get(f"{method} {name}", name))
    return [Exchange(source, method, address.path, address.query, tree)]


def _plain(response: Any) -> Any:
    """Return a reply's value; recorders store a compressed one as pieces of hexadecimal text."""
    if not isinstance(response, list) or not response or not all(isinstance(piece, str) for piece in response):
        return response
    try:
        return msgspec.json.decode(gzip.decompress(bytes.fromhex("".join(response))))
    except (ValueError, OSError, EOFError):
        return None


def _guesses(app: App, name: str) -> list[str]:
    """Return addresses that a fixture's name may mean: the list of such objects, or one of them."""
    roots = sorted({"/".join(o.path.split("/")[:3]) for o in app.product.operations if o.path.count("/") > 2}, key=len)
    words = [name, f"{name}s", re.sub("y$", "ies", name)]
    singular = not name.endswith("s")
    out: list[str] = []
    for root in roots:
        for word in words:
            pair = [f"{root}/{word}", f"{root}/{word}/1"]
            out += reversed(pair) if singular else pair
    known = {"/".join(o.path.split("/")[: 3 + len(name.split("/"))]) for o in app.product.operations}
    return [guess for guess in out if guess.removesuffix("/1") in known]
