"""Build the site with Zensical: `python -m docs.site`; `--serve` also serves the site.

For programs that read the documents, the site has each page also as Markdown. `llms.txt` lists these files
(llmstxt.org).
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from agent_session_platform import __version__

from docs import reference
from docs.check import PAGES, ROOT

FOLDER: Final = ROOT / "docs/pages"
THEME: Final = ROOT / "docs/theme"
BUILD: Final = ROOT / "build/documentation"

# Sections of the navigation, with their pages; `*` stands for the pages of a folder that no section names.
SECTIONS: Final = {
    "Start": ["index.md", "tutorial.md"],
    "How to begin": [
        f"how-to/{name}.md"
        for name in ("credentials", "lists", "wait", "follow", "errors", "uploads-and-downloads", "terminal")
    ],
    "How to build": ["how-to/*"],
    "How to operate": [
        f"how-to/{name}.md"
        for name in (
            "logging-tracing-metrics",
            "permissions",
            "rate-limits-of-several-processes",
            "transports",
            "corporate-network",
        )
    ],
    "How to extend": [
        f"how-to/{name}.md"
        for name in ("call-any-path", "migrate-paths", "vendor", "adopt", "private-build", "add-an-endpoint")
    ],
    "Explanation": ["explanation/*"],
    "Reference": ["reference/index.md", "reference/*"],
    "Operations": ["reference/operations/index.md", "reference/operations/*"],
    "Project": ["changelog.md", "versioning.md", "project/*"],
}

# Hidden samples prepare a page for the tests. A browser does not show them either.
HIDDEN: Final = re.compile(r"^<!-- hidden: .*?-->\n+", re.DOTALL | re.MULTILINE)
COMMENT: Final = re.compile(r"<!--.*?-->\n*", re.DOTALL)
LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def written() -> dict[str, str]:
    """Return the text of the pages that are written by hand, by their path below the site."""
    texts = {path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8") for path in PAGES}
    # On the site, these two pages are beside the pages of `docs/pages`.
    for name in ("CHANGELOG.md", "VERSIONING.md"):
        texts[name.lower()] = (ROOT / name).read_text(encoding="utf-8").replace("](docs/pages/", "](")
    return texts


def title_of(text: str) -> str:
    """Return the title of a page, without code marks."""
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    if found is None:
        raise ValueError(f"a page must have a heading `# Title`, not {text[:40]!r}")
    return found[1].replace("`", "")


def summary_of(text: str) -> str:
    """Return the first sentence of a page, as plain text; empty without one."""
    paragraphs = COMMENT.sub("", text).split("\n\n")
    first = next((each for each in paragraphs if each[:1].isalpha() or each[:1] in "`["), "")
    return LINK.sub(r"\1", " ".join(first.split())).partition(". ")[0].rstrip(".:")


def order(texts: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the paths of each section; the pages of a folder are sorted by their titles.

    Args:
        texts: The text of each page, by its path below the site.

    Raises:
        ValueError: If a page is in no section.
    """
    named = {path for paths in SECTIONS.values() for path in paths}
    rest = sorted(set(texts) - named, key=lambda path: title_of(texts[path]))
    folders: dict[str, list[str]] = {}
    for path in rest:
        folders.setdefault(f"{path.rpartition('/')[0]}/*", []).append(path)
    sections = {
        title: [path for entry in paths for path in (folders.get(entry, []) if entry.endswith("*") else [entry])]
        for title, paths in SECTIONS.items()
    }
    if lost := set(texts).difference(*sections.values()):
        raise ValueError(f"no section of SECTIONS has these pages: {', '.join(sorted(lost))}")
    return sections


def build(folder: Path = BUILD) -> Path:
    """Build the site anew, and return its folder.

    Args:
        folder: Where sources and site are written; its content is replaced.

    Raises:
        subprocess.CalledProcessError: If Zensical finds an error.
    """
    shutil.rmtree(folder, ignore_errors=True)
    texts = written() | reference.pages()
    for path, text in texts.items():
        (folder / "docs" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "docs" / path).write_text(text, encoding="utf-8")
    shutil.copytree(THEME, folder / "theme")
    for name in ("styles.css", "accessible.js"):
        shutil.copy(THEME / name, folder / "docs")
    entries = (f"{{ {json.dumps(title)} = {json.dumps(paths)} }}" for title, paths in order(texts).items())
    configuration = (ROOT / "docs/zensical.toml").read_text(encoding="utf-8")
    # The name contains the version, because the header of each page shows the name.
    name = json.dumps(f"agent-session-platform {__version__}")
    added = f"[project]\nsite_name = {name}\nnav = [{', '.join(entries)}]\n"
    configuration = configuration.replace("[project]\n", added, 1)
    (folder / "zensical.toml").write_text(configuration, encoding="utf-8")
    subprocess.run([sys.executable, "-m", "zensical", "build", "--strict"], cwd=folder, check=True)
    for path, text in for_programs(texts).items():
        (folder / "site" / path).write_text(text, encoding="utf-8")
    return folder / "site"


def for_programs(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the files for programs that read, by path: all pages as Markdown, their list, and one file with all."""
    shown = {path: HIDDEN.sub("", text) for path, text in texts.items()}
    sections = order(shown)
    lines = ["# agent-session-platform", "", f"> {summary_of(shown['index.md'])}."]
    for title, paths in sections.items():
        lines += ["", f"## {title}", ""]
        lines += [f"- [{title_of(shown[path])}]({path}): {summary_of(shown[path])}" for path in paths]
    full = "\n\n".join(shown[path] for paths in sections.values() for path in paths)
    return {**shown, "llms.txt": "\n".join(lines) + "\n", "llms-full.txt": full}


if __name__ == "__main__":
    print(f"The site is in {build()}")
    if "--serve" in sys.argv[1:]:
        subprocess.run([sys.executable, "-m", "zensical", "serve"], cwd=BUILD, check=False)
