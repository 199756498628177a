"""An Overlay as text: whatever a name or a text has in it, a reader of YAML and of JSONPath finds the same."""

from __future__ import annotations

from io import StringIO

import pytest
from agent_session_platform_observe.overlay import ProposedAction, json_path, literal, to_yaml
from jsonpath import JSONPathEnvironment
from ruamel.yaml import YAML

TEXTS = [
    "it's",
    'say "x"',
    "a\\b",
    "line\nbreak",
    "tab\t",
    "null",
    "on",
    "12",
    "- a",
    "a: b",
    "#",
    "größe",
    "\u2028",
    "\x7f\x85",
    "\ufeff",
    "😀",
    "",
]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_a_reader_of_yaml_finds_the_same_text(text: str) -> None:
    action = ProposedAction("$", text, {text: text, "list": [text, [text], {text: [text]}]})
    [found] = YAML(typ="safe").load(StringIO(to_yaml("T", "1", [action])))["actions"]
    assert found == action.to_dict()


@pytest.mark.parametrize("text", [each for each in TEXTS if not each.isdecimal()])
def test_a_jsonpath_selects_the_member_of_this_name(text: str) -> None:
    place = "#/" + text.replace("~", "~0").replace("/", "~1")
    assert JSONPathEnvironment(strict=True).findall(json_path(place), {text: 7, "other": 8}) == [7]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_a_jsonpath_selects_the_entry_with_this_text(text: str) -> None:
    assert JSONPathEnvironment(strict=True).findall(f"$[?(@=={literal(text)})]", ["other", text]) == [text]


def test_a_path_with_a_slash_and_a_tilde_is_selected() -> None:
    place = "#/paths/~1v3~1{org_id}~1a~0b/get"
    document = {"paths": {"/v3/{org_id}/a~b": {"get": 7}}}
    assert JSONPathEnvironment(strict=True).findall(json_path(place), document) == [7]
