"""The count of lines of code, and the ceilings that keep a room small."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.sizes import Size, code_lines, measure, problems

MODULE = '''"""A docstring
of two lines."""

# A comment.
from os import (
    path,
)

TEXT = """A text is
no docstring."""


class Box:
    """A docstring."""

    def size(self) -> int:  # and a comment
        """One more."""
        return 1
'''


def test_docstrings_comments_and_blank_lines_do_not_count() -> None:
    # Three lines of the import, two of the text, and one each for class, def and return.
    assert code_lines(MODULE) == 8


@pytest.mark.parametrize(
    ("room", "modules"),
    [
        ("a", 3),
        ("a/*", 1),
        ("a + b", 4),
        ("a - a/inner", 1),
        ("*/inner", 2),
    ],
)
def test_a_room_is_folders_of_modules(tmp_path: Path, room: str, modules: int) -> None:
    for place in ("a/one.py", "a/inner/two.py", "a/inner/deep/three.py", "b/four.py", "a/node_modules/five.py"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text("ONE = 1\n")
    assert measure(tmp_path, room) == (modules, modules)


@pytest.mark.parametrize(
    ("size", "found"),
    [
        (Size(100, 10), []),
        (Size(96, 10), []),
        (Size(101, 10), ["room has 101 lines, and may have 100: take something away"]),
        (Size(100, 11), ["room has 11 modules, and may have 10: take something away"]),
        (Size(95, 10), ["room has only 95 lines of 100: run `make sizes LOWER=1` to lower the ceiling"]),
    ],
)
def test_a_ceiling_is_not_exceeded_and_not_too_high(size: Size, found: list[str]) -> None:
    assert list(problems({"room": Size(100, 10)}, {"room": size})) == found
