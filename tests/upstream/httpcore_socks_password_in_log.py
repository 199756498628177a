"""httpx: the user name and the password of a SOCKS proxy are in the debug log."""

import contextlib
import logging

from serving import httpx, refuse, serve


class Handler(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        if "pass-word" in record.getMessage():
            print(record.name, "logs the password")
            logging.root.removeHandler(self)


logging.basicConfig(level=logging.DEBUG, handlers=[Handler()])
with serve(refuse) as address, contextlib.suppress(httpx.ProxyError):
    httpx.get("http://server.example/", proxy=f"socks5://user:pass-word@{address}")
