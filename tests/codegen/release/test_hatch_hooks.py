"""What a build adds: a README with absolute links, and a bill of materials."""

from __future__ import annotations

from typing import Any

import pytest
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from codegen import ROOT
from codegen.distributions import FOLDERS, PACKAGES, SDK, read_projects
from codegen.release.hatch_hooks import bill


@pytest.fixture(scope="module", params=FOLDERS, ids=PACKAGES)
def about(request: pytest.FixtureRequest) -> ProjectMetadata[Any]:
    """Return the metadata that hatchling reads of each distribution."""
    return ProjectMetadata(str(ROOT / request.param), PluginManager())


@pytest.fixture(scope="module")
def written(about: ProjectMetadata[Any]) -> dict[str, Any]:
    """Return the bill of materials of the distribution."""
    return bill(about)


def test_it_states_its_format_and_the_distribution(written: dict[str, Any], about: ProjectMetadata[Any]) -> None:
    assert (written["bomFormat"], written["specVersion"], written["version"]) == ("CycloneDX", "1.6", 1)
    named = {key: written["metadata"]["component"][key] for key in ("type", "name", "version", "licenses", "purl")}
    assert named == {
        "type": "library",
        "name": about.core.name,
        "version": about.version,
        "licenses": [{"license": {"id": "Apache-2.0"}}],
        "purl": f"pkg:pypi/{about.core.name}@{about.version}",
    }


def test_it_lists_every_requirement_with_its_range_and_its_extra(
    written: dict[str, Any], about: ProjectMetadata[Any]
) -> None:
    found = set()
    for component in written["components"]:
        facts = {each["name"]: each["value"] for each in component["properties"]}
        extra = facts.get("python:extra")
        assert component["scope"] == ("optional" if extra else "required")
        found.add((component["name"], frozenset(facts["python:version-range"].split(",")), extra))
    [project] = [each["project"] for each in read_projects() if each["project"]["name"] == about.core.name]
    stated = {None: project["dependencies"], **project.get("optional-dependencies", {})}
    assert found == {
        (canonicalize_name(each.name), frozenset(map(str, each.specifier)), extra)
        for extra, listed in stated.items()
        for each in map(Requirement, listed)
    }


def test_every_component_has_a_name_of_its_own_and_is_a_dependency(written: dict[str, Any]) -> None:
    names = [each["bom-ref"] for each in written["components"]]
    assert len(names) == len(set(names))
    assert written["dependencies"][0]["dependsOn"] == names


def test_the_links_of_the_readme_are_absolute(about: ProjectMetadata[Any]) -> None:
    targets = [part.partition(")")[0] for part in about.core.readme.split("](")[1:]]
    assert targets
    assert [target for target in targets if not target.startswith(("https://", "#"))] == []
    folder = "" if about.core.name == SDK else f"packages/{about.core.name.removeprefix(f'{SDK}-')}/"
    license_file = f"https://agent-session-platform.example/source/{folder}LICENSE"
    assert license_file in targets or folder
