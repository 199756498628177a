"""The project's tools: check the contract, generate the package, compare two contracts, release, and vendor.

Imports between the rooms go one way: `contract` knows no other room, `render` knows `contract`, `changes` knows both,
and `release` and `vendoring` use whatever they need of them.
"""

from pathlib import Path

ROOT = Path(__file__).parent.parent
"""The checkout that the tools belong to."""
