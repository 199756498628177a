"""Another version of the generator: its pins, and what changed in it."""

from __future__ import annotations

from pathlib import Path

from codegen.render.generator_context import changes, read
from codegen.render.upgrade_generator import renew_pins

CONSTRAINTS = "# Why.\nhttpx==0.28.1\nmsg-spec==0.22.0\npytest==9.2.0\nsniffio==1.3.1\n"


def test_the_pins_of_what_was_installed_are_renewed() -> None:
    text = renew_pins(CONSTRAINTS, {"Msg.Spec": "0.23.0", "new-one": "1.0"})
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


def test_changes_of_the_generator_are_reported(tmp_path: Path) -> None:
    ours = tmp_path / "codegen"
    (ours / "templates").mkdir(parents=True)
    (ours / "templates" / "model.py.jinja").write_text("{{ endpoint.path }}", encoding="utf-8")
    old = generator(tmp_path / "old", BEFORE, {"model.py.jinja": "a\n", "same.jinja": "s\n"})
    new = generator(tmp_path / "new", AFTER, {"model.py.jinja": "b\n", "same.jinja": "s\n"})
    assert list(changes(read(old), read(new), ours)) == [
        "the argument of templates new: passed, was not there",
        "the argument of templates old: gone, was passed",
        "the template model.py.jinja: +1 -1 lines; ours replaces it",
        "Endpoint.path, which is used here: bytes, was str",
        "1 attributes that nothing here uses",
    ]


def test_a_version_has_no_changes_against_itself(root: Path, tmp_path: Path) -> None:
    package = generator(tmp_path, BEFORE, {})
    assert list(changes(read(package), read(package), root / "codegen" / "render")) == []
