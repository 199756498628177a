"""The five distributions: one version, the same license, and what they require."""

from __future__ import annotations

import re
import sys

import pytest

from codegen import ROOT
from codegen.distributions import COMPANIONS, PACKAGES, SDK, read_projects, required, requirements
from tests.repository.sources import imports

PROJECTS = read_projects()
VERSION = PROJECTS[0]["project"]["version"]
TEXTS = [(ROOT / "packages" / name / "pyproject.toml").read_text(encoding="utf-8") for name in COMPANIONS]


def test_the_distributions_have_their_names_in_the_order_of_their_folders() -> None:
    assert [each["project"]["name"] for each in PROJECTS] == list(PACKAGES)


def test_all_distributions_have_the_same_version() -> None:
    assert {each["project"]["version"] for each in PROJECTS} == {VERSION}


def test_the_sdk_has_the_version_of_pyproject() -> None:
    text = (ROOT / "overlay" / "agent_session_platform" / "configuration.py").read_text(encoding="utf-8")
    assert re.findall(r'^VERSION = "(.+)"$', text, re.MULTILINE) == [VERSION]


@pytest.mark.parametrize("text", TEXTS, ids=COMPANIONS)
def test_a_companion_requires_the_others_in_exactly_this_version(text: str) -> None:
    found = re.findall(rf'^(?!name = ).*"{SDK}[\w-]*([^"]*)"', text, re.MULTILINE)
    assert found
    assert set(found) == {f"=={VERSION}"}


def test_a_wheel_has_the_packages_of_its_distribution() -> None:
    stated = [each["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] for each in PROJECTS]
    assert stated[0] == [f"{folder}{package}" for package, folder in PACKAGES[SDK].items()]
    assert stated[1:] == [[f"src/agent_session_platform_{name}"] for name in COMPANIONS]


@pytest.mark.parametrize("name", COMPANIONS)
def test_a_companion_has_the_license_of_the_sdk(name: str) -> None:
    assert (ROOT / "packages" / name / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_a_requirement_on_one_of_the_five_is_not_one_on_others() -> None:
    own = [f"{SDK}==1.0", f"{SDK}-jobs==1.0", f"{SDK}-jobs[extra] ; python_version < '3'"]
    others = [f"{SDK}-other>=1,<2", "jobs>=1,<2", "pyjwt[crypto]>=2.12,<3"]
    assert list(required({"project": {"dependencies": [*own, *others]}}, extras=True)) == others


@pytest.mark.parametrize(("extras", "more"), [(False, []), (True, ["redis>=5,<9"])])
def test_the_requirements_of_build_runtime_and_extras_are_listed_once(extras: bool, more: list[str]) -> None:
    build = {"build-system": {"requires": ["hatchling>=1"]}}
    sdk = {"dependencies": ["httpx>=0.28,<1"], "optional-dependencies": {"redis": ["redis>=5,<9"]}}
    companion = {"dependencies": [f"{SDK}==0.1.0", "httpx>=0.28,<1", "rich>=13,<16"]}
    found = requirements([{**build, "project": sdk}, {**build, "project": companion}], extras=extras)
    assert found == ["hatchling>=1", "httpx>=0.28,<1", *more, "rich>=13,<16"]


@pytest.mark.parametrize("module", ["distributions", "release/pins"])
def test_a_tool_that_prepares_the_environment_needs_only_pip(module: str) -> None:
    names = {name.partition(".")[0] for name in imports(ROOT / "codegen" / f"{module}.py")}
    assert names - sys.stdlib_module_names <= {"codegen", "pip"}
