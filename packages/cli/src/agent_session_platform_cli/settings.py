"""The options that every command takes, before or after its name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from operator import methodcaller
from typing import Any, Final

import attrs
import click

from .terminal_text import shell_word

FORMATS: Final = ("json", "jsonl", "table", "csv")
TRANSPORTS: Final = ("httpx", "httpx2", "aiohttp")

HINT: Final = "More options, for every command: asp --help"
HELP: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@attrs.define
class Settings:
    """The global options; None: not given.

    Attributes:
        profile: Name of the profile to use.
        base_url: Address of the server.
        organization: Id of the organization.
        transport: The HTTP library.
        output: One of FORMATS; None: as the command chooses, by whether stdout is a terminal.
        debug: Whether to log, and to show the traceback of an error.
        no_color: Whether to use no colors.
        arguments: The arguments of the process, to say how an interrupted command continues.
        redact: Replaces the credential of the client in a text, as soon as there is a client.
    """

    profile: str | None = None
    base_url: str | None = None
    organization: str | None = None
    transport: str | None = None
    output: str | None = None
    debug: bool = False
    no_color: bool = attrs.field(factory=lambda: bool(os.environ.get("NO_COLOR")))
    arguments: tuple[str, ...] = ()
    redact: Callable[[str], str] = str

    @property
    def errors_as_json(self) -> bool:
        """True if an error is reported as JSON: where JSON was asked for."""
        return self.output in ("json", "jsonl")

    def command_line(self, *more: str) -> str:
        """Return what was typed, with more words, for a shell."""
        return " ".join(["asp", *map(shell_word, [*self.arguments, *more])])


def settings_of(context: click.Context) -> Settings:
    """Return the settings of the running command."""
    return context.find_root().ensure_object(Settings)


def global_options(*, hidden: bool) -> list[click.Parameter]:
    """Return the global options; what stands after the name of a command wins.

    Args:
        hidden: Whether help leaves them out, except `--output`.
    """
    output = "json, jsonl, table (on a terminal) or csv."
    library = "The HTTP library; by default httpx."
    return [
        _option("-o", "--output", type=click.Choice(FORMATS), metavar="FORMAT", help=output),
        _option("--organization", metavar="ID", hidden=hidden, help="The organization  [AGENT_PLATFORM_ORG_ID]"),
        _option("--base-url", metavar="URL", hidden=hidden, help="The server  [AGENT_PLATFORM_BASE_URL]"),
        _option("--profile", metavar="NAME", hidden=hidden, help="A profile  [AGENT_PLATFORM_PROFILE]"),
        _option("--transport", type=click.Choice(TRANSPORTS), hidden=hidden, help=library),
        _option("--no-color", is_flag=True, hidden=hidden, help="Use no colors  [NO_COLOR]"),
        _option("--debug", is_flag=True, hidden=hidden, help="Log, and show the traceback of an error."),
    ]


def _option(*names: str, **settings: Any) -> click.Option:
    return click.Option(names, expose_value=False, callback=_keep, default=None, **settings)


def _keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value is not None and parameter.name:
        setattr(settings_of(context), parameter.name, value)


def write_examples(formatter: click.HelpFormatter, lines: Iterable[str]) -> None:
    """Write lines of the shell at the end of a help text."""
    with formatter.section("Examples"):
        for line in lines:
            formatter.write(f"  {line}\n")


class Command(click.Command):
    """A command that takes the global options as well, and has examples in its help.

    Args:
        examples: Lines of the shell, shown at the end of the help.
        settings: What `click.Command` takes.
    """

    def __init__(self, *, examples: Sequence[str] = (), **settings: Any) -> None:
        settings["params"] = [*settings.get("params", ()), *global_options(hidden=True)]
        # The names of the contract have underscores, those of options have hyphens: both are accepted.
        settings["context_settings"] = {**HELP, "token_normalize_func": methodcaller("replace", "_", "-")}
        super().__init__(**settings)
        self.examples = examples

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        write_examples(formatter, self.examples)
        formatter.write(f"\n{HINT}\n")


def asp_command(**settings: Any) -> Callable[[Callable[..., Any]], Command]:
    """Make a `Command` of a function, like `click.command`.

    Example:
        @asp_command(examples=("asp gaps secret",))
        @click.argument("word", default="")
        @click.pass_obj
        def command(settings: Settings, word: str) -> None: ...
    """
    return click.command(cls=Command, **settings)
