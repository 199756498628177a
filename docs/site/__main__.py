"""Build the site, and print where it is; with `--serve` serve it, and build a page again when it is changed."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from docs.site.build import BUILD, PAGES, build

POLL_SECONDS: Final = 0.5


def copy_changed(since: float, pages: Path, sources: Path) -> None:
    """Copy the pages that were changed after a time to where they are built from.

    Args:
        since: Seconds since the epoch.
        pages: Folder of the pages.
        sources: Folder from which Zensical builds.
    """
    for page in pages.rglob("*.md"):
        if page.stat().st_mtime >= since:
            shutil.copy(page, sources / page.relative_to(pages))


def serve() -> None:
    """Serve the site until Ctrl-C. Zensical prints the address, and builds again what is copied."""
    started = time.time()
    server = subprocess.Popen([sys.executable, "-m", "zensical", "serve"], cwd=BUILD)
    try:
        while server.poll() is None:
            time.sleep(POLL_SECONDS)
            now = time.time()
            copy_changed(started, PAGES, BUILD / "docs")
            started = now
    finally:
        server.wait()


if __name__ == "__main__":
    try:
        site = build()
        if "--serve" in sys.argv[1:]:
            serve()
        else:
            print(f"The site is in {site}")
    except KeyboardInterrupt:
        sys.exit(130)
