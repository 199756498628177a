# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of guardrail violations."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client
    from ...models.not_shown_page import NotShownPage
    from ...operation import CallOptions, Operation, QueryValue
    from ...pages import Pager


class EnterpriseGuardrailViolations:
    """The guardrail violations of the enterprise."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    def list(
        self,
        *,
        first: int | None = None,
        after: str | None = None,
        session_id: QueryValue | None = None,
        guardrail_id: QueryValue | None = None,
        options: CallOptions | None = None,
    ) -> Pager[Any]:
        """List the guardrail violations of the enterprise.

        Still beta.

        Beta.

        Sends `GET /v3beta1/enterprise/guardrail-violations`.

        Args:
            first: Page size, from 1 to 200; the server's default is 100.
            after: Cursor to resume from, as given by `Pager.cursor`.
            session_id: Only violations of the session with this id.
            guardrail_id: Only violations of the guardrail with this id.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            A pager: iterate over it for items, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks `ManageEnterpriseSettings` at a level that the
                description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in platform.enterprise.guardrail_violations.list():
                print(item)

        Not shown by the API's description:
            enterprise-guardrail-violations-level: The level of the permission, and the kinds of credential.
            enterprise-guardrail-violations-parameters: The names of the time range's parameters, and the
                types of all filters.
            enterprise-guardrail-violations-response: The success status and the response payload.
            enterprise-guardrail-violations-errors: The error statuses.
        """
        OPERATION, NotShownPage = _list_enterprise_guardrail_violations()
        request = Request(
            OPERATION,
            NotShownPage.decode,
            path={},
            query={
                "first": first,
                "after": after,
                "session_id": session_id,
                "guardrail_id": guardrail_id,
            },
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
    ) -> Pager[Any]:
        """List the guardrail violations of an organization.

        Still beta.

        Beta.

        Sends `GET /v3beta1/enterprise/organizations/{org_id}/guardrail-violations`.

        Args:
            org_id: Id of the organization, with the prefix `org-`.
            first: Page size, from 1 to 200; the server's default is 100.
            after: Cursor to resume from, as given by `Pager.cursor`.
            session_id: Only violations of the session with this id.
            guardrail_id: Only violations of the guardrail with this id.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            A pager: iterate over it for items, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks `ManageEnterpriseSettings` at a level that the
                description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in platform.enterprise.guardrail_violations.list_of_organization("org-acme"):
                print(item)

        Not shown by the API's description:
            organization-guardrail-violations-level: The level of the permission, and the kinds of
                credential.
            organization-guardrail-violations-parameters: The names of the time range's parameters, and the
                types of all filters.
            organization-guardrail-violations-response: The success status and the response payload.
            organization-guardrail-violations-errors: The error statuses.
        """
        OPERATION, NotShownPage = _list_enterprise_guardrail_violations_of_organization()
        request = Request(
            OPERATION,
            NotShownPage.decode,
            path={
                "org_id": org_id,
            },
            query={
                "first": first,
                "after": after,
                "session_id": session_id,
                "guardrail_id": guardrail_id,
            },
            options=options,
        )
        return self._client.paginate(request)


# What a method needs is imported at its first call, because it would add to the start-up of every program; once, because
# an import takes longer than it looks, even of what is there.


@cache
def _list_enterprise_guardrail_violations() -> tuple[Operation, type[NotShownPage]]:
    from ...models.not_shown_page import NotShownPage
    from .list_enterprise_guardrail_violations import OPERATION

    return OPERATION, NotShownPage


@cache
def _list_enterprise_guardrail_violations_of_organization() -> tuple[Operation, type[NotShownPage]]:
    from ...models.not_shown_page import NotShownPage
    from .list_enterprise_guardrail_violations_of_organization import OPERATION

    return OPERATION, NotShownPage
