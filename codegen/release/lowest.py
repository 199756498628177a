"""Print constraints.txt with the lowest versions that pyproject.toml allows: `make test-lowest`.

Pin dependencies and extras to their lowest version; keep all other pins.
"""

from __future__ import annotations

import tomllib

from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.utils import canonicalize_name

from codegen import ROOT


class FloorError(Exception):
    """A requirement in pyproject.toml has no lowest version."""


def floors(pyproject: str) -> dict[str, str]:
    """Return the lowest version of each requirement, by canonical name; raise FloorError where there is none."""
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
    """Return the constraints with the lowest versions in place of the newest."""
    wanted = floors(pyproject)
    lines = [line for line in constraints.splitlines() if canonicalize_name(line.partition("==")[0]) not in wanted]
    return "\n".join([*lines, *(f"{name}=={version}" for name, version in wanted.items()), ""])


if __name__ == "__main__":
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in ("pyproject.toml", "constraints.txt")]
    print(lowest(*texts), end="")
