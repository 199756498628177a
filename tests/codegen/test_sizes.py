"""The count of tokens, and the ceilings that keep a folder small."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.sizes import ceiling_for, count_tokens, measure, problems

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


def test_docstrings_comments_and_line_ends_do_not_count() -> None:
    # Seven of the import, three of the text, three of the class, eight of the function, and `return 1`.
    assert count_tokens(MODULE) == 7 + 3 + 3 + 8 + 2


@pytest.mark.parametrize("source", ["f'{a!r:>{width}} and {b}'", "'text'", "f''", "rf'''{f'{a}'}'''"])
def test_an_f_string_is_one_token_on_every_python(source: str) -> None:
    assert count_tokens(f"TEXT = {source}\n") == 3


def test_packing_a_module_into_fewer_lines_gains_nothing() -> None:
    assert count_tokens("a = [\n    1,\n    2\n]\n") == count_tokens("a = [1, 2]\n")


def test_the_size_of_a_folder_is_that_of_its_modules(tmp_path: Path) -> None:
    for place in ("one.py", "inner/two.py", "inner/deep/three.py", "node_modules/four.py", "__pycache__/five.py"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text("ONE = 1\n")
    assert measure(tmp_path) == 9


@pytest.mark.parametrize(
    ("size", "found"), [(90, []), (100, []), (101, ["room has 101 tokens, and may have 100: take something away"])]
)
def test_a_ceiling_is_not_exceeded(size: int, found: list[str]) -> None:
    assert list(problems({"room": 100}, {"room": size})) == found


def test_a_ceiling_stands_a_tenth_above_the_size() -> None:
    assert ceiling_for(40_000) == 44_000
