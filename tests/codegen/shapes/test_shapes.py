"""Operations of every shape cost only their YAML: generated, typed strictly, and served by the sandbox.

`paths.yaml` and `schemas.yaml` are written into a copy of the contract; `use.py` is the program of a user, and
`use_wrongly.py` has what type checkers refuse.
"""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import indent

import pytest

from tests.codegen.checkouts import copy_checkout, importing, python

HERE = Path(__file__).parent
TAGS = ("boxes", "class", "org id", "payments", "policies")
PYRIGHT = """
{"include": ["generated", "tests/codegen/shapes/use*.py"], "extraPaths": ["generated", "overlay"],
 "typeCheckingMode": "strict", "pythonVersion": "3.11"}
"""


def entry(name: str, spaces: int) -> str:
    """Return a file of this folder as it is written into the contract."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines(keepends=True)
    return indent("".join(line for line in lines if not line.startswith("#")), " " * spaces)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the checkout with the entries in its contract, and generate its package."""
    copy = copy_checkout(tmp_path_factory.mktemp("shapes"))
    contract = copy / "openapi.yaml"
    text = contract.read_text(encoding="utf-8")
    tags = "".join(f"  - {{name: {name}, description: Made up.}}\n" for name in TAGS)
    added = {"\ntags:\n": tags, "\npaths:\n": entry("paths.yaml", 2), "\n  schemas:\n": entry("schemas.yaml", 4)}
    for key, entries in added.items():
        text = text.replace(key, key + entries, 1)
    contract.write_text(text, encoding="utf-8", newline="\n")
    generated = python(copy, "-m", "codegen.render.generate")
    assert (generated.returncode, generated.stderr) == (0, "")
    return copy


def test_the_entries_keep_the_conventions_but_for_inline_schemas(copy: Path) -> None:
    findings = python(copy, "-m", "codegen.contract.lint").stderr.splitlines()
    assert [each for each in findings if not each.endswith("is written inline; make it a named schema")] == []
    assert len(findings) == 3


def test_the_program_of_a_user_is_typed_for_mypy(copy: Path) -> None:
    options = ("--strict", "--config-file=", "--explicit-package-bases")
    programs = [f"tests/codegen/shapes/{name}.py" for name in ("use", "use_wrongly")]
    checked = python(copy, "-m", "mypy", *options, "generated", *programs, MYPYPATH=importing(copy)["PYTHONPATH"])
    assert checked.returncode == 0, checked.stdout


def test_the_program_of_a_user_is_typed_for_pyright(copy: Path) -> None:
    settings = copy / "pyrightconfig.json"
    settings.write_text(PYRIGHT, encoding="utf-8")
    checked = python(copy, "-m", "pyright", "--pythonpath", sys.executable, "--project", str(settings))
    assert checked.returncode == 0, checked.stdout


def test_the_program_of_a_user_runs_in_process_and_over_tcp(copy: Path) -> None:
    used = python(copy, "-W", "error", "tests/codegen/shapes/use.py")
    assert (used.stdout, used.stderr) == ("all of it works\n", "")
