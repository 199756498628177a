"""The enterprise side of the sandbox: what is written can be read back, and the rules are kept."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
    AuthenticationError,
    ConflictError,
    NotFoundError,
    PermissionDeniedError,
    UnprocessableContentError,
)
from agent_session_platform.sandbox import Sandbox, User

MEMBER = {"role_id": "role-member", "role_name": "Member", "role_type": "org"}
IN_ACME = {"role": MEMBER, "org_id": "org-acme"}
IN_GLOBEX = {"role": MEMBER, "org_id": "org-globex"}
BOTH = frozenset({"org-acme", "org-globex"})


@pytest.fixture
def enterprise(platform: AgentPlatform) -> Any:
    return platform.enterprise


def ids(answer: Any, name: str) -> list[Any]:
    """The member *name* of the items of an answer."""
    return [item[name] for item in answer["items"]]


async def test_ranges_are_appended_to_the_access_list(enterprise: Any) -> None:
    """Rule ip-access-list-append."""
    await enterprise.ip_access_list.append(body={"ip_ranges": ["192.0.2.7"]})
    await enterprise.ip_access_list.append(body={"ip_ranges": ["198.51.100.0/24", "2001:db8::/32"]})
    assert await enterprise.ip_access_list.get() == {"ip_ranges": ["192.0.2.7", "198.51.100.0/24", "2001:db8::/32"]}


async def test_the_whole_access_list_is_replaced(enterprise: Any) -> None:
    """Rule ip-access-list-replace."""
    await enterprise.ip_access_list.append(body={"ip_ranges": ["192.0.2.7", "192.0.2.8"]})
    await enterprise.ip_access_list.replace(body={"ip_ranges": ["198.51.100.0/24"]})
    assert await enterprise.ip_access_list.get() == {"ip_ranges": ["198.51.100.0/24"]}


async def test_a_deleted_access_list_is_empty(enterprise: Any) -> None:
    await enterprise.ip_access_list.append(body={"ip_ranges": ["192.0.2.7"]})
    await enterprise.ip_access_list.delete()
    assert await enterprise.ip_access_list.get() == {"ip_ranges": []}


@pytest.mark.parametrize("verb", ["append", "replace"])
@pytest.mark.parametrize("wrong", ["example.com", "192.0.2.0/33", "192.0.2.256", ""])
async def test_what_is_no_range_leaves_the_access_list_alone(enterprise: Any, verb: str, wrong: str) -> None:
    """Rules ip-access-list-append and ip-access-list-replace."""
    await enterprise.ip_access_list.append(body={"ip_ranges": ["192.0.2.7"]})
    with pytest.raises(UnprocessableContentError, match=r"body.ip_ranges.1: .* is neither an address nor CIDR"):
        await getattr(enterprise.ip_access_list, verb)(body={"ip_ranges": ["192.0.2.9", wrong]})
    assert await enterprise.ip_access_list.get() == {"ip_ranges": ["192.0.2.7"]}


@pytest.mark.parametrize("body", [{}, {"ip_ranges": "192.0.2.7"}, {"ip_ranges": [7]}])
async def test_a_body_without_ranges_is_refused(enterprise: Any, body: Any) -> None:
    with pytest.raises(UnprocessableContentError, match="body.ip_ranges: must be a list of text"):
        await enterprise.ip_access_list.append(body=body)


@pytest.mark.parametrize("body", [["192.0.2.7"], "192.0.2.7", 7])
async def test_a_body_that_is_no_object_is_refused(sandbox: Sandbox, body: Any) -> None:
    """With httpx: the client sends no such body."""
    headers = {"Authorization": f"Bearer {sandbox.token}"}
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url, headers=headers) as client:
        refused = await client.post("/v3/enterprise/ip-access-list", json=body)
    assert (refused.status_code, refused.json()["detail"]) == (422, "body: must be an object")


async def test_up_to_100_groups_are_registered_in_a_call(enterprise: Any) -> None:
    """Rule idp-groups-bulk-limit."""
    names = [f"team-{number}" for number in range(101)]
    with pytest.raises(UnprocessableContentError, match="at most 100 groups are registered per call, not 101"):
        await enterprise.idp_groups.create(body={"idp_group_names": names})
    assert (await enterprise.idp_groups.list())["items"] == []
    await enterprise.idp_groups.create(body={"idp_group_names": names[:100]})
    await enterprise.idp_groups.create(body={"idp_group_names": names[100:]})
    assert ids(await enterprise.idp_groups.list(), "idp_group_name") == names


async def test_a_group_that_is_registered_again_stays_as_it_is(sandbox: Sandbox, enterprise: Any) -> None:
    sandbox.add_idp_group("engineering", [IN_ACME])
    answer = await enterprise.idp_groups.create(body={"idp_group_names": ["engineering", "design", "design"]})
    assert ids(answer, "role_assignments") == [[IN_ACME], [], []]
    assert ids(await enterprise.idp_groups.list(), "idp_group_name") == ["engineering", "design"]


async def test_a_group_without_assignments_and_memberships_is_deleted(enterprise: Any) -> None:
    """Rule idp-group-delete-refused."""
    await enterprise.idp_groups.create(body={"idp_group_names": ["engineering", "design"]})
    await enterprise.idp_groups.delete("engineering")
    assert ids(await enterprise.idp_groups.list(), "idp_group_name") == ["design"]
    with pytest.raises(NotFoundError, match="no IDP group engineering"):
        await enterprise.idp_groups.delete("engineering")


async def test_a_group_with_role_assignments_is_not_deleted(sandbox: Sandbox, enterprise: Any) -> None:
    """Rule idp-group-delete-refused."""
    sandbox.add_idp_group("engineering", [IN_ACME])
    with pytest.raises(ConflictError, match="engineering has role assignments"):
        await enterprise.idp_groups.delete("engineering")
    assert ids(await enterprise.idp_groups.list(), "idp_group_name") == ["engineering"]


async def test_a_group_with_user_memberships_is_not_deleted(sandbox: Sandbox, enterprise: Any) -> None:
    """Rule idp-group-delete-refused."""
    sandbox.add_idp_user(User("user-1"), [sandbox.add_idp_group("engineering")])
    with pytest.raises(ConflictError, match="engineering has user memberships"):
        await enterprise.idp_groups.delete("engineering")
    assert ids(await enterprise.idp_groups.list(), "idp_group_name") == ["engineering"]


async def test_a_deleted_group_can_be_registered_again(enterprise: Any) -> None:
    for _ in range(2):
        await enterprise.idp_groups.create(body={"idp_group_names": ["engineering", "design"]})
        await enterprise.idp_groups.delete("engineering")
    await enterprise.idp_groups.create(body={"idp_group_names": ["engineering"]})
    assert ids(await enterprise.idp_groups.list(), "idp_group_name") == ["design", "engineering"]


async def test_the_credential_of_a_new_service_user_works(sandbox: Sandbox, enterprise: Any) -> None:
    """Rule service-user-role-subset."""
    sandbox.add_role("role-viewer", {"ViewOrgSessions"})
    session_id = sandbox.add_session()
    made = await enterprise.service_users.create(body={"name": "Nightly", "role_id": "role-viewer"})
    assert (made["name"], made["role_id"]) == ("Nightly", "role-viewer")
    assert made["token"].startswith("svc_")
    async with sandbox.client(made["token"]) as platform:
        assert [each.session_id async for each in platform.organization().sessions.list()] == [session_id]
        with pytest.raises(PermissionDeniedError, match="lacks ManageEnterpriseSettings"):
            await platform.enterprise.ip_access_list.get()


async def test_each_service_user_has_a_credential_of_its_own(sandbox: Sandbox, enterprise: Any, org: Any) -> None:
    body = {"name": "Nightly", "role_id": sandbox.add_role("role-viewer", {"ViewOrgSessions"})}
    made = [await scope.service_users.create(body=body) for scope in (enterprise, org, org)]
    assert len({each["token"] for each in made}) == len({each["service_user_id"] for each in made}) == 3


async def test_a_credential_is_unknown_before_its_service_user_is_made(sandbox: Sandbox, enterprise: Any) -> None:
    body = {"name": "Nightly", "role_id": sandbox.add_role("role-viewer", {"ViewOrgSessions"})}
    token = (await enterprise.service_users.create(body=body))["token"]
    async with Sandbox().client(token) as elsewhere:
        with pytest.raises(AuthenticationError):
            await elsewhere.organization().sessions.list().first_page()


async def test_a_service_user_of_an_organization_reaches_no_other(sandbox: Sandbox, org: Any) -> None:
    body = {"name": "Nightly", "role_id": sandbox.add_role("role-viewer", {"ViewOrgSessions"})}
    made = await org.service_users.create(body=body)
    async with sandbox.client(made["token"]) as platform:
        assert await platform.organization("org-acme").sessions.list().collect() == []
        with pytest.raises(PermissionDeniedError, match="does not belong to org-globex"):
            await platform.organization("org-globex").sessions.list().first_page()


async def test_a_service_user_reaches_no_more_organizations_than_its_creator(sandbox: Sandbox) -> None:
    body = {"name": "Nightly", "role_id": sandbox.add_role("role-viewer", {"ViewOrgSessions"})}
    sandbox.require("enterprise.service_users.create", level="organization")
    creator = sandbox.add_credential("svc_creator", organizations={"org-acme"})
    async with sandbox.client(creator) as platform:
        made = await platform.enterprise.service_users.create(body=body)
    async with sandbox.client(made["token"]) as platform:
        with pytest.raises(PermissionDeniedError, match="does not belong to org-globex"):
            await platform.organization("org-globex").sessions.list().first_page()


@pytest.mark.parametrize("scope", ["enterprise", "organization"])
async def test_a_role_may_not_have_more_permissions_than_the_caller(sandbox: Sandbox, scope: str) -> None:
    """Rule service-user-role-subset."""
    sandbox.add_role("role-viewer", {"ViewOrgSessions"})
    sandbox.add_role("role-manager", {"ViewOrgSessions", "ManageOrgSchedules", "ManageOrgSecrets"})
    own = {"ViewOrgSessions", "ManageOrgSecrets", "ManageAccountServiceUsers", "ManageOrgServiceUsers"}
    async with sandbox.client(sandbox.add_credential("svc_creator", permissions=own)) as platform:
        users: Any = (platform.enterprise if scope == "enterprise" else platform.organization()).service_users
        with pytest.raises(PermissionDeniedError, match="role-manager has ManageOrgSchedules, which the caller"):
            await users.create(body={"name": "n", "role_id": "role-manager"})
        assert "token" in await users.create(body={"name": "n", "role_id": "role-viewer"})


@pytest.mark.parametrize("scope", ["enterprise", "organization"])
@pytest.mark.parametrize("permission", ["ManageServiceUsers", "ManageAccountServiceUsers", "ManageOrgServiceUsers"])
async def test_managing_service_users_is_never_granted(
    sandbox: Sandbox, platform: AgentPlatform, scope: str, permission: str
) -> None:
    """Rule service-user-role-subset: not even by a caller who holds every permission."""
    sandbox.add_role("role-admin", {"ViewOrgSessions", permission})
    users: Any = (platform.enterprise if scope == "enterprise" else platform.organization()).service_users
    with pytest.raises(PermissionDeniedError, match=f"role-admin has {permission}, which can never be granted"):
        await users.create(body={"name": "n", "role_id": "role-admin"})


async def test_a_service_user_with_an_unknown_role_is_not_made(enterprise: Any) -> None:
    with pytest.raises(UnprocessableContentError, match="body.role_id: there is no role role-9"):
        await enterprise.service_users.create(body={"name": "n", "role_id": "role-9"})


async def test_roles_are_listed(sandbox: Sandbox, enterprise: Any) -> None:
    sandbox.add_role("role-viewer", {"ViewOrgSessions"}, name="Viewer")
    expected = {"role_id": "role-viewer", "role_name": "Viewer", "role_type": "org"}
    assert (await enterprise.roles.list())["items"] == [expected]


async def test_group_limits_read_back_as_they_were_written(enterprise: Any) -> None:
    limits = {"groups": [{"org-acme": 100, "org-globex": None}]}
    assert await enterprise.org_group_limits.get() == {}
    await enterprise.org_group_limits.set(body=limits)
    assert await enterprise.org_group_limits.get() == limits
    await enterprise.org_group_limits.set(body={"groups": []})
    assert await enterprise.org_group_limits.get() == {"groups": []}


async def test_group_limits_require_enablement(sandbox: Sandbox, enterprise: Any) -> None:
    """Rule org-group-limits-enablement."""
    sandbox.state.org_group_limits_enabled = False
    with pytest.raises(PermissionDeniedError, match="not enabled"):
        await enterprise.org_group_limits.get()
    with pytest.raises(PermissionDeniedError, match="not enabled"):
        await enterprise.org_group_limits.set(body={"groups": []})


async def test_the_limit_of_an_organization_reads_back_until_deleted(enterprise: Any) -> None:
    await enterprise.acu_limits.set("org-acme", body={"limit": 5})
    await enterprise.acu_limits.set("org-globex", body={"limit": 7})
    await enterprise.acu_limits.set("org-acme", body={"limit": 6})
    limits = {"org-acme": 6, "org-globex": 7}
    assert {each["org_id"]: each["limit"] for each in (await enterprise.acu_limits.get())["items"]} == limits
    await enterprise.acu_limits.delete("org-acme")
    assert ids(await enterprise.acu_limits.get(), "org_id") == ["org-globex"]
    with pytest.raises(NotFoundError, match="no compute-unit limit of org-acme"):
        await enterprise.acu_limits.delete("org-acme")


async def test_an_unknown_organization_gets_no_limit(enterprise: Any) -> None:
    with pytest.raises(NotFoundError, match="no organization org-nowhere"):
        await enterprise.acu_limits.set("org-nowhere", body={"limit": 5})


@pytest.mark.parametrize(
    ("status", "found"),
    [
        (None, ["hypervisor-1"]),
        ("available", ["hypervisor-1"]),
        ("all", ["hypervisor-1", "hypervisor-2"]),
        ("draining", ["hypervisor-2"]),
    ],
)
async def test_only_available_hypervisors_are_listed_unless_asked(
    sandbox: Sandbox, enterprise: Any, status: str | None, found: list[str]
) -> None:
    """Rule hypervisors-status-filter."""
    sandbox.add_hypervisor()
    sandbox.add_hypervisor(status="draining")
    given = {} if status is None else {"status": status}
    assert ids(await enterprise.hypervisors.list(**given), "hypervisor_id") == found


async def test_a_hypervisor_tells_its_utilization(sandbox: Sandbox, enterprise: Any) -> None:
    """Rule hypervisors-utilization."""
    sandbox.add_hypervisor(utilization_percentage=62.5)
    assert ids(await enterprise.hypervisors.list(), "utilization_percentage") == [62.5]


async def test_what_was_done_is_in_the_audit_log(enterprise: Any, org: Any) -> None:
    session = await org.sessions.create()
    await org.sessions.archive(session.session_id)
    await enterprise.ip_access_list.delete()
    entries = (await enterprise.audit_logs.list(order="asc"))["items"]
    assert [(each["action"], each["org_id"], each["target"]) for each in entries] == [
        ("create_organization_session", "org-acme", {}),
        ("archive_organization_session", "org-acme", {"assistant_id": session.session_id}),
        ("delete_enterprise_ip_access_list", None, {}),
    ]


@pytest.mark.parametrize(
    ("order", "found"),
    [
        (None, ["audit-log-2", "audit-log-1"]),
        ("desc", ["audit-log-2", "audit-log-1"]),
        ("asc", ["audit-log-1", "audit-log-2"]),
    ],
)
async def test_the_audit_log_has_the_latest_first_unless_asked_otherwise(
    enterprise: Any, org: Any, order: Any, found: list[str]
) -> None:
    for _ in range(2):
        await org.sessions.create()
    given = {} if order is None else {"order": order}
    assert ids(await enterprise.audit_logs.list(**given), "audit_log_id") == found
    assert ids(await org.audit_logs.list(**given), "audit_log_id") == found


async def test_another_order_of_the_audit_log_is_refused(platform: AgentPlatform) -> None:
    with pytest.raises(UnprocessableContentError, match="query.order: 'random' is not one of"):
        await platform.request("GET", "/v3/enterprise/audit-logs", query={"order": "random"})


async def test_the_audit_log_of_an_organization_has_only_its_own(platform: AgentPlatform) -> None:
    await platform.organization("org-globex").sessions.create()
    await platform.enterprise.ip_access_list.delete()
    assert (await platform.organization("org-acme").audit_logs.list())["items"] == []
    [entry] = (await platform.organization("org-globex").audit_logs.list())["items"]
    assert entry["action"] == "create_organization_session"


async def test_neither_reads_nor_refusals_are_in_the_audit_log(enterprise: Any, org: Any) -> None:
    await org.sessions.list().collect()
    with pytest.raises(NotFoundError):
        await org.sessions.archive("assistant-9")
    with pytest.raises(UnprocessableContentError):
        await enterprise.ip_access_list.append(body={"ip_ranges": ["nowhere"]})
    assert (await enterprise.audit_logs.list())["items"] == []


async def test_the_audit_log_has_neither_bodies_nor_credentials(sandbox: Sandbox, enterprise: Any, org: Any) -> None:
    body = {"name": "Nightly", "role_id": sandbox.add_role("role-viewer", {"ViewOrgSessions"})}
    made = await org.service_users.create(body=body)
    text = str(await enterprise.audit_logs.list())
    assert "create_organization_service_user" in text
    assert not [secret for secret in (made["token"], sandbox.token, "Nightly") if secret in text]


async def test_the_audit_log_is_the_same_in_every_run() -> None:
    logs: list[Any] = []
    for _ in range(2):
        sandbox = Sandbox(now=lambda: datetime(2026, 1, 1, tzinfo=UTC))
        async with sandbox.client() as platform:
            await platform.organization().sessions.create()
            logs.append(dict(await platform.enterprise.audit_logs.list()))
    assert logs[0] == logs[1]
    assert ids(logs[0], "created_at") == [1767225600]


async def test_violations_are_filtered_by_session_and_guardrail(sandbox: Sandbox, enterprise: Any) -> None:
    first = sandbox.add_guardrail_violation("org-acme", "assistant-1", "guardrail-1")
    second = sandbox.add_guardrail_violation("org-globex", "assistant-2", "guardrail-1")
    violations = enterprise.guardrail_violations

    async def found(**filters: str) -> list[str]:
        return [each["violation_id"] async for each in violations.list(first=1, **filters)]

    assert await found() == [first, second]
    assert await found(session_id="assistant-2") == [second]
    assert await found(guardrail_id="guardrail-1", session_id="assistant-1") == [first]
    assert await found(guardrail_id="guardrail-2") == []


async def test_violations_of_another_organization_are_not_listed(sandbox: Sandbox, enterprise: Any) -> None:
    sandbox.add_guardrail_violation("org-acme", "assistant-1", "guardrail-1")
    own = sandbox.add_guardrail_violation("org-globex", "assistant-2", "guardrail-1")
    pager = enterprise.guardrail_violations.list_of_organization("org-globex")
    assert [each["violation_id"] async for each in pager] == [own]


@pytest.mark.parametrize(
    ("queued", "status"), [(0, "normal"), (9, "normal"), (10, "elevated"), (99, "elevated"), (100, "high")]
)
async def test_the_queue_counts_what_is_queued(sandbox: Sandbox, enterprise: Any, queued: int, status: str) -> None:
    sandbox.add_session()
    for number in range(queued):
        sandbox.add_session("org-globex" if number % 2 else "org-acme", status="queued")
    queue = await enterprise.queue.get()
    assert (queue.status, queue.unknown_fields["total"]) == (status, queued)


async def test_the_organizations_of_this_sandbox_are_listed(sandbox: Sandbox, enterprise: Any) -> None:
    sandbox.add_organization("org-new")
    assert ids(await enterprise.organizations.list(), "org_id") == ["org-acme", "org-globex", "org-new"]


async def test_organizations_out_of_reach_are_not_listed(sandbox: Sandbox) -> None:
    sandbox.require("enterprise.organizations.list", level="organization")
    async with sandbox.client(sandbox.add_credential("svc_globex", organizations={"org-globex"})) as platform:
        assert ids(await platform.enterprise.organizations.list(), "org_id") == ["org-globex"]


async def test_an_organization_lists_its_direct_members_with_their_roles_there(sandbox: Sandbox, org: Any) -> None:
    sandbox.add_user(User("user-1", "ada@example.com", organizations=BOTH))
    sandbox.add_user(User("user-2", "grace@example.com", organizations=frozenset({"org-globex"})))
    [user] = await org.members.list_users().collect()
    assert (user["user_id"], user["role_assignments"]) == ("user-1", [IN_ACME])


async def test_a_member_of_an_organization_is_found_by_id(sandbox: Sandbox, org: Any) -> None:
    sandbox.add_user(User("user-1", "ada@example.com", organizations=BOTH))
    sandbox.add_user(User("user-2", "grace@example.com", organizations=frozenset({"org-globex"})))
    assert (await org.members.get_user("user-1"))["email"] == "ada@example.com"
    for stranger in ("user-2", "user-9"):
        with pytest.raises(NotFoundError, match=f"no user {stranger} in org-acme"):
            await org.members.get_user(stranger)


@pytest.mark.parametrize("listing", ["list_users", "list_idp_users"])
async def test_members_of_an_organization_are_filtered_by_address(sandbox: Sandbox, org: Any, listing: str) -> None:
    group = sandbox.add_idp_group("engineering", [IN_ACME])
    for number, name in enumerate(("ada", "grace")):
        sandbox.add_user(User(f"user-{number}", f"{name}@example.com", organizations=BOTH))
        sandbox.add_idp_user(User(f"user-1{number}", f"{name}@example.com"), [group])
    pager = getattr(org.members, listing)(email="grace@example.com")
    assert [user["email"] for user in await pager.collect()] == ["grace@example.com"]
    assert await getattr(org.members, listing)(email="grace@example").collect() == []


async def test_members_of_an_organization_come_in_pages(sandbox: Sandbox, org: Any) -> None:
    for number in range(3):
        sandbox.add_user(User(f"user-{number}", organizations=BOTH))
    page = await org.members.list_users(first=2).first_page()
    assert (len(page.items), page.has_next_page, page.total) == (2, True, 3)
    assert len(await org.members.list_users(first=2).collect()) == 3


async def test_members_by_groups_are_listed_apart_from_direct_ones(sandbox: Sandbox, enterprise: Any) -> None:
    """Rule member-users-direct."""
    sandbox.add_user(User("user-1", organizations=BOTH))
    sandbox.add_idp_user(User("user-2"), [sandbox.add_idp_group("engineering", [IN_ACME])])
    assert [user.user_id async for user in enterprise.members.list_users()] == ["user-1"]
    [user] = (await enterprise.members.list_idp_users())["items"]
    assert (user["user_id"], user["role_assignments"]) == ("user-2", [IN_ACME])


async def test_an_organization_lists_the_members_that_its_groups_give(sandbox: Sandbox, org: Any) -> None:
    sandbox.add_idp_group("engineering", [IN_ACME, IN_GLOBEX])
    sandbox.add_idp_group("design", [IN_GLOBEX])
    sandbox.add_idp_user(User("user-1"), ["engineering", "design"])
    sandbox.add_idp_user(User("user-2"), ["design"])
    [user] = await org.members.list_idp_users().collect()
    assert (user["user_id"], user["role_assignments"]) == ("user-1", [IN_ACME])


async def test_a_member_by_a_group_can_be_impersonated(sandbox: Sandbox, org: Any) -> None:
    """Rule session-impersonation."""
    sandbox.add_idp_user(User("user-1"), [sandbox.add_idp_group("engineering", [IN_ACME])])
    assert (await org.sessions.create(create_as_user_id="user-1")).user_id == "user-1"


async def test_what_was_added_for_a_sub_path_of_consumption_is_answered(sandbox: Sandbox, enterprise: Any) -> None:
    sandbox.add_consumption("daily/2026-01-01", acus=12.5)
    assert await enterprise.consumption.get("daily/2026-01-01") == {"acus": 12.5}
    assert await enterprise.consumption.get("daily/2026-01-02") == {}


async def test_what_was_added_for_a_sub_path_of_the_metrics_is_answered(sandbox: Sandbox, enterprise: Any) -> None:
    sandbox.add_metrics("sessions", count=3)
    assert (await enterprise.metrics.get("sessions"), await enterprise.metrics.get("searches")) == ({"count": 3}, {})


@pytest.mark.parametrize(
    ("asked", "users"),
    [
        ({}, 3),
        ({"min_sessions": 1}, 2),
        ({"min_sessions": 2}, 1),
        ({"min_searches": 1}, 2),
        ({"min_sessions": 1, "min_searches": 1}, 1),
        ({"org_ids": ["org-globex"]}, 1),
        ({"org_ids": ["org-acme", "org-globex"]}, 3),
    ],
)
async def test_active_users_are_those_of_sessions_and_searches(
    sandbox: Sandbox, enterprise: Any, asked: dict[str, Any], users: int
) -> None:
    for user_id in ("user-1", "user-1", "user-2", None):
        sandbox.add_session(user_id=user_id)
    sandbox.add_search(user_id="user-1")
    sandbox.add_search("org-globex", user_id="user-3")
    assert await enterprise.metrics.get_active_users(**asked) == {"unique_users": users}


@pytest.mark.parametrize("given", ["many", "", "-1", "1.5", "\N{SUPERSCRIPT TWO}", "9" * 5000])
async def test_a_filter_that_is_no_number_is_refused(enterprise: Any, given: str) -> None:
    """active-users-parameters: an assumption."""
    with pytest.raises(UnprocessableContentError, match=f'must be a whole number, not "{given[:70]}') as caught:
        await enterprise.metrics.get_active_users(min_sessions=given)
    assert len(str(caught.value)) < 400


async def test_a_filter_that_is_a_number_comes_once(platform: AgentPlatform) -> None:
    """active-users-parameters: an assumption."""
    with pytest.raises(UnprocessableContentError, match=r"query.min_sessions: given 2 times; it takes one value"):
        await platform.request("GET", "/v3/enterprise/metrics/active-users", query={"min_sessions": [1, 2]})


async def test_searches_are_paged_and_each_organization_has_its_own(
    sandbox: Sandbox, enterprise: Any, org: Any
) -> None:
    made = [sandbox.add_search(org_id, query="flaky") for org_id in ("org-acme", "org-globex", "org-acme")]
    assert [each["search_id"] async for each in enterprise.searches.list(first=1)] == made
    assert [(each["search_id"], each["query"]) async for each in org.searches.list()] == [
        (made[0], "flaky"),
        (made[2], "flaky"),
    ]


async def test_a_git_permission_is_updated(sandbox: Sandbox, enterprise: Any) -> None:
    permission_id = sandbox.add_git_permission(scope="acme/*")
    changed = await enterprise.git_permissions.update("org-acme", permission_id, body={"read_only": True, "org_id": 1})
    expected = {"git_permission_id": permission_id, "org_id": "org-acme", "read_only": True, "scope": "acme/*"}
    assert changed == expected
    with pytest.raises(NotFoundError, match="no git permission git-permission-1"):
        await enterprise.git_permissions.update("org-globex", permission_id, body={})


async def test_the_repositories_of_a_git_connection_are_found_by_a_part_of_their_name(
    sandbox: Sandbox, enterprise: Any
) -> None:
    for name in ("acme/shop", "acme/website", "acme/Shop-Admin"):
        sandbox.add_git_repository("connection-1", name)
    found = enterprise.git_connections.list_repositories("connection-1", filter_name="shop", first=1)
    assert [each["name"] async for each in found] == ["acme/shop", "acme/Shop-Admin"]
    with pytest.raises(NotFoundError, match="no git connection connection-2"):
        await enterprise.git_connections.list_repositories("connection-2").first_page()


@pytest.mark.parametrize("name", ["acme/engineering", "a b", "50%", "Zürich", "?", "#", "a%2Fb"])
async def test_a_group_of_any_name_can_be_deleted(sandbox: Sandbox, enterprise: Any, name: str) -> None:
    await enterprise.idp_groups.create(body={"idp_group_names": [name]})
    await enterprise.idp_groups.delete(name)
    assert (await enterprise.idp_groups.list())["items"] == []
    assert [entry.operation for entry in sandbox.journal][1] == "enterprise.idp_groups.delete"


async def test_a_group_with_a_slash_is_deleted_over_a_socket(sandbox: Sandbox, address: str) -> None:
    sandbox.add_idp_group("acme/engineering")
    async with AgentPlatform(address, sandbox.token) as platform:
        await platform.enterprise.idp_groups.delete("acme/engineering")
        assert await platform.enterprise.idp_groups.list() == {"items": []}


async def test_a_path_may_be_encoded_more_than_it_has_to_be(platform: AgentPlatform) -> None:
    assert (await platform.request("GET", "/v3/enterprise/%71ueue"))["total"] == 0
