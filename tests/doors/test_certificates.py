"""Certificates of the proxy: the shape of a public authority's, valid today and in the time of every world."""

from __future__ import annotations

import datetime as dt
import ssl

import pytest

from diorama.doors.certificates import Authority, Site, validity

x509 = pytest.importorskip("cryptography.x509", reason="the proxy needs diorama[proxy]")
MARCH = dt.datetime(2026, 3, 2, 8, tzinfo=dt.UTC)
DESK = Site(("larkspur.zendesk.com", "kittiwake.zendesk.com"), "zendesk.com", (MARCH,))
STORE = Site(("api.depot.example", "{bucket}.store.depot.example"))


def made(*sites: Site) -> Authority:
    authority = Authority.create(sites)
    assert authority is not None
    return authority


def test_each_vendor_has_its_own_certificate() -> None:
    desk, store = made(DESK, STORE).certificates
    shown = [x509.load_pem_x509_certificates(one.chain.encode()) for one in (desk, store)]
    names = [
        chain[0].extensions.get_extension_for_class(x509.SubjectAlternativeName).value.get_values_for_type(x509.DNSName)
        for chain in shown
    ]
    assert names == [["zendesk.com", "*.zendesk.com"], ["api.depot.example", "*.store.depot.example"]]
    assert shown[0][0].subject.rfc4514_string() == "CN=zendesk.com"


def test_a_certificate_has_an_issuer_below_the_root() -> None:
    authority = made(DESK)
    leaf, issuer = x509.load_pem_x509_certificates(authority.certificates[0].chain.encode())
    root = x509.load_pem_x509_certificate(authority.ca.encode())
    leaf.verify_directly_issued_by(issuer)
    issuer.verify_directly_issued_by(root)
    assert len(issuer.subject) == 3  # country, organization, name
    text = authority.ca + authority.certificates[0].chain
    assert "diorama" not in str([one.subject for one in x509.load_pem_x509_certificates(text.encode())]).lower()


def test_no_key_of_the_authority_is_kept() -> None:
    authority = made(DESK, STORE)
    assert authority.ca.count("PRIVATE") == 0
    assert len({one.key for one in authority.certificates}) == 2


@pytest.mark.parametrize("days", [0, 40, 200, 370, 2000])
def test_a_certificate_is_valid_today_and_in_its_worlds(days: int) -> None:
    now = MARCH + dt.timedelta(days=days)
    begin, end = validity(now, [MARCH])
    assert begin < MARCH <= now < end
    lasted = (end - begin).days + 1
    assert lasted in (90, 397) or days > 370
    assert MARCH - begin >= dt.timedelta(days=7)
    assert end - now >= dt.timedelta(days=7)


def test_a_client_that_trusts_the_authority_accepts_it() -> None:
    authority = made(DESK, STORE)
    context = authority.certificates[0].context()
    inward, outward = ssl.MemoryBIO(), ssl.MemoryBIO()
    trusting = ssl.create_default_context(cadata=authority.ca)
    client = trusting.wrap_bio(inward, outward, server_hostname="larkspur.zendesk.com")
    server = context.wrap_bio(outward, inward, server_side=True)
    for _ in range(4):
        for side in (client, server):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    assert client.version() is not None
    assert ("DNS", "*.zendesk.com") in (client.getpeercert() or {})["subjectAltName"]
