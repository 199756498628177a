"""httpx: a client changes the SSL context that it was given, which others of the process may use."""

import contextlib
import ssl

from serving import httpx, serve


def offers_http2(context: ssl.SSLContext) -> bool:
    """Return whether the first message of a connection with this context offers HTTP/2."""
    outgoing = ssl.MemoryBIO()
    with contextlib.suppress(ssl.SSLWantReadError):
        context.wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname="localhost").do_handshake()
    return b"\x02h2" in outgoing.read()


context = ssl.create_default_context()
context.set_alpn_protocols(["h2", "http/1.1"])
print("before:", "h2" if offers_http2(context) else "no h2")
with serve() as address, contextlib.suppress(httpx.ConnectTimeout):
    httpx.get(f"https://{address}", verify=context, timeout=0.1, trust_env=False)
print("after:", "h2" if offers_http2(context) else "no h2")
