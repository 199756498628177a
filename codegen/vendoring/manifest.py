"""The manifest of a vendored copy: its origin, and the hash of each of its files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

import attrs

from codegen.vendoring.self_imports import PACKAGES

OVERLAYS = PurePosixPath("agent_session_platform", "overlay_documents")
"""The folder of a copy that keeps the Overlays that were applied."""
PLACE = PurePosixPath("agent_session_platform", "VENDORED.json")
"""The path of the manifest in a copy."""


class ManifestError(Exception):
    """The manifest is missing, or cannot be read."""


@attrs.frozen
class Manifest:
    """The origin and the content of a copy.

    Attributes:
        contract_sha256: The hash of the contract, before any renaming.
        word: The vendor's word.
        sandbox: The copy includes the sandbox.
        files: The hash of each file, by its path from the directory that holds the packages.
        overlays: The names of the Overlays that were applied, in order; the copy keeps them.
    """

    version: str
    contract_sha256: str
    word: str
    credential_prefix: str
    sandbox: bool
    files: Mapping[str, str]
    overlays: list[str]

    @classmethod
    def read(cls, holder: Path) -> Manifest:
        """Read the manifest of the copy in *holder*; raise ManifestError where there is none."""
        path = holder / PLACE
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
            document.pop("about")
            return cls(**document)
        except FileNotFoundError:
            raise ManifestError(f"{path.as_posix()} is missing, so there is no vendored copy") from None
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ManifestError(f"{path.as_posix()} is not the manifest of a vendored copy ({error})") from None

    def text(self) -> str:
        """Return the manifest as it is written; it contains no path of this machine and no date."""
        about = "A copy of agent-session-platform. Do not edit: `make vendor` in that project replaces it."
        return json.dumps({"about": about, **attrs.asdict(self)}, indent=2) + "\n"


def sha256(content: bytes) -> str:
    """Return the SHA-256 of a file with LF as line end: a repository may store CRLF."""
    return hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()


def present(holder: Path) -> Iterator[str]:
    """Yield the files of the packages in *holder*, without the manifest and compiled files."""
    for package in PACKAGES:
        for path in sorted((holder / package).rglob("*")):
            place = path.relative_to(holder)
            compiled = "__pycache__" in place.parts or place.suffix == ".pyc"
            if (path.is_file() or path.is_symlink()) and not compiled and place.as_posix() != str(PLACE):
                yield place.as_posix()


def differences(holder: Path, manifest: Manifest) -> list[str]:
    """Return how a copy differs from its manifest, one line each."""
    found = set(present(holder))
    lines = [f"  missing: {place}" for place in manifest.files.keys() - found]
    lines += [f"  unknown: {place}" for place in found - manifest.files.keys()]
    lines += [
        f"  edited: {place}"
        for place in found & manifest.files.keys()
        if not (holder / place).is_file() or sha256((holder / place).read_bytes()) != manifest.files[place]
    ]
    return sorted(lines)
