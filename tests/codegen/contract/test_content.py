"""The kind of a body follows from its media type."""

from __future__ import annotations

import pytest
from agent_session_platform_sandbox.contract import Kind, kind_of

from codegen.contract.content import kind_of_media_type, request_content, success_contents
from codegen.contract.source import ContractError

# The kinds of the sandbox.
KINDS = {"json": "JSON", "files": "MULTIPART", "text": "TEXT", "bytes": "BYTES"}


@pytest.mark.parametrize(
    ("media_type", "kind"),
    [
        ("application/json", "json"),
        ("application/JSON; charset=utf-8", "json"),
        ("application/vnd.acme+json", "json"),
        ("application/x-ndjson", "bytes"),
        ("multipart/form-data", "files"),
        ("text/csv", "text"),
        ("application/xml", "text"),
        ("image/png", "bytes"),
        ("application/yaml", "text"),
        ("*/*", "bytes"),
    ],
)
def test_the_kind_of_a_body_is_that_of_its_media_type(media_type: str, kind: str) -> None:
    assert kind_of_media_type(media_type) == kind
    assert kind_of(media_type) is Kind[KINDS[kind]]


def test_an_encoding_cannot_be_followed() -> None:
    node = {"requestBody": {"content": {"multipart/form-data": {"encoding": {"file": {"contentType": "image/png"}}}}}}
    with pytest.raises(ContractError, match="has `encoding`, which the SDK cannot follow; leave it out"):
        request_content(node, "#/x", lambda each: each)


FORM = "application/x-www-form-urlencoded"
REFUSED = f"#/x/{{}}.*: the SDK neither sends nor reads {FORM}; declare JSON or multipart/form-data"


def test_an_url_encoded_body_is_refused_at_its_place() -> None:
    with pytest.raises(ContractError, match=REFUSED.format("requestBody/content/application~1x-www-form-urlencoded")):
        request_content({"requestBody": {"content": {FORM: {}}}}, "#/x", lambda node: node)


def test_an_url_encoded_response_is_refused_at_its_place() -> None:
    found = success_contents({"responses": {"200": {"content": {FORM: {}}}}}, "#/x", lambda node: node)
    with pytest.raises(ContractError, match=REFUSED.format("responses/200/content/application~1x-www-form-urlenc")):
        list(found)


@pytest.mark.parametrize("other", ["application/json", "multipart/form-data", "text/csv", "application/zip"])
def test_any_other_media_type_is_used_before_an_url_encoded_one(other: str) -> None:
    content = request_content({"requestBody": {"content": {FORM: {}, other: {}}}}, "#/x", lambda node: node)
    assert content is not None
    assert content.media_type == other


def test_one_of_a_range_of_media_types_cannot_be_sent() -> None:
    with pytest.raises(ContractError, match="a body of image/.* has no single media type; write the one"):
        request_content({"requestBody": {"content": {"image/*": {}}}}, "#/x", lambda each: each)


def test_a_part_of_a_file_is_no_success_of_its_own() -> None:
    file = {"content": {"application/zip": {}}}
    found = success_contents({"responses": {"200": file, "206": file}}, "#/x", lambda each: each)
    assert [each.status for each in found] == ["200"]
