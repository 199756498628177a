"""The changes between two contracts: each kind of change, and whether it breaks callers."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codegen.changes.change import Change, entry
from codegen.changes.operation_changes import operation_changes
from codegen.changes.registry_changes import gap_changes
from codegen.changes.surface import Surface
from tests.codegen.changes.lamps import (
    CREATE,
    DOCUMENT,
    ITEM,
    LIST,
    changed,
    contract,
    field,
    method,
    parameter,
    properties,
)


def add_operation(document: Any) -> None:
    document["paths"]["/v3/enterprise/lamps"] = {
        "get": {
            "tags": ["lamps"],
            "operationId": "get_enterprise_lamp_count",
            "security": [{"serviceUser": ["ViewLamps"]}],
            "x-permission-level": "enterprise",
            "x-stability": "beta",
            "responses": {"200": {"description": "The count."}},
        }
    }


@pytest.mark.parametrize("before", [True, False])
def test_a_list_that_is_not_followed_any_more_breaks_callers(tmp_path: Path, before: bool) -> None:
    marked = copy.deepcopy(DOCUMENT)
    method(marked, "get")["x-follow"] = {}
    first, second = contract(tmp_path, "first.yaml", marked), contract(tmp_path, "second.yaml", DOCUMENT)
    old, new = (first, second) if before else (second, first)
    [change] = operation_changes(Surface(old), Surface(new))
    assert (change.section, change.breaking) == (("Removed", True) if before else ("Added", False))
    assert change.text == "`organization.lamps.follow`."


def test_nothing_changed_between_a_contract_and_itself(tmp_path: Path) -> None:
    assert changed(tmp_path, lambda document: None) == []


@pytest.mark.parametrize(
    ("edit", "section", "text", "breaking"),
    [
        (
            add_operation,
            "Added",
            "`enterprise.lamps.get_count`: `GET /v3/enterprise/lamps`, permission `ViewLamps` (enterprise level), "
            "beta.",
            False,
        ),
        (
            lambda d: method(d, "post").update(operationId="make_organization_lamp"),
            "Changed",
            f"`{CREATE}` is now `organization.lamps.make`.",
            True,
        ),
        (lambda d: d["paths"][ITEM].pop("post"), "Removed", f"`{CREATE}`.", True),
        (
            lambda d: d["paths"].update({ITEM.replace("v3", "v3beta1"): d["paths"].pop(ITEM)}),
            "Changed",
            f"`{LIST}`: sent as `GET /v3beta1/organizations/{{org_id}}/lamps`, was "
            "`GET /v3/organizations/{org_id}/lamps`.",
            False,
        ),
        (
            lambda d: method(d, "get").update(security=[{"serviceUser": ["SeeLamps"]}]),
            "Changed",
            f"`{LIST}`: permission `SeeLamps`, was `ViewLamps`.",
            True,
        ),
        (
            lambda d: method(d, "post").update(security=[{"serviceUser": ["A"]}, {"personalAccessToken": ["A"]}]),
            "Changed",
            f"`{CREATE}`: permission `A`, was not shown.",
            False,
        ),
        (
            lambda d: method(d, "get").update({"x-permission-level": "enterprise"}),
            "Changed",
            f"`{LIST}`: level `enterprise`, was `organization`.",
            True,
        ),
        (
            lambda d: method(d, "post")["security"].pop(),
            "Changed",
            f"`{CREATE}`: no longer accepts a personalAccessToken credential.",
            True,
        ),
        (
            lambda d: method(d, "get")["security"].append({"personalAccessToken": ["ViewLamps"]}),
            "Changed",
            f"`{LIST}`: accepts a personalAccessToken credential.",
            False,
        ),
        (lambda d: method(d, "get").update({"x-stability": "beta"}), "Changed", f"`{LIST}`: now beta.", False),
        (
            lambda d: method(d, "get").update({"deprecated": True, "x-successor": CREATE}),
            "Deprecated",
            f"`{LIST}`: deprecated, in favor of `{CREATE}`.",
            False,
        ),
        (
            lambda d: parameter(d, 1).update(required=False),
            "Changed",
            f"`{LIST}`: the argument `size` is optional.",
            False,
        ),
        (
            lambda d: parameter(d, 0).update(required=True),
            "Changed",
            f"`{LIST}`: the argument `color` is required.",
            True,
        ),
        (lambda d: parameter(d, 0).update(deprecated=True), "Deprecated", f"`{LIST}`: the argument `color`.", False),
        (
            lambda d: method(d, "get")["parameters"].append({"name": "new", "in": "query", "schema": {}}),
            "Added",
            f"`{LIST}`: the argument `new` (any type).",
            False,
        ),
        (
            lambda d: (
                properties(d, "LampCreate").update(maker={"type": "string"})
                or d["components"]["schemas"]["LampCreate"]["required"].append("maker")
            ),
            "Added",
            f"`{CREATE}`: the argument `maker` (string, required).",
            True,
        ),
        (lambda d: method(d, "get")["parameters"].pop(0), "Removed", f"`{LIST}`: the argument `color`.", True),
        (
            lambda d: parameter(d, 1)["schema"].update(type="number"),
            "Changed",
            f"`{LIST}`: the argument `size` is number, was integer.",
            False,
        ),
        (
            lambda d: parameter(d, 1)["schema"].update(type="string"),
            "Changed",
            f"`{LIST}`: the argument `size` is string, was integer.",
            True,
        ),
        (
            lambda d: parameter(d, 2)["schema"].update(type="string"),
            "Changed",
            f"`{LIST}`: the argument `state` no longer accepts null.",
            True,
        ),
        (
            lambda d: parameter(d, 0)["schema"]["enum"].remove("red"),
            "Removed",
            f"`{LIST}`: the argument `color`: the value `red`.",
            True,
        ),
        (
            lambda d: parameter(d, 0)["schema"]["enum"].append("green"),
            "Added",
            f"`{LIST}`: the argument `color`: the value `green`.",
            False,
        ),
        (
            lambda d: parameter(d, 2)["schema"]["x-known-values"].append("off"),
            "Added",
            f"`{LIST}`: the argument `state`: the value `off`.",
            False,
        ),
        (
            lambda d: method(d, "post")["responses"]["2XX"]["content"]["application/json"].update(
                schema={"$ref": "#/components/schemas/Lamp"}
            ),
            "Changed",
            f"`{CREATE}`: returns Lamp, was a mapping.",
            True,
        ),
        (lambda d: properties(d, "Lamp").update(hue={"type": "integer"}), "Added", "`Lamp.hue` (integer).", False),
        (lambda d: properties(d, "Lamp").pop("state"), "Removed", "`Lamp.state`.", True),
        (
            lambda d: field(d, "Lamp", "made_at").pop("format"),
            "Changed",
            "`Lamp.made_at` is string, was date-time.",
            True,
        ),
        (
            lambda d: field(d, "Lamp", "watts").update(type="integer"),
            "Changed",
            "`Lamp.watts` is integer, was any type.",
            False,
        ),
        (
            lambda d: d["components"]["schemas"]["Lamp"].pop("required"),
            "Changed",
            "`Lamp.lamp_id` may be None.",
            True,
        ),
        (
            lambda d: d["components"]["schemas"]["Lamp"]["required"].append("made_at"),
            "Changed",
            "`Lamp.made_at` is always present.",
            False,
        ),
        (lambda d: field(d, "Lamp", "state").update(deprecated=True), "Deprecated", "`Lamp.state`.", False),
        (
            lambda d: field(d, "Lamp", "state")["x-known-values"].append("off"),
            "Added",
            "`Lamp.state`: the value `off`.",
            False,
        ),
        (
            lambda d: d["components"]["schemas"]["LampKind"]["enum"].remove("desk"),
            "Removed",
            "`LampKind`: the value `desk`.",
            True,
        ),
        (
            lambda d: d["components"]["securitySchemes"]["serviceUser"].update({"x-credential-prefix": "new_"}),
            "Changed",
            "A serviceUser credential begins with `new_`, was `svc_`.",
            True,
        ),
        (
            lambda d: method(d, "get").pop("x-not-shown"),
            "Changed",
            "Closed the gap `lamp-list-errors`: The statuses (/v3/organizations/{org_id}/lamps/get).",
            False,
        ),
        (
            lambda d: method(d, "get")["x-rules"][0].update(text="The oldest first."),
            "Changed",
            "Rule `lamp-order`: The oldest first.",
            False,
        ),
    ],
)
def test_a_change_is_reported(
    tmp_path: Path, edit: Callable[[Any], object], section: Any, text: str, breaking: bool
) -> None:
    assert Change(section, text, breaking) in changed(tmp_path, edit)


def test_a_new_field_is_one_change_however_many_operations_return_it(tmp_path: Path) -> None:
    found = changed(tmp_path, lambda document: properties(document, "Lamp").update(hue={"type": "integer"}))
    assert [change.text for change in found] == ["`Lamp.hue` (integer)."]


def test_a_gap_with_another_id_is_renamed_and_not_closed(tmp_path: Path) -> None:
    after = copy.deepcopy(DOCUMENT)
    method(after, "get")["x-not-shown"][0]["id"] = "lamp-list-statuses"
    gaps = gap_changes(contract(tmp_path, "old.yaml", DOCUMENT), contract(tmp_path, "new.yaml", after))
    assert (gaps.renamed, gaps.opened, gaps.closed) == ({"lamp-list-errors": "lamp-list-statuses"}, {}, {})


def test_breaking_changes_come_first_in_an_entry(tmp_path: Path) -> None:
    lines = list(entry([Change("Changed", "a."), Change("Changed", "b.", breaking=True), Change("Added", "c.")]))
    assert lines == ["### Added", "- c.", "", "### Changed", "- **Breaking:** b.", "- a.", ""]


@pytest.mark.parametrize(
    ("before", "after", "text", "breaking"),
    [
        ({}, {"maximum": 5}, "maximum `5`, was not set", True),
        ({"maximum": 5}, {"maximum": 4}, "maximum `4`, was `5`", True),
        ({"maximum": 5}, {"maximum": 6}, "maximum `6`, was `5`", False),
        ({"minimum": 1}, {"minimum": 2}, "minimum `2`, was `1`", True),
        ({"minimum": 1}, {}, "minimum not set, was `1`", False),
        ({}, {"pattern": "^a"}, "pattern `^a`, was not set", True),
        ({"format": "uri"}, {"format": "email"}, "format `email`, was `uri`", True),
        ({}, {"default": 1}, "default `1`, was not set", False),
        ({"default": 1}, {"default": 2}, "default `2`, was `1`", True),
        ({"items": {"maxLength": 5}}, {"items": {"maxLength": 4}}, "items.maxLength `4`, was `5`", True),
        ({"anyOf": [{"minLength": 1}]}, {"anyOf": [{"minLength": 2}]}, "minLength `2`, was `1`", True),
    ],
)
def test_a_limit_breaks_callers_where_it_accepts_less(
    tmp_path: Path, before: Any, after: Any, text: str, breaking: bool
) -> None:
    documents = [copy.deepcopy(DOCUMENT) for _ in range(2)]
    for document, limits in zip(documents, (before, after), strict=True):
        kinds = {"pattern": "string", "format": "string", "items": "array", "anyOf": "string"}
        kind = next((kinds[each] for each in kinds if each in {**before, **after}), "integer")
        parameter(document, 1)["schema"] = {"type": kind, **limits}
    old, new = (contract(tmp_path, f"{number}.yaml", document) for number, document in enumerate(documents))
    assert operation_changes(Surface(old), Surface(new)) == [
        Change("Changed", f"`{LIST}`: the argument `size`: {text}.", breaking)
    ]


def test_a_limit_of_a_field_breaks_no_caller(tmp_path: Path) -> None:
    found = changed(tmp_path, lambda document: field(document, "Lamp", "state").update(maxLength=9))
    assert found == [Change("Changed", "`Lamp.state`: maxLength `9`, was not set.")]
