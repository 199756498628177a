"""A list whose envelope was seen is a pager in the proposal, and what it consists of has the name of the resource."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform_observe import Observations, make_report, propose_overlay, read_observations
from agent_session_platform_observe.schemas import ClassNames, singular
from agent_session_platform_sandbox import Sandbox

from codegen import ROOT
from codegen.vendoring.private_build import private_build
from observe_tests.deployment import observing, page
from observe_tests.test_other_contract import applied, components

ORG = "/v3/organizations/org-acme"
PLAYBOOKS = f"{ORG}/playbooks"

PROGRAM = """
import asyncio
import httpx
from agent_session_platform import AgentPlatform, Pager
from agent_session_platform.models import Playbook, PlaybookAuthor

PAGES = {
    None: {"items": [{"playbook_id": "1", "author": {"name": "Ada"}}], "end_cursor": "2", "has_next_page": True},
    "2": {"items": [{"playbook_id": "2"}], "end_cursor": None, "has_next_page": False},
}

def respond(request: httpx.Request) -> httpx.Response:
    return httpx.Response(200, json=PAGES[request.url.params.get("after")])

async def main() -> None:
    transport = httpx.MockTransport(respond)
    async with AgentPlatform("https://a.example", "svc_1", organization="org-acme", transport=transport) as platform:
        playbooks: Pager[Playbook] = platform.organization().playbooks.list()
        async for playbook in playbooks:
            author: PlaybookAuthor | None = playbook.author
            print(playbook.playbook_id, author and author.name)

asyncio.run(main())
"""


def playbook(number: int) -> dict[str, Any]:
    found = {"playbook_id": f"playbook-{number}", "title": "A text", "author": {"name": "Ada"}, "steps": []}
    if number % 2:
        found["macro"] = "!fix"
    return found


def respond(request: httpx.Request) -> httpx.Response:
    """Respond as a deployment, with forms that the contract does not show."""
    path = request.url.path
    if request.method == "POST":
        return httpx.Response(201, json={"playbook_id": "playbook-1"})
    if path == PLAYBOOKS:
        return httpx.Response(200, json=page([playbook(number) for number in range(4)]))
    if path.startswith(PLAYBOOKS):
        return httpx.Response(200, json=playbook(1))
    if path.endswith("/secrets"):
        return httpx.Response(200, json={"secrets": [{"secret_id": "1", "name": "A"}], "total": 1})
    return httpx.Response(200, json=page([{"search_id": "1", "title": "A"}] * 3))


async def proposal(path: Path) -> str:
    async with observing(Sandbox(), Observations(path), respond) as platform:
        org = platform.organization("org-acme")
        for _ in range(3):
            await platform.request("GET", PLAYBOOKS, query={"after": "cursor-1"})
            await org.playbooks.get("playbook-1")
            await org.playbooks.create(title="A text", speed_up=True)
        await org.secrets.list()
        await org.searches.list().collect()
        await platform.enterprise.searches.list().collect()
    return propose_overlay(read_observations([path]))


def test_a_build_has_a_typed_pager(path: Path, tmp_path: Path) -> None:
    overlay = tmp_path / "observed.overlay.yaml"
    overlay.write_text(asyncio.run(proposal(path)), encoding="utf-8")
    build = tmp_path / "build"
    private_build(ROOT, build, None, None, [overlay])
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    packages = os.pathsep.join([str(build / "generated"), str(build / "overlay")])

    def run(*arguments: str | Path) -> str:
        environment = {**os.environ, "PYTHONPATH": packages, "MYPYPATH": packages}
        command = [sys.executable, *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    assert run(program).splitlines() == ["1 Ada", "2 None"]
    assert run("-m", "mypy", "--strict", program).startswith("Success")


async def test_its_parameters_are_stated_once(path: Path, tmp_path: Path) -> None:
    paths = applied(await proposal(path), tmp_path).document["paths"]
    [first, after] = paths["/v3/organizations/{org_id}/playbooks"]["get"]["parameters"]
    assert (first["$ref"], after["$ref"]) == ("#/components/parameters/First", "#/components/parameters/After")


NO_PAGES: list[tuple[str, str, dict[str, Any]]] = [
    ("GET", f"{ORG}/secrets", {"secrets": [], "total": 1}),
    ("GET", f"{ORG}/secrets", {"items": [], "total": 1, "end_cursor": None}),
    ("GET", f"{ORG}/secrets", page([]) | {"end_cursor": 7}),
    ("GET", f"{ORG}/secrets", page([]) | {"items": {}}),
    ("POST", f"{ORG}/secrets", page([])),
]


@pytest.mark.parametrize(("method", "address", "body"), NO_PAGES)
async def test_a_list_without_the_envelope_is_no_pager(
    path: Path, tmp_path: Path, method: str, address: str, body: dict[str, Any]
) -> None:
    async with observing(Sandbox(), Observations(path), lambda _: httpx.Response(200, json=body)) as platform:
        await platform.request(method, address)
    document = applied(propose_overlay(read_observations([path])), tmp_path).document
    assert "parameters" not in document["paths"]["/v3/organizations/{org_id}/secrets"][method.lower()]
    assert "#/components/schemas/PageInfo" not in json.dumps(components_of(path))


async def test_a_member_that_a_complete_list_of_required_members_lacks_is_optional(path: Path, tmp_path: Path) -> None:
    user = {"user_id": "1", "email": "a", "name": "Ada", "role_assignments": [], "size_left": 1}
    async with observing(
        Sandbox(), Observations(path), lambda _: httpx.Response(200, json=page([user] * 30))
    ) as platform:
        await platform.enterprise.members.list_users().collect()
    schema = applied(propose_overlay(read_observations([path])), tmp_path).schemas["EnterpriseUser"]
    assert "size_left" in schema["properties"]
    assert "size_left" not in schema["required"]


async def test_a_collection_and_its_item_have_methods_of_different_names(path: Path, tmp_path: Path) -> None:
    templates = ["/v3/enterprise/widgets", "/v3/enterprise/widgets/{widget_id}"]
    observations = Observations(path, paths=templates)
    async with observing(Sandbox(), observations, lambda _: httpx.Response(200, json={"id": "1"})) as platform:
        await platform.request("GET", "/v3/enterprise/widgets")
        await platform.request("GET", "/v3/enterprise/widgets/1")
    names = applied(propose_overlay(read_observations([path])), tmp_path).operations
    assert {"get_enterprise_widgets", "get_enterprise_widget_by_widget_id"} <= names.keys()


async def test_what_came_has_the_name_of_its_resource(path: Path) -> None:
    text = await proposal(path)
    assert components(text).keys() == {
        "Playbook",
        "PlaybookPage",
        "PlaybookCreate",
        "PlaybookCreateResponse",
        "Secret",
        "SecretList",
        "Search",
        "SearchPage",
        "OrganizationSearchPage",
    }


async def test_what_has_one_form_has_one_class_with_the_evidence_of_all(path: Path) -> None:
    named = components(await proposal(path))
    assert named["Playbook"]["x-observed"]["answers"] == 6
    assert named["Playbook"]["properties"].keys() == {"playbook_id", "title", "author", "steps", "macro"}


async def test_another_form_of_a_resource_has_a_name_of_its_own(path: Path) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        name = "a" if "enterprise" in request.url.path else "b"
        return httpx.Response(200, json=[{"id": "1", f"{name}_size": 1}] * 3)

    async with observing(Sandbox(), Observations(path), answer) as platform:
        await platform.enterprise.audit_logs.list()
        await platform.organization("org-acme").audit_logs.list()
    assert {name: {*schema["properties"]} for name, schema in components_of(path).items()} == {
        "AuditLog": {"id", "b_size"},
        "EnterpriseAuditLog": {"id", "a_size"},
    }


async def test_no_class_has_the_name_of_the_methods_of_a_resource(path: Path) -> None:
    """The build has `EnterpriseAcuLimits` with the methods of ACU limits."""
    forms = iter([{"a_size": 1, "id": "1"}] * 3 + [{"b_size": 1, "id": "1"}] * 3 + [{"c_size": 1, "id": "1"}] * 3)

    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200 + int(request.url.params["number"]), json=next(forms))

    async with observing(Sandbox(), Observations(path), answer) as platform:
        address = "/v3/enterprise/consumption/acu-limits/assistant-equivalent"
        for number in (0, 1, 2):
            for _ in range(3):
                await platform.request("GET", address, query={"number": number})
    assert components_of(path).keys() == {"AcuLimits", "AcuLimitsGetResponse", "EnterpriseAcuLimitsGetResponse"}


@pytest.mark.parametrize(
    ("operation_id", "names"),
    [
        ("listAcmeWidgets", ["AcmeWidgets", "AcmeWidgets"]),
        ("get_enterprise_SSO_settings", ["SsoSettings", "EnterpriseSsoSettings"]),
        ("health", ["Health", "Health"]),
    ],
)
def test_an_operation_id_of_another_style_is_taken_apart(operation_id: str, names: list[str]) -> None:
    assert ClassNames.of(operation_id).ending_with("") == names


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        ("playbooks", "playbook"),
        ("policies", "policy"),
        ("boxes", "box"),
        ("branches", "branch"),
        ("statuses", "status"),
        ("releases", "release"),
        ("status", "status"),
        ("access", "access"),
        ("analysis", "analysis"),
    ],
)
def test_an_item_is_named_in_the_singular(plural: str, one: str) -> None:
    assert singular(plural) == one


@pytest.mark.parametrize(
    ("operation", "body", "name"),
    [
        ("list_enterprise_roles", [{"id": "1"}], "EnterpriseRole"),
        ("list_enterprise_hypervisors", [{"id": "1"}], "Hypervisor"),
        ("list_enterprise_searches", page([{"id": "1"}]), "Search"),
        ("list_organization_searches", page([{"id": "1"}]), "Search"),
        ("list_enterprise_git_connection_repositories", page([{"id": "1"}]), "GitConnectionRepository"),
        ("list_enterprise_guardrail_violations_of_organization", page([{"id": "1"}]), "GuardrailViolation"),
        ("get_enterprise_ip_access_list", {"id": "1"}, "IpAccessList"),
        ("get_enterprise_active_users", {"id": "1"}, "ActiveUsers"),
        ("get_enterprise_acu_limits", [{"id": "1"}], "AcuLimit"),
        ("archive_organization_session", {"id": "1"}, "SessionArchiveResponse"),
    ],
)
async def test_a_name_is_that_of_the_contract(path: Path, operation: str, body: Any, name: str) -> None:
    async with observing(Sandbox(), Observations(path), lambda _: httpx.Response(200, json=body)) as platform:
        found = platform.operations[operation]
        address = found.path.replace("{org_id}", "org-acme").translate({ord("{"): None, ord("}"): None})
        for _ in range(3):
            await platform.request(found.method, address)
    assert name in components_of(path)


def components_of(path: Path) -> dict[str, Any]:
    return components(propose_overlay(read_observations([path])))


@pytest.mark.parametrize("gap", ["session-status-values", "session-created-at-unit"])
async def test_null_is_no_evidence_for_values_and_units(path: Path, gap: str) -> None:
    """Nothing but null came: that shows neither a value of the set nor a unit."""
    came = httpx.Response(200, json={"session_id": "assistant-1", "status": None, "created_at": None})
    async with observing(Sandbox(), Observations(path), lambda _: came) as platform:
        await platform.request("GET", f"{ORG}/sessions/assistant-1")
    tallies = read_observations([path])
    report = make_report(tallies)
    assert gap not in {line.subject for line in report.gaps}
    assert gap in report.unseen_gaps
    assert gap not in json.dumps(propose_overlay(tallies, at_least=1))
