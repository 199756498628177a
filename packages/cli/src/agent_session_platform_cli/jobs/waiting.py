"""`asp wait`: a command for each kind of object, the conditions as they are typed, and how a wait has ended."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, cast

import click
from agent_session_platform import Operation, Outcome, PolledChange, changed, to_json

from ..call.parameters import bind, click_parameters, json_or_text
from ..call.request import CallRequest
from ..connect import connect, method_of, run
from ..contract import OperationContract
from ..errors import DEADLINE, GONE, OK, STALLED, UNEXPECTED, in_words
from ..option_types import SECONDS
from ..output import print_value
from ..settings import Command, Settings, settings_of
from ..terminal_text import one_line, to_text
from .targets import TargetGroup, waited


def values_by_field(given: Sequence[str], option: str) -> dict[str, list[Any]] | None:
    """Return the values of each field; None if the option was not given.

    A value stands for the text that was typed and, where that is JSON, for that value as well: `3` is 3 and "3". A
    JSON array is a list of values, for those with a comma.

    Args:
        given: The `NAME=VALUE[,VALUE]`; those of one name are taken together.
        option: The option, for messages.

    Raises:
        click.UsageError: One has no `=`, no name or no value.

    Example:
        >>> values_by_field(["status=ready,failed", "is_archived=true"], "--until")
        {'status': ['ready', 'failed'], 'is_archived': ['true', True]}
    """
    found: dict[str, list[Any]] = {}
    for each in given:
        name, equals, text = each.partition("=")
        if not (name and equals and text):
            raise click.UsageError(
                f"{option} takes NAME=VALUE[,VALUE...], such as title=done,failed; not {each[:80]!r}"
            )
        found.setdefault(name, []).extend(_values(text))
    return found or None


def _values(text: str) -> list[Any]:
    whole = json_or_text(text)
    if isinstance(whole, list):
        return [*cast("list[object]", whole)]
    found: list[Any] = []
    for part in [text] if isinstance(whole, dict) else text.split(","):
        value = json_or_text(part)
        found += [part] if value == part else [part, value]
    return found


CODES: Final = {"matched": OK, "unexpected": UNEXPECTED, "gone": GONE, "stalled": STALLED, "deadline": DEADLINE}


def options() -> list[click.Option]:
    """Return the options of a wait."""
    texts = {
        "until": "Wait until each field named so has one of its values  [repeatable]",
        "changed": "Wait until this field has another value than at first  [repeatable]",
        "unexpected": "End the wait at one of these values too, with exit code 10  [repeatable]",
        "timeout": "End the wait after this time, with exit code 13; the default is 3600.",
        "every": "Poll this often; the default is 10.",
        "stalled_after": "End the wait when nothing has changed for this time, with exit code 12.",
    }
    return [
        click.Option(["--until"], multiple=True, metavar="NAME=VALUE[,VALUE]", help=texts["until"]),
        click.Option(["--changed"], multiple=True, metavar="NAME", help=texts["changed"]),
        click.Option(["--unexpected"], multiple=True, metavar="NAME=VALUE[,VALUE]", help=texts["unexpected"]),
        click.Option(["--timeout"], type=SECONDS, default=3600.0, help=texts["timeout"]),
        click.Option(["--every"], type=SECONDS, default=10.0, help=texts["every"]),
        click.Option(["--stalled-after"], type=SECONDS, help=texts["stalled_after"]),
    ]


def command_of(target: str, operation: Operation) -> click.Command:
    """Return the command that waits for an object.

    Args:
        target: What it is, such as `organization.sessions`.
        operation: The operation that reads it.
    """
    bound = [each for each in bind(operation, OperationContract(operation)) if each.parameter.location == "path"]

    def wait(**given: Any) -> int:
        return run_wait(CallRequest(operation, bound, given), settings_of(click.get_current_context()))

    ids = " ".join(str(each.facts.example or each.option) for each in bound)
    return Command(
        name=target,
        callback=wait,
        params=[*click_parameters(bound), *options()],
        help=f"Wait for an object of {operation.name} until it is as you say. No value is known to be final: name "
        f"those that are for you.\n\nExit codes: {in_words(*CODES.values())}.",
        examples=(f"asp wait {target} {ids} --until NAME=VALUE --timeout 600",),
    )


def run_wait(call: CallRequest, settings: Settings) -> int:
    """Wait, print the object as it was read last, and return the exit code.

    Raises:
        AgentPlatformError: The wait cannot be begun, or a poll failed in a way that will not pass.
        click.UsageError: A condition is missing or malformed.
    """
    given = call.given
    if bool(given["until"]) == bool(given["changed"]):
        raise click.UsageError("say what to wait for: either --until NAME=VALUE or --changed NAME")
    outcome = run(_wait(call, settings))
    if outcome.last is not None:
        print_value(outcome.last, settings)
        sys.stdout.flush()
    if outcome.reason != "matched":
        error = f"; the latest poll failed: {outcome.error}" if outcome.error is not None else ""
        seconds = f"after {outcome.elapsed:.0f} s and {outcome.polls} polls"
        click.echo(f"asp: the wait has ended without a match: {outcome.reason} {seconds}{error}", err=True)
    return CODES[outcome.reason]


async def _wait(call: CallRequest, settings: Settings) -> Outcome[Any]:
    given = call.given
    is_shown = sys.stderr.isatty() or settings.debug
    async with connect(settings) as platform:
        method = method_of(platform, settings, call.operation, call.operation.job)
        path, _ = call.arguments(method)
        outcome: Outcome[Any] = await method(
            *path,
            until=values_by_field(given["until"], "--until") or changed(*given["changed"]),
            unexpected=values_by_field(given["unexpected"], "--unexpected"),
            timeout=given["timeout"],
            every=given["every"],
            stalled_after=given["stalled_after"],
            on_change=show_change if is_shown else None,
        )
        return outcome


def show_change(change: PolledChange[Any]) -> None:
    """Write a change to stderr: what is seen for the first time, or else what differs."""
    now = _members(change.after)
    before = _members(change.before)
    fields: Mapping[str, Any] = change.first_seen or {
        name: value for name, value in now.items() if before.get(name) != value
    }
    text = ", ".join(f"{one_line(name)}={to_text(to_json(value))}" for name, value in fields.items())
    click.echo(f"{datetime.now().astimezone():%H:%M:%S} {text or 'changed'}", err=True)


def _members(value: Any) -> Mapping[str, Any]:
    found = to_json(value)
    return cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else {}


wait_command = TargetGroup(
    name="wait",
    find=waited,
    make=command_of,
    options=options,
    subcommand_metavar="NAME ID [OPTIONS]",
    help="Wait for an object until it is as you say, and print it. Each change is shown on stderr, if that is a "
    f"terminal.\n\nExit codes: {in_words(*CODES.values())}.",
    examples=(
        "asp wait organization.sessions assistant-1 --until status=ready,failed",
        "asp wait organization.sessions assistant-1 --until status=ready --unexpected status=failed -o json",
        "asp wait organization.schedules ID --changed last_executed_at --timeout 86400",
    ),
)
