"""Which version may follow which: PEP 440 in the form of Semantic Versioning, and a breaking change needs room.

From 1.0.0 on a breaking change raises the first number. Before, the second takes its place: SemVer lets anything happen
in 0.x, and users pin `~=0.3.0`. After a pre-release anything may follow: it promised nothing.
"""

from __future__ import annotations

from packaging.version import InvalidVersion, Version

FORM = "write it as 1.2.3, or 1.2.3rc1 for a pre-release"


class VersionError(Exception):
    """A version that cannot be released; the message says which could."""


def next_version(written: str, *, present: str, last: str | None, breaking: int) -> Version:
    """The version *written*, if it may be released.

    *present* is the one that the package has, *last* the last that was released, *breaking* the number of changes since
    that break callers. Raises VersionError.
    """
    version = parse(written)
    before = parse(last) if last is not None else None
    if before is not None and version <= before:
        raise VersionError(f"{version} is not greater than {before}, the last release")
    if version < parse(present):
        raise VersionError(f"{version} is less than {present}, the version of the package")
    if breaking and before is not None and not before.is_prerelease and room(version) <= room(before):
        major, minor = room(before)
        least = f"{major + 1}.0.0" if major else f"0.{minor + 1}.0"
        raise VersionError(f"{version} has to be {least} at least: changes since {before} break callers ({breaking})")
    return version


def parse(written: str) -> Version:
    """A version in the one form that is taken."""
    try:
        version = Version(written)
    except InvalidVersion:
        raise VersionError(f"{written!r} is no version; {FORM}") from None
    plain = not (version.epoch or version.is_devrelease or version.is_postrelease or version.local)
    if str(version) != written or len(version.release) != 3 or not plain:
        raise VersionError(f"{written!r} is not in the form of a release; {FORM}")
    return version


def room(version: Version) -> tuple[int, int]:
    """The numbers that a breaking change has to raise."""
    return (version.major, 0) if version.major else (0, version.minor)
