"""One real call, recorded: each function of the SDK that it runs, in order, until the result is back."""

from __future__ import annotations

import asyncio
import inspect
import sys
from types import FrameType
from typing import Final, NamedTuple

import httpx
from agent_session_platform import AgentPlatform

PACKAGES: Final = ("agent_session_platform_api", "agent_session_platform")
ORGANIZATION: Final = "org-acme"
SESSION: Final = "session-1"


class Step(NamedTuple):
    """A function that a call runs for the first time."""

    module: str
    """Full name of its module."""
    package: str
    """Full name of the package that the module is in; of a package, its own."""
    purpose: str
    """First sentence of the docstring of the module."""
    function: str
    """Name with its class; a class alone stands for making an object."""
    returning: bool
    """Whether the response had come when it ran."""


class Trace(NamedTuple):
    """A call that was recorded."""

    steps: list[Step]
    request: str
    """Method and path of what was sent."""
    result: str
    """Name of the type that the call returned."""


def first_sentence(docstring: str) -> str:
    """Return the first sentence of a docstring as plain text on one line."""
    paragraph = " ".join(inspect.cleandoc(docstring).partition("\n\n")[0].replace("`", "").split())
    return paragraph.partition(". ")[0].rstrip(".")


def trace() -> Trace:
    """Make one call on a mock transport, and record it; no event loop must be running."""
    # With OpenTelemetry in use a call has a span, and the figure would depend on what else was imported. Modules that
    # the call imports stay: with a second copy of a model, `isinstance` would be false.
    telemetry = sys.modules.pop("opentelemetry.trace", None)
    try:
        return asyncio.run(_trace())
    finally:
        if telemetry is not None:
            sys.modules["opentelemetry.trace"] = telemetry


async def _trace() -> Trace:
    sent: list[str] = []
    steps: dict[tuple[str, str], Step] = {}

    def respond(request: httpx.Request) -> httpx.Response:
        sent.append(f"{request.method} {request.url.path}")
        return httpx.Response(200, json={"session_id": SESSION})

    def record(frame: FrameType, event: str, argument: object) -> None:
        module = str(frame.f_globals.get("__name__"))
        function = frame.f_code.co_qualname.removesuffix(".__init__")
        # A comprehension is a function of its own in some versions of Python.
        if event == "call" and module.partition(".")[0] in PACKAGES and "<" not in function:
            purpose = first_sentence(frame.f_globals["__doc__"])
            step = Step(module, frame.f_globals["__package__"], purpose, function, bool(sent))
            steps.setdefault((module, function), step)

    transport = httpx.MockTransport(respond)
    async with AgentPlatform("https://platform.example.com", "svc_figure", transport=transport) as platform:
        sessions = platform.organization(ORGANIZATION).sessions
        # The first call imports modules and opens the client.
        await sessions.get(SESSION)
        sent.clear()
        before = sys.getprofile()
        sys.setprofile(record)
        try:
            session = await sessions.get(SESSION)
        finally:
            sys.setprofile(before)
    return Trace(list(steps.values()), sent[0], type(session).__name__)
