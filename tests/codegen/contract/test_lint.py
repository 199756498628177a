"""The lint of the contract's conventions."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from codegen.contract.contract import Contract
from codegen.contract.lint import findings
from tests.codegen.contract.lamps import LAMPS


def run(root: Path, path: Path) -> tuple[int, str]:
    command = [sys.executable, "-m", "codegen.contract.lint", str(path)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_the_contract_keeps_its_conventions(root: Path) -> None:
    assert run(root, root / "openapi.yaml") == (0, "openapi.yaml: all in order\n")


def test_a_finding_is_printed_with_its_place_and_the_status_is_1(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "openapi.yaml"
    path.write_text(LAMPS.replace("[lamps]", "lamps", 1), encoding="utf-8")
    place = "#/paths/~1v3~1organizations~1{org_id}~1lamps/get/tags"
    finding = f'openapi.yaml:15: {place}: the text `lamps` breaks `type: "array"`'
    assert run(root, path) == (1, f"{finding}; correct it\n")


# The contract of the lamps breaks some conventions; an edit breaks the others.
BROKEN = [
    ("", "", "get/security: neither a permission nor a gap with `permission` in its id"),
    ("", "", "post: neither x-permission-level nor a gap with `level` in its id"),
    ("", "", "#/components/schemas/Bulb: the schema Bulb has no `examples`"),
    ("", "", "#/components/schemas/Bulb: the schema Bulb has no `description`"),
    ("", "", "Bulb/properties/watts: the property `watts` has no description"),
    ("", "", "#/components/parameters/OrgId: the parameter `org_id` has no description"),
    ('"201":', "2XX:", "post/responses/2XX: 2XX without a gap with `response` in its id"),
    ('"201":', 'default: {description: No.}\n        "201":', "default without a gap with `error` in its id"),
    ("x-known-values: [lit]", "x-known-values: [lit]\n          enum: [lit]", "x-known-values beside enum"),
    ("x-known-values", "x-columns: [tone]\n          x-known-values", "x-columns: `tone` is no property of the schema"),
    ("[red, blue]", "[red, blue]\n          x-not-shown: [{id: a-values, what: A.}]", "an enum whose values are a gap"),
    ("type: number", "type: object\n          properties: {a: {}}", "an object with a is written inline; make it a n"),
]


@pytest.mark.parametrize(("old", "new", "finding"), BROKEN)
def test_a_broken_convention_is_reported(tmp_path: Path, old: str, new: str, finding: str) -> None:
    assert old in LAMPS
    path = tmp_path / "openapi.yaml"
    path.write_text(LAMPS.replace(old, new, 1), encoding="utf-8")
    contract = Contract(path)
    lines = [contract.source.describe(each) for each in findings(contract)]
    assert [line for line in lines if finding in line], lines
