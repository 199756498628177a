"""Check on the package index, as pip is configured, that no other project owns the name of the distribution."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Collection
from pathlib import Path
from tempfile import TemporaryDirectory

# pip only warns with these words about an unreachable index, and continues as if it were empty.
UNREACHABLE = ("Retrying (", "Could not fetch URL")


class ForeignNameError(Exception):
    """The name of the distribution belongs to another project; the message gives the evidence."""


def check_name(name: str, packages: Collection[str], released: Collection[str]) -> str:
    """Check that the index has no other project with this name, and report the result in one sentence.

    Args:
        name: The name of the distribution.
        packages: The import packages that every wheel of ours contains.
        released: The versions that this checkout has a tag of.

    Raises:
        ForeignNameError: The index has a version that was never released here, or a wheel without our packages.
    """
    done = pip("index", "versions", name, "--json", "--pre", "--ignore-requires-python")
    if done.returncode:
        if any(words in done.stderr for words in UNREACHABLE):
            return f"The index cannot be reached: whether another project owns the name {name} is not known."
        return f"The index has no project {name}."
    versions = json.loads(done.stdout)["versions"]
    if foreign := [version for version in versions if version not in released]:
        raise ForeignNameError(f"{claim(name)}: {', '.join(foreign[:3])} on the index has no tag in this checkout")
    if not contains(name, versions[0], packages):
        raise ForeignNameError(f"{claim(name)}: {versions[0]} on the index has no wheel with {', '.join(packages)}")
    return f"The index has {name} {versions[0]}, which was released here."


def claim(name: str) -> str:
    """Return the start of the error message."""
    return f"the name {name} belongs to another project on the package index; release under another name"


def contains(name: str, version: str, packages: Collection[str]) -> bool:
    """Return whether a version on the index is a wheel with *packages*, without installing or running it."""
    with TemporaryDirectory() as scratch:
        settings = ("--no-deps", "--only-binary=:all:", "--ignore-requires-python")
        pip("download", f"{name}=={version}", *settings, cwd=scratch)
        for wheel in Path(scratch).glob("*.whl"):
            with zipfile.ZipFile(wheel) as files:
                return set(packages) <= {path.partition("/")[0] for path in files.namelist()}
    return False


def pip(*arguments: str, cwd: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run the pip of this environment, which reads its own configuration."""
    command = [sys.executable, "-m", "pip", *arguments, "--disable-pip-version-check", "--retries=1", "--timeout=10"]
    environment = {**os.environ, "PYTHONUTF8": "1"}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, encoding="utf-8", errors="replace")
