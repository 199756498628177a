"""A wrong Overlay document is refused: file, line, action, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.contract import ContractError
from codegen.overlay_document import OverlayDocument, read_overlays
from tests.codegen.overlay_document.documents import HEAD, HEAD_1_1, write

WRONG = {
    "empty": ("", "1: #: no Overlay document; it must be a mapping that begins with `overlay: 1.0.0`"),
    "a list": ("- overlay", "1: #: no Overlay document"),
    "no YAML": ("overlay: [", "2: #: not valid YAML"),
    "twice the same key": (f"{HEAD}  - {{target: $, target: $}}", "4: #/actions/0/target: `target` is there already"),
    "no version": (HEAD.replace("overlay: 1.0.0", "x-a: 1") + "  - {}", "1: #/overlay: the version is missing; write"),
    "another version": (HEAD.replace("1.0.0", "2.0.0", 1), "1: #/overlay: the version is `2.0.0`; write"),
    "a version as a number": (HEAD.replace("1.0.0", "1.0", 1), "1: #/overlay: the version is `1.0`; write"),
    "an unknown key": (f"action: []\n{HEAD}", "1: #/action: `action` is unknown; did you mean `actions`?"),
    "no info": ("overlay: 1.0.0\nactions: []", "1: #/info: `info` must be a mapping; write"),
    "no title": (HEAD.replace("title: Observed, ", ""), "2: #/info: `title` is missing; add it"),
    "a number as version": (
        HEAD.replace("0.1.0", "0.1"),
        "2: #/info/version: `version` must be a text, not `0.1`; put it in quotes",
    ),
    "no actions": (HEAD, "3: #/actions: `actions` must be a list with at least one action"),
    "an action that is a text": (f"{HEAD}  - $", "4: #/actions/0: an action must be a mapping"),
    "no target": (f"{HEAD}  - update: {{}}", "4: #/actions/0: `target` is missing; add it"),
    "no effect": (f"{HEAD}  - target: $", "4: #/actions/0: the action does nothing; add `update: ...`"),
    "remove: false": (f"{HEAD}  - target: $\n    remove: false", "4: #/actions/0: the action does nothing"),
    "update and remove": (
        f"{HEAD}  - target: $.info\n    update: {{}}\n    remove: true",
        "4: #/actions/0: the action has `update` and `remove`, and only one has an effect; make two",
    ),
    "update and copy": (f"{HEAD_1_1}  - {{target: $.a, copy: $.b, update: {{}}}}", "4: #/actions/0: the action has"),
    "a copy in 1.0": (f"{HEAD}  - {{target: $.a, copy: $.b}}", "4: #/actions/0/copy: `copy` needs Overlay 1.1"),
    "a misspelled key": (
        f"{HEAD}  - target: $\n    udpate: {{}}",
        "5: #/actions/0/udpate: `udpate` is unknown; did you mean `update`?",
    ),
    "a flag as text": (
        f'{HEAD}  - target: $.a\n    remove: "true"',
        "5: #/actions/0/remove: `remove` must be `true` or `false`, not `true`; correct it",
    ),
    "no JSONPath": (
        f"{HEAD}  - target: paths.*\n    update: {{}}",
        "4: #/actions/0/target: `paths.*` is no JSONPath (RFC 9535): it must begin with `$`",
    ),
    "an unfinished JSONPath": (
        f"{HEAD}  - target: $.paths[\n    update: {{}}",
        "4: #/actions/0/target: `$.paths[` is no JSONPath (RFC 9535): ",
    ),
    "an extension of a library": (
        f"{HEAD}  - target: $.paths.*~\n    update: {{}}",
        "4: #/actions/0/target: `$.paths.*~` is no JSONPath (RFC 9535): ",
    ),
    "a wrong second action": (
        f"{HEAD}  - {{target: $, update: {{}}}}\n  - {{target: '', update: {{}}}}",
        "5: #/actions/1/target: `target` must be a text, not empty; write it",
    ),
    "no root": (f"{HEAD}  - {{target: $, remove: true}}", "4: #/actions/0/target: the whole document cannot be"),
    "an empty reason": (
        f"{HEAD}  - {{target: $, update: {{}}, x-contradicts: true}}",
        "4: #/actions/0/x-contradicts: `x-contradicts` must be a text",
    ),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_document_is_reported_with_its_line_and_the_way_out(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, "observed.overlay.yaml", text)
    with pytest.raises(ContractError) as raised:
        OverlayDocument(path)
    lines = str(raised.value).splitlines()
    assert [line for line in lines if line.startswith(f"observed.overlay.yaml:{message}")], lines


def test_a_document_may_be_json_and_have_extensions(tmp_path: Path) -> None:
    text = """{"overlay": "1.1.0", "x-a": 1, "info": {"title": "T", "version": "1", "x-b": 2}, "extends": "a.yaml",
               "actions": [{"target": "$.info", "update": {"x-c": 3}, "x-d": 4, "description": "Why."}]}"""
    [action] = OverlayDocument(write(tmp_path, "a.json", text)).actions
    assert (action.target, action.effect, action.value) == ("$.info", "update", {"x-c": 3})


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match=r"^a\.yaml:1: #: cannot be read \(No such file"):
        OverlayDocument(tmp_path / "a.yaml")


def test_two_documents_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    text = f"{HEAD}  - {{target: $, update: {{}}}}\n"
    paths = [write(each, "a.yaml", text) for each in (tmp_path, tmp_path / "other")]
    with pytest.raises(ContractError, match=r"another Overlay has the name a\.yaml too; rename one"):
        read_overlays(paths)
