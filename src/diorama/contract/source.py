"""Spec files on disk: JSON or YAML, plain, .gz or .xz, one OpenAPI document or a bundle."""

import gzip
import lzma
import os
import re
import zlib
from pathlib import Path
from typing import Any

import msgspec
import yaml

FILE = "contract.toml"  # in an app's folder: its settings for the vendor's files
FOREIGN = {
    "asyncapi": "an AsyncAPI document",
    "discoveryVersion": "a Google discovery document",
    "openrpc": "an OpenRPC document",
}


class Unreadable(Exception):
    """A spec that cannot be read: which file, and why."""

    def __init__(self, file: str, why: str) -> None:
        why = " ".join(why.split())  # one line, also if a library says it in several
        super().__init__(f"{file}: {why}")
        self.file = file
        self.why = why


class Foreign(Unreadable):
    """A spec in a format that is not supported."""


class PlainLoader(yaml.SafeLoader):
    """YAML as OpenAPI means it: dates stay text, and only true and false are booleans (`no` is a country)."""

    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith((":timestamp", ":bool"))]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


TRUTH = re.compile("^(?:[tT]rue|TRUE|[fF]alse|FALSE)$")
PlainLoader.add_implicit_resolver("tag:yaml.org,2002:bool", TRUTH, list("tTfF"))


def load(file: Path) -> dict[str, dict[str, Any]]:
    """Load the OpenAPI documents of a spec file, by name: one, or all members of a bundle."""
    tree = _parse(file, _content(file))
    if not isinstance(tree, dict):
        raise Unreadable(str(file), f"an OpenAPI document is an object, this is {type(tree).__name__}")
    if is_openapi(tree):
        return {file.name: _checked(str(file), tree)}
    for field, what in FOREIGN.items():
        if field in tree:
            raise Foreign(str(file), f"{what}; only OpenAPI 2 and 3 are read")
    members = {name: member for name, member in tree.items() if isinstance(member, dict) and is_openapi(member)}
    if not members:
        raise Unreadable(str(file), "neither an OpenAPI document (no `openapi` or `swagger`) nor a bundle of them")
    return {name: _checked(f"{file} ({name})", member) for name, member in members.items()}


def is_openapi(tree: dict[str, Any]) -> bool:
    """Check whether this object declares itself an OpenAPI document."""
    return isinstance(tree.get("openapi") or tree.get("swagger"), str | int | float)


def folder() -> Path | None:
    """Return the folder of vendors' specs on this machine (`DIORAMA_SPECS`, else beside the source tree), or None."""
    named = os.environ.get("DIORAMA_SPECS")
    root = Path(__file__).resolve().parents[3]
    place = Path(named) if named else root.parent / "shared" / "specs"
    return place if os.path.isdir(place) else None


def candidates(app: str) -> list[Path]:
    """Return the vendor's OpenAPI files for this app in the spec folder, by their names: `<app>_*`."""
    place = folder()
    return [] if place is None else [file for file in sorted(place.glob(f"{app}_*")) if not _is_foreign(file)]


def _is_foreign(file: Path) -> bool:
    try:
        load(file)
    except Foreign:
        return True
    return False


def _content(file: Path) -> bytes:
    try:
        data = file.read_bytes()
        if data[:2] == b"\x1f\x8b":
            return gzip.decompress(data)
        if data[:6] == b"\xfd7zXZ\x00":
            return lzma.decompress(data)
        if file.suffix in {".gz", ".xz"}:
            raise Unreadable(str(file), f"named {file.suffix} but not compressed so")
    except FileNotFoundError:
        raise Unreadable(str(file), "no such file") from None
    except OSError as error:
        raise Unreadable(str(file), error.strerror or str(error)) from None
    except (EOFError, zlib.error, lzma.LZMAError) as error:
        raise Unreadable(str(file), f"damaged archive: {error}") from None
    return data


def _parse(file: Path, data: bytes) -> Any:
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in {b"{", b"["}:
        try:
            return msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"))
        except msgspec.DecodeError as error:
            not_json = str(error)
    else:
        not_json = ""
    try:
        return _text_keys(yaml.load(data, PlainLoader))
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(str(file), f"neither JSON nor YAML: {not_json or ' '.join(str(error).split())}") from None


def _text_keys(tree: Any) -> Any:
    """Return the tree with every key as text: YAML reads the reply status `200:` as a number."""
    if isinstance(tree, dict):
        return {str(key): _text_keys(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [_text_keys(value) for value in tree]
    return tree


def _checked(what: str, tree: dict[str, Any]) -> dict[str, Any]:
    version = str(tree.get("openapi") or tree.get("swagger"))
    if not version.startswith(("2", "3")):
        raise Unreadable(what, f"OpenAPI {version}; only 2 and 3 are read")
    if not isinstance(tree.get("paths", {}), dict):
        raise Unreadable(what, "`paths` is not an object")
    return tree
