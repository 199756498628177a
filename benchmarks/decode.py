"""What decoding a page of 200 sessions costs, as a ratio to `json.loads` of it."""

from __future__ import annotations

import gc
import json
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

from agent_session_platform._api import Operation, Request
from agent_session_platform.models import SessionPage
from agent_session_platform.response.decode import decode
from agent_session_platform.response.response import Response
from shapes import page

ROUNDS = 200

OPERATION = Operation(id="list", method="GET", path="/", scope="", resource="", verb="")
REQUEST: Request[SessionPage] = Request(OPERATION, SessionPage.decode, {}, {})
BODY = page("c", 5000)
RESPONSE = Response(200, "application/json", content=BODY)


def bare() -> Any:
    """`json.loads`, and the list of items."""
    return json.loads(BODY)["items"]


def ours() -> Any:
    """The SDK's decoding, and the list of its models."""
    return decode(REQUEST, RESPONSE).items


def ours_read() -> Any:
    """The same, with three attributes of each item read."""
    return [(item.session_id, item.title, item.pull_requests) for item in ours()]


def bare_read() -> Any:
    """The same, with three keys of each item read."""
    return [(item["session_id"], item["title"], item["pull_requests"]) for item in bare()]


def best(*functions: Callable[[], Any]) -> list[float]:
    """The best time of each function, measured in turn."""
    times = [float("inf")] * len(functions)
    for _ in range(ROUNDS):
        for index, function in enumerate(functions):
            start = time.perf_counter()
            function()
            times[index] = min(times[index], time.perf_counter() - start)
    return times


def held(function: Callable[[], Any]) -> float:
    """Bytes that an item of the result takes while it is held."""
    gc.collect()
    tracemalloc.start()
    result = function()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / len(result)


def show(title: str, unit: str, base: float, own: float) -> None:
    """Print a figure and its ratio."""
    print(f"{title:<44} json {base:8.1f} {unit}   SDK {own:8.1f} {unit}   ratio {own / base:.2f}")


if __name__ == "__main__":
    plain, decoded, plain_read, decoded_read = best(bare, ours, bare_read, ours_read)
    show("decode a page of 200 sessions", "µs", plain * 1e6, decoded * 1e6)
    show("decode it and read three fields of each", "µs", plain_read * 1e6, decoded_read * 1e6)
    show("memory of an item that is held", "B ", held(bare), held(ours))
