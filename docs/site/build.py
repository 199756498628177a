"""Build the site: `python -m docs.site`. Zensical makes HTML of pages/ and of what reference/ and figures/ write.

Every page is there as Markdown too, beside its HTML, for programs that read; `llms.txt` lists them (llmstxt.org).
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from docs import figures, reference
from docs.check import ROOT
from docs.site.navigation import order, summary_of, title_of, toml
from docs.site.source import write_source

PAGES: Final = ROOT / "docs/pages"
THEME: Final = ROOT / "docs/theme"
CONFIGURATION: Final = ROOT / "docs/zensical.toml"
BUILD: Final = ROOT / "build/documentation"

# Documents of the repository that are pages, too.
DOCUMENTS: Final = {"changelog.md": ROOT / "CHANGELOG.md"}

# The site has what is in this folder at its root.
LINK_INTO_PAGES: Final = f"]({PAGES.relative_to(ROOT).as_posix()}/"

# Preparations of the samples, for the tests; a browser does not show them either.
HIDDEN: Final = re.compile(r"^<!-- hidden: .*?-->\n+", re.DOTALL | re.MULTILINE)

SUMMARY: Final = (
    "An async Python SDK for the Agent Session Platform API, version 3, with a sandbox to run it without an account."
)


def pages() -> dict[str, str]:
    """Return the text of every page, by its path below the site."""
    written = {path.relative_to(PAGES).as_posix(): path.read_text(encoding="utf-8") for path in PAGES.rglob("*.md")}
    return written | documents() | reference.pages()


def documents() -> dict[str, str]:
    """Return the documents of the repository, whose links to pages are those of the site; by their path there."""
    texts = {name: path.read_text(encoding="utf-8") for name, path in DOCUMENTS.items()}
    return {name: text.replace(LINK_INTO_PAGES, "](") for name, text in texts.items()}


def build(folder: Path = BUILD) -> Path:
    """Build the site anew, and return its folder.

    Args:
        folder: Where sources and site are written; its content is replaced.

    Raises:
        subprocess.CalledProcessError: If Zensical finds an error.
    """
    shutil.rmtree(folder, ignore_errors=True)
    texts = pages()
    sources, site = folder / "docs", folder / "site"
    for path, text in {**texts, **figures.images()}.items():
        target = sources / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    for image in (ROOT / "docs").glob("*.svg"):
        shutil.copy(image, sources / "images" / image.name)
    configuration = CONFIGURATION.read_text(encoding="utf-8").replace("[project]\n", f"[project]\n{toml(texts)}", 1)
    shutil.copytree(THEME, folder / "theme")
    for name in ("styles.css", "accessible.js"):
        shutil.copy(THEME / name, sources)
    (folder / "zensical.toml").write_text(configuration, encoding="utf-8")
    subprocess.run([sys.executable, "-m", "zensical", "build", "--strict"], cwd=folder, check=True)
    for path, text in for_programs(texts).items():
        (site / path).write_text(text, encoding="utf-8")
    write_source(site)
    return site


def for_programs(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the files for programs that read, by their path: every page as Markdown, their list, and all in one."""
    shown = {path: HIDDEN.sub("", text) for path, text in texts.items()}
    full = "\n\n".join(shown[path] for path in _in_order(shown))
    return {**shown, "llms.txt": "\n".join(llms(shown)) + "\n", "llms-full.txt": full}


def llms(texts: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of `llms.txt`."""
    yield from ("# agent-session-platform", "", f"> {SUMMARY}")
    for section, paths in order(texts).items():
        yield from ("", f"## {section}", "")
        yield from (f"- [{title_of(texts[path])}]({path}): {summary_of(texts[path])}" for path in paths)


def _in_order(texts: Mapping[str, str]) -> Iterator[str]:
    for paths in order(texts).values():
        yield from paths
