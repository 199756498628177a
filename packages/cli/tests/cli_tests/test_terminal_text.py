"""No text of a contract or of a server reaches a terminal as it is."""

from __future__ import annotations

import logging

import attrs
import click
import pytest
from agent_session_platform import operations
from agent_session_platform_cli.call.command import command_of
from agent_session_platform_cli.connect import EscapingFormatter
from agent_session_platform_cli.contract import Facts, OperationContract
from agent_session_platform_cli.group import LazyGroup
from agent_session_platform_cli.settings import Command

EVIL = "a\x1b]0;x\x07b\u202e\x9b31m"
CREATE = operations["organization.sessions.create"]


def hidden(text: str) -> list[str]:
    return [each for each in text if not each.isprintable() and each != "\n"]


def test_the_help_of_an_operation_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = Facts(description=EVIL, values=(EVIL,), known=(EVIL,), default=EVIL, example=EVIL)
    monkeypatch.setattr(OperationContract, "facts", lambda *_: facts)
    parameters = tuple(attrs.evolve(each, required=True) for each in CREATE.parameters)
    operation = attrs.evolve(CREATE, summary=EVIL, permission=EVIL, parameters=parameters)
    command = command_of(operation)
    text = command.get_help(click.Context(command, info_name="asp"))
    assert ("\\x1b]0;x" in text, hidden(text)) == (True, [])
    # A shell shows the help of the options that it completes.
    assert [
        hidden(str(each.help)) for each in command.params if isinstance(each, click.Option) and hidden(str(each.help))
    ] == []


@pytest.mark.parametrize("kind", [Command, LazyGroup])
def test_the_help_of_every_command_is_escaped(kind: type[click.Command]) -> None:
    command = kind(name="x", help=EVIL, examples=(EVIL,))  # type: ignore[call-arg]
    assert hidden(command.get_help(click.Context(command))) == []


def test_a_log_is_escaped() -> None:
    record = logging.LogRecord("x", logging.WARNING, "", 1, "%s", (EVIL,), None)
    assert hidden(EscapingFormatter("%(message)s").format(record)) == []


def test_no_metavar_has_the_name_of_a_function() -> None:
    for operation in operations:
        command = command_of(operation)
        context = click.Context(command)
        for each in command.params:
            assert "_" not in each.make_metavar(context) or isinstance(each, click.Argument), operation
