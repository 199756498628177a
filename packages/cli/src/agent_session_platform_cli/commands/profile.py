"""`asp profile`: the profiles, and which of them is the default."""

from __future__ import annotations

import os
from typing import Any, Final

import click
from agent_session_platform import ConfigurationError

from ..group import LazyGroup
from ..output import print_items, print_value
from ..profiles import PROFILE, ProfileFile, chosen_profile, config_path
from ..settings import Settings, asp_command, global_options

HELP = f"""Show the profiles, or choose the default one.

A profile is a table [profiles.NAME] of the file that `asp profile path` prints. Its keys: base_url, organization, one
of token_variable, token_file, token_command (a list of words) and token_keyring (service and user), and proxy, verify,
transport, allow_http. --profile or {PROFILE} names the one to use. The default is used without these, unless the
environment has a base URL or a credential.

\b
Examples:
  asp profile list
  asp profile use staging
"""


@asp_command(examples=("asp profile list",))
@click.pass_obj
def list_profiles(settings: Settings) -> None:
    """List the profiles; a broken one with what is wrong."""
    path = config_path()
    file = ProfileFile.read(path) if path.exists() else ProfileFile(path, b"")
    used = settings.profile or os.environ.get(PROFILE) or file.default
    print_items([_row(file, name, is_used=name == used) for name in file.names], settings)
    if not file.names:
        click.echo(f"asp: there are no profiles; write a table [profiles.NAME] with base_url into {path}", err=True)


@asp_command(examples=("asp profile use staging",))
@click.argument("name")
def use(name: str) -> None:
    """Make a profile the default one."""
    file = ProfileFile.read(config_path())
    file.make_default(name)
    click.echo(f"The default profile is {name} now.", err=True)


@asp_command(examples=("asp profile show", "asp profile show --profile staging"))
@click.pass_obj
def show(settings: Settings) -> None:
    """Show the profile that commands use, without its token."""
    found = chosen_profile(settings.profile)
    if found is None:
        raise ConfigurationError(f"no profile is used; name one with --profile or {PROFILE}, or: asp profile use NAME")
    print_value(found.describe(), settings)


@asp_command(examples=('"$EDITOR" "$(asp profile path)"',))
def path() -> None:
    """Print the path of the file with the profiles."""
    click.echo(config_path())


def _row(file: ProfileFile, name: str, *, is_used: bool) -> dict[str, Any]:
    row: dict[str, Any] = {"name": name, "used": is_used}
    try:
        return row | file.profile(name).describe()
    except ConfigurationError as error:
        return row | {"problem": str(error)}


class ProfileGroup(LazyGroup):
    """The commands of profiles."""

    subcommands: Final = {"list": list_profiles, "use": use, "show": show, "path": path}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command."""
        return self.subcommands.get(cmd_name)


profile_command = ProfileGroup(
    name="profile",
    summaries={
        "list": "List the profiles; a broken one with what is wrong.",
        "use": "Make a profile the default one.",
        "show": "Show the profile that commands use, without its token.",
        "path": "Print the path of the file with the profiles.",
    },
    params=global_options(hidden=True),
    help=HELP,
)
