"""httpx: TLS that fails in the tunnel of a proxy takes its connection out of the pool for good."""

import socket

from serving import httpx, serve


def connect_to_no_tls(connection: socket.socket) -> None:
    """Act as a proxy whose server does not speak TLS."""
    connection.recv(65536)
    connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\nno TLS")
    connection.recv(65536)


with serve(connect_to_no_tls) as address:
    limits = httpx.Limits(max_connections=1)
    with httpx.Client(proxy=f"http://{address}", limits=limits, timeout=0.5, trust_env=False) as client:
        for _ in range(2):
            try:
                client.get("https://server.example/")
            except httpx.PoolTimeout:
                print("PoolTimeout, though nothing is under way")
            except httpx.ConnectError:
                pass
