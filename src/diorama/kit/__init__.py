"""The kit: what vendors have in common, so that an app needs little more than its domain facts."""

from diorama.kit.app import App
from diorama.kit.arguments import Caller, Cookie, Field, File, Form, Header, Host, JsonField, Merged, Query
from diorama.kit.auth import AuthScheme, Basic, Bearer, Credential, Either, TokenField
from diorama.kit.bounds import Detail, SizeLimits
from diorama.kit.credential_kinds import CredentialKind
from diorama.kit.dispatch import ByField, ByGraphQL, ByHeader
from diorama.kit.encoders import AS_JSON, Encoder, Xml
from diorama.kit.grants import Grants
from diorama.kit.idempotency import Idempotency
from diorama.kit.multipart import Upload
from diorama.kit.operation import Operation
from diorama.kit.product import Product, Role
from diorama.kit.rate_limits import RateLimit
from diorama.kit.tools import Call, Look, Tool, WrongArguments
from diorama.kit.wire import HTML, JSON, iso_z, parse_iso

__all__ = [
    "AS_JSON",
    "HTML",
    "JSON",
    "App",
    "AuthScheme",
    "Basic",
    "Bearer",
    "ByField",
    "ByGraphQL",
    "ByHeader",
    "Call",
    "Caller",
    "Cookie",
    "Credential",
    "CredentialKind",
    "Detail",
    "Either",
    "Encoder",
    "Field",
    "File",
    "Form",
    "Grants",
    "Header",
    "Host",
    "Idempotency",
    "JsonField",
    "Look",
    "Merged",
    "Operation",
    "Product",
    "Query",
    "RateLimit",
    "Role",
    "SizeLimits",
    "TokenField",
    "Tool",
    "Upload",
    "WrongArguments",
    "Xml",
    "iso_z",
    "parse_iso",
]
