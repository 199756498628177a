"""Accounts: the known credentials, and the permissions of each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from ..contract import ENTERPRISE, Requirement, is_kind, is_level
from ..problems import RefusedError
from ..redaction import redact_tokens


def _frozen_or_none(values: Iterable[str] | None) -> frozenset[str] | None:
    return None if values is None else frozenset(values)


@attrs.frozen
class Account:
    """The holder of a credential.

    Permissions at enterprise level apply in every organization (gap permission-levels).

    Attributes:
        kind: Kind of the credential.
        permissions: Granted permissions; None grants all.
        organizations: Organizations it belongs to; None for all.
        level: `enterprise` or `organization`.
    """

    kind: str = attrs.field(default="serviceUser", validator=is_kind)
    permissions: frozenset[str] | None = attrs.field(default=None, converter=_frozen_or_none)
    organizations: frozenset[str] | None = attrs.field(default=None, converter=_frozen_or_none)
    level: str = attrs.field(default=ENTERPRISE, validator=is_level)

    def holds(self, permission: str) -> bool:
        """Return whether the permission is granted."""
        return self.permissions is None or permission in self.permissions

    def belongs_to(self, org_id: str) -> bool:
        """Return whether the account belongs to the organization."""
        return self.organizations is None or org_id in self.organizations

    @property
    def has_enterprise_level(self) -> bool:
        """True if the permissions apply at enterprise level."""
        return self.level == ENTERPRISE and self.organizations is None


class Accounts:
    """The accounts by their credentials."""

    def __init__(self) -> None:
        self.by_token: dict[str, Account] = {}

    def add(
        self,
        token: str,
        kind: str,
        permissions: Iterable[str] | None = None,
        organizations: Iterable[str] | None = None,
        level: str = ENTERPRISE,
    ) -> str:
        """Add a credential, and return it.

        Raises:
            ValueError: There is no such kind or level.
        """
        # A new dict, because another thread may be going through the old one.
        self.by_token = {**self.by_token, token: Account(kind, permissions, organizations, level)}
        return token

    def redact(self, value: Any) -> Any:
        """Return a copy of JSON without any of the known credentials."""
        return redact_tokens(self.by_token, value)

    def authenticate(self, header: str | None) -> Account:
        """Return the account of an Authorization header.

        Raises:
            RefusedError: 401 without a known credential (rule auth-credential-invalid).
        """
        challenge = {"WWW-Authenticate": "Bearer"}
        if not header:
            raise RefusedError(401, "no credential: send Authorization: Bearer <ACCESS_TOKEN>", headers=challenge)
        scheme, _, token = header.partition(" ")
        account = self.by_token.get(token) if scheme.lower() == "bearer" else None
        if account is None:
            raise RefusedError(401, "the credential is not valid", headers=challenge)
        return account

    def unrestricted(self, header: str | None) -> Account:
        """Return an account that may do everything, of the kind of the credential if that is known."""
        try:
            return Account(self.authenticate(header).kind)
        except RefusedError:
            return Account()


def authorize(account: Account, requirement: Requirement, org_id: str | None) -> None:
    """Check that an account meets the requirement of an operation.

    Args:
        account: Holder of the credential.
        requirement: The credential that the operation requires.
        org_id: The organization in the path, if there is one.

    Raises:
        RefusedError: 403 if something is missing (rule auth-permission-missing).
    """
    if requirement.kinds and account.kind not in requirement.kinds:
        accepted = " or ".join(requirement.kinds)
        raise RefusedError(403, f"a credential of kind {account.kind} is not accepted here, only {accepted}")
    for permission in requirement.permissions:
        if not account.holds(permission):
            raise RefusedError(403, f"the credential lacks {permission}")
    if requirement.level == ENTERPRISE and not account.has_enterprise_level:
        permissions = " and ".join(requirement.permissions) or "a credential"
        belongs_to = "organizations only"
        if account.organizations is not None:
            belongs_to = ", ".join(sorted(account.organizations)) or "no organization"
        detail = f"the operation requires {permissions} at enterprise level; the credential belongs to {belongs_to}"
        raise RefusedError(403, detail)
    if org_id is not None:
        check_organization(account, org_id)


def check_organization(account: Account, org_id: str) -> None:
    """Refuse (403) an account that does not belong to the organization."""
    if not account.belongs_to(org_id):
        raise RefusedError(403, f"the credential does not belong to {org_id}")
