"""No circle of imports, neither between modules nor between packages, for type checkers and in functions included."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.repository.sources import CODEGEN, HANDWRITTEN, child_graph, import_graph

# Its modules are copied into the generated package: a house of its own, which stands in the folder of its templates.
SHIPPED = "codegen.render.runtime."


def circle(graph: dict[str, set[str]]) -> str:
    """Return a circle of a graph, or an empty text."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        # The sorter has the edges the other way round.
        return " imports ".join(reversed(error.args[1]))
    return ""


@pytest.mark.parametrize("package", HANDWRITTEN, ids=lambda package: package.name)
def test_no_module_imports_itself_through_others(package: Path) -> None:
    assert circle(import_graph(package)) == ""


@pytest.mark.parametrize("package", HANDWRITTEN, ids=lambda package: package.name)
def test_no_package_imports_itself_through_its_siblings(package: Path) -> None:
    graph = {name: imported for name, imported in import_graph(package).items() if not name.startswith(SHIPPED)}
    graph = {name: {each for each in imported if each in graph} for name, imported in graph.items()}
    parents = {name.rpartition(".")[0] for name in graph} - {""}
    assert {parent: found for parent in sorted(parents) if (found := circle(child_graph(graph, parent)))} == {}


def test_what_ships_imports_nothing_of_the_tools() -> None:
    graph = import_graph(CODEGEN)
    shipped = {name for name in graph if name.startswith(SHIPPED)}
    assert shipped
    assert {each for name in shipped for each in graph[name]} <= shipped


def test_a_circle_is_found_and_named() -> None:
    graph = {"p.a": {"p.b.c"}, "p.b": set[str](), "p.b.c": {"p.b"}, "p.b.d": {"p.a"}}
    assert circle(graph) == ""
    assert circle(child_graph(graph, "p")) in ("a imports b imports a", "b imports a imports b")
