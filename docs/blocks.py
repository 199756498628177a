"""Check the types of the Python samples that users copy from documents: `python -m docs.blocks [DOCUMENT ...]`.

The samples of a page become one module, because a page is one program. A file that a page shows becomes a module of its
own. In any other document each sample becomes a module. A module imports the names that it does not define from a copy
of `prelude.py`. A finding has the line number of the document.
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

from docs.check import COPY, DOCUMENTS, PROGRAMS, ROOT
from docs.samples import Sample, read_samples

PRELUDE: Final = Path(__file__).with_name("prelude.py")

# A sample may define or import something that only the reader's program uses.
UNUSED: Final = ("Class", "Expression", "Function", "Import", "Variable")

# The content of a module in place of the vendored copy that docs/pages/how-to/vendor.md imports.
VENDORED: Final = "from agent_session_platform import *\n"

# mypy names the module of a block at the start of a line; pyright also names it on a line above its findings.
MODULE: Final = re.compile(r"^(\s*)\S*?\bdocument_(\d+)[/\\](\w+)\.py", re.MULTILINE)


class Block(NamedTuple):
    """A module that is made of the samples of a document."""

    document: str
    line: int
    """The line of the document on which the code begins."""
    code: str
    name: str | None = None
    """Name of the module, if the document has a name for it."""


def read_blocks(document: Path) -> Iterator[Block]:
    """Yield the modules of a document. Untitled copies of files are left out, because the files are checked."""
    name = str(document).removeprefix(f"{ROOT}{os.sep}")
    copies = {copy["code"] for copy in COPY.finditer(document.read_text(encoding="utf-8"))}
    samples = [each for each in read_samples(document) if each.language == "python"]
    program = [each for each in samples if each.is_program and each.code not in copies]
    yield from (Block(name, each.line, each.code, Path(each.title).stem) for each in samples if each.title)
    if document in PROGRAMS and program:
        yield Block(name, program[0].line, joined(program))
    else:
        yield from (Block(name, each.line, each.code) for each in program)


def joined(samples: list[Sample]) -> str:
    """Return the samples as one text, with as many lines between them as in their document."""
    code, first = "", samples[0].line
    for sample in samples:
        code += "\n" * (sample.line - first - code.count("\n")) + sample.code
    return code


def render(block: Block, beside: Iterable[str] = ()) -> str:
    """Return a block as a module, in which its lines have the same numbers as in the document.

    Args:
        block: The block.
        beside: Names of the modules in the same folder, which it can import.
    """
    code, line = block.code, block.line
    for name in beside:
        code = re.sub(rf"^(\s*)from {name} import", rf"\1from .{name} import", code, flags=re.MULTILINE)
        code = re.sub(rf"^(\s*)import {name}$", rf"\1from . import {name}", code, flags=re.MULTILINE)
    try:
        compiled: CodeType = compile(code, block.document, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        if compiled.co_flags & inspect.CO_COROUTINE:
            code, line = f"async def block() -> None:\n{textwrap.indent(code, '    ')}", line - 1
        used = sorted(free_names(symtable.symtable(code, block.document, "exec")) & prelude_names())
    except SyntaxError:  # the type checkers report such an error
        used = []
    head = f"from ..prelude import {', '.join(used)}\n" if used else ""
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
    """Return the findings of each type checker in the blocks of documents, as text; empty without findings."""
    names: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "blocks"
        package.mkdir()
        shutil.copy(PRELUDE, package)
        for document in documents:
            beside = package / f"document_{len(names)}"
            (beside / "_vendor").mkdir(parents=True)
            (beside / "_vendor" / "agent_session_platform.py").write_text(VENDORED, encoding="utf-8")
            blocks = list(read_blocks(document))
            files = [each.name for each in blocks if each.name]
            for number, block in enumerate(blocks):
                module = beside / f"{block.name or f'block_{number}'}.py"
                module.write_text(render(block, files), encoding="utf-8")
            names.append(str(document).removeprefix(f"{ROOT}{os.sep}"))
        rules = {f"reportUnused{kind}": False for kind in UNUSED}
        rules["reportMissingTypeStubs"] = False  # Django has no type stubs
        configuration = {"extends": str(ROOT / "pyproject.toml"), "include": ["blocks"], **rules}
        (Path(folder) / "pyrightconfig.json").write_text(json.dumps(configuration), encoding="utf-8")
        found = {
            "mypy": run("mypy", "--no-error-summary", str(package), MYPYPATH=folder),
            "pyright": run("pyright", "--project", folder),
        }
    return {
        checker: MODULE.sub(lambda module: module[1] + names[int(module[2])], output)
        for checker, output in found.items()
    }


def run(checker: str, *arguments: str, **environment: str) -> str:
    """Run a type checker with the options of the repository; return its findings, or empty text."""
    command = [sys.executable, "-m", checker, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True)
    return (done.stdout + done.stderr or f"{checker} failed\n") if done.returncode else ""


if __name__ == "__main__":
    findings = "".join(check([Path(each).resolve() for each in sys.argv[1:]] or DOCUMENTS).values())
    print(findings or "samples of the documents: no findings")
    sys.exit(bool(findings))
