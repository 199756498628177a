"""httpx: the user name and the password of a SOCKS proxy are in the debug log."""

import contextlib
import importlib
import logging
import socket
import sys
import threading

httpx = importlib.import_module(sys.argv[1] if sys.argv[1:] else "httpx")


def hang_up(listener: socket.socket) -> None:
    connection, _ = listener.accept()
    # No method of authentication is acceptable.
    connection.sendall(b"\x05\xff")
    connection.close()


class Handler(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        if "pass-word" in record.getMessage():
            print(record.name, "logs the password")
            logging.root.removeHandler(self)


logging.basicConfig(level=logging.DEBUG, handlers=[Handler()])
with socket.create_server(("127.0.0.1", 0)) as listener:
    threading.Thread(target=hang_up, args=(listener,), daemon=True).start()
    proxy = f"socks5://user:pass-word@127.0.0.1:{listener.getsockname()[1]}"
    with contextlib.suppress(httpx.ProxyError):
        httpx.get("http://server.example/", proxy=proxy)
