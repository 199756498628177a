"""Run a page: its samples are one program, from top to bottom, for a sandbox of its own."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import inspect
import io
from pathlib import Path
from types import CodeType
from typing import Any, Final

from agent_session_platform import AgentPlatform
from agent_session_platform_sandbox import Sandbox

from docs.samples import console
from docs.samples.document import Sample, read_samples
from docs.samples.expected import difference, matches

# A block in one of these languages is a command or a file, or it is only shown.
SHOWN: Final = frozenset({"sh"})


class SampleError(Exception):
    """A sample failed; the message names its document and line, and the cause is the error."""


async def run_page(path: Path, folder: Path, sandbox: Sandbox) -> None:
    """Run the samples of a page.

    Args:
        path: The Markdown document.
        folder: An empty folder, for the files of the page; the current one, where its modules can be imported from.
        sandbox: A sandbox on a port, whose address, token and organization are in the environment.

    Raises:
        SampleError: If a sample raises an error, or prints something else than the page shows.
    """
    async with AgentPlatform() as platform:
        page = Page(path, folder, {"sandbox": sandbox, "platform": platform, "org": platform.organization()})
        for sample in read_samples(path):
            try:
                await page.run(sample)
            except Exception as error:
                raise SampleError(f"{path}:{sample.line}: {type(error).__name__}: {error}") from error


class Page:
    """A page that runs."""

    def __init__(self, path: Path, folder: Path, names: dict[str, Any]) -> None:
        self._path, self._folder = path, folder
        self._names = {"__name__": "page", **names}
        self._printed = ""

    async def run(self, sample: Sample) -> None:
        """Run a sample, or make a file of it, or compare it with what was printed."""
        if sample.is_file:
            assert sample.title is not None
            target = self._folder / sample.title
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(sample.code, encoding="utf-8")
        elif sample.is_program:
            await self._run_program(sample)
        elif sample.language == "console":
            for command in console.commands(sample.code):
                # In a thread: a server of the page goes on.
                await asyncio.to_thread(console.run, command, self._folder)
        elif sample.title is not None:
            assert matches(sample.code, self._printed), difference(sample.code, self._printed)
            self._printed = ""
        else:
            assert sample.language in SHOWN, f"a block in {sample.language!r} needs a title, or a language that is run"

    async def _run_program(self, sample: Sample) -> None:
        # With the lines of the document in a traceback.
        source = "\n" * (sample.line - 1) + sample.code
        code: CodeType = compile(source, str(self._path), "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            value = eval(code, self._names)
            if inspect.iscoroutine(value):
                await value
        self._printed += printed.getvalue()
