# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of metrics."""

from __future__ import annotations

from collections.abc import Sequence

from ... import api
from ...catalogue import OPERATIONS
from ...model import OpenModel
from ...operation import CallOptions, QueryValue, Refused, Request


class EnterpriseMetrics(api.ResourceMethods):
    """The metrics of the enterprise."""

    scope = "enterprise"
    resource = "metrics"

    async def get(
        self,
        tail: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenModel:
        """Read usage metrics.

        The description writes `metrics/*`; no sub-path is invented here but the one that is stated.

        Sends `GET /v3/enterprise/metrics/{tail}`.

        Not shown by the API's description: metrics-permission, metrics-paths, metrics-response,
        metrics-errors.

        Args:
            tail: The rest of the path; the description writes a wildcard and shows no sub-path but those
                stated.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await platform.enterprise.metrics.get("anything")
        """
        request = Request(
            OPERATIONS["get_enterprise_metrics"],
            OpenModel.from_item,
            path={"tail": tail},
            query={},
            members=unknown,
            options=options,
        )
        return await self._client.send(request)

    async def get_active_users(
        self,
        *,
        min_sessions: QueryValue | None = None,
        min_searches: QueryValue | None = None,
        org_ids: Sequence[str] | None = None,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenModel:
        """Count the unique users of a date range.

        A single unique-user count for a date range, with filters by organization ids, min_sessions and
        min_searches.

        Sends `GET /v3/enterprise/metrics/active-users`.

        Not shown by the API's description: active-users-permission, active-users-parameters,
        active-users-response, active-users-errors.

        Args:
            min_sessions: Filter by a minimum number of sessions.
            min_searches: Filter by a minimum number of searches.
            org_ids: Only users of the organizations with these ids.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await platform.enterprise.metrics.get_active_users()
        """
        request = Request(
            OPERATIONS["get_enterprise_active_users"],
            OpenModel.from_item,
            path={},
            query={"min_sessions": min_sessions, "min_searches": min_searches, "org_ids": org_ids},
            members=unknown,
            options=options,
        )
        return await self._client.send(request)
