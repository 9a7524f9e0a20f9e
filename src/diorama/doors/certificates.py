"""Certificates: a private authority, and one certificate per vendor as a public authority would issue it."""

import datetime as dt
import re
import ssl
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

LIFETIMES_DAYS = (90, 397)
"""How long public authorities let certificates last; the shorter one if it covers the time of every world and today."""
_MARGIN = dt.timedelta(days=10)
_ROOT = ("US", "Internet Trust Services", "ITS Root R1")
_ISSUER = ("US", "Internet Trust Services", "WE2")
_DOMAIN_VALIDATED = "2.23.140.1.2.1"


class Site(msgspec.Struct, frozen=True):
    """The hosts of one vendor, and when the worlds that use them begin.

    `domain` is the vendor's own, `zendesk.com`: its certificate is for all hosts below it. Without one it is for the
    hosts alone. A host may be a pattern.
    """

    hosts: tuple[str, ...]
    domain: str = ""
    starts: tuple[dt.datetime, ...] = ()


class Certificate(msgspec.Struct, frozen=True):
    """The certificate of one vendor with that of its issuer, and its key, as PEM text."""

    hosts: tuple[str, ...]
    chain: str
    key: str

    def context(self) -> ssl.SSLContext:
        """Return the TLS settings with which the vendor's hosts answer."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.set_alpn_protocols(["http/1.1"])
        with tempfile.TemporaryDirectory(prefix="diorama-") as folder:  # ssl loads keys only from files
            chain = Path(folder, "chain.pem")
            chain.touch(mode=0o600)
            chain.write_text(self.chain + self.key)
            context.load_cert_chain(chain)
        return context


class Authority(msgspec.Struct, frozen=True):
    """A private certificate authority, and the certificates that it signed. Its own key is not kept."""

    ca: str
    certificates: tuple[Certificate, ...]

    @classmethod
    def create(cls, sites: Sequence[Site]) -> "Authority | None":
        """Return a new authority for these sites only, or None if `diorama[proxy]` is not installed."""
        try:
            from cryptography import x509
            from cryptography.hazmat.primitives import hashes, serialization
            from cryptography.hazmat.primitives.asymmetric import ec
            from cryptography.x509.oid import ExtendedKeyUsageOID
        except ImportError:
            return None
        now = dt.datetime.now(dt.UTC)
        since = min([now, *(start for site in sites for start in site.starts)]) - dt.timedelta(days=1500)
        pem, sha = serialization.Encoding.PEM, hashes.SHA256()
        root_key, key = ec.generate_private_key(ec.SECP384R1()), ec.generate_private_key(ec.SECP256R1())
        root_id = x509.SubjectKeyIdentifier.from_public_key(root_key.public_key())
        issuer_id = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
        subtrees = dict.fromkeys(name for site in sites for name in _subtrees(site))

        def signing(subject: tuple[str, ...], by: tuple[str, ...], public: Any, own_id: Any, below: int) -> Any:
            return (
                x509.CertificateBuilder(_name(by), _name(subject), public)
                .serial_number(x509.random_serial_number())
                .not_valid_before(since)
                .not_valid_after(since + dt.timedelta(days=3650))
                .add_extension(x509.BasicConstraints(ca=True, path_length=below), critical=True)
                .add_extension(_usage(x509, signs_certificates=True), critical=True)
                .add_extension(own_id, critical=False)
            )

        allowed = x509.NameConstraints([x509.DNSName(name) for name in subtrees], None)
        root = signing(_ROOT, _ROOT, root_key.public_key(), root_id, 1).add_extension(allowed, critical=True)
        signed_by = x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(root_id)
        issuer = signing(_ISSUER, _ROOT, key.public_key(), issuer_id, 0).add_extension(signed_by, critical=False)
        ca, between = root.sign(root_key, sha), issuer.sign(root_key, sha)
        policy = x509.PolicyInformation(x509.ObjectIdentifier(_DOMAIN_VALIDATED), None)
        made = []
        for site in sites:
            own = ec.generate_private_key(ec.SECP256R1())
            names = _names(site)
            begin, end = validity(now, site.starts)
            leaf = (
                x509.CertificateBuilder(_name(_ISSUER), _name((names[0],)), own.public_key())
                .serial_number(x509.random_serial_number())
                .not_valid_before(begin)
                .not_valid_after(end)
                .add_extension(_usage(x509, signs_certificates=False), critical=True)
                .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
                .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
                .add_extension(x509.SubjectKeyIdentifier.from_public_key(own.public_key()), critical=False)
                .add_extension(
                    x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(issuer_id), critical=False
                )
                .add_extension(x509.SubjectAlternativeName([x509.DNSName(name) for name in names]), critical=False)
                .add_extension(x509.CertificatePolicies([policy]), critical=False)
                .sign(key, sha)
            )
            private = own.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
            chain = leaf.public_bytes(pem) + between.public_bytes(pem)
            made.append(Certificate(site.hosts, chain.decode(), private.decode()))
        return cls(ca.public_bytes(pem).decode(), tuple(made))


def validity(now: dt.datetime, starts: Iterable[dt.datetime]) -> tuple[dt.datetime, dt.datetime]:
    """Return a time in which a certificate is valid: today, because clients check that, and in every world."""
    first, last = min([now, *starts]) - _MARGIN, max([now, *starts]) + _MARGIN
    needed = last - first
    lifetime = next((dt.timedelta(days=days) for days in LIFETIMES_DAYS if dt.timedelta(days=days) > needed), needed)
    begin = (first - (lifetime - needed) * 0.37).replace(microsecond=0) + dt.timedelta(minutes=23, seconds=17)
    return begin, begin + max(lifetime, needed) - dt.timedelta(seconds=1)


def _names(site: Site) -> list[str]:
    """Return the names of a certificate; a pattern gets a wildcard, which TLS allows in place of the first label."""
    if site.domain:
        return [site.domain, f"*.{site.domain}"]
    wild = [f"*.{rest}" for rest in _wildcards(site)]
    return list(dict.fromkeys([*(host for host in site.hosts if "{" not in host), *wild]))


def _subtrees(site: Site) -> list[str]:
    """Return the domains for which the authority may sign."""
    if site.domain:
        return [site.domain]
    return [*(host for host in site.hosts if "{" not in host), *_wildcards(site)]


def _wildcards(site: Site) -> list[str]:
    patterns = [host.partition(".") for host in site.hosts if "{" in host]
    return [rest for first, _, rest in patterns if re.fullmatch(r"\{\w+\}", first) and "{" not in rest]


def _name(parts: tuple[str, ...]) -> Any:
    """Return a name: country, organization and common name, or the common name alone."""
    from cryptography import x509
    from cryptography.x509.oid import NameOID

    kinds = (NameOID.COUNTRY_NAME, NameOID.ORGANIZATION_NAME, NameOID.COMMON_NAME)
    return x509.Name([x509.NameAttribute(kind, part) for kind, part in zip(kinds[-len(parts) :], parts, strict=True)])


def _usage(x509: Any, signs_certificates: bool) -> Any:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )
