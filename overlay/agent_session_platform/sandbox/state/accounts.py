"""Who may do what: credentials with their kinds, permissions, levels and organizations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from ...request.credentials import NAMES
from ..journal.redaction import without
from ..problems import RefusedError, nearest

ENTERPRISE: Final = "enterprise"
ORGANIZATION: Final = "organization"
LEVELS: Final = (ENTERPRISE, ORGANIZATION)


@dataclass(frozen=True, slots=True)
class Requirement:
    """What an operation asks of a credential: one of the kinds and all of the permissions (none: any), at a level."""

    kinds: tuple[str, ...]
    permissions: tuple[str, ...]
    level: str

    def __post_init__(self) -> None:
        for kind in self.kinds:
            check_known("kind", kind, NAMES)
        check_known("level", self.level, LEVELS)


@dataclass(frozen=True, slots=True)
class Account:
    """The holder of a credential; None for `permissions` or `organizations` means all.

    What it may do at enterprise level it may do in every organization (gap permission-levels).
    """

    kind: str = "serviceUser"
    permissions: frozenset[str] | None = None
    organizations: frozenset[str] | None = None
    level: str = ENTERPRISE

    def __post_init__(self) -> None:
        check_known("kind", self.kind, NAMES)
        check_known("level", self.level, LEVELS)

    def holds(self, permission: str) -> bool:
        """Whether the permission is granted."""
        return self.permissions is None or permission in self.permissions

    def belongs_to(self, org_id: str) -> bool:
        """Whether the organization is within reach."""
        return self.organizations is None or org_id in self.organizations

    @property
    def reaches_enterprise(self) -> bool:
        """Whether its permissions hold at enterprise level."""
        return self.level == ENTERPRISE and self.organizations is None


class Accounts:
    """The known credentials."""

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
        """Make *token* known and give it back; raises ValueError for a kind or level that there is not."""
        self.by_token[token] = Account(
            kind,
            None if permissions is None else frozenset(permissions),
            None if organizations is None else frozenset(organizations),
            level,
        )
        return token

    def without_credentials(self, value: Any) -> Any:
        """The same JSON without any credential that is known, wherever it was put."""
        return without(self.by_token, value)

    def anybody(self, header: str | None) -> Account:
        """An account that may do everything, whatever the Authorization header says."""
        try:
            return Account(self.authenticate(header).kind)
        except RefusedError:
            return Account()

    def authenticate(self, header: str | None) -> Account:
        """The account of an Authorization header; refuses with 401 (rule auth-credential-invalid)."""
        challenge = {"WWW-Authenticate": "Bearer"}
        if not header:
            raise RefusedError(401, "no credential: send Authorization: Bearer <ACCESS_TOKEN>", headers=challenge)
        scheme, _, token = header.partition(" ")
        account = self.by_token.get(token) if scheme.lower() == "bearer" else None
        if account is None:
            raise RefusedError(401, "the credential is not valid", headers=challenge)
        return account


def check_known(what: str, value: str, known: Iterable[str]) -> None:
    """Raise ValueError for a value that is none of those known."""
    if value not in known:
        raise ValueError(f"{what}: there is no {value!r}{nearest(value, known) or '; there are: ' + ', '.join(known)}")


def authorize(account: Account, needs: Requirement, org_id: str | None) -> None:
    """Let an account pass that has what is asked for, in the organization if any (rule auth-permission-missing)."""
    if needs.kinds and account.kind not in needs.kinds:
        raise RefusedError(
            403, f"a credential of kind {account.kind} is not accepted here, only {' or '.join(needs.kinds)}"
        )
    for permission in needs.permissions:
        if not account.holds(permission):
            raise RefusedError(403, f"the credential lacks {permission}")
    if needs.level == ENTERPRISE and not account.reaches_enterprise:
        asked = f"the operation asks for {' and '.join(needs.permissions) or 'a credential'} at enterprise level"
        raise RefusedError(403, f"{asked}; the credential belongs to {where(account)}")
    if org_id is not None:
        check_organization(account, org_id)


def check_organization(account: Account, org_id: str) -> None:
    """Refuse an account that does not reach an organization."""
    if not account.belongs_to(org_id):
        raise RefusedError(403, f"the credential does not belong to {org_id}")


def where(account: Account) -> str:
    """The organizations that an account reaches, in words."""
    if account.organizations is None:
        return "organizations only"
    return ", ".join(sorted(account.organizations)) or "no organization"
