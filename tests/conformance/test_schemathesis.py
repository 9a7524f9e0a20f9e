"""Schemathesis requests from an app's own OpenAPI document: no failures and no undocumented status."""

import os
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import strategies as st

from diorama.contract.pool import Pool, fill, people
from diorama.contract.stage import world_of
from diorama.kernel import Actor, Defect, Dice, Reply, Request, World
from diorama.kit import App
from diorama.kit.openapi import document
from diorama.worlds import companies

EXAMPLES = int(os.environ.get("DIORAMA_FUZZ_EXAMPLES", "2"))  # of each operation
OPERATIONS = int(os.environ.get("DIORAMA_FUZZ_OPERATIONS", "120"))  # of each app; a longer run takes all of them
ORIGIN = "http://fuzz.example"
APPS = {app.name: app for company in companies() for app in company.apps if isinstance(app, App) and app.hosts}


class Prober:
    """Sends generated requests through the gateway of one world, and records every violation."""

    def __init__(self, app: App, world: World) -> None:
        self.app = app
        self.world = world
        self.pool: Pool = fill(world, app, Dice("fuzz"))
        self.actor = Actor("agent", people(world, app)[0])
        self.sent = 0
        self.faults: dict[tuple[str, str], str] = {}

    def probe(self, operation: Any) -> None:
        """Send a few requests to one operation, some of them about existing records."""

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.generate],
            verbosity=Verbosity.quiet,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(), real=st.integers(0, 3))
        def attempt(case: Any, real: int) -> None:
            if real:
                case.path_parameters = {
                    name: self.real(name, operation.path, value, real) for name, value in case.path_parameters.items()
                }
            self.hold(operation, self.request(case))

        attempt()

    def real(self, name: str, path: str, made_up: Any, place: int) -> Any:
        """Return an existing value for a parameter."""
        before = path.partition(f"/{{{name}}}")[0].rpartition("/")[2]
        known = self.pool.named(name, before) or self.pool.last_part(name) or [made_up]
        return known[place % len(known)]

    def request(self, case: Any) -> Request:
        """Convert a generated case to a request."""
        prepared = requests.Request(**case.as_transport_kwargs(base_url=ORIGIN)).prepare()
        parts = urlsplit(prepared.url or "")
        headers = {str(name).lower(): str(value) for name, value in prepared.headers.items()}
        body: Any = prepared.body or b""
        content = body.encode() if isinstance(body, str) else bytes(body)
        return Request(prepared.method or "GET", parts.path, parts.query, self.app.recorded_headers(headers), content)

    def hold(self, operation: Any, request: Request) -> None:
        """Send a request on a fork, and check the reply against the document."""
        self.sent += 1
        try:
            reply = self.world.fork().send(self.app.name, request, self.actor)
        except Defect as defect:
            reply = Reply(599, {}, str(defect).encode())
        if reply.status < 500 and str(reply.status) in operation.definition.raw["responses"]:
            return
        told = f"{request.path}?{request.query} {request.body[:200]!r} -> {reply.text[:200]}"
        self.faults.setdefault((operation.label, str(reply.status)), told)


@pytest.mark.parametrize("app", APPS.values(), ids=lambda app: str(app.name))
def test_no_operation_fails_or_returns_an_undocumented_status(app: App) -> None:
    prober = Prober(app, world_of(app))
    found: list[Any] = list(schemathesis.openapi.from_dict(document(app)).get_all_operations())
    known = [one.ok() for one in found]
    some = Dice("some of them").sample(known, min(OPERATIONS, len(known)))
    for operation in some:
        prober.probe(operation)
    assert prober.faults == {}
    assert prober.sent >= len(some)
