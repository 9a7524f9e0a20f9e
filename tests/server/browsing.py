"""A client that resolves every name below localhost to this machine, as browsers do."""

from typing import Any

import httpx


class Loopback(httpx.HTTPTransport):
    """Connects to 127.0.0.1 and leaves the Host header as it is."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        there = request.url.copy_with(host="127.0.0.1")
        return super().handle_request(
            httpx.Request(request.method, there, headers=request.headers, stream=request.stream)
        )


def browser(origin: str = "", **options: Any) -> httpx.Client:
    """Return a client with its own cookies that starts at an origin."""
    return httpx.Client(base_url=origin, transport=Loopback(), timeout=30, **options)


def bearer(secret: str) -> dict[str, str]:
    return {"authorization": f"Bearer {secret}"}
