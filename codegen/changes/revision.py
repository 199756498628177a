"""A revision of this project's git repository: its name, and its files in a directory of their own."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path

# What is compared: the contract and the two packages.
COMPARED = ("openapi.yaml", "generated", "overlay")


class RevisionError(Exception):
    """Git does not know the revision, or it has no contract; the message is git's, with the way out."""


def git(root: Path, *arguments: str) -> str:
    """What a git command prints. Raises RevisionError with what it complains of."""
    return git_bytes(root, *arguments).decode("utf-8").strip()


def git_bytes(root: Path, *arguments: str) -> bytes:
    """The same as bytes."""
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=True)
    except FileNotFoundError as error:
        raise RevisionError("git is not installed") from error
    except subprocess.CalledProcessError as error:
        told = error.stderr.decode("utf-8", "replace").strip()
        raise RevisionError(f"git {arguments[0]}: {told or error.stdout.decode('utf-8', 'replace').strip()}") from error
    return done.stdout


def last_release(root: Path) -> str | None:
    """The newest tag of a version that the checkout descends from."""
    try:
        return git(root, "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*")
    except RevisionError:
        return None


def export(root: Path, revision: str, target: Path) -> None:
    """Write what is compared of *revision* below *target*."""
    # A revision that looks like an option is none.
    commit = git(root, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}").splitlines()[-1]
    unpack(git_bytes(root, "archive", "--format=tar", commit, "--", *COMPARED), target)


def unpack(archive: bytes, target: Path) -> None:
    """Write the files of a tar archive below *target*."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(target, filter="data")
