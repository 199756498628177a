"""Write docstrings of the generated code: wrapped, escaped, and in Google style."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

WIDTH = 100
OBSERVED = "Observed, not stated by the API's description"


def plain(text: object) -> str:
    """Return a text of the contract as str; the generator wraps some as untrusted."""
    return str(text.get_untrusted_value()) if hasattr(text, "get_untrusted_value") else str(text or "")


def sentence(text: object) -> str:
    """Return the text on one line, with a full stop at its end."""
    line = " ".join(plain(text).split())
    return line if not line or line.endswith((".", "?", "!")) else f"{line}."


def fill(text: str, first: str = "", following: str = "") -> str:
    """Wrap a paragraph at spaces only, so that hyphenated ids stay searchable."""
    return textwrap.fill(
        text, WIDTH, initial_indent=first, subsequent_indent=following, break_long_words=False, break_on_hyphens=False
    )


def section(title: str, entries: Iterable[str]) -> str:
    """Return a titled section of a docstring; an empty text without entries."""
    lines = [fill(entry, "    ", "        ") for entry in entries]
    return "\n".join([f"{title}:", *lines]) if lines else ""


def not_shown(gaps: Iterable[Mapping[str, Any]]) -> str:
    """Return a line with the ids of the open gaps, and one with those that were closed by observation."""
    found = list(gaps)
    open_ones = [gap["id"] for gap in found if not gap.get("closed")]
    closed = [f"{gap['id']} ({observation(gap['closed'])})" for gap in found if gap.get("closed")]
    titled = {"Not shown by the API's description": open_ones, OBSERVED: closed}
    return "\n\n".join(fill(f"{title}: {', '.join(ids)}.") for title, ids in titled.items() if ids)


def observation(observed: Mapping[str, Any]) -> str:
    """Return how often something was observed, and when."""
    answers, first, last = observed["answers"], observed["first"], observed["last"]
    count = "1 response" if answers == 1 else f"{answers} responses"
    return f"in {count}, {f'on {first}' if first == last else f'from {first} to {last}'}"


def docstring(*paragraphs: object) -> str:
    """Write the non-empty paragraphs as a quoted docstring; sections keep their lines."""
    texts = [plain(paragraph) for paragraph in paragraphs]
    wrapped = [text if text.partition("\n")[0].endswith(":") else fill(text) for text in texts if text]
    text = "\n\n".join(wrapped).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    # Control characters are allowed in the contract, and not in a Python file.
    text = "".join(each if each.isprintable() or each == "\n" else repr(each)[1:-1] for each in text)
    if text.endswith('"'):
        text = f'{text[:-1]}\\"'
    return f'"""{text}\n"""' if "\n" in text else f'"""{text}"""'
