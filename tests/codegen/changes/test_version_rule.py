"""The version rule: which version may follow another."""

from __future__ import annotations

import pytest

from codegen.changes.version_rule import VersionError, next_version


@pytest.mark.parametrize(
    ("version", "last", "breaking"),
    [
        ("0.1.0", None, 0),
        ("0.1.1", "0.1.0", 0),
        ("0.2.0", "0.1.9", 3),
        ("1.0.0", "0.9.0", 3),
        ("1.0.0rc1", "0.9.0", 3),
        ("1.0.0rc2", "1.0.0rc1", 3),
        ("1.0.0", "1.0.0rc2", 1),
        ("1.10.0", "1.9.0", 0),
        ("2.0.0", "1.9.0", 1),
    ],
)
def test_a_version_may_follow(version: str, last: str | None, breaking: int) -> None:
    assert str(next_version(version, present=last or "0.1.0", last=last, breaking=breaking)) == version


@pytest.mark.parametrize(
    ("version", "last", "breaking", "message"),
    [
        ("one", "0.1.0", 0, "'one' is not a version; write it as 1.2.3"),
        ("1.2", "0.1.0", 0, "'1.2' is not in the form of a release"),
        ("v1.2.3", "0.1.0", 0, "'v1.2.3' is not in the form"),
        ("1.2.3-rc1", "0.1.0", 0, "not in the form"),
        ("1.2.3.dev1", "0.1.0", 0, "not in the form"),
        ("1.2.3+local", "0.1.0", 0, "not in the form"),
        ("0.1.0", "0.1.0", 0, "0.1.0 is not greater than 0.1.0, the last release"),
        ("0.1.0rc1", "0.1.0", 0, "not greater"),
        ("0.0.1", None, 0, "0.0.1 is less than 0.1.0, the version of the package"),
        ("0.1.1", "0.1.0", 1, "0.1.1 has to be 0.2.0 at least: changes since 0.1.0 break callers (1)"),
        ("1.3.0", "1.2.3", 2, "1.3.0 has to be 2.0.0 at least: changes since 1.2.3 break callers (2)"),
    ],
)
def test_a_version_may_not_follow(version: str, last: str | None, breaking: int, message: str) -> None:
    with pytest.raises(VersionError) as caught:
        next_version(version, present=last or "0.1.0", last=last, breaking=breaking)
    assert message in str(caught.value)
