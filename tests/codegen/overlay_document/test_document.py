"""A wrong Overlay document is refused: file, line, action, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.contract.source import ContractError
from codegen.overlay_document import OverlayDocument, read_overlays
from tests.codegen.overlay_document.documents import HEAD, write


def target(path: str) -> str:
    return f'{HEAD}  - target: "{path}"\n    update: {{}}'


TOO_MANY = "it has more than 2 `..`, or 10 wildcards and commas; name the members"
WRONG = {
    "empty": ("", "1: #: `null` breaks `type: "),
    "a list": ("- overlay", '1: #: `["overlay"]` breaks `type: '),
    "no YAML": ("overlay: [", "2: #: not valid YAML"),
    "twice the same key": (f"{HEAD}  - {{target: $, target: $}}", "4: #/actions/0/target: `target` is there already"),
    "no version": (HEAD.replace("overlay: 1.0.0", "x-a: 1") + "  - {}", "1: #: `overlay` is missing; add it"),
    "another version": (HEAD.replace("1.0.0", "2.0.0", 1), "1: #/overlay: the text `2.0.0` breaks `pattern"),
    "a version as a number": (
        HEAD.replace("1.0.0", "1.0", 1),
        '1: #/overlay: `1.0` breaks `type: "string"`; write `overlay: 1.0.0`',
    ),
    "an unknown key": (
        f"action: []\n{HEAD}",
        "1: #/action: `action` is no keyword of `overlay`; did you mean `actions`?",
    ),
    "no title": (HEAD.replace("title: Observed, ", ""), "2: #/info: `title` is missing; add it"),
    "a number as text": (
        HEAD.replace("0.1.0", "0.1"),
        '2: #/info/version: `0.1` breaks `type: "string"`; write a text, in quotes',
    ),
    "no actions": (HEAD, '3: #/actions: `null` breaks `type: "array"`'),
    "an action that is a text": (f"{HEAD}  - $", '4: #/actions/0: the text `$` breaks `type: "object"`'),
    "no effect": (
        f"{HEAD}  - target: $",
        "4: #/actions/0: the action does nothing, or two things; write one of `update`",
    ),
    "remove: false": (f"{HEAD}  - target: $\n    remove: false", "4: #/actions/0: the action does nothing"),
    "two effects": (
        f"{HEAD}  - {{target: $.a, remove: true, update: {{}}}}",
        "4: #/actions/0: the action does nothing, or two",
    ),
    "a copy": (f"{HEAD}  - {{target: $.a, copy: $.b}}", "4: #/actions/0/copy: `copy` is no keyword of `action`"),
    "a misspelled key": (
        f"{HEAD}  - target: $\n    udpate: {{}}",
        "5: #/actions/0/udpate: `udpate` is no keyword of `action`; did you mean `update`?",
    ),
    "a flag as text": (
        f'{HEAD}  - target: $.a\n    remove: "true"',
        "5: #/actions/0/remove: the text `true` breaks `type: ",
    ),
    "no JSONPath": (
        target("paths.*"),
        "4: #/actions/0/target: `paths.*` is no JSONPath that can be used: it must begi",
    ),
    "an unfinished JSONPath": (target("$.paths["), "4: #/actions/0/target: `$.paths[` is no JSONPath that can be used"),
    "an extension of a library": (target("$.paths.*~"), "4: #/actions/0/target: `$.paths.*~` is no JSONPath that can"),
    "an empty target": (target(""), "4: #/actions/0/target: the text `` breaks `pattern: "),
    "an empty reason": (
        f"{HEAD}  - {{target: $, update: 1, x-contradicts: true}}",
        "4: #/actions/0/x-contradicts: `true` breaks `type",
    ),
    # What would take forever, or end the process.
    "a regular expression": (target("$..[?match(@.a, '(a+)+$')]"), "4: #/actions/0/target: `$..[?match(@.a, '(a+)+$')"),
    "a long JSONPath": (target("$" + ".a" * 900), "4: #/actions/0/target: `"),
    "many descents": (
        target("$..a..b..c"),
        f"4: #/actions/0/target: `$..a..b..c` is no JSONPath that can be used: {TOO_MANY}",
    ),
    "many wildcards": (
        target("$" + ".*" * 11),
        f"4: #/actions/0/target: `${'.*' * 11}` is no JSONPath that can be used: {TOO_MANY}",
    ),
    "a deep filter": (target(f"$[?{'(' * 900}@.a{')' * 900}]"), "4: #/actions/0/target: `$[?(((("),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_document_is_reported_with_its_line_and_the_way_out(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, "observed.overlay.yaml", text)
    with pytest.raises(ContractError) as raised:
        OverlayDocument(path)
    lines = str(raised.value).splitlines()
    assert [line for line in lines if line.startswith(f"observed.overlay.yaml:{message}")], lines


def test_a_regular_expression_is_refused_with_what_to_write(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match="function 'match' is not defined; compare with `==`$"):
        OverlayDocument(write(tmp_path, "a.yaml", WRONG["a regular expression"][0]))


def test_a_document_may_be_json_and_have_extensions(tmp_path: Path) -> None:
    text = """{"overlay": "1.1.0", "x-a": 1, "info": {"title": "T", "version": "1", "x-b": 2}, "extends": "a.yaml",
               "actions": [{"target": "$.info", "update": {"x-c": 3}, "x-d": 4, "description": "Why."}]}"""
    [action] = OverlayDocument(write(tmp_path, "a.json", text)).actions
    assert (action.target, action.update) == ("$.info", {"x-c": 3})


def test_two_documents_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    text = f"{HEAD}  - {{target: $, update: {{}}}}\n"
    paths = [write(each, "a.yaml", text) for each in (tmp_path, tmp_path / "other")]
    with pytest.raises(ContractError, match=r"another Overlay has the name a\.yaml too; rename one"):
        read_overlays(paths)
