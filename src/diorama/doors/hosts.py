"""Hosts: which app, host alias and episode a Host header names, and the addresses that an episode gets.

Every host alias of every product has a door with a port of its own. A browser reaches an episode at its own origin,
`http://MARK.APP.localhost:PORT`; an alias stands before the app, and what fills a host pattern before the mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

import msgspec

from diorama.doors.links import Address, Links
from diorama.kernel import Company
from diorama.kit import App

_SLOT = re.compile(r"\{\w+\}")
ORIGIN_DOMAIN = "localhost"
"""Browsers resolve every name below it to this machine."""


class Place(msgspec.Struct, frozen=True):
    """What a Host header says: the mark of an episode's origin and the labels before it, or another host name."""

    mark: str = ""
    labels: str = ""
    host: str = ""


class Reach(msgspec.Struct, frozen=True):
    """Where one host of an app is reached: the vendor's name for it, the shared port, and the episode's origin."""

    alias: str = msgspec.field(name="role")  # the name of the field on the control plane
    host: str
    base_url: str
    origin: str


def door_name(app: str, alias: str) -> str:
    """Return the name of the door of an app's host alias: `slack`, `slack.files`."""
    return f"{app}.{alias}" if alias else app


def origin_domain(app: str, alias: str) -> str:
    """Return what every origin of an app's host alias ends with: `slack.localhost`, `files.slack.localhost`."""
    return ".".join([*(part.lower().replace("_", "-") for part in (alias, app) if part), ORIGIN_DOMAIN])


def place_of(header: str, domain: str) -> Place:
    """Read a Host header at the door whose origins end with `domain`."""
    host = header.strip().lower()
    name, colon, port = host.rpartition(":")
    if colon and (port.isdecimal() or not port):
        host = name
    host = host.removesuffix(".")
    if host.endswith(f".{domain}"):
        labels, _, mark = host.removesuffix(f".{domain}").rpartition(".")
        return Place(mark, labels)
    return Place(host=host)


def vendor_host(app: App, alias: str, place: Place) -> str:
    """Return the vendor's host name that a request at a door is for; "" if the app has one host only."""
    if not app.has_several_hosts:
        return ""
    if place.host and app.answers_at(place.host):
        return place.host
    return fill(app.hosts.get(alias, ""), place.labels)


def fill(host: str, labels: str) -> str:
    """Return a host pattern with labels in its slots: the last slots take one label each, the first takes the rest.

    Without labels the slots are left out: `{bucket}.s3.example` becomes `s3.example`.
    """
    count = len(_SLOT.findall(host))
    values = labels.rsplit(".", count - 1) if labels and count else []
    values = [*values, *[""] * (count - len(values))]
    filled = _SLOT.sub(lambda slot: values.pop(0), host)
    return ".".join(part for part in filled.split(".") if part)


def reaches(app: App, base_urls: Mapping[str, str], mark: str) -> Iterator[Reach]:
    """Yield where each host of an installed app is reached in one episode, if its door is open here."""
    for alias, host in app.hosts.items():
        base_url = base_urls.get(door_name(app.name, alias))
        if base_url:
            before = "".join(f"{slot}." for slot in _SLOT.findall(host))
            port = urlsplit(base_url).port
            yield Reach(alias, host, base_url, f"http://{before}{mark}.{origin_domain(app.name, alias)}:{port}")


def links_of(company: Company, base_urls: Mapping[str, str], mark: str, at_origin: bool) -> Links:
    """Return the links of one episode, for clients at its origin or at the shared ports.

    A port cannot say what fills a host pattern, so such hosts are always shown by origin.
    """
    return Links(
        Address(
            one.host,
            one.origin if at_origin or "{" in one.host else one.base_url,
            () if "{" in one.host else (one.base_url, *_spellings(one.base_url), one.origin),
        )
        for app in company.apps
        if isinstance(app, App)
        for one in reaches(app, base_urls, mark)
    )


def _spellings(base_url: str) -> tuple[str, str]:
    """Return the same door under the names that clients on this machine use."""
    port = urlsplit(base_url).port
    return f"http://127.0.0.1:{port}", f"http://localhost:{port}"
