"""Files of a call: uploads and downloads, each with a bar."""

from __future__ import annotations

import io
import os
import sys
from typing import IO, Any

import click
from agent_session_platform import Download, ReceivedResponse

from ..progress import Bar
from ..terminal_text import say
from .request import CallRequest


class CountingFile(io.BufferedReader):
    """A file that tells a bar how much of it was read.

    Args:
        path: The file.
        bar: The bar.
    """

    def __init__(self, path: str, bar: Bar) -> None:
        super().__init__(io.FileIO(path))
        self._bar = bar
        self._total = os.stat(path).st_size

    def read(self, size: int | None = -1, /) -> bytes:
        """Read, and count."""
        chunk = super().read(size)
        self._bar.advance(len(chunk), self._total)
        return chunk


def open_uploads(call: CallRequest, named: dict[str, Any], bar: Bar) -> list[IO[bytes]]:
    """Replace the paths of files by open files that move the bar; the caller closes them."""
    opened: list[IO[bytes]] = []
    for each in call.bound:
        name = each.parameter.argument_name
        if each.parameter.kind == "file" and bar.is_shown and name in named:
            named[name] = file = CountingFile(named[name], bar)
            opened.append(file)
    return opened


class Size:
    """The size of a file, as far as the response tells it; `on_response` of a call."""

    def __init__(self) -> None:
        self.total: int | None = None

    def __call__(self, response: ReceivedResponse) -> None:
        """Note the size."""
        length = response.headers.get("content-length", "")
        self.total = int(length) if length.isdecimal() and not response.headers.get("content-encoding") else None


async def save(download: Download, call: CallRequest, size: Size, bar: Bar) -> None:
    """Write a file to the path of `--save`, or to stdout.

    Raises:
        click.UsageError: It would be written to a terminal.
    """
    hosts = call.given["redirect_host"]
    path = call.given["save"]
    if path is not None:
        written = await download.save(
            path,
            resume=True,
            checksum=lambda chunk: bar.advance(len(chunk), size.total),
            follow=bool(hosts),
            hosts=hosts,
        )
        with bar.hidden():
            say(f"{written} bytes in {path}")
        return
    if sys.stdout.isatty():
        raise click.UsageError("a file is not written to a terminal: use --save FILE, or redirect the output")
    async for chunk in download.stream(follow=bool(hosts), hosts=hosts):
        sys.stdout.buffer.write(chunk)
        bar.advance(len(chunk), size.total)
    sys.stdout.buffer.flush()
