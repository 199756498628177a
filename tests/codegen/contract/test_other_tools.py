"""The check that tools of other projects take the contract: it fails where a tool refuses, or makes half a client."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import attrs
import pytest
from pytest_httpx import HTTPXMock

from codegen.contract.contract import Contract
from codegen.contract.other_tools import check
from codegen.contract.other_tools.check import (
    GENERATORS,
    NODE_MODULES,
    PYTHON,
    TYPESCRIPT,
    Generator,
    RefusalError,
    check_responses,
    excerpt,
    node,
    run,
)

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
CLIENT = "class Session: ...\ndef get_enterprise_lamp(): ...\n"
URL = "http://127.0.0.1:1234/v3/enterprise/lamps/lamp-1"
SERVED = [("GET", URL)]


@pytest.fixture
def lamps(tmp_path: Path) -> Contract:
    path = tmp_path / "openapi.yaml"
    path.write_text(LAMPS, encoding="utf-8")
    return Contract(path)


def generator(client: str) -> Generator:
    """Make a generator that always writes the same client."""
    write = f"import pathlib; pathlib.Path('client').mkdir(); pathlib.Path('client/client.py').write_text({client!r})"
    return Generator(
        [sys.executable, "-c", write],
        operation=r"^def (\w+)\(",
        model=r"^class (\w+):",
        suffix=".py",
        compiler=PYTHON,
    )


def printing(text: str, status: int) -> list[str]:
    """Return a command that prints a text and exits with a status."""
    return [sys.executable, "-c", f"print({text!r}); raise SystemExit({status})"]


def test_a_tool_that_fails_refuses_the_contract(tmp_path: Path) -> None:
    with pytest.raises(RefusalError, match="no paths"):
        run(printing("no paths", 1), tmp_path)


def test_a_tool_that_succeeds_takes_the_contract(tmp_path: Path) -> None:
    run(printing("done", 0), tmp_path)


def test_a_refusal_is_shown_without_the_stack_trace() -> None:
    assert excerpt("Error: no paths\n    at main (cli.js:1)\n\nNode.js v24") == "Error: no paths\nNode.js v24"


def test_a_long_refusal_is_shortened() -> None:
    output = "\n".join(map(str, range(100)))
    assert excerpt(output).splitlines() == [*map(str, range(10)), "...", *map(str, range(90, 100))]


def check_lamps(tool: Generator, lamps: Contract, monkeypatch: pytest.MonkeyPatch) -> object:
    """Run the program with one tool; return its exit status."""
    monkeypatch.setattr(check, "CHECKS", {"lamp-maker": tool})
    monkeypatch.setattr(sys, "argv", ["check", str(lamps.path)])
    with pytest.raises(SystemExit) as ended:
        check.main()
    return ended.value.code


def test_a_complete_client_passes(lamps: Contract, monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_lamps(generator(CLIENT), lamps, monkeypatch) == 0


def test_a_refusal_fails_with_the_name_of_the_tool(lamps: Contract, monkeypatch: pytest.MonkeyPatch) -> None:
    refusing = attrs.evolve(generator(CLIENT), command=printing("no paths", 1))
    assert check_lamps(refusing, lamps, monkeypatch) == "openapi.yaml is refused by lamp-maker"


def test_a_refusal_is_printed(
    lamps: Contract, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check_lamps(attrs.evolve(generator(CLIENT), command=printing("no paths", 1)), lamps, monkeypatch)
    assert capsys.readouterr().out == "lamp-maker: refuses it\n    no paths\n"


def test_a_client_without_an_operation_is_refused(lamps: Contract) -> None:
    assert check.refusal(generator("class Session: ..."), lamps) == "its client lacks get_enterprise_lamp"


def test_a_client_without_a_model_is_refused(lamps: Contract) -> None:
    assert check.refusal(generator("def get_enterprise_lamp(): ..."), lamps) == "its client lacks Session"


def test_an_operation_may_be_named_in_another_style(lamps: Contract) -> None:
    client = "class Session: ...\ndef getEnterpriseLamp(): ...\n"
    assert check.refusal(generator(client), lamps) is None


def test_a_client_that_does_not_compile_is_refused(lamps: Contract) -> None:
    assert "SyntaxError" in (check.refusal(generator(f"{CLIENT}status: 2XX = 1"), lamps) or "")


def test_a_mock_server_that_lacks_an_operation_is_refused(lamps: Contract) -> None:
    with pytest.raises(RefusalError, match="serves 0 operations of 1"):
        check_responses(lamps, [])


def test_a_mock_server_that_needs_no_credential_is_refused(lamps: Contract, httpx_mock: HTTPXMock) -> None:
    httpx_mock.add_response(url=URL, status_code=200)
    with pytest.raises(RefusalError, match="200 where no credential is sent"):
        check_responses(lamps, SERVED)


def test_a_mock_server_without_an_example_is_refused(lamps: Contract, httpx_mock: HTTPXMock) -> None:
    httpx_mock.add_response(url=URL, status_code=401)
    httpx_mock.add_response(url=URL, json={"lit": False})
    with pytest.raises(RefusalError, match="200 and no example"):
        check_responses(lamps, SERVED)


def test_a_mock_server_with_an_example_is_taken(lamps: Contract, httpx_mock: HTTPXMock) -> None:
    httpx_mock.add_response(url=URL, status_code=401)
    httpx_mock.add_response(url=URL, json={"lit": True})
    check_responses(lamps, SERVED)


@needs_tools
@pytest.mark.parametrize("name", ["swagger-parser", "Scalar", "Prism", "openapi-typescript", "orval"])
def test_a_reference_to_nothing_is_refused(name: str, lamps: Contract) -> None:
    lamps.path.write_text(LAMPS.replace("schemas/Lamp", "schemas/Nothing"), encoding="utf-8")
    assert re.search(r"Nothing|resolve \$ref", check.refusal(check.CHECKS[name], lamps) or "")


@needs_tools
def test_a_document_without_its_operations_is_refused(lamps: Contract) -> None:
    lamps.path.write_text(LAMPS.replace("\npaths:", "\nx-paths:"), encoding="utf-8")
    assert check.refusal(GENERATORS["hey-api"], lamps) == "its client lacks get_enterprise_lamp"


@needs_tools
def test_swagger_parser_refuses_the_description_of_a_server_variable(lamps: Contract) -> None:
    described = LAMPS.replace("{default:", "{description: Where the lamps are., default:")
    lamps.path.write_text(described, encoding="utf-8")
    assert "base_url" in (check.refusal(check.CHECKS["swagger-parser"], lamps) or "")


@needs_tools
def test_a_status_range_is_no_type(tmp_path: Path) -> None:
    """The client `fetch` of orval 7 has this line; that of orval 8 compiles."""
    (tmp_path / "client.ts").write_text("export type Response = { status: 2XX };\n", encoding="utf-8")
    with pytest.raises(RefusalError, match="TS1351"):
        run([*TYPESCRIPT, "client.ts"], tmp_path)


@needs_tools
def test_a_script_that_is_not_installed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RefusalError, match="Cannot find module"):
        run(node("no-such-package/cli.js"), tmp_path)
