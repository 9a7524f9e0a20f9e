"""Zendesk Support as an app: host, authentication, rate limits and error formats."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from diorama.apps.zendesk.edge import CloudflareEdge, ray_id
from diorama.kernel import Missing, Refusal, Tx
from diorama.kit import (
    Basic,
    Bearer,
    CredentialKind,
    Detail,
    Either,
    Grants,
    Idempotency,
    Product,
    RateLimit,
    SizeLimits,
)

_MAINTENANCE = (
    "<!DOCTYPE html>\n<html>\n<head>\n  <title>Zendesk is under maintenance</title>\n</head>\n<body>\n"
    "  <h1>Sorry, we're down for maintenance.</h1>\n"
    "  <p>We'll be back shortly. Follow status.zendesk.com for updates.</p>\n</body>\n</html>\n"
)
_GATEWAY = (
    "<html>\r\n<head><title>{status} {code}</title></head>\r\n<body>\r\n<center><h1>{status} {code}</h1></center>\r\n"
    "<hr><center>cloudflare</center>\r\n</body>\r\n</html>\r\n"
)


def envelope(refusal: Refusal) -> tuple[str, bytes]:
    """Return the content type and body of a refusal: one of four JSON shapes, a whole body, or a page of the edge."""
    if refusal.status == 503:
        return "text/html; charset=utf-8", _MAINTENANCE.encode()
    if refusal.status in (502, 504):
        return "text/html", _GATEWAY.format(status=refusal.status, code=refusal.code).encode()
    if "media" in refusal.fields:
        return refusal.fields["media"], refusal.detail.encode()
    body: dict[str, Any]
    if "body" in refusal.fields:
        body = refusal.fields["body"]
    elif "errors" in refusal.fields:
        body = {"errors": refusal.fields["errors"]}
    elif "title" in refusal.fields:
        body = {"error": {"title": refusal.fields["title"], "message": refusal.detail}}
    elif refusal.detail:
        body = {"error": refusal.code, "description": refusal.detail, **refusal.fields}
    else:
        body = {"error": refusal.code, **refusal.fields}
    return "application/json; charset=utf-8", msgspec.json.encode(body)


def not_found(missing: Missing | str = "") -> Refusal:
    """Return 404: the record does not exist, or the caller may not see it."""
    return Refusal(404, "RecordNotFound", "Not found")


_NOUNS = {"int": "an integer", "str": "a string", "array": "an array", "object": "a hash", "bool": "a boolean"}


_TOO_LONG = re.compile(r"of length <= (\d+)")


def invalid_attribute(detail: Detail) -> Refusal:
    """Return 400: a parameter has an invalid value."""
    name = "id" if detail.where == "path" else detail.name or "request"
    wanted = detail.partition("Expected `")[2].partition("`")[0].partition(" ")[0]
    noun = _NOUNS.get(wanted) or ("an integer" if detail.endswith("is not a number") else "")
    rule = f"{name} must be {noun}" if noun else str(detail)
    if most := _TOO_LONG.search(detail):
        rule = f"{name} is too long (maximum is {most[1]} {'characters' if wanted == 'str' else 'items'})"
    return Refusal(
        400,
        "InvalidAttribute",
        f"You passed an invalid value for the {name} attribute. Invalid parameter: {rule}",
        fields={"title": "Invalid attribute"},
    )


def _limit_headers(limit: int, remaining: int, reset_seconds: int) -> dict[str, str]:
    return {
        "x-rate-limit": str(limit),
        "ratelimit-limit": str(limit),
        "x-rate-limit-remaining": str(remaining),
        "ratelimit-remaining": str(remaining),
        "ratelimit-reset": str(reset_seconds),
    }


READ_SECONDS = 0.07
"""What a read takes: recorded replies took 0.05 to 0.13 seconds. One client can reach the limit of every plan."""
_REQUESTS_PER_MINUTE = {"suite_team": 200, "suite_growth": 400, "suite_professional": 400, "suite_enterprise": 700}


def _too_fast(retry_after: int) -> Refusal:
    """Refuse more requests than the plan allows: 50 bytes of plain text, as in a reply that a customer published.

    https://support.zendesk.com/hc/en-us/community/posts/4600766234138
    """
    return Refusal(
        429,
        "APIRateLimitExceeded",
        "Number of allowed API requests per minute exceeded",
        fields={"media": "text/plain"},
        headers={"Retry-After": str(retry_after), "cache-control": f"max-age={retry_after},public"},
    )


_CACHED = {"list_organizations": "max-age=30, private", "search_users": "max-age=10, private"}
"""Recorded replies that clients may keep for a while."""


def _every_reply(tx: Tx) -> dict[str, str]:
    operation = tx.operation
    drawn = tx.dice("request", tx.actor.name, operation, tx.now_us).word()
    share = 0.45 + (drawn >> 32) % 45_000 / 1e5  # of the time until the client has the reply
    made = {"x-request-id": ray_id(tx.now_us, drawn), "x-runtime": "%.6f" % (tx.seconds * share)}
    if operation in _CACHED:
        made["cache-control"] = _CACHED[operation]
    return made


BEHALF = "x-on-behalf-of"
"""The header in which an administrator's OAuth token names the end user for whom it acts."""
_BAD_TOKEN = "The access token provided is expired, revoked, malformed or invalid for other reasons."
GRANTS = Grants(
    "x-oauth-token-id",
    Refusal(
        401,
        "invalid_token",
        fields={"error_description": _BAD_TOKEN},
    ),
    forms={"oauth": "0d1a{hex:60}"},
)
"""Authentication by OAuth tokens that the account issued.

The vendor documents no form: one example of its documentation has 32 letters and digits, the others are cut. These are
64 hexadecimal digits, not verified; the fixed start lets doors find them fast.
"""


_NO_PAGE = (
    "<!DOCTYPE html>\n<html>\n<head>\n  <title>The page you were looking for doesn't exist (404)</title>\n</head>\n"
    "<body>\n  <h1>oops</h1>\n  <h2>The page you were looking for doesn't exist</h2>\n"
    "  <p>You may have mistyped the address or the page may have moved</p>\n"
    '  <a href="/hc">Take me back to the home page</a>\n</body>\n</html>\n'
)


def _unknown_path(path: str) -> Refusal:
    """Refuse a path that does not exist: with JSON below `/api`, with a page elsewhere."""
    if path.startswith(("/hc/", "/agent/", "/access/")):
        return Refusal(404, "InvalidEndpoint", _NO_PAGE, fields={"media": "text/html; charset=utf-8"})
    return Refusal(404, "InvalidEndpoint", "Not found")


def _unauthorized(shown: str) -> Refusal:
    """Refuse a caller; the vendor names a wrong OAuth token, but neither a wrong API token nor a missing credential."""
    return GRANTS.refused if shown == "bearer" else Refusal(401, "Couldn't authenticate you")


def _over_budget(what: str) -> Refusal:
    """Refuse a request that does too much; the vendor documents both statuses, the message is ours."""
    if what in ("bytes written", "bytes of the episode", "string or blob too big"):
        return Refusal(413, "Request Entity Too Large")
    return Refusal(422, "Unprocessable Entity", fields={"message": "The request is too complex to process"})


APP = Product(
    "zendesk",
    title="Zendesk Support",
    api="v2",
    refuses=(400, 409, 422),
    reads=(BEHALF,),
    auth=Either(Basic(suffix="/token"), Bearer()),
    refusals={
        "unknown_path": _unknown_path,
        "wrong_method": Refusal(404, "InvalidEndpoint", "Not found"),
        "malformed": Refusal(422, "Unprocessable Entity", fields={"message": "Server could not parse JSON"}),
        "invalid": invalid_attribute,
        "unauthorized": _unauthorized,
        "forbidden": Refusal(
            403,
            "Forbidden",
            "You do not have access to this page. Please contact the account owner of this help desk for further help.",
            fields={"title": "Forbidden"},
        ),
        "missing": not_found,
        "too_large": Refusal(413, "Request Entity Too Large"),
        "over_budget": _over_budget,
        "rate_limited": _too_fast,
        "down": Refusal(503, "ServiceUnavailable"),
        "failing": Refusal(
            500, "Internal Server Error", "Sorry, something went wrong", fields={"title": "Internal Server Error"}
        ),
        "timeout": Refusal(504, "Gateway Time-out"),
        "conflict": Refusal(
            400,
            "IdempotentRequestError",
            "The request parameters and idempotency key do not match an earlier request with the same key.",
        ),
    },
    envelope=envelope,
    grants=GRANTS,
    rate_limit=RateLimit(
        _REQUESTS_PER_MINUTE,
        per_seconds=60,
        headers=_limit_headers,
        plan="SELECT plan FROM zendesk_accounts",
        shared=True,
    ),
    idempotency=Idempotency(mark=lambda repeated: {"x-idempotency-lookup": "hit" if repeated else "miss"}),
    suffixes=(".json",),
    size_limits=SizeLimits(text=65_536, items=1_000),  # texts as documented for most fields; longer lists were not seen
    strict=False,
    etag=True,
    read_seconds=READ_SECONDS,
    headers=_every_reply,
    edge=CloudflareEdge(),
    domain="zendesk.com",
    credential_kinds=(
        CredentialKind(
            form="{alnum:40}", scheme="basic", credentials=lambda person, secret: {"email": person, "token": secret}
        ),
    ),
)

HOST = APP.here()
"""Stands for the account's host name in replies; the installed app writes the real one."""
BASE = f"https://{HOST}/api/v2"
