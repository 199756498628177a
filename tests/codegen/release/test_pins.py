"""The pins and hashes are complete for every system, checked by each installation, and renewed by one command."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.markers import Environment, default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pip._vendor.packaging.version import Version

from codegen import ROOT, RefusedError
from codegen.distributions import PACKAGES, read_projects, requirements
from codegen.release.pins import ENTRY, floors, released, renew, wanted, with_lowest

PROJECTS = read_projects()
CONSTRAINTS, HASHES, MAKEFILE = (
    (ROOT / name).read_text(encoding="utf-8") for name in ("constraints.txt", "hashes.txt", "Makefile")
)
WANTED = wanted(CONSTRAINTS, floors(PROJECTS))
LOCKS = sorted((ROOT / "codegen" / "contract").glob("*/package-lock.json"))

SYSTEMS = (("linux", "posix", "Linux"), ("darwin", "posix", "Darwin"), ("win32", "nt", "Windows"))


def environments() -> Iterator[Environment]:
    """Yield the environment of each system and version of Python, for the markers of requirements."""
    for system, name, platform in SYSTEMS:
        for version in ("3.11.0", "3.11.9", "3.12.9", "3.13.9", "3.14.9"):
            environment = default_environment()
            environment.update(sys_platform=system, os_name=name, platform_system=platform)
            environment.update(python_version=version.rpartition(".")[0], python_full_version=version)
            yield environment


ENVIRONMENTS = tuple(environments())


def wanted_somewhere(requirement: Requirement, extra: str) -> bool:
    """Return whether a requirement holds on one of the systems."""
    marker = requirement.marker
    return marker is None or any(marker.evaluate({**each, "extra": extra}) for each in ENVIRONMENTS)


def all_requirements() -> Iterator[Requirement]:
    """Yield the requirements for running, building and development, and those of the installed packages."""
    groups = PROJECTS[0]["dependency-groups"].values()
    written = requirements(PROJECTS, extras=True)
    written += [each for listed in groups for each in listed if isinstance(each, str)]
    left = [Requirement(each) for each in written]
    seen: set[tuple[str, str]] = set()
    while left:
        requirement = left.pop()
        yield requirement
        for extra in {"", *requirement.extras}:
            if (requirement.name, extra) in seen:
                continue
            seen.add((requirement.name, extra))
            try:
                found = map(Requirement, requires(requirement.name) or ())
            except PackageNotFoundError:
                continue
            left += [each for each in found if wanted_somewhere(each, extra)]


def test_whatever_is_required_on_any_system_is_pinned() -> None:
    names = {canonicalize_name(each.name) for each in all_requirements()}
    assert len(names) > 100
    assert names - WANTED.keys() == set()


def test_every_pin_and_every_floor_has_its_hashes() -> None:
    found = {each["name"]: each["versions"].split(", ") for each in ENTRY.finditer(HASHES)}
    assert found == {name: [str(each) for each in versions] for name, versions in WANTED.items()}
    assert found["h11"] == ["0.16.0"]
    assert found["httpx"] == ["0.28", "0.28.1"]


def test_no_distribution_of_ours_has_a_pin_or_a_hash() -> None:
    pins = WANTED.keys() | {each["name"] for each in ENTRY.finditer(HASHES)}
    assert pins & PACKAGES.keys() == set()


def test_a_hash_belongs_to_one_package_only() -> None:
    hashes = re.findall(r"--hash=sha256:(\S+)", HASHES)
    assert len(hashes) == len(set(hashes))
    assert len(hashes) == sum(each["hashes"].count("--hash") for each in ENTRY.finditer(HASHES))


def test_no_file_of_pins_names_an_index() -> None:
    assert "://" not in CONSTRAINTS + HASHES
    assert [line for line in (CONSTRAINTS + HASHES).splitlines() if line.startswith("-")] == []


def test_every_installation_of_the_makefile_checks_hashes() -> None:
    recipes = MAKEFILE.replace("\\\n", "")
    installs = [command for command in re.split(r"\n|&&", recipes) if "$(PIP)" in command]
    assert len(installs) >= 8
    assert [each for each in installs if not re.search(r"PINNED|EDITABLE|INSTALL|--require-hashes", each)] == []
    assert re.findall(r"^(?:PINNED := |INSTALL := install |EDITABLE := \$\(INSTALL\) )(\S+ \S+)", MAKEFILE, re.M) == [
        "--require-hashes --only-binary",
        "--no-deps --no-build-isolation",
        "--editable .",
    ]
    assert "pip install" not in recipes
    assert "npm install" not in recipes


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.parent.name)
def test_every_npm_package_has_its_hash(lock: Path) -> None:
    packages = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    installed = {name: each for name, each in packages.items() if name and not each.get("inBundle")}
    assert len(installed) > 50
    assert [name for name, each in installed.items() if not each.get("integrity", "").startswith("sha512-")] == []


def never(name: str) -> dict[Version, set[str]]:
    raise AssertionError(f"{name} was fetched")


VERSIONS = {"a": [Version("1.0")], "b": [Version("1"), Version("2")]}
FILES = {
    "a": {Version("1"): {"a" * 64}},
    "b": {Version("1"): {"b" * 64}, Version("2"): {"c" * 64}, Version("3"): {"d" * 64}},
}
ENTRIES = f"""
# a 1.0
a \\
    --hash=sha256:{"a" * 64}
# b 1, 2
b \\
    --hash=sha256:{"b" * 64} \\
    --hash=sha256:{"c" * 64}
"""


def test_the_hashes_of_all_versions_of_a_package_are_in_one_entry() -> None:
    text = renew("", VERSIONS, FILES.__getitem__)
    assert text.endswith(ENTRIES)
    assert renew(text, VERSIONS, never) == text


def test_only_a_package_with_another_version_is_fetched_again() -> None:
    text = renew("", VERSIONS, FILES.__getitem__)
    fetched: list[str] = []

    def fetch(name: str) -> dict[Version, set[str]]:
        fetched.append(name)
        return FILES[name]

    renewed = renew(text, {"a": [Version("1.0")], "b": [Version("3")]}, fetch)
    assert fetched == ["b"]
    assert renewed.endswith(f"a \\\n    --hash=sha256:{'a' * 64}\n# b 3\nb \\\n    --hash=sha256:{'d' * 64}\n")


def test_a_pin_that_was_removed_loses_its_hashes() -> None:
    text = renew("", VERSIONS, FILES.__getitem__)
    assert "b" * 64 not in renew(text, {"a": [Version("1.0")]}, never)


def test_a_version_without_a_file_is_refused() -> None:
    with pytest.raises(RefusedError, match="the index has no file of b 9; choose another version"):
        renew("", {"b": [Version("1"), Version("9")]}, FILES.__getitem__)


FILENAMES = {"h11-0.16.0-py3-none-any.whl": Version("0.16"), "h11-0.16.0.tar.gz": Version("0.16"), "old-1.0.egg": None}


@pytest.mark.parametrize(("filename", "version"), FILENAMES.items())
def test_the_version_of_a_file_is_that_of_its_name(filename: str, version: Version | None) -> None:
    assert released(filename) == version


def requiring(*requirements: str) -> dict[str, dict[str, list[str]]]:
    return {"project": {"dependencies": [*requirements]}}


def test_only_what_users_install_gets_its_lowest_version() -> None:
    lowest = floors([requiring("httpx>=0.28,<1", "Msg_Spec>=0.18,<1", "agent-session-platform==0.1.0")])
    text = with_lowest("# Why.\nhttpx==0.28.1\nmsg-spec==0.22.0\npytest==9.2.0\n", lowest)
    assert text == "# Why.\npytest==9.2.0\nhttpx==0.28\nmsg-spec==0.18\n"


@pytest.mark.parametrize("requirement", ["httpx", "httpx<1", "httpx~=0.28"])
def test_a_requirement_without_a_lowest_version_is_refused(requirement: str) -> None:
    with pytest.raises(RefusedError, match=f"{requirement} has no lowest version; write it as `httpx>=1.2,<2`"):
        floors([requiring(requirement)])


@pytest.mark.parametrize("order", [1, -1])
def test_the_higher_one_of_two_floors_counts(order: int) -> None:
    assert floors([requiring("idna>=3.9,<4"), requiring("idna>=3.14,<4")][::order]) == {"idna": Version("3.14")}
