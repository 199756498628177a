"""A server with TLS on loopback, with a certificate for localhost that is made for the test."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.servers.fault_server import CERTIFICATES

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")


def make_certificate(directory: Path) -> Path:
    """Make a certificate of its own authority, with its key in the same file."""
    path = directory / "localhost.pem"
    options = [
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
    ]
    files = ["-keyout", str(path), "-out", str(directory / "certificate.pem")]
    subprocess.run(
        ["openssl", "req", *options, *files, "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True
    )
    with path.open("ab") as file:
        file.write((directory / "certificate.pem").read_bytes())
    return path


@contextmanager
def demanding_server(authority: Path) -> Iterator[list[str]]:
    """Refuse every client in the handshake until the end of the block, and tell it why, which asyncio does not.

    Args:
        authority: File with the certificate of the authority of the clients, which must show one.

    Yields:
        The host and the port, and then what was wrong with each client.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATES / "loopback.pem")
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(authority)
    listener = socket.create_server(("127.0.0.1", 0))
    seen = [f"127.0.0.1:{listener.getsockname()[1]}"]

    def serve() -> None:
        with suppress(OSError):
            while True:
                refuse(context, listener.accept()[0], seen)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield seen
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


def refuse(context: ssl.SSLContext, client: socket.socket, seen: list[str]) -> None:
    """Shake hands with a client in vain, and read until it has closed."""
    # The duplicate stays open when the handshake fails; a close with something unread would take the alert with it.
    with client.dup() as kept, suppress(OSError):
        try:
            context.wrap_socket(client, server_side=True).close()
        except ssl.SSLError as error:
            seen.append(str(error.reason))
        kept.shutdown(socket.SHUT_WR)
        while kept.recv(65_536):
            pass
