"""Read git revisions: find the last release, and export the files of a revision."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path

# The contract and the two packages.
COMPARED = ("openapi.yaml", "generated", "overlay", "packages")


class RevisionError(Exception):
    """A git command failed; the message is the one of git."""


def git(root: Path, *arguments: str) -> str:
    """Return what a git command prints; raise RevisionError with its message if it fails."""
    return git_bytes(root, *arguments).decode("utf-8").strip()


def git_bytes(root: Path, *arguments: str) -> bytes:
    """Return what a git command prints as bytes; raise RevisionError with its message if it fails."""
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=True)
    except FileNotFoundError as error:
        raise RevisionError("git is not installed") from error
    except subprocess.CalledProcessError as error:
        message = (error.stderr.strip() or error.stdout.strip()).decode("utf-8", "replace")
        raise RevisionError(f"git {arguments[0]}: {message}") from error
    return done.stdout


def last_release(root: Path) -> str | None:
    """Return the newest version tag among the ancestors of the checkout, or None."""
    try:
        return git(root, "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*")
    except RevisionError:
        return None


def export(root: Path, revision: str, target: Path) -> None:
    """Write the compared files of *revision* below *target*."""
    # A revision that begins with a dash must not be read as an option.
    commit = git(root, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}").splitlines()[-1]
    # A revision from before the companions has no packages.
    there = {*git(root, "ls-tree", "--name-only", commit).split()}
    paths = [each for each in COMPARED if each in there]
    unpack(git_bytes(root, "archive", "--format=tar", commit, "--", *paths), target)


def unpack(archive: bytes, target: Path) -> None:
    """Write the files of a tar archive below *target*."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(target, filter="data")
