"""httpx: the connection to a SOCKS proxy that refuses stays open, also when the client is closed."""

import contextlib
import gc
import importlib
import socket
import sys
import threading
import warnings

httpx = importlib.import_module(sys.argv[1] if sys.argv[1:] else "httpx")


def refuse(listener: socket.socket) -> None:
    connection, _ = listener.accept()
    # No method of authentication is acceptable.
    connection.sendall(b"\x05\xff")
    connection.close()


with socket.create_server(("127.0.0.1", 0)) as listener:
    thread = threading.Thread(target=refuse, args=(listener,))
    thread.start()
    with warnings.catch_warnings(record=True, action="always") as caught:
        with contextlib.suppress(httpx.ProxyError):
            httpx.get("http://server.example/", proxy=f"socks5://127.0.0.1:{listener.getsockname()[1]}")
        gc.collect()
    thread.join()
for warning in caught:
    print(f"{warning.category.__name__}: {warning.message}".partition(" fd=")[0])
