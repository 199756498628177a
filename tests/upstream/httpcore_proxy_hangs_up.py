"""httpx: a proxy that hangs up, or is silent, before it has connected looks like a server that has the request."""

import importlib
import socket
import sys
import threading

httpx = importlib.import_module(sys.argv[1] if sys.argv[1:] else "httpx")


def hang_up(listener: socket.socket) -> None:
    connection, _ = listener.accept()
    connection.recv(65536)
    connection.close()


with socket.create_server(("127.0.0.1", 0)) as listener:
    proxy = f"http://127.0.0.1:{listener.getsockname()[1]}"
    threading.Thread(target=hang_up, args=(listener,), daemon=True).start()
    # Nobody accepts the second connection, and so the proxy is silent.
    for what in ("hangs up", "is silent"):
        with httpx.Client(proxy=proxy, timeout=0.2) as client:
            try:
                client.post("https://server.example/")
            except httpx.TransportError as error:
                print(f"it {what}: {type(error).__name__}")
