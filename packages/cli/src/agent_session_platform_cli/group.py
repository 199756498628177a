"""The command `asp`: subcommands are imported when they run, and every failure ends with a sentence and a code."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn

import click
from agent_session_platform import __version__

from .exit_codes import in_words
from .lazy_group import LazyGroup
from .registry import COMMANDS, COMPANIONS, THIN, to_install
from .settings import Settings, global_options


class Root(LazyGroup):
    """The command `asp` itself."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a subcommand."""
        if cmd_name in THIN:
            return _pass_through(cmd_name)
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"{__package__}.commands.{cmd_name}").command
        command.name = cmd_name
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; it is done as well where the reader of its output wants no more, as `head` does."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except BrokenPipeError:
            # Python would complain when it flushes stdout at the end.
            with suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return None

    def main(self, *args: Any, **named: Any) -> NoReturn:
        """Run the command, report how it fails, and exit; see `click.Command.main`."""
        given: dict[str, Any] = dict(zip(("args", "prog_name"), args, strict=False)) | named
        arguments = sys.argv[1:] if given.get("args") is None else given["args"]
        settings = Settings(arguments=tuple(arguments))
        for stream in ("stdout", "stderr"):
            # Whoever starts it may have closed them.
            if getattr(sys, stream) is None:
                setattr(sys, stream, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  # until the process ends
        stdout: Any = sys.stdout
        with suppress(AttributeError):
            # A terminal of Windows may have an encoding that cannot write every text.
            stdout.reconfigure(errors="backslashreplace")
        given |= {"args": arguments, "standalone_mode": False, "complete_var": "_ASP_COMPLETE", "obj": settings}
        try:
            code: Any = super().main(**given)
        except (Exception, KeyboardInterrupt) as error:
            # Imported with the first failure.
            from .errors import exit_with

            exit_with(error, settings)
        sys.exit(code if isinstance(code, int) else 0)


def _pass_through(name: str) -> click.Command:
    """Return a command that hands its arguments on as they are."""

    def run(arguments: tuple[str, ...]) -> None:
        try:
            module = import_module(f"{__package__}.commands.{name}")
        except ModuleNotFoundError as error:
            missing = (error.name or "").partition(".")[0].removeprefix("agent_session_platform_")
            if missing not in COMPANIONS:
                raise
            raise click.ClickException(
                f"asp {name} needs the package {missing} ({error}): {to_install(missing)}"
            ) from None
        module.main(arguments, f"asp {name}")

    return click.Command(
        name,
        callback=run,
        params=[click.Argument(["arguments"], nargs=-1, type=click.UNPROCESSED)],
        context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
        add_help_option=False,
    )


asp = Root(
    name="asp",
    summaries=COMMANDS,
    params=global_options(hidden=False),
    help="Use the Agent Session Platform from a terminal, from scripts and from CI jobs.",
    epilog="The credential comes from AGENT_PLATFORM_TOKEN, AGENT_PLATFORM_TOKEN_FILE or a profile. "
    f"Exit codes: {in_words()}.",
)
click.version_option(__version__, prog_name="asp", message="%(prog)s %(version)s")(asp)
