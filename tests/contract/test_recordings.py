"""Our replies match the vendor's recorded replies."""

import gzip
import io
import json
import tarfile
from pathlib import Path

import pytest

from diorama.contract.check import check
from diorama.contract.excuse import excuses_of
from diorama.contract.field_coverage import compare, learn
from diorama.contract.recordings import Exchange, Names, operation_of, read, recordings_for
from diorama.contract.source import Unreadable
from diorama.contract.stage import find_app, specs_for, world_of
from diorama.contract.story import stories_of

NAMES = Names(addresses={"GET found": "/api/v2/search?query=type:user"}, free=["user_fields"])


def archive(folder: Path, **files: object) -> Path:
    """Write an archive of fixtures; `__` in a name stands for a folder."""
    place = folder / "vendor_fixtures.tar.xz"
    with tarfile.open(place, "w:xz") as tar:
        for name, content in files.items():
            data = json.dumps(content).encode()
            member = tarfile.TarInfo(f"fixtures/{name.replace('__', '/')}.json")
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return place


def test_recorded_calls_and_bare_bodies_are_read(tmp_path: Path) -> None:
    packed = gzip.compress(b'{"ticket": {"id": 7}}').hex()
    calls = [
        {"method": "GET", "path": "/api/v2/tickets/7.json?x=1", "status": 200, "response": [packed[:9], packed[9:]]},
        {"method": "GET", "path": "/api/v2/tickets/8.json", "status": 404, "response": {"error": "RecordNotFound"}},
        {"method": "DELETE", "path": "/api/v2/tickets/7.json", "status": 204, "response": ""},
    ]
    found = read([archive(tmp_path, calls=calls, GET__found={"count": 1}, notes={"ticket": {}})], NAMES)
    assert [(one.method, one.address, one.query, one.body) for one in found] == [
        ("GET", "/api/v2/search", "query=type:user", {"count": 1}),
        ("GET", "/api/v2/tickets/7.json", "x=1", {"ticket": {"id": 7}}),
    ]


def test_a_broken_archive_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "vendor_broken.tar.xz"
    broken.write_bytes(b"nothing")
    with pytest.raises(Unreadable, match=r"vendor_broken\.tar\.xz"):
        read([broken], NAMES)


@pytest.mark.parametrize(
    ("method", "address", "path"),
    [
        ("GET", "/api/v2/tickets/7.json", "/api/v2/tickets/{ticket_id}"),
        ("GET", "brand", "/api/v2/brands/{brand_id}"),
        ("GET", "brands", "/api/v2/brands"),
        ("POST", "macro", "/api/v2/macros"),
        ("PUT", "groups", "/api/v2/groups/{group_id}"),
        ("GET", "dynamic_content/items", "/api/v2/dynamic_content/items"),
        ("GET", "nonsense", None),
    ],
)
def test_an_operation_is_found_by_address_or_name(method: str, address: str, path: str | None) -> None:
    found = operation_of(find_app("zendesk"), Exchange("here", method, address, "", {}))
    assert found == ((method, path) if path else None)


def test_each_path_counts_once_and_null_has_no_type() -> None:
    told = {"users": [{"id": 1, "name": "Ana", "phone": None, "user_fields": {"vip": True}}, {"id": 2, "tags": ["x"]}]}
    seen: dict[str, set[str]] = {}
    learn(seen, {"users": [{"id": 5, "name": None, "phone": "1", "user_fields": {}, "tags": []}]})
    found = compare([(Exchange("here", "GET", "/users", "", told), "GET /users")], {"GET /users": seen}, NAMES)
    assert {(miss.path, miss.recorded, miss.ours) for miss in found.misses} == {
        ("users[].name", "string", "null"),
        ("users[].tags[]", "string", "absent"),
    }
    assert (found.paths, found.present) == (8, 6)
    assert not found.enough


def test_our_replies_have_all_fields_of_zendesks_recordings() -> None:
    recordings = recordings_for("zendesk")
    if not recordings:
        pytest.skip("no recordings of Zendesk on this machine (DIORAMA_RECORDINGS names their folder)")
    app = find_app("zendesk")
    told = stories_of("zendesk")
    report = check(app, world_of(app), specs_for(app), excuses_of("zendesk"), recordings=recordings, stories=told)
    field_coverage = report.recordings
    assert field_coverage is not None
    assert field_coverage.compared > 100
    assert field_coverage.enough, field_coverage.misses
