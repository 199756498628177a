"""The lowest versions that the distributions allow."""

from __future__ import annotations

import tomllib

import pytest
from pip._vendor.packaging.version import Version

from codegen.release.lowest import FloorError, floors, lowest

PROJECT = tomllib.loads("""
[project]
dependencies = ["httpx>=0.28,<1"]
[project.optional-dependencies]
speed = ["Msg_Spec>=0.18,<1", "sniffio>=1.3"]
""")
CONSTRAINTS = "# Why.\nhttpx==0.28.1\nmsg-spec==0.22.0\npytest==9.2.0\nsniffio==1.3.1\n"


def test_only_what_users_install_gets_its_lowest_version() -> None:
    text = lowest([PROJECT], CONSTRAINTS)
    assert text == "# Why.\npytest==9.2.0\nhttpx==0.28\nmsg-spec==0.18\nsniffio==1.3\n"


@pytest.mark.parametrize("requirement", ["httpx", "httpx<1", "httpx~=0.28"])
def test_a_requirement_without_a_lowest_version_is_refused(requirement: str) -> None:
    with pytest.raises(FloorError, match=f"{requirement} has no lowest version; write it as `httpx>=1.2,<2`"):
        floors([{"project": {"dependencies": [requirement]}}])


@pytest.mark.parametrize("order", [1, -1])
def test_the_higher_one_of_two_floors_counts(order: int) -> None:
    projects = [{"project": {"dependencies": [f"idna>={version},<4"]}} for version in ("3.9", "3.14")]
    assert floors(projects[::order]) == {"idna": Version("3.14")}


def test_a_distribution_of_ours_has_no_floor() -> None:
    assert floors([{"project": {"dependencies": ["agent-session-platform==0.1.0"]}}]) == {}
