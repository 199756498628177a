"""Population: content that tests, seeds and demos add to a sandbox without a request."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from typing import Any, Final, cast

import attrs

from .contract import ENTERPRISE, KINDS, LEVELS, load_contract
from .problems import RefusedError, UnknownNameError, suggestion
from .resources import assistant, automations, enterprise, knowledge, members, repositories, sessions
from .snapshots import ORGANIZATION, dump, load
from .state import Organization, State, Turn, User, check_fields, synchronized
from .validation import MAX_DEPTH, TEXT, TEXTS, Node, check, closed_object, is_deeper_than

ORGANIZATIONS: Final = ("org-acme", "org-globex")


@synchronized
class Population:
    """The content of a sandbox. Further keyword arguments of an `add_` method become members of the new record.

    Args:
        state: State of the sandbox.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.accounts = state.accounts

    def add_organization(self, org_id: str, **settings: Any) -> Organization:
        """Add an organization; settings are the attributes of `Organization`."""
        organization = self.state.organizations[org_id] = Organization(org_id, **settings)
        return organization

    def add_credential(
        self,
        token: str,
        *,
        kind: str = "serviceUser",
        permissions: Iterable[str] | None = None,
        organizations: Iterable[str] | None = None,
        level: str = ENTERPRISE,
    ) -> str:
        """Add a credential, and return it.

        Args:
            token: The credential.
            kind: `serviceUser`, `personalAccessToken` or `enterpriseAdminApiKey`.
            permissions: Granted permissions; None grants all.
            organizations: Organizations it belongs to; None for all. With any, it has no access at enterprise level.
            level: `enterprise` or `organization`.

        Raises:
            ValueError: There is no such kind or level.
        """
        return self.accounts.add(token, kind, permissions, organizations, level)

    def remove_credential(self, token: str) -> None:
        """Remove a credential, as if it had expired.

        Raises:
            UnknownNameError: The credential is not known (a KeyError).
        """
        known = {**self.accounts.by_token}
        if known.pop(token, None) is None:
            raise UnknownNameError(
                "the credential is not known (its value is left out, because it may be a real credential)"
            )
        self.accounts.by_token = known

    def add_session(self, org_id: str = ORGANIZATIONS[0], **fields: Any) -> str:
        """Add a session, and return its id."""
        return str(sessions.add_session(self.state, org_id, **fields).fields["session_id"])

    def add_user(self, user: User, **fields: Any) -> str:
        """Add a user with direct role assignments, and return the id."""
        members.add_member(self.state, user, **fields)
        return user.user_id

    def add_idp_group(self, name: str, role_assignments: Iterable[dict[str, Any]] = ()) -> str:
        """Register a group of the identity provider, and return its name.

        Args:
            name: Name of the group.
            role_assignments: Objects with `role` and `org_id`.
        """
        members.add_idp_group(self.state, name, role_assignments)
        return name

    def add_idp_user(self, user: User, group_names: Iterable[str], **fields: Any) -> str:
        """Add a user who is a member through registered groups, and return the id."""
        members.add_by_groups(self.state, user, group_names, **fields)
        return user.user_id

    def add_role(self, role_id: str, permissions: Iterable[str], *, name: str = "Role", role_type: str = "org") -> str:
        """Add a role for service users, and return its id.

        Args:
            role_id: Id of the role.
            permissions: Permissions that it grants.
            name: Name of the role.
            role_type: `org` grants the permissions in organizations, `enterprise` everywhere.

        Raises:
            ValueError: There is no such type.
        """
        members.add_role(self.state, role_id, permissions, name=name, role_type=role_type)
        return role_id

    def add_hypervisor(self, **fields: Any) -> str:
        """Add a hypervisor, and return its id."""
        return str(enterprise.add_hypervisor(self.state, **fields).fields["hypervisor_id"])

    def add_guardrail_violation(self, org_id: str, session_id: str, guardrail_id: str, **fields: Any) -> str:
        """Add the violation of a guardrail by a session, and return its id."""
        violation = enterprise.add_violation(self.state, org_id, session_id, guardrail_id, **fields)
        return str(violation.fields["violation_id"])

    def add_blueprint(self, **fields: Any) -> str:
        """Add a blueprint, and return its id."""
        return str(knowledge.add_blueprint(self.state, **fields).fields["blueprint_id"])

    def add_repository(self, name: str, org_id: str = ORGANIZATIONS[0], **fields: Any) -> str:
        """Add an indexed repository, and return its name."""
        repositories.add_indexed_repository(self.state, org_id, name, **fields)
        return name

    def add_automation(self, org_id: str = ORGANIZATIONS[0], **fields: Any) -> str:
        """Add an automation, and return its id."""
        return str(automations.add(self.state, org_id, **fields).fields["automation_id"])

    def add_search(self, org_id: str = ORGANIZATIONS[0], **fields: Any) -> str:
        """Add a search, and return its id; with `user_id` the user counts as active."""
        return str(enterprise.add_search(self.state, org_id, **fields).fields["search_id"])

    def add_git_permission(self, org_id: str = ORGANIZATIONS[0], **fields: Any) -> str:
        """Add a git permission of an organization, and return its id."""
        return str(repositories.add_permission(self.state, org_id, **fields).fields["git_permission_id"])

    def add_git_repository(self, connection_id: str, name: str, **fields: Any) -> str:
        """Add a repository of a git connection, and return its name."""
        repositories.add_repository(self.state, connection_id, name, **fields)
        return name

    def add_consumption(self, tail: str, **fields: Any) -> str:
        """Set the response of `enterprise.consumption.get(tail)`, and return *tail*."""
        enterprise.add_usage(self.state, enterprise.CONSUMPTION, tail, fields)
        return tail

    def add_metrics(self, tail: str, **fields: Any) -> str:
        """Set the response of `enterprise.metrics.get(tail)`, and return *tail*."""
        enterprise.add_usage(self.state, enterprise.METRICS, tail, fields)
        return tail

    def suspend_session(self, session_id: str, org_id: str | None = None) -> None:
        """Suspend a session, as the platform sometimes does. A message resumes it.

        Args:
            session_id: The session.
            org_id: Its organization; None for any.

        Raises:
            RefusedError: There is no such session in the organization.
        """
        sessions.locate(self.state, session_id, org_id).fields["status"] = sessions.SUSPENDED

    def update_session(self, session_id: str, /, **fields: Any) -> dict[str, Any]:
        """Set members of a session, and return all of its members.

        Args:
            session_id: The session, of any organization.
            fields: The members: any names and JSON values except `session_id` and `org_id`. None is sent as null.
                `updated_at` becomes the current time unless it is given.

        Raises:
            InvalidArgumentError: A member cannot be set.
            RefusedError: There is no such session.

        Example:
            sandbox.update_session(session_id, status="ready", pull_requests=[{"pr_url": "https://..."}])
        """
        session = sessions.locate(self.state, session_id)
        assistant.change(self.state, session, check_fields(fields))
        return deepcopy(session.fields)

    def add_message(self, session_id: str, text: str, /, source: str = "assistant", **fields: Any) -> dict[str, Any]:
        """Add a message to a session, and return it. The script of `on_message` is not called.

        Args:
            session_id: The session, of any organization.
            text: The text.
            source: Who sent it.
            fields: Further members, or other values than the sandbox's own, such as `created_at`.

        Raises:
            InvalidArgumentError: A member is not JSON.
            RefusedError: There is no such session.
        """
        session = sessions.locate(self.state, session_id)
        return deepcopy(assistant.add_message(self.state, session, source, text, check_fields(fields)).fields)

    def plan_session(
        self, session_id: str, /, *, after: float, text: str | None = None, source: str = "assistant", **fields: Any
    ) -> None:
        """Plan a message, a change of a session or both. It happens when the clock has moved far enough.

        Termination and removal of the session cancel it; a snapshot keeps it.

        Args:
            session_id: The session, of any organization.
            after: Seconds of the sandbox's clock from now on; 0 is at once.
            text: Text of a message; None for none.
            source: `source` of the message.
            fields: Members to set, as for `update_session`.

        Raises:
            InvalidArgumentError: A setting is not valid, or there is neither a text nor a member.
            RefusedError: There is no such session.

        Example:
            sandbox.plan_session(session_id, after=600, text="Done.", status="ready")
            sandbox.clock.advance(minutes=10)
        """
        session = sessions.locate(self.state, session_id)
        assistant.take_turn(self.state, session, Turn(text, after=after, fields=fields, source=source))

    def remove_session(self, session_id: str, /) -> None:
        """Remove a session, which is then unknown to all operations (404).

        Raises:
            RefusedError: There is no such session.
        """
        sessions.remove(self.state, session_id)


TASKS = ("Fix the flaky test", "Upgrade the linter", "Triage new issues", "Write release notes", "Speed up the build")
ORIGINS = ("webapp", "slack", "api", "linear", "jira")
NAMES = ("Ada", "Grace", "Edsger", "Barbara", "Donald")


def add_demo(population: Population, sessions: int) -> None:
    """Add sessions to the first organization, and a few users, blueprints and repositories.

    Args:
        population: The sandbox.
        sessions: Number of sessions to add.
    """
    for number in range(sessions):
        population.add_session(
            title=f"{TASKS[number % len(TASKS)]} #{number + 1}",
            origin=ORIGINS[number % len(ORIGINS)],
            acus_consumed=round(0.25 * (number % 40), 2),
            tags=["nightly"] if number % 3 == 0 else [],
        )
    for number, name in enumerate(NAMES, start=1):
        email = f"{name.lower()}@example.com"
        population.add_user(User(f"user-{number}", email, name, organizations=frozenset({ORGANIZATIONS[0]})))
    for repository in ("acme/shop", "acme/website"):
        population.add_blueprint(repo_name=repository)
        population.add_repository(repository)


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
