"""The paths of an Overlay: a reader of JSONPath finds the same place, whatever characters a name has."""

from __future__ import annotations

import pytest
from agent_session_platform_observe.facts import json_path, literal
from jsonpath import JSONPathEnvironment

TEXTS = ["it's", 'say "x"', "a\\b", "line\nbreak", "null", "größe", "\x7f\u2028", "😀", "a~b", "/v3/{a}"]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_a_jsonpath_selects_the_member_and_the_entry_of_this_name(text: str) -> None:
    environment = JSONPathEnvironment(strict=True)
    place = "#/" + text.replace("~", "~0").replace("/", "~1")
    assert environment.findall(json_path(place), {text: 7, "other": 8}) == [7]
    assert environment.findall(f"$[?(@=={literal(text)})]", ["other", text]) == [text]
