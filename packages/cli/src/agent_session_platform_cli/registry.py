"""The table of the subcommands: `asp --help` imports none of them."""

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

# These need no click: they parse their arguments themselves, and `main(arguments, program)` runs them.
THIN: Final = frozenset({"observations", "permissions", "sandbox"})
