"""Options that every command takes, and options that several commands take."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from operator import methodcaller
from typing import Any, BinaryIO, Final

import attrs
import click

from .terminal_text import escaped, shell_word

FORMATS: Final = ("json", "jsonl", "table", "csv")
TRANSPORTS: Final = ("httpx", "httpx2", "aiohttp")

HINT: Final = "More options, for every command: asp --help"
HELP: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@attrs.define
class Settings:
    """The global options. None means that an option is not given.

    Attributes:
        profile: Name of the profile to use.
        base_url: Address of the server.
        organization: Id of the organization.
        transport: The HTTP library.
        output: One of FORMATS; if it is None, the command chooses a format.
        columns: The columns to print, such as `A,B.C`; if empty, the command chooses them.
        debug: Whether to log, and to show the traceback of an error.
        no_color: Whether to use no colors.
        arguments: The arguments of the process. A message repeats them to say how to continue.
        redact: Replaces the credential of the client in a text. It does nothing until there is a client.
    """

    profile: str | None = None
    base_url: str | None = None
    organization: str | None = None
    transport: str | None = None
    output: str | None = None
    columns: str = ""
    debug: bool = False
    no_color: bool = attrs.field(factory=lambda: bool(os.environ.get("NO_COLOR")))
    arguments: tuple[str, ...] = ()
    redact: Callable[[str], str] = str

    @property
    def errors_as_json(self) -> bool:
        """True if `--output` is a format of JSON: then errors and reports are JSON, too."""
        return self.output in ("json", "jsonl")

    def command_line(self, *more: str) -> str:
        """Return the command line of this process with further options, quoted for a shell."""
        words = [*self.arguments]
        # What follows -- is no option.
        end = words.index("--") if "--" in words else len(words)
        words[end:end] = more
        return " ".join(["asp", *map(shell_word, words)])


def settings_of(context: click.Context) -> Settings:
    """Return the settings of the running command."""
    return context.find_root().ensure_object(Settings)


def global_options(*, hidden: bool) -> list[click.Parameter]:
    """Return the global options. An option after the name of a command wins over the same option before the name.

    Args:
        hidden: Whether help shows only `--output` and `--columns`.
    """
    output = "json (or --json), jsonl, table or csv."
    transport = "HTTP library: httpx (the default), httpx2 or aiohttp."
    columns = "Show these columns; B.C is a member of B."
    return [
        _option("-o", "--output", type=click.Choice(FORMATS), metavar="FORMAT", help=output),
        _option("--columns", metavar="A,B.C", help=columns),
        _option("--json", "output", flag_value="json", hidden=True),
        _option("--organization", metavar="ID", hidden=hidden, help="The organization  [AGENT_PLATFORM_ORG_ID]"),
        _option("--base-url", metavar="URL", hidden=hidden, help="The server  [AGENT_PLATFORM_BASE_URL]"),
        _option("--profile", metavar="NAME", hidden=hidden, help="A profile  [AGENT_PLATFORM_PROFILE]"),
        _option("--transport", type=click.Choice(TRANSPORTS), metavar="NAME", hidden=hidden, help=transport),
        _option("--no-color", is_flag=True, hidden=hidden, help="Use no colors  [NO_COLOR]"),
        _option("--debug", is_flag=True, hidden=hidden, help="Log, and show the traceback of an error."),
    ]


def _option(*names: str, **settings: Any) -> click.Option:
    return click.Option(names, expose_value=False, callback=_keep, default=None, **settings)


def _keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value is not None and parameter.name:
        setattr(settings_of(context), parameter.name, value)


def write_examples(formatter: click.HelpFormatter, lines: Iterable[str]) -> None:
    """Write example command lines into a help text."""
    with formatter.section("Examples"):
        for line in lines:
            formatter.write(f"  {line}\n")


class Command(click.Command):
    """A command with the global options, and with examples in its help.

    Args:
        examples: Lines of the shell, shown at the end of the help.
        settings: Arguments of `click.Command`.
    """

    def __init__(self, *, examples: Sequence[str] = (), **settings: Any) -> None:
        settings["params"] = [*settings.get("params", ()), *global_options(hidden=True)]
        # Names in the contract have underscores, and options have hyphens. Both are accepted.
        settings["context_settings"] = {**HELP, "token_normalize_func": methodcaller("replace", "_", "-")}
        super().__init__(**settings)
        self.examples = examples

    def get_help(self, ctx: click.Context) -> str:
        """Return the help. Its texts come from the contract, and an Overlay may have added to it."""
        return escaped(super().get_help(ctx), kept="\n")

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        write_examples(formatter, self.examples)
        formatter.write(f"\n{HINT}\n")


def asp_command(**settings: Any) -> Callable[[Callable[..., Any]], Command]:
    """Make a `Command` from a function, as `click.command` does. The first argument is the global options.

    Example:
        @asp_command(examples=("asp gaps secret",))
        @click.argument("word", default="")
        def command(settings: Settings, word: str) -> None: ...
    """
    return lambda function: click.command(cls=Command, **settings)(click.pass_obj(function))


class Seconds(click.FloatRange):
    """A positive number of seconds."""

    name = "seconds"


# The name that stands for stdin or stdout.
DASH: Final = "-"


class Target(click.Path):
    """The path of a file to write. Its folder must exist, so that a long command does not fail at its end."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path. Refuse a path whose folder does not exist, and stdout if only a file will do."""
        if not value:
            self.fail("the path is empty", param, ctx)
        if value == DASH and not self.allow_dash:
            self.fail("it must be a file, and - stands for stdout; write ./- for a file of that name", param, ctx)
        folder = os.path.dirname(os.fsdecode(value)) or os.curdir
        if not os.path.isdir(folder):
            self.fail(f"there is no folder {folder!r}", param, ctx)
        return super().convert(value, param, ctx)


SECONDS: Final = Seconds(min=0, min_open=True)
COUNT: Final = click.IntRange(min=1)
TARGET: Final = Target(dir_okay=False)
TARGET_OR_STDOUT: Final = Target(dir_okay=False, allow_dash=True)


def open_stdin(user: str, remedy: str = "pass the path of a file, or redirect stdin") -> BinaryIO:
    """Return stdin.

    Args:
        user: The option or argument that reads it, for the message.
        remedy: What to do if it is closed.

    Raises:
        click.UsageError: The parent process has closed stdin, as some schedulers do.
    """
    stdin: Any = sys.stdin
    if stdin is None or stdin.closed:
        raise click.UsageError(f"{user}: stdin is closed; {remedy}")
    found: BinaryIO = stdin.buffer
    return found


def option(name: str, text: str, **settings: Any) -> click.Option:
    """Return an option with its help."""
    return click.Option([name], help=text, **settings)


def extra_query() -> click.Option:
    """Return the option for query parameters that the contract does not name."""
    text = "Send this query parameter, which the contract does not name  [repeatable]"
    return option("--extra-query", text, multiple=True, metavar="NAME=VALUE")


def extra() -> click.Option:
    """Return the option for members of the body that the contract does not name."""
    text = "Send this member of the body; NAME:=JSON sends JSON  [repeatable]"
    return option("--extra", text, multiple=True, metavar="NAME=TEXT")


def state(text: str, *, required: bool = False) -> click.Option:
    """Return the option for the file in which a job keeps its progress."""
    return option("--state", text, type=TARGET, metavar="FILE", required=required)


def every(seconds: float) -> click.Option:
    """Return the option for the time between two polls."""
    return option("--every", f"Poll this often; the default is {seconds:g}.", type=SECONDS, default=seconds)


def conditions() -> list[click.Option]:
    """Return the options of a wait, for `asp wait` and `asp batch`."""
    return [
        option("--until", "Wait for this value; A,B means A or B.", multiple=True, metavar="NAME=VALUE"),
        option("--unexpected", "End the wait at this value, with exit code 10.", multiple=True, metavar="NAME=VALUE"),
        *bounds(),
    ]


def bounds() -> list[click.Option]:
    """Return the options that say how often a wait polls, and when it ends."""
    return [
        option("--timeout", "End the wait after this time; the default is 3600.", type=SECONDS, default=3600.0),
        every(10.0),
    ]


def stalled_after() -> click.Option:
    """Return the option that ends a wait for something that does not change."""
    return option("--stalled-after", "End the wait after this time without a change.", type=SECONDS)
