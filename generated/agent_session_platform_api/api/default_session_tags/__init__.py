# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of default session tags."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, RequestOptions


class OrganizationDefaultSessionTags:
    """Default session tags in the organization scope."""

    __slots__ = ("_client", "_org_id")

    def __init__(self, client: Client, org_id: str) -> None:
        self._client = client
        self._org_id = org_id

    async def list(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """List the default session tags of an organization.

        Neither the request nor the response is shown.

        Inferred: Versioning lists "organization default session tags" as promoted; neither path nor methods
        are stated, these follow the naming of the others.

        Permission: not shown. Credential: service user.

        `GET /v3/organizations/{org_id}/default-session-tags`

        Not shown:
            default-session-tags-list-permission: The permission, its level and the kinds of credential.
            default-session-tags-list-path: The path and the methods.
            default-session-tags-list-response: The success status and the response payload.
            default-session-tags-list-errors: The error statuses.
        """
        from .list_organization_default_session_tags import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "org_id": self._org_id,
            },
            query={},
        )
        return await self._client.send(request, options)

    async def replace(
        self,
        *,
        body: Mapping[str, Any] | None = None,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Replace the default session tags of an organization.

        Neither the request nor the response is shown.

        Inferred: Versioning lists "organization default session tags" as promoted; neither path nor methods
        are stated, these follow the naming of the others.

        Permission: not shown. Credential: service user.

        `PUT /v3/organizations/{org_id}/default-session-tags`

        Arguments:
            body: The request payload, which the description does not show.

        Not shown:
            default-session-tags-replace-permission: The permission, its level and the kinds of credential.
            default-session-tags-replace-path: The path and the methods.
            default-session-tags-replace-request: The request payload.
            default-session-tags-replace-response: The success status and the response payload.
            default-session-tags-replace-errors: The error statuses.
        """
        from .replace_organization_default_session_tags import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "org_id": self._org_id,
            },
            query={},
            body=body,
        )
        return await self._client.send(request, options)
