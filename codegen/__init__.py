"""The project's tools: check the contract, generate the package, compare two contracts, adopt, release, and vendor.

Imports between the packages go in one direction. `contract` imports only the reader that is copied into the generated
package (`render/runtime`). `overlay_document` and `render` import `contract`, and `changes` imports all three.
`release`, `vendoring` and `adopt` may import all of these, and `adopt` also `vendoring`.
"""

from pathlib import Path

ROOT = Path(__file__).parent.parent
"""The checkout that the tools belong to."""


class RefusedError(Exception):
    """A tool cannot do what it was asked for; the message says why and, where possible, what to do."""
