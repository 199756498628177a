"""What a body contains is known by its media type."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform_sandbox.contract import Kind, kind_of

from codegen.contract.content import (
    BYTES,
    FILES,
    FORM,
    JSON,
    LINES,
    TEXT,
    kind_of_media_type,
    request_content,
    success_contents,
)
from codegen.contract.source import ContractError


def same(node: Any) -> Any:
    return node


SANDBOX_KINDS = {
    JSON: Kind.JSON,
    FORM: Kind.FORM,
    FILES: Kind.MULTIPART,
    TEXT: Kind.TEXT,
    BYTES: Kind.BYTES,
    LINES: Kind.JSON_LINES,
}


@pytest.mark.parametrize(
    ("media_type", "kind"),
    [
        ("application/json", "json"),
        ("application/JSON; charset=utf-8", "json"),
        ("application/vnd.acme+json", "json"),
        ("application/x-ndjson", "lines"),
        ("application/jsonl", "lines"),
        ("application/x-www-form-urlencoded", "form"),
        ("application/json-seq", "lines"),
        ("multipart/form-data", "files"),
        ("multipart/mixed", "files"),
        ("text/csv", "text"),
        ("application/xml", "text"),
        ("image/svg+xml", "text"),
        ("image/png", "bytes"),
        ("application/octet-stream", "bytes"),
        ("application/yaml", "text"),
        ("*/*", "bytes"),
    ],
)
def test_the_kind_of_a_body_is_that_of_its_media_type(media_type: str, kind: str) -> None:
    assert kind_of_media_type(media_type) == kind
    assert kind_of(media_type) is SANDBOX_KINDS[kind]


def test_json_is_preferred() -> None:
    node = {"requestBody": {"content": {"text/csv": {}, "application/json": {"schema": {"type": "array"}}}}}
    found = request_content(node, "#/x", same)
    assert found is not None
    assert (found.media_type, found.required) == ("application/json", False)
    assert found.place == "#/x/requestBody/content/application~1json/schema"


def test_of_a_range_of_media_types_the_schema_decides() -> None:
    node: Any = {"responses": {"200": {"content": {"*/*": {"schema": {"type": "object"}}}}}}
    assert [(each.kind, each.media_type) for each in success_contents(node, "#/x", same)] == [
        ("json", "application/json")
    ]


def test_an_encoding_cannot_be_followed() -> None:
    node = {"requestBody": {"content": {"multipart/form-data": {"encoding": {"file": {"contentType": "image/png"}}}}}}
    with pytest.raises(ContractError, match="has `encoding`, which the SDK cannot follow; leave it out"):
        request_content(node, "#/x", same)


def test_every_success_has_its_content() -> None:
    node: Any = {"responses": {200: {"content": {"text/csv": {}}}, "204": {}, "4XX": {}, "2XX": {"content": {}}}}
    found = [(each.status, each.kind) for each in success_contents(node, "#/x", same)]
    assert found == [("200", "text"), ("204", "nothing"), ("2XX", "nothing")]
