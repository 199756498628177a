"""The generated code follows the contract; `tests.codegen.shapes` has all shapes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from codegen.contract.source import ContractError
from codegen.render.generate import PACKAGE, files, generate


@pytest.fixture
def copy(root: Path, tmp_path: Path) -> Path:
    """Return a copy of the contract, and of the generated package."""
    shutil.copytree(root / PACKAGE, tmp_path / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(root / "openapi.yaml", tmp_path)
    return tmp_path


def replace(copy: Path, old: str, new: str) -> None:
    """Replace the first occurrence of a text in the contract."""
    text = (copy / "openapi.yaml").read_text(encoding="utf-8")
    assert old in text
    (copy / "openapi.yaml").write_text(text.replace(old, new, 1), encoding="utf-8")


def test_the_check_names_files_that_differ_and_generating_mends_them(root: Path, copy: Path) -> None:
    for name in ("errors.py", "extra.py"):
        (copy / PACKAGE / name).write_text("# edited by hand\n", encoding="utf-8")
    (copy / PACKAGE / "model.py").unlink()
    names = "\n  ".join(f"{PACKAGE}/{name}.py" for name in ("errors", "extra", "model"))
    with pytest.raises(ContractError, match=f"run `make generate`:\n  {names}$"):
        generate(copy, check=True)
    generate(copy, check=False)
    assert files(copy) == files(root)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("/v3/enterprise/pr-reviews:", "/v3/pr-reviews?a=b:", "/v3/pr-reviews.a=b is not a path that the SDK can send"),
        (
            "name: email\n          in: query",
            "name: email\n          style: spaceDelimited\n          in: query",
            "parameters/.: the query parameter email has style: spaceDelimited, which the SDK cannot send; declare it",
        ),
        (
            "application/merge-patch+json:",
            "multipart/form-data:",
            "a body of multipart/form-data whose members are not shown",
        ),
    ],
)
def test_what_the_generator_would_leave_out_is_an_error_that_changes_nothing(
    copy: Path, old: str, new: str, message: str
) -> None:
    replace(copy, old, new)
    before = (copy / PACKAGE / "catalogue.py").read_bytes()
    with pytest.raises(ContractError, match=rf"openapi\.yaml:\d+: #/paths/.*{message}"):
        generate(copy, check=False)
    assert (copy / PACKAGE / "catalogue.py").read_bytes() == before


def test_a_contract_without_a_model_is_generated(tmp_path: Path) -> None:
    operation = "{delete: {tags: [lamps], operationId: delete_lamp, responses: {'204': {description: D}}}}"
    text = f"openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\npaths: {{/v3/enterprise/lamp: {operation}}}\n"
    (tmp_path / "openapi.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "generated").mkdir()
    generate(tmp_path, check=False)
    assert f"{PACKAGE}/models/__init__.py" in files(tmp_path)


def test_the_line_ending_of_the_contract_changes_nothing(copy: Path) -> None:
    text = (copy / "openapi.yaml").read_text(encoding="utf-8")
    (copy / "openapi.yaml").write_text(text, encoding="utf-8", newline="\r\n")
    generate(copy, check=True)
