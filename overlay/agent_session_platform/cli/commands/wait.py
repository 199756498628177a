"""`asp wait`: a group with a command for each kind of object that can be waited for."""

from __future__ import annotations

from ..jobs.target_group import TargetGroup
from ..jobs.targets import waited
from ..jobs.waiting import command_of, options

command = TargetGroup(
    name="wait",
    find=waited,
    make=command_of,
    options=options,
    subcommand_metavar="NAME ID [OPTIONS]",
    help="Wait for an object until it is as you say, and print it. Each change is shown on stderr, if that is a "
    "terminal.\n\nExit codes: 0 matched, 10 unexpected, 11 gone, 12 stalled, 13 deadline.",
    examples=(
        "asp wait organization.sessions assistant-1 --until status=ready,failed",
        "asp wait organization.sessions assistant-1 --until status=ready --unexpected status=failed -o json",
        "asp wait organization.schedules ID --changed last_executed_at --timeout 86400",
    ),
)
