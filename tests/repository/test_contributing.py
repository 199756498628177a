"""CONTRIBUTING.md says what is true: the files and folders that it names exist, and it stays short."""

from __future__ import annotations

import re
from importlib import import_module

from tests.repository.sources import OVERLAY, ROOT

DOCUMENT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PROJECT_PAGES = [path.read_text(encoding="utf-8") for path in (ROOT / "docs/pages/project").glob("*.md")]

# A relative path in a code span: it has a slash or the suffix of a file.
PATH = re.compile(r"`((?=[^`]*/|[^`]*\.(?:py|md|yaml|toml|txt)`)[\w.][\w./-]*)`")
# Paths of the project, from its root, from the package that users import, or from that of the sandbox.
ROOTS = (ROOT, OVERLAY, ROOT / "packages", ROOT / "packages/sandbox/src/agent_session_platform_sandbox")


def test_every_path_exists() -> None:
    named = {path for text in (DOCUMENT, *PROJECT_PAGES) for path in PATH.findall(text)}
    assert {"openapi.yaml", ".ci/run", "call.py", "rate_limit/"} <= named
    places = {path: [root / name for root in ROOTS for name in (path, path.removeprefix("sandbox/"))] for path in named}
    assert sorted(path for path in named if not any(place.exists() for place in places[path])) == []


def test_every_limit_that_a_page_names_exists() -> None:
    pages = [path.read_text(encoding="utf-8") for path in (ROOT / "docs/pages").rglob("*.md")]
    named = {limit for page in pages for limit in re.findall(r"`(?:([\w.]+)\.)?(MAX_[A-Z_]+)`", page)}
    assert ("response.body_limits", "MAX_BODY_TEXT") in named
    for module, name in named:
        assert hasattr(import_module(f"agent_session_platform.{module}"), name)


def test_it_is_read_in_five_minutes() -> None:
    assert len(DOCUMENT.split()) <= 1200
