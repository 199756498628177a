"""Which package may import what."""

from __future__ import annotations

import ast
import sys

from codegen.vendoring.vendor import PACKAGES, relative
from tests.repository.sources import COMPANIONS, GENERATED, OVERLAY, imports, modules, parse

SANDBOX = COMPANIONS[0]

# The runtime dependencies; the others are imported where an extra asks for them, or where the user has them in use.
# certifi and idna come with httpx, multidict and yarl with aiohttp, truststore with httpx2.
RUNTIME = {"attrs", "agent_session_platform", "agent_session_platform_api", "httpx"}
EXTRAS = {
    "aiohttp",
    "certifi",
    "httpx2",
    "idna",
    "msgspec",
    "multidict",
    "opentelemetry",
    "redis",
    "truststore",
    "yarl",
}


def test_the_generated_package_imports_the_standard_library_and_attrs_only() -> None:
    found = {name for path in modules(GENERATED) for name in imports(path)}
    assert {name for name in found if not name.startswith(".")} <= set(sys.stdlib_module_names) | {
        "attrs",
        "collections.abc",
        "importlib.resources",
        "urllib.parse",
        # Only where pydantic is in use; nothing else asks for `pydantic_schema.py`.
        "pydantic",
        "pydantic_core",
        # Pydantic installs it; elsewhere it is for type checkers only, because importing it takes time.
        "typing_extensions",
    }


def test_only_the_transport_imports_httpx() -> None:
    importing = [path for path in modules(OVERLAY) if any(name.startswith("httpx") for name in imports(path))]
    # platform.py has it in type hints only.
    assert {path.relative_to(OVERLAY).parts[0] for path in importing} <= {"transport", "platform.py"}


def test_one_module_of_the_overlay_imports_the_generated_package() -> None:
    importing = {
        path.name for path in modules(OVERLAY) if any("agent_session_platform_api" in name for name in imports(path))
    }
    # models.py and contract.py give names of it to users as they are.
    assert importing == {"_api.py", "contract.py", "models.py"}


def test_the_runtime_imports_only_what_it_declares() -> None:
    absolute = {
        name.partition(".")[0] for path in modules(OVERLAY) for name in imports(path) if not name.startswith(".")
    }
    assert absolute - set(sys.stdlib_module_names) - EXTRAS <= RUNTIME


def test_every_import_of_the_packages_by_themselves_can_be_made_relative() -> None:
    """A vendored copy has another parent package."""
    for package in (GENERATED, OVERLAY, SANDBOX):
        for path in modules(package):
            tree = ast.parse(relative(path.relative_to(package.parent), path.read_text(encoding="utf-8")))
            imported = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
            imported += [
                node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level
            ]
            assert [name for name in imported if name.partition(".")[0] in PACKAGES] == [], path


def test_files_beside_a_module_are_read_as_resources() -> None:
    """A zip file and a frozen program have no files beside a module."""
    names = {
        f"{package.name}/{path.name}": {node.id for node in ast.walk(parse(path)) if isinstance(node, ast.Name)}
        for package in (GENERATED, OVERLAY, *COMPANIONS)
        for path in modules(package)
    }
    assert [name for name, used in names.items() if "__file__" in used] == []
