"""Check of TLS: the chain of the certificate, its host name and its time."""

from __future__ import annotations

import os
import ssl
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from agent_session_platform import ConfigurationError
from agent_session_platform.network import is_installed, make_context

from ..exit_codes import NETWORK
from .finding import Finding, not_tried, ok, problem, warning
from .setup import Setup
from .streams import ProxyRefusedError, open_server, reason_of, start_tls
from .way import Way

TLS: Final = "TLS"
SOON: Final = timedelta(days=14)

# Codes of OpenSSL (X509_V_ERR_...).
NOT_YET_VALID: Final = 9
EXPIRED: Final = 10
OTHER_HOST: Final = frozenset({62, 64})
# What OpenSSL makes of a response that is no TLS.
NO_TLS: Final = frozenset({"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG", "HTTP_REQUEST"})


async def check_tls(way: Way, setup: Setup) -> Finding:
    """Shake hands with the server as the client would."""
    if not way.has_tls:
        return not_tried(TLS, "the address begins with http")
    if way.proxy is not None and way.proxy.is_socks:
        return not_tried(TLS, "the proxy speaks SOCKS; the response shows whether TLS works")
    trust = trusted(setup)
    try:
        context = make_context(setup.network.verify)
    except ConfigurationError as error:
        return problem(TLS, f"{error}.", "Correct the path, or remove the setting.", NETWORK)
    try:
        async with open_server(way, setup.network) as (_, writer):
            await start_tls(writer, context, way.host)
            return _trusted(way, trust, writer.get_extra_info("ssl_object"))
    except ssl.SSLCertVerificationError as error:
        return refused(error, way, setup, trust)
    except ProxyRefusedError:
        return not_tried(TLS, "the proxy did not connect to the server again")
    except (OSError, EOFError) as error:
        if getattr(error, "reason", None) in NO_TLS:
            return problem(
                TLS,
                f"The server at {way.authority} does not speak TLS, but the address begins with https.",
                f"Check the port in {setup.place('base_url')}; on this machine alone, http:// may be what is meant.",
                NETWORK,
            )
        reason = getattr(error, "reason", None) or reason_of(error)
        text = f"The TLS handshake with {way.authority} failed: {reason}."
        return problem(
            TLS, text, "Check that the server speaks TLS at this port, and whether a firewall is between.", NETWORK
        )


def refused(error: ssl.SSLCertVerificationError, way: Way, setup: Setup, trust: str) -> Finding:
    """Return the finding of a certificate that was refused.

    Args:
        error: Why.
        way: The way to the server.
        setup: The settings.
        trust: What is trusted.
    """
    whose = f"The certificate of {way.authority}"
    now = f"the clock of this machine says {datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    match error.verify_code:
        case code if code == EXPIRED:
            text, remedy = f"{whose} has expired.", f"Renew it on the server, unless {now} and that is wrong: set it."
        case code if code == NOT_YET_VALID:
            text, remedy = f"{whose} is not valid yet.", f"Set the clock, if it is wrong: {now}."
        case code if code in OTHER_HOST:
            text = f"{whose} is for another host name: {error.verify_message}."
            remedy = f"Write the host name that it is for into {setup.place('base_url')}."
        case _:
            text = (
                f"{whose} is of an authority that this machine does not trust ({error.verify_message}); trusted are "
                f"{trust}."
            )
            remedy = (
                "If it is an authority of your own company, set SSL_CERT_FILE to a file with its certificate, or "
                "verify in the profile; if not, somebody on the way may read along."
            )
    return problem(TLS, text, remedy, NETWORK, verify_code=error.verify_code)


def trusted(setup: Setup) -> str:
    """Return which certificates are trusted, in words."""
    if setup.network.verify is not True:
        return f"those in {setup.network.verify}, from {setup.place('verify')}"
    variables = [name for name in ("SSL_CERT_FILE", "SSL_CERT_DIR") if os.environ.get(name)]
    if variables:
        named = " and ".join(f"{name} ({os.environ[name]})" for name in variables)
        return f"those that {named} {'name' if len(variables) > 1 else 'names'}"
    return "those of the system" if is_installed("truststore") else "those of certifi"


def _trusted(way: Way, trust: str, connection: Any) -> Finding:
    certificate: dict[str, Any] = connection.getpeercert() or {}
    text = f"{connection.version()}; the certificate is good for {way.host}; trusted are {trust}"
    if "notAfter" not in certificate:
        return ok(TLS, f"{text}.", version=connection.version())
    end = datetime.fromtimestamp(ssl.cert_time_to_seconds(certificate["notAfter"]), UTC)
    facts = {"version": connection.version(), "expires": end.isoformat()}
    if end - datetime.now(UTC) < SOON:
        return warning(TLS, f"{text}; it expires on {end:%Y-%m-%d}.", "Renew the certificate on the server.", **facts)
    return ok(TLS, f"{text}; it expires on {end:%Y-%m-%d}.", **facts)
