"""OpenTelemetry: one span for each call, with those of httpx below it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from agent_session_platform import NotFoundError
from opentelemetry import trace
from opentelemetry.instrumentation.httpx import HTTPXClientInstrumentor
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from tests.servers.fault_server import TOKEN, fault_server
from tests.servers.scripts import EMPTY_LIST, busy, response


@pytest.fixture
def exporter(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """Instrument httpx, and keep all spans in memory."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    HTTPXClientInstrumentor().instrument(tracer_provider=provider)
    yield exporter
    HTTPXClientInstrumentor().uninstrument()
    provider.shutdown()


def spans(exporter: InMemorySpanExporter) -> tuple[list[ReadableSpan], list[ReadableSpan]]:
    """Return the spans of the SDK, and those of httpx."""
    finished = exporter.get_finished_spans()
    own = [span for span in finished if (span.attributes or {}).get("agent_platform.operation")]
    return own, [span for span in finished if span not in own]


async def test_a_call_is_one_span_with_its_attempts_below_it(exporter: InMemorySpanExporter) -> None:
    async with fault_server(busy(0.01), EMPTY_LIST) as server, server.client() as platform:
        await platform.enterprise.blueprints.list()
    [call], attempts = spans(exporter)
    attributes: Any = call.attributes
    assert call.name == "enterprise.blueprints.list"
    assert attributes["agent_platform.attempts"] == 2
    assert attributes["agent_platform.waited"] >= 0.01
    assert (call.kind, attributes["http.request.method"]) == (trace.SpanKind.CLIENT, "GET")
    assert (attributes["server.address"], attributes["http.response.status_code"]) == ("127.0.0.1", 200)
    assert [span.attributes["http.status_code"] for span in attempts if span.attributes] == [429, 200]
    assert {span.parent.span_id for span in attempts if span.parent} == {call.get_span_context().span_id}
    assert TOKEN not in "".join(span.to_json() for span in [call, *attempts])


async def test_the_span_of_a_raw_request_has_no_path(exporter: InMemorySpanExporter) -> None:
    """The path has ids, and may have a secret; there would be as many names of spans as there are ids."""
    async with fault_server(EMPTY_LIST) as server, server.client() as platform:
        await platform.request("GET", f"/v3/keys/{TOKEN}/info")
        await platform.request("GET", "/v3/organizations/org-acme/sessions/assistant-1")
    own, _ = spans(exporter)
    assert [span.name for span in own] == ["GET", "organization.sessions.get"]
    shown = "".join(span.to_json() for span in own)
    assert [text for text in (TOKEN, "/v3/", "assistant-1") if text in shown] == []


async def test_a_failed_call_records_its_error_without_the_message(exporter: InMemorySpanExporter) -> None:
    missing = response(b'{"title": "secret"}', "404 Not Found", "X-Request-Id: r-1")
    async with fault_server(missing) as server, server.client() as platform:
        with pytest.raises(NotFoundError):
            await platform.enterprise.blueprints.list()
    [call], _ = spans(exporter)
    attributes: Any = call.attributes
    assert (attributes["error.type"], attributes["http.response.status_code"]) == ("NotFoundError", 404)
    assert attributes["agent_platform.request_id"] == "r-1"
    assert call.status.status_code is StatusCode.ERROR
    assert "secret" not in call.to_json()


async def test_a_cancelled_call_ends_its_span(exporter: InMemorySpanExporter) -> None:
    async with fault_server(busy(30)) as server, server.client() as platform:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await platform.enterprise.blueprints.list()
    [call], _ = spans(exporter)
    assert (call.attributes or {})["error.type"] == "CancelledError"
