"""A path that the contract lacks is read on request, and its operations are proposed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform import InvalidArgumentError
from agent_session_platform_observe import (
    Observations,
    make_report,
    observations_from_environment,
    propose_overlay as propose,
    read_observations,
)
from agent_session_platform_sandbox import Sandbox

from observe_tests.deployment import observing, page
from observe_tests.test_other_contract import applied, components

WIDGETS = "/v3/enterprise/widgets"
WIDGET = f"{WIDGETS}/{{widget_id}}"
PARTS = "/v3/organizations/{org_id}/machine-parts"


def respond(request: httpx.Request) -> httpx.Response:
    widget = {"widget_id": "johanna_meier", "name": "johanna_meier", "size_left": 3}
    if request.method == "POST":
        return httpx.Response(201, json=widget)
    if request.method == "DELETE":
        return httpx.Response(204)
    return httpx.Response(200, json=widget if "johanna" in request.url.path else page([widget] * 3))


async def observed(path: Path, observations: Observations) -> dict[str, Any]:
    async with observing(Sandbox(), observations, respond) as platform:
        for _ in range(3):
            await platform.request("GET", WIDGETS, query={"size_from": "3"})
            await platform.request("GET", f"{WIDGETS}/johanna_meier")
            await platform.request("POST", WIDGETS, body={"name": "johanna_meier", "speed_up": 3})
        await platform.request("DELETE", f"{WIDGETS}/johanna_meier")
        await platform.request("GET", PARTS.replace("{org_id}", "org-acme"))
    return read_observations([path])


@pytest.fixture
async def tallies(path: Path) -> dict[str, Any]:
    return await observed(path, Observations(path, paths=(WIDGETS, WIDGET, PARTS)))


def proposed(text: str) -> dict[str, Any]:
    """Return the proposed operations, by method and path."""
    updates = [action["update"] for action in json.loads(text)["actions"] if action["target"] == "$['paths']"]
    return {
        f"{method} {path}": node
        for update in updates
        for path, methods in update.items()
        for method, node in methods.items()
    }


def test_its_operations_are_proposed_without_a_value(tallies: dict[str, Any], path: Path) -> None:
    text = propose(tallies)
    found = proposed(text)
    assert {key: node["operationId"] for key, node in found.items()} == {
        f"get {WIDGETS}": "list_enterprise_widgets",
        f"post {WIDGETS}": "create_enterprise_widget",
        f"get {WIDGET}": "get_enterprise_widget",
        f"delete {WIDGET}": "delete_enterprise_widget",
        f"get {PARTS}": "list_organization_machine_parts",
    }
    assert {name: {*schema.get("properties", ())} for name, schema in components(text).items()} == {
        "Widget": {"widget_id", "name", "size_left"},
        "WidgetCreate": {"name", "speed_up"},
        "WidgetPage": set(),
        "MachinePart": {"widget_id", "name", "size_left"},
        "MachinePartPage": set(),
    }
    [*envelope, query] = found[f"get {WIDGETS}"]["parameters"]
    assert [node["$ref"].rpartition("/")[2] for node in envelope] == ["First", "After"]
    assert (query["name"], query["x-observed"]["answers"]) == ("size_from", 3)
    assert "johanna" not in path.read_text() + text + str(make_report(tallies))


def test_a_build_has_the_proposed_operations(tallies: dict[str, Any], tmp_path: Path) -> None:
    found = applied(propose(tallies), tmp_path)
    assert {WIDGETS, WIDGET, PARTS} <= found.document["paths"].keys()


async def test_a_path_that_nobody_named_is_only_counted(path: Path) -> None:
    tallies = await observed(path, Observations(path, paths=[PARTS]))
    assert tallies["GET /v3/enterprise/{}"].below["200"].counts["count"] == 3
    assert proposed(propose(tallies)).keys() == {f"get {PARTS}"}


async def test_the_environment_may_name_the_paths(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_PLATFORM_OBSERVE", str(path))
    monkeypatch.setenv("AGENT_PLATFORM_OBSERVE_PATHS", f"{WIDGETS} {WIDGET}")
    observations = observations_from_environment()
    assert observations is not None
    assert len(proposed(propose(await observed(path, observations)))) == 4
    observations.close()


@pytest.mark.parametrize("template", ["", "widgets", "/v3/*", "/v3/{}", "/v3/a b", f"/{'a' * 300}"])
def test_what_is_no_template_is_refused(path: Path, template: str) -> None:
    with pytest.raises(InvalidArgumentError, match="paths must be templates such as"):
        Observations(path, paths=[template])
