"""A list as the jobs on whole lists take it: a method with its arguments, of a command made from its operation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

import click
from agent_session_platform import AgentPlatform, Operation, ReceivedResponse

from ..call.parameters import RESERVED, Bound, bind, click_parameters
from ..call.request import CallRequest
from ..connect import method_of
from ..contract import OperationContract
from ..option_types import TARGET
from ..progress import Bar
from ..settings import Command, Settings, settings_of
from .target_group import TargetGroup
from .targets import listed


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
