"""`asp wait`, `follow`, `export` and `changes`: jobs that call an operation several times.

Operations have the same names as in `asp call`. The verb may be left out.
"""

from __future__ import annotations

import inspect
import json
import shutil
import sys
import textwrap
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing, closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import attrs
import click
from agent_session_platform import AgentPlatform, Catalogue, InvalidArgumentError, Operation, changed, to_json
from agent_session_platform_jobs import changes, export

from .call.command import OperationGroup
from .call.parameters import RESERVED, CallRequest, bind, click_parameters, json_or_text, split_pairs
from .connect import connect, method_of
from .contract import OperationContract
from .errors import ExitCode
from .output import ListWriter, open_list, print_value
from .profiles import unused_client
from .progress import Bar, show_bar
from .running import run
from .settings import (
    COUNT,
    DASH,
    SECONDS,
    TARGET_OR_STDOUT,
    Command,
    Settings,
    conditions,
    every,
    extra_query,
    option,
    stalled_after,
    state,
)
from .terminal_text import say


def job_command(
    work: Callable[[CallRequest, AgentPlatform, Settings], Awaitable[Any]],
    operations: Sequence[Operation],
    *,
    polls: bool = False,
    parameters: list[click.Parameter],
    examples: Sequence[str],
) -> OperationGroup:
    """Return the command of a job: a group with a command for each operation.

    Args:
        work: Does the job with the call, the client and the global options. Its docstring is the help.
        operations: The operations that the job can use.
        polls: Whether the job uses the method that polls the operation, such as `wait`.
        parameters: The options of the job itself.
        examples: Example command lines for the help.
    """
    names = textwrap.shorten(", ".join(map(str, operations)), 300, placeholder=" and more; see `asp operations list`")
    about = f"{inspect.cleandoc(work.__doc__ or '')}\n\nOPERATION: {names}."
    reserved = RESERVED | {(each.name or "").replace("_", "-") for each in parameters}

    def make(operation: Operation) -> click.Command:
        method = method_of(unused_client(), operation, operation.job if polls else None)
        # The job itself keeps the position, so it has no option for a cursor.
        accepted = inspect.signature(method).parameters.keys() - {operation.cursor}
        bound = [
            each
            for each in bind(operation, OperationContract(operation), reserved)
            if each.parameter.argument_name in accepted
        ]

        def do(settings: Settings, /, **given: Any) -> Any:
            async def work_off() -> Any:
                async with connect(settings) as platform:
                    return await work(CallRequest(operation, bound, given), platform, settings)

            try:
                return run(work_off())
            except KeyboardInterrupt:
                if given.get("state"):
                    say(f"stopped; continue with: {settings.command_line()}")
                raise

        params = [*click_parameters(bound), *parameters]
        return Command(name=operation.name, callback=click.pass_obj(do), params=params, help=about, examples=examples)

    return OperationGroup(make, operations, options=parameters, examples=examples, help=about)


def values_by_field(given: Sequence[str], option: str) -> dict[str, list[Any]] | None:
    """Return the values of each field; None if the option was not given.

    A typed value that is also JSON matches both: `3` matches 3 and "3". A value with a comma must be in a JSON array.

    Args:
        given: The typed texts, such as `NAME=VALUE,VALUE`. If a field is named twice, it gets the values of both texts.
        option: The name of the option, for messages.

    Raises:
        click.UsageError: A text has no `=`, or no name.

    Example:
        >>> values_by_field(["status=ready,failed", "is_archived=true"], "--until")
        {'status': ['ready', 'failed'], 'is_archived': ['true', True]}
    """
    found: dict[str, list[Any]] = {}
    for name, text in split_pairs(given, option, "NAME=VALUE[,VALUE...], such as title=done"):
        values = found.setdefault(name, [])
        whole = json_or_text(text)
        if isinstance(whole, list):
            values += whole
            continue
        for part in text.split(","):
            value = json_or_text(part)
            values += [part] if value == part else [part, value]
    return found or None


async def wait(call: CallRequest, platform: AgentPlatform, settings: Settings) -> int:
    """Wait until a field of an object has a value, and print the object.

    The API's description shows no final values, so you name them; a private build may name them for you. --until and
    --unexpected can be repeated.

    Exit codes: 0 done, 10 unexpected, 11 gone, 12 stalled, 13 deadline.
    """
    given = call.given
    until: Any = values_by_field(given["until"], "--until")
    # Without a condition, the SDK waits for the states that the contract of a private build names.
    is_said = until or given["changed"] or call.operation.states
    if not is_said or (until and given["changed"]):
        raise click.UsageError("say what to wait for: either --until NAME=VALUE or --changed NAME")
    if given["changed"]:
        until = changed(*given["changed"])
    method = method_of(platform, call.operation, call.operation.job)
    outcome = await method(
        *call.arguments(method)[0],
        until=until,
        unexpected=values_by_field(given["unexpected"], "--unexpected"),
        **{name: given[name] for name in ("timeout", "every", "stalled_after")},
    )
    if outcome.last is not None:
        print_value(outcome.last, settings)
        sys.stdout.flush()
    if outcome.reason == "matched":
        if outcome.state is not None:
            say(f"the wait ended in the state {outcome.state}")
        return ExitCode.OK
    error = f"; the latest poll failed: {outcome.error}" if outcome.error is not None else ""
    seconds = f"after {outcome.elapsed:.0f} s and {outcome.polls} polls"
    say(f"the wait ended without a match: {outcome.reason} {seconds}{error}")
    return ExitCode[outcome.reason.upper()]


wait_command = job_command(
    wait,
    [each for each in Catalogue() if each.job.startswith("wait")],
    polls=True,
    parameters=[
        *conditions(),
        option("--changed", "Wait until this field changes  [repeatable]", multiple=True, metavar="NAME"),
        stalled_after(),
    ],
    examples=(
        "asp wait organization.sessions.get assistant-1 --until status=ready,failed",
        "asp wait organization.sessions.get assistant-1 --until status=ready --unexpected status=failed -o json",
        "asp wait organization.schedules.get ID --changed last_executed_at --timeout 86400",
    ),
)


def read_state(path: str | None) -> str | None:
    """Return what an earlier run has left in the file of `--state`; None if there is no file.

    Raises:
        click.UsageError: It is not a regular file.
    """
    if path is None:
        return None
    file = Path(path)
    if file.is_symlink() or (file.exists() and not file.is_file()):
        raise click.UsageError(f"--state {path}: it must be a regular file or a new one, not a link; name its target")
    if not file.exists():
        return None
    return file.read_text(encoding="utf-8-sig", errors="replace")


def write_state(path: str, text: str) -> None:
    """Replace the file of `--state` in one step."""
    with click.open_file(path, "w", encoding="utf-8", atomic=True) as file:
        file.write(text)


async def follow(call: CallRequest, platform: AgentPlatform, settings: Settings) -> None:
    """Print new items of a list as they come, one JSON object a line, until Ctrl-C.

    With --state each item is printed at least once, also after a crash.
    """
    given, path = call.given, call.given["state"]
    start = read_state(path)
    method = method_of(platform, call.operation, call.operation.job)
    ids, named = call.arguments(method)
    named |= {name: given[name] for name in ("only_new", "every", "give_up_after")}
    try:
        follower = method(*ids, **named, start=start, options=call.options())
    except InvalidArgumentError as error:
        raise click.UsageError(f"--state {path}: {error}" if str(error).startswith("start ") else str(error)) from None

    def write(writer: ListWriter, items: list[Any]) -> None:
        writer.write([to_json(item) for item in items])
        if path:
            write_state(path, follower.position)

    with closing(open_list(attrs.evolve(settings, output=settings.output or "jsonl"))) as writer:
        if given["once"] or (given["only_new"] and start is None):
            # Read the items that are there now, and keep the position after them at once.
            write(writer, await follower.poll())
        if not given["once"]:
            async for item in follower:
                write(writer, [item])


follow_command = job_command(
    follow,
    [each for each in Catalogue() if each.job.startswith("follow")],
    polls=True,
    parameters=[
        state("Keep the position in FILE; the next run continues there."),
        option("--only-new", "Skip the items that exist already, if FILE has no position.", is_flag=True),
        every(5.0),
        option("--give-up-after", "End if polls fail for this time; the default is 600.", type=SECONDS, default=600.0),
        option("--once", "Print the new items, and end.", is_flag=True),
        extra_query(),
    ],
    examples=(
        "asp follow enterprise.sessions.list_messages assistant-1",
        "asp follow organization.audit_logs.list --only-new --state audit.state >> audit.jsonl",
        "asp follow organization.audit_logs.list --once --state audit.state     # for cron",
    ),
)


def source_of(call: CallRequest, platform: AgentPlatform, bar: Bar) -> Callable[..., Any]:
    """Return a function that reads the list. Each request moves the progress bar.

    Raises:
        click.UsageError: The arguments are wrong.
    """

    async def count() -> None:
        bar.advance(1)

    method = method_of(platform, call.operation)
    path, named = call.arguments(method)
    return partial(method, *path, **named, options=call.options(on_send=count))


async def export_list(call: CallRequest, platform: AgentPlatform, settings: Settings) -> None:
    """Write a list to FILE, as JSON Lines; - is stdout.

    Without --state, FILE is written when the list is complete. With --state, FILE grows page by page, and a new run
    continues after a crash. The query parameters of the operation are options.
    """
    given = {name: call.given[name] for name in ("state", "key", "chronological", "max_pages")}
    file = call.given["file"]
    if file == DASH and given["state"] is not None:
        raise click.UsageError("--state needs a file that grows, and - is stdout: name a file")
    with TemporaryDirectory() as folder:
        path = f"{folder}/list.jsonl" if file == DASH else file
        with show_bar(f"requests of {call.operation}", settings) as bar:
            done = await export(source_of(call, platform, bar), path, **given)
        if file == DASH:
            print_lines(Path(path), settings)
            return
    shown = {"path": str(done.path), "written": done.written, "lines": done.lines, "complete": done.complete}
    print_value(shown, settings)


def print_lines(path: Path, settings: Settings) -> None:
    """Print a file of JSON Lines as it is. For a terminal, escape what it would obey."""
    with path.open("rb") as lines:
        if sys.stdout.isatty():
            with closing(open_list(attrs.evolve(settings, output="jsonl", columns=""))) as writer:
                for line in lines:
                    writer.write([json.loads(line)])
            return
        shutil.copyfileobj(lines, sys.stdout.buffer)
        sys.stdout.buffer.flush()


async def print_changes(call: CallRequest, platform: AgentPlatform, settings: Settings) -> None:
    """Print the items of a list that are new or changed since the last run with this state, one JSON object a line.

    The object has kind (new, changed, gone), key, before, after and fields. The query parameters of the operation are
    options.
    """
    given = {name: call.given[name] for name in ("state", "key", "gone")}
    lines = attrs.evolve(settings, output=settings.output or "jsonl")
    with show_bar(f"requests of {call.operation}", settings) as bar, closing(open_list(lines)) as writer:
        async with aclosing(changes(source_of(call, platform, bar), **given)) as found:
            async for change in found:
                with bar.hidden():
                    writer.write([attrs.asdict(change)])


LISTS: Final = [each for each in Catalogue() if each.verb.startswith("list")]
KEY: Final = option("--key", "Use FIELD as the id of an item, if the contract names no id.", metavar="FIELD")

export_command = job_command(
    export_list,
    LISTS,
    parameters=[
        click.Argument(["file"], metavar="FILE", type=TARGET_OR_STDOUT),
        state("Keep the progress here, and only add new or changed items."),
        option("--chronological", "Read only the end of a list that grows there. Needs --state.", is_flag=True),
        KEY,
        option("--max-pages", "Read at most N pages; the next run continues. Needs --state.", type=COUNT, metavar="N"),
        extra_query(),
    ],
    examples=(
        "asp export organization.sessions.list sessions.jsonl",
        "asp export organization.sessions.list - | gzip > sessions.jsonl.gz",
        "asp export organization.audit_logs.list audit.jsonl --order asc --state audit.state --chronological",
    ),
)

changes_command = job_command(
    print_changes,
    LISTS,
    parameters=[
        state("Keep the items of this run in FILE, for the next run.", required=True),
        KEY,
        option("--gone", "Also print the items that the list does not have any more.", is_flag=True),
        extra_query(),
    ],
    examples=(
        "asp changes organization.sessions.list --state sessions.state",
        "asp changes enterprise.organizations.list --state organizations.state --gone",
    ),
)
