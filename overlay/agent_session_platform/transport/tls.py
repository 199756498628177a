"""The SSL context of the connections, made once a process."""

from __future__ import annotations

import functools
import os
import ssl

import httpx


def shared_ssl_context() -> ssl.SSLContext:
    """Return the SSL context of the certificates that SSL_CERT_FILE and SSL_CERT_DIR name, or else of certifi's."""
    return _make_context(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@functools.cache
def _make_context(cert_file: str | None, cert_dir: str | None) -> ssl.SSLContext:
    # It takes tens of milliseconds; httpx reads the two variables by itself.
    return httpx.create_ssl_context()
