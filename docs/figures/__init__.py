"""The figure of the documentation site that is drawn from what the code does."""

from __future__ import annotations

from docs.figures import call_path


def images() -> dict[str, str]:
    """Return each figure as SVG, by its path below the site."""
    return {"images/call-path.svg": call_path.svg()}
