"""The commands that read openapi.yaml tell the same findings, and write nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from codegen.contract.source import ContractError
from codegen.vendoring.private_build import private_build
from codegen.vendoring.vendor import vendor
from tests.codegen.contract.lamps import CREATE, LAMPS, LIST, findings

WRONG = {
    "an empty file": ("", 'openapi.yaml:1: #: `null` breaks `type: "object"`'),
    "bad indentation": (
        LAMPS.replace("      tags", "       tags", 1),
        "openapi.yaml:16: #: not valid YAML: did not find expected key",
    ),
    "an undefined reference": (
        LAMPS.replace("schemas/Lamps", "schemas/Lapms"),
        f"openapi.yaml:42: {LIST}/responses/200/content/application~1json/schema/$ref: `#/components/schemas/Lapms`",
    ),
    "an operationId at two places": (
        LAMPS.replace("create_organization_lamp", "list_organization_lamps"),
        f"openapi.yaml:45: {CREATE}/operationId: the operationId `list_organization_lamps` is also that of {LIST}",
    ),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=WRONG)
def test_generating_tells_the_findings_and_writes_nothing(root: Path, tmp_path: Path, text: str, message: str) -> None:
    expected = findings(text, tmp_path)
    command = [sys.executable, "-m", "codegen.render.generate", str(tmp_path)]
    done = subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == expected
    assert expected[0].startswith(message)
    assert [path.name for path in tmp_path.iterdir()] == ["openapi.yaml"]


@pytest.mark.parametrize("text", ["", "a: [", LAMPS.replace("responses:", "responces:", 1)])
def test_vendoring_and_private_builds_tell_the_findings_and_write_nothing(tmp_path: Path, text: str) -> None:
    expected = "\n".join(findings(text, tmp_path))
    with pytest.raises(ContractError) as vendored:
        vendor(tmp_path / "copy", root=tmp_path)
    with pytest.raises(ContractError) as built:
        private_build(tmp_path, tmp_path / "build", "acme", None)
    assert str(vendored.value) == str(built.value) == expected
    assert [path.name for path in tmp_path.iterdir()] == ["openapi.yaml"]
