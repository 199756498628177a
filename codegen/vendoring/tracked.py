"""Tell the files of the project from those that lie beside them: a `.env` or a draft goes into no build."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path


def tracked(root: Path, files: Iterable[Path]) -> list[Path]:
    """Return those of the files that git tracks, as they are on the disk; how many others there are goes to stderr.

    Args:
        root: The project.
        files: Files below it.

    Returns:
        All of the files if the project is no git checkout, such as an unpacked archive, or if git cannot list them.
    """
    found = list(files)
    # A folder below a checkout, such as a private build, is none itself, and git tracks nothing in it.
    if not (root / ".git").exists():
        return found
    try:
        done = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        print("git cannot list the files of the project, so that all of them are copied", file=sys.stderr)
        return found
    names = set(done.stdout.decode("utf-8", "surrogateescape").split("\0"))
    ours = [path for path in found if path.relative_to(root).as_posix() in names]
    if left := len(found) - len(ours):
        count = "1 file" if left == 1 else f"{left} files"
        print(f"left out: {count} that git does not track; `git add` what belongs to the project", file=sys.stderr)
    return ours
