"""Seeds: JSON documents that list the content to add to a sandbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import attrs

from ..contract import KINDS, LEVELS, load_contract
from ..problems import RefusedError, suggestion
from ..snapshots import ORGANIZATION, dump, load
from ..state import User
from ..validation import MAX_DEPTH, TEXT, TEXTS, Node, check, closed_object, is_deeper_than
from .population import Population

OBJECT: Node = {"type": "object"}
DATETIME: Node = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$"}
# Matches nothing.
SET_BY_SANDBOX: Node = {"not": {}}


@attrs.frozen
class SeedList:
    """One list of a seed.

    Attributes:
        add: Adds an item, whose members are keyword arguments, to a population, and returns its id.
        schema: The members of an item.
        described: The schema of the contract that has the other members, if there is one.
    """

    add: Callable[..., str]
    schema: Node
    described: str | None = None

    def item_schema(self) -> Node:
        """Return the schema of an item, with the members that the contract describes."""
        if self.described is None:
            return self.schema
        contract = load_contract()
        described = contract.flatten({"$ref": f"#/components/schemas/{self.described}"})["properties"]
        # References are looked up from the root of the schema.
        with_components = {**self.schema, "components": contract.document["components"]}
        return {**with_components, "properties": {**described, **self.schema["properties"]}}


def add_seed(population: Population, document: Any) -> dict[str, list[str]]:
    """Add all items of a seed, or none if one of them is not valid.

    Args:
        population: The sandbox.
        document: The seed, such as `{"sessions": [{"title": "Fix it"}]}`.

    Returns:
        The ids of what was added, by list.

    Raises:
        ValueError: A list or an item is not valid. The message names the place and suggests a correction.
    """
    items = _checked(population, document)
    before = dump(population.state)
    added: dict[str, list[str]] = {}
    for name, index, item in items:
        try:
            added.setdefault(name, []).append(LISTS[name].add(population, **item))
        # A member that the contract does not show may have the name of a parameter.
        except (RefusedError, TypeError, ValueError) as error:
            load(population.state, before)
            raise ValueError(f"{name}[{index}]: {error}") from None
    return added


def _checked(population: Population, document: Any) -> list[tuple[str, int, Node]]:
    """Return the items, if all are valid; each item comes after the items that it may refer to."""
    check({"type": "object", "additionalProperties": {"type": "array"}}, document, "the seed")
    if is_deeper_than(MAX_DEPTH, document):
        raise ValueError(f"the seed: it is nested deeper than {MAX_DEPTH} levels")
    given = cast("Mapping[str, list[Any]]", document)
    for name in given:
        if name not in LISTS:
            raise ValueError(f"the seed: there is no {name!r}{suggestion(name, LISTS)}; known: {', '.join(LISTS)}")
    items = [(name, index, item) for name in LISTS for index, item in enumerate(given.get(name, ()))]
    schemas = {name: LISTS[name].item_schema() for name in given}
    for name, index, item in items:
        check(schemas[name], item, f"{name}[{index}]", hidden=name == "credentials")
    organizations = {*population.state.organizations, *(each["org_id"] for each in given.get("organizations", ()))}
    for name, index, item in items:
        _check_organizations(item, organizations, f"{name}[{index}]")
    return items


def _check_organizations(item: Node, known: set[str], where: str) -> None:
    named = [("org_id", item["org_id"])] if "org_id" in item else []
    for place, org_id in [*named, *(("organizations", each) for each in item.get("organizations") or ())]:
        if org_id not in known:
            raise ValueError(f"{where}.{place}: there is no organization {org_id!r}{suggestion(org_id, known)}")


def _add_organization(population: Population, **item: Any) -> str:
    return population.add_organization(**item).org_id


def _add_user(population: Population, **item: Any) -> str:
    user = User(**{field.name: item.pop(field.name) for field in attrs.fields(User) if field.name in item})
    return population.add_idp_user(user, **item) if "group_names" in item else population.add_user(user, **item)


def _add_credential(population: Population, **item: Any) -> str:
    """Add a credential, and return its kind, because no response may contain the credential."""
    population.add_credential(**item)
    return str(item.get("kind", "serviceUser"))


def _open_object(*required: str, **properties: Node) -> Node:
    """Return the schema of an object that may have any other members, because the contract does not show them."""
    return {**closed_object(required, **properties), "additionalProperties": True}


USER = {"user_id": TEXT, "organizations": TEXTS, "permissions": TEXTS}

# In the order of addition: a list comes after the lists that its items may refer to.
LISTS: dict[str, SeedList] = {
    "organizations": SeedList(_add_organization, ORGANIZATION),
    "roles": SeedList(
        Population.add_role,
        closed_object(("role_id", "permissions"), role_id=TEXT, permissions=TEXTS, name=TEXT, role_type=TEXT),
    ),
    "idp_groups": SeedList(
        Population.add_idp_group,
        closed_object(("name",), name=TEXT, role_assignments={"type": "array", "items": OBJECT}),
    ),
    "users": SeedList(_add_user, closed_object(("user_id",), **USER), "EnterpriseUser"),
    "idp_users": SeedList(
        _add_user, closed_object(("user_id", "group_names"), **USER, email=TEXT, name=TEXT, group_names=TEXTS)
    ),
    "credentials": SeedList(
        _add_credential,
        closed_object(
            ("token",),
            token=TEXT,
            kind={"enum": [*KINDS]},
            permissions=TEXTS,
            organizations=TEXTS,
            level={"enum": [*LEVELS]},
        ),
    ),
    "blueprints": SeedList(Population.add_blueprint, closed_object(), "Blueprint"),
    "repositories": SeedList(
        Population.add_repository, closed_object(("name",), name=TEXT, org_id=TEXT), "RepositoryIndexStatus"
    ),
    "hypervisors": SeedList(Population.add_hypervisor, _open_object()),
    "searches": SeedList(Population.add_search, _open_object(org_id=TEXT)),
    "git_permissions": SeedList(Population.add_git_permission, _open_object(org_id=TEXT)),
    "git_repositories": SeedList(
        Population.add_git_repository, _open_object("connection_id", "name", connection_id=TEXT, name=TEXT)
    ),
    "consumption": SeedList(Population.add_consumption, _open_object("tail", tail=TEXT)),
    "metrics": SeedList(Population.add_metrics, _open_object("tail", tail=TEXT)),
    "automations": SeedList(Population.add_automation, _open_object(org_id=TEXT, created_at=DATETIME)),
    # Other records refer to a session by its id, so the sandbox must set it.
    "sessions": SeedList(Population.add_session, closed_object(org_id=TEXT, session_id=SET_BY_SANDBOX), "Session"),
    "guardrail_violations": SeedList(
        Population.add_guardrail_violation,
        _open_object("org_id", "session_id", "guardrail_id", org_id=TEXT, session_id=TEXT, guardrail_id=TEXT),
    ),
}
