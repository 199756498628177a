"""httpx: what a server says over HTTP/2 while a request is being sent, a response or a refusal, is lost."""

import asyncio
from typing import Any

from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import RequestReceived
from serving import httpx, serve
from serving_http2 import speak_http2


def respond(state: H2Connection, event: Any) -> None:
    """Respond to the head of a request, and say that the rest is not needed (RFC 9113, section 8.1)."""
    if isinstance(event, RequestReceived):
        state.send_headers(event.stream_id, [(":status", "413")], end_stream=True)
        state.reset_stream(event.stream_id)


def refuse(state: H2Connection, event: Any) -> None:
    """Refuse a request when its head has come (RFC 9113, section 8.7)."""
    if isinstance(event, RequestReceived):
        state.reset_stream(event.stream_id, ErrorCodes.REFUSED_STREAM)


async def main(url: str) -> None:
    for what in ("a response", "a refusal"):
        async with httpx.AsyncClient(http1=False, http2=True, timeout=0.5, trust_env=False) as client:
            try:
                response = await client.post(url, content=bytes(1024 * 1024))
                print(f"{what}: {response.status_code}")
            except httpx.TransportError as error:
                print(f"{what}: {type(error).__name__}")


with serve(speak_http2(respond), speak_http2(refuse)) as address:
    asyncio.run(main(f"http://{address}"))
