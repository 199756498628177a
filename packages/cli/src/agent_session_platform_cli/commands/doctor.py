"""`asp doctor`: why the platform cannot be reached, or refuses what it is asked."""

from __future__ import annotations

import asyncio

import click

from ..doctor.examination import examine
from ..doctor.report import document_of, text_of
from ..settings import Settings, asp_command
from ..terminal_text import to_text


@asp_command(examples=("asp doctor", "asp doctor --profile staging", "asp doctor --json > report.json"))
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a bug report, without secrets.")
@click.pass_obj
def command(settings: Settings, as_json: bool) -> int:
    """Find out why the platform cannot be reached, or refuses the token. Nothing is written.

    It checks settings, credential, the response of the API, the clock, the organization, which permissions reads
    show, versions, extras and Redis: by GET requests, and PING to Redis. The exit code is that of the first problem.
    """
    examination = asyncio.run(examine(settings))
    if as_json or settings.output in ("json", "jsonl"):
        click.echo(to_text(document_of(examination), indent=None if settings.output == "jsonl" else 2))
    else:
        for line in text_of(examination):
            click.echo(line, color=False if settings.no_color else None)
    return examination.exit_code
