"""Something to look at: the same sessions, users and repositories each time, or what a JSON file lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ..request.credentials import NAMES as CREDENTIALS
from .http.routes import Contract
from .problems import RefusedError, nearest
from .resources import roles
from .shapes import DEEPEST, TEXT, TEXTS, Node, check, closed, deeper_than, parse
from .snapshots.documents import ORGANIZATION, dump, frozen, load
from .state.accounts import LEVELS
from .state.state import User

if TYPE_CHECKING:
    from .platform import Sandbox

TASKS = ("Fix the flaky test", "Upgrade the linter", "Triage new issues", "Write release notes", "Speed up the build")
ORIGINS = ("webapp", "slack", "api", "linear", "jira")
NAMES = ("Ada", "Grace", "Edsger", "Barbara", "Donald")

USER = {field.name for field in fields(User)}
OBJECT: Node = {"type": "object"}
MOMENT: Node = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$"}
# Fits nothing.
GIVEN: Node = {"not": {}}


@dataclass(frozen=True)
class Kind:
    """One list of a seed: how an item is added, what it may have, and which schema of the contract has the rest."""

    add: Callable[[Sandbox, Node], str]
    shape: Node
    described: str | None = None


def seed(sandbox: Sandbox, sessions: int) -> None:
    """Put *sessions* sessions into the first organization, and a few of everything else."""
    for number in range(sessions):
        sandbox.add_session(
            title=f"{TASKS[number % len(TASKS)]} #{number + 1}",
            origin=ORIGINS[number % len(ORIGINS)],
            acus_consumed=round(0.25 * (number % 40), 2),
            tags=["nightly"] if number % 3 == 0 else [],
        )
    for number, name in enumerate(NAMES, start=1):
        email = f"{name.lower()}@example.com"
        sandbox.add_user(User(f"user-{number}", email, name, organizations=frozenset({"org-acme"})))
    for repository in ("acme/shop", "acme/website"):
        sandbox.add_blueprint(repo_name=repository)
        sandbox.add_repository(repository)


def plant(sandbox: Sandbox, document: Any) -> dict[str, list[str]]:
    """Add what *document* lists, all or nothing, and give back the ids; raises ValueError for what cannot be meant."""
    check({"type": "object", "additionalProperties": {"type": "array"}}, document, "the seed")
    if deeper_than(DEEPEST, document):
        raise ValueError(f"the seed: it is nested deeper than {DEEPEST} levels")
    lists = cast("Mapping[str, list[Any]]", document)
    for name in lists:
        if name not in KINDS:
            raise ValueError(f"the seed: there is no {name!r}{nearest(name, KINDS)}; there are: {', '.join(KINDS)}")
    for name, kind in KINDS.items():
        for index, item in enumerate(lists.get(name, ())):
            check(shape_of(name), item, f"{name}[{index}]", hidden=kind is KINDS["credentials"])
    organizations = {*sandbox.state.organizations, *(item["org_id"] for item in lists.get("organizations", ()))}
    for name in KINDS:
        for index, item in enumerate(lists.get(name, ())):
            check_organizations(item, organizations, f"{name}[{index}]")
    before = dump(sandbox.state)
    added: dict[str, list[str]] = {}
    # In the order of the table: what others refer to comes first.
    for name, kind in KINDS.items():
        for index, item in enumerate(lists.get(name, ())):
            try:
                added.setdefault(name, []).append(kind.add(sandbox, dict(item)))
            # A member that the contract does not show may be called like a parameter.
            except (RefusedError, TypeError, ValueError) as error:
                load(sandbox.state, before)
                raise ValueError(f"{name}[{index}]: {error}") from None
    return added


def plant_file(sandbox: Sandbox, path: Path) -> None:
    """Add what a file lists; raises OSError or ValueError."""
    plant(sandbox, parse(path.read_bytes()))


@cache
def shape_of(name: str) -> Node:
    """The schema of an item, with the members that the contract describes."""
    kind = KINDS[name]
    if kind.described is None:
        return kind.shape
    contract = Contract()
    described = contract.flatten({"$ref": f"#/components/schemas/{kind.described}"})["properties"]
    # Their references are looked up from the root.
    shape = {**kind.shape, "components": contract.document["components"]}
    return {**shape, "properties": {**described, **kind.shape["properties"]}}


def check_organizations(item: Node, known: set[str], where: str) -> None:
    """Raise ValueError for an organization that there is not."""
    named = [("org_id", item["org_id"])] if "org_id" in item else []
    for place, org_id in [*named, *(("organizations", each) for each in item.get("organizations") or ())]:
        if org_id not in known:
            raise ValueError(f"{where}.{place}: there is no organization {org_id!r}{nearest(org_id, known)}")


def add_user(sandbox: Sandbox, item: Node) -> str:
    """Add a user, by registered groups when it names any."""
    settings: Node = {name: item.pop(name) for name in USER & item.keys()}
    user = User(**frozen(settings))
    return sandbox.add_idp_user(user, **item) if "group_names" in item else sandbox.add_user(user, **item)


def add_credential(sandbox: Sandbox, item: Node) -> str:
    """Make a credential known and give back its kind: the credential itself is in no answer."""
    sandbox.add_credential(**item)
    kind: str = item.get("kind", "serviceUser")
    return kind


def open_to(*required: str, **properties: Node) -> Node:
    """The schema of an object whose other members the contract does not show."""
    return {**closed(required, **properties), "additionalProperties": True}


USER_SHAPE = {"user_id": TEXT, "organizations": TEXTS, "permissions": TEXTS}

KINDS: dict[str, Kind] = {
    "organizations": Kind(lambda sandbox, item: sandbox.add_organization(**item).org_id, ORGANIZATION),
    "roles": Kind(
        lambda sandbox, item: sandbox.add_role(**item),
        closed(
            ("role_id", "permissions"), role_id=TEXT, permissions=TEXTS, name=TEXT, role_type={"enum": [*roles.TYPES]}
        ),
    ),
    "idp_groups": Kind(
        lambda sandbox, item: sandbox.add_idp_group(**item),
        closed(("name",), name=TEXT, role_assignments={"type": "array", "items": OBJECT}),
    ),
    "users": Kind(add_user, closed(("user_id",), **USER_SHAPE), "EnterpriseUser"),
    "idp_users": Kind(
        add_user, closed(("user_id", "group_names"), **USER_SHAPE, email=TEXT, name=TEXT, group_names=TEXTS)
    ),
    "credentials": Kind(
        add_credential,
        closed(
            ("token",),
            token=TEXT,
            kind={"enum": [*CREDENTIALS]},
            permissions=TEXTS,
            organizations=TEXTS,
            level={"enum": [*LEVELS]},
        ),
    ),
    "blueprints": Kind(lambda sandbox, item: sandbox.add_blueprint(**item), closed(), "Blueprint"),
    "repositories": Kind(
        lambda sandbox, item: sandbox.add_repository(**item),
        closed(("name",), name=TEXT, org_id=TEXT),
        "RepositoryIndexStatus",
    ),
    "hypervisors": Kind(lambda sandbox, item: sandbox.add_hypervisor(**item), open_to()),
    "searches": Kind(lambda sandbox, item: sandbox.add_search(**item), open_to(org_id=TEXT)),
    "git_permissions": Kind(lambda sandbox, item: sandbox.add_git_permission(**item), open_to(org_id=TEXT)),
    "git_repositories": Kind(
        lambda sandbox, item: sandbox.add_git_repository(**item),
        open_to("connection_id", "name", connection_id=TEXT, name=TEXT),
    ),
    "consumption": Kind(lambda sandbox, item: sandbox.add_consumption(**item), open_to("tail", tail=TEXT)),
    "metrics": Kind(lambda sandbox, item: sandbox.add_metrics(**item), open_to("tail", tail=TEXT)),
    "automations": Kind(lambda sandbox, item: sandbox.add_automation(**item), open_to(org_id=TEXT, created_at=MOMENT)),
    # Its id is given by the sandbox: messages and everything else are found by it.
    "sessions": Kind(
        lambda sandbox, item: sandbox.add_session(**item), closed(org_id=TEXT, session_id=GIVEN), "Session"
    ),
    "guardrail_violations": Kind(
        lambda sandbox, item: sandbox.add_guardrail_violation(**item),
        open_to("org_id", "session_id", "guardrail_id", org_id=TEXT, session_id=TEXT, guardrail_id=TEXT),
    ),
}
