"""The samples of a document: its fenced code blocks, found by Sybil's lexer, each with its kind, title and line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from sybil import Document
from sybil.parsers.markdown.lexers import DirectiveInHTMLCommentLexer, RawFencedCodeBlockLexer

INFO: Final = re.compile(r'(?P<language>[a-z]+)(?: +title="(?P<title>[^"\n]+)")? *\n')
FENCED: Final = RawFencedCodeBlockLexer(INFO)
HIDDEN: Final = DirectiveInHTMLCommentLexer("hidden", "python")

# The title of a block that shows what the program has printed.
OUTPUT: Final = "Output"


class Sample(NamedTuple):
    """A fenced code block, or a hidden one: Python in a comment that begins with `<!-- hidden: python`."""

    language: str
    title: str | None
    """Name of the file that the reader makes of it; `Output` for what the program prints; None for none."""
    line: int
    """The line of the document on which the code begins."""
    code: str

    @property
    def is_file(self) -> bool:
        """Whether the reader makes a file of it."""
        return self.title is not None and self.title != OUTPUT

    @property
    def is_program(self) -> bool:
        """Whether it is a part of the program that the page is."""
        return self.language == "python" and self.title is None


def read_samples(path: Path) -> list[Sample]:
    """Return the samples of a document, in their order."""
    text = path.read_text(encoding="utf-8")
    return sorted(_samples(Document(text, str(path))), key=lambda sample: sample.line)


def _samples(document: Document) -> Iterator[Sample]:
    for lexer in (FENCED, HIDDEN):
        for region in lexer(document):
            code = str(region.lexemes["source"])
            language = region.lexemes.get("language") or "python"
            first = region.start + region.lexemes["source"].offset
            line = document.text.count("\n", 0, first) + 1
            yield Sample(language, region.lexemes.get("title"), line, code)
