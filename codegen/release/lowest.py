"""Print constraints.txt with the lowest versions that the distributions allow: `make test-lowest`.

Pin dependencies and extras to their lowest version; keep all other pins.
"""

from __future__ import annotations

from collections.abc import Iterable

from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.utils import canonicalize_name
from pip._vendor.packaging.version import Version

from codegen import ROOT
from codegen.release.projects import Pyproject, read_projects, required


class FloorError(Exception):
    """A requirement in a pyproject.toml has no lowest version."""


def floors(projects: Iterable[Pyproject]) -> dict[str, Version]:
    """Return the lowest version of each requirement that all projects allow, by canonical name.

    Raises:
        FloorError: A requirement has no lowest version.
    """
    found: dict[str, Version] = {}
    for written in (each for project in projects for each in required(project, extras=True)):
        requirement = Requirement(written)
        lowest = [Version(each.version) for each in requirement.specifier if each.operator == ">="]
        if len(lowest) != 1:
            raise FloorError(f"{written} has no lowest version; write it as `{requirement.name}>=1.2,<2`")
        name = canonicalize_name(requirement.name)
        found[name] = max(lowest[0], found.get(name, lowest[0]))
    return found


def lowest(projects: Iterable[Pyproject], constraints: str) -> str:
    """Return the constraints with the lowest versions in place of the newest."""
    wanted = floors(projects)
    lines = [line for line in constraints.splitlines() if canonicalize_name(line.partition("==")[0]) not in wanted]
    return "\n".join([*lines, *(f"{name}=={version}" for name, version in wanted.items()), ""])


if __name__ == "__main__":
    print(lowest(read_projects(), (ROOT / "constraints.txt").read_text(encoding="utf-8")), end="")
