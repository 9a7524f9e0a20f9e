"""`diorama serve`: worlds over HTTP, each app on its own port at the vendor's own paths."""

import asyncio
import logging
import os
import re
import secrets
import signal
from ipaddress import ip_address
from typing import Annotated

import typer

from diorama.cli.errors import Misuse, seconds

_LABEL = re.compile(r"(?!-)[A-Za-z0-9_-]{1,63}(?<!-)")


def is_host(text: str) -> bool:
    """Tell whether a text can stand as the host of a URL: a name, or an address of IP version 4 or 6."""
    try:
        ip_address(text)
    except ValueError:
        return len(text) <= 253 and all(_LABEL.fullmatch(label) for label in text.removesuffix(".").split("."))
    return "%" not in text


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; other machines need 0.0.0.0.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The control plane's port; apps follow on the next ones (0: any).")
    ] = 8700,
    workers: Annotated[int, typer.Option(min=1, max=256, help="How many processes to spread episodes over.")] = 1,
    advertise: Annotated[str, typer.Option(help="The host name to write into addresses and links.")] = "",
    lease: Annotated[
        float,
        typer.Option(
            parser=seconds(1), metavar="SECONDS", help="After how long an idle episode is dropped; 1 to 604800."
        ),
    ] = 1800.0,
) -> None:
    """Serve until interrupted. The control plane requires DIORAMA_ADMIN_TOKEN, or a token generated at start."""
    from diorama.cli.display import err
    from diorama.doors.listener import PortTaken, run
    from diorama.server.front import Front, Ready, Settings
    from diorama.server.station import prepare

    if advertise and not is_host(advertise):
        raise Misuse(f"--advertise {advertise}: give a host name or an address, without a scheme, a port or a path.")
    if host and not is_host(host):
        raise Misuse(f"--host {host!r}: give a name or an address of this machine.")
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s: %(message)s")
    token = os.environ.get("DIORAMA_ADMIN_TOKEN", "")
    if not (token.isascii() and token.isprintable() and token == token.strip()):
        raise Misuse("DIORAMA_ADMIN_TOKEN has characters that no header can have. Give it another value.")
    made_up = not token
    settings = Settings(
        token=token or secrets.token_urlsafe(24),
        host=host,
        port=port,
        workers=workers,
        advertise=advertise,
        lease_seconds=lease,
    )
    console = err()

    def say(line: str) -> None:
        console.print(line, markup=False)

    try:
        front = Front(settings)
    except PortTaken as error:
        raise Misuse(str(error)) from None
    prepare(say)

    def told(ready: Ready) -> None:
        say(f"control plane  {ready.control_url}/v1")
        say(f"admin token    {settings.token if made_up else 'DIORAMA_ADMIN_TOKEN'}")
        for number, origins in enumerate(ready.origins):
            for name, url in origins.items():
                say(f"{name:<14} {url}" + (f"  (worker {number})" if workers > 1 else ""))
        for url in ready.proxy_urls:
            say(f"https proxy    {url}")
        say("Ctrl-C ends it.")

    async def main() -> None:
        stopping = asyncio.Event()
        loop = asyncio.get_running_loop()
        for one in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(one, stopping.set)
        await front.serve(stopping, told)

    run(main())
