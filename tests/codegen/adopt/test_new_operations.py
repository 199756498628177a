"""An operation that only a deployment's document has gets a name by the project's rules, and all of its types."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.contract.source import ContractError
from tests.codegen.adopt.documents import (
    ORG,
    SESSIONS,
    WIDGETS,
    Node,
    adopted,
    path_parameter,
    query,
    reference,
    returns,
)

ONE = f"{WIDGETS}/{{widget_id}}"
WIDGET = {
    "type": "object",
    "required": ["widget_id"],
    "properties": {"widget_id": {"type": "string"}, "name": {"type": "string"}},
}


def page(**members: Node) -> Node:
    return {"type": "object", "properties": {"items": {"type": "array", "items": reference("Widget")}, **members}}


TEXT, FLAG, NUMBER = {"type": ["string", "null"]}, {"type": "boolean"}, {"type": ["integer", "null"]}
LIST = {"type": "array", "items": {"type": "string"}}
IDS = [
    # FastAPI
    ("get", WIDGETS, "read_widgets_v3_organizations__org_id__widgets_get", LIST, "widgets.list"),
    ("get", ONE, "read_widget_v3_organizations__org_id__widgets__widget_id__get", {}, "widgets.get"),
    (
        "post",
        f"{ONE}/print",
        "print_widget_v3_organizations__org_id__widgets__widget_id__print_post",
        {},
        "widgets.print",
    ),
    # NestJS
    ("get", WIDGETS, "WidgetsController_findAll", LIST, "widgets.list"),
    ("get", ONE, "WidgetsController_findOne_v3", {}, "widgets.get"),
    ("delete", ONE, "WidgetsController_remove", {}, "widgets.delete"),
    # Django REST framework
    ("get", WIDGETS, "organizations_widgets_list", LIST, "widgets.list"),
    ("get", ONE, "organizations_widgets_retrieve", {}, "widgets.get"),
    ("patch", ONE, "organizations_widgets_partial_update", {}, "widgets.update"),
    # springdoc, gRPC gateway, ids made of the path, and none at all
    ("get", WIDGETS, "listWidgets_1", LIST, "widgets.list"),
    ("post", WIDGETS, "WidgetService_CreateWidget", {}, "widgets.create"),
    ("get", WIDGETS, "getV3OrganizationsByOrgIdWidgets", LIST, "widgets.list"),
    ("put", ONE, "put_v3_organizations_org_id_widgets_widget_id", {}, "widgets.replace"),
    ("post", f"{ONE}/archive", None, {}, "widgets.archive"),
    ("get", f"{ONE}/parts", None, LIST, "widgets.list_parts"),
    ("post", f"{SESSIONS}/import", "import_sessions", {}, "sessions.import_"),
]


@pytest.mark.parametrize(("method", "path", "operation_id", "schema", "name"), IDS)
def test_the_name_has_no_trace_of_the_framework(
    tmp_path: Path, method: str, path: str, operation_id: str | None, schema: Node, name: str
) -> None:
    operation: Node = {"responses": returns(schema)}
    if operation_id is not None:
        operation["operationId"] = operation_id
    found = adopted(tmp_path, {path: {method: operation}})
    assert str(found.operation(f"organization.{name}").name) == f"organization.{name}"


def test_the_file_of_names_is_kept(tmp_path: Path) -> None:
    paths = {WIDGETS: {"get": {"responses": returns(LIST)}}}
    assert f"GET {WIDGETS}: widgets.list\n" in adopted(tmp_path, paths).names
    (tmp_path / "acme.names.yaml").write_text(f"GET {WIDGETS}: gadgets.list_all\nGET /v3/gone: a.b\n", encoding="utf-8")
    found = adopted(tmp_path, {**paths, ONE: {"get": {"responses": returns({})}}})
    assert found.operation("organization.gadgets.list_all").path == WIDGETS
    lines = found.names.splitlines()[-3:]
    assert lines == [f"GET {WIDGETS}: gadgets.list_all", f"GET {ONE}: widgets.get", "GET /v3/gone: a.b"]


def test_an_operation_without_a_name_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "acme.names.yaml").write_text(f"GET {WIDGETS}: null\n", encoding="utf-8")
    found = adopted(tmp_path, {WIDGETS: {"get": {"responses": returns(LIST)}}})
    assert WIDGETS not in found.contract.document["paths"]
    assert "the file of names says so" in found.text


WRONG = [
    ("widgets", "acme.names.yaml:1: .*`widgets` is not `resource.verb`"),
    ("sessions.list", "acme.names.yaml:1: .*another operation has the name organization.sessions.list"),
    ("widgets.list_widgets", "acme.names.yaml:1: .*the name would be organization.widgets.list;"),
]


@pytest.mark.parametrize(("name", "message"), WRONG)
def test_a_name_that_cannot_be_used_is_refused_at_its_line(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "acme.names.yaml").write_text(f"GET {WIDGETS}: {name}\n", encoding="utf-8")
    with pytest.raises(ContractError, match=message):
        adopted(tmp_path, {WIDGETS: {"get": {"responses": returns(LIST)}}})
    assert not (tmp_path / "acme.overlay.json").exists()


ENVELOPES = [
    ("after", page(end_cursor=TEXT, has_next_page=FLAG, total=NUMBER), "end_cursor"),
    ("after", page(end_cursor=TEXT, has_next_page=FLAG), "end_cursor"),
    ("cursor", page(next_cursor=TEXT, has_more=FLAG), "next_cursor"),
    ("pageToken", page(nextPageToken=TEXT), "nextPageToken"),
]


@pytest.mark.parametrize(("after", "envelope", "cursor"), ENVELOPES)
def test_a_list_whose_cursor_a_parameter_takes_is_a_pager(
    tmp_path: Path, after: str, envelope: Node, cursor: str
) -> None:
    get = {"parameters": [ORG, query(after, {"type": "string"})], "responses": returns(envelope)}
    pages = (
        adopted(tmp_path, {WIDGETS: {"get": get}}, {"Widget": WIDGET}).operation("organization.widgets.list").pagination
    )
    assert pages is not None
    assert (pages.items, pages.end_cursor, pages.after) == ("items", cursor, after)


def test_a_list_with_pages_but_no_cursor_is_noted(tmp_path: Path) -> None:
    get = {"parameters": [query("offset", NUMBER)], "responses": returns(page(total=NUMBER))}
    found = adopted(tmp_path, {WIDGETS: {"get": get}}, {"Widget": WIDGET})
    assert found.operation("organization.widgets.list").pagination is None
    assert "the list has pages, but no cursor that a parameter takes" in found.text


def test_the_member_of_the_name_in_the_path_is_the_id_of_the_resource(tmp_path: Path) -> None:
    found = adopted(tmp_path, {ONE: {"get": {"responses": returns(reference("Widget"))}}}, {"Widget": WIDGET})
    assert found.schema("Widget")["properties"]["widget_id"]["x-resource-id"] is True


def test_a_component_has_a_name_without_traces_of_the_framework(tmp_path: Path) -> None:
    schemas = {"app__api__WidgetResponse": WIDGET, "Page_WidgetResponse_": page(), "Widget": WIDGET}
    schemas["Page_WidgetResponse_"]["properties"]["items"]["items"] = reference("app__api__WidgetResponse")
    paths = {WIDGETS: {"get": {"responses": returns(reference("Page_WidgetResponse_"))}}}
    paths[ONE] = {"get": {"responses": returns(reference("Widget"))}}
    found = adopted(tmp_path, paths, schemas)
    assert {"Widget", "WidgetPage", "WidgetResponse"} <= found.contract.schemas.keys()


def test_the_form_of_an_upload_is_named_after_the_function(tmp_path: Path) -> None:
    form = {"type": "object", "properties": {"file": {"type": "string", "format": "binary"}}}
    name = "Body_upload_part_v3_organizations__org_id__widgets_post"
    body = {"content": {"multipart/form-data": {"schema": reference(name)}}}
    found = adopted(tmp_path, {WIDGETS: {"post": {"requestBody": body, "responses": returns({})}}}, {name: form})
    assert "UploadPartBody" in found.contract.schemas


def test_a_known_path_parameter_has_the_name_and_the_prefix_of_the_contract(tmp_path: Path) -> None:
    path = "/v3/organizations/{organization_id}/sessions/{sid}/terminals"
    found = adopted(tmp_path, {path: {"get": {"parameters": [path_parameter("sid")], "responses": returns(LIST)}}})
    operation = found.operation("organization.sessions.list_terminals")
    assert operation.path == "/v3/organizations/{org_id}/sessions/{assistant_id}/terminals"
    assert operation.parameter("path", "assistant_id")["x-adds-prefix"] is True


def test_an_operation_in_no_scope_belongs_to_the_platform_itself(tmp_path: Path) -> None:
    found = adopted(tmp_path, {"/v3/about": {"get": {"responses": returns({})}}})
    assert found.operation("platform.about.get").path == "/v3/about"


def test_a_bare_tag_is_that_of_the_contract(tmp_path: Path) -> None:
    operation = {"tags": ["v3 Session"], "operationId": "list_terminals", "responses": returns(LIST)}
    found = adopted(tmp_path, {"/v3/organizations/{org_id}/terminals": {"get": operation}})
    assert found.operation("organization.sessions.list_terminals")
