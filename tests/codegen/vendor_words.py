"""The contract's own word, and another one to replace it, for the tests of the vendor's word."""

from __future__ import annotations

from pathlib import Path

from codegen import ROOT
from codegen.contract.source import Source
from codegen.contract.vendor_word import Renaming, VendorWord, forms

CONTRACT = (ROOT / "openapi.yaml").read_text(encoding="utf-8")
# These are never the contract's own word and prefix, not even if this suite is renamed.
WORD, PREFIX = "blorp", "bl_"


def source(text: str) -> Source:
    """Return a text as the source of a contract."""
    return Source(Path("openapi.yaml"), text)


VENDOR = VendorWord.read(source(CONTRACT))
OLD, OLD_CAMEL, OLD_CAPITALS = forms(VENDOR.word)
OLD_PREFIX = VENDOR.credential_prefix
RENAMING = Renaming(VENDOR, WORD, PREFIX)


def put(text: str) -> str:
    """Replace ~ and ^ (at the beginning of a name) with the contract's word, and @ with the credential prefix."""
    return text.replace("~", OLD).replace("^", OLD_CAMEL).replace("@", OLD_PREFIX)
