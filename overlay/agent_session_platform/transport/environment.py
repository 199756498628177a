"""Certificates and proxies of connections, as the environment states them."""

from __future__ import annotations

import functools
import os
import ssl

import httpx

from ..errors import ConfigurationError


def make_client(connections: int) -> httpx.AsyncClient:
    """Make an httpx client with the certificates and proxies that the environment names.

    Raises:
        ConfigurationError: httpx refuses one of them.
    """
    try:
        return httpx.AsyncClient(limits=make_limits(connections), verify=shared_ssl_context())
    except (OSError, ImportError, ValueError, httpx.InvalidURL) as error:
        raise environment_error(error) from error


def make_limits(connections: int) -> httpx.Limits:
    """Keep every connection alive; httpx counts active ones too."""
    return httpx.Limits(max_connections=connections, max_keepalive_connections=connections)


def shared_ssl_context() -> ssl.SSLContext:
    """Return the SSL context of the certificates that SSL_CERT_FILE and SSL_CERT_DIR name, or else of certifi's."""
    return _make_context(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@functools.cache
def _make_context(cert_file: str | None, cert_dir: str | None) -> ssl.SSLContext:
    # Once a process, because it takes tens of milliseconds; httpx reads the two variables by itself.
    return httpx.create_ssl_context()


def environment_error(error: Exception) -> ConfigurationError:
    """Make the error of certificates and proxies that httpx refuses."""
    return ConfigurationError(f"httpx refuses the certificates or proxies that the environment names: {error}")
