"""The tables of the subcommands and of the extras: `asp --help` imports none of them."""

from __future__ import annotations

from typing import Final

# The command `word` is `command` of the module commands/word.py; it is imported when it runs.
COMMANDS: Final = {
    "call": "Call an operation of the API.",
    "operations": "List the operations of the API.",
    "show": "Show what an operation takes, needs and does not tell.",
    "wait": "Wait for an object until it is as you say.",
    "follow": "Print what is added to a list, as it comes.",
    "export": "Write a list to a file, and later what is new.",
    "changes": "Print what is new or changed in a list since the last time.",
    "batch": "Create an object for each row of a table, and survive a crash.",
    "gaps": "List what the API's description does not show.",
    "legacy": "Find the current operation of a legacy path.",
    "permissions": "List the operations and permissions that a program needs.",
    "observations": "Report what a deployment showed; propose an Overlay of it.",
    "mcp": "Offer the operations to an AI assistant as tools (MCP).",
    "profile": "Show the profiles, or choose the default one.",
    "doctor": "Find out why the platform cannot be used.",
    "sandbox": "Serve a double of the platform on this machine.",
    "completion": "Print the completion script of a shell.",
}

# These parse their arguments themselves, and `main(arguments, program)` runs them.
THIN: Final = frozenset({"observations", "permissions", "sandbox"})

# Distributions that are built on the SDK as `asp` is, and that some of its commands need.
COMPANIONS: Final = ("sandbox", "observe")
# What each other extra, of the SDK or of the command line, is for. Its further requirements only keep out old releases.
REQUIREMENTS: Final = {
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

    The companions are on no package index, and pip asks one for each name that is not on its command line. So the
    command has the paths of the companion and of the SDK.
    """
    if extra in COMPANIONS:
        return f"run `pip install . ./packages/{extra}` in a checkout of the SDK, or one `pip install` with both wheels"
    return f"pip install {' '.join(map(repr, REQUIREMENTS[extra]))}"
