"""Write the figures into a folder: `python -m docs.figures FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path

from docs.figures import images


def main(folder: Path) -> None:
    """Write each figure to its path below *folder*."""
    for name, svg in images().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(svg, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m docs.figures FOLDER")
    main(Path(sys.argv[1]))
