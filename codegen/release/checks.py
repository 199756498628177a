"""Run what a release has to pass beside `make test` and `make check`, and end with one table: `make check-release`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from codegen import ROOT

TARGETS = ("test-lowest", "word-check", "other-tools", "frozen", "conformance", "docs-browser")
MINORS = range(11, 15)
"""The versions of Python 3 whose interpreters are looked for."""


def interpreters() -> Iterator[tuple[str, str | None]]:
    """Yield each version of Python with the path of its interpreter; None where there is none on this machine."""
    for minor in MINORS:
        name = f"python3.{minor}"
        # What pyenv puts on the PATH runs only the version that is switched on.
        versions = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser() / "versions"
        candidates = [shutil.which(name), *map(str, versions.glob(f"3.{minor}.*/bin/{name}"))]
        yield f"3.{minor}", next((each for each in candidates if each and runs(each)), None)


def runs(python: str) -> bool:
    """Return whether an interpreter can be started."""
    return subprocess.run([python, "-c", "import venv"], capture_output=True, check=False).returncode == 0


def main() -> int:
    """Run all of it, print the table, and return 1 if something failed."""
    steps: list[tuple[str, list[str] | None]] = [(target, ["make", target]) for target in TARGETS]
    steps += [
        (f"SDK on Python {version}", ["make", "test-python", f"PYTHON={python}"] if python else None)
        for version, python in interpreters()
    ]
    rows: list[tuple[str, str, float]] = []
    for name, command in steps:
        if command is None:
            rows.append((name, "not on this machine", 0.0))
            continue
        print(f"\n=== {name}", flush=True)
        began = time.monotonic()
        # make would hand on its own variables, such as PYTHON.
        environment = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MAKEOVERRIDES")}
        failed = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        rows.append((name, "FAILED" if failed else "passed", time.monotonic() - began))
    print()
    for name, outcome, seconds in rows:
        print(f"{name:20} {outcome:20} {seconds:6.0f} s")
    return int(any(outcome == "FAILED" for _, outcome, _ in rows))


if __name__ == "__main__":
    sys.exit(main())
