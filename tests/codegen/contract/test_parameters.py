"""The contract says how a parameter is sent, and which values it has."""

from __future__ import annotations

from typing import Any

import pytest

from codegen.contract.document import Document
from codegen.contract.operations import parameter_facts, refuse_unsupported
from codegen.contract.source import ContractError

HEAD = """
openapi: 3.1.0
info: {title: T, version: "1", x-vendor: {word: assistant, credential-prefix: svc_}}
paths: {/v3/enterprise/lamps: {}}
components:
  securitySchemes:
    token: {type: http, scheme: bearer, description: D}
    login: {type: oauth2, flows: {}, description: D}
    key: {type: apiKey, in: header, name: X-Key, description: D}
  schemas: {}
"""

LIST: Any = {"type": "array", "items": {"type": "string"}}
OBJECT: Any = {"type": "object", "properties": {"a": {"type": "string"}}}


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Document:
    path = tmp_path_factory.mktemp("contract") / "openapi.yaml"
    path.write_text(HEAD, encoding="utf-8")
    return Document(path)


TEXT, NESTED = {"type": "string"}, {**OBJECT, "properties": {"a": LIST}}
AS_TEXT = "; declare it as `type: string` without a style, and pass the text that the server reads$"
REFUSED: list[tuple[Any, str]] = [
    ({"in": "query", "schema": TEXT, "allowReserved": True}, "the query parameter x has allowReserved"),
    ({"in": "query", "content": {"application/json": {}}}, f"x has `content`, which the SDK cannot send{AS_TEXT}"),
    ({"in": "query", "schema": LIST, "style": "pipeDelimited"}, f"x has style: pipeDelimited, which .*{AS_TEXT}"),
    ({"in": "query", "schema": LIST, "style": "spaceDelimited"}, f"x has style: spaceDelimited, which .*{AS_TEXT}"),
    ({"in": "query", "schema": OBJECT, "style": "deepObject"}, "x has style: deepObject, .*, such as `x.member.`$"),
    ({"in": "query", "schema": LIST, "explode": False}, f"x has explode: false, which the SDK cannot send{AS_TEXT}"),
    ({"in": "query", "schema": OBJECT, "explode": False}, f"x has explode: false, which the SDK cannot send{AS_TEXT}"),
    ({"in": "query", "schema": {}, "explode": False}, f"x has explode: false, which the SDK cannot send{AS_TEXT}"),
    ({"in": "path", "schema": TEXT, "style": "label"}, f"the path parameter x has style: label, which .*{AS_TEXT}"),
    ({"in": "path", "schema": LIST}, f"x is an array, which the SDK cannot send in a path{AS_TEXT}"),
    ({"in": "path", "schema": OBJECT}, f"x is an object, which the SDK cannot send in a path{AS_TEXT}"),
    ({"in": "header", "schema": OBJECT}, f"x is an object, which the SDK cannot send in a header{AS_TEXT}"),
    ({"in": "query", "schema": NESTED}, "the member a of the query parameter x is an array or an object"),
    ({"in": "query", "schema": {"type": "array", "items": LIST}}, "the member items of the query parameter x is an"),
    ({"in": "header", "schema": TEXT, "name": "X Y"}, "has a character that no such name may have; rename it"),
]


@pytest.mark.parametrize(("parameter", "message"), REFUSED)
def test_a_parameter_that_cannot_be_sent_is_refused(document: Document, parameter: Any, message: str) -> None:
    with pytest.raises(ContractError, match=message):
        parameter_facts(document, {"name": "x", **parameter})


@pytest.mark.parametrize(
    "parameter",
    [
        {"in": "query", "schema": LIST},
        {"in": "query", "schema": LIST, "style": "form", "explode": True},
        {"in": "query", "schema": TEXT, "explode": False},
        {"in": "query", "schema": OBJECT},
        {"in": "header", "schema": LIST},
        {"in": "path", "schema": TEXT, "style": "simple"},
    ],
)
def test_the_usual_style_of_a_location_is_sent(document: Document, parameter: Any) -> None:
    assert parameter_facts(document, {"name": "x", **parameter})["location"] == parameter["in"]


def test_bearer_tokens_of_any_kind_are_sent(document: Document) -> None:
    refuse_unsupported(document, {"responses": {}, "security": [{"token": []}, {"login": ["a"]}]})


def test_another_credential_than_a_bearer_token_is_refused(document: Document) -> None:
    with pytest.raises(ContractError, match="the credential key is of the type apiKey; the SDK sends bearer tokens"):
        refuse_unsupported(document, {"responses": {}, "security": [{"key": []}]})


def test_a_media_type_of_bytes_makes_a_text_a_file(document: Document) -> None:
    schema = {"type": "string", "contentMediaType": "image/png"}
    assert parameter_facts(document, {"name": "x", "in": "body", "schema": schema})["kind"] == "file"
    encoded = {**schema, "contentEncoding": "base64"}
    assert parameter_facts(document, {"name": "x", "in": "body", "schema": encoded})["kind"] == "string"


def test_a_credential_that_is_not_declared_is_refused(document: Document) -> None:
    with pytest.raises(ContractError, match="the credential other is not declared; add it"):
        refuse_unsupported(document, {"responses": {}, "security": [{"other": []}]})
