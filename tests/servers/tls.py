"""A server with TLS on loopback, with a certificate for localhost that is made for the test."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.servers.fault_server import Connection, Request, Script, read_request

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


@asynccontextmanager
async def tls_server(certificate: Path, script: Script, requests: list[Request]) -> AsyncIterator[str]:
    """Serve until the end of the block; each request is appended to *requests*.

    Yields:
        The host and the port.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = Connection(reader, writer, 1)
        try:
            while not writer.is_closing():
                requests.append(await read_request(connection))
                if isinstance(script, bytes):
                    await connection.send(script)
                else:
                    await script(requests[-1], connection)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "localhost", 0, ssl=context, family=2)
    try:
        yield f"localhost:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
