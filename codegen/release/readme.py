"""Give the package index a README whose links lead somewhere: a hook that hatchling runs while it builds.

In the checkout the links of a README are relative to its folder, so that they work there; on an index they begin with
`Source` of `project.urls`, and with that folder.

Imports nothing of this project: while a wheel is built elsewhere, only hatchling is there.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from hatchling.metadata.plugin.interface import MetadataHookInterface

# A link or a picture whose target is in the checkout.
RELATIVE = re.compile(r"(?P<before>\]\()(?P<target>(?![a-z]+:|#|/)[^)\s]+)(?=\))")


class AbsoluteReadme(MetadataHookInterface):
    """The hook, which sets the field `readme`."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Read README.md, and make its links absolute."""
        root = Path(self.root)
        text = (root / "README.md").read_text(encoding="utf-8")
        folder = f"packages/{root.name}/" if root.parent.name == "packages" else ""
        source = urljoin(metadata["urls"]["Source"], folder)
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute(text, source)}


def absolute(text: str, source: str) -> str:
    """Return a Markdown text in which relative links are absolute.

    Args:
        text: The text.
        source: The address of the checkout; it ends in `/`.

    Example:
        >>> absolute("[licence](LICENSE), [top](#top)", "https://host.example/tree/main/")
        '[licence](https://host.example/tree/main/LICENSE), [top](#top)'
    """
    return RELATIVE.sub(lambda link: f"{link['before']}{urljoin(source, link['target'])}", text)
