"""`asp call`: a command for each operation: its arguments, options and help, all of them from the contract."""

from __future__ import annotations

import json
import shlex
from typing import Any, Final

import click
from agent_session_platform import Catalogue, Operation

from ..contract import OperationContract
from ..group import LazyGroup
from ..lookup import names
from ..option_types import COUNT, SECONDS, TARGET, extra_query
from ..settings import Command, global_options, settings_of
from .parameters import Bound, bind, click_parameters
from .request import CallRequest, read_body

# With more parameters than this, help leaves out what every operation takes.
MOST_SHOWN: Final = 12


def command_of(operation: Operation) -> click.Command:
    """Return the command that calls an operation."""
    contract = OperationContract(operation)
    bound = bind(operation, contract)

    def call(**given: Any) -> None:
        # Imported here, because help and completion need no client.
        from .run import run_call

        context = click.get_current_context()
        body = read_body(operation, given.get("body"))
        run_call(CallRequest(operation, bound, given, body), settings_of(context))

    return Command(
        name=operation.name,
        callback=call,
        params=[*click_parameters(bound), *_body_options(operation, contract), *_sending_options(operation, bound)],
        help=_help(operation, contract),
        examples=(example_of(operation, bound, contract),),
    )


def example_of(operation: Operation, bound: list[Bound], contract: OperationContract) -> str:
    """Return a line of the shell that calls an operation with what it requires."""
    words = ["asp call", operation.name]
    for each in bound:
        value = each.facts.example
        if each.parameter.location == "path":
            words.append(quoted(value if value is not None else each.option))
        elif each.parameter.required:
            words += [each.option, quoted(value if value is not None else "VALUE")]
    if operation.paginated:
        words.append("--limit 1000")
    elif operation.streamed:
        words.append("--save FILE")
    elif operation.media_type and len(words) == 2 + sum(each.parameter.location == "path" for each in bound):
        words.append("--body @body.json")
    return " ".join(words)


def quoted(value: Any) -> str:
    """Return a value as a word of the shell."""
    return shlex.quote(value if isinstance(value, str) else json.dumps(value))


def _body_options(operation: Operation, contract: OperationContract) -> list[click.Option]:
    """Return the options of the body as a whole, and of the members that the contract does not name."""
    if not operation.media_type:
        return []
    text = "Send this body: JSON, a file with it, or - for stdin."
    options = [click.Option(["--body"], metavar="JSON|@FILE|-", help=text)]
    if operation.takes_members:
        text = "Send this member of the body too; NAME:=JSON sends JSON  [repeatable]"
        options.append(click.Option(["--extra"], multiple=True, metavar="NAME=TEXT", help=text))
    return options


def _sending_options(operation: Operation, bound: list[Bound]) -> list[click.Option]:
    """Return the options of all operations: what is printed, and how it is sent."""
    options: list[click.Option] = []
    if operation.paginated:
        options.append(click.Option(["--limit"], type=COUNT, metavar="N", help="Print at most N items."))
    if operation.streamed:
        options.append(click.Option(["--save"], type=TARGET, metavar="FILE", help="Write the download to FILE."))
        text = "Follow a redirect to this host  [repeatable]"
        options.append(click.Option(["--redirect-host"], multiple=True, metavar="HOST", help=text))
    # Help fits a screen: `asp call --help` has these as well.
    hidden = len(bound) > MOST_SHOWN
    return [
        *options,
        click.Option(["--columns"], metavar="A,B.C", hidden=hidden, help="Show these columns only."),
        extra_query(hidden=hidden),
        click.Option(["--timeout"], type=SECONDS, hidden=hidden, help="End an attempt after this time without a byte."),
        click.Option(
            ["--attempts"], type=COUNT, metavar="N", hidden=hidden, help="Make at most N attempts; the default is 5."
        ),
    ]


def _help(operation: Operation, contract: OperationContract) -> str:
    """Return the summary, and what it needs."""
    needs = f"Needs the permission {operation.permission}" if operation.permission else ""
    needs += f" ({operation.level} level)" if needs and operation.level else ""
    instead = f"; use {operation.successor}" if operation.successor else ""
    marks = f"Deprecated{instead}." if operation.deprecated else "Beta." if operation.beta else ""
    lines = [operation.summary or operation.name, f"{needs}." if needs else "", marks]
    return "\n\n".join([" ".join(filter(None, lines)), f"More: asp show {operation.name}"])


class Operations(LazyGroup):
    """The operations of the catalogue as commands."""

    noun = "operation"

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all operations."""
        return names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Make the call_command of an operation; its operationId is accepted as well."""
        catalogue = Catalogue()
        return command_of(catalogue[cmd_name]) if cmd_name in catalogue else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of all operations, and examples instead of names that would fill screens."""
        with formatter.section("Options of every operation, after its name"):
            formatter.write_dl(
                [
                    ("--extra-query NAME=VALUE", "Send a query parameter that the contract does not name."),
                    ("--timeout SECONDS", "End an attempt after this time without a byte."),
                    ("--attempts N", "Make at most N attempts; the default is 5."),
                    ("--columns A,B.C", "Show these columns only; B.C is a member of B."),
                    ("--limit N, --after CURSOR", "Of a list: print at most N items, from CURSOR on."),
                    ("--body JSON|@FILE|-", "Of a write: send this body: JSON, a file with it, or - for stdin."),
                    ("--extra NAME=TEXT", "Of a write: send this member of the body too; NAME:=JSON sends JSON."),
                    ("--save FILE", "Of a download: write it to FILE."),
                ]
            )
        with formatter.section("Examples"):
            for line in (
                "asp operations sessions                              # which operations are there?",
                "asp call organization.sessions.list --help           # what does one take?",
                "asp call organization.sessions.list --limit 1000 -o csv > sessions.csv",
                "asp call organization.sessions.create --extra prompt='Fix the flaky test'",
            ):
                formatter.write(f"  {line}\n")


call_command = Operations(
    name="call",
    summaries={},
    params=global_options(hidden=True),
    subcommand_metavar="OPERATION [ARGUMENTS] [OPTIONS]",
    help="Call an operation of the API, such as organization.sessions.list. Path parameters are arguments, everything "
    "else is an option. A list is printed as it comes.",
)
