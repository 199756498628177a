"""Find a credential in a text, as it is, cut or encoded; made with the first text that is looked through.

The text is looked at as it is, and with its escapes taken off. Of each view the aligned blocks of four bytes are looked
up among those of the credential: a piece of seven bytes or more has one of them.
"""

from __future__ import annotations

import re
from array import array
from base64 import b64encode
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from html.entities import html5
from itertools import accumulate

import attrs

REPLACEMENT = "[credential]"
NOT_SHOWN = "[not shown: too much to look through for the credential]"

# A shorter piece of a credential may be anything.
MIN_PIECE = 8
# Eight bytes at any of the three alignments have as many whole characters of base64.
MIN_BASE64 = 10

BLOCK = 4
# A text with more is not shown at all, so that no server keeps the event loop busy.
MAX_COMPARISONS = 5_000
MAX_MARKS = 100_000
# How many encodings may be on top of each other; one that is repeated counts once.
MAX_LAYERS = 3

# Some servers write in small letters, and base64 has two alphabets: all are looked at as one.
FOLDED = bytes.maketrans(bytes(range(65, 91)) + b"-_", bytes(range(97, 123)) + b"+/")

# What an escape begins with.
MARKS = (b"%", b"\\", b"&", b"=", b"\0")

# Of percent-encoding, of JSON, Python and JavaScript, of HTML, of quoted-printable; and what UTF-16 has between bytes.
# Each begins with a literal, for which the regular expression is fast, and looks at no run of characters twice.
ESCAPE = re.compile(
    rb"""(
    %(?:25)*+ (?:u00)? [2-7][0-9a-f] | %(?:25)++
  | \\(?<!\\\\)\\*+ (?: (?:u00|x|u\{0*+|x\{0*+|u000000) [2-7][0-9a-f] \}? | [01][0-7]{2} | [^0-9a-z\\] )
  | &(?:amp;|\#38;|\#x26;)*+ (?: \#0*+[0-9]{2,3};? | \#x0*+[2-7][0-9a-f];? | [a-z]{2,31}; )
  | &(?:amp;|\#38;|\#x26;)++
  | =[2-7][0-9a-f]
  | \x00\x00*+
)""",
    re.IGNORECASE | re.VERBOSE,
)
REPEATED_AMPERSAND = re.compile("&(?:amp;|#38;|#x26;)+")

Region = tuple[int, int]


@attrs.frozen
class Needle:
    """One form of a credential.

    Attributes:
        text: Its bytes, folded.
        known: How many of them are its prefix, or that of any credential of the same kind.
        minimum: How many others a piece has at least; the whole is always found.
        cased: Its bytes as they are, where a piece must be like them, or in small letters or capitals only: then a word
            such as `Impersonation` is no piece of `svc_impersonator`. Empty where that cannot happen.
    """

    text: bytes
    known: int
    minimum: int
    cased: bytes = b""

    def counts(self, piece: bytes, place: int) -> bool:
        """Return whether a piece of a text, which is like that at a place of the needle, is of the credential."""
        end = place + len(piece)
        if len(piece) == len(self.text):
            return True
        if end - max(place, self.known) < self.minimum:
            return False
        like = self.cased[place:end]
        return not self.cased or piece in (like, like.lower(), like.upper())


class Redactor:
    """Replacement of a credential in the texts of a server.

    Args:
        token: The credential.
        prefix: What all credentials of its kind begin with.
    """

    def __init__(self, token: str, prefix: str) -> None:
        secret, known = token.encode(), len(prefix)
        needles = [
            Needle(secret.translate(FOLDED), known, MIN_PIECE, secret),
            Needle(secret.hex().encode(), 2 * known, 2 * MIN_PIECE),
            *(base64_needle(secret, known, shift) for shift in range(3)),
        ]
        self._blocks: dict[int, list[tuple[Needle, int]]] = {}
        for needle in needles:
            for place in range(len(needle.text) - BLOCK + 1):
                [block] = array("I", needle.text[place : place + BLOCK])
                self._blocks.setdefault(block, []).append((needle, place))
        self._known = frozenset(self._blocks)

    def redact(self, text: str) -> str:
        """Return a text without the credential and without pieces of it."""
        if len(text) < MIN_PIECE:
            return text
        # One byte for each character, so that places are the same.
        view = text.encode("ascii", "replace")
        layers: list[Layer] = []
        regions: list[Region] = []
        while True:
            found = self._find(view)
            if found is None:
                return NOT_SHOWN
            for region in found:
                for layer in reversed(layers):
                    region = layer.source(region)
                regions.append(region)
            marks = sum(map(view.count, MARKS))
            if marks > MAX_MARKS:
                return NOT_SHOWN
            # Plain text and escapes in turn.
            parts = ESCAPE.split(view) if marks else [view]
            if len(parts) == 1 or len(layers) == MAX_LAYERS:
                return replaced(text, regions) if regions else text
            layers.append(Layer(parts))
            view = layers[-1].view

    def _find(self, view: bytes) -> list[Region] | None:
        """Return where pieces are; None if there are too many to look at."""
        folded = view.translate(FOLDED)
        blocks = array("I", folded[: len(view) // BLOCK * BLOCK])
        regions: list[Region] = []
        if self._known.isdisjoint(blocks):
            return regions
        comparisons = reached = 0
        for at, block in zip(range(0, len(view), BLOCK), blocks, strict=False):
            if block in self._known and at >= reached:
                for needle, place in self._blocks[block]:
                    comparisons += 1
                    start, end = extended(folded, at, needle.text, place)
                    if end > reached and needle.counts(view[start:end], place - at + start):
                        regions.append((start, end))
                        reached = end
                if comparisons > MAX_COMPARISONS:
                    return None
        return regions


class Layer:
    """A view of a text from which its escapes were taken off.

    Args:
        parts: Plain text and escapes in turn.

    Attributes:
        view: The text without escapes.
    """

    def __init__(self, parts: list[bytes]) -> None:
        self._parts = parts
        self._plain = parts.copy()
        self._plain[1::2] = map(unescape, parts[1::2])
        self.view = b"".join(self._plain)
        self._before: list[int] = []
        self._after: list[int] = []

    def source(self, region: Region) -> Region:
        """Return where a region of the view is in the text with escapes."""
        if not self._before:
            self._before = [0, *accumulate(map(len, self._parts))]
            self._after = [0, *accumulate(map(len, self._plain))]
        (start, _), (_, end) = self._place(region[0]), self._place(region[1] - 1)
        return start, end

    def _place(self, at: int) -> Region:
        """Return where the byte at a place of the view is in the text with escapes."""
        part = bisect_right(self._after, at) - 1
        begin = self._before[part]
        if part % 2:
            return begin, begin + len(self._parts[part])
        return begin + at - self._after[part], begin + at - self._after[part] + 1


@cache
def unescape(escape: bytes) -> bytes:
    """Return the ASCII character that an escape stands for: none for zero bytes, a question mark for any other."""
    mark, text = escape[:1], escape.decode("latin-1").lower()
    if mark == b"\0":
        return b""
    if mark == b"%" and not text[1:].replace("25", ""):
        return b"%"
    text = REPEATED_AMPERSAND.sub("&", text) if mark == b"&" else text
    if mark == b"&" and "#" in text:
        digits = text.rstrip(";").rpartition("#")[2]
        code = int(digits[1:], 16) if digits.startswith("x") else int(digits)
    elif mark == b"&":
        code = ord(html5.get(text[1:], "&")[0])
    elif mark == b"\\" and not text.lstrip("\\")[0].isalnum():
        return escape[-1:]
    elif mark == b"\\" and text.lstrip("\\").isdigit():
        code = int(text.lstrip("\\"), 8)
    else:
        code = int(text.rstrip("}")[-2:], 16)
    return bytes([code]) if 0 < code < 128 else b"?"


def extended(view: bytes, at: int, needle: bytes, place: int) -> Region:
    """Return where the longest piece of the needle is that has the block at *at* and *place*."""
    start = end = 0
    while start < min(at, place) and view[at - start - 1] == needle[place - start - 1]:
        start += 1
    limit = min(len(view) - at, len(needle) - place)
    while end < limit and view[at + end] == needle[place + end]:
        end += 1
    return at - start, at + end


def base64_needle(secret: bytes, known: int, shift: int) -> Needle:
    """Return a secret in base64 behind *shift* other bytes: the characters that depend on the secret alone."""
    text = b64encode(b"\0" * shift + secret)
    first = -(-8 * shift // 6)
    whole = text[first : 8 * (shift + len(secret)) // 6]
    return Needle(whole.translate(FOLDED), -(-8 * (shift + known) // 6) - first, MIN_BASE64)


def replaced(text: str, regions: list[Region]) -> str:
    """Return a text with the regions replaced, those that touch by one."""
    return "".join(kept_pieces(text, sorted(regions)))


def kept_pieces(text: str, regions: list[Region]) -> Iterator[str]:
    """Iterate over what is between the regions, and over the replacements."""
    reached = 0
    for start, end in regions:
        if start > reached or not reached:
            yield text[reached:start]
            yield REPLACEMENT
        reached = max(reached, end)
    yield text[reached:]
