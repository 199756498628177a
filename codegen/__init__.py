"""The project's tools: check the contract, generate the package, compare two contracts, release, and vendor.

Imports between the packages go one way: `contract` imports only the reader that is copied into the generated package
(`render/runtime`), `overlay_document` and `render` import `contract`, `changes` imports all three, and `release` and
`vendoring` import what they need of them.
"""

from pathlib import Path

ROOT = Path(__file__).parent.parent
"""The checkout that the tools belong to."""


class RefusedError(Exception):
    """A tool refuses what it was told to do; the message says why, and mostly what to do instead."""
