"""Write the page of the command line: every command with its arguments, options and examples, and the exit codes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import click
from agent_session_platform.cli.exit_codes import KINDS, MEANINGS
from agent_session_platform.cli.group import asp
from agent_session_platform.cli.registry import COMMANDS
from agent_session_platform.cli.settings import Command

from docs.reference.argparse_help import Parser, parsers
from docs.reference.errors import errors
from docs.reference.markdown import anchor, code, document, fence, link, one_line, table
from docs.reference.themes import places

PAGE: Final = "reference/command-line.md"
INSTALL: Final = "pip install 'agent-session-platform[cli]'"
WIDTH: Final = 88
# A group with more commands than this makes them of the catalogue.
MOST_SHOWN: Final = 12
OPTIONS: Final = ("Option", "Meaning")


def pages() -> dict[str, str]:
    """Return the page of the command line."""
    context = click.Context(asp, info_name="asp")
    thin = parsers()
    rows = ((f"[{code(f'asp {name}')}](#{anchor(f'asp {name}')})", one_line(text)) for name, text in COMMANDS.items())
    return {
        PAGE: document(
            "# Command line",
            f"{one_line(asp.help or '')} Install it with {code(INSTALL)}.",
            table(("Command", "What it does"), rows),
            "## Options of every command",
            "They stand before or after the name of a command; what stands after it wins.",
            options_table(asp, context),
            *(
                document(*map(parser_text, thin[name])) if name in thin else "\n\n".join(command_texts(context, name))
                for name in COMMANDS
            ),
            exit_codes(),
        )
    }


def command_texts(parent: click.Context, name: str) -> Iterator[str]:
    """Yield the text about a command, and about those below it."""
    group = parent.command
    assert isinstance(group, click.Group)
    command = group.get_command(parent, name)
    assert command is not None
    context = click.Context(command, info_name=name, parent=parent, terminal_width=WIDTH, max_content_width=WIDTH)
    below = command.list_commands(context) if isinstance(command, click.Group) else []
    yield document(
        f"## {context.command_path}",
        help_text(command),
        fence(usage_of(context), "text"),
        options_table(command, context) if not below else "",
        examples_text(command, context),
    )
    if len(below) > MOST_SHOWN:
        # What these have in common is in the help of the group.
        yield document(fence(command.get_help(context), "text"), f"Names: {', '.join(map(code, below))}.")
        return
    for each in below:
        yield from command_texts(context, each)


def help_text(command: click.Command) -> str:
    """Return the help of a command as paragraphs; examples have a place of their own."""
    text = (command.help or "").partition("\b")[0]
    return "\n\n".join(one_line(paragraph) for paragraph in re.split(r"\n\s*\n", text) if paragraph.strip())


def usage_of(context: click.Context) -> str:
    """Return the usage of a command on one line."""
    return " ".join([context.command_path, *context.command.collect_usage_pieces(context)])


def options_table(command: click.Command, context: click.Context) -> str:
    """Return the table of the arguments and options of a command, without those that every command has."""
    rows: list[tuple[str, str]] = []
    for each in command.params:
        if isinstance(each, click.Argument):
            rows.append((code(each.make_metavar(context)), "required" if each.required else "optional"))
        elif record := each.get_help_record(context):
            rows.append((code(record[0]), one_line(record[1])))
    return table(OPTIONS, rows)


def examples_text(command: click.Command, context: click.Context) -> str:
    """Return the examples of a command."""
    if isinstance(command, Command) and command.examples:
        return fence("\n".join(command.examples), "sh")
    found = (command.help or "").partition("Examples:\n")[2]
    return fence("\n".join(line.strip() for line in found.splitlines()), "sh") if found else ""


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
        for number, meaning in MEANINGS.items()
    )
    return document(
        "## Exit codes",
        "A script can rely on these. The first error of the tree that fits decides.",
        table(("Code", "Meaning", "Errors"), rows),
    )


