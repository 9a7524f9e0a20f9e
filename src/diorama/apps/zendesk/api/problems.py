"""Problem tickets on the wire."""

from __future__ import annotations

from typing import Annotated

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page
from diorama.apps.zendesk.api.tickets import LIVE, ticket_page
from diorama.apps.zendesk.schema import APP
from diorama.apps.zendesk.wire.problems import AutocompleteRequest
from diorama.apps.zendesk.wire.tickets import TicketsResponse
from diorama.kernel import Tx
from diorama.kit import Query

PROBLEMS = f"type = 'problem' AND {LIVE}"


@APP.get("/api/v2/problems", role="agent")
def list_ticket_problems(tx: Tx, page: Page, include: str | None = None) -> TicketsResponse:
    """List problems, most recently changed first."""
    return ticket_page(tx, page, PROBLEMS, (), include, "-updated_at")


@APP.post("/api/v2/problems/autocomplete", role="agent")
def autocomplete_problems(
    tx: Tx,
    page: Page,
    body: AutocompleteRequest = AutocompleteRequest(),  # noqa: B008 - never changed, so a shared default is safe
    text: Annotated[str | None, Query("text")] = None,
) -> TicketsResponse:
    """List the problems whose subject contains a text."""
    wanted = text or body.text
    if not wanted:
        raise refusals.parameter_missing("text")
    where = f"{PROBLEMS} AND status <> 'closed' AND instr(lower(subject), ?) > 0"
    return ticket_page(tx, page, where, (wanted.lower(),), None, "-updated_at")
