"""Write the page of the command line: every command with its arguments, options and examples, and the exit codes."""

from __future__ import annotations

from typing import Final

import click
from agent_session_platform import operations
from agent_session_platform_cli.exit_codes import KINDS, MEANINGS
from agent_session_platform_cli.group import asp
from agent_session_platform_cli.registry import COMMANDS
from agent_session_platform_cli.settings import Command, global_options

from docs.reference.argparse_help import Parser, parsers
from docs.reference.docstrings import PARAGRAPHS
from docs.reference.errors import errors
from docs.reference.markdown import anchor, code, document, fence, link, one_line, table
from docs.reference.operations import operation_link
from docs.reference.themes import OPERATIONS, places

PAGE: Final = "reference/command-line.md"
INSTALL: Final = "pip install . ./packages/jobs ./packages/cli"
WIDTH: Final = 88
# In the name of a command that is made of an operation.
OF_CATALOGUE: Final = "."
GLOBAL: Final = global_options(hidden=False)
OPTIONS: Final = ("Option", "Meaning")


def pages() -> dict[str, str]:
    """Return the page of the command line."""
    context = click.Context(asp, info_name="asp")
    thin = parsers()
    rows = ((f"[asp {name}](#{anchor(f'asp {name}')})", one_line(text)) for name, text in COMMANDS.items())
    return {
        PAGE: document(
            "# Command line",
            f"{one_line(asp.help or '')} Install it with {code(INSTALL)} in a checkout.",
            table(("Command", "What it does"), rows),
            "## Options of every command",
            "They stand before or after the name of a command; what stands after it wins.",
            table(OPTIONS, map(_row, GLOBAL, [context] * len(GLOBAL))),
            f"{code('asp --version')} prints the version.",
            *(
                document(*map(parser_text, thin[name])) if name in thin else command_text(context, name)
                for name in COMMANDS
            ),
            exit_codes(),
        )
    }


def command_text(parent: click.Context, name: str) -> str:
    """Return the text about a command, and about those below it that are not made of the catalogue."""
    group = parent.command
    assert isinstance(group, click.Group)
    command = group.get_command(parent, name)
    assert command is not None
    context = click.Context(command, info_name=name, parent=parent, terminal_width=WIDTH, max_content_width=WIDTH)
    head = f"## {context.command_path}"
    if not isinstance(command, click.Group):
        return document(
            head,
            help_text(command),
            fence(usage_of(context), "text"),
            options_table(command, context),
            examples_text(command),
        )
    # The help of a group has what the commands below it have in common.
    below = command.list_commands(context)
    made = [each for each in below if each in operations]
    names = ", ".join(operation_link(operations[each], PAGE) for each in made)
    if len(made) == len(operations):
        names = f"those of all {link('operations', OPERATIONS, PAGE)}"
    return document(
        head,
        fence(command.get_help(context), "text"),
        f"The names: {names}." if made else "",
        *(command_text(context, each) for each in below if OF_CATALOGUE not in each),
    )


def help_text(command: click.Command) -> str:
    """Return the help of a command as paragraphs."""
    return document(*map(one_line, PARAGRAPHS.split(command.help or "")))


def usage_of(context: click.Context) -> str:
    """Return the usage of a command on one line."""
    return " ".join([context.command_path, *context.command.collect_usage_pieces(context)])


def options_table(command: click.Command, context: click.Context) -> str:
    """Return the table of the arguments and options of a command, without those that every command has."""
    known = {each.name for each in GLOBAL}
    rows = (_row(each, context) for each in command.params if each.name not in known)
    return table(OPTIONS, (row for row in rows if row[0]))


def _row(parameter: click.Parameter, context: click.Context) -> tuple[str, str]:
    """Return an argument or an option with its meaning; empty for a hidden one."""
    if isinstance(parameter, click.Argument):
        return code(parameter.make_metavar(context)), "required" if parameter.required else "optional"
    name, text = parameter.get_help_record(context) or ("", "")
    return code(name) if name else "", one_line(text)


def examples_text(command: click.Command) -> str:
    """Return the examples of a command."""
    return fence("\n".join(command.examples), "sh") if isinstance(command, Command) else ""


def parser_text(parser: Parser) -> str:
    """Return the text about a command of argparse."""
    rows = ((code(name), one_line(text)) for name, text in parser.arguments)
    return document(f"## {parser.name}", one_line(parser.about), fence(parser.usage, "text"), table(OPTIONS, rows))


def exit_codes() -> str:
    """Return the table of the exit codes, with the errors that end with each."""
    known = errors()

    def shown(name: str) -> str:
        return link(code(name), places()[known[name].path], PAGE) if name in known else code(name)

    rows = (
        (code(str(number)), meaning, ", ".join(shown(name) for name, code_of in KINDS if code_of == number))
        for number, (_, meaning) in MEANINGS.items()
    )
    return document(
        "## Exit codes",
        "A script can rely on these. The first error of the tree that fits decides.",
        table(("Code", "Meaning", "Errors"), rows),
    )
