"""`asp wait`: a group with a command for each kind of object that can be waited for."""

from __future__ import annotations

from ..errors import in_words
from ..jobs.targets import TargetGroup, waited
from ..jobs.waiting import CODES, command_of, options

command = TargetGroup(
    name="wait",
    find=waited,
    make=command_of,
    options=options,
    subcommand_metavar="NAME ID [OPTIONS]",
    help="Wait for an object until it is as you say, and print it. Each change is shown on stderr, if that is a "
    f"terminal.\n\nExit codes: {in_words(*CODES.values())}.",
    examples=(
        "asp wait organization.sessions assistant-1 --until status=ready,failed",
        "asp wait organization.sessions assistant-1 --until status=ready --unexpected status=failed -o json",
        "asp wait organization.schedules ID --changed last_executed_at --timeout 86400",
    ),
)
