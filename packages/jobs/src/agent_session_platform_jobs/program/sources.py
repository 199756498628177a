"""Files of a program, as syntax trees. Nothing is imported or run."""

from __future__ import annotations

import ast
import os
import tokenize
from collections.abc import Iterator
from pathlib import Path

import attrs
from agent_session_platform import InvalidArgumentError
from agent_session_platform.text import format_value, type_name

SOURCE = "<source>"
# Folders below a given one that are not part of the program, such as a copy of the SDK; hidden ones are not either.
FOREIGN_FOLDERS = frozenset(
    {
        *("__pycache__", "node_modules", "site-packages", "agent_session_platform", "agent_session_platform_api"),
        "agent_session_platform_sandbox",
    }
)


@attrs.frozen(eq=False)
class Source:
    """A file that was read.

    Attributes:
        name: Its path as it was given; `<source>` for source code without a file.
        path: Its path; None for source code without a file.
        lines: Its lines.
        tree: Its syntax tree.
        module: The parts of its path, under the last of which it may be imported; a package stands for its `__init__`.
    """

    name: str
    path: Path | None
    lines: tuple[str, ...]
    tree: ast.Module
    module: tuple[str, ...]


def read_sources(programs: tuple[str | os.PathLike[str], ...]) -> list[Source]:
    """Read files, folders with all files below them, and source code.

    Raises:
        InvalidArgumentError: A file cannot be read or is not Python; the message names it, with the line.
    """
    if not programs:
        raise InvalidArgumentError("programs must name at least one file or folder")
    found: dict[str, Source] = {}
    for number, given in enumerate(programs):
        if not isinstance(given, str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(f"a program must be a path or source code, not {type_name(given)}")
        if isinstance(given, str) and "\n" in given:
            found[f"{SOURCE}{number}"] = _parse(SOURCE, None, given)
            continue
        for path in _files(Path(given)):
            found.setdefault(os.path.abspath(path), _parse(str(path), path, _read(path)))
    return list(found.values())


def _files(path: Path) -> Iterator[Path]:
    try:
        is_folder, is_file = path.is_dir(), path.is_file()
    except (OSError, ValueError):
        is_folder = is_file = False
    if is_file:
        yield path
    elif not is_folder:
        raise InvalidArgumentError(f"there is no file or folder {format_value(str(path))}")
    else:
        found = sorted(_below(path))
        if not found:
            raise InvalidArgumentError(f"the folder {path} has no Python files")
        yield from found


def _below(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = [
            each
            for each in folders
            # A virtual environment has this file.
            if each not in FOREIGN_FOLDERS and not each.startswith(".") and not Path(place, each, "pyvenv.cfg").exists()
        ]
        yield from (Path(place, name) for name in names if name.endswith((".py", ".pyi")))


def _read(path: Path) -> str:
    try:
        with tokenize.open(path) as file:
            return file.read()
    except OSError as error:
        raise InvalidArgumentError(f"{path} cannot be read: {error.strerror}") from error
    except (SyntaxError, ValueError) as error:
        raise InvalidArgumentError(f"{path}: its encoding is not that of Python source: {error}") from error


def _parse(name: str, path: Path | None, text: str) -> Source:
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise InvalidArgumentError(f"{name}:{error.lineno or 1}: it is not Python: {error.msg}") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise InvalidArgumentError(f"{name}: it is not Python that can be parsed: {error}") from error
    parts = Path(name).with_suffix("").parts
    return Source(name, path, tuple(text.split("\n")), tree, parts[:-1] if parts[-1] == "__init__" else parts)
