"""Operations that are added to the contract: filters and sizes of lists, uploads, and what stands beside a resource."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import yaml
from agent_session_platform.contract import load
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.api import Api
from agent_session_platform_sandbox.lists import selections
from agent_session_platform_sandbox.validation import SandboxContract

RUNNERS = "/v3/organizations/org-acme/runners"
SESSION = "/v3/organizations/org-acme/sessions/assistant-1"
EVENTS = "/v3/enterprise/runner-events"
OBSERVED = {"answers": 3, "first": "2026-11-02", "last": "2026-11-20"}

PATHS = """
/v3/organizations/{org_id}/runners:
  parameters: [{name: org_id, in: path, required: true, schema: {type: string}}]
  get:
    operationId: list_organization_runners
    parameters:
      - {name: first, in: query, schema: {type: integer}}
      - {name: after, in: query, schema: {type: string}}
      - {name: states, in: query, schema: {type: array, items: {type: string}}}
      - {name: pool, in: query, schema: {type: string}}
      - {name: tags, in: query, schema: {type: array, items: {type: string}}}
      - {name: min_jobs, in: query, schema: {type: integer}}
      - {name: max_jobs, in: query, schema: {type: integer}}
      - {name: created_after, in: query, schema: {type: string, format: date-time}}
      - {name: created_before, in: query, schema: {type: string, format: date-time}}
      - {name: labels, in: query, schema: {type: object, additionalProperties: {type: string}}}
      - {name: sort, in: query, schema: {type: string}}
    responses:
      "200":
        description: Runners
        content:
          application/json:
            schema:
              type: object
              properties:
                items: {type: array, items: {$ref: "#/components/schemas/Runner"}}
                end_cursor: {type: [string, "null"]}
                has_next_page: {type: boolean}
                total: {type: integer}
  post:
    operationId: create_organization_runner
    requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Runner"}}}}
    responses:
      "201":
        description: A runner
        content: {application/json: {schema: {$ref: "#/components/schemas/Runner"}}}
/v3/organizations/{org_id}/runners/{runner_id}/logs:
  parameters:
    - {name: org_id, in: path, required: true, schema: {type: string}}
    - {name: runner_id, in: path, required: true, schema: {type: string}}
  post:
    operationId: upload_organization_runner_log
    requestBody:
      content:
        multipart/form-data:
          schema: {type: object, properties: {file: {type: string}, kind: {type: string}}}
    responses:
      "201":
        description: A log
        content:
          application/json:
            schema:
              type: object
              required: [log_id]
              properties: {log_id: {type: string}, runner_id: {type: string}, kind: {type: string}}
              examples: [{log_id: log-1}]
/v3/enterprise/runner-events:
  get:
    operationId: list_enterprise_runner_events
    x-pagination: {items: events, end_cursor: next_token, after: page_token}
    parameters:
      - {name: page_token, in: query, schema: {type: string}}
      - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 50, default: 20}}
    responses:
      "200":
        description: Events
        content:
          application/json:
            schema:
              type: object
              properties:
                events: {type: array, items: {type: object, properties: {event_id: {type: string}}}}
                next_token: {type: [string, "null"]}
"""
RUNNER = """
type: object
properties:
  runner_id: {type: string, x-resource-id: true}
  state: {type: string}
  pool: {type: [string, "null"]}
  tags: {type: array, items: {type: string}}
  jobs: {type: integer}
  created_at: {type: string, format: date-time}
  labels: {type: object}
"""
BESIDE = """
delete:
  operationId: clear_organization_session_tags
  responses: {"204": {description: Removed}}
patch:
  operationId: change_organization_session_tags
  requestBody: {content: {application/json: {schema: {type: object}}}}
  responses: {"200": {description: Changed, content: {application/json: {schema: {type: object}}}}}
"""
PAUSE = """
post:
  operationId: pause_organization_session
  responses: {"200": {description: Paused, content: {application/json: {schema: {type: object}}}}}
"""


class Build:
    """The sandbox of a build whose contract is another one."""

    def __init__(self, document: Any) -> None:
        self.sandbox = Sandbox()
        self.api = Api(self.sandbox.state, strict=False, contract=SandboxContract(document))

    async def send(self, method: str, path: str, **settings: Any) -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(self.api), base_url="http://localhost") as client:
            return await client.request(method, path, **settings)

    async def json(self, method: str, path: str, **settings: Any) -> Any:
        response = await self.send(method, path, **settings)
        assert response.is_success, response.text
        return response.json()


@pytest.fixture
def document() -> Any:
    """A copy of the contract, with the added operations."""
    document = copy.deepcopy(load().document)
    added = yaml.safe_load(PATHS)
    document["paths"] |= added
    document["components"]["schemas"]["Runner"] = yaml.safe_load(RUNNER)
    tags = "/v3/organizations/{org_id}/sessions/{assistant_id}/tags"
    document["paths"][tags] |= yaml.safe_load(BESIDE)
    parameters = document["paths"][tags]["parameters"]
    document["paths"][tags.replace("/tags", "/pause")] = {"parameters": parameters, **yaml.safe_load(PAUSE)}
    return document


@pytest.fixture
def build(document: Any) -> Iterator[Build]:
    """A sandbox with three runners."""
    made = Build(document)
    for number, state in enumerate(["idle", "busy", "offline"], start=1):
        runner = {
            "runner_id": f"r{number}",
            "state": state,
            "pool": "a" if number < 3 else None,
            "tags": ["x", f"t{number}"],
            "jobs": number,
            "created_at": f"2026-11-0{number}T00:00:00Z",
            "labels": {"os": "linux", "rank": str(number)},
        }
        records = made.sandbox.state.collection("runners", "org-acme")
        made.sandbox.state.add(records, runner["runner_id"], runner)
    return made


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["r1", "r2", "r3"]),
        ("states=busy", ["r2"]),
        ("states=busy&states=idle", ["r1", "r2"]),
        ("pool=a", ["r1", "r2"]),
        ("pool=b", []),
        ("tags=t3&tags=t1", ["r1", "r3"]),
        ("min_jobs=2", ["r2", "r3"]),
        ("max_jobs=2", ["r1", "r2"]),
        ("min_jobs=2&max_jobs=2", ["r2"]),
        ("created_after=2026-11-02T00:00:00Z", ["r3"]),
        ("created_before=2026-11-02T00:00:00Z", ["r1"]),
        ("os=linux&rank=2", ["r2"]),
        ("states=busy&first=1", ["r2"]),
        ("sort=name", ["r1", "r2", "r3"]),
    ],
)
async def test_a_filter_that_names_a_member_selects_items(build: Build, query: str, found: list[str]) -> None:
    listed = await build.json("GET", f"{RUNNERS}?{query}")
    assert ([each["runner_id"] for each in listed["items"]], listed["total"]) == (found, len(found))


def test_a_parameter_that_changes_nothing_is_named(build: Build) -> None:
    assert selections(build.api.routes.values())["list_organization_runners"].ignored == ["sort"]


@pytest.mark.parametrize(("query", "sizes"), [("", [20, 20, 5]), ("limit=30", [30, 15]), ("limit=50", [45])])
async def test_a_page_has_the_size_that_its_list_names(build: Build, query: str, sizes: list[int]) -> None:
    events = build.sandbox.state.collection("runner-events")
    for number in range(45):
        build.sandbox.state.add(events, f"e{number}", {"event_id": f"e{number}"})
    found: list[str] = []
    pages: list[int] = []
    token = ""
    while token is not None:
        page = await build.json("GET", f"{EVENTS}?{query}" + (f"&page_token={token}" if token else ""))
        found += [each["event_id"] for each in page["events"]]
        pages.append(len(page["events"]))
        token = page["next_token"]
    assert (pages, found) == (sizes, [f"e{number}" for number in range(45)])


async def test_two_uploads_have_two_ids(build: Build) -> None:
    files = {"file": ("a.txt", b"A")}
    made = [await build.json("POST", f"{RUNNERS}/r1/logs", files=files, data={"kind": "job"}) for _ in range(2)]
    assert [(each["log_id"], each["runner_id"]) for each in made] == [("log-1", "r1"), ("log-2", "r1")]


async def test_a_deletion_beside_a_resource_is_carried_out_by_it(build: Build) -> None:
    build.sandbox.add_session(tags=["a", "b"])
    assert (await build.send("DELETE", f"{SESSION}/tags")).status_code == 204
    assert await build.json("GET", f"{SESSION}/tags") == {"tags": []}


@pytest.mark.parametrize(("method", "path"), [("DELETE", "tags"), ("POST", "pause")])
async def test_what_stands_below_an_unknown_record_is_refused(build: Build, method: str, path: str) -> None:
    refused = await build.send(method, f"{SESSION}/{path}")
    assert (refused.status_code, refused.json()["detail"]) == (404, "no session assistant-1")


async def test_a_change_beside_a_resource_is_carried_out_by_it(build: Build) -> None:
    build.sandbox.add_session(tags=["a"])
    await build.json("PATCH", f"{SESSION}/tags", json={"tags": ["b"]})
    assert await build.json("GET", f"{SESSION}/tags") == {"tags": ["b"]}


HYPERVISORS = "/v3/enterprise/hypervisors"
REGION = {"type": "object", "required": ["hypervisor_id", "region"], "properties": {"region": {"type": "string"}}}
DATA = {"type": "object", "required": ["data"], "properties": {"data": {"type": "array", "items": REGION}}}
QUEUE = {
    "type": "object",
    "required": ["status", "total_queued"],
    "properties": {"status": {"type": "string"}, "total_queued": {"type": "integer"}},
}


def observe(document: Any, path: str, schema: Any, status: str = "200") -> None:
    """Let the contract have what was observed, as an Overlay does."""
    operation = document["paths"][path]["get"]
    operation["responses"][status] = {"description": "Seen", "content": {"application/json": {"schema": schema}}}
    for gap in operation["x-not-shown"]:
        gap["closed"] = OBSERVED


@pytest.mark.parametrize(
    ("template", "schema", "path", "shown"),
    [
        (HYPERVISORS, {"type": "array", "items": {"type": "object"}}, HYPERVISORS, [{"hypervisor_id": "hypervisor-1"}]),
        (HYPERVISORS, DATA, HYPERVISORS, {"data": [{"hypervisor_id": "hypervisor-1", "region": ""}]}),
        ("/v3/enterprise/queue", QUEUE, "/v3/enterprise/queue", {"status": "normal", "total_queued": 0}),
        (
            "/v3/organizations/{org_id}/sessions/{assistant_id}/tags",
            {"type": "array", "items": {"type": "string"}},
            f"{SESSION}/tags",
            ["a"],
        ),
        (
            "/v3/organizations/{org_id}/sessions",
            {
                "type": "object",
                "properties": {
                    "sessions": {"type": "array", "items": {"type": "object"}},
                    "end_cursor": {"type": ["string", "null"]},
                    "has_next_page": {"type": "boolean"},
                },
            },
            "/v3/organizations/org-acme/sessions",
            {"sessions": [{"session_id": "assistant-1"}], "end_cursor": None, "has_next_page": False},
        ),
    ],
)
async def test_a_resource_replies_as_the_contract_of_its_build_says(
    document: Any, template: str, schema: Any, path: str, shown: Any
) -> None:
    observe(document, template, schema)
    build = Build(document)
    build.sandbox.add_session(tags=["a"])
    build.sandbox.add_hypervisor()
    assert includes(await build.json("GET", path), shown)


def includes(whole: Any, part: Any) -> bool:
    """Return whether JSON has all that a part of it has."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(name in whole and includes(whole[name], part[name]) for name in part)
    if isinstance(part, list):
        return isinstance(whole, list) and len(whole) == len(part) and all(map(includes, whole, part))
    return bool(whole == part)


async def test_a_resource_that_fits_is_left_as_it_is(document: Any) -> None:
    """Its replies have more members than an observation has seen."""
    observe(document, HYPERVISORS, {"type": "object", "properties": {"items": {"type": "array"}}})
    build = Build(document)
    build.sandbox.add_hypervisor(note="x")
    [item] = (await build.json("GET", HYPERVISORS))["items"]
    assert json.loads(json.dumps(item))["note"] == "x"
