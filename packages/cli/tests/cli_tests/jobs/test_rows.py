"""Rows of CSV and of JSON Lines."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from agent_session_platform_cli.jobs.rows import read_rows


def test_rows_of_csv_have_the_columns_of_the_header(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes(b'\xef\xbb\xbfid,what\r\n1,"two\r\nlines"\r\n\r\n2,\xc3\xa4\r\n')
    assert [dict(row.values) for row in read_rows(str(path))] == [
        {"id": "1", "what": "two\r\nlines"},
        {"id": "2", "what": "ä"},
    ]


def test_rows_of_json_lines_have_their_types(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id": 1, "tags": ["a"]}\n\n{"id": "x"}\n')
    assert [dict(row.values) for row in read_rows(str(path))] == [{"id": 1, "tags": ["a"]}, {"id": "x"}]


def test_the_format_may_be_named(tmp_path: Path) -> None:
    path = tmp_path / "rows.txt"
    path.write_text('{"id": 1}\n')
    assert [dict(row.values) for row in read_rows(str(path), "jsonl")] == [{"id": 1}]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.csv", b"id,what\n1\n", "x.csv, line 2 has 1 cells, and the header has 2"),
        ("x.csv", b"id,what\n1,2,3\n", "x.csv, line 2 has 3 cells, and the header has 2"),
        ("x.csv", b"id,id\n", "x.csv has two columns 'id'"),
        ("x.csv", b'id\n"a"b\n', "x.csv, line 2: "),
        ("x.csv", b"id\n\xff\n", "x.csv is not in UTF-8"),
        ("x.jsonl", b'{"id": 1}\n{"secret"\n', "x.jsonl, line 2 is not JSON"),
        ("x.jsonl", b'{"id": NaN}\n', "x.jsonl, line 1 is not JSON"),
        ("x.jsonl", b"[1]\n", "x.jsonl, line 1 is no JSON object"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(click.UsageError) as raised:
        list(read_rows(str(path)))
    assert message in str(raised.value)
    assert "secret" not in str(raised.value)
