"""`asp completion`: what a shell needs to complete `asp`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from ..settings import asp_command


@asp_command(
    examples=(
        'eval "$(asp completion bash)"                             # in ~/.bashrc',
        'eval "$(asp completion zsh)"                              # in ~/.zshrc, after compinit',
        "asp completion fish > ~/.config/fish/completions/asp.fish",
    ),
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the script that completes commands, operations, their options and ids of recent results.

    The ids are kept in a file of your cache folder; AGENT_PLATFORM_RECENT_IDS=off keeps none.
    """
    of_shell = get_completion_class(shell)
    if of_shell is None:
        raise click.UsageError(f"click knows no completion for {shell}", context)
    root = context.find_root()
    click.echo(of_shell(root.command, {}, "asp", "_ASP_COMPLETE").source())
