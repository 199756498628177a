"""Advice of the SDK for somebody who writes Python, in the words of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

WORDS: Final[Mapping[str, str]] = {
    "pass AgentPlatform(allow_http=True)": "write allow_http = true into a profile",
    "or pass it as verify=": 'or write verify = "FILE" into a profile',
    " (`await error.read()`)": "",
    "pass Batch(..., find=), or call batch.assign() or batch.forget()": (
        "use --find-by, or look for its object yourself, and then use `asp batch assign` or `asp batch forget`"
    ),
}


def in_words_of_asp(text: str) -> str:
    """Return a message of the SDK with what has another name on the command line.

    Example:
        >>> in_words_of_asp("use https://, or pass AgentPlatform(allow_http=True)")
        'use https://, or write allow_http = true into a profile'
    """
    for python, asp in WORDS.items():
        text = text.replace(python, asp)
    return text
