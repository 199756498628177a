"""The name on the package index: free, ours, or refused because it belongs to another project."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from codegen.release.package_index import ForeignNameError, check_name

NAME, PACKAGES = "agent-session-platform", ("agent_session_platform", "agent_session_platform_api")


def make_wheel(place: Path, version: str, *packages: str) -> None:
    """Put a wheel of our name with *packages* into a directory that is an index."""
    about = f"agent_session_platform-{version}.dist-info"
    with zipfile.ZipFile(place / f"agent_session_platform-{version}-py3-none-any.whl", "w") as wheel:
        for package in packages:
            wheel.writestr(f"{package}/__init__.py", "")
        wheel.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version}\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "")


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an index in a directory, and configure pip to use only this one."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    return tmp_path


def test_a_name_without_a_project_is_free(index: Path) -> None:
    assert check_name(NAME, PACKAGES, set()) == f"The index has no project {NAME}."


def test_a_version_of_ours_is_found(index: Path) -> None:
    make_wheel(index, "0.1.0", *PACKAGES)
    assert check_name(NAME, PACKAGES, {"0.1.0"}) == f"The index has {NAME} 0.1.0, which was released here."


def test_a_version_that_was_never_released_here_is_foreign(index: Path) -> None:
    make_wheel(index, "0.1.0", *PACKAGES)
    make_wheel(index, "5.0", *PACKAGES)
    with pytest.raises(ForeignNameError, match=r"belongs to another project .*: 5\.0 on the index has no tag"):
        check_name(NAME, PACKAGES, {"0.1.0"})


def test_a_wheel_without_our_packages_is_foreign(index: Path) -> None:
    make_wheel(index, "0.1.0", "agent_session_platform")
    with pytest.raises(ForeignNameError, match=r"0\.1\.0 on the index has no wheel with .*agent_session_platform_api"):
        check_name(NAME, PACKAGES, {"0.1.0"})


def test_a_pre_release_counts(index: Path) -> None:
    make_wheel(index, "9.0rc1", *PACKAGES)
    with pytest.raises(ForeignNameError, match="9.0rc1"):
        check_name(NAME, PACKAGES, set())


def test_an_index_that_cannot_be_reached_is_reported(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    # Nothing listens on the discard port of this machine.
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "")
    assert check_name(NAME, PACKAGES, set()).startswith("The index cannot be reached")
