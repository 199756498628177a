"""Count lines of code and modules, and compare them with the ceilings in sizes.toml: `make sizes`.

A line of code has a token that is neither a comment nor part of a docstring. A room is a part of the repository with a
ceiling of its own. The size of a room must not exceed the ceiling. The ceiling must not be more than 5 % above the
size, so that the code does not grow again. `--lower` lowers the ceilings, and never raises one.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from codegen import ROOT

ALLOWANCE = 1.05
# Each operation of the contract adds code to this room, so its ceiling may be higher.
GROWS = "generated"
NO_CODE = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class Size(NamedTuple):
    """The size of a room."""

    lines: int
    modules: int


def code_lines(source: str) -> int:
    """Return how many lines of a module are code."""
    documented: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            documented.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - documented)


def measure(root: Path, room: str) -> Size:
    """Return the size of a room.

    Args:
        root: The checkout.
        room: Folders, joined by ` + `. A folder includes the folders below it, but `folder/*` has only the modules
            directly in the folder. A folder or module after ` - ` is left out.
    """
    wanted, _, left_out = room.partition(" - ")
    files = {path for pattern in wanted.split(" + ") for path in modules(root, pattern)}
    files -= set(modules(root, left_out)) if left_out else set()
    return Size(sum(code_lines(path.read_text(encoding="utf-8")) for path in files), len(files))


def modules(root: Path, pattern: str) -> Iterator[Path]:
    """Yield all modules below a folder. If the text ends with `/*`, yield only the modules directly in the folder."""
    glob = f"{pattern}.py" if pattern.endswith("/*") else f"{pattern}/**/*.py"
    return (path for path in root.glob(glob) if not {"__pycache__", "node_modules"} & set(path.parts))


def problems(ceilings: dict[str, Size], sizes: dict[str, Size]) -> Iterator[str]:
    """Yield a sentence for each ceiling that is exceeded or too high."""
    for room, ceiling in ceilings.items():
        for unit, limit, size in zip(Size._fields, ceiling, sizes[room], strict=True):
            if size > limit:
                yield f"{room} has {size:,} {unit}, and may have {limit:,}: take something away"
            elif limit > size * ALLOWANCE and room != GROWS:
                yield f"{room} has only {size:,} {unit} of {limit:,}: run `make sizes LOWER=1` to lower the ceiling"


def main() -> int:
    """Print the sizes, and return 1 if a ceiling is exceeded or too high."""
    file = ROOT / "sizes.toml"
    text = file.read_text(encoding="utf-8")
    ceilings = {room: Size(*ceiling) for room, ceiling in tomllib.loads(text).items()}
    sizes = {room: measure(ROOT, room) for room in ceilings}
    if sys.argv[1:] == ["--lower"]:
        for room in sizes.keys() - {GROWS}:
            lowest = Size(*map(min, sizes[room], ceilings[room]))
            text = text.replace(f'"{room}" = {list(ceilings[room])}\n', f'"{room}" = {list(lowest)}\n')
            ceilings[room] = lowest
        file.write_text(text, encoding="utf-8", newline="\n")
    for room, (lines, modules_there) in sizes.items():
        most = ceilings[room]
        print(f"{lines:6,} of {most.lines:6,} lines, {modules_there:3} of {most.modules:3} modules: {room}")
    found = [*problems(ceilings, sizes)]
    print("\n".join(found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
