"""All commands that read openapi.yaml report the same findings, and write nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.contract.source import ContractError
from codegen.render.generate import generate
from codegen.vendoring.private_build import private_build
from codegen.vendoring.vendor import vendor
from tests.codegen.contract.lamps import LAMPS, findings

WRONG = {
    "bad indentation": LAMPS.replace("      tags", "       tags", 1),
    "an operationId at two places": LAMPS.replace("create_organization_lamp", "list_organization_lamps"),
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_every_command_tells_the_findings_and_writes_nothing(tmp_path: Path, text: str) -> None:
    expected = "\n".join(findings(text, tmp_path))
    for command in (
        lambda: generate(tmp_path, check=False),
        lambda: vendor(tmp_path / "copy", root=tmp_path),
        lambda: private_build(tmp_path, tmp_path / "build", "acme", None),
    ):
        with pytest.raises(ContractError) as raised:
            command()
        assert str(raised.value) == expected
    assert [path.name for path in tmp_path.iterdir()] == ["openapi.yaml"]
