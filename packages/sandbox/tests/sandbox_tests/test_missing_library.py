"""A vendored copy may lack the libraries that an installation brings."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize("library", ["cronsim", "jsonschema", "starlette"])
def test_a_missing_library_is_named_with_its_requirement(library: str) -> None:
    code = f"import sys; sys.modules[{library!r}] = None; import agent_session_platform_sandbox"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"ModuleNotFoundError: the sandbox needs {library}: pip install '{library}>=" in done.stderr
