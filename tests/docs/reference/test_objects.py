"""The pages of the public objects, the models and the errors."""

from __future__ import annotations

import ast
import importlib
import re
from typing import Any

import agent_session_platform
import pytest
from agent_session_platform import AgentPlatformError, errors, models
from agent_session_platform.response.problem import STATUS_ERRORS

from docs.reference.errors import error_classes, way_out
from docs.reference.errors import errors as documented_errors
from docs.reference.source import public_names
from docs.reference.themes import THEMES

MODULES = ("", "_jobs", "_observe", "_sandbox")
FIXTURES = (
    "agent_platform",
    "agent_platform_base_url",
    "agent_platform_environment",
    "agent_platform_factory",
    "agent_platform_sandbox",
)


def names_of(module: str) -> list[str]:
    return list(importlib.import_module(f"{agent_session_platform.__name__}{module}").__all__)


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_has_a_heading(reference: dict[str, str], module: str) -> None:
    text = "\n".join(reference[theme.path] for theme in THEMES)
    assert [
        name for name in names_of(module) if not re.search(rf"^##+ `?{name}`?( \(\w+\))?$", text, re.MULTILINE)
    ] == []


@pytest.mark.parametrize("name", FIXTURES)
def test_every_fixture_has_a_heading(reference: dict[str, str], name: str) -> None:
    assert f"\n## {name}\n" in reference["reference/pytest.md"]


def test_every_public_name_says_where_it_is_written(reference: dict[str, str]) -> None:
    text = "\n".join(reference.values())
    paths = {path for path in public_names() if not path.rpartition(".")[2].startswith(("pytest_", "async_"))}
    for path in paths:
        found = public_names()[path]
        assert f"{found.relative_filepath.name}:{found.lineno}`" in text, path


def test_signatures_of_objects_are_valid(reference: dict[str, str]) -> None:
    for theme in THEMES:
        for block in re.findall(r"^```python\n(.*?)^```$", reference[theme.path], re.DOTALL | re.MULTILINE):
            code = block.rstrip()
            if code.startswith(("def ", "async def ", "class ")) and ":\n" not in f"{code}\n":
                # A method is written with its class, and a class with its arguments: `def RetryPolicy.none()`.
                called = re.sub(r"^(async def|def|class) [\w.]+", "async def f", code)
                code = f"{called if '(' in called else f'{called}()'}: ..."
            compile(code, theme.path, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def test_every_model_has_all_its_fields(reference: dict[str, str]) -> None:
    text = reference["reference/models.md"]
    for name in dir(models):
        cls: Any = getattr(models, name)
        section = text.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        assert section, name
        missing = [each for each in getattr(cls, "_fields", ()) if f"| `{each}` |" not in section]
        assert missing == [], name


def test_a_required_field_of_a_model_is_marked(reference: dict[str, str]) -> None:
    section = reference["reference/models.md"].partition("\n## Session\n")[2]
    assert re.search(r"^\| `session_id` \| `str` \| yes \|", section, re.MULTILINE)
    assert re.search(r"^\| `title` \| `str` or `None` \|  \|", section, re.MULTILINE)


def test_every_error_of_the_tree_is_listed(reference: dict[str, str]) -> None:
    classes = [value for value in vars(errors).values() if isinstance(value, type)]
    names = {each.__name__ for each in classes if issubclass(each, AgentPlatformError)}
    assert names <= {*documented_errors()}
    assert {*error_classes()} == {*documented_errors()}
    assert all(f"| [{name}](" in reference["reference/errors.md"] for name in documented_errors())


@pytest.mark.parametrize("name", sorted(documented_errors()))
def test_every_error_has_a_way_out(name: str) -> None:
    assert way_out(documented_errors()[name])


@pytest.mark.parametrize(("status", "cls"), STATUS_ERRORS.items())
def test_an_error_of_a_status_has_it(reference: dict[str, str], status: int, cls: type[AgentPlatformError]) -> None:
    assert f"| [{cls.__name__}](#{cls.__name__.lower()}) | {status} |" in reference["reference/errors.md"]


def test_the_options_of_the_plugin_are_described(reference: dict[str, str]) -> None:
    assert "| `--agent-platform-tcp` | let the client use a real socket |" in reference["reference/pytest.md"]
    assert "| `--agent-platform-now ISO` |" in reference["reference/pytest.md"]


def test_a_docstring_whose_returns_section_has_a_colon_is_whole(reference: dict[str, str]) -> None:
    text = reference["reference/operations/organization.sessions.md"].partition("## organization.sessions.wait")[2]
    assert "**Returns**\n\nThe outcome: its `session`" in text
