"""Each page of the documentation is a program that runs, and prints what the page shows."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Generator
from datetime import UTC, datetime
from pathlib import Path

import mcp.client.stdio  # noqa: F401  # it keeps the stderr of its first import, which is not to be that of a page
import pytest
from agent_session_platform_sandbox import Sandbox

from docs.check import PROGRAMS, ROOT
from docs.samples import SampleError, read_samples, run_page

FENCE = "```"
Run = Callable[[Path], Awaitable[None]]


@pytest.fixture
def agent_platform_sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """Return the sandbox of a page; README names the options with which it is served there."""
    callspec = getattr(request.node, "callspec", None)
    if callspec is not None and callspec.params.get("page") == ROOT / "README.md":
        return Sandbox(now=lambda: datetime.now(UTC), finish_after=2, finished_status="ready")
    return Sandbox()


@pytest.fixture
def run(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    agent_platform_environment: object,
    agent_platform_sandbox: Sandbox,
) -> Generator[Run]:
    """Run a page in a folder of its own, from which it can import what it wrote."""
    modules = set(sys.modules)
    # Tables have this width where nothing is a terminal.
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield lambda page: run_page(page, tmp_path, agent_platform_sandbox)
    for name in set(sys.modules) - modules:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def page_of(folder: Path, *blocks: str) -> Path:
    """Write a page of blocks, each of which begins with its info string."""
    page = folder / "page.md"
    page.write_text("# Page\n\n" + "\n\n".join(f"{FENCE}{block}{FENCE}" for block in blocks), encoding="utf-8")
    return page


@pytest.mark.parametrize("page", PROGRAMS, ids=lambda page: page.stem)
async def test_the_page_runs(page: Path, run: Run) -> None:
    await run(page)


@pytest.mark.parametrize(
    ("blocks", "message"),
    [
        (["python\nassert await org.sessions.list().collect()\n"], "page.md:4: AssertionError"),
        (["python\nprint('one')\n", 'text title="Output"\ntwo\n'], "the document shows:\ntwo"),
        (['python title="program.py"\nraise SystemExit(3)\n', "console\n$ python program.py\n"], "exit code 3"),
        (["console\n$ echo one\ntwo\n"], "the document shows:\ntwo"),
        (["console\necho one\n"], "must begin with"),
        (["console\n$ true # exit code 1\n"], "exit code 0"),
        (["yaml\na: 1\n"], "needs a title"),
    ],
    ids=["assertion", "output", "program", "console", "prompt", "exit code", "language"],
)
async def test_a_sample_that_is_wrong_fails_with_its_line(
    blocks: list[str], message: str, tmp_path: Path, run: Run
) -> None:
    with pytest.raises(SampleError) as caught:
        await run(page_of(tmp_path, *blocks))
    assert message in str(caught.value)


def test_a_hidden_sample_is_found_with_its_line(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n<!-- hidden: python\nprint(1)\n-->\n", encoding="utf-8")
    assert [(each.line, each.code) for each in read_samples(page)] == [(4, "print(1)\n")]
