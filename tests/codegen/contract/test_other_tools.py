"""The check that tools of other projects take the contract: it fails where a tool refuses, or makes half a client."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from codegen.contract.contract import Contract
from codegen.contract.other_tools import check
from codegen.contract.other_tools.check import NODE_MODULES, excerpt

needs_tools = pytest.mark.skipif(not NODE_MODULES.exists(), reason="`make other-tools` has not installed the tools")

LAMPS = """\
openapi: 3.1.0
info: {title: Lamps, version: "3"}
servers:
  - url: "{base_url}"
    variables:
      base_url: {default: https://lamps.invalid}
paths:
  /v3/enterprise/lamps/{lamp_id}:
    parameters:
      - {name: lamp_id, in: path, required: true, schema: {type: string}}
    get:
      tags: [lamps]
      operationId: get_enterprise_lamp
      security:
        - serviceUser: [ViewLamps]
      responses:
        "2XX":
          description: The lamp.
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/Lamp"
components:
  securitySchemes:
    serviceUser: {type: http, scheme: bearer}
  schemas:
    Lamp:
      type: object
      properties:
        lit: {type: boolean}
      examples:
        - lit: true
"""


@pytest.fixture
def lamps(tmp_path: Path) -> Contract:
    path = tmp_path / "openapi.yaml"
    path.write_text(LAMPS, encoding="utf-8")
    return Contract(path)


def result(program: str, lamps: Contract, monkeypatch: pytest.MonkeyPatch) -> object:
    """Check the contract with a program of Python as the only tool; return the exit status."""
    monkeypatch.setattr(check, "TOOLS", {"lamp-maker": [sys.executable, "-c", program]})
    monkeypatch.setattr(sys, "argv", ["check", str(lamps.path)])
    with pytest.raises(SystemExit) as ended:
        check.main()
    return ended.value.code


def writing(client: str) -> str:
    """Return a program that writes a client."""
    return f"import pathlib; pathlib.Path('client').mkdir(); pathlib.Path('client/client.py').write_text({client!r})"


@pytest.mark.parametrize("client", ["def get_enterprise_lamp(): ...", "def getEnterpriseLamp(): ..."])
def test_a_complete_client_passes(client: str, lamps: Contract, monkeypatch: pytest.MonkeyPatch) -> None:
    assert result(writing(client), lamps, monkeypatch) == 0


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("print('no paths'); raise SystemExit(1)", "no paths"),
        (writing("class Session: ..."), "its client lacks get_enterprise_lamp"),
        ("print('Prism is listening')", "it serves 0 operations"),
    ],
)
def test_a_refusal_fails_with_the_name_of_the_tool(
    program: str,
    reason: str,
    lamps: Contract,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert result(program, lamps, monkeypatch) == "openapi.yaml is refused by lamp-maker"
    assert capsys.readouterr().out == f"lamp-maker: refuses it\n{reason}\n"


def test_a_long_refusal_is_shown_shortened_and_without_the_stack_trace() -> None:
    assert excerpt("Error: no paths\n    at main (cli.js:1)\n\nNode.js v24") == "Error: no paths\nNode.js v24"
    output = "\n".join(map(str, range(100)))
    assert excerpt(output).splitlines() == [*map(str, range(10)), "...", *map(str, range(90, 100))]


@needs_tools
@pytest.mark.parametrize("name", ["swagger-parser", "Scalar", "Prism", "openapi-typescript", "orval"])
def test_a_reference_to_nothing_is_refused(name: str, lamps: Contract) -> None:
    lamps.path.write_text(LAMPS.replace("schemas/Lamp", "schemas/Nothing"), encoding="utf-8")
    assert re.search(r"Nothing|resolve \$ref", check.refusal(name, lamps) or "")


@needs_tools
def test_a_document_without_its_operations_is_refused(lamps: Contract) -> None:
    lamps.path.write_text(LAMPS.replace("\npaths:", "\nx-paths:"), encoding="utf-8")
    assert check.refusal("hey-api", lamps) == "its client lacks get_enterprise_lamp"
