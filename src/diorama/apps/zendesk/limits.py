"""How often single endpoints may be asked, besides the limit of the plan; figures as documented."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs

from diorama.kernel import Refusal, Request
from diorama.kit import RateLimit

MINUTE = 60
AT_ONCE = 30
"""The most bulk jobs that may be queued or running at once."""


def _told(name: str) -> Callable[[int, int, int], dict[str, str]]:
    """Return a function that builds an endpoint's rate limit header; the two in use were seen in the real API."""
    header = f"zendesk-ratelimit-{name}"
    return lambda limit, remaining, reset: {header: f"total={limit}; remaining={remaining}; resets={reset}"}


def _beyond(page: int) -> Callable[[Request], bool]:
    """Return a test for requests that ask for a page number above this one."""

    def applies(request: Request) -> bool:
        if "page=" not in request.query:
            return False
        asked = parse_qs(request.query).get("page", [""])[-1]
        return asked.isascii() and asked.isdigit() and int(asked[:12]) > page

    return applies


def _exports(retry_after: int) -> Refusal:
    return Refusal(
        429,
        "APIRateLimitExceeded",
        "Number of allowed incremental ticket export API requests per minute exceeded",
        headers={"Retry-After": str(retry_after)},
    )


def _endpoint(retry_after: int) -> Refusal:
    """Refuse in the same form for the other endpoints; no reply of theirs was seen."""
    return Refusal(
        429,
        "APIRateLimitExceeded",
        "Number of allowed API requests per minute exceeded",
        headers={"Retry-After": str(retry_after)},
    )


def _updates(retry_after: int) -> Refusal:
    """Refuse updates of a ticket with the documented text, which is not JSON.

    https://developer.zendesk.com/documentation/ticketing/using-the-zendesk-api/best-practices-for-avoiding-rate-limiting/
    """
    return Refusal(
        429,
        "APIRateLimitExceeded",
        "Rate limit for ticket updates exceeded, please wait before updating this ticket again",
        fields={"media": "text/html; charset=utf-8"},
        headers={"Retry-After": str(retry_after)},
    )


def too_many_jobs(most: int) -> Refusal:
    """Return the error for too many bulk jobs; the code is documented, its text is ours."""
    return Refusal(
        429,
        "TooManyJobs",
        f"You already have {most} jobs queued or running. Wait for one to complete before queueing another.",
        headers={"Retry-After": str(MINUTE)},
    )


INCREMENTAL = RateLimit(10, MINUTE, _told("incremental-exports"), "incremental-exports", shared=True, worded=_exports)
SAMPLES = RateLimit(10, 20 * MINUTE, None, "incremental-samples", shared=True, worded=_exports)
SEARCH_EXPORT = RateLimit(100, MINUTE, None, "search-export", shared=True, worded=_endpoint)
LIST_TICKETS = RateLimit(100, MINUTE, _told("tickets-index"), "tickets-index", shared=True, worded=_endpoint)
DEEP_TICKETS = RateLimit(50, MINUTE, None, "deep-tickets", shared=True, applies=_beyond(500), worded=_endpoint)
UPDATES_OF_A_TICKET = RateLimit(30, 10 * MINUTE, None, "ticket-updates", each=("ticket_id",), worded=_updates)
UPDATES = RateLimit(100, MINUTE, None, "updates", shared=True, worded=_endpoint)
"""Updates of all tickets of the account; the High Volume add-on, which no account here has, allows 300."""
DELETED_TICKETS = RateLimit(10, MINUTE, None, "deleted-tickets", shared=True, worded=_endpoint)
DEEP_DELETED_TICKETS = RateLimit(
    5, MINUTE, None, "deep-deleted-tickets", shared=True, applies=_beyond(100), worded=_endpoint
)
DELETIONS = RateLimit(400, MINUTE, None, "ticket-deletions", shared=True, worded=_endpoint)
USER_DELETIONS = RateLimit(700, 10 * MINUTE, None, "user-deletions", shared=True, worded=_endpoint)
OPTIONS = RateLimit(100, MINUTE, None, "field-options", shared=True, worded=_endpoint)
SUSPENDED_EXPORT = RateLimit(1, MINUTE, None, "suspended-export", shared=True, worded=_endpoint)
EXECUTE_VIEW = RateLimit(5, MINUTE, None, "execute-view", each=("view_id",), worded=_endpoint)
COUNT_VIEW = RateLimit(5, MINUTE, None, "count-view", each=("view_id",), worded=_endpoint)
PREVIEW_VIEW = RateLimit(5, MINUTE, None, "preview-view", worded=_endpoint)
COUNT_VIEWS = RateLimit(6, 5 * MINUTE, None, "count-views", worded=_endpoint)
