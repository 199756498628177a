"""A new endpoint needs only its YAML, and the generated code follows the contract."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

NEW_OPERATIONS = """
  /v3/organizations/{org_id}/quaggas:
    parameters:
      - $ref: "#/components/parameters/OrgId"
    get:
      tags: [quaggas]
      operationId: list_organization_quaggas
      summary: List the quaggas.
      security: [{serviceUser: [ViewQuaggas]}]
      parameters:
        - $ref: "#/components/parameters/First"
        - $ref: "#/components/parameters/After"
        - {name: color, in: query, required: true, schema: {type: string}}
      responses:
        "200":
          description: A page.
          content:
            application/json:
              schema: {$ref: "#/components/schemas/QuaggaPage"}
    post:
      tags: [quaggas]
      operationId: createOrganizationQuagga
      security: [{serviceUser: [ManageQuaggas]}]
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/QuaggaCreate"}
      responses:
        "201":
          description: The quagga.
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Quagga"}
  /v3/organizations/{org_id}/quaggas/{quagga_id}:
    parameters:
      - $ref: "#/components/parameters/OrgId"
      - {name: quagga_id, in: path, required: true, schema: {type: string}}
    get:
      tags: [quaggas]
      operationId: get_organization_quagga
      security: [{serviceUser: [ViewQuaggas]}]
      responses:
        "200":
          description: The quagga.
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Quagga"}
    delete:
      tags: [quaggas]
      operationId: delete_organization_quagga
      security: [{serviceUser: [ManageQuaggas]}]
      responses:
        "204":
          description: Gone.
  /v3/enterprise/quagga-colors:
    get:
      tags: [quaggas]
      operationId: list_enterprise_quagga_colors
      security: [{serviceUser: []}]
      responses:
        "200":
          description: The colors.
          content:
            application/json:
              schema: {type: array, items: {type: string}}
"""

# Another style of writing a contract: nothing shared, everything inline.
INLINE_OPERATIONS = """
  /v3/organizations/{org_id}/zorillas:
    get:
      tags: [Zorillas]
      operationId: listZorillas
      parameters:
        - {name: org_id, in: path, required: true, schema: {type: string}}
        - {name: first, in: query, schema: {type: integer}}
        - {name: after, in: query, schema: {type: [string, "null"]}}
        - {name: type, in: query, schema: {type: string, enum: [a, b]}}
      responses:
        "200":
          description: A page.
          content:
            application/json:
              schema:
                type: object
                properties:
                  items: {type: array, items: {type: object, properties: {id: {type: string}}}}
                  end_cursor: {type: [string, "null"]}
                  has_next_page: {type: boolean}
                  total: {type: [integer, "null"]}
    post:
      tags: [Zorillas]
      operationId: createZorilla
      parameters:
        - {name: org_id, in: path, required: true, schema: {type: string}}
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [name]
              properties:
                name: {type: string}
                list: {type: array, items: {type: string}}
                options: {type: object, additionalProperties: true}
                nested: {type: object, properties: {a: {type: integer}}}
      responses:
        "201": {description: Any, content: {application/json: {schema: {type: object}}}}
  /v3/organizations/{org_id}/zorillas/{number}:
    delete:
      tags: [Zorillas]
      operationId: deleteZorilla
      parameters:
        - {name: org_id, in: path, required: true, schema: {type: string}}
        - {name: number, in: path, required: true, schema: {type: integer}}
      responses:
        "204": {description: Gone}
"""

INLINE_USE = """
import asyncio

from agent_session_platform import NotFoundError
from agent_session_platform.models import CreateZorillaBodyNested
from agent_session_platform_sandbox import Sandbox


async def main() -> None:
    async with Sandbox().client() as platform:
        zorillas = platform.organization().zorillas
        made = await zorillas.create(name="n", list=["x"], nested=CreateZorillaBodyNested(a=1), options_={"o": 1})
        assert made["list"] == ["x"] and made["options"] == {"o": 1}, made
        [zorilla] = await zorillas.list(type="a", first=1).collect()
        assert zorilla.unknown_fields["nested"] == {"a": 1}, zorilla
        try:
            await zorillas.delete(7)
        except NotFoundError as error:
            assert "no number 7" in str(error), error


asyncio.run(main())
print("all of it works")
"""

NEW_SCHEMAS = """
    QuaggaPage:
      allOf:
        - $ref: "#/components/schemas/PageInfo"
        - type: object
          required: [items]
          properties:
            items: {type: array, items: {$ref: "#/components/schemas/Quagga"}}
    QuaggaCreate:
      type: object
      required: [name]
      properties:
        name: {type: string}
        class: {type: string}
        parts: {type: [array, "null"], items: {$ref: "#/components/schemas/QuaggaPart"}}
        made_at: {type: string, format: date-time}
    Quagga:
      type: object
      required: [quagga_id]
      properties:
        quagga_id: {type: string}
        name: {type: string}
        class: {type: string}
        type: {type: string, deprecated: true, x-known-values: [small]}
        parts: {type: [array, "null"], items: {$ref: "#/components/schemas/QuaggaPart"}}
        twin: {anyOf: [{$ref: "#/components/schemas/Quagga"}, {type: "null"}]}
        made_at: {type: string, format: date-time}
    QuaggaPart:
      type: object
      properties:
        label: {type: string}
"""

USE = """
import asyncio
from datetime import UTC, datetime

from agent_session_platform import CredentialMismatchError, PermissionDeniedError
from agent_session_platform.models import Quagga, QuaggaPart
from agent_session_platform_sandbox import Sandbox


async def main() -> None:
    sandbox = Sandbox()
    async with sandbox.client() as platform:
        quaggas = platform.organization().quaggas
        moment = datetime(2026, 1, 1, tzinfo=UTC)
        made = await quaggas.create(name="one", class_="a", parts=[QuaggaPart(label="x")], made_at=moment)
        assert isinstance(made, Quagga), made
        assert (made.name, made.class_, made.made_at) == ("one", "a", moment), made
        assert made.parts == [QuaggaPart(label="x")], made
        assert repr(made).startswith("Quagga(quagga_id="), made
        assert Quagga.type.__doc__.startswith("Deprecated. "), Quagga.type.__doc__
        await quaggas.create(name="two")
        assert [quagga.name async for quagga in quaggas.list(color="red", first=1)] == ["one", "two"]
        assert await quaggas.get(made.quagga_id) == made
        assert await quaggas.delete(made.quagga_id) is None
        assert [quagga.name async for quagga in quaggas.list(color="red")] == ["two"]
        assert await platform.enterprise.quaggas.list_colors() == []
        operation = platform.operations["organization.quaggas.list"]
        assert (operation.permission, operation.paginated) == ("ViewQuaggas", True), operation
    async with sandbox.client(sandbox.viewer_token) as platform:
        try:
            await platform.organization().quaggas.create(name="three")
        except PermissionDeniedError as error:
            assert error.permission == "ManageQuaggas", error
        else:
            raise AssertionError("not refused")


asyncio.run(main())
print("all of it works")
"""

TYPED = """
from agent_session_platform import AgentPlatform, Pager
from agent_session_platform.models import Quagga


async def use(platform: AgentPlatform) -> str | None:
    quaggas = platform.organization("org-acme").quaggas
    pager: Pager[Quagga] = quaggas.list(color="red")
    made: Quagga = await quaggas.create(name="x", class_="y")
    colors = await platform.enterprise.quaggas.list_colors()
    reveal_type(colors)
    async for quagga in pager:
        reveal_type(quagga)
    return made.name
"""


def generate(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "codegen.render.generate", *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True)


@pytest.fixture
def copy(root: Path, tmp_path: Path) -> Path:
    """Return a copy of the files that generating and running needs."""
    for name in ("codegen", "generated", "overlay"):
        shutil.copytree(root / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    (tmp_path / "docs").mkdir()
    for name in ("openapi.yaml", "generator-config.yml", "docs/contract.md"):
        shutil.copy(root / name, tmp_path / name)
    return tmp_path


def add_to_contract(copy: Path, operations: str, schemas: str = "") -> None:
    contract = copy / "openapi.yaml"
    text = contract.read_text(encoding="utf-8")
    text = text.replace("\npaths:\n", f"\npaths:{operations}", 1) + schemas
    contract.write_text(text, encoding="utf-8")


def test_the_checkout_is_generated_from_its_contract(copy: Path) -> None:
    done = generate(copy, "--check")
    assert (done.returncode, done.stderr) == (0, "")


def test_generating_twice_gives_the_same_bytes(copy: Path) -> None:
    tree = copy / "generated"
    shutil.rmtree(tree)
    assert generate(copy).returncode == 0
    first = {path.relative_to(tree): path.read_bytes() for path in tree.rglob("*") if path.is_file()}
    shutil.rmtree(tree)
    assert generate(copy).returncode == 0
    assert {path.relative_to(tree): path.read_bytes() for path in tree.rglob("*") if path.is_file()} == first


@pytest.mark.parametrize("kind", ["changed", "missing", "new"])
def test_the_check_names_a_file_that_differs(copy: Path, kind: str) -> None:
    package = copy / "generated" / "agent_session_platform_api"
    if kind == "changed":
        (package / "model.py").write_text("# edited by hand\n", encoding="utf-8")
    elif kind == "missing":
        (package / "model.py").unlink()
    else:
        (package / "extra.py").write_text("", encoding="utf-8")
    name = "extra.py" if kind == "new" else "model.py"
    done = generate(copy, "--check")
    assert done.returncode == 1
    assert f"{kind}: generated/agent_session_platform_api/{name}" in done.stderr
    assert "make generate" in done.stderr


def test_the_check_covers_the_overview_of_the_contract(copy: Path) -> None:
    (copy / "docs" / "contract.md").write_text("edited by hand", encoding="utf-8")
    assert "changed: docs/contract.md" in generate(copy, "--check").stderr


def test_generating_replaces_what_differs(copy: Path) -> None:
    (copy / "generated" / "agent_session_platform_api" / "extra.py").write_text("", encoding="utf-8")
    assert generate(copy).returncode == 0
    assert generate(copy, "--check").returncode == 0


def test_a_new_operation_of_any_shape_costs_only_its_yaml(copy: Path) -> None:
    """List, get, create, delete and a plain array: typed, paginated, permission known, and served by the sandbox."""
    add_to_contract(copy, NEW_OPERATIONS, NEW_SCHEMAS)
    add_to_contract(copy, INLINE_OPERATIONS)
    done = generate(copy)
    assert (done.returncode, done.stderr) == (0, "")
    # PYTHONPATH comes before the editable install of the checkout.
    environment = os.environ | {"PYTHONPATH": f"{copy / 'generated'}{os.pathsep}{copy / 'overlay'}"}
    for use in (USE, INLINE_USE):
        used = subprocess.run(
            [sys.executable, "-W", "error", "-c", use], env=environment, capture_output=True, text=True
        )
        assert (used.stdout, used.stderr) == ("all of it works\n", "")

    (copy / "typed.py").write_text(TYPED, encoding="utf-8")
    mypy = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={copy / 'cache'}"]
    mypy += ["--explicit-package-bases", "generated", "typed.py"]
    environment = os.environ | {"MYPYPATH": os.pathsep.join(("generated", "overlay"))}
    checked = subprocess.run(mypy, cwd=copy, env=environment, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
    assert 'Revealed type is "agent_session_platform_api.models.quagga.Quagga"' in checked.stdout
    assert "Sequence[" in checked.stdout


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("/v3/enterprise/pr-reviews:", "/v1/pr-reviews:", "/v1/pr-reviews is in neither scope"),
        (
            "name: email\n          in: query",
            "name: email\n          style: spaceDelimited\n          in: query",
            "the query parameter email has style: spaceDelimited, explode: false, which the SDK cannot send",
        ),
        (
            "application/merge-patch+json:",
            "multipart/form-data:",
            "a body of multipart/form-data whose members are not shown",
        ),
    ],
)
def test_what_the_generator_would_leave_out_is_an_error(copy: Path, old: str, new: str, message: str) -> None:
    contract = copy / "openapi.yaml"
    text = contract.read_text(encoding="utf-8")
    assert old in text
    contract.write_text(text.replace(old, new, 1), encoding="utf-8")
    before = (copy / "generated" / "agent_session_platform_api" / "catalogue.py").read_bytes()
    done = generate(copy)
    assert done.returncode == 1
    assert message in done.stderr
    assert (copy / "generated" / "agent_session_platform_api" / "catalogue.py").read_bytes() == before


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_generating_gives_the_same_from_a_contract_of_either_line_ending(
    root: Path, tmp_path: Path, ending: str
) -> None:
    for name in ("openapi.yaml", "generator-config.yml"):
        text = (root / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text, encoding="utf-8", newline=ending)
    command = [sys.executable, "-m", "codegen.render.generate", str(tmp_path)]
    done = subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    ours = root / "generated" / "agent_session_platform_api"
    for path in ours.rglob("*.py"):
        made = tmp_path / "generated" / "agent_session_platform_api" / path.relative_to(ours)
        assert made.read_bytes() == path.read_bytes(), path
