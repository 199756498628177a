"""The code of the packages as pages with line numbers, to which the reference links."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from docs.check import ROOT

PACKAGES: Final = (ROOT / "overlay/agent_session_platform", ROOT / "generated/agent_session_platform_api")


def write_source(folder: Path) -> None:
    """Write a page for each module; the anchor of a line is `L-` and its number."""
    for package in PACKAGES:
        for module in package.rglob("*.py"):
            name = module.relative_to(package.parent)
            target = folder / name.with_suffix(".py.html")
            target.parent.mkdir(parents=True, exist_ok=True)
            title = name.as_posix()
            formatter = HtmlFormatter[str](full=True, title=title, linenos="inline", lineanchors="L", style="default")
            target.write_text(highlight(module.read_text(encoding="utf-8"), PythonLexer(), formatter), encoding="utf-8")
