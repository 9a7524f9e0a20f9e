"""A small product with several hosts, several kinds of credentials, tokens of its own and a login page."""

from http.cookies import CookieError, SimpleCookie
from typing import Any

import msgspec

from diorama.kernel import Record, Refusal, Reply, Request, Tx, counter
from diorama.kit import App, AuthScheme, Bearer, Call, Credential, CredentialKind, Either, Grants, Product
from diorama.kit.auth import Reads, with_headers
from tests.doors.notes import REFUSALS, words

API, FILES, BUCKETS = "api.depot.example", "files.depot.example", "{bucket}.store.depot.example"
GRANTS = Grants("x-depot-token-id", Refusal(401, "BadToken"))


class CookieToken(AuthScheme):
    """A token in the cookie `session`."""

    reads: Reads = "headers"

    def read(self, request: Request) -> Credential | None:
        try:
            session = SimpleCookie(request.headers.get("cookie", "")).get("session")
        except CookieError:
            return None
        return Credential("", session.value) if session is not None else None

    def write(self, request: Request, credential: Credential) -> Request:
        others = request.headers.get("cookie", "")
        return with_headers(request, cookie=f"{others}; session={credential.secret}".removeprefix("; "))


def _kind(name: str, start: str) -> CredentialKind:
    return CredentialKind(name, start + "-{digits:12}-{alnum:24}", lambda person, secret: {name: secret})


APP = Product(
    "depot",
    title="Depot",
    auth=Either(Bearer(), CookieToken()),
    envelope=words,
    refusals=REFUSALS,
    grants=GRANTS,
    credential_kinds=(_kind("bot_token", "xoxb"), _kind("user_token", "xoxp"), _kind("app_token", "xapp")),
)
APP.refusals["unauthorized"] = Refusal(
    401, "Who", f"Sign in at https://{APP.here()}/login", headers={"www-authenticate": f'Bearer realm="{APP.here()}"'}
)


def app() -> App:
    """Install the depot; every company has it at the same hosts."""
    return APP.install(API, files=FILES, buckets=BUCKETS)


@APP.record("tokens", ids=counter(1))
class Token(Record):
    """A session token."""

    token: str
    person: str
    credential: str = ""


@GRANTS.holder
def holder(tx: Tx, token: str) -> tuple[str, str, str] | None:
    """Return the person of a token, the id of its row and its credential."""
    found = tx.first(Token, "token = ?", token)
    return None if found is None else (found.person, str(found.id), found.credential)


class Login(msgspec.Struct):
    """Who signs in."""

    email: str
    credential: str = ""


@APP.get("/login", public=True)
def login_page(tx: Tx) -> Reply:
    """Show the login page."""
    page = f'<a href="https://{APP.here("files")}/help">https://{APP.here()}/login</a>'
    return Reply(200, {"content-type": "text/html; charset=utf-8"}, page.encode())


@APP.post("/login", public=True)
def login(tx: Tx, body: Login) -> Reply:
    """Sign in: set a cookie for all hosts of the vendor, and go home."""
    made = tx.add(Token(token=GRANTS.mint(tx, "login", tx.count(Token)), person=body.email, credential=body.credential))
    cookie = f"session={made.token}; Domain=.depot.example; Path=/; HttpOnly"
    return Reply(303, {"location": f"https://{APP.here()}/me", "set-cookie": cookie}, b"")


@APP.get("/me")
def me(tx: Tx) -> dict[str, Any]:
    """Say who asks, and where things are."""
    return {
        "person": tx.actor.name,
        "credential": tx.actor.seat,
        "url": f"https://{APP.here()}/me",
        "files": f"https://{APP.here('files')}/f/1",
        "bucket": "https://b1.store.depot.example/key?signature=abc%2Fd",
        "text": f"see https://{APP.here()}/me for more",
    }


@APP.tool
def who_am_i() -> Call:
    """Ask who you are."""
    return Call("GET", "/me")


@APP.tool(credential="user_token")
def who_am_i_as_user() -> Call:
    """Ask who you are, with your user token."""
    return Call("GET", "/me")


@APP.get("/document")
def document(tx: Tx, kind: str = "text/plain") -> Reply:
    """Send a link in a body of any kind."""
    url = f"https://{APP.here()}/me"
    bodies = {
        "application/xml": f'<r at="{url}"><u>{url}</u><t>see {url}</t></r>',
        "application/gzip": f'"{url}"',
    }
    headers = {"content-type": kind, "link": f'<{url}?page=2>; rel="next", <https://other.example/>; rel="up"'}
    if kind == "packed":
        headers |= {"content-type": "application/json", "content-encoding": "gzip"}
    return Reply(200, headers, bodies.get(kind, f'{{"u":"{url}"}}').encode())
