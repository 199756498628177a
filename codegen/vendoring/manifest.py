"""The manifest of a vendored copy: what it was made of, and what each of its files should be."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath

NAME = "VENDORED.json"
PLACE = PurePosixPath("agent_session_platform") / NAME
"""Where it stands in a copy."""


class ManifestError(Exception):
    """There is no manifest, or it is none."""


@dataclass(frozen=True)
class Manifest:
    """What a copy was made of. Every path is relative to the directory that holds the packages."""

    version: str
    contract_sha256: str
    word: str
    credential_prefix: str
    sandbox: bool
    files: Mapping[str, str]
    """The SHA-256 of each file, its line ends taken for LF: a repository may hold them otherwise."""

    @classmethod
    def read(cls, holder: Path) -> Manifest:
        """Read the manifest of the copy in *holder*; raises ManifestError."""
        path = holder / PLACE
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
            document.pop("about")
            manifest = cls(**document)
            if not all(isinstance(each, str) for pair in manifest.files.items() for each in pair):
                raise TypeError("files must map paths to hashes")
        except FileNotFoundError:
            raise ManifestError(f"{path.as_posix()} is missing: no vendored copy is there") from None
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ManifestError(f"{path.as_posix()} is no manifest of a vendored copy ({error})") from None
        return manifest

    def text(self) -> str:
        """The manifest as it is written: the same for the same copy, and with no path of this machine."""
        about = "A copy of agent-session-platform. Do not edit: `make vendor` in that project writes it anew."
        return json.dumps({"about": about, **asdict(self)}, indent=2) + "\n"


def sha256(content: bytes) -> str:
    """The hash of a text file, whatever its line ends."""
    return hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()


def present(holder: Path, packages: tuple[str, ...]) -> Iterator[str]:
    """The files of the packages in *holder*, without the manifest and what Python compiles."""
    for package in packages:
        for path in sorted((holder / package).rglob("*")):
            place = path.relative_to(holder)
            compiled = "__pycache__" in place.parts or place.suffix == ".pyc"
            if (path.is_file() or path.is_symlink()) and not compiled and place.as_posix() != str(PLACE):
                yield place.as_posix()


def differences(holder: Path, manifest: Manifest, packages: tuple[str, ...]) -> list[str]:
    """What a copy has otherwise than its manifest says: a line each."""
    found = set(present(holder, packages))
    lines = [f"  missing: {place}" for place in manifest.files.keys() - found]
    lines += [f"  a stranger: {place}" for place in found - manifest.files.keys()]
    lines += [
        f"  edited: {place}"
        for place in found & manifest.files.keys()
        if not (holder / place).is_file() or sha256((holder / place).read_bytes()) != manifest.files[place]
    ]
    return sorted(lines)
