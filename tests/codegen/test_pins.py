"""What is installed: the oldest that pyproject.toml admits, and another version of the generator."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.release.lowest import FloorError, floors, lowest
from codegen.render.generator_context import moved, read
from codegen.render.upgrade_generator import pinned

PYPROJECT = """
[project]
dependencies = ["httpx>=0.28,<1"]
[project.optional-dependencies]
speed = ["Msg_Spec>=0.18,<1", "sniffio>=1.3"]
"""
CONSTRAINTS = "# Why.\nhttpx==0.28.1\nmsg-spec==0.22.0\npytest==9.2.0\nsniffio==1.3.1\n"


def test_what_users_install_is_as_old_as_may_be_and_the_rest_as_it_is() -> None:
    text = lowest(PYPROJECT, CONSTRAINTS)
    assert text == "# Why.\npytest==9.2.0\nhttpx==0.28\nmsg-spec==0.18\nsniffio==1.3\n"


@pytest.mark.parametrize("requirement", ["httpx", "httpx<1", "httpx~=0.28"])
def test_a_requirement_without_a_lowest_version_is_told(requirement: str) -> None:
    with pytest.raises(FloorError, match=f"{requirement} has no lowest version; write it as `httpx>=1.2,<2`"):
        floors(f'[project]\ndependencies = ["{requirement}"]')


def test_every_requirement_of_ours_begins_and_ends_somewhere(root: Path) -> None:
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    assert {"httpx", "python-dateutil", "starlette", "redis"} <= floors(text).keys()
    requirements = [part for line in text.splitlines() for part in line.split('"') if ">=" in part]
    open_ended = [each for each in requirements if ",<" not in each and not each.startswith((">=", "hatchling"))]
    assert open_ended == []


def test_the_pins_of_what_was_installed_are_renewed() -> None:
    text = pinned(CONSTRAINTS, {"Msg.Spec": "0.23.0", "new-one": "1.0"})
    assert text == "# Why.\nhttpx==0.28.1\nmsg-spec==0.23.0\nnew-one==1.0\npytest==9.2.0\nsniffio==1.3.1\n"


BEFORE = """
class Endpoint:
    path: str
    weight: int

class Project:
    def build(self) -> None:
        self.env.get_template("a").render(endpoint=1, old=2)
"""
AFTER = """
class Endpoint:
    path: bytes
    weight: str

class Project:
    def build(self) -> None:
        self.env.get_template("a").render(endpoint=1, new=2)
"""


def generator(place: Path, code: str, templates: dict[str, str]) -> Path:
    package = place / "openapi_python_client"
    (package / "templates").mkdir(parents=True)
    (package / "__init__.py").write_text(code, encoding="utf-8")
    for name, text in templates.items():
        (package / "templates" / name).write_text(text, encoding="utf-8")
    return package


def test_what_moved_in_the_generator_is_told(tmp_path: Path) -> None:
    ours = tmp_path / "codegen"
    (ours / "templates").mkdir(parents=True)
    (ours / "templates" / "model.py.jinja").write_text("{{ endpoint.path }}", encoding="utf-8")
    old = generator(tmp_path / "old", BEFORE, {"model.py.jinja": "a\n", "same.jinja": "s\n"})
    new = generator(tmp_path / "new", AFTER, {"model.py.jinja": "b\n", "same.jinja": "s\n"})
    assert list(moved(read(old), read(new), ours)) == [
        "Endpoint.path, which is read here: bytes, was str",
        "1 attributes that nothing here reads",
        "templates are given new",
        "templates are no longer given old",
        "template model.py.jinja: 1 lines more, 1 less; ours takes its place",
    ]


def test_nothing_moved_between_a_version_and_itself(root: Path, tmp_path: Path) -> None:
    package = generator(tmp_path, BEFORE, {})
    assert list(moved(read(package), read(package), root / "codegen" / "render")) == []
