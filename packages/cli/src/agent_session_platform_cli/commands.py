"""The commands that ask nobody: operations, gaps, legacy paths, permissions of a program, profiles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import click
from agent_session_platform import ConfigurationError, Operation, gaps
from agent_session_platform.legacy import current

from .group import LazyGroup
from .lookup import complete_operation, nearest, operation_named, operations_with
from .output import print_items, print_value
from .profiles import PROFILE, ProfileFile, chosen_name, chosen_profile, config_path, overriding
from .program import read_program
from .settings import Settings, asp_command
from .sheet import sheet_of, text_of
from .terminal_text import escaped, say

WORD: Final = click.argument("word", default="", metavar="[WORD]")


@asp_command(examples=("asp operations", "asp operations sessions", "asp operations ViewOrgSessions -o json"))
@WORD
@click.pass_obj
def operations_command(settings: Settings, word: str) -> None:
    """List the operations that have WORD in their name, path, permission or summary; without it all of them."""
    resources = {each.resource for each in operations_with("")}
    print_found([summary_of(each) for each in operations_with(word)], word, "operation", resources, settings)


def print_found(rows: Sequence[dict[str, Any]], word: str, noun: str, known: Iterable[str], settings: Settings) -> None:
    """Print rows; of none say so, with the nearest known words."""
    print_items(rows, settings)
    if not rows:
        say(f"no {noun} has {word[:80]!r}{nearest(word, known)}; `asp {noun}s` lists all")


def summary_of(operation: Operation) -> dict[str, Any]:
    """Return the facts about an operation that fit into a row."""
    marks = {"deprecated": operation.deprecated, "beta": operation.beta, "list": operation.paginated}
    return {
        "operation": operation.name,
        "method": operation.method,
        "permission": operation.permission,
        "summary": operation.summary,
        "marks": " ".join(mark for mark, has in marks.items() if has) or None,
        "path": operation.path,
    }


@asp_command(examples=("asp show organization.sessions.create", "asp show list_organization_sessions -o json"))
@click.argument("name", metavar="OPERATION", shell_complete=complete_operation)
@click.pass_obj
def show_command(settings: Settings, name: str) -> None:
    """Show an operation: parameters, permission, credentials, rules, gaps, examples in Python and in curl."""
    sheet = sheet_of(operation_named(name))
    if settings.output is None or settings.output == "table":
        click.echo(text_of(sheet))
    else:
        print_value(sheet, settings)


@asp_command(examples=("asp gaps", "asp gaps session-list", "asp gaps permission -o csv"))
@WORD
@click.pass_obj
def gaps_command(settings: Settings, word: str) -> None:
    """List the gaps that have WORD in their id, text or place: facts that the API's description does not show."""
    rows = [
        {"gap": each.id, "what": each.what, "place": each.place, "state": "closed" if each.closed else "open"}
        for each in gaps
        if word.lower() in f"{each.id}\n{each.what}\n{each.place}".lower()
    ]
    print_found(rows, word, "gap", [each.id for each in gaps], settings)


@asp_command(examples=("asp legacy /v1/sessions", "asp legacy /v1/session/abc --method DELETE"))
@click.argument("path", metavar="PATH")
@click.option("--method", default="GET", show_default=True, help="The HTTP method.")
@click.pass_obj
def legacy_command(settings: Settings, path: str, method: str) -> None:
    """Find the current operation of a PATH of the legacy API (v1), with its ids."""
    found = current(path, method)
    name = found.operation.name
    print_value({"operation": name, "method": found.method, "path": found.path, "call": f"asp call {name}"}, settings)


@asp_command(examples=("asp permissions service.py", "asp permissions src -o json"))
@click.argument("programs", nargs=-1, required=True, metavar="PROGRAM...")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def permissions_command(settings: Settings, programs: tuple[str, ...], as_json: bool) -> None:
    """Find the operations that a PROGRAM names, and the permissions that they require.

    It is a Python file, or a folder with such files. Too many operations are named rather than too few. Nothing of
    it is run, and nothing is sent.
    """
    use = read_program(*programs)
    if as_json or settings.errors_as_json:
        print_value(use.to_dict(), settings)
    else:
        click.echo(escaped(str(use), kept="\n"))


@asp_command(examples=("asp profile list",))
@click.pass_obj
def list_profiles(settings: Settings) -> None:
    """List the profiles; a broken one with what is wrong."""
    path = config_path()
    file = ProfileFile.read(path) if path.exists() else ProfileFile(path, b"")
    used = chosen_name(settings.profile)
    print_items([_row(file, name, is_used=name == used) for name in file.names], settings)
    if used is None and file.default is not None:
        say(f"no profile is used: {why_no_default()}")
    if not file.names:
        say(f"there are no profiles; write a table [profiles.NAME] with base_url into {path}")


def _row(file: ProfileFile, name: str, *, is_used: bool) -> dict[str, Any]:
    row: dict[str, Any] = {"name": name, "used": is_used}
    try:
        return row | file.profile(name).describe()
    except ConfigurationError as error:
        return row | {"problem": str(error)}


def why_no_default() -> str:
    """Return why the default profile is not used."""
    return f"{' and '.join(overriding())} of the environment wins over the default"


@asp_command(examples=("asp profile use staging",))
@click.argument("name")
def use_profile(name: str) -> None:
    """Make a profile the default one."""
    ProfileFile.read(config_path()).make_default(name)
    say(f"the default profile is {name} now{f', but {why_no_default()}' if overriding() else ''}")


@asp_command(examples=("asp profile show", "asp profile show --profile staging"))
@click.pass_obj
def show_profile(settings: Settings) -> None:
    """Show the profile that commands use, without its token."""
    found = chosen_profile(settings.profile)
    if found is None:
        way = why_no_default() if overriding() else "or: asp profile use NAME"
        raise ConfigurationError(f"no profile is used; name one with --profile or {PROFILE}, {way}")
    print_value(found.describe(), settings)


@asp_command(examples=('"$EDITOR" "$(asp profile path)"',))
def print_path() -> None:
    """Print the path of the file with the profiles."""
    click.echo(config_path())


profile_command = LazyGroup(
    name="profile",
    commands={"list": list_profiles, "use": use_profile, "show": show_profile, "path": print_path},
    help=f"""Show the profiles, or choose the default one.

A profile is a table [profiles.NAME] of the file that `asp profile path` prints. Its keys: base_url, organization, one
of token_variable, token_file and token_command (a list of words, such as ["keyring", "get", "platform", "me"]), and
proxy, verify, transport, allow_http. --profile or {PROFILE} names the one to use. The default is used without these,
unless the environment has a base URL or a credential.
""",
    examples=("asp profile list", "asp profile use staging"),
)
