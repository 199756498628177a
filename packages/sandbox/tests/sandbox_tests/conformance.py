"""Let schemathesis send generated requests to the sandbox, and check every response against the contract.

python -m sandbox_tests.conformance
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import schemathesis
from agent_session_platform.contract import load
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.contract import Kind, routes
from agent_session_platform_sandbox.validation import SandboxContract
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import events, from_schema

from sandbox_tests.population.test_population import SEED

# The most examples for each operation.
EXAMPLES = 5
# All checks are on. One of them gets the statuses with which operations may refuse valid requests:
ACCEPTED = ["2XX", "3XX", "401", "403", "404", "409", "429", "5XX", "400", "422"]
# - where the contract cannot say what is refused,
RULES = {
    "create_organization_schedule": "what a type requires, what is in the future and which platforms there are",
    "create_enterprise_review": "that the text is the URL of a pull request",
    "get_enterprise_active_users": "that a minimum is a whole number",
    "list_enterprise_hypervisors": "which statuses there are",
    "list_organization_automations": "that `enabled`, whose type is not shown, is true or false",
    "terminate_organization_session": "that `archive`, whose type is not shown, is true or false",
}
# - where a cursor is taken: to the contract any text is one,
CURSOR = "after"
# - where the description does not show the request, so that the sandbox assumes what it has to be,
GAP = "-request"
# - and where it shows some members of an object: the sandbox refuses other members, which OpenAPI allows.
# Sent as text, a value of any type is valid text: invalid values of such bodies and parameters need not be refused.


def checks_of_operations(document: Any) -> dict[str, dict[str, Any]]:
    """Return the settings of the checks of single operations, by their ids."""
    found: dict[str, dict[str, Any]] = {}
    for route in routes(SandboxContract(document)):
        checks = found.setdefault(route.operation_id, {})
        operation = document["paths"][route.path][route.method.lower()]
        cursor = operation.get("x-pagination", {}).get(CURSOR, CURSOR)
        sent = [each.shape for each in route.body]
        sent += [parameter.shape for parameters in route.parameters.values() for parameter in parameters.values()]
        if (
            route.operation_id in RULES
            or any(cursor in parameters for parameters in route.parameters.values())
            or any(cursor in shape.members or not shape.is_open for shape in sent)
            or any(gap["id"].endswith(GAP) for gap in operation.get("x-not-shown", ()))
        ):
            checks["positive_data_acceptance"] = {"expected-statuses": ACCEPTED}
        if any(each.kind is not Kind.JSON for each in route.body):
            checks["negative_data_rejection"] = {"enabled": False}
    return found


def settings(document: Any, base_url: str) -> SchemathesisConfig:
    """Return the settings of a run: the same requests each time, none remembered."""
    special = {key: checks for key, checks in checks_of_operations(document).items() if checks}
    return SchemathesisConfig.from_dict(
        {
            "seed": 1,
            "base-url": base_url,
            "cache": {"enabled": False},
            "continue-on-failure": True,
            "request-timeout": 10,
            "auth": {
                "openapi": {
                    "serviceUser": {"bearer": Sandbox.token},
                    "personalAccessToken": {"bearer": Sandbox.personal_token},
                    "enterpriseAdminApiKey": {"bearer": Sandbox.admin_key},
                }
            },
            # Schemathesis cannot guess the id of an organization, and most responses would be 404 without a valid one.
            "parameters": {"path.org_id": "org-acme"},
            "generation": {"max-examples": EXAMPLES, "deterministic": True, "database": "none"},
            # This phase needs more examples: it must reach all operations, but a walk along the links calls only some.
            "phases": {"stateful": {"generation": {"max-examples": 10 * EXAMPLES}}},
            "operations": [
                {"include-operation-id": [operation_id], "checks": checks} for operation_id, checks in special.items()
            ],
            # How long generating takes on a busy machine is no fault of the sandbox.
            "suppress-health-check": ["all"],
        }
    )


def conforms(schema: Any) -> bool:
    """Run all phases, print the failures, and return whether there are none."""
    sent: Counter[str] = Counter()
    found: dict[str, str] = {}
    for event in from_schema(schema).execute():
        if isinstance(event, events.ScenarioFinished):
            sent[event.phase.value] += len(event.recorder.cases)
            found = dict(failures(event.recorder)) | found
        elif isinstance(event, events.NonFatalError):
            found.setdefault(event.label, f"{event.label}: {event.value!r}")
        elif isinstance(event, events.FatalError):
            raise event.exception
    for text in found.values():
        print(text, end="\n\n")
    phases = ", ".join(f"{name} {count}" for name, count in sent.items())
    print(f"{sent.total()} requests ({phases}): {len(found) or 'no'} failures")
    # A phase that sends no request has checked nothing, whatever the reason is.
    return not found and len(sent) == 4 and all(sent.values())


def failures(recorder: Any) -> Iterator[tuple[str, str]]:
    """Yield the failures of a scenario, one of each kind for each operation."""
    for case_id, checks in recorder.checks.items():
        for check in checks:
            if check.failure_info is not None:
                failure = check.failure_info.failure
                label = f"{recorder.cases[case_id].value.operation.label}: {check.name}: {failure.title}"
                yield label, f"{label}\n{failure.message}\n{check.failure_info.code_sample}"


def main() -> int:
    sandbox = Sandbox()
    sandbox.seed(SEED)
    sandbox.add_git_permission()
    sandbox.add_git_repository("connection-1", "acme/shop")
    sandbox.add_message(sandbox.add_session(), "The test passes now.")
    sandbox.add_search()
    document = deepcopy(load().document)
    with sandbox.serve() as base_url:
        config = settings(document, base_url)
        return not conforms(schemathesis.openapi.from_dict(document, config=config))


if __name__ == "__main__":
    sys.exit(main())
