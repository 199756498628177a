"""Names of what can be waited for, followed and listed, and the group whose commands they are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final

import click
from agent_session_platform import AgentPlatform, Catalogue, Operation, ReceivedResponse

from ..call.parameters import RESERVED, Bound, bind, click_parameters
from ..call.request import CallRequest
from ..connect import method_of
from ..contract import OperationContract
from ..group import LazyGroup
from ..option_types import TARGET
from ..progress import Bar
from ..settings import HINT, Command, Settings, global_options, settings_of


def waited() -> Mapping[str, Operation]:
    """Return the operations that read an object to wait for, by the name of the object: `organization.sessions`."""
    return {_target(each, each.job): each for each in _sorted() if each.job.startswith("wait")}


def followed() -> Mapping[str, Operation]:
    """Return the lists that can be followed, by their names without a verb: `organization.sessions.messages`."""
    return {_target(each, each.job): each for each in _sorted() if each.job.startswith("follow")}


def listed() -> Mapping[str, Operation]:
    """Return the operations that list something, by their own names."""
    return {each.name: each for each in _sorted() if each.method == "GET" and (each.paginated or _lists(each.verb))}


def _lists(verb: str) -> bool:
    return verb.partition("_")[0] == "list"


def _target(operation: Operation, method: str) -> str:
    """Return the scope and resource, and what the name of the method says beyond its verb."""
    _, _, what = method.partition("_")
    return ".".join(filter(None, (operation.scope, operation.resource, what)))


def _sorted() -> list[Operation]:
    return sorted(Catalogue(), key=str)


# More names than this would fill a screen.
MOST_NAMES: Final = 8


class TargetGroup(LazyGroup):
    """A group whose commands are made of operations.

    Args:
        find: Returns the operations, by the names of the commands.
        make: Makes the command of a name and its operation.
        options: Returns the options that every command has, for help.
        examples: Lines of the shell, shown at the end of the help.
        settings: What `click.Group` takes.
    """

    noun = "object or list"

    def __init__(
        self,
        *,
        find: Callable[[], Mapping[str, Operation]],
        make: Callable[[str, Operation], click.Command],
        options: Callable[[], Sequence[click.Option]],
        examples: Sequence[str],
        **settings: Any,
    ) -> None:
        super().__init__(summaries={}, params=global_options(hidden=True), options_metavar="", **settings)
        self._find = find
        self._make = make
        self._options = options
        self._examples = examples

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names."""
        return [*self._find()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Make a command; the name and the operationId of the operation are accepted as well."""
        for name, operation in self._find().items():
            if cmd_name in (name, operation.name, operation.id):
                return self._make(name, operation)
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of all commands, the names if they are few, and the examples."""
        records = [each.get_help_record(ctx) for each in self._options()]
        with formatter.section("Options, after the name"):
            formatter.write_dl([each for each in records if each is not None])
        found = self._find()
        if len(found) <= MOST_NAMES:
            with formatter.section("Names"):
                formatter.write_dl([(name, operation.summary) for name, operation in found.items()])
        with formatter.section("Examples"):
            for line in self._examples:
                formatter.write(f"  {line}\n")
        formatter.write(f"\n{HINT}\n")


def list_command(
    operation: Operation,
    work: Callable[[CallRequest, Settings], Any],
    parameters: Sequence[click.Parameter],
    **settings: Any,
) -> Command:
    """Return a command that takes the parameters of a list, but for its cursor, and some of its own.

    Args:
        operation: The operation that lists.
        work: Runs the command.
        parameters: The command's own parameters.
        settings: What `Command` takes.
    """
    names = {(each.name or "").replace("_", "-") for each in parameters}
    bound = _without_cursor(bind(operation, OperationContract(operation), RESERVED | names), [operation.cursor])

    def run(**given: Any) -> Any:
        call = CallRequest(operation, bound, given)
        return work(call, settings_of(click.get_current_context()))

    return Command(
        callback=run,
        # Path parameters come before a file.
        params=[*click_parameters(bound), *parameters],
        **settings,
    )


def list_group(
    work: Callable[[CallRequest, Settings], Any],
    options: Callable[[], Sequence[click.Option]],
    describe: Callable[[Operation], str],
    example: str,
    arguments: Sequence[str] = (),
    **settings: Any,
) -> TargetGroup:
    """Return a group with a command for each list of the API.

    Args:
        work: Runs a command.
        options: Returns the options of every command.
        describe: Returns the help of the command of an operation.
        example: The end of an example, after the name of the list.
        arguments: The names of the arguments after the path parameters.
        settings: What `TargetGroup` takes.
    """

    def command_of(target: str, operation: Operation) -> Command:
        given = [click.Argument([each.lower()], metavar=each, type=TARGET) for each in arguments]
        return list_command(
            operation,
            work,
            [*given, *options()],
            name=target,
            help=describe(operation),
            examples=(f"asp {settings['name']} {target} {example}",),
        )

    group = TargetGroup(find=listed, make=command_of, options=options, **settings)
    group.noun = "list"
    return group


def _without_cursor(bound: list[Bound], cursors: Collection[str]) -> list[Bound]:
    return [each for each in bound if each.parameter.argument_name not in cursors]


def source_of(call: CallRequest, platform: AgentPlatform, settings: Settings, bar: Bar) -> Callable[..., Any]:
    """Return the method with its arguments; each response moves the bar.

    Raises:
        click.UsageError: The arguments do not fit.
    """
    method = method_of(platform, settings, call.operation)
    path, named = call.arguments(method)

    def count(response: ReceivedResponse) -> None:
        bar.advance(1)

    return partial(method, *path, **named, options=call.options(on_response=count))
