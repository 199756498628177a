"""Values and lists in each format."""

from __future__ import annotations

import csv
import io
import json
import sys
from typing import Any

import click
import pytest
from agent_session_platform import operations
from agent_session_platform.models import Session
from agent_session_platform_cli.contract import OperationContract
from agent_session_platform_cli.output import open_list, print_items, print_value
from agent_session_platform_cli.settings import Settings

ITEMS = [{"id": "a", "tags": ["x"], "note": None}, {"id": "b", "tags": [], "note": "one\ntwo", "more": True}]
OUTPUTS = ("json", "jsonl", "table", "csv")


def printed(capsys: pytest.CaptureFixture[str], value: Any, output: str | None, columns: tuple[str, ...] = ()) -> str:
    show = print_items if isinstance(value, list) else print_value
    show(value, Settings(output=output, columns=",".join(columns)))
    return capsys.readouterr().out


def test_json_has_the_items_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(printed(capsys, ITEMS, "json")) == ITEMS
    assert [json.loads(line) for line in printed(capsys, ITEMS, "jsonl").splitlines()] == ITEMS


def test_csv_has_the_members_of_the_first_items_as_columns(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [*csv.reader(io.StringIO(printed(capsys, ITEMS, "csv")))]
    assert rows == [["id", "tags", "note", "more"], ["a", '["x"]', "", ""], ["b", "[]", "one\ntwo", "true"]]


def test_half_a_surrogate_pair_is_escaped_in_csv(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, [{"id": "a\ud83dz"}], "csv") == "id\na\\ud83dz\n"


def test_members_that_come_after_the_header_of_csv_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    writer = open_list(Settings(output="csv"))
    writer.write([{"id": "a"}])
    writer.write([{"id": "b", "late": 1}])
    writer.close()
    found = capsys.readouterr()
    assert found.out == "id\na\nb\n"
    assert found.err == "asp: items have members without a column: late; name columns with --columns\n"


def test_columns_choose_members_and_members_of_members(capsys: pytest.CaptureFixture[str]) -> None:
    items = [{"id": "a", "user": {"name": "Ada"}}]
    assert printed(capsys, items, "csv", ("user.name", "id", "user.y")) == "user.name,id,user.y\nAda,a,\n"
    assert printed(capsys, items, "jsonl", ("id", "user.name")) == '{"id": "a", "user.name": "Ada"}\n'


@pytest.mark.parametrize("output", OUTPUTS)
def test_a_column_that_no_item_has_is_refused(capsys: pytest.CaptureFixture[str], output: str) -> None:
    with pytest.raises(click.UsageError, match="--columns: no item has 'not'; did you mean 'note'"):
        printed(capsys, ITEMS, output, ("id", "not"))


@pytest.mark.parametrize("width", [60, 100])
def test_a_table_begins_with_the_columns_of_the_contract(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    item = {"acus": 1, "url": "x" * 40, "session_id": "s" * 24, "created_at": 1700000000, "status": "running"}
    columns = OperationContract(operations["organization.sessions.list"]).columns
    print_items([item | {"tags": ["y" * 30], "title": "Fix " * 20}], Settings(output="table"), columns)
    header, row = capsys.readouterr().out.splitlines()
    assert header.split()[:4] == [*columns] == ["session_id", "title", "status", "created_at"]
    assert [each for each in ("s" * 24, "Fix", "running", "1700000000") if each not in row] == []


@pytest.mark.parametrize(
    ("width", "pages", "lines"),
    [
        (80, [ITEMS], ["id  note     more", "a", "b   one two  true"]),
        (40, [[{"id": "a", "first": "x" * 30, "second": "界" * 30}]], ["id  first", f"a   {'x' * 30}"]),
        # A longer cell of a later page is cut only if the line is full.
        (
            20,
            [[{"id": "s-1", "title": "one"}], [{"id": "s-100", "title": "two"}, {"id": "s-1", "title": "x" * 30}]],
            ["id   title", "s-1  one", "s-100  two", "s-1  xxxxxxxxxxxxxx…"],
        ),
    ],
)
def test_a_table_has_a_line_for_each_item_and_fits_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int, pages: Any, lines: list[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    writer = open_list(Settings(output="table"))
    for page in pages:
        writer.write(page)
    assert capsys.readouterr().out.splitlines() == lines


@pytest.mark.parametrize(
    ("value", "output", "text"),
    [
        *(([], output, text) for output, text in zip(OUTPUTS, ("[]\n", "", "", ""), strict=True)),
        ({"id": "a"}, None, '{\n  "id": "a"\n}\n'),
        ({"id": "a"}, "jsonl", '{"id": "a"}\n'),
        ({"id": "a", "n": 1}, "table", "id  a\nn   1\n"),
        ({"id": "a", "n": 1}, "csv", "id,n\na,1\n"),
        ({"items": [{"id": "a"}], "total": 1}, "csv", "id\na\n"),
        (["a", None], "csv", "value\na\n\n"),
        (["a"], "jsonl", '"a"\n'),
        (None, "json", "null\n"),
        (None, "table", ""),
        ("a,b\n1,2\n", None, "a,b\n1,2\n"),
        ("text", "json", '"text"\n'),
        (Session(session_id="s-1"), "jsonl", '{"session_id": "s-1"}\n'),
        ([{"title": "Grüße 界"}], "jsonl", '{"title": "Grüße 界"}\n'),
        # A reader of CSV would take a carriage return as the end of a line.
        ([{"a": "one\r\ntwo\rthree", "b": 1}], "csv", 'a,b\n"one\ntwo\nthree",1\n'),
    ],
)
def test_a_value_in_each_format(capsys: pytest.CaptureFixture[str], value: Any, output: str | None, text: str) -> None:
    assert printed(capsys, value, output).replace('""\n', "\n") == text


@pytest.mark.parametrize("output", ["json", "jsonl"])
def test_one_object_stays_one_with_columns(capsys: pytest.CaptureFixture[str], output: str) -> None:
    value = {"id": "a", "user": {"name": "Ada"}, "n": 1}
    assert json.loads(printed(capsys, value, output, ("id", "user.name"))) == {"id": "a", "user.name": "Ada"}
    with pytest.raises(click.UsageError, match="--columns: no item has 'not'"):
        printed(capsys, value, output, ("not",))


class Pipe(io.TextIOWrapper):
    """stdout as a pipe of Windows."""

    def __init__(self, encoding: str) -> None:
        super().__init__(io.BytesIO(), encoding=encoding, errors="backslashreplace", newline="")

    def bytes(self) -> bytes:
        self.flush()
        return self.buffer.getvalue()


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "cp932", "utf-16", "utf-8"])
@pytest.mark.parametrize("output", ["csv", "table", None])
def test_data_in_a_pipe_is_utf_8_whatever_its_encoding(
    monkeypatch: pytest.MonkeyPatch, encoding: str, output: str | None
) -> None:
    title = "日本 😀 naïve €"
    monkeypatch.setattr("sys.stdout", Pipe(encoding))
    if output is None:
        print_value(f"title\n{title}\n", Settings())
    else:
        print_items([{"title": title, "tags": [title]}], Settings(output=output, columns="title,tags"))
    assert title in sys.stdout.bytes().decode("utf-8")  # type: ignore[attr-defined]


@pytest.mark.parametrize("output", ["json", "jsonl"])
def test_json_in_a_pipe_is_read_back_whatever_its_encoding(monkeypatch: pytest.MonkeyPatch, output: str) -> None:
    monkeypatch.setattr("sys.stdout", Pipe("cp1252"))
    print_value({"title": "日本"}, Settings(output=output))
    assert json.loads(sys.stdout.bytes()) == {"title": "日本"}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        *((text, f"'{text}") for text in ("=cmd|' /C calc'!A0", "+1+cmd", "-2+3", "@SUM(1)", " =1", '"=1"')),
        *((text, f"'{text}") for text in ("\uff1d1", "\uff0b1", "\u22121", "\xa0=1", "\u200b\ufff9=1", "\ufeff=1")),
        *((text, f"'{text}") for text in ("\x01=1", "\U0001d173=1")),
        ("\t=1", "\t'=1"),
        ("=1\n=2", "'=1\n'=2"),
        ("a;=1", "a;'=1"),
        ("a\t @x", "a\t' @x"),
        # Numbers and other texts are not changed.
        *((text, str(text)) for text in (-5, 1.5e-7, "-5", "+3.25", "1;-2", "a=b", "x@y", "")),
    ],
)
def test_what_a_program_of_tables_would_run_is_text_in_csv(
    capsys: pytest.CaptureFixture[str], text: Any, shown: str
) -> None:
    [_, [cell, _]] = csv.reader(io.StringIO(printed(capsys, [{"title": text, "n": 1}], "csv"), newline=""))
    assert cell == shown


@pytest.mark.parametrize("output", OUTPUTS)
def test_nothing_reaches_a_terminal_that_it_would_obey(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, output: str
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    evil = {"na\x1bme": "\x1b]0;x\x07\u202e\x9b31m"}
    found = printed(capsys, [evil, evil | {"la\x1bte": 1}], output) + printed(capsys, evil, output)
    shown = found.replace("\x1b[1m", "").replace("\x1b[0m", "")
    assert [each for each in shown if not each.isprintable() and each != "\n"] == []
