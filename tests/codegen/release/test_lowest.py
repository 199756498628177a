"""The lowest versions that pyproject.toml allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.release.lowest import FloorError, floors, lowest

PYPROJECT = """
[project]
dependencies = ["httpx>=0.28,<1"]
[project.optional-dependencies]
speed = ["Msg_Spec>=0.18,<1", "sniffio>=1.3"]
"""
CONSTRAINTS = "# Why.\nhttpx==0.28.1\nmsg-spec==0.22.0\npytest==9.2.0\nsniffio==1.3.1\n"


def test_only_what_users_install_gets_its_lowest_version() -> None:
    text = lowest(PYPROJECT, CONSTRAINTS)
    assert text == "# Why.\npytest==9.2.0\nhttpx==0.28\nmsg-spec==0.18\nsniffio==1.3\n"


@pytest.mark.parametrize("requirement", ["httpx", "httpx<1", "httpx~=0.28"])
def test_a_requirement_without_a_lowest_version_is_refused(requirement: str) -> None:
    with pytest.raises(FloorError, match=f"{requirement} has no lowest version; write it as `httpx>=1.2,<2`"):
        floors(f'[project]\ndependencies = ["{requirement}"]')


def test_every_requirement_has_a_floor_also_an_indirect_one(root: Path) -> None:
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    assert {"httpx", "python-dateutil", "starlette", "redis", "h11", "httpcore", "aiohttp"} <= floors(text).keys()
