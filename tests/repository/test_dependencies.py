"""The runtime dependencies: few, without needless ones, and without releases that are known to be vulnerable."""

from __future__ import annotations

from importlib.metadata import requires

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from codegen.distributions import read_projects, required

SDK, SANDBOX, JOBS, CLI, OBSERVE = (each["project"] for each in read_projects())
# The requirements of the SDK, of the sandbox and of each extra.
TEXTS = {**SDK["optional-dependencies"], **CLI["optional-dependencies"]}
TEXTS |= {"sdk": SDK["dependencies"], "sandbox": SANDBOX["dependencies"]}
LISTED = {name: [Requirement(each) for each in texts] for name, texts in TEXTS.items()}

# The libraries that the code imports. All other requirements only exclude old releases of indirect dependencies.
USED = {"sdk": {"attrs", "httpx"}, "aiohttp": {"aiohttp"}, "httpx2": {"httpx2"}, "mcp": {"mcp"}}

# The last release with a known vulnerability, and the extra or companion that could bring it. Older ones are excluded
# with it, because a requirement has one lower bound: the comments in pyproject.toml name them.
VULNERABLE = [
    ("sdk", "certifi", "2024.6.2", "CVE-2024-39689"),
    ("sdk", "h11", "0.15.0", "CVE-2025-43859"),
    ("sdk", "httpcore", "1.0.8", "allows an h11 with CVE-2025-43859"),
    ("sdk", "idna", "3.13", "CVE-2026-45409"),
    ("sandbox", "starlette", "1.3.0", "does not limit the fields of a form"),
    ("aiohttp", "aiohttp", "3.14.2", "keeps credentials across origins"),
    ("aiohttp", "multidict", "6.9.0", "GHSA-54p9-h82j-f925"),
    ("http2", "h2", "4.2.0", "CVE-2025-57804"),
    ("mcp", "mcp", "1.22.0", "CVE-2025-66416"),
    ("mcp", "cryptography", "46.0.4", "CVE-2026-26007"),
    ("mcp", "pyjwt", "2.11.0", "CVE-2026-32597"),
    ("mcp", "python-multipart", "0.0.21", "CVE-2026-24486"),
    ("mcp", "starlette", "1.3.0", "does not limit the fields of a form"),
    ("redis", "redis", "4.5.4", "CVE-2023-28859"),
]


def closure(names: set[str]) -> set[str]:
    """Return what an installation of *names* brings, as the installed packages state it, also for their extras."""
    found: set[tuple[str, str]] = set()
    left = [(name, "") for name in names]
    while left:
        name, extra = left.pop()
        name = canonicalize_name(name)
        if (name, extra) not in found:
            found.add((name, extra))
            stated = map(Requirement, requires(name) or ())
            wanted = [each for each in stated if each.marker is None or each.marker.evaluate({"extra": extra})]
            left += [(each.name, which) for each in wanted for which in ("", *each.extras)]
    return {name for name, _ in found}


@pytest.mark.parametrize(("of", "used"), USED.items())
def test_a_floor_of_an_indirect_dependency_adds_nothing_to_an_installation(of: str, used: set[str]) -> None:
    names = {each.name for each in LISTED[of]}
    assert names >= used
    assert closure(names) == closure(used)


@pytest.mark.parametrize(("of", "name", "version", "why"), VULNERABLE)
def test_a_vulnerable_release_cannot_be_installed(of: str, name: str, version: str, why: str) -> None:
    [requirement] = [each for each in LISTED[of] if each.name == name]
    assert not requirement.specifier.contains(Version(version)), why


def test_only_versions_that_are_dates_have_no_cap() -> None:
    requirements = [Requirement(each) for project in read_projects() for each in required(project, extras=True)]
    assert [each.name for each in requirements if "<" not in {part.operator for part in each.specifier}] == ["certifi"]
