"""Check the types of the Python blocks in the documents, which users paste: `python -m docs.blocks`.

Each block becomes a module of a temporary package, on the same lines as in its document. It imports from a copy of
`prelude.py` what it uses and does not define.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
import shutil
import subprocess
import symtable
import sys
import tempfile
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType
from typing import Final, NamedTuple

from docs.check import DOCUMENTS, ROOT

PRELUDE: Final = Path(__file__).with_name("prelude.py")

# The copy of a file is checked where the file is.
BLOCK: Final = re.compile(r"(?P<copy>^<!-- \S+ -->\n)?^ *```python\n(?P<code>.*?)^ *```$", re.DOTALL | re.MULTILINE)

# A block shows how to get something, and leaves its use to the reader.
UNUSED: Final = ("Class", "Expression", "Function", "Import", "Variable")

# Stands for the copy that docs/vendoring.md imports.
VENDORED: Final = "from agent_session_platform import *\n"

# mypy names the module of a block at the start of a line, pyright also above its findings.
MODULE: Final = re.compile(r"^(\s*)\S.*?\bblock_(\d+)\.py", re.MULTILINE)


class Block(NamedTuple):
    """A block of Python in a document."""

    document: str
    line: int
    """The line of the document on which the code begins."""
    code: str


def read_blocks(document: Path) -> Iterator[Block]:
    """Yield the blocks of a document, without those that are copies of files."""
    name = str(document).removeprefix(f"{ROOT}{os.sep}")
    text = document.read_text(encoding="utf-8")
    for block in BLOCK.finditer(text):
        if not block["copy"]:
            line = text.count("\n", 0, block.start("code")) + 1
            yield Block(name, line, textwrap.dedent(block["code"]))


def render(block: Block) -> str:
    """Return a block as a module, in which its lines have the same numbers as in the document."""
    code, line = block.code, block.line
    try:
        compiled: CodeType = compile(code, block.document, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        if compiled.co_flags & inspect.CO_COROUTINE:
            code, line = f"async def block() -> None:\n{textwrap.indent(code, '    ')}", line - 1
        used = sorted(free_names(symtable.symtable(code, block.document, "exec")) & prelude_names())
    except SyntaxError:  # the type checkers report it
        used = []
    head = f"from .prelude import {', '.join(used)}\n" if used else ""
    return head + "\n" * (line - 1 - bool(used)) + code


def free_names(table: symtable.SymbolTable) -> set[str]:
    """Return the names that code uses and does not define."""
    symbols = table.get_symbols()
    used = {each.get_name() for each in symbols if each.is_global()}.union(*map(free_names, table.get_children()))
    return used - {each.get_name() for each in symbols if each.is_local()}


def prelude_names() -> set[str]:
    """Return the names that the prelude defines."""
    table = symtable.symtable(PRELUDE.read_text(encoding="utf-8"), PRELUDE.name, "exec")
    return {each.get_name() for each in table.get_symbols() if each.is_assigned()}


def check(documents: Iterable[Path]) -> dict[str, str]:
    """Return what each type checker finds in the blocks of documents; nothing is an empty text."""
    blocks = [block for document in documents for block in read_blocks(document)]
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "blocks"
        (package / "_vendor").mkdir(parents=True)
        (package / "_vendor" / "agent_session_platform.py").write_text(VENDORED, encoding="utf-8")
        shutil.copy(PRELUDE, package)
        for number, block in enumerate(blocks):
            (package / f"block_{number}.py").write_text(render(block), encoding="utf-8")
        rules = {f"reportUnused{kind}": False for kind in UNUSED}
        configuration = {"extends": str(ROOT / "pyproject.toml"), "include": ["blocks"], **rules}
        (Path(folder) / "pyrightconfig.json").write_text(json.dumps(configuration), encoding="utf-8")
        found = {
            "mypy": run("mypy", "--no-error-summary", str(package), MYPYPATH=folder),
            "pyright": run("pyright", "--project", folder),
        }
    return {
        checker: MODULE.sub(lambda module: module[1] + blocks[int(module[2])].document, output)
        for checker, output in found.items()
    }


def run(checker: str, *arguments: str, **environment: str) -> str:
    """Run a type checker with the options of the repository, and return its findings."""
    command = [sys.executable, "-m", checker, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True)
    return (done.stdout + done.stderr or f"{checker} failed\n") if done.returncode else ""


if __name__ == "__main__":
    findings = "".join(check(DOCUMENTS).values())
    print(findings or "blocks of the documents: no findings")
    sys.exit(bool(findings))
