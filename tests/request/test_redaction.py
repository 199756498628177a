"""A credential is found in a text however a server has written it, and a long text costs no time worth mentioning."""

from __future__ import annotations

import base64
import html
import json
import string
import time
from collections.abc import Callable
from urllib.parse import quote

import pytest
from agent_session_platform.request.credentials import Credential
from agent_session_platform.request.redaction import NOT_SHOWN
from hypothesis import example, given, settings
from hypothesis import strategies as st

TOKEN = "svc_8fKq/Zr+2mX-v7_Lp0Tn3"
PREFIX = "svc_"
CREDENTIAL = Credential(TOKEN)

Encoding = Callable[[str], str]


def each(form: str) -> Encoding:
    """Write each character in a form, of which `{0}` is its code."""
    return lambda text: "".join(form.format(ord(character)) for character in text)


def in_base64(text: str, before: bytes = b"", after: bytes = b"", url_safe: bool = False) -> str:
    encode = base64.urlsafe_b64encode if url_safe else base64.b64encode
    return encode(before + text.encode() + after).decode()


ENCODINGS: dict[str, Encoding] = {
    "as it is": str,
    "small": str.lower,
    "capitals": str.upper,
    "percent": each("%{0:02x}"),
    "percent in capitals": each("%{0:02X}"),
    "percent where needed": lambda text: quote(text, safe=""),
    "percent twice": each("%25{0:02X}"),
    "percent four times": each("%252525{0:02x}"),
    "percent u": each("%u00{0:02x}"),
    "JSON": each("\\u{0:04x}"),
    "JSON in capitals": each("\\u{0:04X}"),
    "JSON twice": lambda text: json.dumps(each("\\u{0:04x}")(text)),
    "JSON with slashes": lambda text: json.dumps(text).replace("/", "\\/"),
    "Python": each("\\x{0:02x}"),
    "JavaScript": each("\\u{{{0:x}}}"),
    "octal": each("\\{0:03o}"),
    "HTML": each("&#{0};"),
    "HTML in hex": each("&#x{0:X};"),
    "HTML with zeros": each("&#x0000{0:x};"),
    "HTML twice": lambda text: html.escape(each("&#{0};")(text)),
    "HTML by name": lambda text: text.replace("_", "&lowbar;").replace("/", "&sol;").replace("+", "&plus;"),
    "JSON in percent": lambda text: quote(each("\\u{0:04x}")(text), safe=""),
    "HTML in percent": lambda text: quote(each("&#{0};")(text), safe=""),
    "percent in JSON": lambda text: json.dumps(quote(text, safe="")).replace("%", "\\u0025"),
    "quoted-printable": each("={0:02X}"),
    "hex": lambda text: text.encode().hex(),
    "zero bytes": lambda text: "\0".join(text),
    "base64": in_base64,
    "base64 shifted by one": lambda text: in_base64(text, b"x", b"more"),
    "base64 shifted by two": lambda text: in_base64(text, b"??", b"more"),
    "base64 without padding": lambda text: in_base64(text, b"", b"").rstrip("="),
    "base64 for URLs": lambda text: in_base64(text, b">>?", b"??>", url_safe=True),
    "Basic": lambda text: f"Basic {in_base64(text, b'user:')}",
    "base64 in percent": lambda text: quote(in_base64(text, b">>?"), safe=""),
    "every other one": lambda text: "".join(
        f"%{ord(character):02x}" if index % 2 else character for index, character in enumerate(text)
    ),
}
encodings = pytest.mark.parametrize("encode", ENCODINGS.values(), ids=ENCODINGS)


def remains(text: str, encode: Encoding) -> bool:
    """Return whether a text has any eight characters of the token, in an encoding or decoded."""
    secret = TOKEN.removeprefix(PREFIX)
    pieces = {encode(secret[begin : begin + 8]) for begin in range(len(secret) - 7)}
    return any(piece.strip("='\"") in text for piece in pieces)


@encodings
def test_the_token_is_found_in_any_encoding(encode: Encoding) -> None:
    text = f"Bearer {encode(TOKEN)} é was refused"
    shown = CREDENTIAL.redact(text)
    assert "[credential]" in shown
    assert not remains(shown, encode)
    assert shown.startswith("Bearer ") or "Basic" in shown
    assert shown.endswith(" é was refused")


@settings(max_examples=500)
@given(st.sampled_from(sorted(ENCODINGS)), st.integers(0, len(TOKEN) - 8), st.integers(8, len(TOKEN)))
def test_a_token_that_is_cut_is_found_in_any_encoding(name: str, begin: int, length: int) -> None:
    """Any eight characters of it or more, behind its prefix."""
    piece = ENCODINGS[name](TOKEN[begin : max(begin, len(PREFIX)) + length])
    shown = CREDENTIAL.redact(f"<{piece}> was refused")
    assert "[credential]" in shown
    assert piece.strip("'\"=") not in shown


@given(
    st.text(string.ascii_letters + string.digits + "-._~+/", min_size=8, max_size=60),
    st.text(max_size=30),
    st.text(max_size=30),
)
def test_any_token_is_found(token: str, before: str, after: str) -> None:
    shown = Credential(token).redact(f"{before} {token} {after}")
    assert token.lower() not in shown.lower().replace("[credential]", "")


@given(st.text(max_size=200))
@example("000000\\}")
def test_a_text_without_the_token_stays_as_it_is(text: str) -> None:
    assert CREDENTIAL.redact(text) == text


@given(st.text("%25&#x;\\u0amp=\0 ", max_size=200))
def test_no_text_of_escapes_is_an_error(text: str) -> None:
    assert CREDENTIAL.redact(text) == text


def test_a_word_that_a_token_is_like_stays() -> None:
    token = "svc_impersonator"
    credential = Credential(token)
    assert credential.redact("lacks ImpersonateOrgSessions") == "lacks ImpersonateOrgSessions"
    assert credential.redact(f"lacks {token.title()}") == "lacks [credential]"


def test_the_prefix_alone_is_no_piece() -> None:
    credential = Credential("apk_user_8fKqZr2mXv7")
    assert credential.redact("of the kind apk_user_...") == "of the kind apk_user_..."


def test_a_short_token_is_not_replaced() -> None:
    assert Credential("short").redact("short") == "short"


MEGABYTE = 1 << 20


@pytest.mark.parametrize(
    "text",
    ["\\", "&", "%", "%25", "%41", "\\u0041", "&amp;", "&#", "&#0", "=41", "\0", "8fKq", "%38%66%4b%71", TOKEN, "a "],
    ids=str.strip,
)
def test_no_long_text_takes_long(text: str) -> None:
    """Of a megabyte that was made to take long; a tenth of a second is some times more than it takes."""
    long = text * (MEGABYTE // len(text))
    CREDENTIAL.redact("prepared")
    began = time.process_time()
    shown = CREDENTIAL.redact(long)
    assert time.process_time() - began < 0.3
    assert shown in (long, NOT_SHOWN, "[credential]") or TOKEN not in shown
