"""Text of others, as it can be shown on a terminal."""

from __future__ import annotations


def one_line(text: str) -> str:
    r"""Return text on one line, with what a terminal would obey escaped.

    Example:
        >>> one_line("first\nsecond\x1b[2J")
        'first second\\x1b[2J'
    """
    return escaped(" ".join(text.split()))


def escaped(text: str, kept: str = "") -> str:
    """Return text with what a terminal would obey escaped.

    Args:
        text: The text.
        kept: Characters to leave as they are, such as line breaks.
    """
    return text if text.isprintable() else "".join(_shown(each) if each not in kept else each for each in text)


def _shown(character: str) -> str:
    return character if character.isprintable() else repr(character)[1:-1]
