"""Population: content that tests, seeds and demos add to a sandbox without a request."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from copy import deepcopy
from inspect import Parameter, signature
from typing import Any, Final

import attrs
from agent_session_platform import InvalidArgumentError
from agent_session_platform.contract import is_object

from .contract import ENTERPRISE
from .fields import (
    AUTOMATION,
    BLUEPRINT,
    GIT_PERMISSION,
    GIT_REPOSITORY,
    HYPERVISOR,
    MESSAGE,
    REPOSITORY,
    ROLE_ASSIGNMENT,
    SEARCH,
    SESSION,
    USAGE,
    USER,
    VIOLATION,
    text_set,
)
from .problems import NO_NAMES, RefusedError, UnknownNameError, is_text, suggestion
from .resources import members, schedules, sessions
from .script import Turn
from .snapshots import ARRAY, dump, load
from .state import Account, Organization, State, User, find, synchronized
from .validation import check_json, closed_object, closed_values

ORGANIZATIONS: Final = ("org-acme", "org-globex")


@synchronized
class Population:
    """The content of a sandbox. Further keyword arguments of an `add_` method become members of the new record.

    Args:
        state: State of the sandbox.
    """

    # Without a dictionary of attributes, a typing error such as `sandbox.rate_limt = ...` is an AttributeError.
    __slots__ = ("__weakref__", "accounts", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.accounts = state.accounts

    def _check_organizations(self, org_ids: Iterable[str], hint: str = "") -> None:
        """Raise InvalidArgumentError if an organization does not exist: no operation would show what belongs to it."""
        for org_id in org_ids:
            if org_id not in self.state.organizations:
                known = f"; known: {', '.join(self.state.organizations)}"
                close = suggestion(str(org_id), self.state.organizations)
                raise InvalidArgumentError(f"no organization {org_id}; add_organization adds one{hint}{close or known}")

    def add_organization(self, org_id: str, **settings: Any) -> Organization:
        """Add an organization; settings are the attributes of `Organization`.

        Raises:
            InvalidArgumentError: A setting is of another type.
        """
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
            organizations: Organizations that it belongs to; None for all. With a list, the credential has no access
                at enterprise level.
            level: `enterprise` or `organization`.

        Raises:
            ValueError: There is no such kind or level.
            InvalidArgumentError: The text cannot be a credential, one of the sets is a single text, or there is no such
                organization.
        """
        account = Account(kind, permissions, organizations, level)
        self._check_organizations(account.organizations or ())
        self.accounts.add(token, account)
        return token

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
        """Add a session, and return its id.

        Args:
            org_id: The organization.
            fields: Members of the session, such as `title`. A deployment may show others than the contract.

        Raises:
            InvalidArgumentError: There is no such organization, or a member is misspelled, of another type, or set by
                the sandbox.
        """
        members = SESSION.check(fields)
        self._check_organizations([org_id], "; a title is title=...")
        return str(sessions.add_session(self.state, org_id, **members).fields["session_id"])

    def add_user(self, user: User, **fields: Any) -> str:
        """Add a user with direct role assignments, and return the id.

        Raises:
            InvalidArgumentError: There is no such organization, or a member is misspelled or of another type.
        """
        role = {"role_id": "role-member", "role_name": "Member", "role_type": "org"}
        assigned = [{"role": role, "org_id": org_id} for org_id in sorted(user.organizations)]
        joined = {"role_assignments": assigned, "enterprise_joined_at": self.state.seconds()}
        return self._add_member("members", user, joined | USER.check(fields))

    def _add_member(self, collection: str, user: User, fields: dict[str, Any]) -> str:
        self._check_organizations(user.organizations)
        member: dict[str, Any] = {"user_id": user.user_id, "email": user.email, "name": user.name}
        self.state.users[user.user_id] = user
        self.state.add(self.state.collection(collection), user.user_id, member | fields)
        return user.user_id

    def add_idp_group(self, name: str, role_assignments: Iterable[dict[str, Any]] = ()) -> str:
        """Register a group of the identity provider, and return its name.

        Args:
            name: Name of the group.
            role_assignments: Objects with `role` and `org_id`.

        Raises:
            InvalidArgumentError: The name is not text, or a role assignment is not valid.
        """
        check_name("name", name)
        assignments = [ROLE_ASSIGNMENT.check(each) for each in role_assignments]
        self._check_organizations(each["org_id"] for each in assignments if each.get("org_id"))
        members.add_idp_group(self.state, name, assignments)
        return name

    def add_idp_user(self, user: User, group_names: Iterable[str], **fields: Any) -> str:
        """Add a user who is a member through registered groups, and return the id.

        Raises:
            InvalidArgumentError: There is no such organization, or a member is misspelled or of another type.
            RefusedError: There is no such group.
        """
        names = text_set("group_names", group_names)
        groups = [find(self.state.collection("idp-groups"), name, members.GROUP) for name in sorted(names)]
        assignments = [assignment for group in groups for assignment in group.fields["role_assignments"]]
        organizations = {assignment["org_id"] for assignment in assignments if assignment.get("org_id")}
        member = attrs.evolve(user, organizations=user.organizations | organizations)
        user_id = self._add_member("idp-members", member, USER.check(fields))
        for group in groups:
            self.state.add_part(group, {"user_id": user_id})
        return user_id

    def add_role(self, role_id: str, permissions: Iterable[str], *, name: str = "Role", role_type: str = "org") -> str:
        """Add a role for service users, and return its id.

        Args:
            role_id: Id of the role.
            permissions: Permissions that it grants.
            name: Name of the role.
            role_type: `org` grants the permissions in organizations, `enterprise` everywhere.

        Raises:
            ValueError: There is no such type.
            InvalidArgumentError: The permissions are a single text, or the id or the name is not text.
        """
        check_name("role_id", role_id)
        check_name("name", name)
        granted = sorted(text_set("permissions", permissions))
        types = closed_values("Role", "role_type")
        if types and role_type not in types:
            raise ValueError(f"role_type must be one of {', '.join(types)}, not {role_type!r}")
        fields = {"role_id": role_id, "role_name": name, "role_type": role_type}
        # The API does not show the permissions of a role.
        role = self.state.add(self.state.collection("roles"), role_id, fields)
        role.memory["permissions"] = granted
        return role_id

    def add_hypervisor(self, **fields: Any) -> str:
        """Add a hypervisor, available and idle by default, and return its id.

        Raises:
            InvalidArgumentError: A member is misspelled or of another type.
        """
        members = {"status": "available", "utilization_percentage": 0, **HYPERVISOR.check(fields)}
        return self._create("hypervisors", "hypervisor", members)

    def add_guardrail_violation(self, org_id: str, session_id: str, guardrail_id: str, **fields: Any) -> str:
        """Add the violation of a guardrail by a session, and return its id.

        Raises:
            InvalidArgumentError: There is no such organization, or a member is misspelled or of another type.
        """
        check_name("session_id", session_id)
        check_name("guardrail_id", guardrail_id)
        self._check_organizations([org_id])
        ids = {"org_id": org_id, "session_id": session_id, "guardrail_id": guardrail_id}
        members = {**ids, "created_at": self.state.seconds(), **VIOLATION.check(fields)}
        return self._create("guardrail-violations", "violation", members)

    def add_blueprint(self, **fields: Any) -> str:
        """Add a blueprint, and return its id.

        Raises:
            InvalidArgumentError: A member is misspelled or of another type.
        """
        now = self.state.seconds()
        members = {
            "created_at": now,
            "updated_at": now,
            "repo_name": "acme/shop",
            "type": "enterprise",
            "build_on_default_branch_commit": True,
            "report_check_runs": False,
            "source": "git",
        }
        return self._create("blueprints", "blueprint", members | BLUEPRINT.check(fields))

    def add_repository(self, name: str, org_id: str = ORGANIZATIONS[0], **fields: Any) -> str:
        """Add an indexed repository, and return its name.

        Raises:
            InvalidArgumentError: There is no such organization, or a member is misspelled or of another type.
        """
        check_name("name", name)
        self._check_organizations([org_id])
        given = REPOSITORY.check(fields)
        job = {
            "commit": hashlib.sha1(name.encode(), usedforsecurity=False).hexdigest(),
            "created_at": self.state.timestamp(),
            "job_id": self.state.new_id("job"),
            "status": "failed",
        }
        jobs = ("latest_index", "latest_completed_search_index_job", "latest_completed_wiki_index_job")
        members: dict[str, Any] = {"name": name, "indexing_enabled": True, **dict.fromkeys(jobs, job)}
        self.state.add(self.state.collection("repositories", org_id), name, members | given)
        return name

    def add_automation(self, org_id: str = ORGANIZATIONS[0], **fields: Any) -> str:
        """Add an automation, and return its id.

        Raises:
            InvalidArgumentError: There is no such organization, or a member is misspelled or of another type.
            RefusedError: The recurrence is not valid.
        """
        self._check_organizations([org_id])
        members = AUTOMATION.check(fields)
        return str(schedules.add_automation(self.state, org_id, **members).fields["automation_id"])

    def add_search(self, org_id: str = ORGANIZATIONS[0], **fields: Any) -> str:
        """Add a search, and return its id; with a `user_id`, that user counts as active.

        Raises:
            InvalidArgumentError: There is no such organization, or a member is misspelled or of another type.
        """
        self._check_organizations([org_id])
        members = {"org_id": org_id, "created_at": self.state.seconds(), **SEARCH.check(fields)}
        return self._create("searches", "search", members)

    def add_git_permission(self, org_id: str = ORGANIZATIONS[0], **fields: Any) -> str:
        """Add a git permission of an organization, and return its id.

        Raises:
            InvalidArgumentError: There is no such organization, or a member is misspelled or of another type.
        """
        self._check_organizations([org_id])
        members = {"org_id": org_id, "read_only": False, **GIT_PERMISSION.check(fields)}
        return self._create("git-permissions", "git_permission", members, org_id)

    def _create(self, collection: str, noun: str, members: dict[str, Any], *of: str) -> str:
        return str(self.state.create(self.state.collection(collection, *of), noun, members).fields[f"{noun}_id"])

    def add_git_repository(self, connection_id: str, name: str, **fields: Any) -> str:
        """Add a repository to a git connection, which is created if needed, and return its name.

        A repository that is added again gets the new members, and keeps its place.

        Raises:
            InvalidArgumentError: A name is not text, or a member is not JSON.
        """
        check_name("connection_id", connection_id)
        check_name("name", name)
        members: dict[str, Any] = {"name": name, "connection_id": connection_id, **GIT_REPOSITORY.check(fields)}
        self.state.add(self.state.collection("git-repositories", connection_id), name, members)
        return name

    def add_consumption(self, tail: str, **fields: Any) -> str:
        """Set the response of `enterprise.consumption.get(tail)`, and return *tail*.

        Raises:
            InvalidArgumentError: The tail is not text, or a member is not JSON.
        """
        check_name("tail", tail)
        self.state.add(self.state.collection("consumption"), tail.strip("/"), USAGE.check(fields))
        return tail

    def add_metrics(self, tail: str, **fields: Any) -> str:
        """Set the response of `enterprise.metrics.get(tail)`, and return *tail*.

        Raises:
            InvalidArgumentError: The tail is not text, or a member is not JSON.
        """
        check_name("tail", tail)
        self.state.add(self.state.collection("metrics"), tail.strip("/"), USAGE.check(fields))
        return tail

    def suspend_session(self, session_id: str) -> None:
        """Suspend a session, as the platform sometimes does. A message resumes it.

        Raises:
            RefusedError: There is no such session.
        """
        sessions.locate_session(self.state, session_id).fields["status"] = self.state.word(sessions.SUSPENDED)

    def update_session(self, session_id: str, /, **fields: Any) -> dict[str, Any]:
        """Set members of a session, and return all of its members.

        Args:
            session_id: The session, of any organization.
            fields: The members. Other names than those of the contract are accepted, too, unless they resemble one of
                these; `session_id` and `org_id` are not. None is sent as null. `updated_at` becomes the current time
                unless it is given.

        Raises:
            InvalidArgumentError: A member cannot be set.
            RefusedError: There is no such session.

        Example:
            sandbox.update_session(session_id, status="ready", pull_requests=[{"pr_url": "https://..."}])
        """
        session = sessions.locate_session(self.state, session_id)
        sessions.change_session(self.state, session, SESSION.check(fields))
        return deepcopy(session.fields)

    def add_message(self, session_id: str, text: str, /, source: str = "assistant", **fields: Any) -> dict[str, Any]:
        """Add a message to a session, and return it. The script of `on_message` is not called.

        Args:
            session_id: The session, of any organization.
            text: The text.
            source: Who sent the message.
            fields: Further members. They may also replace values that the sandbox sets, such as `created_at`.

        Raises:
            InvalidArgumentError: The text or the source is not text, or a member is misspelled or of another type.
            RefusedError: There is no such session.
        """
        check_text("text", text)
        check_text("source", source)
        session = sessions.locate_session(self.state, session_id)
        return deepcopy(sessions.add_message(self.state, session, source, text, **MESSAGE.check(fields)).fields)

    def plan_session(
        self, session_id: str, /, *, after: float, text: str | None = None, source: str = "assistant", **fields: Any
    ) -> None:
        """Plan a message, a change of a session or both. The plan is carried out when the clock has moved far enough.

        Termination and removal of the session cancel the plan. A snapshot contains the plan.

        Args:
            session_id: The session, of any organization.
            after: Seconds of the sandbox's clock from now on; 0 is at once.
            text: Text of a message; None for no message.
            source: Value of the message's member `source`.
            fields: Members to set, as for `update_session`.

        Raises:
            InvalidArgumentError: A setting is not valid, or there is neither a text nor a member.
            RefusedError: There is no such session.

        Example:
            sandbox.plan_session(session_id, after=600, text="Done.", status="ready")
            sandbox.clock.advance(minutes=10)
        """
        session = sessions.locate_session(self.state, session_id)
        sessions.take_turn(self.state, session, Turn(text, after=after, fields=fields, source=source))

    def remove_session(self, session_id: str, /) -> None:
        """Remove a session, which is then unknown to all operations (404).

        Raises:
            RefusedError: There is no such session.
        """
        session = sessions.locate_session(self.state, session_id)
        sessions.cancel_turns(self.state, session)
        session.deleted = True


def check_text(name: str, value: object) -> None:
    """Raise InvalidArgumentError if an argument is not text."""
    if not is_text(value):
        raise InvalidArgumentError(f"{name} must be text, not {value!r}")


def check_name(name: str, value: object) -> None:
    """Raise InvalidArgumentError if an argument that names a record is not text, or if no path can have it."""
    check_text(name, value)
    if value in NO_NAMES:
        raise InvalidArgumentError(f"{name} must be a name, not {value!r}")


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


def _add_organization(population: Population, org_id: str, **settings: Any) -> str:
    return population.add_organization(org_id, **settings).org_id


def _add_user(population: Population, user_id: str, group_names: Iterable[str] | None = None, **fields: Any) -> str:
    of_user = {field.name: fields.pop(field.name) for field in attrs.fields(User) if field.name in fields}
    user = User(user_id, **of_user)
    if group_names is None:
        return population.add_user(user, **fields)
    return population.add_idp_user(user, group_names, **fields)


def _add_credential(population: Population, token: str, kind: str = "serviceUser", **settings: Any) -> str:
    """Add a credential, and return its kind, because no response may contain the credential."""
    population.add_credential(token, kind=kind, **settings)
    return kind


# For each list of a seed, the function that checks and adds an item: it gets the members of the item as keyword
# arguments. A list comes after the lists to which its items may refer.
LISTS: Final[dict[str, Callable[..., str]]] = {
    "organizations": _add_organization,
    "roles": Population.add_role,
    "idp_groups": Population.add_idp_group,
    "users": _add_user,
    "idp_users": _add_user,
    "credentials": _add_credential,
    "blueprints": Population.add_blueprint,
    "repositories": Population.add_repository,
    "hypervisors": Population.add_hypervisor,
    "searches": Population.add_search,
    "git_permissions": Population.add_git_permission,
    "git_repositories": Population.add_git_repository,
    "consumption": Population.add_consumption,
    "metrics": Population.add_metrics,
    "automations": Population.add_automation,
    "sessions": Population.add_session,
    "guardrail_violations": Population.add_guardrail_violation,
}
SEED: Final = closed_object(**dict.fromkeys(LISTS, ARRAY))


def add_seed(population: Population, document: Any) -> dict[str, list[str]]:
    """Add all items of a seed, or none if one of them is not valid.

    Args:
        population: The sandbox.
        document: The seed, such as `{"sessions": [{"title": "Fix it"}]}`.

    Returns:
        The ids of the added items, by list.

    Raises:
        ValueError: A list or an item is not valid. The message names the place and suggests a correction.
    """
    check_json(SEED, document, "the seed")
    before = dump(population.state)
    added: dict[str, list[str]] = {}
    for name in filter(document.__contains__, LISTS):
        added[name] = []
        for index, item in enumerate(document[name]):
            try:
                check_arguments(LISTS[name], item)
                added[name].append(LISTS[name](population, **item))
            # A TypeError means that a member has the name of an argument that the function already gets.
            except (RefusedError, TypeError, ValueError) as error:
                load(population.state, before)
                raise ValueError(f"{name}[{index}]: {error}") from None
    return added


def check_arguments(add: Callable[..., str], item: object) -> None:
    """Raise ValueError if an item lacks a member that a function needs, or has one that the function does not take."""
    if not is_object(item):
        raise ValueError("must be an object")
    _, *parameters = signature(add).parameters.values()
    known: list[str] = []
    takes_others = False
    for parameter in parameters:
        if parameter.kind is Parameter.VAR_KEYWORD:
            takes_others = True
            continue
        known.append(parameter.name)
        if parameter.default is Parameter.empty and parameter.name not in item:
            raise ValueError(f"{parameter.name!r} is missing")
    for name in item:
        if name not in known and not takes_others:
            raise ValueError(f"there is no {name!r}{suggestion(name, known)}")
