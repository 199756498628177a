"""The entry point of `asp`."""

from __future__ import annotations

from .group import asp


def main() -> None:
    """Run the subcommand that the arguments of the process name, and exit with its code (`exit_codes.py`)."""
    asp.main(prog_name="asp")
