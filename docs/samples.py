"""Read the samples (fenced code blocks) of a document, and run the samples of a page as one program."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import inspect
import io
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import DEVNULL, PIPE, STDOUT, run
from typing import Any, Final, NamedTuple

from agent_session_platform import AgentPlatform
from agent_session_platform_cli.group import asp
from agent_session_platform_sandbox import Sandbox
from click.testing import CliRunner
from sybil import Document
from sybil.parsers.markdown.lexers import DirectiveInHTMLCommentLexer, RawFencedCodeBlockLexer

INFO: Final = re.compile(r'(?P<language>[a-z]+)(?: +title="(?P<title>[^"\n]+)")? *\n')
LEXERS: Final = (RawFencedCodeBlockLexer(INFO), DirectiveInHTMLCommentLexer("hidden", "python"))

# The title of a block that shows what the program has printed.
OUTPUT: Final = "Output"
PROMPT: Final = "$ "
# A command `asp` without shell syntax. It runs in this process, because starting another process would take longer.
ASP: Final = re.compile(r"asp (?P<arguments>[^$<>|&;#]*)(?:# exit code \d+)?")
EXIT_CODE: Final = re.compile(r"# exit code (?P<code>\d+)\s*$")
# Seconds that a command may take: a new process with pytest takes long on a busy machine.
TIMEOUT: Final = 120.0
# The plugins of pytest that the pages name. Without this list pytest would load all plugins of this environment.
PLUGINS: Final = "pytest_asyncio.plugin,pytest_httpx,respx.plugin,agent_session_platform_sandbox.pytest_plugin"
# Variables of the test run that would change what a command prints.
LEFT_OUT: Final = frozenset({"PYTEST_ADDOPTS", "PYTEST_CURRENT_TEST", "PYTEST_XDIST_WORKER", "FORCE_COLOR", "CI"})


class Sample(NamedTuple):
    """A fenced code block, or a hidden sample: Python in a comment that begins with `<!-- hidden: python`."""

    language: str
    title: str | None
    """Name of the file in which the reader saves it; `Output` for what the program prints; None without a title."""
    line: int
    """The line of the document on which the code begins."""
    code: str

    @property
    def is_program(self) -> bool:
        """True if the sample is a part of the page's program."""
        return self.language == "python" and self.title is None


class SampleError(Exception):
    """A sample failed. The message names its document and line; `__cause__` is the original error."""


def read_samples(path: Path) -> list[Sample]:
    """Return the samples of a document, in their order."""
    document = Document(path.read_text(encoding="utf-8"), str(path))
    samples: list[Sample] = []
    for region in (region for lexer in LEXERS for region in lexer(document)):
        source = region.lexemes["source"]
        line = document.text.count("\n", 0, region.start + source.offset) + 1
        samples.append(
            Sample(region.lexemes.get("language") or "python", region.lexemes.get("title"), line, str(source))
        )
    return sorted(samples, key=lambda sample: sample.line)


async def run_page(path: Path, folder: Path, sandbox: Sandbox) -> None:
    """Run the samples of a page.

    Args:
        path: The Markdown document.
        folder: An empty folder for the files of the page. It must be the current folder, and be on `sys.path`.
        sandbox: A sandbox on a port, whose address, token and organization are in the environment.

    Raises:
        SampleError: If a sample raises an error, or prints something else than the page shows.
    """
    printed = io.StringIO()
    async with AgentPlatform() as platform:
        names = {"__name__": "page", "sandbox": sandbox, "platform": platform, "org": platform.organization()}
        for sample in read_samples(path):
            try:
                if sample.is_program:
                    await _run_program(sample, path, names, printed)
                elif sample.title == OUTPUT:
                    expect(sample.code, printed.getvalue())
                    printed = io.StringIO()
                elif sample.title is not None:
                    (folder / sample.title).parent.mkdir(parents=True, exist_ok=True)
                    (folder / sample.title).write_text(sample.code, encoding="utf-8")
                elif sample.language == "console":
                    for command, shown in commands(sample.code):
                        # Run the command in a thread, so that a server of the page can respond meanwhile.
                        await asyncio.to_thread(_run_command, command, shown)
                else:
                    assert sample.language == "sh", f"a block in {sample.language!r} needs a title"
            except Exception as error:
                raise SampleError(f"{path}:{sample.line}: {type(error).__name__}: {error}") from error


async def _run_program(sample: Sample, path: Path, names: dict[str, Any], printed: io.StringIO) -> None:
    # Because of the empty lines, a traceback has the line numbers of the document.
    source = "\n" * (sample.line - 1) + sample.code
    code = compile(source, str(path), "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    with contextlib.redirect_stdout(printed):
        value = eval(code, names)
        if inspect.iscoroutine(value):
            await value


def expect(shown: str, printed: str) -> None:
    """Check that a program has printed what the document shows; `...` stands for anything.

    Raises:
        AssertionError: If something else was printed.
    """
    expected, actual = ("\n".join(map(str.rstrip, text.rstrip().splitlines())) for text in (shown, printed))
    pattern = ".*".join(map(re.escape, expected.split("...")))
    assert re.fullmatch(pattern, actual, re.DOTALL), f"the document shows:\n{shown}\nbut this was printed:\n{printed}"


def commands(code: str) -> Iterator[tuple[str, str]]:
    r"""Yield the commands of a console block with their output; a `\` at the end of a line continues a command."""
    assert code.startswith(PROMPT), f"a console block must begin with `{PROMPT}`, not with {code[:20]!r}"
    for part in re.split(rf"^{re.escape(PROMPT)}", code, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        end = next(number for number, line in enumerate(lines, 1) if not line.endswith("\\\n"))
        yield "".join(lines[:end]).rstrip("\n"), "".join(lines[end:])


def _run_command(command: str, shown: str) -> None:
    """Run a command in the current folder, and check its exit code and what it prints."""
    found = ASP.fullmatch(command)
    code, printed = _asp(found["arguments"].replace("\\\n", " ")) if found else _bash(command)
    expected = EXIT_CODE.search(command)
    assert code == int(expected["code"] if expected else 0), f"{command}: exit code {code}\n{printed}"
    if shown.strip():
        expect(shown, printed)


def _asp(arguments: str) -> tuple[int, str]:
    """Run `asp` in this process."""
    done = CliRunner().invoke(asp, arguments, catch_exceptions=False)
    return done.exit_code, done.output


def _bash(command: str) -> tuple[int, str]:
    """Run a command with bash and the programs of this environment."""
    environment = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": PLUGINS}
    done = run(
        ["bash", "-c", command], env=environment, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT, text=True, timeout=TIMEOUT
    )
    return done.returncode, done.stdout
