"""A private build: programs that were written before a gap was closed run after it, and `/v3/about` can be called."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from codegen import ROOT
from codegen.vendoring.private_build import private_build
from tests.codegen.checkouts import python
from tests.codegen.overlay_document.documents import HEAD, write

CLOSED = 'closed: {answers: 3, first: "2026-11-02", last: "2026-11-20"}'
PATH = "$['paths']['/v3/organizations/{org_id}/playbooks']"
OVERLAY = f"""{HEAD}
  - target: {PATH}['get']['x-not-shown'][?(@.id=='playbook-list-response')]
    update: {{{CLOSED}}}
  - target: {PATH}['get']
    update:
      parameters:
        - {{name: after, in: query, description: The cursor., schema: {{type: [string, "null"]}}}}
  - target: {PATH}['get']['responses']['2XX']
    remove: true
  - target: {PATH}['get']['responses']
    update:
      "200": {{description: A page., content: {{application/json: {{schema: {{$ref: "#/components/schemas/Books"}}}}}}}}
  - target: {PATH}['post']['x-not-shown'][?(@.id=='playbook-create-request')]
    update: {{{CLOSED}}}
  - target: {PATH}['post']['requestBody']
    remove: true
  - target: {PATH}['post']
    update:
      requestBody:
        content:
          application/json:
            schema:
              type: object
              additionalProperties: false
              properties:
                title: {{type: string, description: The title.}}
                options: {{type: string, description: The options.}}
                extra_query: {{type: string, description: A query.}}
                from: {{type: string, description: The origin.}}
  - target: $.components.schemas
    update:
      Book:
        type: object
        description: A playbook.
        properties: {{title: {{type: string, description: The title.}}}}
      Books:
        type: object
        description: A page of playbooks.
        properties:
          items: {{type: array, description: The entries., items: {{$ref: "#/components/schemas/Book"}}}}
          end_cursor: {{type: [string, "null"], description: The cursor.}}
          has_next_page: {{type: boolean, description: Whether there are more.}}
          total: {{type: integer, description: The count.}}
  - target: $.tags
    update: {{name: about, description: What the platform says of itself.}}
  - target: $.paths
    update:
      /v3/about:
        get:
          tags: [about]
          operationId: get_about
          summary: Read what the platform says of itself.
          description: It needs no organization.
          security: [{{serviceUser: []}}]
          responses:
            "200":
              description: What it says.
              content:
                application/json:
                  schema:
                    type: object
                    required: [version]
                    properties: {{version: {{type: string, description: The version.}}}}
            4XX: {{$ref: "#/components/responses/Problem"}}
            default: {{$ref: "#/components/responses/Problem"}}
"""

# A program that both builds run: without the Overlay, and with it.
PROGRAM = """
import asyncio, json, warnings
import httpx
from agent_session_platform import AgentPlatform, IncompleteListWarning, RequestOptions

def respond(request):
    if request.method == "POST":
        print(request.content.decode())
        return httpx.Response(200, json={})
    is_first = "after" not in request.url.params
    cursor = "x" if is_first else None
    items = [{"title": "a"}, {"title": "b"}] if is_first else [{"title": "c"}]
    return httpx.Response(200, json={"items": items, "end_cursor": cursor, "has_next_page": is_first, "total": 3})

async def main():
    transport = httpx.MockTransport(respond)
    async with AgentPlatform("https://p.example.com", "svc_x", organization="org-a", transport=transport) as platform:
        playbooks = platform.organization().playbooks
        print([playbook.title async for playbook in playbooks.list()])
        with warnings.catch_warnings(record=True) as caught:
            first = await playbooks.list()
        print([item["title"] for item in first["items"]], [each.category.__name__ for each in caught])
        print(len(await playbooks.list().collect(limit=2)))
        await playbooks.create(title="t", options_="o", extra_query_="q", from_="f")
        await playbooks.create(title="t", extra_body={"options": "o", "extra_query": "q", "from": "f"})
        await playbooks.create(**{"from": "f"})

asyncio.run(main())
"""

ABOUT = """
import asyncio
from agent_session_platform import AgentPlatform, operations
from agent_session_platform_sandbox import Sandbox

async def main():
    async with Sandbox().client() as platform:
        print(type(await platform.about.get()).__name__, operations.of(platform.about.get), platform.about.base_url[:4])

asyncio.run(main())
"""

COMMAND = """
import os, subprocess, sys
from agent_session_platform_sandbox import Sandbox

sandbox = Sandbox()
with sandbox.serve() as address:
    settings = {"AGENT_PLATFORM_BASE_URL": address, "AGENT_PLATFORM_TOKEN": sandbox.token}
    command = [sys.executable, "-m", "agent_session_platform_cli", "call", "platform.about.get"]
    subprocess.run(command, env=os.environ | settings, check=True)
"""


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a private build whose gaps about playbooks are closed, with an operation in neither scope."""
    folder = tmp_path_factory.mktemp("closed")
    private_build(ROOT, folder / "build", None, None, [write(folder, "ours.overlay.yaml", OVERLAY)])
    return folder / "build"


def printed(root: Path, *arguments: str) -> list[str]:
    """Return the lines that a program prints with the packages of a build."""
    done = python(root, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_a_program_runs_before_and_after_its_gaps_are_closed(closed: Path) -> None:
    before = printed(ROOT, "-c", PROGRAM)
    assert before[:3] == ["['a', 'b', 'c']", "['a', 'b'] ['IncompleteListWarning']", "2"]
    assert before[3:] == ['{"title":"t","options":"o","extra_query":"q","from":"f"}'] * 2 + ['{"from":"f"}']
    after = printed(closed, "-c", PROGRAM)
    assert after[:3] == before[:3]
    assert [sorted(line) for line in after[3:]] == [sorted(line) for line in before[3:]]


def test_type_checkers_accept_both_forms_after_the_gap_is_closed(closed: Path, tmp_path: Path) -> None:
    program = write(
        tmp_path,
        "use.py",
        """
from typing import assert_type
from agent_session_platform import AgentPlatform, Page
from agent_session_platform.models import Book

async def use(platform: AgentPlatform) -> None:
    playbooks = platform.organization().playbooks
    async for playbook in playbooks.list():
        assert_type(playbook, Book)
    assert_type(await playbooks.list(), Page[Book])
    print((await playbooks.list())["items"], (await platform.about.get()).version)
""",
    )
    settings = ["--strict", "--no-incremental", "--config-file="]
    done = python(closed, "-m", "mypy", *settings, str(program), MYPYPATH=os.pathsep.join(("generated", "overlay")))
    assert done.stdout.startswith("Success"), done.stdout


def test_an_operation_in_neither_scope_is_called_on_the_platform(closed: Path) -> None:
    assert printed(closed, "-c", ABOUT) == ["GetAbout200 platform.about.get http"]


def test_the_command_calls_an_operation_in_neither_scope(closed: Path) -> None:
    assert '"version"' in "".join(printed(closed, "-c", COMMAND))
