"""Constraints under which everything that users install is as old as pyproject.toml admits: `make test-lowest`.

Prints constraints.txt, with what pyproject.toml names (dependencies and extras) at the version that it begins with.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]


class FloorError(Exception):
    """A requirement of pyproject.toml names no lowest version."""


def floors(pyproject: str) -> dict[str, str]:
    """The lowest version of each requirement, by its canonical name. Raises FloorError where there is none."""
    project = tomllib.loads(pyproject)["project"]
    extras = project.get("optional-dependencies", {}).values()
    found: dict[str, str] = {}
    for written in [*project["dependencies"], *(each for extra in extras for each in extra)]:
        requirement = Requirement(written)
        lowest = [each.version for each in requirement.specifier if each.operator == ">="]
        if len(lowest) != 1:
            raise FloorError(f"{written} has no lowest version; write it as `{requirement.name}>=1.2,<2`")
        found[canonicalize_name(requirement.name)] = lowest[0]
    return found


def lowest(pyproject: str, constraints: str) -> str:
    """The constraints with those versions in the place of the newest."""
    wanted = floors(pyproject)
    lines = [line for line in constraints.splitlines() if canonicalize_name(line.partition("==")[0]) not in wanted]
    return "\n".join([*lines, *(f"{name}=={version}" for name, version in wanted.items()), ""])


if __name__ == "__main__":
    root = ROOT
    texts = [(root / name).read_text(encoding="utf-8") for name in ("pyproject.toml", "constraints.txt")]
    print(lowest(*texts), end="")
