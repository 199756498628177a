"""The code of the packages as pages with line numbers, to which the reference links."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name  # pyright: ignore[reportUnknownVariableType]  # its options have no type

from codegen.distributions import PACKAGES as DISTRIBUTIONS
from docs.check import ROOT

PACKAGES: Final = [ROOT / folder / name for packages in DISTRIBUTIONS.values() for name, folder in packages.items()]


def source_page(module: str) -> str:
    """Return the path of the page of a module below the site.

    Example:
        >>> source_page("agent_session_platform/client.py")
        'source/agent_session_platform/client.py.html'
    """
    return f"source/{module}.html"


def write_source(site: Path) -> None:
    """Write a page for each module; the anchor of a line is `L-` and its number."""
    lexer = get_lexer_by_name("python")
    for package in PACKAGES:
        for module in package.rglob("*.py"):
            title = module.relative_to(package.parent).as_posix()
            target = site / source_page(title)
            target.parent.mkdir(parents=True, exist_ok=True)
            formatter = HtmlFormatter[str](full=True, title=title, linenos="inline", lineanchors="L", style="default")
            code = module.read_text(encoding="utf-8")
            target.write_text(highlight(code, lexer, formatter), encoding="utf-8")
