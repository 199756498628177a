"""The lint of the contract's conventions: silent on the contract, and loud about each thing that breaks one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def lint(root: Path, text: str, tmp_path: Path) -> tuple[int, str]:
    contract = tmp_path / "openapi.yaml"
    contract.write_text(text, encoding="utf-8")
    command = [sys.executable, str(root / "codegen" / "lint.py"), str(contract)]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_the_contract_keeps_its_conventions(root: Path, tmp_path: Path) -> None:
    text = (root / "openapi.yaml").read_text(encoding="utf-8")
    assert lint(root, text, tmp_path) == (0, "openapi.yaml: all in order\n")


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("tags: [reviews]", "tags: [revews]", "POST /v3/enterprise/pr-reviews: a tag of ['revews'] is not declared"),
        ("- serviceUser: [UseReviewManual]", "[]", "no kind of credential; write `security`"),
        ("- serviceUser: [UseReviewManual]", "- serviceUser: []", "neither a permission nor a gap with `permission`"),
        (
            "id: automation-update-level",
            "id: automation-update-access",
            "neither x-permission-level nor a gap with `level`",
        ),
        ("x-permission-level: enterprise", "x-permission-level: planet", "x-permission-level is 'planet'"),
        ("id: session-get-response", "id: session-get-answer", "2XX without a gap with `response` in its id"),
        ("id: session-get-errors", "id: session-get-failures", "default without a gap with `error` in its id"),
        ("      examples: [pending]\n", "", "schema ReviewStatus: no example; write `examples: [...]`"),
        ("      description: Type of a role.\n", "", "schema RoleType: no description"),
        ("id: review-latest-commit", "id: review-starts-pending", "rule review-starts-pending is used twice"),
        (
            "          x-known-values: [inherit]",
            "          x-known-values: [inherit]\n          enum: [inherit]",
            "x-known-values beside enum",
        ),
        (
            "          x-known-values: [inherit]",
            "          enum: [inherit]",
            "an enum whose values are a gap",
        ),
        (
            '          $ref: "#/components/schemas/SessionSecurityProfile"',
            "          type: object\n          properties: {a: {type: string}}",
            "schema Session: security_profile: an object with a stands inline; give it a name",
        ),
        (
            "      examples: [pending]\n",
            "      examples: &all [pending]\n",
            "a YAML anchor or alias, all;",
        ),
        ("id: session-status-values", "id: session-category-values", "gap session-category-values stands at"),
    ],
)
def test_what_breaks_a_convention_is_told(root: Path, tmp_path: Path, old: str, new: str, finding: str) -> None:
    text = (root / "openapi.yaml").read_text(encoding="utf-8")
    assert old in text
    status, told = lint(root, text.replace(old, new, 1), tmp_path)
    assert status == 1
    assert finding in told
