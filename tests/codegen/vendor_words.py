"""The contract's own word, and another one to replace it, for the tests of the vendor's word."""

from __future__ import annotations

from pathlib import Path

from codegen import ROOT
from codegen.contract.source import Source
from codegen.contract.vendor_word import Renaming, VendorWord, forms

CONTRACT = (ROOT / "openapi.yaml").read_text(encoding="utf-8")
# Neither the contract's word nor its prefix, even if this suite is renamed.
WORD, PREFIX = "blorp", "bl_"


def source(text: str) -> Source:
    """Return a text as the contract."""
    return Source(Path("openapi.yaml"), text)


VENDOR = VendorWord.read(source(CONTRACT))
OLD, OLD_CAMEL, OLD_CAPITALS = forms(VENDOR.word)
OLD_PREFIX = VENDOR.credential_prefix
RENAMING = Renaming(VENDOR, WORD, PREFIX)


def put(text: str) -> str:
    """Put the contract's own words in: for ~ the word, for ^ at the head of a name, for @ the credential prefix."""
    return text.replace("~", OLD).replace("^", OLD_CAMEL).replace("@", OLD_PREFIX)
