"""A module imports only public names of other packages, and no imports form a circle."""

from __future__ import annotations

import sys
from collections import defaultdict
from graphlib import TopologicalSorter
from pathlib import Path

import agent_session_platform
import pytest

from tests.repository.sources import COMPANIONS, GENERATED, OVERLAY, ROOT, imports, modules, name_of

SDK = OVERLAY.name
# The modules of this package are copied into the generated package, so they count as a package of their own.
SHIPPED = "codegen.render.runtime"
# What each package requires, or what its requirements bring; the user or an extra installs the other libraries.
IMPORTED = {
    # pydantic installs typing_extensions.
    GENERATED.name: {"attrs", "pydantic", "pydantic_core", "typing_extensions"},
    # certifi comes with httpx, yarl with aiohttp, truststore with httpx2.
    SDK: {
        *("attrs", GENERATED.name, "httpx", "certifi"),
        *("aiohttp", "httpx2", "msgspec", "opentelemetry", "redis", "truststore", "yarl"),
    },
    f"{SDK}_sandbox": {
        *("attrs", SDK, "cronsim", "dateutil", "httpx", "jsonschema"),
        *("pytest", "python_multipart", "starlette", "uvicorn"),
    },
    # Type checkers have typing_extensions; nothing imports it at run time.
    f"{SDK}_jobs": {"attrs", SDK, "typing_extensions"},
    f"{SDK}_observe": {"attrs", SDK},
    f"{SDK}_cli": {"anyio", "attrs", SDK, f"{SDK}_jobs", f"{SDK}_observe", "click", "mcp", "rich"},
}
# What a companion may import of the SDK.
PUBLIC = {"contract", "errors", "legacy", "models", "resources", *agent_session_platform.__all__}


@pytest.mark.parametrize("package", [GENERATED, OVERLAY, *COMPANIONS], ids=lambda package: package.name)
def test_a_package_imports_only_what_is_below_it(package: Path) -> None:
    tops = {name.partition(".")[0] for path in modules(package) for name in imports(path)}
    assert tops - sys.stdlib_module_names - {package.name} == IMPORTED[package.name]


@pytest.mark.parametrize("package", COMPANIONS, ids=lambda package: package.name)
def test_a_companion_imports_public_names_only(package: Path) -> None:
    names = {name for path in modules(package) for name in imports(path) if name.startswith(f"{SDK}.")}
    assert {name for name in names if name.split(".")[1] not in PUBLIC} == set()


@pytest.mark.parametrize(
    ("library", "places"),
    [
        # platform.py imports httpx only for type hints; a transport imports the library that is chosen.
        ("httpx", {"platform.py"}),
        # The others pass names of the generated package on to users.
        (GENERATED.name, {"_api.py", "contract.py", "models.py", "resources.py"}),
    ],
)
def test_few_modules_of_the_sdk_import_a_library(library: str, places: set[str]) -> None:
    importing = [path for path in modules(OVERLAY) if any(name.startswith(library) for name in imports(path))]
    assert {path.relative_to(OVERLAY).parts[0] for path in importing} == places


def sibling_graphs(package: Path) -> dict[str, dict[str, set[str]]]:
    """Map each package to the imports between the modules and packages that are directly in it."""
    names = {name_of(path) for path in modules(package)}
    graphs: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for path in modules(package):
        for name in imports(path):
            # Find the longest part of the name that is a module; the rest is a name in that module.
            while name not in (*names, "") and not name.startswith(SHIPPED):
                name = name.rpartition(".")[0]
            if name in names and name != name_of(path):
                importer, imported = [*name_of(path).split("."), "__init__"], [*name.split("."), "__init__"]
                depth = [one == other for one, other in zip(importer, imported, strict=False)].index(False)
                graphs[".".join(importer[:depth])][importer[depth]].add(imported[depth])
    return graphs


@pytest.mark.parametrize("package", [OVERLAY, *COMPANIONS, ROOT / "codegen"], ids=lambda package: package.name)
def test_nothing_imports_itself_through_its_siblings(package: Path) -> None:
    graphs = sibling_graphs(package)
    assert package.name in graphs
    for graph in graphs.values():
        # An error names the circle.
        TopologicalSorter(graph).prepare()
