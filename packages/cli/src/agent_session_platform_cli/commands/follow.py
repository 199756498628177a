"""`asp follow`: a group with a command for each list that can be followed."""

from __future__ import annotations

from ..jobs.following import command_of, options
from ..jobs.targets import TargetGroup, followed

command = TargetGroup(
    name="follow",
    find=followed,
    make=command_of,
    options=options,
    subcommand_metavar="NAME [ID] [OPTIONS]",
    help="Print what is added to a list as it comes, one JSON object a line, until Ctrl-C.",
    examples=(
        "asp follow enterprise.sessions.messages assistant-1",
        "asp follow organization.audit_logs --only-new --state audit.state >> audit.jsonl",
        "asp follow organization.audit_logs --once --state audit.state     # for cron",
    ),
)
