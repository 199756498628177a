# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of sessions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from ...decoding import decode_any
from ...operation import Request
from ...unset import UNSET

if TYPE_CHECKING:
    from ...client import Client
    from ...models.assistant_mode import AssistantMode
    from ...models.insights_generation import InsightsGeneration
    from ...models.session import Session
    from ...models.session_message import SessionMessage
    from ...models.session_message_page import SessionMessagePage
    from ...models.session_origin import SessionOrigin
    from ...models.session_page import SessionPage
    from ...operation import CallOptions, Operation, QueryValue
    from ...outcomes import SessionOutcome
    from ...pages import Pager
    from ...polling import Follower, PolledChange, Until
    from ...unset import Unset


class OrganizationSessions:
    """The sessions of the organization."""

    __slots__ = ("_client", "org_id")

    def __init__(self, client: Client, org_id: str) -> None:
        self._client = client
        self.org_id = org_id

    async def archive(
        self,
        assistant_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Archive a session.

        Exists only in the current API.

        Sends `POST /v3/organizations/{org_id}/sessions/{assistant_id}/archive`.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            body: The request payload, which the description does not show.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.sessions.archive("assistant-1", body=payload)

        Rules:
            session-archive-delete-current: Archive and delete session exist only in the current API.

        Not shown by the API's description:
            session-archive-permission: The permission, its level and the kinds of credential.
            session-archive-request: Whether a request payload is taken.
            session-archive-response: The success status, the response payload and the effect on the
                session's status.
            session-archive-errors: The error statuses.
        """
        OPERATION = _archive_organization_session()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": self.org_id,
                "assistant_id": assistant_id,
            },
            query={},
            body=UNSET if body is None else body,
            options=options,
        )
        return await self._client.send(request)

    async def create(
        self,
        *,
        assistant_mode: AssistantMode | Unset = UNSET,
        create_as_user_id: str | None | Unset = UNSET,
        session_secrets: Any = UNSET,
        child_playbook_id: Any = UNSET,
        session_links: Any = UNSET,
        bypass_approval: Any = UNSET,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> Session:
        """Create a session.

        The payload is not shown but for the names of six parameters.

        Sends `POST /v3/organizations/{org_id}/sessions`.

        Args:
            assistant_mode: Mode of the session; the rule session-mode-default tells what holds when it is
                omitted.
            create_as_user_id: Id of the user to impersonate; the rules of schedule creation apply.
            session_secrets: Temporary secrets of the session, not stored as organization secrets; their
                form is not shown.
            child_playbook_id: Id of a child playbook; how the session uses it is not shown.
            session_links: Links of the session; their form, and what they lead to, is not shown.
            bypass_approval: Whether to bypass approval. What needs approval is not shown.
            extra_body: Members of the payload that the description does not name.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The `Session`: a read-only view of the response.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            session = await organization.sessions.create()

        Rules:
            session-secrets-temporary: Secrets given as `session_secrets` are temporary and not stored as
                organization secrets.
            session-mode-default: Of `assistant_mode` it is said that "`normal` default behavior is the
                organization's default when omitted".
            session-impersonation: Session creation accepts `create_as_user_id` as well (the schedule
                creation rules tell what it requires).

        Not shown by the API's description:
            session-create-permission: The permission, its level and the kinds of credential.
            session-create-request: The request payload beyond the parameters named, and whether one is
                required.
            session-create-response: The success status and the response payload.
            session-create-errors: The error statuses.
        """
        OPERATION, Session = _create_organization_session()
        request = Request(
            OPERATION,
            Session.decode,
            path={
                "org_id": self.org_id,
            },
            query={},
            body={
                "assistant_mode": assistant_mode,
                "create_as_user_id": create_as_user_id,
                "session_secrets": session_secrets,
                "child_playbook_id": child_playbook_id,
                "session_links": session_links,
                "bypass_approval": bypass_approval,
            },
            extra_body=extra_body,
            options=options,
        )
        return await self._client.send(request)

    async def generate_insights(
        self,
        assistant_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> InsightsGeneration:
        """Generate insights of a session.

        Results are read from the GET insights endpoint.

        Sends `POST /v3/organizations/{org_id}/sessions/{assistant_id}/insights/generate`.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            body: The request payload, which the description does not show.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The `InsightsGeneration`: a read-only view of the response.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrgSessions` at a level that the description
                does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            insights_generation = await organization.sessions.generate_insights("assistant-1", body=payload)

        Rules:
            insights-generate-status: The response has a status: `started` when generation begins, or
                `already_exists` when insights exist or are in progress; results are read from the existing
                GET insights endpoint.

        Not shown by the API's description:
            organization-insights-generate-level: The level of the permission, and the kinds of credential.
            organization-insights-generate-request: Whether a request payload is taken.
            organization-insights-generate-response: The success status.
            organization-insights-generate-errors: The error statuses.
        """
        OPERATION, InsightsGeneration = _generate_organization_session_insights()
        request = Request(
            OPERATION,
            InsightsGeneration.decode,
            path={
                "org_id": self.org_id,
                "assistant_id": assistant_id,
            },
            query={},
            body=UNSET if body is None else body,
            options=options,
        )
        return await self._client.send(request)

    async def get(
        self,
        assistant_id: str,
        *,
        options: CallOptions | None = None,
    ) -> Session:
        """Get a session.

        Legacy clients used `/v1/session/{session_id}`.

        Sends `GET /v3/organizations/{org_id}/sessions/{assistant_id}`.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The `Session`: a read-only view of the response.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            session = await organization.sessions.get("assistant-1")

        Not shown by the API's description:
            session-get-permission: The permission, its level and the kinds of credential.
            session-get-response: The success status and the response payload.
            session-get-errors: The error statuses.
        """
        OPERATION, Session = _get_organization_session()
        request = Request(
            OPERATION,
            Session.decode,
            path={
                "org_id": self.org_id,
                "assistant_id": assistant_id,
            },
            query={},
            options=options,
        )
        return await self._client.send(request)

    async def get_insights(
        self,
        assistant_id: str,
        *,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Read the insights of a session.

        Neither the request nor the response is shown.

        Inferred: The generation of insights refers to "the existing GET insights endpoint"; its path is
        that of the generation without `/generate`.

        Sends `GET /v3/organizations/{org_id}/sessions/{assistant_id}/insights`.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await organization.sessions.get_insights("assistant-1")

        Not shown by the API's description:
            organization-insights-method: That there is such an operation is inferred, and so are its method
                and path.
            organization-insights-permission: The permission, its level and the kinds of credential.
            organization-insights-response: The success status and the response payload.
            organization-insights-errors: The error statuses.
        """
        OPERATION = _get_organization_session_insights()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": self.org_id,
                "assistant_id": assistant_id,
            },
            query={},
            options=options,
        )
        return await self._client.send(request)

    def list(
        self,
        *,
        first: int | None = None,
        after: str | None = None,
        origins: Sequence[SessionOrigin] | None = None,
        options: CallOptions | None = None,
    ) -> Pager[Session]:
        """List the sessions of an organization.

        The `order` query parameter no longer exists on this endpoint; clients must not send it.

        Sends `GET /v3/organizations/{org_id}/sessions`.

        Args:
            first: Page size, from 1 to 200; the server's default is 100.
            after: Cursor to resume from, as given by `Pager.cursor`.
            origins: Only sessions of these origins.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            A pager: iterate over it for sessions, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks `ViewOrgSessions` at organization level.
            CredentialMismatchError: The credential is neither a service user nor a personal access token;
                nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for session in organization.sessions.list():
                print(session.session_id)

        Rules:
            session-list-no-order: Clients must not send the query parameter `order`.

        Not shown by the API's description:
            session-list-parameters: Query parameters other than first, after and origins.
            session-list-error-statuses: The statuses of the problem-detail bodies.
            session-list-origins-encoding: How several origins are written into the query (repeated here,
                the OpenAPI default).
        """
        OPERATION, SessionPage = _list_organization_sessions()
        request = Request(
            OPERATION,
            SessionPage.decode,
            path={
                "org_id": self.org_id,
            },
            query={
                "first": first,
                "after": after,
                "origins": origins,
            },
            options=options,
        )
        return self._client.paginate(request)

    def list_messages(
        self,
        assistant_id: str,
        *,
        first: int | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
    ) -> Pager[SessionMessage]:
        """List all messages of a session.

        The organization-scope form of the list of messages.

        Inferred: Versioning lists session messages as promoted at both scopes; the path is stated for
        sending a message.

        Sends `GET /v3/organizations/{org_id}/sessions/{assistant_id}/messages`.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            first: Page size, from 1 to 200; the server's default is 100.
            after: Cursor to resume from, as given by `Pager.cursor`.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            A pager: iterate over it for session messages, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for message in organization.sessions.list_messages("assistant-1"):
                print(message.created_at)

        Not shown by the API's description:
            organization-messages-method: That there is such an operation is inferred, and so are its method
                and path.
            organization-messages-legacy: The legacy path that messages are mapped from.
            organization-messages-permission: The permission, its level and the kinds of credential.
            organization-messages-response: The success status and the response payload.
            organization-messages-errors: The error statuses.
        """
        OPERATION, SessionMessagePage = _list_organization_session_messages()
        request = Request(
            OPERATION,
            SessionMessagePage.decode,
            path={
                "org_id": self.org_id,
                "assistant_id": assistant_id,
            },
            query={
                "first": first,
                "after": after,
            },
            options=options,
        )
        return self._client.paginate(request)

    async def list_tags(
        self,
        assistant_id: str,
        *,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """List the tags of a session.

        Neither the request nor the response is shown.

        Inferred: Versioning lists tags of sessions at both scopes; path and methods follow the pattern of
        the other parts of a session.

        Sends `GET /v3/organizations/{org_id}/sessions/{assistant_id}/tags`.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await organization.sessions.list_tags("assistant-1")

        Not shown by the API's description:
            organization-session-tags-list-method: That there is such an operation is inferred, and so are
                its method and path.
            organization-session-tags-list-permission: The permission, its level and the kinds of
                credential.
            organization-session-tags-list-response: The success status, the response payload, and whether
                the list is paginated (list-pagination).
            organization-session-tags-list-errors: The error statuses.
        """
        OPERATION = _list_organization_session_tags()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": self.org_id,
                "assistant_id": assistant_id,
            },
            query={},
            options=options,
        )
        return await self._client.send(request)

    async def replace_tags(
        self,
        assistant_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Replace the tags of a session.

        Neither the request nor the response is shown.

        Inferred: Versioning lists tags of sessions at both scopes; path and methods follow the pattern of
        the other parts of a session.

        Sends `PUT /v3/organizations/{org_id}/sessions/{assistant_id}/tags`.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            body: The request payload, which the description does not show.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.sessions.replace_tags("assistant-1", body=payload)

        Not shown by the API's description:
            organization-session-tags-replace-method: That there is such an operation is inferred, and so
                are its method and path.
            organization-session-tags-replace-permission: The permission, its level and the kinds of
                credential.
            organization-session-tags-replace-request: The request payload.
            organization-session-tags-replace-response: The success status and the response payload.
            organization-session-tags-replace-errors: The error statuses.
        """
        OPERATION = _replace_organization_session_tags()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": self.org_id,
                "assistant_id": assistant_id,
            },
            query={},
            body=UNSET if body is None else body,
            options=options,
        )
        return await self._client.send(request)

    async def send_message(
        self,
        assistant_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Send a message to a session.

        A suspended session is resumed.

        Sends `POST /v3/organizations/{org_id}/sessions/{assistant_id}/messages`.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            body: The request payload, which the description does not show.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.sessions.send_message("assistant-1", body=payload)

        Rules:
            session-message-resumes: A suspended session is resumed by a message.

        Not shown by the API's description:
            session-message-legacy: The legacy path that messages are mapped from.
            session-message-permission: The permission, its level and the kinds of credential.
            session-message-request: The request payload.
            session-message-response: The success status and the response payload.
            session-message-errors: The error statuses.
        """
        OPERATION = _send_organization_session_message()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": self.org_id,
                "assistant_id": assistant_id,
            },
            query={},
            body=UNSET if body is None else body,
            options=options,
        )
        return await self._client.send(request)

    async def terminate(
        self,
        assistant_id: str,
        *,
        archive: QueryValue | None = None,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Terminate a session.

        Exists only in the current API.

        Sends `DELETE /v3/organizations/{org_id}/sessions/{assistant_id}`.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            archive: Named by the description; its type, its values and its effect are not shown.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.sessions.terminate("assistant-1")

        Rules:
            session-archive-delete-current: Archive and delete session exist only in the current API.

        Not shown by the API's description:
            session-terminate-permission: The permission, its level and the kinds of credential.
            session-terminate-archive: The type, the values and the effect of the query parameter `archive`.
            session-terminate-response: The success status, the response payload and the effect on the
                session's status.
            session-terminate-errors: The error statuses.
        """
        OPERATION = _terminate_organization_session()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": self.org_id,
                "assistant_id": assistant_id,
            },
            query={
                "archive": archive,
            },
            options=options,
        )
        return await self._client.send(request)

    def follow_messages(
        self,
        assistant_id: str,
        *,
        first: int | None = None,
        start: str | None = None,
        only_new: bool = False,
        every: float = 5.0,
        give_up_after: float = 600.0,
        options: CallOptions | None = None,
    ) -> Follower[SessionMessage]:
        """Follow the session messages of `organization.sessions.list_messages` as they come.

        The description shows no event for a new one, so the list is polled. Each poll reads the last page
        again, and drops the items that it knows. Each item comes at least once, also after a crash, and
        within a run exactly once. One exception: if the server refuses the cursor of the last page, and the
        latest item is not in the list any more, all items come again.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            first: Page size, from 1 to 200; the server's default is 100.
            start: The `position` of an earlier follower, to continue there. None: the beginning of the
                list.
            only_new: Without `start`, pass over what is in the list already.
            every: Seconds between two polls, more than 0; after polls without anything new up to six times
                as long.
            give_up_after: Seconds of failing polls, as when the server cannot be reached, after which the
                latest error is raised, at the end of a poll with its retries; at least 0.
            options: Timeout, retry policy, extra query or headers of each poll.

        Returns:
            A follower: iterate over it for session messages, and keep its `position`.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            follower = organization.sessions.follow_messages("assistant-1", start=store.load())
            async for item in follower:
                print(item)
                store.save(follower.position)
        """
        from functools import partial

        from ...polling import Follow
        from .list_organization_session_messages import OPERATION

        return self._client.follow(
            Follow(
                operation=OPERATION,
                source=partial(self.list_messages, assistant_id, first=first),
                id="event_id",
                start=start,
                only_new=only_new,
                every=every,
                give_up_after=give_up_after,
                options=options,
            )
        )

    async def wait(
        self,
        assistant_id: str,
        *,
        until: Until[Session],
        unexpected: Until[Session] | None = None,
        timeout: float = 3600.0,
        every: float = 10.0,
        max_every: float | None = None,
        stalled_after: float | None = None,
        on_change: Callable[[PolledChange[Session]], object] | None = None,
        options: CallOptions | None = None,
    ) -> SessionOutcome:
        """Wait until a session is as `until` says, or until the wait ends otherwise.

        The description shows no event, so the session is polled, through the client's rate limiter. Many
        waits share one poll of `organization.sessions.list`. A poll that fails for a time, as when the
        server cannot be reached, does not end the wait; closing the client does.

        A shared poll reads the list, whose items may lack fields. Values by field and `changed` take from
        it what it shows, and read the session alone for any other field. A function may read any field, so
        the session is read alone at every poll. For many waits, prefer values by field.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            until: Values by field, `{"title": {"done", "failed"}}`: each field must have its value or one
                of its values. Or a function that takes the session and returns whether the wait has ended,
                such as `agent_session_platform.changed("updated_at")`. No value is known to be final: name
                those that are for you.
            unexpected: Another condition that ends the wait, in the same forms; of several fields one is
                enough.
            timeout: Seconds for the whole wait, more than 0; `options` has that of a request.
            every: Seconds between two polls, more than 0; longer by a half after each poll without a
                change.
            max_every: Seconds between two polls at most, at least `every`; None: six times `every`.
            stalled_after: Seconds without any change of the session that end the wait, at a poll that does
                not fail; None: never.
            on_change: Called with a `PolledChange` for the first poll and for each change; an awaitable
                that it returns is awaited, also beyond `timeout`. What it raises ends the wait.
            options: Timeout, retry policy, extra query or headers of each poll.

        Returns:
            The outcome: its `session` as it was read last, and its `reason`: `matched`, `unexpected`,
                `gone` (`is_archived` is true, or it is not found any more), `stalled` or `deadline`; its
                `error` is why the latest poll failed, if it did.

        Raises:
            NotFoundError: There is no such session at the first poll.
            ClientClosedError: The client was closed.
            InvalidArgumentError: An argument is refused; or the first session that is read, and its model,
                lack a field that `until` or `unexpected` names.
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            outcome = await organization.sessions.wait("assistant-1", until=is_ready, timeout=600)
            print(outcome.reason, outcome.session)
        """
        from functools import partial

        from ...outcomes import SessionOutcome
        from ...polling import Wait
        from .get_organization_session import OPERATION

        return await self._client.wait(
            Wait(
                operation=OPERATION,
                key=assistant_id,
                read=partial(self.get, assistant_id, options=options),
                listed=lambda cursor: self.list(first=200, after=cursor, options=options),
                shared=("organization.sessions.list", self.org_id) if options is None else None,
                id="session_id",
                gone=("is_archived",),
                until=until,
                unexpected=unexpected,
                timeout=timeout,
                every=every,
                max_every=max_every,
                stalled_after=stalled_after,
                on_change=on_change,
                outcome=SessionOutcome,
            )
        )


class EnterpriseSessions:
    """The sessions of the enterprise."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def archive(
        self,
        assistant_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Archive a session.

        The enterprise-scope form of archiving.

        Inferred: Versioning lists sessions (create, list, get, messages, archive, terminate, tags,
        insights) as promoted at both scopes; method and path mirror those of the organization scope.

        Sends `POST /v3/enterprise/sessions/{assistant_id}/archive`.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            body: The request payload, which the description does not show.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.sessions.archive("assistant-1", body=payload)

        Not shown by the API's description:
            enterprise-session-archive-method: That there is such an operation is inferred, and so are its
                method and path.
            enterprise-session-archive-permission: The permission, its level and the kinds of credential.
            enterprise-session-archive-request: Whether a request payload is taken.
            enterprise-session-archive-response: The success status and the response payload.
            enterprise-session-archive-errors: The error statuses.
        """
        OPERATION = _archive_enterprise_session()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "assistant_id": assistant_id,
            },
            query={},
            body=UNSET if body is None else body,
            options=options,
        )
        return await self._client.send(request)

    async def create(
        self,
        *,
        body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> Session:
        """Create a session.

        The enterprise-scope form of session creation.

        Inferred: Versioning lists sessions (create, list, get, messages, archive, terminate, tags,
        insights) as promoted at both scopes; method and path mirror those of the organization scope.

        Sends `POST /v3/enterprise/sessions`.

        Args:
            body: The request payload, which the description does not show.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The `Session`: a read-only view of the response.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            session = await platform.enterprise.sessions.create(body=payload)

        Not shown by the API's description:
            enterprise-session-create-method: That there is such an operation is inferred, and so are its
                method and path.
            enterprise-session-create-permission: The permission, its level and the kinds of credential.
            enterprise-session-create-request: The request payload.
            enterprise-session-create-response: The success status and the response payload.
            enterprise-session-create-errors: The error statuses.
        """
        OPERATION, Session = _create_enterprise_session()
        request = Request(
            OPERATION,
            Session.decode,
            path={},
            query={},
            body=UNSET if body is None else body,
            options=options,
        )
        return await self._client.send(request)

    async def generate_insights(
        self,
        assistant_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> InsightsGeneration:
        """Generate insights of a session.

        Results are read from the GET insights endpoint.

        Sends `POST /v3/enterprise/sessions/{assistant_id}/insights/generate`.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            body: The request payload, which the description does not show.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The `InsightsGeneration`: a read-only view of the response.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrgSessions` at a level that the description
                does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            insights_generation = await platform.enterprise.sessions.generate_insights("assistant-1", body=payload)

        Rules:
            insights-generate-status: The response has a status: `started` when generation begins, or
                `already_exists` when insights exist or are in progress; results are read from the existing
                GET insights endpoint.

        Not shown by the API's description:
            enterprise-insights-generate-level: The level of the permission, and the kinds of credential.
            enterprise-insights-generate-request: Whether a request payload is taken.
            enterprise-insights-generate-response: The success status.
            enterprise-insights-generate-errors: The error statuses.
        """
        OPERATION, InsightsGeneration = _generate_enterprise_session_insights()
        request = Request(
            OPERATION,
            InsightsGeneration.decode,
            path={
                "assistant_id": assistant_id,
            },
            query={},
            body=UNSET if body is None else body,
            options=options,
        )
        return await self._client.send(request)

    async def get(
        self,
        assistant_id: str,
        *,
        options: CallOptions | None = None,
    ) -> Session:
        """Get a session.

        The enterprise-scope form of reading a session.

        Inferred: Versioning lists sessions (create, list, get, messages, archive, terminate, tags,
        insights) as promoted at both scopes; method and path mirror those of the organization scope.

        Sends `GET /v3/enterprise/sessions/{assistant_id}`.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The `Session`: a read-only view of the response.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            session = await platform.enterprise.sessions.get("assistant-1")

        Not shown by the API's description:
            enterprise-session-get-method: That there is such an operation is inferred, and so are its
                method and path.
            enterprise-session-get-permission: The permission, its level and the kinds of credential.
            enterprise-session-get-response: The success status and the response payload.
            enterprise-session-get-errors: The error statuses.
        """
        OPERATION, Session = _get_enterprise_session()
        request = Request(
            OPERATION,
            Session.decode,
            path={
                "assistant_id": assistant_id,
            },
            query={},
            options=options,
        )
        return await self._client.send(request)

    async def get_insights(
        self,
        assistant_id: str,
        *,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Read the insights of a session.

        Neither the request nor the response is shown.

        Inferred: The generation of insights refers to "the existing GET insights endpoint"; its path is
        that of the generation without `/generate`.

        Sends `GET /v3/enterprise/sessions/{assistant_id}/insights`.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await platform.enterprise.sessions.get_insights("assistant-1")

        Not shown by the API's description:
            enterprise-insights-method: That there is such an operation is inferred, and so are its method
                and path.
            enterprise-insights-permission: The permission, its level and the kinds of credential.
            enterprise-insights-response: The success status and the response payload.
            enterprise-insights-errors: The error statuses.
        """
        OPERATION = _get_enterprise_session_insights()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "assistant_id": assistant_id,
            },
            query={},
            options=options,
        )
        return await self._client.send(request)

    def list(
        self,
        *,
        first: int | None = None,
        after: str | None = None,
        org_ids: Sequence[str] | None = None,
        options: CallOptions | None = None,
    ) -> Pager[Session]:
        """List the sessions of the enterprise.

        With an optional filter by organizations.

        Sends `GET /v3/enterprise/sessions`.

        Args:
            first: Page size, from 1 to 200; the server's default is 100.
            after: Cursor to resume from, as given by `Pager.cursor`.
            org_ids: Only sessions of the organizations with these ids.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            A pager: iterate over it for sessions, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for session in platform.enterprise.sessions.list():
                print(session.session_id)

        Not shown by the API's description:
            enterprise-sessions-permission: The permission, its level and the kinds of credential.
            enterprise-sessions-org-ids: The type of org_ids and how several are written into the query.
            enterprise-sessions-parameters: Query parameters other than first, after and org_ids.
            enterprise-sessions-response: The success status and the response payload.
            enterprise-sessions-errors: The error statuses.
        """
        OPERATION, SessionPage = _list_enterprise_sessions()
        request = Request(
            OPERATION,
            SessionPage.decode,
            path={},
            query={
                "first": first,
                "after": after,
                "org_ids": org_ids,
            },
            options=options,
        )
        return self._client.paginate(request)

    def list_messages(
        self,
        assistant_id: str,
        *,
        first: int | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
    ) -> Pager[SessionMessage]:
        """List all messages of a session.

        In chronological order, with cursor-based pagination.

        Sends `GET /v3/enterprise/sessions/{assistant_id}/messages`.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            first: Page size, from 1 to 200; the server's default is 100.
            after: Cursor to resume from, as given by `Pager.cursor`.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            A pager: iterate over it for session messages, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks `ViewAccountSessions` at enterprise level.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for message in platform.enterprise.sessions.list_messages("assistant-1"):
                print(message.created_at)

        Rules:
            messages-chronological: Messages are listed in chronological order.

        Not shown by the API's description:
            messages-error-statuses: The statuses of the six problem-detail bodies.
        """
        OPERATION, SessionMessagePage = _list_enterprise_session_messages()
        request = Request(
            OPERATION,
            SessionMessagePage.decode,
            path={
                "assistant_id": assistant_id,
            },
            query={
                "first": first,
                "after": after,
            },
            options=options,
        )
        return self._client.paginate(request)

    async def list_tags(
        self,
        assistant_id: str,
        *,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """List the tags of a session.

        Neither the request nor the response is shown.

        Inferred: Versioning lists tags of sessions at both scopes; path and methods follow the pattern of
        the other parts of a session.

        Sends `GET /v3/enterprise/sessions/{assistant_id}/tags`.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await platform.enterprise.sessions.list_tags("assistant-1")

        Not shown by the API's description:
            enterprise-session-tags-list-method: That there is such an operation is inferred, and so are its
                method and path.
            enterprise-session-tags-list-permission: The permission, its level and the kinds of credential.
            enterprise-session-tags-list-response: The success status, the response payload, and whether the
                list is paginated (list-pagination).
            enterprise-session-tags-list-errors: The error statuses.
        """
        OPERATION = _list_enterprise_session_tags()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "assistant_id": assistant_id,
            },
            query={},
            options=options,
        )
        return await self._client.send(request)

    async def replace_tags(
        self,
        assistant_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Replace the tags of a session.

        Neither the request nor the response is shown.

        Inferred: Versioning lists tags of sessions at both scopes; path and methods follow the pattern of
        the other parts of a session.

        Sends `PUT /v3/enterprise/sessions/{assistant_id}/tags`.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            body: The request payload, which the description does not show.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.sessions.replace_tags("assistant-1", body=payload)

        Not shown by the API's description:
            enterprise-session-tags-replace-method: That there is such an operation is inferred, and so are
                its method and path.
            enterprise-session-tags-replace-permission: The permission, its level and the kinds of
                credential.
            enterprise-session-tags-replace-request: The request payload.
            enterprise-session-tags-replace-response: The success status and the response payload.
            enterprise-session-tags-replace-errors: The error statuses.
        """
        OPERATION = _replace_enterprise_session_tags()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "assistant_id": assistant_id,
            },
            query={},
            body=UNSET if body is None else body,
            options=options,
        )
        return await self._client.send(request)

    async def send_message(
        self,
        assistant_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Send a message to a session.

        The enterprise-scope form of sending a message.

        Inferred: Versioning lists sessions (create, list, get, messages, archive, terminate, tags,
        insights) as promoted at both scopes; method and path mirror those of the organization scope.

        Sends `POST /v3/enterprise/sessions/{assistant_id}/messages`.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            body: The request payload, which the description does not show.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.sessions.send_message("assistant-1", body=payload)

        Not shown by the API's description:
            enterprise-session-message-method: That there is such an operation is inferred, and so are its
                method and path.
            enterprise-session-message-permission: The permission, its level and the kinds of credential.
            enterprise-session-message-request: The request payload.
            enterprise-session-message-response: The success status and the response payload.
            enterprise-session-message-errors: The error statuses.
        """
        OPERATION = _send_enterprise_session_message()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "assistant_id": assistant_id,
            },
            query={},
            body=UNSET if body is None else body,
            options=options,
        )
        return await self._client.send(request)

    async def terminate(
        self,
        assistant_id: str,
        *,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Terminate a session.

        The enterprise-scope form of termination.

        Inferred: Versioning lists sessions (create, list, get, messages, archive, terminate, tags,
        insights) as promoted at both scopes; method and path mirror those of the organization scope.

        Sends `DELETE /v3/enterprise/sessions/{assistant_id}`.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.sessions.terminate("assistant-1")

        Not shown by the API's description:
            enterprise-session-terminate-method: That there is such an operation is inferred, and so are its
                method and path.
            enterprise-session-terminate-archive: Whether the query parameter `archive` is taken here.
            enterprise-session-terminate-permission: The permission, its level and the kinds of credential.
            enterprise-session-terminate-response: The success status and the response payload.
            enterprise-session-terminate-errors: The error statuses.
        """
        OPERATION = _terminate_enterprise_session()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "assistant_id": assistant_id,
            },
            query={},
            options=options,
        )
        return await self._client.send(request)

    def follow_messages(
        self,
        assistant_id: str,
        *,
        first: int | None = None,
        start: str | None = None,
        only_new: bool = False,
        every: float = 5.0,
        give_up_after: float = 600.0,
        options: CallOptions | None = None,
    ) -> Follower[SessionMessage]:
        """Follow the session messages of `enterprise.sessions.list_messages` as they come.

        The description shows no event for a new one, so the list is polled. Each poll reads the last page
        again, and drops the items that it knows. Each item comes at least once, also after a crash, and
        within a run exactly once. One exception: if the server refuses the cursor of the last page, and the
        latest item is not in the list any more, all items come again.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            first: Page size, from 1 to 200; the server's default is 100.
            start: The `position` of an earlier follower, to continue there. None: the beginning of the
                list.
            only_new: Without `start`, pass over what is in the list already.
            every: Seconds between two polls, more than 0; after polls without anything new up to six times
                as long.
            give_up_after: Seconds of failing polls, as when the server cannot be reached, after which the
                latest error is raised, at the end of a poll with its retries; at least 0.
            options: Timeout, retry policy, extra query or headers of each poll.

        Returns:
            A follower: iterate over it for session messages, and keep its `position`.

        Raises:
            PermissionDeniedError: The credential lacks `ViewAccountSessions` at enterprise level.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            follower = platform.enterprise.sessions.follow_messages("assistant-1", start=store.load())
            async for item in follower:
                print(item)
                store.save(follower.position)
        """
        from functools import partial

        from ...polling import Follow
        from .list_enterprise_session_messages import OPERATION

        return self._client.follow(
            Follow(
                operation=OPERATION,
                source=partial(self.list_messages, assistant_id, first=first),
                id="event_id",
                start=start,
                only_new=only_new,
                every=every,
                give_up_after=give_up_after,
                options=options,
            )
        )

    async def wait(
        self,
        assistant_id: str,
        *,
        until: Until[Session],
        unexpected: Until[Session] | None = None,
        timeout: float = 3600.0,
        every: float = 10.0,
        max_every: float | None = None,
        stalled_after: float | None = None,
        on_change: Callable[[PolledChange[Session]], object] | None = None,
        options: CallOptions | None = None,
    ) -> SessionOutcome:
        """Wait until a session is as `until` says, or until the wait ends otherwise.

        The description shows no event, so the session is polled, through the client's rate limiter. Many
        waits share one poll of `enterprise.sessions.list`. A poll that fails for a time, as when the server
        cannot be reached, does not end the wait; closing the client does.

        A shared poll reads the list, whose items may lack fields. Values by field and `changed` take from
        it what it shows, and read the session alone for any other field. A function may read any field, so
        the session is read alone at every poll. For many waits, prefer values by field.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            until: Values by field, `{"title": {"done", "failed"}}`: each field must have its value or one
                of its values. Or a function that takes the session and returns whether the wait has ended,
                such as `agent_session_platform.changed("updated_at")`. No value is known to be final: name
                those that are for you.
            unexpected: Another condition that ends the wait, in the same forms; of several fields one is
                enough.
            timeout: Seconds for the whole wait, more than 0; `options` has that of a request.
            every: Seconds between two polls, more than 0; longer by a half after each poll without a
                change.
            max_every: Seconds between two polls at most, at least `every`; None: six times `every`.
            stalled_after: Seconds without any change of the session that end the wait, at a poll that does
                not fail; None: never.
            on_change: Called with a `PolledChange` for the first poll and for each change; an awaitable
                that it returns is awaited, also beyond `timeout`. What it raises ends the wait.
            options: Timeout, retry policy, extra query or headers of each poll.

        Returns:
            The outcome: its `session` as it was read last, and its `reason`: `matched`, `unexpected`,
                `gone` (`is_archived` is true, or it is not found any more), `stalled` or `deadline`; its
                `error` is why the latest poll failed, if it did.

        Raises:
            NotFoundError: There is no such session at the first poll.
            ClientClosedError: The client was closed.
            InvalidArgumentError: An argument is refused; or the first session that is read, and its model,
                lack a field that `until` or `unexpected` names.
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            outcome = await platform.enterprise.sessions.wait("assistant-1", until=is_ready, timeout=600)
            print(outcome.reason, outcome.session)
        """
        from functools import partial

        from ...outcomes import SessionOutcome
        from ...polling import Wait
        from .get_enterprise_session import OPERATION

        return await self._client.wait(
            Wait(
                operation=OPERATION,
                key=assistant_id,
                read=partial(self.get, assistant_id, options=options),
                listed=lambda cursor: self.list(first=200, after=cursor, options=options),
                shared=("enterprise.sessions.list", "") if options is None else None,
                id="session_id",
                gone=("is_archived",),
                until=until,
                unexpected=unexpected,
                timeout=timeout,
                every=every,
                max_every=max_every,
                stalled_after=stalled_after,
                on_change=on_change,
                outcome=SessionOutcome,
            )
        )


# What a method needs is imported at its first call, because it would add to the start-up of every program; once, because
# an import takes longer than it looks, even of what is there.


@cache
def _archive_organization_session() -> Operation:
    from .archive_organization_session import OPERATION

    return OPERATION


@cache
def _create_organization_session() -> tuple[Operation, type[Session]]:
    from ...models.session import Session
    from .create_organization_session import OPERATION

    return OPERATION, Session


@cache
def _generate_organization_session_insights() -> tuple[Operation, type[InsightsGeneration]]:
    from ...models.insights_generation import InsightsGeneration
    from .generate_organization_session_insights import OPERATION

    return OPERATION, InsightsGeneration


@cache
def _get_organization_session() -> tuple[Operation, type[Session]]:
    from ...models.session import Session
    from .get_organization_session import OPERATION

    return OPERATION, Session


@cache
def _get_organization_session_insights() -> Operation:
    from .get_organization_session_insights import OPERATION

    return OPERATION


@cache
def _list_organization_sessions() -> tuple[Operation, type[SessionPage]]:
    from ...models.session_page import SessionPage
    from .list_organization_sessions import OPERATION

    return OPERATION, SessionPage


@cache
def _list_organization_session_messages() -> tuple[Operation, type[SessionMessagePage]]:
    from ...models.session_message_page import SessionMessagePage
    from .list_organization_session_messages import OPERATION

    return OPERATION, SessionMessagePage


@cache
def _list_organization_session_tags() -> Operation:
    from .list_organization_session_tags import OPERATION

    return OPERATION


@cache
def _replace_organization_session_tags() -> Operation:
    from .replace_organization_session_tags import OPERATION

    return OPERATION


@cache
def _send_organization_session_message() -> Operation:
    from .send_organization_session_message import OPERATION

    return OPERATION


@cache
def _terminate_organization_session() -> Operation:
    from .terminate_organization_session import OPERATION

    return OPERATION


@cache
def _archive_enterprise_session() -> Operation:
    from .archive_enterprise_session import OPERATION

    return OPERATION


@cache
def _create_enterprise_session() -> tuple[Operation, type[Session]]:
    from ...models.session import Session
    from .create_enterprise_session import OPERATION

    return OPERATION, Session


@cache
def _generate_enterprise_session_insights() -> tuple[Operation, type[InsightsGeneration]]:
    from ...models.insights_generation import InsightsGeneration
    from .generate_enterprise_session_insights import OPERATION

    return OPERATION, InsightsGeneration


@cache
def _get_enterprise_session() -> tuple[Operation, type[Session]]:
    from ...models.session import Session
    from .get_enterprise_session import OPERATION

    return OPERATION, Session


@cache
def _get_enterprise_session_insights() -> Operation:
    from .get_enterprise_session_insights import OPERATION

    return OPERATION


@cache
def _list_enterprise_sessions() -> tuple[Operation, type[SessionPage]]:
    from ...models.session_page import SessionPage
    from .list_enterprise_sessions import OPERATION

    return OPERATION, SessionPage


@cache
def _list_enterprise_session_messages() -> tuple[Operation, type[SessionMessagePage]]:
    from ...models.session_message_page import SessionMessagePage
    from .list_enterprise_session_messages import OPERATION

    return OPERATION, SessionMessagePage


@cache
def _list_enterprise_session_tags() -> Operation:
    from .list_enterprise_session_tags import OPERATION

    return OPERATION


@cache
def _replace_enterprise_session_tags() -> Operation:
    from .replace_enterprise_session_tags import OPERATION

    return OPERATION


@cache
def _send_enterprise_session_message() -> Operation:
    from .send_enterprise_session_message import OPERATION

    return OPERATION


@cache
def _terminate_enterprise_session() -> Operation:
    from .terminate_enterprise_session import OPERATION

    return OPERATION
