"""httpx: a response that nobody asked for, in the same packet as another one, becomes that of the next request."""

import socket

from serving import httpx, serve

HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"


def respond_thrice(connection: socket.socket) -> None:
    connection.recv(65536)
    connection.sendall(HEAD + b"first" + HEAD + b"other")
    connection.recv(65536)
    connection.sendall(HEAD + b"right")


with serve(respond_thrice) as address, httpx.Client(base_url=f"http://{address}", trust_env=False) as client:
    client.get("/1")
    print("the response of the second request:", client.get("/2").text)
