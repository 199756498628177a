"""Generators of clients: what they make of the contract is complete, and has the syntax of its language."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import attrs

from codegen.contract.contract import Contract
from codegen.contract.other_tools.commands import RefusalError, node, openapi_generator, run

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
