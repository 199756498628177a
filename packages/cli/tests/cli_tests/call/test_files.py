"""Files that are sent and saved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli_tests.conftest import Asp

CONTENT = bytes(range(256)) * 40


@pytest.fixture
def uploaded(asp: Asp, tmp_path: Path) -> list[str]:
    """Upload a file, and return the arguments that download it."""
    file = tmp_path / "report.bin"
    file.write_bytes(CONTENT)
    result = asp("call", "organization.attachments.upload", "--file", str(file), "-o", "json")
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    return ["call", "organization.attachments.download", found["uuid"], found["name"]]


def test_a_file_is_saved_or_goes_to_stdout(asp: Asp, uploaded: list[str], tmp_path: Path) -> None:
    target = tmp_path / "saved.bin"
    result = asp(*uploaded, "--save", str(target))
    assert (result.exit_code, result.stdout, target.read_bytes()) == (0, "", CONTENT)
    assert result.stderr == f"asp: {len(CONTENT)} bytes in {target}\n"
    assert asp(*uploaded).stdout_bytes == CONTENT


def test_a_file_is_not_written_to_a_terminal(asp: Asp, uploaded: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda self: True)
    result = asp(*uploaded)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "use --save FILE, or redirect the output" in result.stderr


def test_a_file_that_is_not_there_is_a_wrong_use(asp: Asp) -> None:
    result = asp("call", "organization.attachments.upload", "--file", "nothing.bin")
    assert (result.exit_code, "'nothing.bin' does not exist" in result.stderr) == (2, True)
