# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The scopes of the API, each with its resources, and the bases of the classes with the methods of a resource."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from ..interface import Client

if TYPE_CHECKING:
    from .acu_limits import EnterpriseAcuLimits
    from .attachments import OrganizationAttachments
    from .audit_logs import EnterpriseAuditLogs, OrganizationAuditLogs
    from .automations import OrganizationAutomations
    from .blueprints import EnterpriseBlueprints
    from .consumption import EnterpriseConsumption
    from .default_session_tags import OrganizationDefaultSessionTags
    from .git_connections import EnterpriseGitConnections
    from .git_permissions import EnterpriseGitPermissions
    from .guardrail_violations import EnterpriseGuardrailViolations
    from .hypervisors import EnterpriseHypervisors
    from .idp_groups import EnterpriseIdpGroups
    from .ip_access_list import EnterpriseIpAccessList
    from .knowledge_notes import OrganizationKnowledgeNotes
    from .members import EnterpriseMembers, OrganizationMembers
    from .metrics import EnterpriseMetrics
    from .org_group_limits import EnterpriseOrgGroupLimits
    from .organizations import EnterpriseOrganizations
    from .playbooks import OrganizationPlaybooks
    from .queue import EnterpriseQueue
    from .repositories import EnterpriseRepositories
    from .reviews import EnterpriseReviews
    from .roles import EnterpriseRoles
    from .schedules import OrganizationSchedules
    from .searches import EnterpriseSearches, OrganizationSearches
    from .secrets import OrganizationSecrets
    from .service_users import EnterpriseServiceUsers, OrganizationServiceUsers
    from .sessions import EnterpriseSessions, OrganizationSessions


class ResourceMethods:
    """The base of the classes with the methods of a resource.

    Attributes:
        scope: The scope of the resource: `organization`, `enterprise`, or `platform` for a path in neither.
        resource: The name of the resource, such as `sessions`.
    """

    scope: ClassVar[str]
    resource: ClassVar[str]

    def __init__(self, client: Client) -> None:
        self._client = client

    @property
    def base_url(self) -> str:
        """The address of the server, without a slash at its end; it has no credential."""
        return self._client.base_url


class OrganizationMethods(ResourceMethods):
    """The base of the classes with the methods of a resource of one organization."""

    def __init__(self, client: Client, org_id: str) -> None:
        super().__init__(client)
        self.org_id = org_id


class OrganizationScope:
    """The resources of one organization: paths under `/v3/organizations/{org_id}/`."""

    def __init__(self, client: Client, org_id: str) -> None:
        self._client = client
        self.org_id = org_id

    def __repr__(self) -> str:
        return f"OrganizationScope({self.org_id!r})"

    @cached_property
    def attachments(self) -> OrganizationAttachments:
        """The attachments of the organization."""
        from .attachments import OrganizationAttachments

        return OrganizationAttachments(self._client, self.org_id)

    @cached_property
    def audit_logs(self) -> OrganizationAuditLogs:
        """The audit logs of the organization."""
        from .audit_logs import OrganizationAuditLogs

        return OrganizationAuditLogs(self._client, self.org_id)

    @cached_property
    def automations(self) -> OrganizationAutomations:
        """The automations of the organization."""
        from .automations import OrganizationAutomations

        return OrganizationAutomations(self._client, self.org_id)

    @cached_property
    def default_session_tags(self) -> OrganizationDefaultSessionTags:
        """The default session tags of the organization."""
        from .default_session_tags import OrganizationDefaultSessionTags

        return OrganizationDefaultSessionTags(self._client, self.org_id)

    @cached_property
    def knowledge_notes(self) -> OrganizationKnowledgeNotes:
        """The knowledge notes of the organization."""
        from .knowledge_notes import OrganizationKnowledgeNotes

        return OrganizationKnowledgeNotes(self._client, self.org_id)

    @cached_property
    def members(self) -> OrganizationMembers:
        """The members of the organization."""
        from .members import OrganizationMembers

        return OrganizationMembers(self._client, self.org_id)

    @cached_property
    def playbooks(self) -> OrganizationPlaybooks:
        """The playbooks of the organization."""
        from .playbooks import OrganizationPlaybooks

        return OrganizationPlaybooks(self._client, self.org_id)

    @cached_property
    def schedules(self) -> OrganizationSchedules:
        """The schedules of the organization."""
        from .schedules import OrganizationSchedules

        return OrganizationSchedules(self._client, self.org_id)

    @cached_property
    def searches(self) -> OrganizationSearches:
        """The searches of the organization."""
        from .searches import OrganizationSearches

        return OrganizationSearches(self._client, self.org_id)

    @cached_property
    def secrets(self) -> OrganizationSecrets:
        """The secrets of the organization."""
        from .secrets import OrganizationSecrets

        return OrganizationSecrets(self._client, self.org_id)

    @cached_property
    def service_users(self) -> OrganizationServiceUsers:
        """The service users of the organization."""
        from .service_users import OrganizationServiceUsers

        return OrganizationServiceUsers(self._client, self.org_id)

    @cached_property
    def sessions(self) -> OrganizationSessions:
        """The sessions of the organization."""
        from .sessions import OrganizationSessions

        return OrganizationSessions(self._client, self.org_id)


class EnterpriseScope:
    """The resources of the enterprise: paths under `/v3/enterprise/`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def __repr__(self) -> str:
        return "EnterpriseScope()"

    @cached_property
    def acu_limits(self) -> EnterpriseAcuLimits:
        """The acu limits of the enterprise."""
        from .acu_limits import EnterpriseAcuLimits

        return EnterpriseAcuLimits(self._client)

    @cached_property
    def audit_logs(self) -> EnterpriseAuditLogs:
        """The audit logs of the enterprise."""
        from .audit_logs import EnterpriseAuditLogs

        return EnterpriseAuditLogs(self._client)

    @cached_property
    def blueprints(self) -> EnterpriseBlueprints:
        """The blueprints of the enterprise."""
        from .blueprints import EnterpriseBlueprints

        return EnterpriseBlueprints(self._client)

    @cached_property
    def consumption(self) -> EnterpriseConsumption:
        """The consumption of the enterprise."""
        from .consumption import EnterpriseConsumption

        return EnterpriseConsumption(self._client)

    @cached_property
    def git_connections(self) -> EnterpriseGitConnections:
        """The git connections of the enterprise."""
        from .git_connections import EnterpriseGitConnections

        return EnterpriseGitConnections(self._client)

    @cached_property
    def git_permissions(self) -> EnterpriseGitPermissions:
        """The git permissions of the enterprise."""
        from .git_permissions import EnterpriseGitPermissions

        return EnterpriseGitPermissions(self._client)

    @cached_property
    def guardrail_violations(self) -> EnterpriseGuardrailViolations:
        """The guardrail violations of the enterprise."""
        from .guardrail_violations import EnterpriseGuardrailViolations

        return EnterpriseGuardrailViolations(self._client)

    @cached_property
    def hypervisors(self) -> EnterpriseHypervisors:
        """The hypervisors of the enterprise."""
        from .hypervisors import EnterpriseHypervisors

        return EnterpriseHypervisors(self._client)

    @cached_property
    def idp_groups(self) -> EnterpriseIdpGroups:
        """The idp groups of the enterprise."""
        from .idp_groups import EnterpriseIdpGroups

        return EnterpriseIdpGroups(self._client)

    @cached_property
    def ip_access_list(self) -> EnterpriseIpAccessList:
        """The ip access list of the enterprise."""
        from .ip_access_list import EnterpriseIpAccessList

        return EnterpriseIpAccessList(self._client)

    @cached_property
    def members(self) -> EnterpriseMembers:
        """The members of the enterprise."""
        from .members import EnterpriseMembers

        return EnterpriseMembers(self._client)

    @cached_property
    def metrics(self) -> EnterpriseMetrics:
        """The metrics of the enterprise."""
        from .metrics import EnterpriseMetrics

        return EnterpriseMetrics(self._client)

    @cached_property
    def org_group_limits(self) -> EnterpriseOrgGroupLimits:
        """The org group limits of the enterprise."""
        from .org_group_limits import EnterpriseOrgGroupLimits

        return EnterpriseOrgGroupLimits(self._client)

    @cached_property
    def organizations(self) -> EnterpriseOrganizations:
        """The organizations of the enterprise."""
        from .organizations import EnterpriseOrganizations

        return EnterpriseOrganizations(self._client)

    @cached_property
    def queue(self) -> EnterpriseQueue:
        """The queue of the enterprise."""
        from .queue import EnterpriseQueue

        return EnterpriseQueue(self._client)

    @cached_property
    def repositories(self) -> EnterpriseRepositories:
        """The repositories of the enterprise."""
        from .repositories import EnterpriseRepositories

        return EnterpriseRepositories(self._client)

    @cached_property
    def reviews(self) -> EnterpriseReviews:
        """The reviews of the enterprise."""
        from .reviews import EnterpriseReviews

        return EnterpriseReviews(self._client)

    @cached_property
    def roles(self) -> EnterpriseRoles:
        """The roles of the enterprise."""
        from .roles import EnterpriseRoles

        return EnterpriseRoles(self._client)

    @cached_property
    def searches(self) -> EnterpriseSearches:
        """The searches of the enterprise."""
        from .searches import EnterpriseSearches

        return EnterpriseSearches(self._client)

    @cached_property
    def service_users(self) -> EnterpriseServiceUsers:
        """The service users of the enterprise."""
        from .service_users import EnterpriseServiceUsers

        return EnterpriseServiceUsers(self._client)

    @cached_property
    def sessions(self) -> EnterpriseSessions:
        """The sessions of the enterprise."""
        from .sessions import EnterpriseSessions

        return EnterpriseSessions(self._client)


class PlatformScope:
    """The resources of the platform itself: paths in neither scope. Only the contract of a build may have some."""

    def __init__(self, client: Client) -> None:
        self._client = client
