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
"""The folders of the distributions in the checkout."""

PACKAGES = {
    SDK: {"agent_session_platform_api": "generated/", "agent_session_platform": "overlay/"},
    **{f"{SDK}-{name}": {f"agent_session_platform_{name}": f"packages/{name}/src/"} for name in COMPANIONS},
}
"""The import packages of each distribution, in the order of FOLDERS, with the folder that they are in."""

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
        if re.split(r"[^\w.-]", each)[0] not in PACKAGES:
            yield each
