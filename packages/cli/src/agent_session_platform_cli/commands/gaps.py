"""`asp gaps`: what the API's description does not show."""

from __future__ import annotations

import click
from agent_session_platform import gaps

from ..output import print_items
from ..settings import Settings, asp_command


@asp_command(examples=("asp gaps", "asp gaps session-list", "asp gaps permission -o csv"))
@click.argument("word", default="", metavar="[WORD]")
@click.pass_obj
def command(settings: Settings, word: str) -> None:
    """List the gaps that have WORD in their id, text or place: facts that the API's description does not show."""
    wanted = word.lower()
    found = [each for each in gaps if any(wanted in text.lower() for text in (each.id, each.what, each.place))]
    rows = [
        {"gap": each.id, "what": each.what, "place": each.place, "state": "closed" if each.closed else "open"}
        for each in found
    ]
    print_items(rows, settings)
    if not rows:
        click.echo(f"asp: no gap has {word[:80]!r}; `asp gaps` lists all", err=True)
