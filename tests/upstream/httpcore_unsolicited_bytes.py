"""httpx: a response that nobody asked for, in the same packet as another one, becomes that of the next request."""

import importlib
import socket
import sys
import threading

httpx = importlib.import_module(sys.argv[1] if sys.argv[1:] else "httpx")
HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"


def serve(listener: socket.socket) -> None:
    connection, _ = listener.accept()
    connection.recv(65536)
    connection.sendall(HEAD + b"first" + HEAD + b"other")
    connection.recv(65536)
    connection.sendall(HEAD + b"right")


with socket.create_server(("127.0.0.1", 0)) as listener:
    threading.Thread(target=serve, args=(listener,), daemon=True).start()
    with httpx.Client(base_url=f"http://127.0.0.1:{listener.getsockname()[1]}", trust_env=False) as client:
        client.get("/1")
        print("the response of the second request:", client.get("/2").text)
