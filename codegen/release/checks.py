"""Run what a release has to pass beside `make test` and `make check`, and end with one table: `make check-release`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time

from codegen import ROOT

TARGETS = ("test-lowest", "word-check", "other-tools", "frozen", "conformance", "docs-browser")
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
"""The versions of Python whose interpreters are looked for."""

Row = tuple[str, str, float]


def run(name: str, *arguments: str, **settings: str) -> Row:
    """Run make, and return its row of the table."""
    print(f"\n=== {name}", flush=True)
    began = time.monotonic()
    # make would hand on its own variables, such as PYTHON.
    environment = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MAKEOVERRIDES")}
    failed = subprocess.run(["make", *arguments], cwd=ROOT, env=environment | settings, check=False).returncode
    return name, "FAILED" if failed else "passed", time.monotonic() - began


def run_on(version: str) -> Row:
    """Run the tests of the SDK on another version of Python, if it is on this machine."""
    name, python = f"SDK on Python {version}", f"python{version}"
    # What pyenv puts on the PATH runs only the version that is switched on.
    settings = {"PYENV_VERSION": version}
    if shutil.which(python):
        started = subprocess.run([python, "-c", "import venv"], env=os.environ | settings, capture_output=True)
        if started.returncode == 0:
            return run(name, "test-python", f"PYTHON={python}", **settings)
    return name, "not on this machine", 0.0


def main() -> int:
    """Run all of it, print the table, and return 1 if something failed."""
    rows = [*(run(target, target) for target in TARGETS), *map(run_on, VERSIONS)]
    print()
    for name, outcome, seconds in rows:
        print(f"{name:20} {outcome:20} {seconds:6.0f} s")
    return int(any(outcome == "FAILED" for _, outcome, _ in rows))


if __name__ == "__main__":
    sys.exit(main())
