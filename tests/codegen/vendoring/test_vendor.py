"""A vendored copy: it works below any parent package, and an edited or old one is reported."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path, PurePath

import pytest

from codegen import ROOT
from codegen.contract.vendor_word import VendorWord
from codegen.vendoring.manifest import Manifest, ManifestError
from codegen.vendoring.vendor import VendorError, check, vendor


def neutral(holder: Path, *, force: bool = False, root: Path = ROOT) -> Manifest:
    """Copy the packages under the contract's own words, without the sandbox."""
    return vendor(holder, force=force, root=root)


def python(*arguments: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python with warnings as errors."""
    command = [sys.executable, "-W", "error", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, env=os.environ | environment, capture_output=True, text=True)


@pytest.fixture
def holder(tmp_path: Path) -> Path:
    """Return a copy in a service that has nothing else."""
    made = tmp_path / "service" / "_vendor"
    neutral(made)
    return made


@pytest.mark.parametrize("sandbox", [False, True])
def test_a_copy_imports_every_module_of_itself_and_nothing_of_an_installed_one(tmp_path: Path, sandbox: bool) -> None:
    vendor(tmp_path / "service" / "_vendor", None, None, sandbox=sandbox, force=False)
    code = """
import importlib, pkgutil, sys
import service._vendor as holder

for module in pkgutil.walk_packages(holder.__path__, holder.__name__ + "."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print(len([name for name in sys.modules if name.startswith("service._vendor.")]))
print([name for name in sys.modules if name.startswith("agent_session_platform")])
print([name for name in sys.modules if name.endswith("agent_session_platform_sandbox")])
"""
    done = python("-c", code, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    count, installed, of_the_sandbox = done.stdout.splitlines()
    assert int(count) > 110
    assert installed == "[]"
    assert of_the_sandbox == ("['service._vendor.agent_session_platform_sandbox']" if sandbox else "[]")


def test_a_copy_works_beside_an_installed_package(holder: Path) -> None:
    code = """
import agent_session_platform as installed
from service._vendor import agent_session_platform as vendored
from service._vendor.agent_session_platform.models import Session

assert installed.AgentPlatform is not vendored.AgentPlatform
assert not issubclass(vendored.NotFoundError, installed.AgentPlatformError)
assert vendored.operations["organization.sessions.list"].path == installed.operations["organization.sessions.list"].path
assert not isinstance(Session(session_id="1"), installed.models.Session)
print(vendored.__name__, installed.__name__)
"""
    done = python("-c", code, cwd=holder.parent.parent)
    assert (done.stdout, done.stderr) == ("service._vendor.agent_session_platform agent_session_platform\n", "")


def test_pickled_values_name_the_copy(holder: Path) -> None:
    code = """
import pickle
from service._vendor.agent_session_platform import ConfigurationError
from service._vendor.agent_session_platform.models import Session

for thing in (Session(session_id="1", title="T"), ConfigurationError("no")):
    written = pickle.dumps(thing)
    assert b"service._vendor.agent_session_platform" in written and b"cagent_platform" not in written
    again = pickle.loads(written)
    assert type(again) is type(thing) and str(again) == str(thing)
print("all of it")
"""
    done = python("-c", code, cwd=holder.parent.parent)
    assert (done.stdout, done.stderr) == ("all of it\n", "")


def test_a_copy_has_the_licences_the_types_and_the_data_of_the_packages(holder: Path) -> None:
    for package in ("agent_session_platform", "agent_session_platform_api"):
        for name in ("LICENSE", "NOTICE"):
            assert (holder / package / name).read_bytes() == (ROOT / name).read_bytes()
        assert (holder / package / "py.typed").exists()


def test_a_copy_has_no_companion_unless_it_is_asked_for(holder: Path) -> None:
    assert {path.name for path in holder.iterdir()} == {
        "__init__.py",
        "agent_session_platform",
        "agent_session_platform_api",
    }


def test_the_manifest_describes_the_copy_without_a_path_of_this_machine(holder: Path) -> None:
    manifest = Manifest.read(holder)
    found = VendorWord.read((ROOT / "openapi.yaml").read_text(encoding="utf-8"))
    assert (manifest.word, manifest.credential_prefix, manifest.sandbox) == (found.word, found.credential_prefix, False)
    assert len(manifest.contract_sha256) == 64
    text = (holder / "agent_session_platform" / "VENDORED.json").read_text(encoding="utf-8")
    assert str(holder.parent) not in text
    assert str(ROOT) not in text
    assert not [place for place in manifest.files if PurePath(place).is_absolute() or "\\" in place or ".." in place]


def test_the_same_copy_is_made_twice(holder: Path, tmp_path: Path) -> None:
    neutral(tmp_path / "other")
    for path in (path for path in holder.rglob("*") if path.is_file()):
        assert path.read_bytes() == (tmp_path / "other" / path.relative_to(holder)).read_bytes()


def edit(holder: Path) -> None:
    with (holder / "agent_session_platform" / "retry.py").open("a", encoding="utf-8") as file:
        file.write("# edited here\n")


def lose(holder: Path) -> None:
    (holder / "agent_session_platform_api" / "contract.json").unlink()


def add(holder: Path) -> None:
    (holder / "agent_session_platform" / "extra.py").touch()


EDITS = [
    (edit, "  edited: agent_session_platform/retry.py"),
    (lose, "  missing: agent_session_platform_api/contract.json"),
    (add, "  unknown: agent_session_platform/extra.py"),
]


@pytest.mark.parametrize(("change", "message"), EDITS)
def test_the_check_names_the_file_that_was_changed(holder: Path, change: Callable[[Path], None], message: str) -> None:
    assert check(holder) == []
    change(holder)
    assert check(holder) == [f"the copy in {holder} differs from its manifest:", message]


def test_the_check_ignores_line_ends_and_compiled_files(holder: Path) -> None:
    for path in holder.rglob("*.py"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert python("-c", "import service._vendor.agent_session_platform", cwd=holder.parent.parent).stderr == ""
    (holder / "agent_session_platform" / "__pycache__").mkdir(exist_ok=True)
    (holder / "agent_session_platform" / "__pycache__" / "retry.cpython-311.pyc").touch()
    assert check(holder) == []


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    """Return a checkout with another version."""
    root = tmp_path / "newer"
    root.mkdir()
    for name in ("generated", "overlay"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("openapi.yaml", "LICENSE", "NOTICE"):
        shutil.copyfile(ROOT / name, root / name)
    version = root / "overlay" / "agent_session_platform" / "version.py"
    version.write_text('VERSION = "99.1"\n', encoding="utf-8")
    return root


def test_the_check_reports_a_copy_that_is_out_of_date(holder: Path, newer: Path) -> None:
    [first, *files] = check(holder, newer)
    assert f"the copy in {holder} is out of date" in first
    assert "today 99.1; 1 files differ); run `make vendor` again" in first
    assert files == ["  agent_session_platform/version.py"]


def test_the_check_reports_a_copy_of_an_older_contract(holder: Path, newer: Path) -> None:
    shutil.copytree(ROOT / "overlay", newer / "overlay", dirs_exist_ok=True)
    with (newer / "openapi.yaml").open("a", encoding="utf-8") as file:
        file.write("# A word more.\n")
    assert "is out of date" in check(holder, newer)[0]


def test_vendoring_again_replaces_the_older_copy(holder: Path, newer: Path) -> None:
    (newer / "overlay" / "agent_session_platform" / "retry.py").unlink()
    assert neutral(holder, root=newer).version == "99.1"
    assert not (holder / "agent_session_platform" / "retry.py").exists()
    assert check(holder, newer) == []


def test_vendoring_again_leaves_other_files_as_they_are(holder: Path) -> None:
    (holder / "__init__.py").write_text('"""Mine."""\n', encoding="utf-8")
    (holder / "other_library").mkdir()
    neutral(holder)
    assert (holder / "__init__.py").read_text(encoding="utf-8") == '"""Mine."""\n'
    assert (holder / "other_library").exists()


@pytest.mark.parametrize(("change", "message"), [each for each in EDITS if each[0] is not lose])
def test_an_edited_copy_is_not_lost_without_force(holder: Path, change: Callable[[Path], None], message: str) -> None:
    change(holder)
    with pytest.raises(VendorError, match="was edited; FORCE=1 replaces it anyway:\n.*") as caught:
        neutral(holder)
    assert message in str(caught.value)
    neutral(holder, force=True)
    assert check(holder) == []


def test_a_renewed_copy_keeps_its_words_and_its_sandbox(tmp_path: Path) -> None:
    made = vendor(tmp_path, "Umbro", "umb_", sandbox=True)
    assert vendor(tmp_path) == made


def test_a_copy_is_renewed_without_its_sandbox(tmp_path: Path) -> None:
    vendor(tmp_path, sandbox=True)
    vendor(tmp_path, sandbox=False)
    assert not (tmp_path / "agent_session_platform_sandbox").exists()


def test_an_edited_sandbox_is_reported(tmp_path: Path) -> None:
    vendor(tmp_path, sandbox=True)
    (tmp_path / "agent_session_platform_sandbox" / "py.typed").write_text("edited", encoding="utf-8")
    assert check(tmp_path)[1:] == ["  edited: agent_session_platform_sandbox/py.typed"]


def test_a_sandbox_that_is_no_part_of_the_copy_is_not_lost(holder: Path) -> None:
    (holder / "agent_session_platform_sandbox").mkdir()
    (holder / "agent_session_platform_sandbox" / "mine.py").touch()
    with pytest.raises(VendorError, match=r"unknown: agent_session_platform_sandbox/mine\.py"):
        vendor(holder, sandbox=True)


def test_an_incomplete_copy_is_completed(holder: Path) -> None:
    lose(holder)
    neutral(holder)
    assert check(holder) == []


@pytest.mark.parametrize("manifest", [None, "no JSON", "[]", '{"about": 1, "files": 2}'])
def test_anything_but_a_copy_is_not_replaced_without_force(tmp_path: Path, manifest: str | None) -> None:
    (tmp_path / "agent_session_platform").mkdir()
    (tmp_path / "agent_session_platform" / "mine.py").touch()
    if manifest is not None:
        (tmp_path / "agent_session_platform" / "VENDORED.json").write_text(manifest, encoding="utf-8")
    with pytest.raises(VendorError, match="is not a copy that was made here .*; FORCE=1 replaces it anyway"):
        neutral(tmp_path)
    assert (tmp_path / "agent_session_platform" / "mine.py").exists()
    with pytest.raises(ManifestError):
        check(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_link_is_replaced_and_its_target_stays(holder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (holder / "agent_session_platform").rename(elsewhere)
    (holder / "agent_session_platform").symlink_to(elsewhere, target_is_directory=True)
    with pytest.raises(VendorError, match="a link: agent_session_platform"):
        neutral(holder)
    neutral(holder, force=True)
    assert (elsewhere / "retry.py").exists()
    assert not (holder / "agent_session_platform").is_symlink()


@pytest.mark.parametrize("folder", ["overlay", "generated", "packages/sandbox/src"])
def test_a_directory_of_the_packages_is_refused_as_a_destination(folder: str) -> None:
    with pytest.raises(VendorError, match="holds the packages themselves"):
        neutral(ROOT / folder, force=True)
