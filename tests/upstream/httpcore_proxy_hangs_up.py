"""httpx: a proxy that hangs up, or is silent, before it has connected looks like a server that has the request."""

from serving import hang_up, httpx, serve

with serve(hang_up) as address:
    # Nobody accepts the second connection, and so the proxy is silent.
    for what in ("hangs up", "is silent"):
        with httpx.Client(proxy=f"http://{address}", timeout=0.2) as client:
            try:
                client.post("https://server.example/")
            except httpx.TransportError as error:
                print(f"it {what}: {type(error).__name__}")
