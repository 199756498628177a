# Generated from openapi.yaml by codegen/generate.py: change those, not this file.
"""The two scopes of the API, each with its resources."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..client import Client
    from .automations import OrganizationAutomations
    from .blueprints import EnterpriseBlueprints
    from .members import EnterpriseMembers
    from .repositories import EnterpriseRepositories
    from .reviews import EnterpriseReviews
    from .schedules import OrganizationSchedules
    from .sessions import EnterpriseSessions, OrganizationSessions


class OrganizationScope:
    """The resources of one organization: paths under `/v3/organizations/{org_id}/`."""

    __slots__ = ("_client", "org_id")

    def __init__(self, client: Client, org_id: str) -> None:
        self._client = client
        self.org_id = org_id

    def __repr__(self) -> str:
        return f"OrganizationScope({self.org_id!r})"

    @property
    def automations(self) -> OrganizationAutomations:
        """The automations of the organization."""
        from .automations import OrganizationAutomations

        return OrganizationAutomations(self._client, self.org_id)

    @property
    def schedules(self) -> OrganizationSchedules:
        """The schedules of the organization."""
        from .schedules import OrganizationSchedules

        return OrganizationSchedules(self._client, self.org_id)

    @property
    def sessions(self) -> OrganizationSessions:
        """The sessions of the organization."""
        from .sessions import OrganizationSessions

        return OrganizationSessions(self._client, self.org_id)


class EnterpriseScope:
    """The resources of the enterprise: paths under `/v3/enterprise/`."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    def __repr__(self) -> str:
        return "EnterpriseScope()"

    @property
    def blueprints(self) -> EnterpriseBlueprints:
        """The blueprints of the enterprise."""
        from .blueprints import EnterpriseBlueprints

        return EnterpriseBlueprints(self._client)

    @property
    def members(self) -> EnterpriseMembers:
        """The members of the enterprise."""
        from .members import EnterpriseMembers

        return EnterpriseMembers(self._client)

    @property
    def repositories(self) -> EnterpriseRepositories:
        """The repositories of the enterprise."""
        from .repositories import EnterpriseRepositories

        return EnterpriseRepositories(self._client)

    @property
    def reviews(self) -> EnterpriseReviews:
        """The reviews of the enterprise."""
        from .reviews import EnterpriseReviews

        return EnterpriseReviews(self._client)

    @property
    def sessions(self) -> EnterpriseSessions:
        """The sessions of the enterprise."""
        from .sessions import EnterpriseSessions

        return EnterpriseSessions(self._client)
