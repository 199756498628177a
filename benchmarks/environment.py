"""Make the environment in which `compare.py` measures, with the peers from the package registry.

`python -m benchmarks.environment FOLDER` makes FOLDER anew: an environment in which the SDK is installed without any
extra, and the extra `speed` in a folder of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from codegen.distributions import read_projects, requirements

ROOT = Path(__file__).parent.parent
# pip checks the hash of every file that it installs.
PINNED = ["--require-hashes", "--only-binary=:all:"]
PINNED += [f"--constraint={ROOT / name}" for name in ("constraints.txt", "hashes.txt")]


def python(folder: Path) -> str:
    """Return the path of the Python interpreter in the environment of *folder*."""
    return str(folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python")


def pip(folder: Path, *arguments: str) -> None:
    """Install into the environment in *folder*."""
    settings = ["--python", python(folder), "--quiet", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "pip", *settings, "install", *arguments], check=True)


def main(folder: Path) -> None:
    """Make the environment."""
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder / "venv")
    required = requirements(read_projects(folders=["."]), extras=False)
    pip(folder, *PINNED, *required, "--group", f"{ROOT / 'pyproject.toml'}:bench")
    pip(folder, "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    pip(folder, *PINNED, "--target", str(folder / "speed"), "--no-deps", "msgspec", "sniffio")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
