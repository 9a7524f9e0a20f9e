"""The back office as an app: hosts, authentication, limits and errors."""

from typing import Any

import msgspec

from diorama.kernel import Missing, Refusal, Tx
from diorama.kit import Bearer, CredentialKind, Detail, Idempotency, Product, RateLimit

_FAMILY = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "card_error",
    403: "permission_error",
    404: "invalid_request_error",
    405: "invalid_request_error",
    409: "conflict_error",
    413: "invalid_request_error",
    429: "rate_limit_error",
}


def envelope(refusal: Refusal) -> tuple[str, bytes]:
    """Encode an error: JSON in one shape for the API, HTML for errors of the proxy."""
    if refusal.status in (502, 504):
        page = (
            f"<html>\r\n<head><title>{refusal.status} {refusal.code}</title></head>\r\n<body>\r\n"
            f"<center><h1>{refusal.status} {refusal.code}</h1></center>\r\n<hr><center>nginx/1.26.2</center>\r\n"
            "</body>\r\n</html>\r\n"
        )
        return "text/html", page.encode()
    error: dict[str, Any] = {
        "type": _FAMILY.get(refusal.status, "api_error"),
        "code": refusal.code,
        "message": refusal.detail,
        "param": refusal.fields.get("param"),
    }
    extra = {name: value for name, value in refusal.fields.items() if name != "param"}
    return "application/json", msgspec.json.encode({"error": error | extra})


def _absent(missing: Missing) -> Refusal:
    noun = missing.record.__name__.lower()
    return Refusal(404, "resource_missing", f"No such {noun}: '{missing.id}'", fields={"param": "id"})


def _invalid(detail: Detail) -> Refusal:
    return Refusal(400, "parameter_invalid", str(detail), fields={"param": detail.name or None})


def _failing(what: str) -> Refusal:
    if what in ("", "processor"):
        return Refusal(503, "processor_unavailable", "The payment processor is not answering. Nothing was moved.")
    return Refusal(503, "service_unavailable", what)


def _too_fast(retry_after: int) -> Refusal:
    return Refusal(
        429,
        "rate_limited",
        f"Too many requests. Retry after {retry_after} seconds.",
        headers={"Retry-After": str(retry_after)},
    )


def _limit_headers(limit: int, remaining: int, reset_seconds: int) -> dict[str, str]:
    return {
        "RateLimit-Limit": str(limit),
        "RateLimit-Remaining": str(remaining),
        "RateLimit-Reset": str(reset_seconds),
    }


def _request_id(tx: Tx) -> dict[str, str]:
    drawn = tx.dice("request id", tx.actor.name, tx.operation, tx.now_us)
    return {"Request-Id": "req_" + drawn.hex(16), "Api-Version": "2026-01-15"}


APP = Product(
    "backoffice",
    title="Back Office",
    api="v1",
    auth=Bearer(),
    refusals={
        "unknown_path": lambda detail: Refusal(404, "unknown_path", f"Unrecognized request URL ({detail})."),
        "wrong_method": lambda detail: Refusal(405, "method_not_allowed", f"Method not allowed. Allowed: {detail}."),
        "malformed": Refusal(400, "body_malformed", "The request body is not valid JSON."),
        "invalid": _invalid,
        "unauthorized": Refusal(401, "token_invalid", "No valid bearer token was given in the Authorization header."),
        "forbidden": Refusal(403, "not_allowed", "Your role may not do this."),
        "missing": _absent,
        "too_large": Refusal(413, "body_too_large", "The request body is larger than 1 MB."),
        "over_budget": Refusal(413, "request_too_expensive", "The request reads or writes too much. Ask for less."),
        "rate_limited": _too_fast,
        "down": Refusal(502, "Bad Gateway"),
        "failing": _failing,
        "timeout": Refusal(504, "Gateway Time-out"),
        "conflict": Refusal(
            409,
            "idempotency_key_reused",
            "This Idempotency-Key was used with another request. Use a new key for a new request.",
        ),
    },
    envelope=envelope,
    rate_limit=RateLimit(300, per_seconds=60, headers=_limit_headers),
    idempotency=Idempotency(hours=24, mark=lambda repeated: {"Idempotent-Replayed": "true"} if repeated else {}),
    max_body=1_000_000,
    headers=_request_id,
    credential_kinds=(CredentialKind(form="bo_live_{alnum:32}"),),
)
