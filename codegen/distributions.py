"""The five distributions of this repository, and their requirements: `python -m codegen.distributions`.

If pip checks hashes, it cannot install a local directory. So the Makefile first installs the requirements, and then the
directories without their dependencies. This module imports only the standard library, because it runs before anything
is installed.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from codegen import ROOT

SDK = "agent-session-platform"
GENERATED, OVERLAY = "agent_session_platform_api", "agent_session_platform"
COMPANIONS = ("sandbox", "jobs", "cli", "observe")
FOLDERS = (".", *(f"packages/{name}" for name in COMPANIONS))
"""The folders of the distributions in the checkout."""

PACKAGES = {
    SDK: {GENERATED: "generated/", OVERLAY: "overlay/"},
    **{f"{SDK}-{name}": {f"{OVERLAY}_{name}": f"packages/{name}/src/"} for name in COMPANIONS},
}
"""The import packages of each distribution, in the order of FOLDERS. Each package is mapped to its folder."""

Pyproject = Mapping[str, Any]


def read_projects(root: Path = ROOT, folders: Iterable[str] = FOLDERS) -> list[Pyproject]:
    """Return the parsed pyproject.toml of each folder."""
    return [tomllib.loads((root / folder / "pyproject.toml").read_text(encoding="utf-8")) for folder in folders]


def required(project: Pyproject, *, extras: bool) -> Iterator[str]:
    """Yield the requirements of a distribution, but not the distributions of this repository.

    Args:
        project: The pyproject.toml of the distribution.
        extras: Whether to include the requirements of its extras.
    """
    stated = project["project"]
    optional: Mapping[str, list[str]] = stated.get("optional-dependencies", {}) if extras else {}
    for each in [*stated["dependencies"], *(each for extra in optional.values() for each in extra)]:
        if re.split(r"[^\w.-]", each)[0] not in PACKAGES:
            yield each


def requirements(projects: Iterable[Pyproject], *, extras: bool) -> list[str]:
    """Return the requirements of the build and of the distributions, each once."""
    found: dict[str, None] = {}
    for project in projects:
        found |= dict.fromkeys([*project["build-system"]["requires"], *required(project, extras=extras)])
    return list(found)


if __name__ == "__main__":
    folders = [each for each in sys.argv[1:] if each != "--extras"] or FOLDERS
    print("\n".join(requirements(read_projects(folders=folders), extras="--extras" in sys.argv)))
