"""The page at `/`: rendered without a build step, and updated by its own script."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any, Final
from urllib.parse import quote

from agent_session_platform import Catalogue
from starlette.responses import Response

from ..application import Application
from .commands import ControlRequest, Run, assumptions, clock, faults, rate_limit, snapshots, state_summary

# The number of latest requests that the page shows when it is opened.
MAX_REQUESTS: Final = 200


def page(app: Application) -> Response:
    """Return the page, with a policy that permits only its own script and requests to this sandbox."""
    nonce = secrets.token_urlsafe(16)
    own = f"'nonce-{nonce}'"
    policy = (
        f"default-src 'none'; script-src {own}; style-src {own}; connect-src 'self'; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return Response(_render(app, nonce), media_type="text/html", headers={"Content-Security-Policy": policy})


@cache
def template() -> Template:
    """Return the page with placeholders."""
    return Template(files(__package__ or "").joinpath("page.html").read_text(encoding="utf-8"))


def _render(app: Application, nonce: str) -> str:
    time = _result(app, clock)
    assumed = _result(app, assumptions)["assumptions"]
    operations = sorted(operation.name for operation in Catalogue())
    return template().substitute(
        nonce=nonce,
        now=escape(time["now"][:19].replace("T", " ")),
        ticks="ticking" if time["ticks"] else "standing still",
        after=max(0, app.journal.last - MAX_REQUESTS),
        cleared=app.journal.cleared,
        snapshots=_snapshot_table(app),
        state=_state_table(app),
        faults=_fault_table(app),
        limit=_limit_line(app),
        operations="".join(f'<option value="{escape(each)}">' for each in operations),
        assumed=len(assumed),
        assumptions="".join(_row(f"<code>{escape(each['gap'])}</code>", escape(each["assumed"])) for each in assumed),
    )


def _result(app: Application, command: Run) -> dict[str, Any]:
    """Return the result of a command as over HTTP."""
    result: dict[str, Any] = app.accounts.redact(command(app, ControlRequest()))
    return result


def _state_table(app: Application) -> str:
    collections: list[dict[str, Any]] = _result(app, state_summary)["collections"]
    rows = [
        _row(
            escape(each["name"]).replace("/", "/<wbr>"),
            f"{each['count']}",
            f"{each['deleted'] or ''}",
            "".join(f'<span class="more">{escape(name)}</span>' for name in each["newest"]),
        )
        for each in collections
    ]
    return _table(("Collection", "Count", "Deleted", "Newest"), rows, "Empty, except for the organizations.")


def _fault_table(app: Application) -> str:
    rows = [
        _row(escape(each["operation"] or "any"), escape(_effect(each)), escape(_frequency(each)), f"{each['met']}")
        for each in _result(app, faults)["faults"]
    ]
    return _table(("Operation", "What", "How often", "Met"), rows, "None.")


def _snapshot_table(app: Application) -> str:
    rows = [
        _row(
            escape(name),
            f'<button data-post="snapshots/{escape(quote(name, safe=""))}/restore" '
            f'data-ask="Replace the current state by {escape(name)}?">Restore</button>',
            f'<a href="/_sandbox/snapshots/{escape(quote(name, safe=""))}" download="{escape(name)}.json">Save</a>',
        )
        for name in _result(app, snapshots)["snapshots"]
    ]
    return _table(("Name", "", ""), rows, "None.")


def _effect(fault: dict[str, Any]) -> str:
    kind = " ".join(
        [str(fault["status"] or ""), *(name for name in ("drop", "lose", "truncate", "html") if fault[name])]
    ).strip()
    hint = "" if fault["retry_after"] is None else f"Retry-After: {fault['retry_after']}"
    late = f"{fault['latency']:g} s late" if fault["latency"] else ""
    return ", ".join(part for part in (kind, hint, late) if part)


def _frequency(fault: dict[str, Any]) -> str:
    share = "" if fault["every"] == 1 else f"1 in {fault['every']}, "
    times = {None: "always", 1: "once"}.get(fault["times"], f"{fault['times']} times")
    return share + times


def _limit_line(app: Application) -> str:
    limit = _result(app, rate_limit)["rate_limit"]
    if limit is None:
        return "Off."
    return (
        f"<strong>{limit['per_second']:g} a second</strong> by the {limit['clock']} clock, "
        f"{limit['burst']} at once, Retry-After: "
        f"{escape(limit['retry_after'] or 'not sent')}; refused so far: {limit['refused']}"
    )


def _table(heads: Iterable[str], rows: list[str], empty: str) -> str:
    """Return a table, or the text *empty* if it has no rows."""
    if not rows:
        return f'<p class="quiet">{escape(empty)}</p>'
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _row(*cells: str) -> str:
    """Return a table row; the cells are HTML."""
    return f"<tr>{''.join(f'<td>{each}</td>' for each in cells)}</tr>"
