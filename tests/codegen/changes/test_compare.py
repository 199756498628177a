"""A comparison with a wrong contract tells its mistakes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from codegen.changes.compare import BaseError, report
from codegen.changes.revision import git
from codegen.contract import ContractError
from tests.codegen.contract.checks.lamps import LAMPS

WRONG = LAMPS.replace("schemas/Lamps", "schemas/Lapms")
PLACE = "#/paths/~1v3~1organizations~1{org_id}~1lamps/get/responses/200/content/application~1json/schema/$ref"
FINDING = f"openapi.yaml:42: {PLACE}: `#/components/schemas/Lapms` is not defined; "


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a git repository with the compared files; nothing is committed yet."""
    for package in ("generated", "overlay"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "empty.py").touch()
    git(tmp_path, "init", "--quiet")
    return tmp_path


def commit(checkout: Path, text: str) -> None:
    (checkout / "openapi.yaml").write_text(text, encoding="utf-8")
    git(checkout, "add", ".")
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    git(checkout, *identity, "commit", "--quiet", "--message", "The contract.")


def test_the_mistakes_of_the_checkout_are_told_with_their_places(checkout: Path) -> None:
    commit(checkout, LAMPS)
    (checkout / "openapi.yaml").write_text(WRONG, encoding="utf-8")
    with pytest.raises(ContractError) as raised:
        report(checkout, "HEAD")
    assert str(raised.value).startswith(FINDING)


def test_the_mistakes_of_the_base_are_told_with_its_name(checkout: Path) -> None:
    commit(checkout, WRONG)
    (checkout / "openapi.yaml").write_text(LAMPS, encoding="utf-8")
    with pytest.raises(BaseError) as raised:
        report(checkout, "HEAD")
    head, *lines = str(raised.value).splitlines()
    assert head == "openapi.yaml of HEAD cannot be compared; name another BASE:"
    assert lines[0].startswith(FINDING)


OVERLAY = """\
overlay: 1.0.0
info: {title: Observed, version: 0.1.0}
actions:
  - target: $.components.schemas.Lamp.properties
    update: {watts: {type: number}}
  - target: $.paths['/v3/organizations/{org_id}/lamps'].get['x-not-shown'][?(@.id=='lamp-list-errors')]
    update: {closed: {answers: 1, first: "2026-11-20", last: "2026-11-20"}}
  - target: $.paths.none
    remove: true
"""


@pytest.mark.parametrize("base", ["HEAD", None])
def test_what_an_overlay_adds_is_told_as_a_change_of_the_contract(
    checkout: Path, base: str | None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The packages do not matter here.
    monkeypatch.setattr("codegen.changes.compare.breakages", lambda *_: [])
    commit(checkout, LAMPS)
    (checkout / "seen.overlay.yaml").write_text(OVERLAY, encoding="utf-8")
    found = report(checkout, base, [checkout / "seen.overlay.yaml"])
    assert list(found.lines()) == [
        f"# Changes since {base or 'this checkout without seen.overlay.yaml'}",
        "",
        "### Added",
        "- `Lamp.watts` (number).",
        "- `organization.lamps.create`: the argument `watts` (number).",
        "",
        "## Gaps",
        "- Closed by observation `lamp-list-errors`: The statuses (in 1 response, on 2026-11-20)",
        "",
        "Nothing of this breaks callers.",
    ]
    assert capsys.readouterr().err.startswith("seen.overlay.yaml:8: #/actions/2/target: matches nothing")


def test_an_overlay_is_not_written_into_the_changelog() -> None:
    command = [sys.executable, "-m", "codegen.changes.compare", "HEAD", "--write", "--overlay", "seen.overlay.yaml"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "--write takes no Overlay" in done.stderr
