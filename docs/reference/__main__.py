"""Write the reference to a folder, to look at it: `python -m docs.reference FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path

from docs.reference import pages


def main(arguments: list[str]) -> None:
    """Write all pages below a folder.

    Args:
        arguments: The path of the folder.
    """
    if len(arguments) != 1:
        sys.exit("usage: python -m docs.reference FOLDER")
    found = pages()
    for path, text in found.items():
        target = Path(arguments[0]) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(found)} pages in {arguments[0]}")


if __name__ == "__main__":
    main(sys.argv[1:])
