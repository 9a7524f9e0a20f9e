"""The kit: what vendors share, so that an app is little more than its domain facts."""

from diorama.kit.app import App
from diorama.kit.auth import AuthScheme, Basic, Bearer, Credential, Either
from diorama.kit.grants import Grants
from diorama.kit.idempotency import Idempotency
from diorama.kit.limits import RateLimit
from diorama.kit.operation import Caller, Detail, Header, Operation, Query
from diorama.kit.product import Product, Role
from diorama.kit.seats import Seat
from diorama.kit.tools import Call, Tool, WrongArguments
from diorama.kit.wire import HTML, JSON, iso_z, parse_iso

__all__ = [
    "HTML",
    "JSON",
    "App",
    "AuthScheme",
    "Basic",
    "Bearer",
    "Call",
    "Caller",
    "Credential",
    "Detail",
    "Either",
    "Grants",
    "Header",
    "Idempotency",
    "Operation",
    "Product",
    "Query",
    "RateLimit",
    "Role",
    "Seat",
    "Tool",
    "WrongArguments",
    "iso_z",
    "parse_iso",
]
