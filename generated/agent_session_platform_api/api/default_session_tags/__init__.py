# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of default session tags."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import api
from ...catalogue import OPERATIONS
from ...encoding import UNSET
from ...interface import OpenList
from ...model import OpenModel
from ...operation import CallOptions, Refused, Request


class OrganizationDefaultSessionTags(api.OrganizationMethods):
    """The default session tags of the organization."""

    scope = "organization"
    resource = "default_session_tags"

    def list(
        self,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenList[OpenModel]:
        """List the default session tags of an organization.

        Neither the request nor the response is shown.

        Inferred: Versioning lists "organization default session tags" as promoted; neither path nor methods
        are stated, these follow the naming of the others.

        Sends `GET /v3/organizations/{org_id}/default-session-tags`.

        Not shown by the API's description: default-session-tags-list-permission,
        default-session-tags-list-path, default-session-tags-list-response,
        default-session-tags-list-errors.

        Args:
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
            async for item in organization.default_session_tags.list():
                print(item)
        """
        request = Request(
            OPERATIONS["list_organization_default_session_tags"],
            OpenModel.from_item,
            path={"org_id": self.org_id},
            query={},
            members=unknown,
            options=options,
        )
        return self._client.read_list(request)

    async def replace(
        self,
        /,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Replace the default session tags of an organization.

        Neither the request nor the response is shown.

        Inferred: Versioning lists "organization default session tags" as promoted; neither path nor methods
        are stated, these follow the naming of the others.

        Sends `PUT /v3/organizations/{org_id}/default-session-tags`.

        Not shown by the API's description: default-session-tags-replace-permission,
        default-session-tags-replace-path, default-session-tags-replace-request,
        default-session-tags-replace-response, default-session-tags-replace-errors.

        Args:
            body: The request payload, which the description does not show.
            extra_body: More members of the body; use it for a name that is, or resembles, an argument.
            options: Timeout, retry policy, extra query or headers of this call.
            members: Members of the payload that the description does not show, each by its name.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.default_session_tags.replace(body=payload)
        """
        request = Request(
            OPERATIONS["replace_organization_default_session_tags"],
            OpenModel.from_item,
            path={"org_id": self.org_id},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)
