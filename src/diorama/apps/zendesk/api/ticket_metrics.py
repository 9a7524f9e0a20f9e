"""API operations for ticket metrics and metric events."""

from __future__ import annotations

from diorama.apps.zendesk import limits, refusals
from diorama.apps.zendesk.api.incremental_exports import SECOND, export_end, export_start
from diorama.apps.zendesk.api.pagination import Page, page_of
from diorama.apps.zendesk.rules.ids import parse_id
from diorama.apps.zendesk.rules.ticket_metrics import empty_metrics, requester_wait
from diorama.apps.zendesk.rules.tickets import visible_ticket
from diorama.apps.zendesk.schema import APP, BASE, MetricEvents, Ticket, TicketMetric
from diorama.apps.zendesk.wire.ticket_metrics import (
    METRIC_IDS,
    METRIC_STEP,
    TicketMetricEventsResponse,
    TicketMetricObject,
    TicketMetricResponse,
    TicketMetricsResponse,
    metric_event_objects,
    ticket_metric_object,
)
from diorama.kernel import Tx, to_us

EVENTS = 1000


def _shape(tx: Tx, ticket: Ticket) -> TicketMetricObject:
    row = tx.find(TicketMetric, ticket.id) or empty_metrics(ticket)
    return ticket_metric_object(row, ticket, requester_wait(tx, row, ticket.schedule_id))


@APP.get("/api/v2/ticket_metrics", role="agent")
def list_ticket_metrics(tx: Tx, page: Page) -> TicketMetricsResponse:
    """List the metrics of all tickets, newest first."""
    tickets, around = page_of(tx, page, Ticket, "deleted_at IS NULL", orders={"id": "id"}, default="-id")
    return TicketMetricsResponse(ticket_metrics=[_shape(tx, ticket) for ticket in tickets], **around)


@APP.get("/api/v2/ticket_metrics/{ticket_metric_id}", role="agent")
def show_ticket_metrics(tx: Tx, ticket_metric_id: str) -> TicketMetricResponse:
    """Show ticket metrics by their own id."""
    wanted = parse_id(ticket_metric_id) or 0
    number, rest = divmod(wanted - METRIC_IDS, METRIC_STEP)
    if rest or number < 1:
        raise refusals.not_found()
    return TicketMetricResponse(_shape(tx, visible_ticket(tx, number)))


@APP.get("/api/v2/tickets/{ticket_id}/metrics", role="agent")
def show_metrics_of_ticket(tx: Tx, ticket_id: int) -> TicketMetricResponse:
    """Show the metrics of a ticket by the ticket's id."""
    return TicketMetricResponse(_shape(tx, visible_ticket(tx, ticket_id)))


@APP.get("/api/v2/incremental/ticket_metric_events", role="admin", seconds=1.2, rate_limits=(limits.INCREMENTAL,))
def list_ticket_metric_events(
    tx: Tx, start_time: int | None = None, include_changes: bool = False
) -> TicketMetricEventsResponse:
    """List the metric events since a time, without splitting a second between pages."""
    begin = export_start(tx, start_time)
    found = tx.all(MetricEvents, "at >= ? AND at <= ?", begin, export_end(tx), order="at, id", limit=EVENTS)
    if len(found) == EVENTS:
        last = found[-1]
        found.extend(tx.all(MetricEvents, "at = ? AND id > ?", to_us(last.at), last.id, order="id"))
    end = to_us(found[-1].at) if found else begin
    rest = "at > ? AND at <= ?"
    more = len(found) >= EVENTS and tx.first(MetricEvents, rest, end, export_end(tx), order="at, id") is not None
    shapes = [shape for row in found for shape in metric_event_objects(row)]
    end_time = end // SECOND
    return TicketMetricEventsResponse(
        ticket_metric_events=shapes,
        count=len(shapes),
        end_time=end_time,
        next_page=f"{BASE}/incremental/ticket_metric_events.json?start_time={end_time}",
        end_of_stream=not more,
    )
