# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of secrets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import api
from ...catalogue import OPERATIONS
from ...encoding import UNSET
from ...interface import OpenList
from ...model import OpenModel
from ...operation import CallOptions, Refused, Request


class OrganizationSecrets(api.OrganizationMethods):
    """The secrets of the organization."""

    scope = "organization"
    resource = "secrets"

    async def create(
        self,
        /,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Create a secret.

        The payload is not shown but for the types of a secret.

        Sends `POST /v3/organizations/{org_id}/secrets`.

        Not shown by the API's description: secret-create-type, secret-create-level, secret-create-request,
        secret-create-response, secret-create-errors.

        Args:
            body: The request payload, which the description does not show.
            extra_body: More members of the body; use it for a name that is, or resembles, an argument.
            options: Timeout, retry policy, extra query or headers of this call.
            members: Members of the payload that the description does not show, each by its name.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrgSecrets` at a level that the description
                does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.secrets.create(body=payload)

        Rules:
            secret-type-dictionary: The `dictionary` secret type is recognized but deprecated for creation;
                use `cookie`, `key-value` or `totp`.
        """
        request = Request(
            OPERATIONS["create_organization_secret"],
            OpenModel.from_item,
            path={"org_id": self.org_id},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)

    async def delete(
        self,
        secret_id: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenModel:
        """Delete a secret.

        The secret that the path names.

        Sends `DELETE /v3/organizations/{org_id}/secrets/{secret_id}`.

        Not shown by the API's description: secret-delete-level, secret-delete-response,
        secret-delete-errors.

        Args:
            secret_id: Id of the secret.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrgSecrets` at a level that the description
                does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.secrets.delete("secret-1")
        """
        request = Request(
            OPERATIONS["delete_organization_secret"],
            OpenModel.from_item,
            path={"org_id": self.org_id, "secret_id": secret_id},
            query={},
            members=unknown,
            options=options,
        )
        return await self._client.send(request)

    def list(
        self,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenList[OpenModel]:
        """List the secrets of an organization.

        Neither the request nor the response is shown.

        Sends `GET /v3/organizations/{org_id}/secrets`.

        Not shown by the API's description: secret-list-level, secret-list-response, secret-list-errors.

        Args:
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A list: iterate over it for items; await it for the first response, as `OpenModel`, because the
                description does not show it.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrgSecrets` at a level that the description
                does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in organization.secrets.list():
                print(item)
        """
        request = Request(
            OPERATIONS["list_organization_secrets"],
            OpenModel.from_item,
            path={"org_id": self.org_id},
            query={},
            members=unknown,
            options=options,
        )
        return self._client.read_list(request)
