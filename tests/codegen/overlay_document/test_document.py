"""A wrong Overlay document is refused: file, line, action, and what to do."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from codegen.contract.source import ContractError
from codegen.overlay_document import OverlayDocument, read_overlays
from tests.codegen.overlay_document.documents import HEAD, write

NO_JSONPATH = "is not a usable JSONPath"
TOO_MANY = f"{NO_JSONPATH}: it has more than 2 `..`, or 10 wildcards and commas; name the members"
NO_EFFECT = "/actions/0: the action does nothing, or two things; write one of `update` and `remove: true`"
# For each document: the text, the reported line, and a part of the message.
DOCUMENTS = {
    "empty": ("", 1, "#: `null` breaks `type: "),
    "no version": (HEAD.replace("overlay: 1.0.0", "x-a: 1") + "  - {}", 1, "#: `overlay` is missing; add it"),
    "another version": (HEAD.replace("1.0.0", "2.0.0", 1), 1, "#/overlay: the text `2.0.0` breaks `pattern"),
    "an unknown key": (f"action: []\n{HEAD}", 1, "is no keyword of `overlay`; did you mean `actions`?"),
    "no actions": (HEAD, 3, '#/actions: `null` breaks `type: "array"`'),
    "no effect": (f"{HEAD}  - target: $", 4, NO_EFFECT),
    "remove: false": (f"{HEAD}  - target: $\n    remove: false", 4, NO_EFFECT),
    "two effects": (f"{HEAD}  - {{target: $.a, remove: true, update: {{}}}}", 4, NO_EFFECT),
    "a copy": (f"{HEAD}  - {{target: $.a, copy: $.b}}", 4, "#/actions/0/copy: `copy` is no keyword of `action`"),
    "a misspelled key": (f"{HEAD}  - target: $\n    udpate: {{}}", 5, "of `action`; did you mean `update`?"),
}
# For each target: a part of the message. The last targets would take forever, or end the process.
TARGETS = {
    "paths.*": "it must begin with `$`",
    "$.paths[": NO_JSONPATH,
    "$.paths.*~": NO_JSONPATH,
    "": "the text `` breaks `pattern: ",
    "$..[?match(@.a, '(a+)+$')]": "function 'match' is not defined; compare with `==`",
    "$" + ".a" * 900: NO_JSONPATH,
    "$..a..b..c": TOO_MANY,
    "$" + ".*" * 11: TOO_MANY,
    f"$[?{'(' * 900}@.a{')' * 900}]": NO_JSONPATH,
}
WRONG = [*DOCUMENTS.values()]
WRONG += [(f'{HEAD}  - target: "{target}"\n    update: {{}}', 4, words) for target, words in TARGETS.items()]


@pytest.mark.parametrize(("text", "line", "words"), WRONG)
def test_a_wrong_document_is_reported_with_its_line_and_the_way_out(
    tmp_path: Path, text: str, line: int, words: str
) -> None:
    path = write(tmp_path, "observed.overlay.yaml", text)
    with pytest.raises(ContractError) as raised:
        OverlayDocument(path)
    lines = str(raised.value).splitlines()
    assert [each for each in lines if each.startswith(f"observed.overlay.yaml:{line}: ") and words in each], lines


def test_a_document_may_be_json_and_have_extensions(tmp_path: Path) -> None:
    text = """{"overlay": "1.1.0", "x-a": 1, "info": {"title": "T", "version": "1", "x-b": 2}, "extends": "a.yaml",
               "actions": [{"target": "$.info", "update": {"x-c": 3}, "x-d": 4, "description": "Why."}]}"""
    [action] = OverlayDocument(write(tmp_path, "a.json", text)).actions
    assert (action.target, action.update) == ("$.info", {"x-c": 3})


def test_aliases_are_read_as_pyyaml_writes_them(tmp_path: Path) -> None:
    lamp = {"type": "number"}
    overlay = {
        "overlay": "1.0.0",
        "info": {"title": "T", "version": "1"},
        "actions": [{"target": "$.a", "update": lamp}, {"target": "$.b", "update": lamp}],
    }
    text = yaml.safe_dump(overlay)
    assert "*id001" in text
    actions = OverlayDocument(write(tmp_path, "a.yaml", text)).actions
    assert [action.update for action in actions] == [lamp, lamp]


def test_aliases_that_stand_for_billions_of_values_are_refused(tmp_path: Path) -> None:
    lines = (f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]\n" for old, new in pairwise("abcdefghijklm"))
    path = write(tmp_path, "a.yaml", "a: &a [x]\n" + "".join(lines))
    with pytest.raises(ContractError, match=r"^a\.yaml:1: #: aliases of aliases that stand for too many"):
        OverlayDocument(path)


def test_an_alias_of_itself_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "a.yaml", "a: &a [*a]\n")
    with pytest.raises(ContractError, match=r"^a\.yaml:1: #: nested too deeply; use `\$ref`$"):
        OverlayDocument(path)


def test_two_documents_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    text = f"{HEAD}  - {{target: $, update: {{}}}}\n"
    paths = [write(each, "a.yaml", text) for each in (tmp_path, tmp_path / "other")]
    with pytest.raises(ContractError, match=r"another Overlay has the name a\.yaml too; rename one"):
        read_overlays(paths)
