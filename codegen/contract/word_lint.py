"""Check the marks of the vendor's word in the contract: they are complete, and none is needless.

Every definition of an identifier with the word is marked, every use is covered by a mark, and no id of a gap or a rule
contains the word, because those ids are the same under every word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from codegen.contract.vendor_word import Renaming, VendorWord, marked_fields
from codegen.contract.word_places import MARK, Role, Scalar, scalars

# Put in to see which identifiers are not renamed; it contains no other word.
PROBE = "q0"


def word_findings(text: str) -> Iterator[str]:
    """Yield what is wrong with the marks, one line each, with its place."""
    vendor = VendorWord.read(text)
    found = scalars(text)
    if vendor is None:
        yield from (f"{each.place}: {MARK} without x-vendor in info" for each in found if each.role is Role.MARK)
        return
    by_place: dict[str, set[str]] = {}
    for scalar in found:
        if scalar.role is Role.DEFINED:
            by_place.setdefault(scalar.place, set()).update(defined(scalar))
            yield from unmarked(scalar, vendor)
        elif scalar.role is Role.OURS and vendor.carries(scalar.text):
            yield f"{scalar.place}: the id {scalar.text} contains the vendor's word; ids of gaps and rules must not"
    for scalar in found:
        if scalar.role is Role.MARK:
            yield from needless(scalar, vendor, by_place.get(scalar.place, set()))
    yield from left_behind(found, vendor)


def defined(scalar: Scalar) -> list[str]:
    """Return the identifiers that a scalar defines: of a path the segments but its parameters."""
    if not scalar.text.startswith("/"):
        return [scalar.text]
    return [segment for segment in scalar.text.split("/") if not re.search(r"\{\w+\}", segment)]


def unmarked(scalar: Scalar, vendor: VendorWord) -> Iterator[str]:
    """Yield the identifiers that are defined here, contain the word and are not marked."""
    for each in defined(scalar):
        by_prefix = any(each.startswith(mark) for mark in scalar.marks if mark.endswith(("-", "_")))
        if vendor.carries(each) and each not in scalar.marks and not by_prefix:
            yield f"{scalar.place}: {each} contains the vendor's word; add `{MARK}: [{each}]` there"


def needless(mark: Scalar, vendor: VendorWord, here: set[str]) -> Iterator[str]:
    """Yield what is wrong with one entry of a mark."""
    if not vendor.carries(mark.text):
        yield f"{mark.place}: {MARK} lists {mark.text}, which does not contain the word {vendor.word}"
    elif mark.text not in here and not mark.text.endswith(("-", "_")):
        yield f"{mark.place}: {MARK} lists {mark.text}, which is not defined there"
    elif mark.text.endswith("_") and mark.text != vendor.credential_prefix:
        yield f"{mark.place}: {MARK} lists {mark.text}, which is neither an identifier nor the credential prefix"


def left_behind(found: Sequence[Scalar], vendor: VendorWord) -> Iterator[str]:
    """Yield the uses of identifiers that contain the word and are covered by no mark."""
    probe = Renaming(vendor, PROBE, f"{PROBE}_")
    fields = marked_fields(found)
    for scalar in found:
        if scalar.role is Role.USED and vendor.carries(probe.scalar(scalar, fields)):
            where = f"the example of {scalar.field}" if scalar.field else "the identifier"
            yield f"{scalar.place}: {where}, {scalar.text}, contains the vendor's word, and no {MARK} covers it"
    # An id in an example is covered by a mark at its field, not only by one somewhere.
    prefixes = {each for each in vendor.identifiers if each.endswith("-")}
    for scalar in found:
        marked = fields.get(scalar.field, frozenset()) if scalar.field else scalar.marks
        for prefix in prefixes - marked:
            if scalar.role is Role.USED and scalar.field is not None and scalar.text.startswith(prefix):
                yield f"{scalar.place}: an id {scalar.text} whose field is not marked; add `{MARK}: [{prefix}]` there"
    if vendor.credential_prefix not in vendor.identifiers:
        yield f"no credential begins with {vendor.credential_prefix}, the credential-prefix of x-vendor"
