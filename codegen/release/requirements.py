"""Print what distributions require of others, one line each: `python -m codegen.release.requirements --extras`.

With hashes pip installs no local directory, so the Makefile installs these first, and then the directories without
their dependencies. Only the standard library is imported, because nothing is installed yet.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from codegen.release.projects import FOLDERS, Pyproject, read_projects, required


def requirements(projects: Iterable[Pyproject], *, extras: bool) -> list[str]:
    """Return the requirements of the build and of the distributions, as their pyproject.toml states them."""
    found: dict[str, None] = {}
    for project in projects:
        found |= dict.fromkeys([*project["build-system"]["requires"], *required(project, extras=extras)])
    return list(found)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--extras", action="store_true", help="with the requirements of all extras")
    parser.add_argument("folders", nargs="*", default=FOLDERS, help="the folders (default: all)")
    arguments = parser.parse_args()
    print("\n".join(requirements(read_projects(folders=arguments.folders), extras=arguments.extras)))
