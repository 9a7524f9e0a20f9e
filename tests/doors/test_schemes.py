"""Authentication reads a request as it was sent: tokens in form fields, signatures over raw bodies, presigned links."""

import hashlib
import hmac
import json
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode

import pytest
from msgspec import structs

from diorama.doors.credentials import Credentials
from diorama.doors.http import Door, ask
from diorama.kernel import Refusal, Request, Tx
from diorama.kernel.testing import fresh
from diorama.kit import AuthScheme, Bearer, Credential, CredentialKind, Either, Product, TokenField
from diorama.kit.auth import Reads, with_headers
from tests.doors.notes import REFUSALS, WorldSession, words

FORM = "application/x-www-form-urlencoded"
BASE = "http://127.0.0.1:8700"


FORM_TOKEN = TokenField("token", "form")


def signature(secret: str, *parts: str | bytes) -> str:
    raw = b"\n".join(part.encode() if isinstance(part, str) else part for part in parts)
    return hmac.new(secret.encode(), raw, hashlib.sha256).hexdigest()


class Signature(AuthScheme):
    """`X-Key` names the key, `X-Signature` is an HMAC over method, path, query and raw body."""

    reads: Reads = "request"

    def read(self, request: Request) -> Credential | None:
        key, shown = request.headers.get("x-key", ""), request.headers.get("x-signature", "")
        if not key:
            return None
        return Credential("", key, lambda secret: hmac.compare_digest(shown, self.sign(request, secret)))

    def write(self, request: Request, credential: Credential) -> Request:
        key, secret = credential.login, credential.secret
        return with_headers(request, x_key=key, x_signature=self.sign(request, secret))

    def sign(self, request: Request, secret: str) -> str:
        return signature(secret, request.method, request.path, request.query, request.body)


class Presigned(AuthScheme):
    """`?key=KEY&signature=HMAC` over the vendor's host and the path: a link that needs no other credential."""

    reads: Reads = "request"

    def read(self, request: Request) -> Credential | None:
        query = dict(parse_qsl(request.query))
        if "signature" not in query:
            return None

        def proof(secret: str) -> bool:
            return hmac.compare_digest(query["signature"], signature(secret, request.host, request.path))

        return Credential("", query.get("key", ""), proof)

    def write(self, request: Request, credential: Credential) -> Request:
        made = signature(credential.secret, request.host, request.path)
        return structs.replace(request, query=urlencode({"key": credential.login, "signature": made}))

    def strip(self, request: Request) -> Request:
        kept = [(name, value) for name, value in parse_qsl(request.query) if name not in ("key", "signature")]
        return structs.replace(request, query=urlencode(kept))


class Live:
    """A live episode with one session for all callers."""

    def __init__(self, session: WorldSession) -> None:
        self._session = session

    def session(self, app: str, token: str = "") -> WorldSession:
        return self._session


class Vault:
    """A product with one scheme, one episode's worth of world, and its door."""

    def __init__(self, auth: AuthScheme, refusals: dict[str, Any] = REFUSALS) -> None:
        product = Product("vault", title="Vault", auth=auth, envelope=words, refusals=refusals, max_body=1000)

        @product.post("/keep")
        def keep(tx: Tx, body: dict[str, str]) -> dict[str, str]:
            return body

        @product.get("/keep")
        def show(tx: Tx) -> dict[str, str]:
            return {"url": f"https://{product.here()}/keep"}

        app = product.install("vault.example", cold="{box}.cold.vault.example")
        self.world = fresh([app])
        self.session = WorldSession(self.world, app, BASE, mark="0d1a")
        self.signing = WorldSession(self.world, app, BASE, secret="s3cr3t", mark="0d1a")
        self.credentials = credentials = Credentials()
        credentials.add("vault", "tok-1", self.session)
        credentials.add("vault", "key-1", self.signing)
        credentials.add_episode("0d1a", Live(self.session))
        self.doors = {"": Door(product, credentials), "cold": Door(product, credentials, "cold")}

    def ask(self, request: Request, host: str = "127.0.0.1:8700", role: str = "") -> tuple[int, Any]:
        """Send a request through a door; return the status and the decoded body."""
        reply = ask(self.doors[role], structs.replace(request, host=host))
        return reply.status, json.loads(reply.body)

    def last_request(self) -> dict[str, Any]:
        return self.world.events[-1].request


def post(fields: str = "", **document: str) -> Request:
    body = fields.encode() if fields else json.dumps(document).encode()
    return Request("POST", "/keep", headers={"content-type": FORM if fields else "application/json"}, body=body)


def test_a_token_in_a_form_field_works_and_is_not_recorded() -> None:
    vault = Vault(FORM_TOKEN)
    asked = FORM_TOKEN.write(post("note=a+b&url=http%3A%2F%2F127.0.0.1%3A8700%2Fx"), Credential("", "tok-1"))
    assert vault.ask(asked) == (200, {"note": "a b", "url": f"{BASE}/x"})
    assert vault.last_request()["body"] == "note=a+b&url=https%3A%2F%2Fvault.example%2Fx"
    assert "tok-1" not in str(vault.last_request())
    before = len(vault.world.events)
    for wrong in (post("note=a"), post("note=a&token=tok-2"), post("note=a&token="), post(token="tok-1")):
        assert vault.ask(wrong)[0] == 401
    assert len(vault.world.events) == before


def test_a_signature_is_verified_over_the_raw_body() -> None:
    vault = Vault(Signature())
    asked = Signature().write(post(url=f"{BASE}/keep"), Credential("key-1", "s3cr3t"))
    assert vault.ask(asked) == (200, {"url": f"{BASE}/keep"})
    assert vault.last_request()["body"] == '{"url": "https://vault.example/keep"}'  # rewritten only after the check
    assert "key-1" not in str(vault.last_request())


@pytest.mark.parametrize(
    "change",
    [
        {"body": b'{"url": "http://127.0.0.1:8700/other"}'},
        {"path": "/keep/"},
        {"query": "a=1"},
        {"method": "PUT"},
        {"headers": {"content-type": "application/json", "x-key": "key-1"}},
        {"headers": {"content-type": "application/json", "x-key": "key-1", "x-signature": "0" * 64}},
        {"headers": {"content-type": "application/json", "x-key": "key-2", "x-signature": "0" * 64}},
        {"headers": {"content-type": "application/json", "x-key": "tok-1", "x-signature": "0" * 64}},
    ],
)
def test_a_request_with_a_wrong_signature_is_refused(change: dict[str, Any]) -> None:
    vault = Vault(Signature())
    asked = Signature().write(post(url=f"{BASE}/keep"), Credential("key-1", "s3cr3t"))
    assert vault.ask(asked)[0] == 200
    before = len(vault.world.events)
    assert vault.ask(structs.replace(asked, **change))[0] == 401
    assert len(vault.world.events) == before


def test_the_id_of_a_key_is_not_a_secret() -> None:
    vault = Vault(Either(FORM_TOKEN, Signature()))
    assert vault.ask(FORM_TOKEN.write(post("note=a"), Credential("", "key-1")))[0] == 401
    assert vault.ask(FORM_TOKEN.write(post("note=a"), Credential("", "tok-1")))[0] == 200


def test_a_credential_of_one_scheme_is_refused_in_another() -> None:
    auth = Either(FORM_TOKEN, Bearer())
    vault = Vault(auth)
    vault.credentials.add("vault", "pat-1", vault.session, "bearer")
    shown = {scheme: auth.write(post("note=a"), Credential("", "pat-1", scheme=scheme)) for scheme in auth.names}
    assert {scheme: vault.ask(request)[0] for scheme, request in shown.items()} == {"tokenfield": 401, "bearer": 200}
    kinds = (CredentialKind("pat", scheme="basic"),)
    with pytest.raises(ValueError, match="'pat' asks for the scheme 'basic'; auth has tokenfield, bearer"):
        Product("x", title="X", auth=auth, envelope=words, refusals=REFUSALS, credential_kinds=kinds)


def test_a_presigned_link_works_at_the_origin_of_its_host() -> None:
    vault = Vault(Presigned())
    inside = Request("GET", "/keep", host="b1.cold.vault.example")
    asked = Presigned().write(inside, Credential("key-1", "s3cr3t"))
    assert vault.ask(asked, "b1.0d1a.cold.vault.localhost:8701", "cold")[0] == 200
    assert (vault.last_request()["host"], vault.last_request()["query"]) == ("b1.cold.vault.example", "")
    assert vault.ask(asked, "b1.cold.vault.example", "cold")[0] == 200
    assert vault.ask(asked, "b2.0d1a.cold.vault.localhost:8701", "cold")[0] == 401
    assert vault.ask(asked, "b1.ffff.cold.vault.localhost:8701", "cold")[0] == 401


def test_a_body_is_bounded_before_a_scheme_reads_it() -> None:
    vault = Vault(FORM_TOKEN)
    huge = FORM_TOKEN.write(post("note=" + "x" * 2000), Credential("", "tok-1"))
    assert vault.ask(huge)[0] == 413
    assert len(vault.world.events) == 1


def test_a_scheme_that_fails_on_odd_bytes_finds_no_credential() -> None:
    vault = Vault(FORM_TOKEN)
    strange = Request("POST", "/keep", headers={"content-type": FORM}, body=b"\xff\xfe")
    assert vault.ask(strange)[0] == 401


MULTIPART = {"content-type": "multipart/form-data; boundary=XX", "authorization": "Bearer tok-1"}
FILE = b'--XX\r\nContent-Disposition: form-data; name="f"; filename="token"\r\n\r\nraw\r\n--XX--\r\n'


@pytest.mark.parametrize(
    "asked",
    [
        Request("POST", "/keep", headers={"content-type": FORM}, body=b"note=a&token=tok-1"),
        Request("POST", "/keep", headers={"content-type": FORM}, body=b"note=a&%74oken=tok%2D1&note=b&token=tok-1"),
        Request("POST", "/keep", headers={"content-type": FORM, "authorization": "Bearer tok-1"}, body=b"token=tok-1"),
        Request("POST", "/keep", headers={"content-type": FORM, "authorization": "Bearer tok-1"}, body=b"n=my+tok%2D1"),
        Request("POST", "/keep", headers={"authorization": "Bearer tok-1"}, body=b'{"n": "my t\\u006Fk-1"}'),
        Request("POST", "/keep", headers={"authorization": "Bearer tok-1"}, body=b'{"n": "the other is key-1"}'),
        Request("POST", "/keep", headers=MULTIPART, body=FILE.replace(b"raw", b"tok-1")),
        Request("GET", "/keep", "token=tok-1&a=1"),
        Request("GET", "/nowhere/tok-1", "a=tok-1&b=t%6fk-1", headers={"authorization": "Bearer tok-1"}),
    ],
    ids=lambda request: f"{request.query} {request.body[:60]!r}",
)
def test_no_copy_of_a_secret_reaches_a_world(asked: Request) -> None:
    vault = Vault(Either(Bearer(), TokenField("token", "form", "query")))
    before = len(vault.world.events)
    vault.ask(asked)
    assert len(vault.world.events) == before + 1
    event = vault.world.events[-1]
    recorded = f"{unquote(str(event.request))} {event.request['body']!r} {event.reply}".replace("\\\\u006F", "o")
    assert "tok-1" not in recorded
    assert "key-1" not in recorded


def test_other_parts_of_a_form_with_a_token_stay_as_they_were_sent() -> None:
    scheme = TokenField("token", "form", "query")
    sent = Request("POST", "/keep", "a=%7e&a=1", headers={"content-type": FORM}, body=b"x=%7e&y=a+b&x=")
    for request in (sent, Request("POST", "/keep", headers=MULTIPART, body=FILE), Request("GET", "/keep", "a=%7e")):
        signed = scheme.write(request, Credential("", "a&b=c"))
        assert scheme.read(signed) == Credential("", "a&b=c")
        assert scheme.strip(signed) == request


def test_a_token_field_without_a_place_is_refused() -> None:
    for wrong in (("token",), ("", "form"), ("token", "cookie")):
        with pytest.raises(ValueError, match="give a name and places"):
            TokenField(*wrong)
    with pytest.raises(ValueError, match="no form field 'token'"):
        FORM_TOKEN.write(post(a="b"), Credential("", "x"))


def test_a_door_words_a_wrong_token_differently_from_none() -> None:
    said = {**REFUSALS, "unauthorized": lambda shown: Refusal(200, "invalid_auth" if shown else "not_authed")}
    vault = Vault(Either(Bearer(), FORM_TOKEN), said)
    wrong = (post("token=tok-2"), with_headers(post(a="b"), authorization="Bearer tok-2"))
    assert [vault.ask(one)[1]["error"] for one in wrong] == ["invalid_auth"] * 2
    missing = (post("note=a"), post(a="b"), with_headers(post(a="b"), authorization="Bearer "))
    assert [vault.ask(one)[1]["error"] for one in missing] == ["not_authed"] * 3
