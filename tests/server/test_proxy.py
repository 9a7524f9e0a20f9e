"""The CONNECT proxy: real host names and https for clients that require them, and no other destination."""

import socket
import ssl
import subprocess
import sys
from pathlib import Path
from unittest import mock
from urllib.parse import urlsplit

import httpx
import pytest

from diorama.doors import proxy
from tests.doors.depot import API, FILES
from tests.doors.notes import ANA, HOST
from tests.doors.serving import Server
from tests.server.browsing import bearer
from tests.server.office import SHOP_HOST

pytest.importorskip("cryptography", reason="the proxy needs diorama[proxy]")


def trusting(ca_pem: str) -> ssl.SSLContext:
    return ssl.create_default_context(cadata=ca_pem)


def test_an_https_client_with_the_true_host_name_reaches_its_world(server: Server) -> None:
    opened = server.start(seed=4)
    auth = (f"{ANA}/token", opened["apps"]["notes"]["credentials"]["token"])
    proxy = opened["proxy"]
    with httpx.Client(proxy=proxy["url"], verify=trusting(proxy["ca_pem"]), auth=auth) as client:
        shown = client.get(f"https://{HOST}/notes/1")
        assert shown.json() == {"id": 1, "text": "seed 4", "url": f"https://{HOST}/notes/1"}  # links stay as they are
        made = client.post(f"https://{HOST}/notes", json={"text": f"https://{HOST}/notes/1"})
        assert made.headers["location"] == f"https://{HOST}/notes/2"
        assert client.get(made.headers["location"]).status_code == 200
        assert client.get(f"https://{HOST}/notes/9", auth=("x/token", "y")).status_code == 401


@pytest.mark.parametrize(
    "url", ["https://api.vendor.example/", "https://127.0.0.1/", f"https://x.{HOST}/", f"https://{HOST}:8443/"]
)
def test_every_host_that_is_not_an_app_is_refused(server: Server, url: str) -> None:
    proxy = server.start()["proxy"]
    client = httpx.Client(proxy=proxy["url"], verify=trusting(proxy["ca_pem"]))
    with client, pytest.raises(httpx.ProxyError, match="403"):
        client.get(url)


def test_plain_http_through_the_proxy_is_refused(server: Server) -> None:
    proxy = server.start()["proxy"]
    with httpx.Client(proxy=proxy["url"]) as client:
        assert client.get("http://api.vendor.example/").status_code == 403


def test_a_client_that_does_not_know_the_ca_does_not_trust_it(server: Server) -> None:
    proxy = server.start()["proxy"]
    with httpx.Client(proxy=proxy["url"]) as client, pytest.raises(httpx.ConnectError, match="CERTIFICATE"):
        client.get(f"https://{HOST}/notes/1")


def test_the_ca_can_sign_for_the_apps_only(server: Server) -> None:
    from cryptography import x509

    ca = x509.load_pem_x509_certificate(server.start()["proxy"]["ca_pem"].encode())
    constraints = ca.extensions.get_extension_for_class(x509.NameConstraints)
    assert constraints.critical
    named = {name.value for name in constraints.value.permitted_subtrees or []}
    assert named == {HOST, SHOP_HOST, API, FILES, "store.depot.example"}


def more_from(sock: socket.socket) -> bytes:
    """Return the next bytes of a connection that must not have ended."""
    data = sock.recv(65536)
    assert data, "the proxy closed the connection"
    return data


@pytest.mark.parametrize("size", [0, 1, 100, None])
def test_bytes_behind_connect_in_one_segment_are_passed_on(server: Server, size: int | None) -> None:
    opened = server.start(seed=4)
    where = urlsplit(opened["proxy"]["url"])
    context = trusting(opened["proxy"]["ca_pem"])
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    secured = context.wrap_bio(incoming, outgoing, server_hostname=HOST)
    with pytest.raises(ssl.SSLWantReadError):
        secured.do_handshake()
    hello = outgoing.read()
    with socket.create_connection((where.hostname or "", where.port or 0), timeout=10) as sock:
        cut = len(hello) if size is None else size
        sock.sendall(f"CONNECT {HOST}:443 HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode() + hello[:cut])
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += more_from(sock)
        head, _, rest = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200")
        sock.sendall(hello[cut:])
        incoming.write(rest)
        while True:
            try:
                secured.do_handshake()
                break
            except ssl.SSLWantReadError:
                incoming.write(more_from(sock))
        secured.write(f"GET /notes/1 HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
        sock.sendall(outgoing.read())
        shown = b""
        while not shown:
            try:
                shown = secured.read(65536)
            except ssl.SSLWantReadError:
                incoming.write(more_from(sock))
    assert shown.startswith(b"HTTP/1.1 401")


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\x00",
        b"CONNECT\r\n\r\n",
        b"CONNECT x HTTP/1.1\r\n\r\n",
        b"\x00" * 20_000,
        b"GET / HTTP/1.1\r\n",
    ],
)
def test_garbage_does_not_break_the_proxy(server: Server, data: bytes) -> None:
    opened = server.start()
    where = urlsplit(opened["proxy"]["url"])
    with socket.create_connection((where.hostname or "", where.port or 0), timeout=10) as sock:
        sock.sendall(data)
        sock.shutdown(socket.SHUT_WR)
        answer = sock.recv(65536)
    assert answer == b"" or answer.startswith(b"HTTP/1.1 403")
    test_an_https_client_with_the_true_host_name_reaches_its_world(server)


def test_every_host_and_pattern_of_an_app_is_reached_by_its_true_name(server: Server) -> None:
    opened = server.start("depot/store")
    headers = bearer(opened["apps"]["depot"]["credentials"]["bot_token"])
    proxy = opened["proxy"]
    with httpx.Client(proxy=proxy["url"], verify=trusting(proxy["ca_pem"]), headers=headers) as client:
        for host in (API, FILES, "b1.store.depot.example"):
            shown = client.get(f"https://{host}/me")
            assert shown.json()["url"] == f"https://{API}/me"
            event = server.control.get(f"/v1/episodes/{opened['id']}/events").json()["events"][-1]
            assert event["request"].get("host", API) == host  # the main host is left out
        signed_in = client.post(f"https://{API}/login", json={"email": "kim@example.com"})
        assert "Domain=.depot.example" in signed_in.headers["set-cookie"]  # true hosts share cookies as the vendor says
        with pytest.raises(httpx.ProxyError, match="403"):
            client.get("https://store.depot.example/me")


def test_both_companies_are_reached_by_their_true_names(server: Server) -> None:
    for scenario, host, name in (("notes/write", HOST, "Acme"), ("notes/shop", SHOP_HOST, "Brick")):
        opened = server.start(scenario)
        shown, proxy = opened["apps"]["notes"]["credentials"], opened["proxy"]
        auth = (f"{shown['email']}/token", shown["token"])
        with httpx.Client(proxy=proxy["url"], verify=trusting(proxy["ca_pem"]), auth=auth) as client:
            account = client.get(f"https://{host}/account").json()
        assert (account["name"], account["url"]) == (name, f"https://{host}/account")


def test_an_unmodified_program_needs_only_environment_variables(server: Server, tmp_path: Path) -> None:
    opened = server.start(seed=5)
    ca = tmp_path / "ca.pem"
    ca.write_text(opened["proxy"]["ca_pem"])
    code = f"import requests, sys; print(requests.get('https://{HOST}/notes/1', auth=(sys.argv[1], sys.argv[2])).text)"
    run = subprocess.run(
        [sys.executable, "-c", code, f"{ANA}/token", opened["apps"]["notes"]["credentials"]["token"]],
        env={"HTTPS_PROXY": opened["proxy"]["url"], "REQUESTS_CA_BUNDLE": str(ca), "PATH": "/usr/bin"},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert "seed 5" in run.stdout, run.stderr


def tunnel(server: Server) -> socket.socket:
    """Return a connection whose TLS handshake is due."""
    address = urlsplit(server.start()["proxy"]["url"])
    sock = socket.create_connection((address.hostname or "", address.port or 0), timeout=10)
    sock.sendall(f"CONNECT {HOST}:443 HTTP/1.1\r\n\r\n".encode())
    assert sock.recv(1000).startswith(b"HTTP/1.1 200")
    return sock


def is_closed(sock: socket.socket, seconds: float) -> bool:
    """Wait for the other side to close a connection."""
    sock.settimeout(seconds)
    try:
        return sock.recv(1000) == b""
    except ConnectionError:
        return True
    except TimeoutError:
        return False


def test_a_tls_handshake_that_never_ends_is_cut_off(server: Server) -> None:
    with mock.patch.object(proxy, "HANDSHAKE_SECONDS", 0.3), tunnel(server) as sock:
        sock.sendall(b"\x16\x03\x01\x02\x00")  # the beginning of a hello
        assert is_closed(sock, 8)


def test_unfinished_tls_handshakes_count_toward_the_cap(server: Server) -> None:
    with mock.patch.object(proxy, "WAITING_AT_MOST", 3):
        socks = [tunnel(server) for _ in range(5)]
        assert [is_closed(sock, 8) for sock in socks[:2]] == [True, True]
        assert [is_closed(sock, 0.2) for sock in socks[2:]] == [False] * 3
    for sock in socks:
        sock.close()
