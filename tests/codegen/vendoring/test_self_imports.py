"""Imports of the packages by themselves: made relative, or refused with their place."""

from __future__ import annotations

from pathlib import PurePath

import pytest

from codegen.vendoring.self_imports import SelfImportError, relative


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("x.py", "from agent_session_platform_api.model import A", "from ..agent_session_platform_api.model import A"),
        ("x.py", "from agent_session_platform import A  # why", "from ..agent_session_platform import A  # why"),
        (
            "a/b.py",
            "from agent_session_platform_api import (\n  x,\n)",
            "from ...agent_session_platform_api import (\n  x,\n)",
        ),
        ("a/__init__.py", "from agent_session_platform import A", "from ...agent_session_platform import A"),
        (
            "x.py",
            "from agent_session_platform_sandbox.a import B",
            "from ..agent_session_platform_sandbox.a import B",
        ),
        (
            "x.py",
            "if 'ä': from agent_session_platform import a\r\n",
            "if 'ä': from ..agent_session_platform import a\r\n",
        ),
        (
            "x.py",
            "if 1:\n  from agent_session_platform.a.b import *\n",
            "if 1:\n  from ..agent_session_platform.a.b import *\n",
        ),
        ("x.py", "from .a import b\nimport json, re\nfrom agent_platformer import c\n", None),
        ("x.py", "import_module(f'{PACKAGE}.models'); files(__package__)\n", None),
        ("x.py", 'logger = getLogger("agent_session_platform")\n', None),
    ],
)
def test_imports_of_the_packages_become_relative(path: str, before: str, after: str | None) -> None:
    assert relative(PurePath("agent_session_platform", path), before) == (before if after is None else after)


@pytest.mark.parametrize(
    "code",
    [
        "import agent_session_platform",
        "import agent_session_platform.errors as errors",
        "import json, agent_session_platform",
        "import_module('agent_session_platform.errors')",
        "importlib.import_module(f'agent_session_platform_api.{name}')",
        "files(anchor='agent_session_platform')",
        "__import__('agent_session_platform')",
    ],
)
def test_an_import_without_a_relative_form_is_refused_with_its_place(code: str) -> None:
    with pytest.raises(SelfImportError, match=r"^agent_session_platform/x\.py:2: "):
        relative(PurePath("agent_session_platform/x.py"), f"\n{code}\n")
