"""The file with the position of a follower: whole at any moment, and of one list only."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import click
from agent_session_platform.files import check_target, write_whole


class PositionFile:
    """A file with a position.

    Args:
        path: The file; None: nothing is kept.
        follows: What names the list: a position belongs to no other.
    """

    def __init__(self, path: str | None, follows: Sequence[str]) -> None:
        self._path = None if path is None else check_target(path)[0]
        self._follows = [*follows]

    def load(self) -> str | None:
        """Return the position; None if there is none yet.

        Raises:
            click.UsageError: The file is none of this command, or of another list.
            OSError: It cannot be read.
        """
        if self._path is None:
            return None
        try:
            document: Any = json.loads(Path(self._path).read_bytes())
        except FileNotFoundError:
            return None
        except (ValueError, RecursionError):
            document = None
        members = cast("dict[str, Any]", document) if isinstance(document, dict) else {}
        position = members.get("position")
        if not isinstance(position, str):
            raise click.UsageError(f"--state {self._path}: it is no state of `asp follow`; name another file")
        if members.get("follows") != self._follows:
            found = " ".join(map(str, members.get("follows") or ["another list"]))
            raise click.UsageError(
                f"--state {self._path}: it has the position of {found}, and not of {' '.join(self._follows)}; name "
                "another file"
            )
        return position

    def save(self, position: str) -> None:
        """Keep a position; a crash leaves this one or the one before.

        Raises:
            OSError: It cannot be written.
        """
        if self._path is not None:
            content = json.dumps({"follows": self._follows, "position": position})
            write_whole(self._path, content.encode())
