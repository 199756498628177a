"""The applied contract as a file: only what changed is written anew."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any

import pytest

from codegen import ROOT
from codegen.contract import Source
from codegen.overlay_document.text import rewrite

CONTRACT = (ROOT / "openapi.yaml").read_text(encoding="utf-8")


def test_an_unchanged_contract_is_the_same_text() -> None:
    assert rewrite(CONTRACT, Source(ROOT / "openapi.yaml").document) == CONTRACT


def test_only_the_lines_of_a_change_differ() -> None:
    document = Source(ROOT / "openapi.yaml").document
    document["components"]["schemas"]["Session"]["properties"]["queue_position"] = {"type": "integer"}
    lines = difflib.ndiff(CONTRACT.splitlines(), rewrite(CONTRACT, document).splitlines())
    assert [line[2:].strip() for line in lines if line[0] in "+-?"] == ["queue_position:", "type: integer"]


VALUES: list[Any] = ["on", "2026-11-20", "1e3", "0x1", "null", "", "a: b", "#", True, 1, 1.5, None, [], {}, [1, [2]]]


@pytest.mark.parametrize("value", VALUES)
def test_every_value_is_read_as_it_was(value: Any) -> None:
    document = {"a": 1, "b": value, "c": [{"d": value}]}
    text = rewrite("a: 1 # One.\n", document)
    assert Source(Path("openapi.yaml"), text).document == document
    assert "a: 1 # One.\n" in text


def test_true_is_not_taken_for_one() -> None:
    assert rewrite("a: 1\n", {"a": True}) == "a: true\n"


def test_a_text_with_anchors_is_written_as_json() -> None:
    document = {"a": {"x": 1}, "b": {"x": 2}}
    text = rewrite("a: &one {x: 1}\nb: *one\n", document)
    assert Source(Path("openapi.yaml"), text).document == document
