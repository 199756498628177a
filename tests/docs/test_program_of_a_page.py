"""`read_program` finds the operations that the samples of a page call."""

from __future__ import annotations

from pathlib import Path

from agent_session_platform_jobs import read_program

from docs.blocks import PRELUDE, read_blocks, render
from docs.check import ROOT


def test_the_samples_of_a_page_are_read_completely(tmp_path: Path) -> None:
    """All but the requests by a path that the contract does not have."""
    (tmp_path / "prelude.py").write_text(PRELUDE.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "page").mkdir()
    for number, block in enumerate(read_blocks(ROOT / "docs/pages/how-to/call-any-path.md")):
        (tmp_path / f"page/block_{number}.py").write_text(render(block), encoding="utf-8")
    use = read_program(tmp_path)
    assert use.uses
    assert {each.reason.partition(" is ")[0] for each in use.undecided} == {"no operation of the contract"}
