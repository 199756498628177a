"""Docstrings of the generated code: text of the contract, wrapped and made safe."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

WIDTH = 100

# What the docstring of a deprecated field or argument begins with.
DEPRECATED = "Deprecated. "


def plain(text: object) -> str:
    """The text of the contract as it is, whether the generator wrapped it against misuse or not."""
    return str(text.get_untrusted_value()) if hasattr(text, "get_untrusted_value") else str(text or "")


def sentence(text: object) -> str:
    """The text on one line, ended like a sentence."""
    line = " ".join(plain(text).split())
    return line if not line or line.endswith((".", "?", "!")) else f"{line}."


def filled(text: str, first: str = "", following: str = "") -> str:
    """Wrap a paragraph between its words only: an id that breaks at a hyphen is found by no search."""
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=following,
        break_long_words=False,
        break_on_hyphens=False,
    )


def section(title: str, entries: Iterable[str]) -> str:
    """A titled list of a docstring, empty without entries."""
    lines = [filled(entry, "    ", "        ") for entry in entries]
    return "\n".join([f"{title}:", *lines]) if lines else ""


def docstring(*paragraphs: object) -> str:
    """Quote the paragraphs that say something as a docstring; sections keep their lines."""
    texts = [plain(paragraph) for paragraph in paragraphs]
    wrapped = [text if text.partition("\n")[0].endswith(":") else filled(text) for text in texts if text]
    text = "\n\n".join(wrapped).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if text.endswith('"'):
        text = f'{text[:-1]}\\"'
    return f'"""{text}\n"""' if "\n" in text else f'"""{text}"""'


def gap_lines(gaps: Iterable[dict[str, str]]) -> list[str]:
    """One entry a gap: its id and what is not shown."""
    return [f"{gap['id']}: {gap['what']}" for gap in gaps]
