"""The report of `make changes`, which refuses a wrong contract and an unknown revision."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from codegen import ROOT, RefusedError
from codegen.changes import Change, all_changes, git, main, python_changes
from codegen.contract.source import ContractError
from tests.codegen.contract.lamps import LAMPS
from tests.codegen.overlay_document.documents import HEAD, write

Ran = tuple[int, str, str]
WRONG = LAMPS.replace("schemas/Lamps", "schemas/Lapms")
PLACE = "#/paths/~1v3~1organizations~1{org_id}~1lamps/get/responses/200/content/application~1json/schema/$ref"
FINDING = f"openapi.yaml:42: {PLACE}: `#/components/schemas/Lapms` is not defined in this file; "
OVERLAY = """\
overlay: 1.0.0
info: {title: Observed, version: 0.1.0}
actions:
  - target: $.components.schemas.Lamp.properties
    update: {watts: {type: number}}
  - target: $.paths['/v3/organizations/{org_id}/lamps'].get['x-not-shown'][?(@.id=='lamp-list-errors')]
    update: {closed: {answers: 1, first: "2026-11-20", last: "2026-11-20"}}
  - target: $.paths.none
    remove: true
"""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a git repository with the compared files, in which `make changes` runs; nothing is committed yet."""
    for package in ("generated", "overlay"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "empty.py").touch()
    git(tmp_path, "init", "--quiet")
    monkeypatch.setattr("codegen.changes.ROOT", tmp_path)
    return tmp_path


def commit(checkout: Path, text: str) -> None:
    write(checkout, "openapi.yaml", text)
    git(checkout, "add", ".")
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    git(checkout, *identity, "commit", "--quiet", "--message", "The contract.")


@pytest.fixture
def make_changes(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Return a function that runs the command, and returns its exit status and what it prints."""

    def run(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["compare", *arguments])
        monkeypatch.setattr("sys.stdout.reconfigure", lambda **_: None, raising=False)
        status = main()
        return status, *capsys.readouterr()

    return run


def test_a_breaking_change_sets_the_exit_status(checkout: Path, make_changes: Callable[..., Ran]) -> None:
    commit(checkout, LAMPS)
    write(checkout, "openapi.yaml", LAMPS.replace("[MakeLamps]", "[BuildLamps]"))
    changed = "- **Breaking:** `organization.lamps.create`: permission `BuildLamps`, was `MakeLamps`."
    printed = f"# Changes since HEAD\n\n### Changed\n{changed}\n\n1 of this breaks callers.\n"
    assert make_changes("HEAD") == (1, printed, "")


@pytest.mark.parametrize("base", [["HEAD"], []])
def test_what_an_overlay_adds_is_a_change_of_the_contract(
    checkout: Path, base: list[str], make_changes: Callable[..., Ran]
) -> None:
    commit(checkout, LAMPS)
    overlay = write(checkout, "seen.overlay.yaml", OVERLAY)
    status, printed, notices = make_changes(*base, "--overlay", str(overlay))
    assert [status, *filter(None, printed.splitlines()[1:])] == [
        0,
        "### Added",
        "- `Lamp.watts` (number).",
        "- `organization.lamps.create`: the argument `watts` (number).",
        "### Gaps",
        "- Gap `lamp-list-errors` is closed by observation: in 1 response, on 2026-11-20.",
        "Nothing of this breaks callers.",
    ]
    assert notices.startswith("seen.overlay.yaml:8: #/actions/2/target: matches nothing")


def test_breaking_changes_that_are_expected_succeed(checkout: Path, make_changes: Callable[..., Ran]) -> None:
    commit(checkout, LAMPS)
    write(checkout, "openapi.yaml", LAMPS.replace("[MakeLamps]", "[BuildLamps]"))
    status, printed, _ = make_changes("HEAD", "--expected")
    assert (status, printed.splitlines()[-1]) == (0, "1 of this breaks callers.")


@pytest.mark.parametrize("member", ["acme_mode", "assistant_mode"])
def test_an_overlay_may_have_the_word_of_the_vendor(
    checkout: Path, make_changes: Callable[..., Ran], member: str
) -> None:
    commit(checkout, (ROOT / "openapi.yaml").read_text(encoding="utf-8"))
    target = f"$.components.schemas.SessionCreate.properties.{member}"
    action = f'{{target: "{target}", update: {{deprecated: true}}}}'
    overlay = write(checkout, "acme.overlay.yaml", f"{HEAD}  - {action}\n")
    status, printed, notices = make_changes("--overlay", str(overlay), "--word", "acme")
    assert (status, notices) == (0, "")
    assert "`organization.sessions.create`: the argument `acme_mode`: deprecated." in printed


def test_the_mistakes_of_the_checkout_are_told_with_their_places(checkout: Path) -> None:
    commit(checkout, LAMPS)
    write(checkout, "openapi.yaml", WRONG)
    with pytest.raises(ContractError) as raised:
        all_changes(checkout, "HEAD")
    assert str(raised.value).startswith(FINDING)


def test_the_mistakes_of_the_base_are_told_with_its_name(checkout: Path) -> None:
    commit(checkout, WRONG)
    write(checkout, "openapi.yaml", LAMPS)
    with pytest.raises(RefusedError) as raised:
        all_changes(checkout, "HEAD")
    head, *lines = str(raised.value).splitlines()
    assert head == "openapi.yaml of HEAD cannot be compared; name another BASE:"
    assert lines[0].startswith(FINDING)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "`git rev-parse "),
        (["--", "--help-me"], "`git rev-parse "),
        ([], "there is no release yet; name a revision: make changes BASE=<revision>"),
    ],
)
def test_a_revision_that_git_does_not_know_is_reported(
    checkout: Path, arguments: list[str], message: str, make_changes: Callable[..., Ran]
) -> None:
    commit(checkout, LAMPS)
    status, printed, error = make_changes(*arguments)
    assert (status, printed, error.startswith(message)) == (2, "", True)


SDK, API = "overlay/agent_session_platform", "generated/agent_session_platform_api/api/__init__.py"
FILES = {
    API: "class Sessions:\n    def list(self, first=1): ...\n",
    f"{SDK}/__init__.py": ("from . import legacy as legacy\nfrom .retry import Policy\n__all__ = ('Policy',)\n"),
    f"{SDK}/errors.py": "class ProblemDetail:\n    title = ''\n",
    f"{SDK}/legacy.py": "def current(path): ...\n",
    f"{SDK}/retry.py": "class Policy:\n    def __init__(self, n): ...\ndef inner(): ...\n",
}


BREAKAGES = [
    (f"{SDK}/retry.py", "n): ", "m): ", ".retry.Policy.__init__(n)`: parameter was"),
    (f"{SDK}/retry.py", "class Policy", "class Other", ".retry.Policy`: public object"),
    (f"{SDK}/retry.py", "inner()", "inner(a)", None),
    (f"{SDK}/legacy.py", "path", "way", ".legacy.current(path)`: parameter was"),
    (f"{SDK}/errors.py", "title", "name", ".errors.ProblemDetail.title`: public object"),
    (API, "first=1", "first=2", "_api.api.Sessions.list(first)`: pa"),
]


@pytest.mark.parametrize(("path", "was", "now", "text"), BREAKAGES)
def test_what_breaks_users_of_the_public_names_is_found(
    tmp_path: Path, path: str, was: str, now: str, text: str | None
) -> None:
    for root in ("old", "new"):
        for name, code in FILES.items():
            (tmp_path / root / name).parent.mkdir(parents=True, exist_ok=True)
            changed = code.replace(was, now) if (root, name) == ("new", path) else code
            write(tmp_path, f"{root}/{name}", changed)
        write(tmp_path, f"{root}/generated/agent_session_platform_api/__init__.py", "")
    found = python_changes(tmp_path / "old", tmp_path / "new")
    assert {type(change) for change in found} <= {Change}
    texts = [change.text for change in found if change.breaking]
    assert bool(texts) is (text is not None)
    assert any(each.startswith(f"`agent_session_platform{text}") for each in texts) or text is None, texts
