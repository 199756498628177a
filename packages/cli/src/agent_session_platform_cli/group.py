"""The command `asp`: the list of its subcommands. The module of a subcommand is imported when it runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Any, Final, NoReturn

import click
from agent_session_platform import ConfigurationError, __version__

from .errors import ExitCode, exit_with
from .lookup import nearest
from .running import TerminatedError
from .settings import HELP, Settings, global_options, write_examples
from .terminal_text import escaped

# For each subcommand: its module, and its line in the help. The object in the module is named after the subcommand: for
# `call` it is `call_command`.
COMMANDS: Final = {
    "ask": ("ask", "Give the assistant a task, and print its answer."),
    "call": ("call.command", "Call an operation of the API."),
    "operations": ("commands", "List the operations of the API."),
    "show": ("commands", "Show parameters, permission and rules of an operation."),
    "wait": ("jobs", "Wait until a field of an object has a value."),
    "follow": ("jobs", "Print new items of a list as they come."),
    "export": ("jobs", "Write a list to a file, and add new items later."),
    "changes": ("jobs", "Print the items that are new or changed since the last run."),
    "batch": ("batch", "Create an object for each row of a table."),
    "gaps": ("commands", "List what the API's description does not show."),
    "legacy": ("commands", "Find the current operation of a legacy path."),
    "permissions": ("commands", "List the operations and permissions that a program needs."),
    "observations": ("observations", "Compare a real deployment with the contract."),
    "mcp": ("mcp.command", "Offer the operations to an AI assistant as tools (MCP)."),
    "profile": ("commands", "Show the profiles, or choose the default one."),
    "doctor": ("doctor", "Find out why the platform cannot be used."),
    "sandbox": ("group", "Run the sandbox, a simulated platform, on this machine."),
    "completion": ("lookup", "Print the completion script of a shell."),
}

# How to install the packages that only some commands need. The companions are not on a package index, so pip needs the
# paths of the companion and of the SDK in one command.
INSTALL: Final = {"mcp": "pip install 'mcp>=2.3,<3'"} | {
    name: f"run `pip install . ./packages/{name}` in a checkout of the SDK, or one `pip install` with both wheels"
    for name in ("sandbox", "observe")
}


class LazyGroup(click.Group):
    """A group of commands that suggests similar names for an unknown command.

    Args:
        examples: Lines of the shell, shown at the end of the help.
        settings: Arguments of `click.Group`.
    """

    def __init__(self, *, examples: Sequence[str] = (), **settings: Any) -> None:
        settings.setdefault("params", global_options(hidden=True))
        super().__init__(context_settings={**HELP}, **settings)
        self.examples = examples

    def get_help(self, ctx: click.Context) -> str:
        """Return the help. Its texts come from the contract, and an Overlay may have added to it."""
        return escaped(super().get_help(ctx), kept="\n")

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        super().format_epilog(ctx, formatter)
        if self.examples:
            write_examples(formatter, self.examples)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command. The error for an unknown command names similar ones."""
        name = args[0]
        found = self.get_command(ctx, name)
        if found is None and not ctx.resilient_parsing and not name.startswith("-"):
            known = self.list_commands(ctx)
            raise click.UsageError(f"{ctx.command_path} has no {name[:80]!r}{nearest(name, known)}", ctx)
        return (found.name, found, args[1:]) if found else super().resolve_command(ctx, args)


class Root(LazyGroup):
    """The command `asp` itself."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of COMMANDS."""
        return [*COMMANDS]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands, without importing their modules."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a subcommand."""
        if cmd_name not in COMMANDS:
            return None
        module = import_companion(f"{__package__}.{COMMANDS[cmd_name][0]}", f"asp {cmd_name}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        command.name = cmd_name
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. A reader that stops early, such as `head`, is no error.

        After SIGTERM or SIGHUP, return the code that a shell gives to a process that they end.
        """
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except BrokenPipeError:
            # Otherwise Python prints an error when it flushes stdout at its exit.
            with suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return None
        except TerminatedError as error:
            # As click does after Ctrl-C, but without an empty line, which a closed terminal would refuse.
            return 128 + error.number

    def main(self, args: Any = None, *more: Any, **named: Any) -> NoReturn:
        """Run the command, report how it fails, and exit; see `click.Command.main`."""
        arguments = sys.argv[1:] if args is None else [*args]
        settings = Settings(arguments=tuple(arguments))
        stdout: Any = sys.stdout
        if sys.stderr is None:
            # The parent process has closed it. Results are complete without messages.
            sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # open until the process ends
        with suppress(AttributeError):
            # The encoding of a Windows terminal may lack some characters.
            stdout.reconfigure(errors="backslashreplace")
        named |= {"standalone_mode": False, "complete_var": "_ASP_COMPLETE", "obj": settings}
        try:
            if stdout is None:
                # Commands with `--state` would go on behind items that nobody got.
                raise click.UsageError("stdout is closed, and it gets the results; redirect it, also to /dev/null")
            code: Any = super().main(arguments, *more, **named)
        except (Exception, KeyboardInterrupt) as error:
            exit_with(error, settings)
        sys.exit(code if isinstance(code, int) else 0)


def import_companion(module: str, user: str) -> ModuleType:
    """Import the module of a command.

    Args:
        module: The name of the module.
        user: The command or setting that needs the module, for the message.

    Raises:
        ConfigurationError: A package is not installed; the message says how to install it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        missing = (error.name or "").partition(".")[0].removeprefix("agent_session_platform_")
        if missing not in INSTALL:
            raise
        raise ConfigurationError(f"{user} needs the package {missing} ({error}): {INSTALL[missing]}") from None


@click.command(
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False}, add_help_option=False
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def sandbox_command(arguments: tuple[str, ...]) -> None:
    """Run the sandbox, which reads its own options."""
    import_companion("agent_session_platform_sandbox.__main__", "asp sandbox").main([*arguments], "asp sandbox")


asp = Root(
    name="asp",
    params=global_options(hidden=False),
    help="Use the Agent Session Platform from a terminal, scripts and CI jobs.",
    epilog="Credential: AGENT_PLATFORM_TOKEN[_FILE] or a profile. "
    f"Exit codes: {', '.join(f'{code:d} {code.phrase}' for code in ExitCode)}.",
)
click.version_option(__version__, prog_name="asp", message="%(prog)s %(version)s")(asp)
