# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of sessions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ... import api, models
from ...catalogue import OPERATIONS
from ...decoding import read_payload
from ...encoding import UNSET, Unset
from ...interface import Follow, Follower, OpenList, Pager, PolledChange, Until, Wait
from ...model import OpenModel
from ...models.assistant_mode import AssistantMode
from ...models.insights_generation import InsightsGeneration
from ...models.session import Session
from ...models.session_message import SessionMessage
from ...models.session_origin import SessionOrigin
from ...operation import CallOptions, QueryValue, Refused, Request
from ...outcomes import SessionOutcome


class OrganizationSessions(api.OrganizationMethods):
    """The sessions of the organization."""

    scope = "organization"
    resource = "sessions"

    async def archive(
        self,
        /,
        assistant_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Archive a session.

        Exists only in the current API.

        Sends `POST /v3/organizations/{org_id}/sessions/{assistant_id}/archive`.

        Not shown by the API's description: session-archive-permission, session-archive-request,
        session-archive-response, session-archive-errors.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
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
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.sessions.archive("assistant-1", body=payload)

        Rules:
            session-archive-delete-current: Archive and delete session exist only in the current API.
        """
        request = Request(
            OPERATIONS["archive_organization_session"],
            OpenModel.from_item,
            path={"org_id": self.org_id, "assistant_id": assistant_id},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)

    async def create(
        self,
        /,
        *,
        assistant_mode: AssistantMode | Unset = UNSET,
        create_as_user_id: str | None | Unset = UNSET,
        session_secrets: Any = UNSET,
        child_playbook_id: Any = UNSET,
        session_links: Any = UNSET,
        bypass_approval: Any = UNSET,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> Session:
        """Create a session.

        The payload is not shown but for the names of six parameters.

        Sends `POST /v3/organizations/{org_id}/sessions`.

        Not shown by the API's description: session-create-permission, session-create-request,
        session-create-response, session-create-errors.

        Args:
            assistant_mode: Mode of the session; the rule session-mode-default tells what holds when it is
                omitted.
            create_as_user_id: Id of the user to impersonate; the rules of schedule creation apply.
            session_secrets: Temporary secrets of the session, not stored as organization secrets; their
                form is not shown.
            child_playbook_id: Id of a child playbook; how the session uses it is not shown.
            session_links: Links of the session; their form, and what they lead to, is not shown.
            bypass_approval: Whether to bypass approval. What needs approval is not shown.
            extra_body: More members of the body; use it for a name that is, or resembles, an argument.
            options: Timeout, retry policy, extra query or headers of this call.
            members: Members of the payload that the description does not show, each by its name.

        Returns:
            The `Session`: a read-only view of the response.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
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
        """
        request = Request(
            OPERATIONS["create_organization_session"],
            partial(read_payload, models.Session.from_item, ["an object"]),
            path={"org_id": self.org_id},
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
            members=members,
            options=options,
        )
        return await self._client.send(request)

    async def generate_insights(
        self,
        /,
        assistant_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> InsightsGeneration:
        """Generate insights of a session.

        Results are read from the GET insights endpoint.

        Sends `POST /v3/organizations/{org_id}/sessions/{assistant_id}/insights/generate`.

        Not shown by the API's description: organization-insights-generate-level,
        organization-insights-generate-request, organization-insights-generate-response,
        organization-insights-generate-errors.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            body: The request payload, which the description does not show.
            extra_body: More members of the body; use it for a name that is, or resembles, an argument.
            options: Timeout, retry policy, extra query or headers of this call.
            members: Members of the payload that the description does not show, each by its name.

        Returns:
            The `InsightsGeneration`: a read-only view of the response.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrgSessions` at a level that the description
                does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            insights_generation = await organization.sessions.generate_insights("assistant-1", body=payload)

        Rules:
            insights-generate-status: The response has a status: `started` when generation begins, or
                `already_exists` when insights exist or are in progress; results are read from the existing
                GET insights endpoint.
        """
        request = Request(
            OPERATIONS["generate_organization_session_insights"],
            partial(read_payload, models.InsightsGeneration.from_item, ["an object"]),
            path={"org_id": self.org_id, "assistant_id": assistant_id},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)

    async def get(
        self,
        assistant_id: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> Session:
        """Get a session.

        Legacy clients used `/v1/session/{session_id}`.

        Sends `GET /v3/organizations/{org_id}/sessions/{assistant_id}`.

        Not shown by the API's description: session-get-permission, session-get-response,
        session-get-errors.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The `Session`: a read-only view of the response.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            session = await organization.sessions.get("assistant-1")
        """
        request = Request(
            OPERATIONS["get_organization_session"],
            partial(read_payload, models.Session.from_item, ["an object"]),
            path={"org_id": self.org_id, "assistant_id": assistant_id},
            query={},
            members=unknown,
            options=options,
        )
        return await self._client.send(request)

    async def get_insights(
        self,
        assistant_id: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenModel:
        """Read the insights of a session.

        Neither the request nor the response is shown.

        Inferred: The generation of insights refers to "the existing GET insights endpoint"; its path is
        that of the generation without `/generate`.

        Sends `GET /v3/organizations/{org_id}/sessions/{assistant_id}/insights`.

        Not shown by the API's description: organization-insights-method, organization-insights-permission,
        organization-insights-response, organization-insights-errors.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
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
            response = await organization.sessions.get_insights("assistant-1")
        """
        request = Request(
            OPERATIONS["get_organization_session_insights"],
            OpenModel.from_item,
            path={"org_id": self.org_id, "assistant_id": assistant_id},
            query={},
            members=unknown,
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
        **unknown: Refused,
    ) -> Pager[Session]:
        """List the sessions of an organization.

        The `order` query parameter no longer exists on this endpoint; clients must not send it.

        Sends `GET /v3/organizations/{org_id}/sessions`.

        Not shown by the API's description: session-list-parameters, session-list-error-statuses,
        session-list-origins-encoding.

        Args:
            first: Page size, from 1 to 200; the server's default is 100.
            after: Cursor to resume from, as given by `Pager.cursor`.
            origins: Only sessions of these origins.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A pager: iterate over it for sessions, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks `ViewOrgSessions` at organization level.
            CredentialMismatchError: The credential is of another kind than `serviceUser` or
                `personalAccessToken`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for session in organization.sessions.list():
                print(session)

        Rules:
            session-list-no-order: Clients must not send the query parameter `order`.
        """
        request = Request(
            OPERATIONS["list_organization_sessions"],
            partial(read_payload, models.SessionPage.from_item, ["an object"]),
            path={"org_id": self.org_id},
            query={"first": first, "after": after, "origins": origins},
            members=unknown,
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
        **unknown: Refused,
    ) -> Pager[SessionMessage]:
        """List all messages of a session.

        The organization-scope form of the list of messages.

        Inferred: Versioning lists session messages as promoted at both scopes; the path is stated for
        sending a message.

        Sends `GET /v3/organizations/{org_id}/sessions/{assistant_id}/messages`.

        Not shown by the API's description: organization-messages-method, organization-messages-legacy,
        organization-messages-permission, organization-messages-response, organization-messages-errors.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            first: Page size, from 1 to 200; the server's default is 100.
            after: Cursor to resume from, as given by `Pager.cursor`.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A pager: iterate over it for session messages, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for message in organization.sessions.list_messages("assistant-1"):
                print(message)
        """
        request = Request(
            OPERATIONS["list_organization_session_messages"],
            partial(read_payload, models.SessionMessagePage.from_item, ["an object"]),
            path={"org_id": self.org_id, "assistant_id": assistant_id},
            query={"first": first, "after": after},
            members=unknown,
            options=options,
        )
        return self._client.paginate(request)

    def list_tags(
        self,
        assistant_id: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenList[OpenModel]:
        """List the tags of a session.

        Neither the request nor the response is shown.

        Inferred: Versioning lists tags of sessions at both scopes; path and methods follow the pattern of
        the other parts of a session.

        Sends `GET /v3/organizations/{org_id}/sessions/{assistant_id}/tags`.

        Not shown by the API's description: organization-session-tags-list-method,
        organization-session-tags-list-permission, organization-session-tags-list-response,
        organization-session-tags-list-errors.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
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
            async for item in organization.sessions.list_tags("assistant-1"):
                print(item)
        """
        request = Request(
            OPERATIONS["list_organization_session_tags"],
            OpenModel.from_item,
            path={"org_id": self.org_id, "assistant_id": assistant_id},
            query={},
            members=unknown,
            options=options,
        )
        return self._client.read_list(request)

    async def replace_tags(
        self,
        /,
        assistant_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Replace the tags of a session.

        Neither the request nor the response is shown.

        Inferred: Versioning lists tags of sessions at both scopes; path and methods follow the pattern of
        the other parts of a session.

        Sends `PUT /v3/organizations/{org_id}/sessions/{assistant_id}/tags`.

        Not shown by the API's description: organization-session-tags-replace-method,
        organization-session-tags-replace-permission, organization-session-tags-replace-request,
        organization-session-tags-replace-response, organization-session-tags-replace-errors.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
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
            await organization.sessions.replace_tags("assistant-1", body=payload)
        """
        request = Request(
            OPERATIONS["replace_organization_session_tags"],
            OpenModel.from_item,
            path={"org_id": self.org_id, "assistant_id": assistant_id},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)

    async def send_message(
        self,
        /,
        assistant_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Send a message to a session.

        A suspended session is resumed.

        Sends `POST /v3/organizations/{org_id}/sessions/{assistant_id}/messages`.

        Not shown by the API's description: session-message-legacy, session-message-permission,
        session-message-request, session-message-response, session-message-errors.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
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
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.sessions.send_message("assistant-1", body=payload)

        Rules:
            session-message-resumes: A suspended session is resumed by a message.
        """
        request = Request(
            OPERATIONS["send_organization_session_message"],
            OpenModel.from_item,
            path={"org_id": self.org_id, "assistant_id": assistant_id},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)

    async def terminate(
        self,
        assistant_id: str,
        *,
        archive: QueryValue | None = None,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenModel:
        """Terminate a session.

        Exists only in the current API.

        Sends `DELETE /v3/organizations/{org_id}/sessions/{assistant_id}`.

        Not shown by the API's description: session-terminate-permission, session-terminate-archive,
        session-terminate-response, session-terminate-errors.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            archive: Named by the description; its type, its values and its effect are not shown.
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
            await organization.sessions.terminate("assistant-1")

        Rules:
            session-archive-delete-current: Archive and delete session exist only in the current API.
        """
        request = Request(
            OPERATIONS["terminate_organization_session"],
            OpenModel.from_item,
            path={"org_id": self.org_id, "assistant_id": assistant_id},
            query={"archive": archive},
            members=unknown,
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

        The description shows no event for a new item, so the list is polled. Each poll reads the last page
        again, and drops the items that the follower knows. Each item comes at least once, even after a
        crash, and exactly once within a run. One exception: if the server refuses the cursor of the last
        page, and the latest item is not in the list any more, all items come again. Where the form of the
        list is not shown, its items are the member `items`, or else the only member that is an array; items
        without an id are compared by their content.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            first: Page size, from 1 to 200; the server's default is 100.
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
            A follower: iterate over it for session messages, and keep its `position`.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            follower = organization.sessions.follow_messages("assistant-1", start=store.load())
            async for item in follower:
                print(item)
                store.save(follower.position)
        """
        return self._client.follow(
            Follow(
                operation=OPERATIONS["list_organization_session_messages"],
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

        The description shows no event, so the object is polled, through the client's rate limiter. A poll
        that fails, for example because the server cannot be reached for a while, does not end the wait;
        closing the client does. If the server asks for a wait (Retry-After), the next poll is no sooner. If
        that is after `timeout`, the wait ends at once with the reason `deadline`, and its `error` says how
        long the server asks to wait.

        If there is a list of such objects, many waits share one poll of the list. Its items may lack
        fields: if a value by field or `changed` needs such a field, the object is read alone. But if the
        contract states a default, an absent field has this default. A function may need any field, so with
        a function the object is read alone at every poll. For many waits, prefer values by field.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            until: Values by field, `{"title": {"done", "failed"}}`: each field must have the given value,
                or one of the given values. Or `agent_session_platform.any_of` several of these, or
                `States`, or a function that takes the object and returns whether the wait has ended, such
                as `agent_session_platform.changed("updated_at")`. The description does not say which values
                are final: name the values that are final for you.
            unexpected: Another condition that ends the wait, in the same forms; if it names several fields,
                one match is enough.
            timeout: Seconds for the whole wait, more than 0; the timeout of a request is in `options`.
            every: Seconds between two polls, more than 0; after each poll without a change the pause is
                longer by a half.
            max_every: Seconds between two polls at most; None means six times `every`.
            stalled_after: Seconds without a change of the object after which the wait ends, at a poll that
                does not fail; None means never.
            on_change: Called with a `PolledChange` for the first poll and for each change; an awaitable
                that it returns is awaited, even beyond `timeout`. What it raises ends the wait.
            options: Timeout, retry policy, extra query or headers of each poll.

        Returns:
            The outcome: its `session` as it was read last, its `reason`, and its `error`, which may be
                None.

        Raises:
            NotFoundError: There is no such object at the first poll.
            ClientClosedError: The client was closed.
            InvalidArgumentError: An argument is refused; or the first object that is read, and its model,
                lack a field that `until` or `unexpected` names.
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            outcome = await organization.sessions.wait("assistant-1", until=is_ready, timeout=600)
            print(outcome.reason, outcome.session)
        """
        return await self._client.wait(
            Wait(
                operation=OPERATIONS["get_organization_session"],
                key=assistant_id,
                read=partial(self.get, assistant_id, options=options),
                listed=lambda cursor: self.list(first=200, after=cursor, options=options),
                shared=("list_organization_sessions", self.org_id) if options is None else None,
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


class EnterpriseSessions(api.ResourceMethods):
    """The sessions of the enterprise."""

    scope = "enterprise"
    resource = "sessions"

    async def archive(
        self,
        /,
        assistant_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Archive a session.

        The enterprise-scope form of archiving.

        Inferred: Versioning lists sessions (create, list, get, messages, archive, terminate, tags,
        insights) as promoted at both scopes; method and path mirror those of the organization scope.

        Sends `POST /v3/enterprise/sessions/{assistant_id}/archive`.

        Not shown by the API's description: enterprise-session-archive-method,
        enterprise-session-archive-permission, enterprise-session-archive-request,
        enterprise-session-archive-response, enterprise-session-archive-errors.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
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
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.sessions.archive("assistant-1", body=payload)
        """
        request = Request(
            OPERATIONS["archive_enterprise_session"],
            OpenModel.from_item,
            path={"assistant_id": assistant_id},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)

    async def create(
        self,
        /,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> Session:
        """Create a session.

        The enterprise-scope form of session creation.

        Inferred: Versioning lists sessions (create, list, get, messages, archive, terminate, tags,
        insights) as promoted at both scopes; method and path mirror those of the organization scope.

        Sends `POST /v3/enterprise/sessions`.

        Not shown by the API's description: enterprise-session-create-method,
        enterprise-session-create-permission, enterprise-session-create-request,
        enterprise-session-create-response, enterprise-session-create-errors.

        Args:
            body: The request payload, which the description does not show.
            extra_body: More members of the body; use it for a name that is, or resembles, an argument.
            options: Timeout, retry policy, extra query or headers of this call.
            members: Members of the payload that the description does not show, each by its name.

        Returns:
            The `Session`: a read-only view of the response.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            session = await platform.enterprise.sessions.create(body=payload)
        """
        request = Request(
            OPERATIONS["create_enterprise_session"],
            partial(read_payload, models.Session.from_item, ["an object"]),
            path={},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)

    async def generate_insights(
        self,
        /,
        assistant_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> InsightsGeneration:
        """Generate insights of a session.

        Results are read from the GET insights endpoint.

        Sends `POST /v3/enterprise/sessions/{assistant_id}/insights/generate`.

        Not shown by the API's description: enterprise-insights-generate-level,
        enterprise-insights-generate-request, enterprise-insights-generate-response,
        enterprise-insights-generate-errors.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            body: The request payload, which the description does not show.
            extra_body: More members of the body; use it for a name that is, or resembles, an argument.
            options: Timeout, retry policy, extra query or headers of this call.
            members: Members of the payload that the description does not show, each by its name.

        Returns:
            The `InsightsGeneration`: a read-only view of the response.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrgSessions` at a level that the description
                does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            insights_generation = await platform.enterprise.sessions.generate_insights("assistant-1", body=payload)

        Rules:
            insights-generate-status: The response has a status: `started` when generation begins, or
                `already_exists` when insights exist or are in progress; results are read from the existing
                GET insights endpoint.
        """
        request = Request(
            OPERATIONS["generate_enterprise_session_insights"],
            partial(read_payload, models.InsightsGeneration.from_item, ["an object"]),
            path={"assistant_id": assistant_id},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)

    async def get(
        self,
        assistant_id: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> Session:
        """Get a session.

        The enterprise-scope form of reading a session.

        Inferred: Versioning lists sessions (create, list, get, messages, archive, terminate, tags,
        insights) as promoted at both scopes; method and path mirror those of the organization scope.

        Sends `GET /v3/enterprise/sessions/{assistant_id}`.

        Not shown by the API's description: enterprise-session-get-method,
        enterprise-session-get-permission, enterprise-session-get-response, enterprise-session-get-errors.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The `Session`: a read-only view of the response.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            session = await platform.enterprise.sessions.get("assistant-1")
        """
        request = Request(
            OPERATIONS["get_enterprise_session"],
            partial(read_payload, models.Session.from_item, ["an object"]),
            path={"assistant_id": assistant_id},
            query={},
            members=unknown,
            options=options,
        )
        return await self._client.send(request)

    async def get_insights(
        self,
        assistant_id: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenModel:
        """Read the insights of a session.

        Neither the request nor the response is shown.

        Inferred: The generation of insights refers to "the existing GET insights endpoint"; its path is
        that of the generation without `/generate`.

        Sends `GET /v3/enterprise/sessions/{assistant_id}/insights`.

        Not shown by the API's description: enterprise-insights-method, enterprise-insights-permission,
        enterprise-insights-response, enterprise-insights-errors.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
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
            response = await platform.enterprise.sessions.get_insights("assistant-1")
        """
        request = Request(
            OPERATIONS["get_enterprise_session_insights"],
            OpenModel.from_item,
            path={"assistant_id": assistant_id},
            query={},
            members=unknown,
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
        **unknown: Refused,
    ) -> Pager[Session]:
        """List the sessions of the enterprise.

        With an optional filter by organizations.

        Sends `GET /v3/enterprise/sessions`.

        Not shown by the API's description: enterprise-sessions-permission, enterprise-sessions-org-ids,
        enterprise-sessions-parameters, enterprise-sessions-response, enterprise-sessions-errors.

        Args:
            first: Page size, from 1 to 200; the server's default is 100.
            after: Cursor to resume from, as given by `Pager.cursor`.
            org_ids: Only sessions of the organizations with these ids.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A pager: iterate over it for sessions, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for session in platform.enterprise.sessions.list():
                print(session)
        """
        request = Request(
            OPERATIONS["list_enterprise_sessions"],
            partial(read_payload, models.SessionPage.from_item, ["an object"]),
            path={},
            query={"first": first, "after": after, "org_ids": org_ids},
            members=unknown,
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
        **unknown: Refused,
    ) -> Pager[SessionMessage]:
        """List all messages of a session.

        In chronological order, with cursor-based pagination.

        Sends `GET /v3/enterprise/sessions/{assistant_id}/messages`.

        Not shown by the API's description: messages-error-statuses.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            first: Page size, from 1 to 200; the server's default is 100.
            after: Cursor to resume from, as given by `Pager.cursor`.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A pager: iterate over it for session messages, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks `ViewAccountSessions` at enterprise level.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for message in platform.enterprise.sessions.list_messages("assistant-1"):
                print(message)

        Rules:
            messages-chronological: Messages are listed in chronological order.
        """
        request = Request(
            OPERATIONS["list_enterprise_session_messages"],
            partial(read_payload, models.SessionMessagePage.from_item, ["an object"]),
            path={"assistant_id": assistant_id},
            query={"first": first, "after": after},
            members=unknown,
            options=options,
        )
        return self._client.paginate(request)

    def list_tags(
        self,
        assistant_id: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenList[OpenModel]:
        """List the tags of a session.

        Neither the request nor the response is shown.

        Inferred: Versioning lists tags of sessions at both scopes; path and methods follow the pattern of
        the other parts of a session.

        Sends `GET /v3/enterprise/sessions/{assistant_id}/tags`.

        Not shown by the API's description: enterprise-session-tags-list-method,
        enterprise-session-tags-list-permission, enterprise-session-tags-list-response,
        enterprise-session-tags-list-errors.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
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
            async for item in platform.enterprise.sessions.list_tags("assistant-1"):
                print(item)
        """
        request = Request(
            OPERATIONS["list_enterprise_session_tags"],
            OpenModel.from_item,
            path={"assistant_id": assistant_id},
            query={},
            members=unknown,
            options=options,
        )
        return self._client.read_list(request)

    async def replace_tags(
        self,
        /,
        assistant_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Replace the tags of a session.

        Neither the request nor the response is shown.

        Inferred: Versioning lists tags of sessions at both scopes; path and methods follow the pattern of
        the other parts of a session.

        Sends `PUT /v3/enterprise/sessions/{assistant_id}/tags`.

        Not shown by the API's description: enterprise-session-tags-replace-method,
        enterprise-session-tags-replace-permission, enterprise-session-tags-replace-request,
        enterprise-session-tags-replace-response, enterprise-session-tags-replace-errors.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
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
            await platform.enterprise.sessions.replace_tags("assistant-1", body=payload)
        """
        request = Request(
            OPERATIONS["replace_enterprise_session_tags"],
            OpenModel.from_item,
            path={"assistant_id": assistant_id},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)

    async def send_message(
        self,
        /,
        assistant_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Send a message to a session.

        The enterprise-scope form of sending a message.

        Inferred: Versioning lists sessions (create, list, get, messages, archive, terminate, tags,
        insights) as promoted at both scopes; method and path mirror those of the organization scope.

        Sends `POST /v3/enterprise/sessions/{assistant_id}/messages`.

        Not shown by the API's description: enterprise-session-message-method,
        enterprise-session-message-permission, enterprise-session-message-request,
        enterprise-session-message-response, enterprise-session-message-errors.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
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
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.sessions.send_message("assistant-1", body=payload)
        """
        request = Request(
            OPERATIONS["send_enterprise_session_message"],
            OpenModel.from_item,
            path={"assistant_id": assistant_id},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)

    async def terminate(
        self,
        assistant_id: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenModel:
        """Terminate a session.

        The enterprise-scope form of termination.

        Inferred: Versioning lists sessions (create, list, get, messages, archive, terminate, tags,
        insights) as promoted at both scopes; method and path mirror those of the organization scope.

        Sends `DELETE /v3/enterprise/sessions/{assistant_id}`.

        Not shown by the API's description: enterprise-session-terminate-method,
        enterprise-session-terminate-archive, enterprise-session-terminate-permission,
        enterprise-session-terminate-response, enterprise-session-terminate-errors.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
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
            await platform.enterprise.sessions.terminate("assistant-1")
        """
        request = Request(
            OPERATIONS["terminate_enterprise_session"],
            OpenModel.from_item,
            path={"assistant_id": assistant_id},
            query={},
            members=unknown,
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

        The description shows no event for a new item, so the list is polled. Each poll reads the last page
        again, and drops the items that the follower knows. Each item comes at least once, even after a
        crash, and exactly once within a run. One exception: if the server refuses the cursor of the last
        page, and the latest item is not in the list any more, all items come again. Where the form of the
        list is not shown, its items are the member `items`, or else the only member that is an array; items
        without an id are compared by their content.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            first: Page size, from 1 to 200; the server's default is 100.
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
            A follower: iterate over it for session messages, and keep its `position`.

        Raises:
            PermissionDeniedError: The credential lacks `ViewAccountSessions` at enterprise level.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            follower = platform.enterprise.sessions.follow_messages("assistant-1", start=store.load())
            async for item in follower:
                print(item)
                store.save(follower.position)
        """
        return self._client.follow(
            Follow(
                operation=OPERATIONS["list_enterprise_session_messages"],
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

        The description shows no event, so the object is polled, through the client's rate limiter. A poll
        that fails, for example because the server cannot be reached for a while, does not end the wait;
        closing the client does. If the server asks for a wait (Retry-After), the next poll is no sooner. If
        that is after `timeout`, the wait ends at once with the reason `deadline`, and its `error` says how
        long the server asks to wait.

        If there is a list of such objects, many waits share one poll of the list. Its items may lack
        fields: if a value by field or `changed` needs such a field, the object is read alone. But if the
        contract states a default, an absent field has this default. A function may need any field, so with
        a function the object is read alone at every poll. For many waits, prefer values by field.

        Args:
            assistant_id: Id of the session, its `session_id`, with the prefix `assistant-`.
            until: Values by field, `{"title": {"done", "failed"}}`: each field must have the given value,
                or one of the given values. Or `agent_session_platform.any_of` several of these, or
                `States`, or a function that takes the object and returns whether the wait has ended, such
                as `agent_session_platform.changed("updated_at")`. The description does not say which values
                are final: name the values that are final for you.
            unexpected: Another condition that ends the wait, in the same forms; if it names several fields,
                one match is enough.
            timeout: Seconds for the whole wait, more than 0; the timeout of a request is in `options`.
            every: Seconds between two polls, more than 0; after each poll without a change the pause is
                longer by a half.
            max_every: Seconds between two polls at most; None means six times `every`.
            stalled_after: Seconds without a change of the object after which the wait ends, at a poll that
                does not fail; None means never.
            on_change: Called with a `PolledChange` for the first poll and for each change; an awaitable
                that it returns is awaited, even beyond `timeout`. What it raises ends the wait.
            options: Timeout, retry policy, extra query or headers of each poll.

        Returns:
            The outcome: its `session` as it was read last, its `reason`, and its `error`, which may be
                None.

        Raises:
            NotFoundError: There is no such object at the first poll.
            ClientClosedError: The client was closed.
            InvalidArgumentError: An argument is refused; or the first object that is read, and its model,
                lack a field that `until` or `unexpected` names.
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            outcome = await platform.enterprise.sessions.wait("assistant-1", until=is_ready, timeout=600)
            print(outcome.reason, outcome.session)
        """
        return await self._client.wait(
            Wait(
                operation=OPERATIONS["get_enterprise_session"],
                key=assistant_id,
                read=partial(self.get, assistant_id, options=options),
                listed=lambda cursor: self.list(first=200, after=cursor, options=options),
                shared=("list_enterprise_sessions", "") if options is None else None,
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
