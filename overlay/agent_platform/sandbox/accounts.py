"""Who may do what: credentials with their kinds, permissions and organizations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from ..credentials import SHORTEST_REDACTED
from .journal import HIDDEN
from .problems import RefusedError


@dataclass(frozen=True, slots=True)
class Account:
    """The holder of a credential; None for `permissions` or `organizations` means all."""

    kind: str = "serviceUser"
    permissions: frozenset[str] | None = None
    organizations: frozenset[str] | None = None

    def holds(self, permission: str) -> bool:
        """Whether the permission is granted."""
        return self.permissions is None or permission in self.permissions

    def belongs_to(self, org_id: str) -> bool:
        """Whether the organization is within reach."""
        return self.organizations is None or org_id in self.organizations


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
    ) -> str:
        """Make *token* known and give it back."""
        self.by_token[token] = Account(
            kind,
            None if permissions is None else frozenset(permissions),
            None if organizations is None else frozenset(organizations),
        )
        return token

    def without_credentials(self, value: Any) -> Any:
        """The same JSON without any credential that is known, wherever it was put."""
        if isinstance(value, str):
            # The longest first: one may begin with another.
            for token in sorted(self.by_token, key=len, reverse=True):
                if len(token) >= SHORTEST_REDACTED:
                    value = value.replace(token, HIDDEN)
            return value
        if isinstance(value, list):
            return [self.without_credentials(each) for each in value]  # pyright: ignore[reportUnknownVariableType]  # any JSON
        if isinstance(value, dict):
            members = cast("dict[str, Any]", value).items()
            return {self.without_credentials(name): self.without_credentials(each) for name, each in members}
        return value

    def anybody(self, header: str | None) -> Account:
        """The account of an Authorization header, or else one that may do everything."""
        try:
            return self.authenticate(header)
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


def authorize(account: Account, security: list[dict[str, list[str]]], org_id: str | None) -> None:
    """Let an account pass that has the kind, the permission and the organization (rule auth-permission-missing)."""
    accepted: dict[str, Any] = {kind: names for entry in security for kind, names in entry.items()}
    if accepted and account.kind not in accepted:
        raise RefusedError(
            403, f"a credential of kind {account.kind} is not accepted here, only {' or '.join(accepted)}"
        )
    for permission in accepted.get(account.kind, ()):
        if not account.holds(permission):
            raise RefusedError(403, f"the credential lacks {permission}")
    if org_id is not None and not account.belongs_to(org_id):
        raise RefusedError(403, f"the credential does not belong to {org_id}")
