"""Count the tokens of the code, and compare them with the ceilings in sizes.toml: `make sizes`.

A token is what Python's `tokenize` calls one, without comments, docstrings and line ends. So nothing is gained by
packing code into fewer lines. A ceiling stands 10 % above the size at which it was set; `--lower` sets it anew where
that is lower, and never raises it.
"""

from __future__ import annotations

import ast
import io
import math
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path

from codegen import ROOT

ROOM_ABOVE = 1.1
LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def docstring_lines(source: str) -> set[int]:
    """Return the numbers of the lines of a module that belong to docstrings."""
    lines: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            docstring = node.body[0]
            lines.update(range(docstring.lineno, (docstring.end_lineno or 0) + 1))
    return lines


def count_tokens(source: str) -> int:
    """Return the number of tokens of a module. An f-string is one token; Python 3.12 and later split it."""
    documented = docstring_lines(source)
    count = 0
    depth = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in LAYOUT or token.start[0] in documented:
            continue
        name = tokenize.tok_name[token.type]
        if name.endswith("STRING_END"):
            depth -= 1
            continue
        if depth == 0:
            count += 1
        if name.endswith("STRING_START"):
            depth += 1
    return count


def measure(folder: Path) -> int:
    """Return the number of tokens of all modules below a folder."""
    total = 0
    for path in folder.rglob("*.py"):
        if not {"__pycache__", "node_modules"} & set(path.parts):
            total += count_tokens(path.read_text(encoding="utf-8"))
    return total


def ceiling_for(size: int) -> int:
    """Return the ceiling of a folder that has so many tokens: 10 % more, in hundreds."""
    return math.ceil(size * ROOM_ABOVE / 100) * 100


def problems(ceilings: dict[str, int], sizes: dict[str, int]) -> Iterator[str]:
    """Yield a sentence for each ceiling that is exceeded."""
    for folder, ceiling in ceilings.items():
        size = sizes[folder]
        if size > ceiling:
            yield f"{folder} has {size:,} tokens, and may have {ceiling:,}: take something away"


def main() -> int:
    """Print the sizes, and return 1 if a ceiling is exceeded."""
    file = ROOT / "sizes.toml"
    text = file.read_text(encoding="utf-8")
    ceilings: dict[str, int] = tomllib.loads(text)
    sizes = {folder: measure(ROOT / folder) for folder in ceilings}
    if sys.argv[1:] == ["--lower"]:
        for folder, ceiling in ceilings.items():
            ceilings[folder] = min(ceiling, ceiling_for(sizes[folder]))
            text = text.replace(f'"{folder}" = {ceiling}\n', f'"{folder}" = {ceilings[folder]}\n')
        file.write_text(text, encoding="utf-8", newline="\n")
    for folder, size in sizes.items():
        print(f"{size:6,} of {ceilings[folder]:6,} tokens: {folder}")
    exceeded = list(problems(ceilings, sizes))
    print("\n".join(exceeded), end="\n" if exceeded else "")
    return 1 if exceeded else 0


if __name__ == "__main__":
    sys.exit(main())
