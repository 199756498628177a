"""The commands that read openapi.yaml tell the same findings, and write nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from codegen.contract.source import ContractError
from codegen.vendoring.private_build import private_build
from codegen.vendoring.vendor import vendor
from tests.codegen.contract.lamps import LAMPS, findings

WRONG = {
    "bad indentation": LAMPS.replace("      tags", "       tags", 1),
    "an operationId at two places": LAMPS.replace("create_organization_lamp", "list_organization_lamps"),
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_every_command_tells_the_findings_and_writes_nothing(root: Path, tmp_path: Path, text: str) -> None:
    expected = "\n".join(findings(text, tmp_path))
    command = [sys.executable, "-m", "codegen.render.generate", str(tmp_path)]
    done = subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stdout, done.stderr.rstrip()) == (1, "", expected)
    with pytest.raises(ContractError) as vendored:
        vendor(tmp_path / "copy", root=tmp_path)
    with pytest.raises(ContractError) as built:
        private_build(tmp_path, tmp_path / "build", "acme", None)
    assert str(vendored.value) == str(built.value) == expected
    assert [path.name for path in tmp_path.iterdir()] == ["openapi.yaml"]
