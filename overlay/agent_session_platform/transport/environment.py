"""Certificates and proxies of connections, as the environment states them."""

from __future__ import annotations

import functools
import os
import ssl

import httpx

from ..errors import ConfigurationError


def make_client(connections: int, direct: str | None = None) -> httpx.AsyncClient:
    """Make an httpx client with the certificates and proxies that the environment names.

    Args:
        connections: How many connections it may have.
        direct: Address of a server that is reached without a proxy, whatever the environment says.

    Raises:
        ConfigurationError: httpx refuses one of them.
    """
    certificates = read_certificates()
    try:
        mounts = {direct: None} if direct is not None else None
        return httpx.AsyncClient(limits=make_limits(connections), verify=certificates, mounts=mounts)
    except ImportError as error:
        reason = str(error)
    except Exception:
        # The message, and the variables of its traceback, may have the password of the proxy.
        reason = "its address must look like http://user:password@proxy.example.com:3128"
    raise ConfigurationError(
        f"httpx refuses a proxy that the environment names in HTTP_PROXY, HTTPS_PROXY, ALL_PROXY or NO_PROXY: {reason}"
    )


def make_limits(connections: int) -> httpx.Limits:
    """Keep every connection alive; httpx counts active ones too."""
    return httpx.Limits(max_connections=connections, max_keepalive_connections=connections)


def read_certificates() -> ssl.SSLContext:
    """Return the SSL context of the certificates that SSL_CERT_FILE and SSL_CERT_DIR name, or else of certifi's.

    Raises:
        ConfigurationError: They cannot be read.
    """
    try:
        return _make_context(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"the certificates that SSL_CERT_FILE or SSL_CERT_DIR names cannot be read: {error}"
        ) from None


@functools.cache
def _make_context(cert_file: str | None, cert_dir: str | None) -> ssl.SSLContext:
    # Once a process, because it takes tens of milliseconds; httpx reads the two variables by itself.
    return httpx.create_ssl_context()
