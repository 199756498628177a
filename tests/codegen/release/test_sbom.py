"""The bill of materials in each wheel: complete, valid, and the same in each build."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from codegen import ROOT
from codegen.release.projects import FOLDERS, PACKAGES, SDK, Pyproject, read_projects
from codegen.release.sbom import LICENSES


@pytest.fixture(scope="module", params=FOLDERS, ids=PACKAGES)
def folder(request: pytest.FixtureRequest) -> str:
    """Return the folder of each distribution."""
    return request.param


@pytest.fixture(scope="module")
def project(folder: str) -> Pyproject:
    """Return the table `project` of its pyproject.toml."""
    [found] = read_projects(folders=[folder])
    return found["project"]


@pytest.fixture(scope="module")
def wheel(folder: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build its wheel."""
    target = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(target), str(ROOT / folder)]
    subprocess.run(command, check=True, capture_output=True)
    [built] = target.iterdir()
    return built


@pytest.fixture(scope="module")
def text(wheel: Path, project: Pyproject) -> str:
    """Return the bill of materials of the wheel."""
    with zipfile.ZipFile(wheel) as files:
        [name] = [each for each in files.namelist() if each.endswith(f".dist-info/sboms/{project['name']}.cdx.json")]
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


def stated(project: Pyproject) -> Iterator[tuple[str, frozenset[str], str | None]]:
    """Yield the same of each requirement in pyproject.toml."""
    for extra, listed in {None: project["dependencies"], **project.get("optional-dependencies", {})}.items():
        for requirement in map(Requirement, listed):
            yield canonicalize_name(requirement.name), frozenset(map(str, requirement.specifier)), extra


def test_it_states_its_format_and_the_distribution(bill: dict[str, Any], project: Pyproject) -> None:
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.6", 1)
    about = bill["metadata"]["component"]
    assert (about["type"], about["name"], about["version"]) == ("library", project["name"], project["version"])
    assert about["licenses"] == [{"license": {"id": "Apache-2.0"}}]
    assert about["purl"] == f"pkg:pypi/{project['name']}@{project['version']}"


def test_it_lists_the_packages_of_the_distribution(bill: dict[str, Any], project: Pyproject) -> None:
    packages = bill["metadata"]["component"]["components"]
    assert [each["name"] for each in packages] == list(PACKAGES[project["name"]])


def test_only_the_generated_package_is_described_as_generated(bill: dict[str, Any]) -> None:
    packages = bill["metadata"]["component"]["components"]
    generated = {each["name"] for each in packages if each["description"].startswith("Generated from openapi.yaml")}
    assert generated == {"agent_session_platform_api"} & {each["name"] for each in packages}


def test_it_lists_every_requirement_with_its_range_and_its_extra(bill: dict[str, Any], project: Pyproject) -> None:
    required = [each for each in bill["components"] if each["scope"] != "excluded"]
    assert {facts(each) for each in required} == set(stated(project))
    assert {each["scope"] for each in required if facts(each)[2] is None} == {"required"}
    assert {each["scope"] for each in required if facts(each)[2]} <= {"optional"}


def test_only_the_sdk_names_the_generator(bill: dict[str, Any], project: Pyproject) -> None:
    generators = [(each["name"], each["version"]) for each in bill["components"] if each["scope"] == "excluded"]
    name = "openapi-python-client"
    assert generators == ([(name, metadata(name)["Version"])] if project["name"] == SDK else [])


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


def test_the_wheel_has_the_licenses(wheel: Path, folder: str) -> None:
    with zipfile.ZipFile(wheel) as files:
        for name in ("LICENSE", "NOTICE") if folder == "." else ("LICENSE",):
            [path] = [each for each in files.namelist() if each.endswith(f".dist-info/licenses/{name}")]
            assert files.read(path) == (ROOT / name).read_bytes()
