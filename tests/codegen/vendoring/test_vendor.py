"""A vendored copy is reproducible; an edited, incomplete or old copy is reported."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path, PurePath

import pytest

from codegen import ROOT, RefusedError
from codegen.contract.source import Source
from codegen.contract.vendor_word import VendorWord
from codegen.vendoring.vendor import check, read_manifest, relative, vendor
from tests.codegen.vendor_words import PREFIX, WORD


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy that no test changes."""
    holder = tmp_path_factory.mktemp("copied") / "_vendor"
    vendor(holder)
    return holder


@pytest.fixture
def holder(copied: Path, tmp_path: Path) -> Path:
    """Return a copy that a test may change."""
    return shutil.copytree(copied, tmp_path / "service" / "_vendor")


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a checkout with another version, with a changed module, and without another one."""
    root = tmp_path_factory.mktemp("newer")
    for name in ("generated", "overlay"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__", "redis.py"))
    for name in ("openapi.yaml", "LICENSE", "NOTICE"):
        shutil.copyfile(ROOT / name, root / name)
    with (root / "overlay" / "agent_session_platform" / "retry.py").open("a", encoding="utf-8") as file:
        file.write("# changed in the project\n")
    (root / "pyproject.toml").write_text("[project]\nversion = '99.1'\n", encoding="utf-8")
    return root


def edit(holder: Path) -> None:
    with (holder / "agent_session_platform" / "retry.py").open("a", encoding="utf-8") as file:
        file.write("# edited here\n")


def lose(holder: Path) -> None:
    (holder / "agent_session_platform_api" / "contract.json").unlink()


def add(holder: Path) -> None:
    (holder / "agent_session_platform" / "missing.py").touch()


EDITS = [
    (edit, "  edited: agent_session_platform/retry.py"),
    (lose, "  missing: agent_session_platform_api/contract.json"),
    (add, "  unknown: agent_session_platform/missing.py"),
]


def test_a_copy_has_the_licences_the_types_and_the_data_and_no_companion(copied: Path) -> None:
    packages = ("agent_session_platform", "agent_session_platform_api")
    assert {path.name for path in copied.iterdir()} == {"__init__.py", *packages}
    for package in packages:
        for name in ("LICENSE", "NOTICE"):
            assert (copied / package / name).read_bytes() == (ROOT / name).read_bytes()
        assert (copied / package / "py.typed").exists()


def test_the_manifest_describes_the_copy_without_a_path_of_this_machine(copied: Path) -> None:
    manifest = read_manifest(copied)
    found = VendorWord.read(Source(ROOT / "openapi.yaml"))
    assert (manifest.word, manifest.credential_prefix, manifest.sandbox) == (found.word, found.credential_prefix, False)
    text = (copied / "agent_session_platform" / "VENDORED.json").read_text(encoding="utf-8")
    assert str(copied.parent) not in text
    assert str(ROOT) not in text
    assert not [place for place in manifest.files if PurePath(place).is_absolute() or "\\" in place or ".." in place]


def test_the_same_copy_is_made_again_and_other_files_stay(holder: Path, copied: Path) -> None:
    (holder / "__init__.py").write_text('"""Mine."""\n', encoding="utf-8")
    (holder / "other_library").mkdir()
    lose(holder)
    vendor(holder)
    assert check(holder) == []
    assert (holder / "__init__.py").read_text(encoding="utf-8") == '"""Mine."""\n'
    assert (holder / "other_library").exists()
    for path in (path for path in copied.rglob("*") if path.is_file() and path.parent != copied):
        assert path.read_bytes() == (holder / path.relative_to(copied)).read_bytes()


@pytest.mark.parametrize(("change", "message"), EDITS)
def test_the_check_names_the_file_that_was_changed(holder: Path, change: Callable[[Path], None], message: str) -> None:
    change(holder)
    assert check(holder) == [f"the copy in {holder} differs from its manifest:", message]


def test_the_check_ignores_line_ends_and_compiled_files(holder: Path) -> None:
    for path in holder.rglob("*.py"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    (holder / "agent_session_platform" / "__pycache__").mkdir()
    (holder / "agent_session_platform" / "__pycache__" / "retry.cpython-311.pyc").touch()
    assert check(holder) == []


def test_the_check_reports_a_copy_that_is_out_of_date(copied: Path, newer: Path) -> None:
    [first, *files] = check(copied, newer)
    assert f"the copy in {copied} is out of date" in first
    assert "today 99.1); run `make vendor`" in first
    folder = "agent_session_platform"
    assert files == [f"  changed: {folder}/retry.py", f"  removed: {folder}/rate_limit/redis.py"]


def test_vendoring_again_replaces_the_older_copy(holder: Path, newer: Path) -> None:
    assert vendor(holder, root=newer).version == "99.1"
    assert not (holder / "agent_session_platform" / "rate_limit" / "redis.py").exists()


@pytest.mark.parametrize(("change", "message"), [each for each in EDITS if each[0] is not lose])
def test_an_edited_copy_is_not_lost_without_force(holder: Path, change: Callable[[Path], None], message: str) -> None:
    change(holder)
    with pytest.raises(RefusedError, match=f"was edited; FORCE=1 replaces it anyway:\n{message}"):
        vendor(holder)


def test_a_renewed_copy_keeps_its_words_its_overlays_and_its_sandbox(
    tmp_path: Path, build: Path, overlays: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[object, ...]] = []

    def private_build(root: Path, destination: Path, *settings: object) -> VendorWord:
        asked.append(settings)
        shutil.copytree(build, destination, ignore=shutil.ignore_patterns("benchmarks", "docs", "examples", "tests"))
        return VendorWord.read(Source(build / "openapi.yaml"))

    monkeypatch.setattr("codegen.vendoring.vendor.private_build", private_build)
    made = vendor(tmp_path, WORD, PREFIX, overlays, sandbox=True)
    assert (made.word, made.credential_prefix, made.sandbox) == (WORD, PREFIX, True)
    assert made.overlays == [path.name for path in overlays]
    assert check(tmp_path) == []
    assert vendor(tmp_path) == made
    kept = [tmp_path / "agent_session_platform" / "overlay_documents" / path.name for path in overlays]
    assert asked == [(WORD, PREFIX, overlays), *[(WORD, PREFIX, kept)] * 2]


def test_a_copy_is_renewed_without_its_sandbox_and_an_edited_one_is_reported(holder: Path) -> None:
    vendor(holder, sandbox=True)
    (holder / "agent_session_platform_sandbox" / "py.typed").write_text("edited", encoding="utf-8")
    assert check(holder)[1:] == ["  edited: agent_session_platform_sandbox/py.typed"]
    vendor(holder, sandbox=False, force=True)
    assert not (holder / "agent_session_platform_sandbox").exists()


def test_a_sandbox_that_is_no_part_of_the_copy_is_not_lost(holder: Path) -> None:
    (holder / "agent_session_platform_sandbox").mkdir()
    (holder / "agent_session_platform_sandbox" / "mine.py").touch()
    with pytest.raises(RefusedError, match=r"unknown: agent_session_platform_sandbox/mine\.py"):
        vendor(holder, sandbox=True)


@pytest.mark.parametrize("manifest", [None, "no JSON", "[]", '{"about": 1, "files": 2}'])
def test_anything_but_a_copy_is_not_replaced_without_force(tmp_path: Path, manifest: str | None) -> None:
    (tmp_path / "agent_session_platform").mkdir()
    (tmp_path / "agent_session_platform" / "mine.py").touch()
    if manifest is not None:
        (tmp_path / "agent_session_platform" / "VENDORED.json").write_text(manifest, encoding="utf-8")
    with pytest.raises(RefusedError, match="is not the manifest of a vendored copy .* replace this one with FORCE=1"):
        vendor(tmp_path)
    assert (tmp_path / "agent_session_platform" / "mine.py").exists()
    with pytest.raises(RefusedError, match="is not the manifest of a vendored copy"):
        check(tmp_path)


IMPORTS = [
    ("x.py", "from agent_session_platform_api.model import A", "from ..agent_session_platform_api.model import A"),
    ("x.py", "from agent_session_platform import A  # why", "from ..agent_session_platform import A  # why"),
    ("a/b.py", "from agent_session_platform import (\n  x,\n)", "from ...agent_session_platform import (\n  x,\n)"),
    ("x.py", "from .a import b\nimport json, re\nfrom agent_platformer import c\n", None),
    ("x.py", 'logger = getLogger("agent_session_platform")\n', None),
]


@pytest.mark.parametrize(("path", "before", "after"), IMPORTS)
def test_imports_of_the_packages_become_relative(path: str, before: str, after: str | None) -> None:
    assert relative(PurePath("agent_session_platform", path), before) == (after or before)
