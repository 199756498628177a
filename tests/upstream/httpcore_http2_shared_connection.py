"""httpx: the requests of one connection of HTTP/2 hold each other up."""

import asyncio
from typing import Any

from h2.connection import H2Connection
from h2.events import RequestReceived, WindowUpdated
from serving import httpx, serve
from serving_http2 import respond, speak_http2

# More than the client takes before it reads.
SIZE = 40 * 1024 * 1024
large: list[int] = []


def respond_to_some(state: H2Connection, event: Any) -> None:
    """Respond to /large with much, never to /hangs, and to any other path with a byte, when the window allows that."""
    if isinstance(event, RequestReceived):
        path = dict(event.headers or [])[b":path"]
        if path == b"/large":
            state.send_headers(event.stream_id, [(":status", "200"), ("content-length", str(SIZE))])
            large.append(event.stream_id)
        elif path != b"/hangs" and state.local_flow_control_window(event.stream_id):
            respond(state, event.stream_id, b"x")
    if large and isinstance(event, RequestReceived | WindowUpdated):
        while size := min(state.local_flow_control_window(large[0]), state.max_outbound_frame_size):
            state.send_data(large[0], bytes(size))


async def get(client: Any, path: str, timeout: float) -> str:
    """Return the status, or the name of the error."""
    try:
        return str((await client.get(path, timeout=timeout)).status_code)
    except httpx.TransportError as error:
        return type(error).__name__


async def main(url: str) -> None:
    async with httpx.AsyncClient(base_url=url, http1=False, http2=True, trust_env=False) as client:
        await get(client, "/", 5)
        short, long = await asyncio.gather(get(client, "/hangs", 0.2), get(client, "/hangs", 5))
        print(f"a timeout of 0.2 s: {short}, and one of 5 s at the same time: {long}")
    async with (
        httpx.AsyncClient(base_url=url, http1=False, http2=True, trust_env=False) as client,
        client.stream("GET", "/large"),
    ):
        await get(client, "/", 0.2)
        print(f"while nobody reads a large response: {await get(client, '/', 0.5)}")


with serve(speak_http2(respond_to_some), speak_http2(respond_to_some)) as address:
    asyncio.run(main(f"http://{address}"))
