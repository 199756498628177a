"""Make text from a server safe to print: escape control characters, and write JSON that every reader accepts."""

from __future__ import annotations

import json
import math
import re
import shlex
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final
from urllib.parse import unquote

import click
from agent_session_platform.contract import is_array, is_object, load

HIDDEN: Final = "[a credential, which asp does not show]"
PREFIXES: Final = "|".join(filter(None, load().credential_kinds.values()))
# Finds a credential inside a sentence, a URL or a log, too. A shorter text cannot be a working credential.
CREDENTIAL: Final = re.compile(rf"(?:{PREFIXES})[A-Za-z0-9._~+/=-]{{8,}}", re.IGNORECASE)


def say(text: str, redact: Callable[[str], str] = str) -> None:
    """Write a message without credentials to stderr. Results go to stdout.

    Args:
        text: The message.
        redact: Replaces the credential of the client in a text.
    """
    # A terminal that was closed takes no message, and the command still has to clean up.
    with suppress(OSError):
        click.echo(f"asp: {escaped(redacted(text, redact))}", err=True)


def redacted(value: Any, redact: Callable[[str], str]) -> Any:
    """Return a JSON value without credentials in its texts and in the names of its members.

    Args:
        value: The value.
        redact: Replaces the credential of the client in a text.
    """
    if isinstance(value, str):
        shown = CREDENTIAL.sub(HIDDEN, redact(value))
        # A URL may write any character in percent-encoding.
        decoded = unquote(shown)
        hidden = CREDENTIAL.sub(HIDDEN, redact(decoded))
        return shown if hidden == decoded else hidden
    if is_array(value):
        return [redacted(item, redact) for item in value]
    if is_object(value):
        return {redacted(name, redact): redacted(member, redact) for name, member in value.items()}
    return value


def one_line(text: str) -> str:
    r"""Return text on one line, with control characters escaped.

    Example:
        >>> one_line("first\nsecond\x1b[2J")
        'first second\\x1b[2J'
    """
    return escaped(" ".join(text.split()))


def escaped(text: str, kept: str = "") -> str:
    """Return text with control characters and other invisible characters escaped.

    Args:
        text: The text.
        kept: Characters that are not escaped, such as line breaks.
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each in kept else repr(each)[1:-1] for each in text)


def shell_word(text: str) -> str:
    r"""Return text quoted as one word of the shell, with control characters escaped.

    Example:
        >>> shell_word("a b"), shell_word("\x1b[2J")
        ("'a b'", "$'\\x1b\\x5b\\x32\\x4a'")
    """
    if text.isprintable():
        return shlex.quote(text)
    return "$'" + "".join(f"\\x{byte:02x}" for byte in text.encode("utf-8", "replace")) + "'"


def to_text(value: Any, *, indent: int | None = None) -> str:
    """Return a value of plain JSON types as JSON, in characters that the encoding of stdout has.

    Args:
        value: The value.
        indent: The number of spaces for each level. With None, the JSON is on one line.
    """
    is_unicode = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"
    return _json(value, ensure_ascii=not is_unicode, indent=indent)


def to_compact_text(value: Any) -> str:
    """Return a value of plain JSON types as JSON in Unicode, without spaces."""
    return _json(value, ensure_ascii=False, separators=(",", ":"))


def _json(value: Any, **settings: Any) -> str:
    """Return JSON with invisible characters escaped, such as marks of direction and half surrogate pairs."""
    try:
        text = json.dumps(value, allow_nan=False, **settings)
    except ValueError:
        text = json.dumps(_finite(value), allow_nan=False, **settings)
    if text.replace("\n", "").isprintable():
        return text
    return "".join(each if each.isprintable() or each == "\n" else json.dumps(each)[1:-1] for each in text)


def _finite(value: Any) -> Any:
    """Return a value with null in place of infinity, which JSON cannot write. `1e999` is read as infinity."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if is_object(value):
        return {name: _finite(member) for name, member in value.items()}
    return [_finite(item) for item in value] if is_array(value) else value
