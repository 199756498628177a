"""Check the annotations of the vendor's word (`x-vendor-word`) in the contract: complete, and none unnecessary.

Every definition of an identifier with the word is annotated, every use is covered by an annotation, and no id of a gap
or a rule contains the word, because those ids are the same under every word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from codegen.contract.finding import Finding
from codegen.contract.vendor_word import Renaming, VendorWord, annotated_values
from codegen.contract.word_places import DECLARATION, VENDOR_WORD_KEY, Role, Scalar, scalars

# A word to rename to, to find the identifiers that are not renamed; no other word contains it.
PROBE = "q0"


def word_findings(text: str) -> Iterator[Finding]:
    """Yield the wrong, missing and unnecessary annotations."""
    found = scalars(text)
    if not any(each.role is Role.DECLARED for each in found):
        yield from (
            Finding(each.place, f"{VENDOR_WORD_KEY} without x-vendor in info; add `x-vendor`, or remove it")
            for each in found
            if each.role is Role.ANNOTATION
        )
        return
    vendor = VendorWord.read(text)
    by_place: dict[str, set[str]] = {}
    for scalar in found:
        if scalar.role is Role.DEFINED:
            by_place.setdefault(scalar.place, set()).update(defined(scalar))
            yield from missing(scalar, vendor)
        elif scalar.role is Role.OURS and vendor.carries(scalar.text):
            text = f"the id {scalar.text} contains the vendor's word; ids of gaps and rules must not: change it"
            yield Finding(scalar.place, text)
    for scalar in found:
        if scalar.role is Role.ANNOTATION:
            yield from unnecessary(scalar, vendor, by_place.get(scalar.place, set()))
    yield from uncovered(found, vendor)


def defined(scalar: Scalar) -> list[str]:
    """Return the identifiers that a scalar defines: of a path the segments without its parameters."""
    if not scalar.text.startswith("/"):
        return [scalar.text]
    return [segment for segment in scalar.text.split("/") if not re.search(r"\{\w+\}", segment)]


def missing(scalar: Scalar, vendor: VendorWord) -> Iterator[Finding]:
    """Yield the identifiers that are defined here, contain the word and are not annotated."""
    for each in defined(scalar):
        by_prefix = any(each.startswith(prefix) for prefix in scalar.annotated if prefix.endswith(("-", "_")))
        if vendor.carries(each) and each not in scalar.annotated and not by_prefix:
            text = f"{each} contains the vendor's word; add `{VENDOR_WORD_KEY}: [{each}]` there"
            yield Finding(scalar.place, text)


def unnecessary(annotation: Scalar, vendor: VendorWord, here: set[str]) -> Iterator[Finding]:
    """Yield the reason why one entry of an annotation is not needed."""
    if not vendor.carries(annotation.text):
        reason = f"does not contain the word {vendor.word}"
    elif annotation.text not in here and not annotation.text.endswith(("-", "_")):
        reason = "is not defined there"
    elif annotation.text.endswith("_") and annotation.text != vendor.credential_prefix:
        reason = "is neither an identifier nor the credential prefix"
    else:
        return
    yield Finding(annotation.place, f"{VENDOR_WORD_KEY} lists {annotation.text}, which {reason}; remove it")


def uncovered(found: Sequence[Scalar], vendor: VendorWord) -> Iterator[Finding]:
    """Yield the uses of identifiers that contain the word and are covered by no annotation."""
    probe = Renaming(vendor, PROBE, f"{PROBE}_")
    fields = annotated_values(found)
    for scalar in found:
        if scalar.role is Role.USED and vendor.carries(probe.rename_scalar(scalar, fields)):
            name = f"the example of {scalar.field}" if scalar.field else "the identifier"
            way_out = f"no {VENDOR_WORD_KEY} covers it: add one where it is defined"
            yield Finding(scalar.place, f"{name}, {scalar.text}, contains the vendor's word; {way_out}")
    # An id in an example needs an annotation of its own field, not just any.
    prefixes = {each for each in vendor.identifiers if each.endswith("-")}
    for scalar in found:
        annotated = fields.get(scalar.field, frozenset()) if scalar.field else scalar.annotated
        for prefix in prefixes - annotated:
            if scalar.role is Role.USED and scalar.field is not None and scalar.text.startswith(prefix):
                way_out = f"add `{VENDOR_WORD_KEY}: [{prefix}]` there"
                yield Finding(scalar.place, f"an id {scalar.text} whose field is not annotated; {way_out}")
    if vendor.credential_prefix not in vendor.identifiers:
        text = f"no credential begins with {vendor.credential_prefix}, the credential-prefix of x-vendor; correct it"
        yield Finding(f"#/info/{DECLARATION}", text)
