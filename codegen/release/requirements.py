"""Print what the SDK requires, one line each: `python -m codegen.release.requirements sandbox redis`.

With hashes pip installs no local directory, so the Makefile installs these first, and then the SDK without its
dependencies. Only the standard library is imported, because nothing is installed yet.
"""

from __future__ import annotations

import sys
import tomllib

from codegen import ROOT


class UnknownExtraError(Exception):
    """An extra is not in pyproject.toml."""


def requirements(pyproject: str, extras: list[str]) -> list[str]:
    """Return the requirements of the build, of the SDK and of its *extras*, as pyproject.toml states them.

    Raises:
        UnknownExtraError: The project has no such extra.
    """
    document = tomllib.loads(pyproject)
    optional = document["project"].get("optional-dependencies", {})
    if unknown := sorted(set(extras) - optional.keys()):
        raise UnknownExtraError(f"no extra {', '.join(unknown)}; there are {', '.join(optional)}")
    build, runtime = document["build-system"]["requires"], document["project"]["dependencies"]
    return [*build, *runtime, *(each for extra in extras for each in optional[extra])]


if __name__ == "__main__":
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    print("\n".join(requirements(text, sys.argv[1:])))
