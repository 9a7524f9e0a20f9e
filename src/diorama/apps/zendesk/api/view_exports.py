"""API operations for view exports: queued by a request, written as CSV in the background."""

from __future__ import annotations

import csv
import io
from typing import Any

from msgspec import Struct

from diorama.apps.zendesk.api.request_parts import Me
from diorama.apps.zendesk.api.views import visible_view
from diorama.apps.zendesk.rules import views
from diorama.apps.zendesk.rules.current_user import by_email
from diorama.apps.zendesk.rules.job_statuses import JOBS
from diorama.apps.zendesk.rules.ticket_edits import audit_value
from diorama.apps.zendesk.schema import APP, Job, Ticket
from diorama.kernel import Missing, Tx

KIND = "View CSV Export"


class ViewExport(Struct):
    view_id: int
    status: str


class ViewExportResponse(Struct):
    export: ViewExport


@APP.get("/api/v2/views/{view_id}/export", role="agent")
def export_view(tx: Tx, me: Me, view_id: int) -> ViewExportResponse:
    """Start the export of a view, or show the status of a running one; the CSV text is in the job's result."""
    view = visible_view(tx, view_id, me)
    running = tx.all(Job, "owner = ? AND status IN ('queued', 'working')", me.email or "", order="created_at DESC")
    for job in running:
        if job.kind == KIND and job.shared["view_id"] == view.id:
            return ViewExportResponse(ViewExport(view.id, job.status))
    JOBS.enqueue(tx, KIND, [view.id], me.email or "", view_id=view.id)
    return ViewExportResponse(ViewExport(view.id, "starting"))


@JOBS.worker(KIND, "Exporting view")
def _export(tx: Tx, job: Any, item: Any, place: int) -> dict[str, Any]:
    me = by_email(tx, job.owner)
    if me is None:
        raise Missing(Job, job.id)
    view = visible_view(tx, int(item), me)
    found = views.tickets_sql(tx, view.conditions, me)
    tickets = tx.all(Ticket, found.text, *found.args, order=views.order(view.output))
    titles = views.titles(tx)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([titles.get(column, column) for column in view.output.columns])
    for ticket in tickets:
        writer.writerow([_cell(column, ticket) for column in view.output.columns])
    return {"index": place, "id": view.id, "action": "export", "success": True, "csv": out.getvalue()}


def _cell(column: str, ticket: Ticket) -> Any:
    if column.isdigit():
        return ticket.custom_fields.get(column)
    (value,) = views.cell(column, ticket).values()
    return audit_value(value)
