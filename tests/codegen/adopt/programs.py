"""Twelve small programs against the build of examples/acme, as its users write them."""

from __future__ import annotations

from textwrap import indent

PROGRAM = """
import asyncio

from agent_session_platform_sandbox import Sandbox
{imports}

async def main() -> None:
    async with Sandbox().client() as platform:
        org = platform.organization()
{body}

asyncio.run(main())
"""
# The imports and the body of each program.
PARTS: dict[str, tuple[str, str]] = {
    "create": (
        "from agent_session_platform.models import Session\n",
        """
    session: Session = await org.sessions.create(prompt="Fix the flaky test", acme_mode="fast", title="Flaky")
    assert session.session_id.startswith("acme-")
""",
    ),
    "read_a_session": (
        "",
        """
    created = await org.sessions.create(prompt="Fix the flaky test")
    session = await org.sessions.get(created.session_id)
    status: str = session.status
    title: str | None = session.title
    print(status, title)
""",
    ),
    "match_a_status": (
        "",
        """
    session = await org.sessions.create(prompt="Fix the flaky test")
    match session.status:
        case "done" | "failed":
            print("over")
        case "queued" | "working" | "waiting":
            print("running")
        case newer:
            print(newer.upper())
""",
    ),
    "list_sessions": (
        "",
        """
    for number in range(3):
        await org.sessions.create(prompt=f"Task {number}")
    ids: list[str] = [session.session_id async for session in org.sessions.list(first=2, archived=False)]
    assert len(ids) == 3
""",
    ),
    "filter_by_origin": (
        "",
        """
    async for session in org.sessions.list(origins=["mail", "api"]):
        print(session.environment_id)
""",
    ),
    "pages": (
        "from agent_session_platform import Pager\nfrom agent_session_platform.models import Environment\n",
        """
    for name in ("a", "b", "c"):
        await org.environments.create(name=name)
    pager: Pager[Environment] = org.environments.list()
    async for page in pager.pages():
        names: list[str] = [environment.name for environment in page.items]
        print(names, page.end_cursor)
""",
    ),
    "create_read_and_delete": (
        "from agent_session_platform import NotFoundError\n",
        """
    environment = await org.environments.create(name="builds", size="large")
    assert (await org.environments.get(environment.environment_id)).name == "builds"
    await org.environments.delete(environment.environment_id)
    try:
        await org.environments.get(environment.environment_id)
    except NotFoundError as error:
        print(error.status)
    else:
        raise AssertionError("it is still there")
""",
    ),
    "an_action": (
        "",
        """
    environment = await org.environments.create(name="builds")
    restarted = await org.environments.restart(environment.environment_id)
    state: str = restarted.state
    print(state)
""",
    ),
    "labels": (
        "",
        """
    session = await org.sessions.create(prompt="Fix the flaky test")
    labels: list[str] = [*await org.sessions.list_labels(session.session_id)]
    print(labels)
""",
    ),
    "playbooks": (
        "",
        """
    async for playbook in org.playbooks.list():
        title: str = playbook.title
        print(title, playbook.body)
""",
    ),
    "what_is_refused": (
        "from agent_session_platform import InvalidArgumentError\n",
        """
    try:
        await org.environments.get("..")
    except InvalidArgumentError as error:
        print(error)
    else:
        raise AssertionError("it is sent")
""",
    ),
    "what_the_build_knows": (
        "from agent_session_platform import Documented, operations\n",
        """
    operation = operations["organization.sessions.create"]
    assert operation.permission == "ManageOrgSessions"
    closed = [gap.id for gap in operation.gaps if isinstance(gap.closed, Documented)]
    assert "session-create-request" in closed
    assert "organization.environments.restart" in operations
    assert {"environments", "playbooks", "sessions"} <= {*dir(org)}
""",
    ),
}


def programs() -> dict[str, str]:
    """Return the text of each program by its name."""
    found: dict[str, str] = {}
    for name, (imports, body) in PARTS.items():
        found[name] = PROGRAM.format(imports=imports, body=indent(body, "    "))
    return found
