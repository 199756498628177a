"""Programs in files: several of them, folders, documents, and files that cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from agent_session_platform import InvalidArgumentError
from agent_session_platform_jobs import read_program

CLIENT = "from agent_session_platform import AgentPlatform\nplatform = AgentPlatform()\n"
REVIEW = "enterprise.reviews.create"


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def found(*programs: Path) -> list[str]:
    return [each.operation for each in read_program(*programs).uses]


def found_in(code: str) -> list[str]:
    return [each.operation for each in read_program(CLIENT + code).uses]


@pytest.mark.parametrize(
    "code",
    [
        "from client import platform\nplatform.enterprise.reviews.create()",
        "from client import platform as p\np.enterprise.reviews.create()",
        "from client import *\nplatform.enterprise.reviews.create()",
        "import client\nclient.platform.enterprise.reviews.create()",
        "from .client import platform\nplatform.enterprise.reviews.create()",
        "from . import client\nclient.platform.enterprise.reviews.create()",
    ],
)
def test_a_name_of_another_file_is_followed(tmp_path: Path, code: str) -> None:
    write(tmp_path, client=CLIENT, work=code)
    assert found(tmp_path) == [REVIEW]
    assert read_program(tmp_path).undecided == ()


def test_a_name_that_another_file_sets_is_followed(tmp_path: Path) -> None:
    state = "platform = None\ndef run(): platform.enterprise.reviews.create()\n"
    write(
        tmp_path,
        state=state,
        main="import state\nfrom agent_session_platform import *\nstate.platform = AgentPlatform()",
    )
    assert found(tmp_path) == [REVIEW]


def test_a_function_of_another_file_gets_its_arguments(tmp_path: Path) -> None:
    work = "def run(platform): platform.enterprise.reviews.create()\n"
    write(tmp_path, main=f"{CLIENT}from package.work import run\nrun(platform)", package__work=work)
    assert found(tmp_path / "main.py", tmp_path / "package") == [REVIEW]


def test_a_file_beside_that_was_not_read_is_undecided(tmp_path: Path) -> None:
    write(tmp_path, main="import work\n", work=CLIENT)
    (undecided,) = read_program(tmp_path / "main.py").undecided
    assert str(undecided) == f"{tmp_path}/main.py:1:1: imports work, a part of the program that was not read"


def test_a_fixture_of_a_conftest_is_followed(tmp_path: Path) -> None:
    conftest = f"{CLIENT}import pytest\n@pytest.fixture\ndef client(): return platform\n"
    write(tmp_path, conftest=conftest, test_it="def test_it(client): client.enterprise.reviews.create()")
    assert found(tmp_path) == [REVIEW]


def test_environments_hidden_folders_and_copies_of_the_sdk_are_not_read(tmp_path: Path) -> None:
    folders = ("env", "__pycache__", ".hidden", "vendor/agent_session_platform", "node_modules")
    write(tmp_path, main=CLIENT)
    for folder in folders:
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "module.py").write_text("not Python", encoding="utf-8")
    (tmp_path / "env" / "pyvenv.cfg").touch()
    assert read_program(tmp_path).files == (str(tmp_path / "main.py"),)


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    write(tmp_path, main=f"{CLIENT}platform.enterprise.reviews.create()")
    assert found(tmp_path, tmp_path / "main.py") == [REVIEW]


def test_nothing_of_a_program_runs(tmp_path: Path) -> None:
    write(tmp_path, main="raise SystemExit\n")
    assert found(tmp_path) == []


def test_the_encoding_of_a_file_is_respected(tmp_path: Path) -> None:
    code = f"# -*- coding: latin-1 -*-\n{CLIENT}x = 'ä'; platform.enterprise.reviews.create()"
    (tmp_path / "main.py").write_bytes(code.encode("latin-1"))
    assert [each.column for each in read_program(tmp_path).uses] == [38]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"def f(:\n", r"main\.py:1: it is not Python: "),
        (b"x = 1\ny = = 2\n", r"main\.py:2: it is not Python: "),
        (b"x = '\xff'\n", r"main\.py: its encoding is not that of Python source"),
        (b"# coding: nonsense\n", r"main\.py: its encoding is not that of Python source"),
        (b"x = 1\0\n", r"main\.py(:1)?: it is not Python"),
        (b"x = " + b"(" * 5000 + b")" * 5000, r"main\.py(:1)?: it is not Python"),
        (b"x = " + b"a * " * 900 + b"a", r"main\.py: it is "),
    ],
)
def test_a_file_that_is_not_python_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "main.py").write_bytes(content)
    with pytest.raises(InvalidArgumentError, match=message):
        read_program(tmp_path / "main.py")


def test_a_long_sum_is_read() -> None:
    assert found_in("x = " + "'a' + " * 900 + "platform.enterprise.reviews.create()") == [REVIEW]


def test_a_file_that_does_not_exist_is_named() -> None:
    with pytest.raises(InvalidArgumentError, match=r"there is no file or folder 'nothing\.py'"):
        read_program("nothing.py")


def test_a_folder_without_python_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="has no Python files"):
        read_program(tmp_path)


@pytest.mark.parametrize("given", [(), (3,), (b"x",)])
def test_what_is_no_program_is_refused(given: tuple[str, ...]) -> None:
    with pytest.raises(InvalidArgumentError, match="program"):
        read_program(*given)


def test_the_examples_are_read_completely(root: Path) -> None:
    use = read_program(root / "examples")
    assert use.undecided == ()
    found: dict[str, set[str]] = {}
    for each in use.uses:
        found.setdefault(Path(each.file).name, set()).add(each.operation)
    assert found["quickstart.py"] == {
        REVIEW,
        "enterprise.sessions.list_messages",
        *(f"organization.sessions.{verb}" for verb in ("create", "list", "send_message")),
        "organization.schedules.create",
    }
    assert found["service.py"] == {REVIEW, *(f"organization.sessions.{verb}" for verb in ("create", "get", "list"))}
    assert found["warehouse.py"] == {
        "enterprise.audit_logs.list",
        "enterprise.sessions.list",
        "organization.sessions.create",
    }


def test_the_permissions_are_those_of_the_uses(root: Path) -> None:
    use = read_program(root / "examples" / "service.py")
    assert list(use.permissions.organization) == ["ViewOrgSessions"]
    assert list(use.permissions.enterprise) == ["UseReviewManual"]


def test_json_has_places_and_candidates() -> None:
    use = read_program(f"{CLIENT}platform.enterprise.reviews.create()\nx.sessions.list()\n")
    shown = json.loads(json.dumps(use.to_dict()))
    assert shown["uses"] == [{"file": "<source>", "line": 3, "column": 29, "operation": REVIEW, "optional": False}]
    assert shown["undecided"][0]["candidates"] == ["enterprise.sessions.list", "organization.sessions.list"]
