"""The bill of materials in the wheel: complete, valid, and the same in each build."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from codegen import ROOT
from codegen.release.sbom import FILE, LICENSES

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel of this checkout."""
    target = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(target), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    [built] = target.iterdir()
    return built


@pytest.fixture(scope="module")
def text(wheel: Path) -> str:
    """Return the bill of materials of the wheel."""
    with zipfile.ZipFile(wheel) as files:
        [name] = [each for each in files.namelist() if each.endswith(f".dist-info/sboms/{FILE}")]
        return files.read(name).decode("utf-8")


@pytest.fixture(scope="module")
def bill(text: str) -> dict[str, Any]:
    """Return the bill of materials as JSON."""
    return json.loads(text)


def facts(component: Mapping[str, Any]) -> tuple[str, frozenset[str], str | None]:
    """Return the name, the bounds and the extra of a requirement in the bill of materials."""
    properties = {each["name"]: each["value"] for each in component["properties"]}
    bounds = frozenset(properties["python:version-range"].split(","))
    return component["name"], bounds, properties.get("python:extra")


def stated() -> Iterator[tuple[str, frozenset[str], str | None]]:
    """Yield the same of each requirement in pyproject.toml."""
    extras = [(extra, each) for extra, listed in PROJECT["optional-dependencies"].items() for each in listed]
    for extra, written in [*((None, each) for each in PROJECT["dependencies"]), *extras]:
        requirement = Requirement(written)
        yield requirement.name, frozenset(map(str, requirement.specifier)), extra


def test_it_states_its_format_and_the_project(bill: dict[str, Any], wheel: Path) -> None:
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.6", 1)
    about = bill["metadata"]["component"]
    assert (about["type"], about["name"]) == ("library", "agent-session-platform")
    assert about["version"] == wheel.name.split("-")[1]
    assert about["licenses"] == [{"license": {"id": "Apache-2.0"}}]
    assert about["purl"] == f"pkg:pypi/agent-session-platform@{about['version']}"


def test_it_lists_our_two_packages(bill: dict[str, Any]) -> None:
    packages = bill["metadata"]["component"]["components"]
    assert [each["name"] for each in packages] == ["agent_session_platform", "agent_session_platform_api"]


def test_it_lists_every_requirement_with_its_range_and_its_extra(bill: dict[str, Any]) -> None:
    required = [each for each in bill["components"] if each["scope"] != "excluded"]
    assert {facts(each) for each in required} == set(stated())
    assert {each["scope"] for each in required if facts(each)[2] is None} == {"required"}
    assert {each["scope"] for each in required if facts(each)[2]} == {"optional"}


def test_it_names_the_generator_of_the_generated_package(bill: dict[str, Any]) -> None:
    [generator] = [each for each in bill["components"] if each["scope"] == "excluded"]
    assert generator["name"] == "openapi-python-client"
    assert generator["version"] == metadata("openapi-python-client")["Version"]


def test_every_component_has_a_type_a_name_of_its_own_and_a_license(bill: dict[str, Any]) -> None:
    about = bill["metadata"]["component"]
    components = [about, *about["components"], *bill["components"]]
    names = [each["bom-ref"] for each in components]
    assert len(names) == len(set(names))
    assert [each["name"] for each in components if not (each["type"] and each["licenses"])] == []


def test_every_dependency_is_a_component(bill: dict[str, Any]) -> None:
    about = bill["metadata"]["component"]
    names = {each["bom-ref"] for each in [about, *about["components"], *bill["components"]]}
    assert {each["ref"] for each in bill["dependencies"]} <= names
    assert {name for each in bill["dependencies"] for name in each.get("dependsOn", ())} <= names


def test_nothing_in_it_depends_on_the_build(text: str, bill: dict[str, Any]) -> None:
    assert "timestamp" not in text
    assert "serialNumber" not in bill
    assert str(ROOT) not in text


# These two state no license that is an identifier.
@pytest.mark.parametrize("name", sorted(LICENSES.keys() - {"cronsim", "socksio"}))
def test_a_license_is_the_one_that_the_package_states(name: str) -> None:
    about = metadata(name)
    assert LICENSES[name] == (about["License-Expression"] or about["License"])


def test_the_wheel_has_the_licenses(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as files:
        for name in ("LICENSE", "NOTICE"):
            [path] = [each for each in files.namelist() if each.endswith(f".dist-info/licenses/{name}")]
            assert files.read(path) == (ROOT / name).read_bytes()
