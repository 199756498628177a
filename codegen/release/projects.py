"""The five distributions of this repository, and what their pyproject.toml states.

Only the standard library is imported: `make setup` asks for the requirements before anything is installed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from codegen import ROOT

SDK = "agent-session-platform"
COMPANIONS = ("sandbox", "jobs", "cli", "observe")
FOLDERS = (".", *(f"packages/{name}" for name in COMPANIONS))
"""The folders of the distributions in the checkout, each after those that it requires."""

Pyproject = Mapping[str, Any]


def read_projects(root: Path = ROOT, folders: Iterable[str] = FOLDERS) -> list[Pyproject]:
    """Return the pyproject.toml of each of the folders, as data."""
    return [tomllib.loads((root / folder / "pyproject.toml").read_text(encoding="utf-8")) for folder in folders]


def required(project: Pyproject, *, extras: bool) -> Iterator[str]:
    """Yield the requirements of a distribution on others than the five.

    Args:
        project: Its pyproject.toml.
        extras: Include those of its extras.
    """
    stated = project["project"]
    optional: Mapping[str, list[str]] = stated.get("optional-dependencies", {}) if extras else {}
    for each in [*stated["dependencies"], *(each for extra in optional.values() for each in extra)]:
        if not is_own(each):
            yield each


def is_own(requirement: str) -> bool:
    """Return whether a requirement names one of the five distributions."""
    found = re.match(r"[\w.-]+", requirement)
    return found is not None and (found[0] == SDK or found[0].removeprefix(f"{SDK}-") in COMPANIONS)
