"""Rows of CSV and of JSON Lines, and the arguments that are made from them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import click
import pytest
from agent_session_platform import operations
from agent_session_platform_cli.rows import RowArguments, Rows, fill

ROW = {"what": "the {test}", "n": 3, "tags": ["a"], "none": None, "a b": "x", "__class__.__name__": "own"}
PLACE = "rows.csv, line 2"


def read(path: Path) -> list[Mapping[str, Any]]:
    with Rows(str(path)) as rows:
        return [values for _, values in rows]


def test_rows_of_csv_have_the_columns_of_the_header(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes(b'\xef\xbb\xbfid,what\r\n1,"two\r\nlines"\r\n\r\n2,\xc3\xa4\r\n')
    assert read(path) == [{"id": "1", "what": "two\r\nlines"}, {"id": "2", "what": "ä"}]


def test_rows_of_json_lines_have_their_types(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id": 1, "tags": ["a"]}\n\n{"id": "x"}\n')
    assert read(path) == [{"id": 1, "tags": ["a"]}, {"id": "x"}]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.json", '{"id": "a"}\n{"id": "b"}'),
        ("x.csv", '\ufeff\n{"id": "a"}\n{"id": "b"}\n'),
        ("x", '{"id": "a"}\r\n{"id": "b"}\r\n'),
        ("x.json", '[\n  {"id": "a"},\n  {"id": "b"}\n]\n'),
        ("x.csv", '[{"id": "a"}, {"id": "b"}]'),
        ("x.txt", "id\na\nb\n"),
    ],
)
def test_the_content_decides_the_format(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8", newline="")
    assert read(tmp_path / name) == [{"id": "a"}, {"id": "b"}]


def test_a_cell_may_be_as_long_as_a_text_of_json(tmp_path: Path) -> None:
    log = "line of a log\n" * 20_000
    (tmp_path / "x.csv").write_text(f'id,what\n1,"{log}"\n', newline="")
    assert read(tmp_path / "x.csv") == [{"id": "1", "what": log}]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there is no FIFO here")
def test_the_rows_of_a_pipe_are_read_once_and_known_afterwards(tmp_path: Path) -> None:
    pipe = tmp_path / "rows"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        pool.submit(pipe.write_text, "id\na\n")
        with Rows(str(pipe)) as rows:
            assert [[*rows], [*rows]] == [[(f"{pipe}, line 2", {"id": "a"})]] * 2


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.csv", b"id,what\n1\n", "x.csv, line 2 must have as many cells as the header"),
        ("x.csv", b"id,what\n1,2,3\n", "x.csv, line 2 must have as many cells as the header"),
        ("x.csv", b"id,id\n", "x.csv has two columns with the same name"),
        ("x.csv", b'id\n"a"b\n', "x.csv, line 2: "),
        ("x.csv", b"", "x.csv is empty: CSV begins with a header"),
        ("x.json", b"id,what\n1,2\n", "x.json, line 1 is not JSON"),
        ("x.json", b'[{"id": 1}', "x.json is not JSON"),
        ("x.csv", b"id\n\xff\n", "x.csv is not in UTF-8"),
        ("x.jsonl", b'{"id": 1}\n{"secret"\n', "x.jsonl, line 2 is not JSON"),
        ("x.jsonl", b'{"id": NaN}\n', "x.jsonl, line 1 is not JSON"),
        ("x.jsonl", b"[1]\n", "x.jsonl, item 1 is not a JSON object"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(click.UsageError) as raised:
        read(path)
    assert message in str(raised.value)
    assert "secret" not in str(raised.value)


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


@pytest.mark.parametrize("text", ["{what.__class__}", "{tags[0]}", "{n!r}", "{n:>9}"])
def test_attributes_and_members_of_a_value_are_not_reached(text: str) -> None:
    with pytest.raises(KeyError):
        fill(text, ROW)


@pytest.mark.parametrize("text", ["{", "n } n", "{}", "{n{n}}", "{{n}"])
def test_a_brace_that_stands_alone_is_refused(text: str) -> None:
    with pytest.raises(click.UsageError, match=r"has no partner: write \{column\} for a column"):
        fill([text], {"n": 1, "n{n": 2})


def arguments(*given: str, create: str = "organization.sessions.create") -> RowArguments:
    return RowArguments(operations[create], "id", given)


def filled(of: RowArguments, **values: Any) -> Mapping[str, Any]:
    of.check((PLACE, values))
    return of.of((PLACE, values))


def test_the_columns_of_all_texts_and_of_the_key_are_needed() -> None:
    assert arguments("tags={a}", 'x=["{b}", {"y": "{c} {{d}}"}]', "z=3").columns == {"a", "b", "c", "id"}


def test_columns_are_filled_into_text_and_json() -> None:
    of = arguments("prompt={what}", "title=Row {id}", 'session_links=["{link}"]', "bypass_approval=true")
    expected = {"prompt": "Fix it", "title": "Row 7", "session_links": ["x"], "bypass_approval": True}
    assert filled(of, id="7", what="Fix it", link="x") == expected


def test_a_cell_of_csv_becomes_the_number_or_boolean_that_a_parameter_is() -> None:
    of = arguments("interval_count={n}", "bypass_approval={b}", "name={n}", create="organization.schedules.create")
    assert filled(of, id="7", n="3", b="true") == {"interval_count": 3, "bypass_approval": True, "name": "3"}
    with pytest.raises(click.UsageError, match="rows.csv, line 2: 'x' is not a valid integer"):
        filled(of, id="7", n="x", b="true")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"id": "7", "wat": "x"}, "rows.csv, line 2 has no column 'what'; did you mean 'wat'"),
        ({"what": "x"}, "rows.csv, line 2 has no column 'id'"),
        ({"id": "", "what": "x"}, "the key in 'id' must be text or a whole number"),
        ({"id": True, "what": "x"}, "the key in 'id' must be text or a whole number"),
        ({"id": None, "what": "x"}, "the key in 'id' must be text or a whole number"),
    ],
)
def test_a_row_that_lacks_something_is_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(click.UsageError) as raised:
        filled(arguments("prompt={what}"), **values)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("prompt", "--argument takes NAME=VALUE, not 'prompt'"),
        ("=x", "--argument takes NAME=VALUE"),
        ("a={", "write {column} for a column"),
    ],
)
def test_what_is_malformed_is_refused(given: str, message: str) -> None:
    with pytest.raises(click.UsageError) as raised:
        arguments(given)
    assert message in str(raised.value)
