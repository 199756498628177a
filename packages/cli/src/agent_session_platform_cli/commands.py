"""The commands that send nothing: operations, show, gaps, legacy, permissions, profile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import click
from agent_session_platform import ConfigurationError, Operation, gaps
from agent_session_platform.legacy import current

from .group import LazyGroup
from .lookup import complete_operation, nearest, operation_named, operations_with
from .output import print_items, print_report, print_value
from .profiles import PROFILE, WRITE_ONE, ProfileFile, chosen_name, chosen_profile, config_path, overriding
from .program import read_program
from .settings import Settings, asp_command
from .sheet import sheet_of, text_of
from .terminal_text import say

WORD: Final = click.argument("word", default="", metavar="[WORD]")


@asp_command(examples=("asp operations", "asp operations sessions", "asp operations ViewOrgSessions -o json"))
@WORD
def operations_command(settings: Settings, word: str) -> None:
    """List the operations with WORD in their name, path, permission or summary. Without WORD: all operations."""
    resources = {each.resource for each in operations_with("")}
    print_found([summary_of(each) for each in operations_with(word)], word, "operation", resources, settings)


def print_found(rows: Sequence[dict[str, Any]], word: str, noun: str, known: Iterable[str], settings: Settings) -> None:
    """Print rows. If there are no rows, say so and suggest similar words."""
    print_items(rows, settings)
    if not rows:
        say(f"no {noun} has {word[:80]!r}{nearest(word, known)}; `asp {noun}s` lists all")


def summary_of(operation: Operation) -> dict[str, Any]:
    """Return the row of an operation in a list."""
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
def show_command(settings: Settings, name: str) -> None:
    """Show an operation: parameters, permission, credentials, rules, gaps, examples in Python and in curl."""
    sheet = sheet_of(operation_named(name))
    print_report(sheet, text_of(sheet), settings)


@asp_command(examples=("asp gaps", "asp gaps session-list", "asp gaps permission -o csv"))
@WORD
def gaps_command(settings: Settings, word: str) -> None:
    """List the gaps with WORD in their id, text or place. A gap is a fact that the API's description does not show."""
    rows = [
        {"gap": each.id, "what": each.what, "place": each.place, "state": "closed" if each.closed else "open"}
        for each in gaps
        if word.lower() in f"{each.id}\n{each.what}\n{each.place}".lower()
    ]
    print_found(rows, word, "gap", [each.id for each in gaps], settings)


@asp_command(examples=("asp legacy /v1/sessions", "asp legacy /v1/session/abc --method DELETE"))
@click.argument("path", metavar="PATH")
@click.option("--method", default="GET", show_default=True, help="The HTTP method.")
def legacy_command(settings: Settings, path: str, method: str) -> None:
    """Find the current operation for a PATH of the legacy API (v1). Ids in PATH are kept."""
    found = current(path, method)
    name = found.operation.name
    print_value({"operation": name, "method": found.method, "path": found.path, "call": f"asp call {name}"}, settings)


@asp_command(examples=("asp permissions service.py", "asp permissions src -o json"))
@click.argument("programs", nargs=-1, required=True, metavar="PROGRAM...")
def permissions_command(settings: Settings, programs: tuple[str, ...]) -> None:
    """Find the operations that a PROGRAM calls, and the permissions that they require.

    PROGRAM is a Python file, or a folder with Python files. It is read and not run, and nothing is sent. In doubt an
    operation is listed.
    """
    use = read_program(*programs)
    print_report(use.to_dict(), str(use), settings)


@asp_command(examples=("asp profile list",))
def list_profiles(settings: Settings) -> None:
    """List the profiles. For a profile that cannot be used, show the reason."""
    file = ProfileFile(config_path())
    used = chosen_name(settings.profile)
    print_items([_row(file, name, is_used=name == used) for name in file.names], settings)
    if used is None and file.default is not None:
        say(f"no profile is used: {why_no_default()}")
    if not file.names:
        say(f"{file.path} has no profiles; {WRITE_ONE}")


def _row(file: ProfileFile, name: str, *, is_used: bool) -> dict[str, Any]:
    row: dict[str, Any] = {"name": name, "used": is_used}
    try:
        return row | file.profile(name).describe()
    except ConfigurationError as error:
        return row | {"problem": str(error)}


def why_no_default() -> str:
    """Return the reason why the default profile is not used."""
    return f"{' and '.join(overriding())} of the environment wins over the default"


@asp_command(examples=("asp profile use staging",))
@click.argument("name")
def use_profile(_: Settings, name: str) -> None:
    """Make NAME the default profile."""
    ProfileFile(config_path()).make_default(name)
    say(f"the default profile is {name} now{f', but {why_no_default()}' if overriding() else ''}")


@asp_command(examples=("asp profile show", "asp profile show --profile staging"))
def show_profile(settings: Settings) -> None:
    """Show the profile that commands use. Its token is not shown."""
    found = chosen_profile(settings.profile)
    if found is None:
        way = why_no_default() if overriding() else "or: asp profile use NAME"
        raise ConfigurationError(f"no profile is used; name one with --profile or {PROFILE}, {way}")
    print_value(found.describe(), settings)


@asp_command(examples=('"$EDITOR" "$(asp profile path)"',))
def print_path(_: Settings) -> None:
    """Print the path of the file with the profiles."""
    click.echo(config_path())


profile_command = LazyGroup(
    name="profile",
    commands={"list": list_profiles, "use": use_profile, "show": show_profile, "path": print_path},
    help=f"""Show the profiles, or choose the default one.

A profile is a table [profiles.NAME] in the file that `asp profile path` prints. Its keys: base_url, organization, one
of token_variable, token_file and token_command (a list of words, such as ["keyring", "get", "platform", "me"]), and
proxy, verify, transport, allow_http. --profile or {PROFILE} chooses a profile. Without them, the default profile is
used, unless the environment has a base URL or a credential.
""",
    examples=("asp profile list", "asp profile use staging"),
)
