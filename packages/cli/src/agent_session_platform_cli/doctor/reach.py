"""Checks of the way to the server: its name, the proxy before it, and whether something listens."""

from __future__ import annotations

import asyncio
import socket
from typing import Final

from agent_session_platform import ConfigurationError

from ..exit_codes import NETWORK
from .finding import Finding, not_tried, ok, problem
from .setup import PATIENCE, Setup
from .streams import ProxyRefusedError, open_proxy, open_stream, open_tunnel, reason_of
from .way import Way

DNS: Final = "DNS"
PROXY: Final = "proxy"
CONNECTION: Final = "connection"


async def check_name(way: Way, setup: Setup) -> Finding:
    """Look up the host name of the server."""
    if way.proxy is not None:
        return not_tried(DNS, "the proxy looks up the name of the server")
    place = setup.place("base_url")
    try:
        async with asyncio.timeout(PATIENCE):
            found = await asyncio.get_running_loop().getaddrinfo(way.host, way.port, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        if error.errno == getattr(socket, "EAI_AGAIN", None):
            text = f"The name server did not respond to a question for {way.host!r}."
            return problem(DNS, text, "Check that this machine has a network, and its name server.", NETWORK)
        return problem(
            DNS,
            f"The host name {way.host!r} does not exist for this machine.",
            f"Check its spelling in {place}; if it is right, a VPN or another name server may be missing.",
            NETWORK,
        )
    except TimeoutError:
        text = f"Nobody said within {PATIENCE:g} s what the address of {way.host!r} is."
        return problem(DNS, text, "Check the network and the name server of this machine.", NETWORK)
    addresses = [*dict.fromkeys(str(each[4][0]) for each in found)]
    return ok(DNS, f"{way.host} is {', '.join(addresses[:4])}.", addresses=len(addresses))


async def check_proxy(way: Way, setup: Setup) -> Finding:
    """Connect to the proxy, and for https let it connect to the server."""
    proxy = way.proxy
    if proxy is None:
        excepted = f": {way.excepting} excepts it from the proxy" if way.excepting else ""
        return ok(PROXY, f"None: the server is reached directly{excepted}.", used=False)
    named = f"The proxy {proxy.url}, which {way.proxy_from} names,"
    remedy = f"Correct {way.proxy_from}, or put {way.host} into NO_PROXY if this machine reaches it without a proxy."
    try:
        async with open_proxy(proxy, setup.network) as (reader, writer):
            if way.has_tls and not proxy.is_socks:
                await open_tunnel(way, proxy, reader, writer)
    except ProxyRefusedError as error:
        if error.status == 407:
            has = "refuses its user name or password" if proxy.credentials else "wants a user name and a password"
            with_them = f"Write them into {way.proxy_from}: http://user:password@host:port, with %40 for an @ in them."
            return problem(PROXY, f"{named} {has} (407).", with_them, NETWORK)
        if error.status:
            text = f"{named} does not connect to {way.authority}: it responded with {error.status}."
            return problem(PROXY, text, f"Ask whoever runs it to allow {way.host}. {remedy}", NETWORK)
        return problem(PROXY, f"{named} is no HTTP proxy: it gave another response, or none.", remedy, NETWORK)
    except ConfigurationError as error:
        return problem(PROXY, f"{named} cannot be used: {error}.", remedy, NETWORK)
    except (OSError, EOFError) as error:
        text = f"{named} cannot be reached: {reason_of(error)}."
        return problem(PROXY, text, f"Start it. {remedy}", NETWORK)
    through = "connects to the server" if way.has_tls and not proxy.is_socks else "can be reached"
    return ok(PROXY, f"{named} {through}.", used=True, proxy=proxy.url, source=way.proxy_from)


async def check_connection(way: Way, setup: Setup) -> Finding:
    """Connect to the server."""
    if way.proxy is not None:
        return not_tried(CONNECTION, "the proxy connects to the server")
    try:
        async with open_stream(way.host, way.port):
            return ok(CONNECTION, f"{way.authority} accepts connections.")
    except OSError as error:
        return problem(
            CONNECTION,
            f"No connection to {way.authority}: {reason_of(error)}.",
            f"Check host and port in {setup.place('base_url')}, and whether a firewall or a missing proxy is between.",
            NETWORK,
        )
