"""Operations of every shape cost only their YAML: generated, typed strictly, and served by the sandbox.

`paths.yaml` and `schemas.yaml` are written into a copy of the contract; `use.py` is the program of a user.
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
{"include": ["generated", "tests/codegen/shapes/use.py"], "extraPaths": ["generated", "overlay"],
 "typeCheckingMode": "strict", "pythonVersion": "3.11"}
"""


def entry(name: str, spaces: int) -> str:
    """Return a file of this folder as it is written into the contract."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines(keepends=True)
    return indent("".join(line for line in lines if not line.startswith("#")), " " * spaces)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of what generating and running needs, with the entries in its contract."""
    copy = copy_checkout(tmp_path_factory.mktemp("shapes"))
    contract = copy / "openapi.yaml"
    text = contract.read_text(encoding="utf-8")
    tags = "".join(f"  - {{name: {name}, description: Made up.}}\n" for name in TAGS)
    for key, entries in (
        ("\ntags:\n", tags),
        ("\npaths:\n", entry("paths.yaml", 2)),
        ("\n  schemas:\n", entry("schemas.yaml", 4)),
    ):
        text = text.replace(key, key + entries, 1)
    contract.write_text(text, encoding="utf-8", newline="\n")
    generated = python(copy, "-m", "codegen.render.generate")
    assert (generated.returncode, generated.stderr) == (0, "")
    return copy


def paths(copy: Path) -> str:
    """Return the folders of the packages of the copy."""
    return importing(copy)["PYTHONPATH"]


def test_the_entries_keep_the_conventions(copy: Path) -> None:
    assert python(copy, "-m", "codegen.contract.lint").stdout == "openapi.yaml: all in order\n"


def test_the_program_of_a_user_is_typed_for_mypy(copy: Path) -> None:
    options = ("--strict", "--config-file=", f"--cache-dir={copy / 'cache'}", "--explicit-package-bases")
    checked = python(copy, "-m", "mypy", *options, "generated", "tests/codegen/shapes/use.py", MYPYPATH=paths(copy))
    assert checked.returncode == 0, checked.stdout


def test_the_program_of_a_user_is_typed_for_pyright(copy: Path) -> None:
    settings = copy / "pyrightconfig.json"
    settings.write_text(PYRIGHT, encoding="utf-8")
    checked = python(copy, "-m", "pyright", "--pythonpath", sys.executable, "--project", str(settings))
    assert checked.returncode == 0, checked.stdout


def test_the_program_of_a_user_runs_in_process_and_over_tcp(copy: Path) -> None:
    used = python(copy, "-W", "error", "tests/codegen/shapes/use.py")
    assert (used.stdout, used.stderr) == ("all of it works\n", "")


def test_a_required_member_of_a_nested_body_is_required(copy: Path) -> None:
    code = "from agent_session_platform.models import Owner\nOwner()\nOwner(name=1)\n"
    (copy / "wrong.py").write_text(code, encoding="utf-8")
    options = ("--strict", "--config-file=", f"--cache-dir={copy / 'cache'}", "--explicit-package-bases")
    checked = python(copy, "-m", "mypy", *options, "wrong.py", MYPYPATH=paths(copy))
    assert 'wrong.py:2: error: Missing named argument "name" for "Owner"' in checked.stdout
    assert 'wrong.py:3: error: Argument "name" to "Owner" has incompatible type "int"' in checked.stdout
    refused = python(copy, "-c", "from agent_session_platform.models import Owner\nOwner()")
    assert refused.stderr.endswith("TypeError: Owner needs name\n")
