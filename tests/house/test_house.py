"""The house: which room may know which, and that none has outgrown itself."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import agent_session_platform
import pytest

from codegen.vendoring.self_imports import PACKAGES, relative

GENERATED = "generated/agent_session_platform_api"
OVERLAY = "overlay/agent_session_platform"
# Runtime dependencies: anything else is an extra.
EXTRAS = {"aiohttp", "httpx_aiohttp", "msgspec", "opentelemetry", "redis"}
RUNTIME = {"attrs", "agent_session_platform", "agent_session_platform_api", "dateutil", "httpx"}


def imports(path: Path) -> Iterator[str]:
    """The modules that a file names in its imports, relative ones as they are written."""
    return imported(path.read_text(encoding="utf-8"))


def names(path: Path) -> set[str]:
    """The names that a file uses."""
    return {node.id for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Name)}


def imported(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def modules(root: Path, package: str) -> list[Path]:
    return sorted((root / package).rglob("*.py"))


def runtime(root: Path) -> list[Path]:
    beside = ("sandbox", "pytest_plugin.py", "cli")
    return [path for path in modules(root, OVERLAY) if not set(beside) & set(path.parts)]


def loaded_by(statement: str) -> set[str]:
    """The modules that a fresh interpreter has after *statement*."""
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_generated_package_knows_neither_httpx_nor_the_overlay(root: Path) -> None:
    found = {name for path in modules(root, GENERATED) for name in imports(path)}
    assert {name for name in found if not name.startswith(".")} <= set(sys.stdlib_module_names) | {
        "attrs",
        "collections.abc",
        "dateutil.parser",
        # For type checkers only: importing it takes time, and nothing installs it.
        "typing_extensions",
    }


def test_only_the_transport_knows_httpx(root: Path) -> None:
    knowing = {path.name for path in runtime(root) if any(name.startswith("httpx") for name in imports(path))}
    # One has the connections, one the exchange, one its errors, one the other transport; platform.py names types only.
    assert knowing == {
        "aiohttp.py",
        "platform.py",
        "connections.py",
        "translate.py",
        "pools.py",
        "exchange.py",
    }


def test_one_module_of_the_overlay_knows_the_generated_package(root: Path) -> None:
    knowing = {
        path.name
        for path in modules(root, OVERLAY)
        if any("agent_session_platform_api" in name for name in imports(path))
    }
    # models.py passes its names on, for the type checkers.
    assert knowing == {"_api.py", "models.py"}


def test_every_import_of_the_packages_by_themselves_can_be_made_relative(root: Path) -> None:
    """A vendored copy has another parent: what a module names of its own must be known to the tool that copies it."""
    for package in (GENERATED, OVERLAY):
        for path in modules(root, package):
            text = relative(path.relative_to((root / package).parent), path.read_text(encoding="utf-8"))
            absolute = [name for name in imported(text) if name.partition(".")[0] in PACKAGES]
            assert absolute == [], path


def test_nothing_is_read_beside_a_module_but_as_a_resource(root: Path) -> None:
    """In a zip file or a frozen program there are no files beside a module."""
    found = [path.name for path in modules(root, OVERLAY) + modules(root, GENERATED) if "__file__" in names(path)]
    assert found == []


@pytest.mark.parametrize("beside", ["sandbox", "pytest_plugin", "cli"])
def test_nothing_at_runtime_knows_what_stands_beside_it(root: Path, beside: str) -> None:
    knowing = [path.name for path in runtime(root) if any(beside in name.split(".") for name in imports(path))]
    assert knowing == []


def test_the_plugin_of_pytest_imports_nothing_of_the_sandbox() -> None:
    """Pytest loads it wherever the package is installed, with the extra or without."""
    loaded = loaded_by("import agent_session_platform.pytest_plugin")
    assert not {name for name in loaded if name.startswith(("agent_session_platform.sandbox", "starlette", "httpx"))}


def test_the_runtime_needs_only_what_it_declares(root: Path) -> None:
    absolute = {name.partition(".")[0] for path in runtime(root) for name in imports(path) if not name.startswith(".")}
    # The others are imported where an extra is asked for, or where the user has them in use.
    assert absolute - set(sys.stdlib_module_names) - EXTRAS <= RUNTIME


def test_a_client_is_made_without_importing_httpx_or_a_model() -> None:
    loaded = loaded_by(
        "import agent_session_platform; agent_session_platform.AgentPlatform('https://e.example', 'svc_x')"
    )
    assert not {
        name for name in loaded if name.startswith(("httpx", "agent_session_platform_api.models.", "starlette"))
    }
    assert "agent_session_platform_api.contract" not in loaded


def test_a_model_is_imported_when_it_is_asked_for() -> None:
    loaded = loaded_by("from agent_session_platform.models import Review")
    assert {name for name in loaded if name.startswith("agent_session_platform_api.models.")} == {
        "agent_session_platform_api.models.review"
    }


@pytest.mark.parametrize("package", ["overlay", "codegen"])
def test_no_module_has_outgrown_its_room(root: Path, package: str) -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in modules(root, package)}
    assert {path.name: length for path, length in lengths.items() if length > 400} == {}


def test_no_module_is_a_lumber_room(root: Path) -> None:
    lumber = {"utils", "util", "helpers", "helper", "common", "base", "misc"}
    assert {path.stem for package in (OVERLAY, "codegen") for path in modules(root, package)} & lumber == set()


def test_every_generated_file_says_so_in_its_first_line(root: Path) -> None:
    files = modules(root, GENERATED)
    first_lines = {path.read_text(encoding="utf-8").partition("\n")[0] for path in files}
    assert first_lines == {"# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file."}
    assert (root / GENERATED / "py.typed").exists()
    assert (root / OVERLAY / "py.typed").exists()


def test_everything_public_is_documented() -> None:
    undocumented = [name for name in agent_session_platform.__all__ if not name.startswith("__") and name != "UNSET"]
    assert [name for name in undocumented if not (getattr(agent_session_platform, name).__doc__ or "").strip()] == []


def test_the_exported_names_are_what_is_there() -> None:
    assert sorted(agent_session_platform.__all__) == sorted(set(agent_session_platform.__all__))
    assert [name for name in agent_session_platform.__all__ if not hasattr(agent_session_platform, name)] == []


def test_the_docstring_of_a_method_names_what_it_needs_and_what_is_not_shown() -> None:
    from agent_session_platform._api import OrganizationScope

    documented = type(OrganizationScope(None, "org-a").sessions).list.__doc__ or ""  # type: ignore[arg-type]  # never called
    text = " ".join(documented.split())
    assert "PermissionDeniedError: The credential lacks `ViewOrgSessions` at organization level." in text
    assert "service user, personal access token" in text
    assert "session-list-parameters: Query parameters other than first, after and origins." in text


def test_the_docstring_of_a_method_says_what_it_takes_returns_and_shows_how_to_call_it() -> None:
    from agent_session_platform._api import OrganizationScope

    text = type(OrganizationScope(None, "org-a").sessions).list.__doc__ or ""  # type: ignore[arg-type]  # never called
    assert "first: Page size, from 1 to 200; the server's default is 100." in text
    assert "after: Cursor to resume from, as given by `Pager.cursor`." in text
    assert "options: Timeout, retry policy, extra query or headers of this call." in text
    assert "A pager: iterate over it for sessions, over `.pages()` for pages." in text
    assert "async for session in organization.sessions.list():\n                print(session.session_id)" in text
