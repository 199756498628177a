"""The page at `/`: rendered here without a build step, kept up to date by a little script."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from starlette.responses import Response

from ...catalogue import Catalogue
from .command import Asked
from .commands import assumptions, clock
from .fault_commands import faults, rate_limit
from .inventory import state
from .snapshot_commands import snapshots

if TYPE_CHECKING:
    from ..platform import Sandbox

NOTHING: Final = Asked("", {}, None)
# So many requests of the past are shown at first.
SHOWN: Final = 200


def page(sandbox: Sandbox) -> Response:
    """The page, with a policy that lets only its own script run and only this sandbox be asked."""
    nonce = secrets.token_urlsafe(16)
    own = f"'nonce-{nonce}'"
    policy = (
        f"default-src 'none'; script-src {own}; style-src {own}; connect-src 'self'; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return Response(render(sandbox, nonce), media_type="text/html", headers={"Content-Security-Policy": policy})


def render(sandbox: Sandbox, nonce: str) -> str:
    """The page as HTML."""
    time = asked(sandbox, clock)
    assumed = asked(sandbox, assumptions)["assumptions"]
    return template().substitute(
        nonce=nonce,
        now=escape(time["now"][:19].replace("T", " ")),
        ticks="ticking" if time["ticks"] else "standing still",
        after=max(0, sandbox.journal.last - SHOWN),
        cleared=sandbox.journal.cleared,
        snapshots=snapshot_table(sandbox),
        state=state_table(sandbox),
        faults=fault_table(sandbox),
        limit=limit_line(sandbox),
        operations="".join(f'<option value="{escape(each)}">' for each in operation_names()),
        assumed=len(assumed),
        assumptions="".join(row(f"<code>{escape(each['gap'])}</code>", escape(each["assumed"])) for each in assumed),
    )


def asked(sandbox: Sandbox, command: Callable[[Sandbox, Asked], dict[str, Any]]) -> dict[str, Any]:
    """What a command answers over HTTP."""
    answer: dict[str, Any] = sandbox.accounts.without_credentials(command(sandbox, NOTHING))
    return answer


@cache
def template() -> Template:
    """The page with places for what changes."""
    return Template(files(__package__ or "").joinpath("page.html").read_text(encoding="utf-8"))


@cache
def operation_names() -> tuple[str, ...]:
    """All operations, for the list to choose from."""
    return tuple(sorted(operation.name for operation in Catalogue()))


def state_table(sandbox: Sandbox) -> str:
    """What there is, a row for each collection."""
    collections: list[dict[str, Any]] = asked(sandbox, state)["collections"]
    rows = [
        row(
            escape(each["name"]).replace("/", "/<wbr>"),
            f"{each['count']}",
            f"{each['deleted'] or ''}",
            "".join(f'<span class="more">{escape(name)}</span>' for name in each["newest"]),
        )
        for each in collections
    ]
    return table(("Collection", "Count", "Deleted", "Newest"), rows, "Nothing yet: it is empty but for organizations.")


def fault_table(sandbox: Sandbox) -> str:
    """What is to go wrong, a row for each fault."""
    rows = [
        row(escape(each["operation"] or "any"), escape(goes_wrong(each)), escape(how_often(each)), f"{each['met']}")
        for each in asked(sandbox, faults)["faults"]
    ]
    return table(("Operation", "What", "How often", "Met"), rows, "None.")


def snapshot_table(sandbox: Sandbox) -> str:
    """What is kept, a row for each snapshot, to be restored or saved."""
    rows = [
        row(
            escape(name),
            f'<button data-post="snapshots/{escape(quote(name, safe=""))}/restore" '
            f'data-ask="Put {escape(name)} in the place of what is there?">Restore</button>',
            f'<a href="/_sandbox/snapshots/{escape(quote(name, safe=""))}" download="{escape(name)}.json">Save</a>',
        )
        for name in asked(sandbox, snapshots)["snapshots"]
    ]
    return table(("Name", "", ""), rows, "None.")


def goes_wrong(fault: dict[str, Any]) -> str:
    """What a fault does, in a few words."""
    kind = " ".join(
        [str(fault["status"] or ""), *(name for name in ("drop", "truncate", "html") if fault[name])]
    ).strip()
    hint = "" if fault["retry_after"] is None else f"Retry-After: {fault['retry_after']}"
    late = f"{fault['latency']:g} s late" if fault["latency"] else ""
    return ", ".join(part for part in (kind, hint, late) if part)


def how_often(fault: dict[str, Any]) -> str:
    """Which requests a fault meets."""
    rhythm = "" if fault["every"] == 1 else f"1 in {fault['every']}, "
    times = {None: "always", 1: "once"}.get(fault["times"], f"{fault['times']} times")
    return rhythm + times


def limit_line(sandbox: Sandbox) -> str:
    """The rate limit in a sentence."""
    limit = asked(sandbox, rate_limit)["rate_limit"]
    if limit is None:
        return "Off."
    return (
        f"<strong>{limit['per_second']:g} a second</strong> by the {limit['clock']} clock, "
        f"{limit['burst']} at once, Retry-After: "
        f"{escape(limit['retry_after'] or 'not sent')}; refused so far: {limit['refused']}"
    )


def table(heads: Iterable[str], rows: list[str], none: str) -> str:
    """A table, or a word where it would be empty."""
    if not rows:
        return f'<p class="quiet">{escape(none)}</p>'
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def row(*cells: str) -> str:
    """A row of cells, which are HTML."""
    return f"<tr>{''.join(f'<td>{each}</td>' for each in cells)}</tr>"
