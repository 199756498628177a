"""Decide which version may follow another: Semantic Versioning, in the notation of PEP 440.

From 1.0.0 on a breaking change raises the first number, in 0.x the second one, because users pin `~=0.3.0`. Any change
may follow a pre-release, which promises no stability.
"""

from __future__ import annotations

from packaging.version import InvalidVersion, Version

FORM = "write it as 1.2.3, or 1.2.3rc1 for a pre-release"


class VersionError(Exception):
    """A version cannot be released; the message says which one could."""


def next_version(written: str, *, present: str, last: str | None, breaking: int) -> Version:
    """Return the version *written* if it may be released.

    Args:
        written: The version as it was typed.
        present: The version of the package.
        last: The version of the last release, if there was one.
        breaking: The number of changes since the last release that break callers.

    Raises:
        VersionError: It is not greater than the others, or too small for a breaking change.
    """
    version = parse(written)
    before = parse(last) if last is not None else None
    if before is not None and version <= before:
        raise VersionError(f"{version} is not greater than {before}, the last release")
    if version < parse(present):
        raise VersionError(f"{version} is less than {present}, the version of the package")
    if (
        breaking
        and before is not None
        and not before.is_prerelease
        and compatible_series(version) <= compatible_series(before)
    ):
        major, minor = compatible_series(before)
        least = f"{major + 1}.0.0" if major else f"0.{minor + 1}.0"
        raise VersionError(f"{version} has to be {least} at least: changes since {before} break callers ({breaking})")
    return version


def parse(written: str) -> Version:
    """Parse a version in the only accepted form."""
    try:
        version = Version(written)
    except InvalidVersion:
        raise VersionError(f"{written!r} is not a version; {FORM}") from None
    plain = not (version.epoch or version.is_devrelease or version.is_postrelease or version.local)
    if str(version) != written or len(version.release) != 3 or not plain:
        raise VersionError(f"{written!r} is not in the form of a release; {FORM}")
    return version


def compatible_series(version: Version) -> tuple[int, int]:
    """Return the numbers that a compatible version keeps; a breaking change has to raise one."""
    return (version.major, 0) if version.major else (0, version.minor)
