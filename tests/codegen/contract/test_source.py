"""Text that is no valid YAML or no JSON: told with its line and the nearest place."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.contract.finding import Finding
from codegen.contract.nodes import ContractError
from codegen.contract.source import Source
from tests.codegen.contract.checks.lamps import LIST, check_edit, findings

ID = "      operationId: list_organization_lamps\n"
SUMMARY = "      summary: List the lamps.\n"

# The place is that of the last node before the mistake.
WRONG = [
    ((ID, f" {ID}"), f"{LIST}/tags/0", "the indentation does not fit; align it with the lines above"),
    ((ID, ID[1:]), f"{LIST}/tags/0", "the indentation does not fit"),
    ((ID, "\toperationId: list_organization_lamps\n"), f"{LIST}/tags/0", "a tab; indent with spaces"),
    ((ID, "      operationId list_organization_lamps\n"), f"{LIST}/tags/0", "a key without `:`; add it"),
    ((ID, f"<<<<<<< HEAD\n{ID}"), f"{LIST}/tags/0", "a key without `:`"),
    (("summary: List the lamps.", "summary: List: the: lamps."), f"{LIST}/summary", "quote a text that has `: ` in it"),
    (
        ("summary: List the lamps.", 'summary: "List the lamps.'),
        f"{LIST}/summary",
        "close the quote, or escape a quote",
    ),
    (
        ("summary: List the lamps.", "summary: 'List the lamps."),
        f"{LIST}/summary",
        "close the quote, or escape a quote",
    ),
    (("summary: List the lamps.", "summary: *lamps"), f"{LIST}/summary", "an alias `*name` without its anchor"),
    (("summary: List the lamps.", "summary: @lamps"), f"{LIST}/summary", "quote a text that begins with a special"),
    (("summary: List the lamps.", "summary: !lamps a"), f"{LIST}/summary", "the YAML tag `!lamps` is not supported"),
    (("summary: List the lamps.", "summary: .nan"), f"{LIST}/summary", "`.nan` is no number in JSON"),
    (("tags: [lamps]", "tags: [lamps"), f"{LIST}/tags/0", "a `[` or `{` does not end; close it"),
    ((SUMMARY, SUMMARY * 2), f"{LIST}/summary", "`summary` is there already, in line 17; a key is used once"),
    (('        "200":\n', "        200:\n"), f"{LIST}/responses/200", 'is no text in YAML; put it in quotes: `"200"`'),
    (('        "200":\n', "        null:\n"), f"{LIST}/responses/null", "is no text in YAML"),
    (("paths:\n", "---\npaths:\n"), "#/tags/1/description", "a second document begins; remove the line `---`"),
    ((SUMMARY, "      x-a: &a [*a]\n"), f"{LIST}/x-a/0", "a YAML alias that contains itself"),
    ((SUMMARY, "      ? [a, b]\n      : c\n"), f"{LIST}", "a key that is no text"),
]


@pytest.mark.parametrize(("edit", "place", "words"), WRONG)
def test_text_that_is_not_valid_is_told_with_its_line(
    tmp_path: Path, edit: tuple[str, str], place: str, words: str
) -> None:
    check_edit(tmp_path, edit, place, words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "1: #: the document is empty; it begins with `openapi: 3.1.0`"),
        ("# a comment\n", "1: #: the document is empty"),
        ("- a\n", "1: #: the document is no mapping"),
        ("lamps\n", "1: #: the document is no mapping"),
        ("a: b\x07\n", "1: #: a character that YAML does not allow"),
    ],
)
def test_a_text_that_is_no_document_is_told(tmp_path: Path, text: str, words: str) -> None:
    [found] = findings(text, tmp_path)
    assert found.startswith(f"openapi.yaml:{words}")


def test_a_text_that_is_nested_too_deeply_is_told(tmp_path: Path) -> None:
    [found, *_] = findings(f"paths: {'[' * 500}{']' * 500}", tmp_path)
    assert found.endswith("/0: nested too deeply; use `$ref`")


def test_a_file_that_is_not_utf_8_is_told_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "openapi.yaml"
    path.write_bytes(b"a: b\nc: \xff\n")
    with pytest.raises(ContractError, match=r"^openapi\.yaml:2: #: not UTF-8; save the file as UTF-8$"):
        Source(path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match=r"^openapi\.yaml:1: #: cannot be read \(No such file or directory\)"):
        Source(tmp_path / "openapi.yaml")


def test_plain_words_and_dates_are_text_as_in_yaml_1_2(tmp_path: Path) -> None:
    path = tmp_path / "openapi.yaml"
    path.write_text("[on, no, 2026-11-20, 1:30, 0x1f, 1e3, ~, true, 007]", encoding="utf-8")
    assert Source(path).document == ["on", "no", "2026-11-20", "1:30", 31, 1000.0, None, True, 7]


def test_many_findings_are_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "openapi.yaml"
    path.write_text("a: b", encoding="utf-8")
    lines = str(Source(path).error([Finding("#", "wrong; right")] * 50)).splitlines()
    assert (len(lines), lines[-1]) == (41, "openapi.yaml: 10 more findings; correct these first")
