"""Copies of the checkout, and programs that run in them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from codegen import ROOT
from codegen.changes import git
from codegen.vendoring.private_build import tracked


def copy_checkout(root: Path) -> Path:
    """Make a repository of the files of this checkout, with one commit."""
    for path in tracked(ROOT):
        (root / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, root / path.relative_to(ROOT))
    git(root, "init", "--quiet")
    for name, value in (("user.name", "Ada"), ("user.email", "ada@example.com"), ("core.autocrlf", "false")):
        git(root, "config", name, value)
    git(root, "add", "--all", "--force")
    git(root, "commit", "--quiet", "--message=All")
    return root


def importing(build: Path, *places: Path) -> dict[str, str]:
    """Return the environment in which Python imports the packages of *build* and the modules in *places*.

    They come before the editable installs of the checkout.
    """
    paths = [*places, build / "generated", build / "overlay", *sorted(build.glob("packages/*/src"))]
    return os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths)), "PYTHONUTF8": "1"}


def python(root: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a copy, with the packages of the copy."""
    environment = importing(root) | settings
    return subprocess.run(
        [sys.executable, *arguments], cwd=root, env=environment, capture_output=True, encoding="utf-8"
    )


def check_types(build: Path, cache: Path, *programs: str) -> None:
    """Check programs with mypy, strictly, against the packages of *build*."""
    settings = os.environ | {"MYPYPATH": importing(build)["PYTHONPATH"]}
    command = [sys.executable, "-m", "mypy", "--strict", f"--cache-dir={cache}", *programs]
    checked = subprocess.run(command, env=settings, cwd=cache.parent, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
