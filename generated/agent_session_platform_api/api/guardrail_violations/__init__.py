# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of guardrail violations."""

from __future__ import annotations

from functools import partial

from ... import api, models
from ...catalogue import OPERATIONS
from ...decoding import read_payload
from ...interface import Pager
from ...model import OpenModel
from ...operation import CallOptions, QueryValue, Refused, Request


class EnterpriseGuardrailViolations(api.ResourceMethods):
    """The guardrail violations of the enterprise."""

    scope = "enterprise"
    resource = "guardrail_violations"

    def list(
        self,
        *,
        first: int | None = None,
        after: str | None = None,
        session_id: QueryValue | None = None,
        guardrail_id: QueryValue | None = None,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> Pager[OpenModel]:
        """List the guardrail violations of the enterprise.

        Still beta.

        Beta.

        Sends `GET /v3beta1/enterprise/guardrail-violations`.

        Not shown by the API's description: enterprise-guardrail-violations-level,
        enterprise-guardrail-violations-parameters, enterprise-guardrail-violations-response,
        enterprise-guardrail-violations-errors.

        Args:
            first: Page size, from 1 to 200; the server's default is 100.
            after: Cursor to resume from, as given by `Pager.cursor`.
            session_id: Only violations of the session with this id.
            guardrail_id: Only violations of the guardrail with this id.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A pager: iterate over it for items, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks `ManageEnterpriseSettings` at a level that the
                description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in platform.enterprise.guardrail_violations.list():
                print(item)
        """
        request = Request(
            OPERATIONS["list_enterprise_guardrail_violations"],
            partial(read_payload, models.NotShownPage.from_item, ["an object"]),
            path={},
            query={"first": first, "after": after, "session_id": session_id, "guardrail_id": guardrail_id},
            members=unknown,
            options=options,
        )
        return self._client.paginate(request)

    def list_of_organization(
        self,
        org_id: str,
        *,
        first: int | None = None,
        after: str | None = None,
        session_id: QueryValue | None = None,
        guardrail_id: QueryValue | None = None,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> Pager[OpenModel]:
        """List the guardrail violations of an organization.

        Still beta.

        Beta.

        Sends `GET /v3beta1/enterprise/organizations/{org_id}/guardrail-violations`.

        Not shown by the API's description: organization-guardrail-violations-level,
        organization-guardrail-violations-parameters, organization-guardrail-violations-response,
        organization-guardrail-violations-errors.

        Args:
            org_id: Id of the organization, with the prefix `org-`.
            first: Page size, from 1 to 200; the server's default is 100.
            after: Cursor to resume from, as given by `Pager.cursor`.
            session_id: Only violations of the session with this id.
            guardrail_id: Only violations of the guardrail with this id.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A pager: iterate over it for items, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks `ManageEnterpriseSettings` at a level that the
                description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in platform.enterprise.guardrail_violations.list_of_organization("org-acme"):
                print(item)
        """
        request = Request(
            OPERATIONS["list_enterprise_guardrail_violations_of_organization"],
            partial(read_payload, models.NotShownPage.from_item, ["an object"]),
            path={"org_id": org_id},
            query={"first": first, "after": after, "session_id": session_id, "guardrail_id": guardrail_id},
            members=unknown,
            options=options,
        )
        return self._client.paginate(request)
