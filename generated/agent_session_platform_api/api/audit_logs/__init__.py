# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of audit logs."""

from __future__ import annotations

from functools import partial

from ... import api
from ...catalogue import OPERATIONS
from ...interface import Follow, Follower, OpenList
from ...model import OpenModel
from ...models.audit_log_order import AuditLogOrder
from ...operation import CallOptions, Refused, Request


class OrganizationAuditLogs(api.OrganizationMethods):
    """The audit logs of the organization."""

    scope = "organization"
    resource = "audit_logs"

    def list(
        self,
        *,
        order: AuditLogOrder | None = None,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenList[OpenModel]:
        """List the audit log of an organization.

        Neither the request nor the response is shown.

        Inferred: The description says "(and organization scope)"; the path follows that of the enterprise
        scope.

        Sends `GET /v3/organizations/{org_id}/audit-logs`.

        Not shown by the API's description: organization-audit-logs-path,
        organization-audit-logs-permission, organization-audit-logs-parameters,
        organization-audit-logs-response, organization-audit-logs-errors.

        Args:
            order: Order of the entries; by what they are ordered is not shown; the server's default is
                `'desc'`.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A list: iterate over it for items; await it for the first response, as `OpenModel`, because the
                description does not show it.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in organization.audit_logs.list():
                print(item)
        """
        request = Request(
            OPERATIONS["list_organization_audit_logs"],
            OpenModel.from_item,
            path={"org_id": self.org_id},
            query={"order": order},
            members=unknown,
            options=options,
        )
        return self._client.read_list(request)

    def follow(
        self,
        *,
        start: str | None = None,
        only_new: bool = False,
        every: float = 5.0,
        give_up_after: float = 600.0,
        options: CallOptions | None = None,
    ) -> Follower[OpenModel]:
        """Follow the entries of `organization.audit_logs.list` as they come.

        The description shows no event for a new item, so the list is polled. Each poll reads the last page
        again, and drops the items that the follower knows. Each item comes at least once, even after a
        crash, and exactly once within a run. One exception: if the server refuses the cursor of the last
        page, and the latest item is not in the list any more, all items come again. Where the form of the
        list is not shown, its items are the member `items`, or else the only member that is an array; items
        without an id are compared by their content.

        Args:
            start: The `position` of an earlier follower, to continue there. None means the beginning of the
                list.
            only_new: Without `start`, skip the items that are in the list already.
            every: Seconds between two polls, more than 0; up to six times as long while nothing is new.
            give_up_after: Seconds for which polls may fail, for example while the server cannot be reached;
                at least 0. After that the latest error is raised, when its poll has ended, with all
                retries. No poll is sooner than the server asks (Retry-After). If that is later than these
                seconds allow, the error is raised at once, and its `retry_after` says for how long the
                server asks to wait.
            options: Timeout, retry policy, extra query or headers of each poll.

        Returns:
            A follower: iterate over it for entries, and keep its `position`.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            follower = organization.audit_logs.follow(start=store.load())
            async for item in follower:
                print(item)
                store.save(follower.position)
        """
        return self._client.follow(
            Follow(
                operation=OPERATIONS["list_organization_audit_logs"],
                source=partial(self.list, order="asc"),
                start=start,
                only_new=only_new,
                every=every,
                give_up_after=give_up_after,
                options=options,
            )
        )


class EnterpriseAuditLogs(api.ResourceMethods):
    """The audit logs of the enterprise."""

    scope = "enterprise"
    resource = "audit_logs"

    def list(
        self,
        *,
        order: AuditLogOrder | None = None,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenList[OpenModel]:
        """List the audit log of the enterprise.

        Neither the request nor the response is shown.

        Sends `GET /v3/enterprise/audit-logs`.

        Not shown by the API's description: enterprise-audit-logs-permission,
        enterprise-audit-logs-parameters, enterprise-audit-logs-response, enterprise-audit-logs-errors.

        Args:
            order: Order of the entries; by what they are ordered is not shown; the server's default is
                `'desc'`.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A list: iterate over it for items; await it for the first response, as `OpenModel`, because the
                description does not show it.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in platform.enterprise.audit_logs.list():
                print(item)
        """
        request = Request(
            OPERATIONS["list_enterprise_audit_logs"],
            OpenModel.from_item,
            path={},
            query={"order": order},
            members=unknown,
            options=options,
        )
        return self._client.read_list(request)

    def follow(
        self,
        *,
        start: str | None = None,
        only_new: bool = False,
        every: float = 5.0,
        give_up_after: float = 600.0,
        options: CallOptions | None = None,
    ) -> Follower[OpenModel]:
        """Follow the entries of `enterprise.audit_logs.list` as they come.

        The description shows no event for a new item, so the list is polled. Each poll reads the last page
        again, and drops the items that the follower knows. Each item comes at least once, even after a
        crash, and exactly once within a run. One exception: if the server refuses the cursor of the last
        page, and the latest item is not in the list any more, all items come again. Where the form of the
        list is not shown, its items are the member `items`, or else the only member that is an array; items
        without an id are compared by their content.

        Args:
            start: The `position` of an earlier follower, to continue there. None means the beginning of the
                list.
            only_new: Without `start`, skip the items that are in the list already.
            every: Seconds between two polls, more than 0; up to six times as long while nothing is new.
            give_up_after: Seconds for which polls may fail, for example while the server cannot be reached;
                at least 0. After that the latest error is raised, when its poll has ended, with all
                retries. No poll is sooner than the server asks (Retry-After). If that is later than these
                seconds allow, the error is raised at once, and its `retry_after` says for how long the
                server asks to wait.
            options: Timeout, retry policy, extra query or headers of each poll.

        Returns:
            A follower: iterate over it for entries, and keep its `position`.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            follower = platform.enterprise.audit_logs.follow(start=store.load())
            async for item in follower:
                print(item)
                store.save(follower.position)
        """
        return self._client.follow(
            Follow(
                operation=OPERATIONS["list_enterprise_audit_logs"],
                source=partial(self.list, order="asc"),
                start=start,
                only_new=only_new,
                every=every,
                give_up_after=give_up_after,
                options=options,
            )
        )
