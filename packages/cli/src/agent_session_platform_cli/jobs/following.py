"""`asp follow`: a command for each list; its items are printed as they come, and the position is kept in a file."""

from __future__ import annotations

import inspect
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, cast

import attrs
import click
from agent_session_platform import Follower, Operation, to_json

from ..call.parameters import RESERVED, bind, click_parameters
from ..call.request import CallRequest
from ..connect import connect, method_of, organization_scope, run
from ..contract import OperationContract
from ..option_types import SECONDS, TARGET, extra_query
from ..output import ListWriter, open_list
from ..settings import Command, Settings, settings_of
from ..terminal_text import say, shell_word
from ..unused_client import unused_client
from .targets import TargetGroup, followed


class PositionFile:
    """A file with a position.

    Args:
        path: The file; None: nothing is kept.
        follows: What names the list: a position belongs to no other.
    """

    def __init__(self, path: str | None, follows: Sequence[str]) -> None:
        self._path = path
        self._follows = [*follows]

    def load(self) -> str | None:
        """Return the position; None if there is none yet.

        Raises:
            click.UsageError: The file is none of this command, or of another list.
            OSError: It cannot be read.
        """
        if self._path is None:
            return None
        try:
            document: Any = json.loads(Path(self._path).read_bytes())
        except FileNotFoundError:
            return None
        except (ValueError, RecursionError):
            document = None
        members = cast("dict[str, Any]", document) if isinstance(document, dict) else {}
        position = members.get("position")
        if not isinstance(position, str):
            raise click.UsageError(f"--state {self._path}: it is no state of `asp follow`; name another file")
        if members.get("follows") != self._follows:
            found = " ".join(map(str, members.get("follows") or ["another list"]))
            raise click.UsageError(
                f"--state {self._path}: it has the position of {found}, and not of {' '.join(self._follows)}; name "
                "another file"
            )
        return position

    def save(self, position: str) -> None:
        """Keep a position; a crash leaves this one or the one before.

        Raises:
            OSError: It cannot be written.
        """
        if self._path is not None:
            content = json.dumps({"follows": self._follows, "position": position})
            with click.open_file(self._path, "w", encoding="utf-8", atomic=True) as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())


NAMES: Final = RESERVED | {"state", "only-new", "every", "give-up-after", "once"}


def options() -> list[click.Option]:
    """Return the options of a follower."""
    texts = {
        "state": "Keep the position in FILE, and continue there in the next run.",
        "only_new": "Leave out the items that are there already, unless FILE has a position.",
        "every": "Poll this often; the default is 5.",
        "give_up_after": "End when polls have failed for this time; the default is 600.",
        "once": "Read what is new once, print it and end.",
    }
    return [
        click.Option(["--state"], type=TARGET, metavar="FILE", help=texts["state"]),
        click.Option(["--only-new"], is_flag=True, help=texts["only_new"]),
        click.Option(["--every"], type=SECONDS, default=5.0, help=texts["every"]),
        click.Option(["--give-up-after"], type=SECONDS, default=600.0, help=texts["give_up_after"]),
        click.Option(["--once"], is_flag=True, help=texts["once"]),
        extra_query(),
    ]


def command_of(target: str, operation: Operation) -> click.Command:
    """Return the command that follows a list.

    Args:
        target: What it is, such as `organization.sessions.messages`.
        operation: The operation that lists it.
    """
    accepted = inspect.signature(method_of(unused_client(), Settings(), operation, operation.job)).parameters
    found = bind(operation, OperationContract(operation), NAMES)
    bound = [each for each in found if each.parameter.argument_name in accepted]

    def follow(**given: Any) -> None:
        call = CallRequest(operation, bound, given)
        settings = settings_of(click.get_current_context())
        try:
            run(run_follow(target, call, settings))
        except KeyboardInterrupt:
            if given["state"]:
                say(f"stopped; continue with: {' '.join(['asp', *map(shell_word, settings.arguments)])}")
            raise

    ids = [str(each.facts.example or each.option) for each in bound if each.parameter.location == "path"]
    return Command(
        name=target,
        callback=follow,
        params=[*click_parameters(bound), *options()],
        help=f"Print the items of {operation.name} as they come, one JSON object a line. Each comes at least once, "
        "also after a crash. Ctrl-C ends it, with exit code 130.",
        examples=(" ".join(["asp follow", target, *ids, "--state FILE"]),),
    )


async def run_follow(target: str, call: CallRequest, settings: Settings) -> None:
    """Print the items of a list as they come; after each of them, keep the position behind it.

    Raises:
        AgentPlatformError: The list cannot be polled.
        BrokenPipeError: Nobody reads the items any more; the position stays behind the last one that was written.
    """
    given = call.given
    async with connect(settings) as platform:
        method = method_of(platform, settings, call.operation, call.operation.job)
        path, named = call.arguments(method)
        scope = [organization_scope(platform, settings).org_id] if call.operation.scope == "organization" else []
        state = PositionFile(given["state"], [target, *scope, *map(str, path)])
        start = state.load()
        follower: Follower[Any] = method(
            *path,
            **named,
            start=start,
            only_new=given["only_new"],
            every=given["every"],
            give_up_after=given["give_up_after"],
            options=call.options(),
        )
        writer = open_list(attrs.evolve(settings, output=settings.output or "jsonl"))
        try:
            if given["once"]:
                _write(await follower.poll(), writer)
                state.save(follower.position)
                return
            if given["only_new"] and start is None:
                # What is there is passed over once: what comes from now on is not, whenever this is ended.
                await follower.poll()
                state.save(follower.position)
            async for item in follower:
                _write([item], writer)
                state.save(follower.position)
        finally:
            writer.close()


def _write(items: list[Any], writer: ListWriter) -> None:
    writer.write([to_json(item) for item in items])
    sys.stdout.flush()


follow_command = TargetGroup(
    name="follow",
    find=followed,
    make=command_of,
    options=options,
    subcommand_metavar="NAME [ID] [OPTIONS]",
    help="Print what is added to a list as it comes, one JSON object a line, until Ctrl-C.",
    examples=(
        "asp follow enterprise.sessions.messages assistant-1",
        "asp follow organization.audit_logs --only-new --state audit.state >> audit.jsonl",
        "asp follow organization.audit_logs --once --state audit.state     # for cron",
    ),
)
