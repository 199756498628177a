"""What to install where an extra is missing: of the SDK, or of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

COMPANIONS: Final = ("sandbox", "observe")

# What each other extra is for; its further requirements only keep out old releases.
REQUIREMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "aiohttp": ("aiohttp>=3.14.3,<4",),
    "httpx2": ("httpx2>=2.16,<3",),
    "http2": ("h2>=4.3,<5",),
    "socks": ("socksio>=1.0,<2",),
    "redis": ("redis>=5.0.1,<9",),
    "speed": ("msgspec>=0.18,<1", "sniffio>=1.3,<2"),
    "mcp": ("mcp>=2.3,<3",),
}


def to_install(extra: str) -> str:
    """Return what to do to install an extra.

    The companions of the SDK are on no package index, which pip would ask for each name that is not on its command
    line. So the command has the paths of both.

    Args:
        extra: Its name: one of COMPANIONS or of REQUIREMENTS.
    """
    if extra in COMPANIONS:
        return (
            f"in a checkout of the SDK run `pip install . ./packages/{extra}`, "
            "or pass its wheel file and that of the SDK to one `pip install`"
        )
    return f"pip install {' '.join(repr(each) for each in REQUIREMENTS[extra])}"
