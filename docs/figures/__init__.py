"""The figures of the documentation site, drawn from what the code does."""

from __future__ import annotations

from docs.figures import call_path, limits, rate_limit


def images() -> dict[str, str]:
    """Return each figure as SVG, by its path below the site."""
    return {
        "images/call-path.svg": call_path.svg(),
        "images/limits.svg": limits.svg(),
        "images/rate-limit.svg": rate_limit.svg(),
    }
