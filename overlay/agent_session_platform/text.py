"""Text: short, printable pieces for error messages, and the media type and charset of a body."""

from __future__ import annotations

import codecs
import re
from contextlib import suppress
from urllib.parse import quote, unquote

JSON_TYPE = "application/json"
MAX_TEXT = 80
MAX_VALUE_TEXT = 60
# A query, a fragment or a path parameter, also where its first character is percent-encoded.
AFTER_PATH = re.compile("[?#;]|%3f|%23|%3b", re.IGNORECASE)
# Scheme, user and password at the beginning of an address; a password may have a slash, if it is no port.
USERINFO = re.compile(r"^(\w*:?//)?+(?:[^/:]*:(?!\d*/).*|[^/]*)@")
# What a path may have besides letters and digits (RFC 3986, section 3.3).
PATH_CHARACTERS = "/:@!$&'()*+,;=-._~%"
CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)
# The charsets of browsers (https://encoding.spec.whatwg.org), as Python calls them. Python has others that are slow
# with a hostile text, such as punycode.
CHARSETS = re.compile(
    r"ascii|iso8859-\d\d?|cp(?:125\d|866|874|932|949)|koi8-[ru]|mac-roman|utf-16(?:-[lb]e)?"
    r"|gbk|gb2312|gb18030|big5|shift_jis|euc_jp|iso2022_jp|euc_kr"
)
# A byte order mark of UTF-32 in little endian begins like that of UTF-16, so it is compared first.
BOMS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def truncate(text: str, length: int = MAX_TEXT) -> str:
    """Return the beginning of *text* on one line of at most *length* characters, control characters escaped."""
    # Joining white space shortens the text, so read more characters than the line needs, but not megabytes.
    line = " ".join(text[: 4 * length].split())
    if not line.isprintable():
        line = repr(line)[1:-1]
    if len(text) <= 4 * length and len(line) <= length:
        return line
    return f"{line[: length - 3]}..."


def plain_text(value: object) -> str:
    """Return a value as text; for a member of `class Ids(str, Enum)` its value, and not its name as `str()` does."""
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int.__repr__(value)
    return str(value)


def percent_encode_path(path: str) -> str:
    """Return a path percent-encoded, so that every HTTP library sends the same bytes; what is encoded stays so."""
    return re.sub("%(?![0-9A-Fa-f]{2})", "%25", quote(path, safe=PATH_CHARACTERS))


def has_dot_segments(path: str) -> bool:
    """Return whether a path has a segment `.` or `..`, also percent-encoded: a server may take it for another path."""
    return any(unquote(segment) in (".", "..") for segment in path.split("/"))


def charset_of(content: bytes, content_type: str) -> str:
    """Return the charset of a body: from its byte order mark, or a common charset from its Content-Type, or UTF-8."""
    for bom, charset in BOMS.items():
        if content.startswith(bom):
            return charset
    declared = CHARSET.search(content_type)
    if declared is None:
        return "utf-8"
    with suppress(LookupError):
        name = codecs.lookup(declared[1]).name
        if CHARSETS.fullmatch(name):
            return name
    return "utf-8"


def media_type_of(content_type: str) -> str:
    """Return the media type of a Content-Type header in lower case, without its parameters.

    If a proxy has repeated the header, the first value counts.
    """
    return re.split("[;,]", content_type, maxsplit=1)[0].strip().lower()


def format_value(value: object) -> str:
    """Return the text of a refused value for a message: a plain value, cut if it is long; or the type of the value."""
    if value is not None and not isinstance(value, str | int | float):
        return type_name(value)
    text = repr(value)
    if len(text) > MAX_VALUE_TEXT:
        text = f"{text[: MAX_VALUE_TEXT - 3]}..."
    return text


def without_secrets(url: str) -> str:
    """Return scheme, host and path of an address: the query may be signed, and there may be a password."""
    url = AFTER_PATH.split(url, maxsplit=1)[0]
    return USERINFO.sub(r"\1", url)


def type_name(value: object) -> str:
    """Return the type of *value* with its module, unless it is a builtin: `httpx2.AsyncClient`, `int`."""
    cls = type(value)
    if cls.__module__ == "builtins":
        return cls.__qualname__
    return f"{cls.__module__}.{cls.__qualname__}"
