"""Service users, whose credentials work in this sandbox."""

from __future__ import annotations

from collections.abc import Iterable

from ..assumptions import Assumptions
from ..contract import ENTERPRISE, ORGANIZATION
from ..handlers import Call, Handler, Reply
from ..problems import RefusedError, invalid
from . import roles

# Rule service-user-role-subset names "ManageServiceUsers permissions": that name, and the similar permissions.
NEVER_GRANTED = frozenset({"ManageServiceUsers", "ManageAccountServiceUsers", "ManageOrgServiceUsers"})


def create_in_enterprise(call: Call) -> Reply:
    """Create a service user that belongs to the organizations of its creator."""
    return _create(call, None, call.account.organizations)


def create_in_organization(call: Call) -> Reply:
    """Create a service user that belongs to the organization only."""
    return _create(call, call.org_id, {call.org_id})


def _create(call: Call, org_id: str | None, organizations: Iterable[str] | None) -> Reply:
    """Create a service user with a role, and reply with a credential that works from now on."""
    role_id, name = call.text("role_id"), call.text("name")
    role = call.state.collection("roles").get(role_id)
    if role is None:
        raise invalid((["body", "role_id"], f"there is no role {role_id}", "value_error"))
    permissions = roles.permissions_of(role)
    _check_role(call, role_id, permissions)
    members = {"name": name, "role_id": role_id, "org_id": org_id, "created_at": call.state.seconds()}
    fields = call.state.create(call.state.collection("service-users"), "service_user", members).fields
    token = f"svc_sandbox_{fields['service_user_id']}"
    level = ENTERPRISE if role.fields["role_type"] == roles.ENTERPRISE else ORGANIZATION
    call.state.accounts.add(token, "serviceUser", permissions, organizations, level)
    return Reply(fields | {"token": token})


def _check_role(call: Call, role_id: str, permissions: frozenset[str]) -> None:
    """Refuse (403) a role that the caller may not grant (rule service-user-role-subset)."""
    if never := permissions & NEVER_GRANTED:
        raise RefusedError(403, f"{role_id} has {', '.join(sorted(never))}, which can never be granted")
    if missing := [name for name in sorted(permissions) if not call.account.holds(name)]:
        raise RefusedError(403, f"{role_id} has {', '.join(missing)}, which the caller does not have")


ASSUMPTIONS: Assumptions = {
    "enterprise-service-user-create-request": "`name` and `role_id`, a role that was added to the sandbox.",
    "enterprise-service-user-create-response": "200 with the service user, and in `token` a credential that is shown "
    "only here; it belongs to the organizations of the caller, and with a role of type `enterprise` it has enterprise "
    "level, if the caller has.",
    "enterprise-service-user-create-errors": "422 for an unknown role; 403 for one that has a permission which the "
    "caller lacks or which is never granted: ManageServiceUsers, ManageAccountServiceUsers, ManageOrgServiceUsers.",
    "organization-service-user-create-request": "As in the enterprise; the role may be of either type.",
    "organization-service-user-create-response": "As in the enterprise; it belongs to this organization only.",
    "organization-service-user-create-errors": "As in the enterprise.",
}

HANDLERS: dict[str, Handler] = {
    "create_enterprise_service_user": create_in_enterprise,
    "create_organization_service_user": create_in_organization,
}
