"""The sandbox of a build: types, ids, filters, pages, deletions, states and errors are those of its contract."""

from __future__ import annotations

import copy
import re
from typing import Any
from uuid import UUID

import pytest
from agent_session_platform_sandbox.fitting import Fitter
from agent_session_platform_sandbox.validation import SandboxContract
from jsonschema import Draft202012Validator

from sandbox_tests.builds.acme import deployment
from sandbox_tests.builds.calls import Build

ORG = "/v3/organizations/org-acme"
PROBES = f"{ORG}/probes"
SESSIONS = f"{ORG}/sessions"


@pytest.fixture
def acme() -> Build:
    """A sandbox of the deployment acme."""
    return Build(deployment("acme"))


@pytest.fixture
def globex() -> Build:
    """A sandbox of the deployment globex."""
    return Build(deployment("globex"))


async def add_probes(build: Build, *names: str) -> list[Any]:
    return [await build.json("POST", PROBES, json={"name": name, "size": "small"}) for name in names]


# --- arguments


@pytest.mark.parametrize(("archive", "archived"), [("true", True), ("false", False)])
async def test_a_boolean_parameter_is_read_as_one(acme: Build, archive: str, archived: bool) -> None:
    session_id = acme.sandbox.add_session()
    await acme.json("DELETE", f"{SESSIONS}/{session_id}?archive={archive}")
    [session] = acme.sandbox.state.collection("sessions", "org-acme").values()
    assert session.fields["is_archived"] is archived


async def test_an_integer_parameter_is_read_as_one(acme: Build) -> None:
    build = Build(
        changed(acme, "/v3/enterprise/metrics/active-users", {"type": "object", "required": ["unique_users"]})
    )
    build.sandbox.add_session(user_id="user-1")
    found = [
        await build.json("GET", f"/v3/enterprise/metrics/active-users?min_sessions={least}&min_searches=0")
        for least in (1, 2)
    ]
    assert found == [{"unique_users": 1}, {"unique_users": 0}]


def changed(build: Build, path: str, schema: Any) -> SandboxContract:
    """Return the contract of a build with another response of a GET."""
    document = copy.deepcopy(build.contract.document)
    responses = document["paths"][path]["get"]["responses"]
    responses["200"] = {"description": "Seen.", "content": {"application/json": {"schema": schema}}}
    return SandboxContract(document)


async def test_an_object_parameter_selects_by_its_members(acme: Build) -> None:
    await add_probes(acme, "a")
    await acme.json("POST", PROBES, json={"name": "b", "size": "large"})
    listed = await acme.json("GET", f"{PROBES}?size=large")
    assert [each["name"] for each in listed["probes"]] == ["b"]


async def test_a_message_has_the_text_of_the_member_that_the_contract_shows(globex: Build) -> None:
    session_id = globex.sandbox.add_session()
    [record] = globex.sandbox.state.collection("sessions", "org-acme").values()
    shown = (await globex.json("GET", SESSIONS))["items"][0]["session_id"]
    assert session_id == shown
    body = {"content": [{"type": "text", "text": "?"}], "message": {"text": "Fix it"}}
    await globex.json("POST", f"{SESSIONS}/{shown}/messages", json=body)
    assert record.parts[0].fields["message"] == "Fix it"


# --- ids


async def test_the_id_of_a_handwritten_record_is_written_as_the_contract_says(acme: Build, globex: Build) -> None:
    body = {"label": "key", "amount": 1, "mode": "fast"}
    secret = await acme.json("POST", f"{ORG}/secrets", json=body)
    listed = await acme.json("GET", f"{ORG}/secrets")
    assert (str(UUID(secret["id"])), [each["id"] for each in listed["results"]]) == (secret["id"], [secret["id"]])
    await acme.json("DELETE", f"{ORG}/secrets/{secret['id']}")
    assert (await acme.json("GET", f"{ORG}/secrets"))["results"] == []
    automation = await globex.json("POST", f"{ORG}/automations", json={"content": [{"type": "text", "text": "x"}]})
    assert isinstance(automation["id"], int)
    same = await globex.json("GET", f"{ORG}/automations/{automation['id']}")
    assert same["id"] == automation["id"]


async def test_uploads_have_ids_that_download_them(acme: Build) -> None:
    [probe] = await add_probes(acme, "a")
    files = f"{PROBES}/{probe['probe_id']}/files"
    sent = [await acme.json("POST", files, files={"file": (f"{name}.txt", name.encode())}) for name in "ab"]
    assert [(each["name"], each["size"]) for each in sent] == [("a.txt", 1), ("b.txt", 1)]
    first, second = [each["file_id"] for each in sent]
    assert first != second
    assert (await acme.send("GET", f"{files}/{second}")).content == b"b"
    assert [each["file_id"] for each in await acme.json("GET", files)] == [first, second]
    assert (await acme.send("DELETE", f"{files}/{first}")).status_code == 204
    assert [each["file_id"] for each in await acme.json("GET", files)] == [second]
    assert (await acme.send("GET", f"{files}/{first}")).status_code == 404


# --- lists


@pytest.mark.parametrize(("query", "names"), [("", ["b", "c"]), ("?phase=design", ["b"]), ("?priority=1", ["b", "c"])])
async def test_a_filter_that_an_overlay_adds_selects_items_of_a_resource(
    acme: Build, query: str, names: list[str]
) -> None:
    document = copy.deepcopy(acme.contract.document)
    parameters = document["paths"]["/v3/organizations/{org_id}/sessions"]["get"]["parameters"]
    parameters += [
        {"name": "phase", "in": "query", "schema": {"type": "string"}},
        {"name": "priority", "in": "query", "schema": {"type": "integer"}},
    ]
    build = Build(SandboxContract(document))
    for title, phase in (("b", "design"), ("c", "build")):
        session_id = build.sandbox.add_session(title=title)
        build.sandbox.update_session(session_id, phase=phase)
    listed = await build.json("GET", SESSIONS + query)
    assert [each["title"] for each in listed["items"]] == names


@pytest.mark.parametrize(("query", "count"), [("", 20), ("?limit=3", 3), ("?limit=30", 25)])
async def test_a_page_has_the_size_of_the_declared_parameter(acme: Build, query: str, count: int) -> None:
    await add_probes(acme, *(f"p{number}" for number in range(25)))
    assert len((await acme.json("GET", PROBES + query))["probes"]) == count


@pytest.mark.parametrize(("query", "names"), [("", "abcde"), ("?limit=2", "ab"), ("?limit=2&offset=4", "ef")])
async def test_a_list_without_a_cursor_is_cut_by_its_parameters(globex: Build, query: str, names: str) -> None:
    for name in "abcdefg":
        globex.sandbox.add_hypervisor(name=name)
    listed = await globex.json("GET", f"/v3/enterprise/hypervisors{query}")
    assert "".join(each["name"] for each in listed) == names


async def test_an_audit_log_has_pages_in_both_orders(acme: Build) -> None:
    page = {"items": {"type": "array", "items": {"type": "object"}}, "end_cursor": {"type": ["string", "null"]}}
    document = changed(acme, "/v3/enterprise/audit-logs", {"type": "object", "properties": page}).document
    parameters = document["paths"]["/v3/enterprise/audit-logs"]["get"]["parameters"]
    parameters.append({"name": "after", "in": "query", "schema": {"type": "string"}})
    build = Build(SandboxContract(document))
    await add_probes(build, "a", "b", "c")
    for order, numbers in (("asc", [1, 2, 3]), ("desc", [3, 2, 1])):
        found: list[str] = []
        query = ""
        while query is not None:
            path = f"/v3/enterprise/audit-logs?order={order}&page_size=2{query}"
            listed = await build.json("GET", path)
            found += [each["audit_log_id"] for each in listed["items"]]
            query = f"&after={listed['end_cursor']}" if listed["end_cursor"] else None
        assert found == [f"audit-log-{number}" for number in numbers]


# --- deletions


async def test_a_deleted_record_is_gone(acme: Build) -> None:
    first, second = await add_probes(acme, "a", "b")
    path = f"{PROBES}/{first['probe_id']}"
    assert (await acme.send("DELETE", path)).status_code == 204
    assert [each["probe_id"] for each in (await acme.json("GET", PROBES))["probes"]] == [second["probe_id"]]
    below = [("GET", path), ("POST", f"{path}/start"), ("GET", f"{path}/files"), ("GET", f"{path}/parts/1/notes")]
    assert {(await acme.send(method, each)).status_code for method, each in below} == {404}


async def test_what_a_resource_shows_is_deleted_by_an_operation_that_an_overlay_adds(acme: Build) -> None:
    document = copy.deepcopy(acme.contract.document)
    users = "/v3beta1/organizations/{org_id}/members/users/{user_id}"
    document["paths"][users]["delete"] = {"operationId": "remove_user", "responses": {"204": {"description": "Gone."}}}
    build = Build(SandboxContract(document))
    build.sandbox.seed({"users": [{"user_id": "user-1", "organizations": ["org-acme"]}]})
    path = users.format(org_id="org-acme", user_id="user-1")
    assert (await build.send("GET", path)).status_code == 200
    assert (await build.send("DELETE", path)).status_code == 204
    assert (await build.send("GET", path)).status_code == 404
    assert (await build.json("GET", "/v3/enterprise/members/users"))["items"] == []


async def test_a_deleted_organization_is_gone(acme: Build) -> None:
    path = "/v3/enterprise/organizations/org-globex"
    assert (await acme.json("GET", path))["id"] == "org-globex"
    assert (await acme.send("DELETE", path)).status_code == 204
    listed = await acme.json("GET", "/v3/enterprise/organizations")
    assert [each["id"] for each in listed["results"]] != []
    assert len(listed["results"]) == 1
    assert (await acme.send("GET", "/v3/organizations/org-globex/sessions")).status_code == 404


# --- states


async def test_a_new_record_is_in_none_of_the_states_that_end_a_wait(acme: Build) -> None:
    [probe] = await add_probes(acme, "a")
    assert probe["state"] == "active"


async def test_a_session_has_the_word_of_the_contract_for_its_status(acme: Build, globex: Build) -> None:
    path = f"{SESSIONS}/{acme.sandbox.add_session()}"
    found = [(await acme.json("GET", path))["status"]]
    acme.sandbox.suspend_session(path.rpartition("/")[2])
    found.append((await acme.json("GET", path))["status"])
    await acme.send("DELETE", path)
    found.append((await acme.json("GET", path))["status"])
    assert found == ["working", "blocked", "stopped"]


async def test_a_status_is_taken_from_the_states_of_the_contract(acme: Build) -> None:
    document = copy.deepcopy(acme.contract.document)
    document["components"]["schemas"]["Session"]["properties"]["status"]["enum"] = ["over", "asks", "at_work"]
    operation = document["paths"]["/v3/organizations/{org_id}/sessions/{assistant_id}"]["get"]
    operation["x-wait"] = {"states": {"done": ["over"], "waiting": ["asks"]}}
    build = Build(SandboxContract(document))
    session_id = build.sandbox.add_session()
    assert (await build.json("GET", f"{SESSIONS}/{session_id}"))["status"] == "at_work"
    build.sandbox.suspend_session(session_id)
    assert (await build.json("GET", f"{SESSIONS}/{session_id}"))["status"] == "asks"


# --- replies


async def test_a_reply_keeps_the_values_of_the_sandbox_in_the_types_of_the_contract(acme: Build) -> None:
    session_id = acme.sandbox.add_session(title="Fix it")
    session = await acme.json("GET", f"{SESSIONS}/{session_id}")
    assert (session["title"], session["created_at"]) == ("Fix it", "2026-11-01T00:00:00Z")


async def test_a_member_that_an_overlay_requires_is_filled_without_an_observation() -> None:
    document = copy.deepcopy(deployment("acme").document)
    gaps: list[Any] = [document]
    while gaps:
        node = gaps.pop()
        gaps += node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        if isinstance(node, dict):
            node.pop("closed", None)
    build = Build(SandboxContract(document))
    session_id = build.sandbox.add_session()
    assert (await build.json("GET", f"{SESSIONS}/{session_id}"))["phase"] == "design"


async def test_a_refusal_has_the_form_of_the_contract(acme: Build) -> None:
    invalid = await acme.send("POST", PROBES, json={"name": "a"})
    assert (invalid.status_code, invalid.headers["Content-Type"]) == (422, "application/json")
    assert invalid.json()["detail"][0]["loc"] == ["body", "size"]
    unknown = await acme.send("GET", f"{PROBES}/7")
    Draft202012Validator(acme.contract.document["components"]["schemas"]["Wrong"]).validate(unknown.json())
    assert (unknown.status_code, unknown.json()["error"]) == (404, {"code": "not_found", "message": "no probe 7"})


async def test_ids_that_are_numbers_serve_everywhere(acme: Build) -> None:
    document = copy.deepcopy(acme.contract.document)
    document["components"]["parameters"]["AssistantId"]["schema"] = {"type": "integer"}
    document["components"]["schemas"]["Session"]["properties"]["session_id"] = {"type": "integer"}
    build = Build(SandboxContract(document))
    session_id = build.sandbox.add_session()
    build.sandbox.plan_session(session_id, after=60, text="Done.")
    path = f"{SESSIONS}/{session_id}"
    assert (await build.json("GET", path))["session_id"] == int(session_id)
    body = {"label": "x", "amount": 1, "mode": "fast"}
    await build.json("POST", f"{path}/insights/generate", json=body)
    await build.json("GET", f"/v3/enterprise/sessions/{session_id}/insights")
    build.sandbox.snapshots.take("now")
    build.sandbox.snapshots.keep("numbers", build.sandbox.snapshots.document("now"))
    build.sandbox.snapshots.restore("numbers")
    build.sandbox.clock.advance(minutes=1)
    assert len((await build.json("GET", f"{path}/messages"))["items"]) == 1


async def test_a_list_changes_nothing(acme: Build) -> None:
    acme.sandbox.snapshots.take()
    await acme.json("GET", "/v3/enterprise/organizations")
    assert acme.sandbox.snapshots.diff() == {"added": [], "removed": [], "changed": []}


async def test_a_session_has_a_known_word_for_its_status_where_others_are_allowed(globex: Build) -> None:
    path = f"{SESSIONS}/{globex.sandbox.add_session()}"
    assert (await globex.json("GET", path))["status"] == "busy"
    globex.sandbox.suspend_session(path.rpartition("/")[2])
    assert (await globex.json("GET", path))["status"] == "idle"


async def test_a_status_keeps_its_word_if_the_contract_has_no_other(globex: Build) -> None:
    document = copy.deepcopy(globex.contract.document)
    document["components"]["schemas"]["Session"]["properties"]["status"]["x-known-values"] = ["thinking"]
    build = Build(SandboxContract(document))
    path = f"{SESSIONS}/{build.sandbox.add_session()}"
    await build.json("POST", f"{path}/messages", json={"content": [{"type": "text", "text": "Hello"}]})
    assert (await build.json("GET", path))["status"] == "running"


async def test_an_item_of_a_list_is_fitted_again_only_if_it_has_changed(
    acme: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fitting a page of 200 items takes a third of a second."""
    first, _ = acme.sandbox.add_session(), acme.sandbox.add_session()
    fitted: list[Any] = []
    fit = Fitter.fit

    def count(fitter: Fitter, schema: Any, value: Any) -> Any:
        fitted.append(value)
        return fit(fitter, schema, value)

    await acme.json("GET", SESSIONS)
    monkeypatch.setattr(Fitter, "fit", count)
    assert ([each["title"] for each in (await acme.json("GET", SESSIONS))["items"]], fitted) == ([None, None], [])
    acme.sandbox.update_session(first, title="New")
    assert [each["title"] for each in (await acme.json("GET", SESSIONS))["items"]] == ["New", None]
    assert fitted[0]["session_id"] == first


# --- records of resources, in operations that only a build has


def with_operations(*added: tuple[str, str, str, Any]) -> Build:
    """Return a build of the description with operations: id, method, path, and the schema of the response."""
    document = copy.deepcopy(deployment("acme").document)
    for operation_id, method, path, schema in added:
        content = {"application/json": {"schema": schema}}
        responses = {"200": {"description": "Seen.", "content": content}}
        names = [{"name": each, "in": "path", "required": True} for each in re.findall(r"{(\w+)}", path)]
        operation = {"operationId": operation_id, "parameters": names, "responses": responses}
        document["paths"].setdefault(path, {}).setdefault(method, {}).update(operation)
    return Build(SandboxContract(document))


async def test_an_operation_of_a_build_finds_what_a_resource_creates() -> None:
    user = {"type": "object", "required": ["service_user_id"], "properties": {"service_user_id": {"type": "string"}}}
    path = "/v3beta1/organizations/{org_id}/service-users/{service_user_id}"
    build = with_operations(("get_organization_service_user", "get", path, user))
    users = "/v3beta1/organizations/org-acme/service-users"
    await build.json("POST", users, json={"label": "bot", "amount": 1, "mode": "fast"})
    [record] = build.sandbox.state.collection("service-users").values()
    service_user_id = record.fields["service_user_id"]
    shown = await build.json("GET", f"{users}/{service_user_id}")
    assert shown["service_user_id"] == service_user_id


async def test_a_review_has_an_id_where_the_contract_shows_one() -> None:
    review = {"type": "object", "required": ["review_id"], "properties": {"review_id": {"type": "string"}}}
    build = with_operations(
        ("create_enterprise_review", "post", "/v3/enterprise/pr-reviews", review),
        ("get_enterprise_review", "get", "/v3/enterprise/pr-reviews/{review_id}", review),
    )
    body = {"pr_url": "https://git.example.com/acme/shop/pull/7"}
    created = await build.json("POST", "/v3/enterprise/pr-reviews", json=body)
    assert created["review_id"] == "review-1"
    assert (await build.json("GET", "/v3/enterprise/pr-reviews/review-1"))["review_id"] == "review-1"


async def test_an_id_that_the_contract_calls_otherwise_is_that_of_the_record() -> None:
    schema = {"type": "object", "required": ["attachment_id"], "properties": {"attachment_id": {"type": "string"}}}
    path = "/v3/organizations/{org_id}/attachments"
    build = with_operations(("upload_organization_attachment", "post", path, schema))
    sent = await build.json("POST", f"{ORG}/attachments", files={"file": ("a.txt", b"A")})
    assert (await build.send("GET", f"{ORG}/attachments/{sent['attachment_id']}/a.txt")).content == b"A"
