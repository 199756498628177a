"""CONTRIBUTING.md says what is true: what it names exists, and its table of rooms is complete."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from docs.check import unknown_targets
from tests.repository.sources import CODEGEN, COMPANIONS, HANDWRITTEN, OVERLAY, ROOT, modules, parse

DOCUMENT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

# Where a path of the document may begin, and the prefix that stands for it: none for the root and for the SDK.
PLACES = ((ROOT, ""), (OVERLAY, ""), *((each, f"{each.parents[1].name}/") for each in COMPANIONS))

SPAN = re.compile(r"`([^`\n]+)`")
# A relative path: it has a slash or the suffix of a file.
PATH = re.compile(r"(?=.*/|.*\.(?:py|md|yaml|toml|txt)$)[\w.][\w./-]*")
# A name with the module that defines it: `prepare` in `request/prepare.py`, or `CursorPager` (`lists.py`).
NAME_AND_MODULE = re.compile(r"`(?P<names>\w[\w. |]*)` (?:in |\()`(?P<module>[\w/]+\.py)`")


def rows(header: str) -> list[list[str]]:
    """Return the cells of the table with this header."""
    _, found, rest = DOCUMENT.partition(f"{header}\n")
    assert found, f"CONTRIBUTING.md has no table with the header {header}"
    lines = rest.partition("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def named_paths() -> set[str]:
    """Return every path in the document."""
    return {span for span in SPAN.findall(DOCUMENT) if PATH.fullmatch(span)}


def locate(path: str) -> Path | None:
    """Return where a path of the document leads: from the root, from the SDK, or from the source of a companion."""
    found = (root / path.removeprefix(prefix) for root, prefix in PLACES if path.startswith(prefix))
    return next((each for each in found if each.exists()), None)


def room_names() -> list[str]:
    """Return the first column of the table of rooms."""
    return [room.strip("`") for room, _ in rows("| room | idea |")]


def packages(root: Path) -> list[str]:
    """Return the sub-packages of a package at any depth, named as in the document; a companion is one itself."""
    found = {path.parent for path in modules(root) if path.name == "__init__.py"} - {root}
    if root == CODEGEN:
        return sorted(f"{package.relative_to(ROOT).as_posix()}/" for package in found)
    prefix = dict(PLACES)[root]
    return sorted([*filter(None, [prefix]), *(f"{prefix}{package.relative_to(root).as_posix()}/" for package in found)])


@cache
def definitions(module: Path) -> set[str]:
    """Return the names of the classes and functions of a module, methods as `Class.method`."""
    found: set[str] = set()
    for node in parse(module).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
            methods = [each for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
            found |= {f"{node.name}.{method.name}" for method in methods}
    return found


def undefined(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the pairs of name and module in which the module does not define the name."""
    return [(name, module) for name, module in pairs if name not in definitions(locate(module) or OVERLAY / module)]


def test_the_document_names_paths() -> None:
    assert {"openapi.yaml", ".ci/run", "call.py", "request/", "codegen/contract/naming.py"} <= named_paths()


def test_every_path_exists() -> None:
    assert sorted(path for path in named_paths() if locate(path) is None) == []


def test_every_path_with_a_slash_at_its_end_is_a_folder() -> None:
    assert sorted(path for path in named_paths() if path.endswith("/") and (locate(path) or ROOT).is_file()) == []


def test_every_make_target_exists() -> None:
    assert unknown_targets(DOCUMENT) == []


@pytest.mark.parametrize("package", HANDWRITTEN, ids=lambda package: package.name)
def test_every_room_is_in_the_table(package: Path) -> None:
    assert [room for room in packages(package) if room not in room_names()] == []


def test_the_table_has_nothing_but_rooms() -> None:
    rooms = {room for package in HANDWRITTEN for room in packages(package)}
    assert [room for room in room_names() if room not in rooms] == []


def test_no_room_is_in_the_table_twice() -> None:
    assert sorted(room_names()) == sorted(set(room_names()))


def test_every_step_of_the_path_of_a_call_is_defined_in_its_module() -> None:
    steps = [(step.strip("`"), place.strip("`")) for step, place, _ in rows("| step | place | what it does |")]
    assert ("Call.run", "call.py") in steps
    assert undefined([(step, place) for step, place in steps if place.endswith(".py")]) == []


def test_every_name_with_a_module_is_defined_there() -> None:
    found = [
        (name, match["module"]) for match in NAME_AND_MODULE.finditer(DOCUMENT) for name in match["names"].split(" | ")
    ]
    assert ("RetryPolicy.is_retryable", "retry.py") in found
    assert undefined(found) == []
