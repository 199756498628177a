"""httpx: the connection to a SOCKS proxy that refuses stays open, also when the client is closed."""

import contextlib
import gc
import warnings

from serving import httpx, refuse, serve

with serve(refuse) as address, warnings.catch_warnings(record=True, action="always") as caught:
    with contextlib.suppress(httpx.ProxyError):
        httpx.get("http://server.example/", proxy=f"socks5://{address}")
    gc.collect()
for warning in caught:
    print(f"{warning.category.__name__}: {warning.message}".partition(" fd=")[0])
