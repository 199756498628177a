# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, RequestOptions
    from ...operation import QueryValue


class EnterpriseMetrics:
    """Metrics in the enterprise scope."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def get(
        self,
        tail: str,
        *,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Read usage metrics.

        The description writes `metrics/*`; no sub-path is invented here but the one that is stated.

        Permission: not shown. Credential: service user.

        `GET /v3/enterprise/metrics/{tail}`

        Arguments:
            tail: The rest of the path; the description writes a wildcard and shows no sub-path but those
                stated.

        Not shown:
            metrics-permission: The permission, its level and the kinds of credential.
            metrics-paths: The sub-paths and their parameters.
            metrics-response: The success status and the response payload.
            metrics-errors: The error statuses.
        """
        from .get_enterprise_metrics import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "tail": tail,
            },
            query={},
        )
        return await self._client.send(request, options)

    async def get_active_users(
        self,
        *,
        min_sessions: QueryValue | None = None,
        min_searches: QueryValue | None = None,
        org_ids: Sequence[str] | None = None,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Count the unique users of a date range.

        A single unique-user count for a date range, with filters by organization ids, min_sessions and
        min_searches.

        Permission: not shown. Credential: service user.

        `GET /v3/enterprise/metrics/active-users`

        Arguments:
            min_sessions: The filter of this name.
            min_searches: The filter of this name.
            org_ids: Only users of these organizations.

        Not shown:
            active-users-permission: The permission, its level and the kinds of credential.
            active-users-parameters: The names of the date range's parameters, and the names and types of
                the others.
            active-users-response: The success status and the response payload.
            active-users-errors: The error statuses.
        """
        from .get_enterprise_active_users import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={},
            query={
                "min_sessions": min_sessions,
                "min_searches": min_searches,
                "org_ids": org_ids,
            },
        )
        return await self._client.send(request, options)
