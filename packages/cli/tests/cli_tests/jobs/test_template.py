"""Columns of a row in the texts of a template."""

from __future__ import annotations

from typing import Any

import click
import pytest
from agent_session_platform_cli.jobs.rows import columns_in, fill

ROW = {"what": "the {test}", "n": 3, "tags": ["a"], "none": None, "a b": "x", "__class__.__name__": "own"}


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("Fix {what}!", "Fix the {test}!"),
        ("{n}", 3),
        ("{tags}", ["a"]),
        ("{none}", None),
        ("{n} of {tags}", '3 of ["a"]'),
        ("{{what}} {a b}", "{what} x"),
        ({"{what}": ["{n}", {"x": "{a b}"}], "y": 5}, {"{what}": [3, {"x": "x"}], "y": 5}),
        ("{__class__.__name__}", "own"),
        ("%s $what", "%s $what"),
    ],
)
def test_a_column_is_put_in_its_place_and_evaluated_no_further(template: Any, expected: Any) -> None:
    assert fill(template, ROW) == expected


def test_attributes_and_members_of_a_value_are_not_reached() -> None:
    with pytest.raises(KeyError):
        fill("{what.__class__}", ROW)
    assert [*columns_in("{what.__class__} {tags[0]} {n!r} {n:>9}", "x")] == ["what.__class__", "tags[0]", "n!r", "n:>9"]


def test_the_columns_of_all_texts_are_found() -> None:
    assert [*columns_in({"x": ["{a}", {"y": "{b} {{c}}"}], "z": 3}, "x")] == ["a", "b"]


@pytest.mark.parametrize("text", ["{", "a } b", "{}", "{a{b}}", "{{a}"])
def test_a_brace_that_stands_alone_is_refused(text: str) -> None:
    with pytest.raises(click.UsageError, match=r"--template: a text has .* write \{column\} for a column"):
        list(columns_in([text], "--template"))
