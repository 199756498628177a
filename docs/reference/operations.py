"""The pages of the operations (one page for each resource of a scope), of the gaps and of the legacy paths."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from typing import Final

from agent_session_platform import Operation, gaps, operations
from agent_session_platform.contract import load, schema_of
from agent_session_platform.legacy import current

from codegen.distributions import GENERATED
from docs.reference.docstrings import found_at, markdown_of, signature_of, source_of
from docs.reference.markdown import anchor, bullets, code, document, fence, link, one_line, table
from docs.reference.objects import places

INDEX: Final = "reference/operations/index.md"
GAPS: Final = "reference/gaps.md"
LEGACY_PATHS: Final = "reference/legacy-paths.md"
# A longer example of a response is cut after this many lines.
MOST_LINES: Final = 60
# This text begins the list of an operation's gaps in a docstring.
NOT_SHOWN: Final = re.compile(r"^Not shown by the API's description: ", re.MULTILINE)


def pages() -> dict[str, str]:
    """Return all pages about operations."""
    resources: dict[str, list[Operation]] = defaultdict(list)
    for each in sorted(operations, key=lambda each: (each.scope != "organization", each.name)):
        resources[each.name.rpartition(".")[0]].append(each)
    return {
        INDEX: _index(resources),
        **{f"reference/operations/{name}.md": _resource(name, members) for name, members in resources.items()},
        GAPS: _gaps(resources),
        LEGACY_PATHS: _legacy_paths(),
    }


def operation_link(operation: Operation, page: str) -> str:
    """Return the name of an operation as a link to its description."""
    target = f"reference/operations/{operation.name.rpartition('.')[0]}.md#{anchor(operation.name)}"
    return link(operation.name, target, page)


def _index(resources: dict[str, list[Operation]]) -> str:
    tables = [
        document(
            f"## {name}",
            table(
                ("Operation", "What it does", "Permission"),
                ((operation_link(each, INDEX), one_line(each.summary), _permission(each)) for each in members),
            ),
        )
        for name, members in resources.items()
    ]
    return document(
        "# Operations",
        f"The SDK knows {len(operations)} operations. Each is a method of a resource of one of two scopes, "
        "`platform.organization()` and `platform.enterprise`; in a build, an operation in neither is a method of a "
        "resource of `platform`. If a permission has no level here, the API's "
        "description does not show its level.",
        *tables,
    )


def _permission(operation: Operation) -> str:
    level = f" ({operation.level})" if operation.level else ""
    return f"{code(operation.permission)}{level}" if operation.permission else "not shown"


def _resource(name: str, members: list[Operation]) -> str:
    page = f"reference/operations/{name}.md"
    scope, _, resource = name.partition(".")
    methods = {"organization": "platform.organization()", "enterprise": "platform.enterprise"}
    method = methods.get(scope, "platform")
    return document(
        f"# {name}",
        f"The methods of {code(f'{method}.{resource}')}, whose class is `{class_of(members[0])}` of "
        "`agent_session_platform.resources`. All operations: {link('Operations', INDEX, page)}. "
        "`asp show OPERATION` prints an example for the shell and for curl.",
        table(
            ("Operation", "What it does"), ((operation_link(each, page), one_line(each.summary)) for each in members)
        ),
        *(_operation(each, each.verb, page) for each in members),
        *(_operation(each, each.job, page) for each in members if each.job),
    )


def class_of(operation: Operation) -> str:
    """Return the name of the class that has the method of an operation."""
    resource = "".join(map(str.capitalize, operation.resource.split("_")))
    return f"{operation.scope.capitalize()}{resource}"


def _operation(operation: Operation, verb: str, page: str) -> str:
    """Return the text about the method of an operation, or about the method that polls it."""
    name = f"{operation.name.rpartition('.')[0]}.{verb}"
    method = found_at(f"{GENERATED}.api.{operation.resource}.{class_of(operation)}.{verb}")
    assert method is not None, name
    kinds = ", ".join(map(code, operation.credentials)) or "not shown"
    gaps_link = link("Not shown by the API's description", f"{GAPS}#{anchor(name)}", page)
    return document(
        f"## {name}",
        f"Permission: {_permission(operation)}. Credentials: {kinds}." if verb == operation.verb else "",
        fence(signature_of(method, verb)),
        NOT_SHOWN.sub(f"{gaps_link}: ", markdown_of(method, places(), page)),
        _example(operation) if verb == operation.verb else "",
        source_of(method),
    )


def _example(operation: Operation) -> str:
    """Return the contract's example of a successful response; empty without one."""
    contract = load()
    for status, response in contract.endpoints[operation.id].responses.items():
        schema = schema_of(response)
        examples = contract.examples(contract.flatten(schema)) if status.startswith("2") and schema else []
        if examples:
            lines = json.dumps(examples[0], indent=2, ensure_ascii=False).splitlines()
            shown = lines if len(lines) <= MOST_LINES else [*lines[:MOST_LINES], "..."]
            return document(f"**Example of a response**, status {status}", fence("\n".join(shown), "json"))
    return ""


def _gaps(resources: dict[str, list[Operation]]) -> str:
    of_operations = {gap.id for each in operations for gap in each.gaps}
    others = (each for each in gaps if each.id not in of_operations)
    blocks = [
        "# Gaps",
        f"A gap is a fact that the API's description does not show. The SDK knows {len(gaps)} of them and guesses "
        "nothing there: what is not shown is accepted, kept and given back as it is. `agent_session_platform.gaps` and "
        "`asp gaps WORD` have the same list. [Observations](observe.md) can close gaps for your deployment.",
        "## Of the whole API, of models and of shared parameters",
        table(
            ("Gap", "What is not shown", "Place in the contract"),
            ((code(each.id), one_line(each.what), code(each.place)) for each in others),
        ),
    ]
    for each in (each for members in resources.values() for each in members if each.gaps):
        listed = bullets(
            f"{code(gap.id)}: {one_line(gap.what)}" + (" Closed in this build." if gap.closed is not None else "")
            for gap in each.gaps
        )
        blocks += [f"## {each.name}", operation_link(each, GAPS), listed]
    return document(*blocks)


def _legacy_paths() -> str:
    legacy, stated = (
        [(each.node[extension], operations[each.id]) for each in load().endpoints.values() if extension in each.node]
        for extension in ("x-legacy", "x-stated-path")
    )
    return document(
        "# Legacy paths",
        "The paths of the legacy API, and the operations that replace them, if the API's description names them. Ids "
        "keep their places. The organization, which a legacy path does not name, is an argument of the current "
        "operation. `agent_session_platform.legacy.current(path)` and `asp legacy PATH` find the current path.",
        table(
            ("Legacy request", "Request of today", "Operation"),
            (
                (
                    code(f"{each.method} {path}"),
                    code(str(current(path, each.method))),
                    operation_link(each, LEGACY_PATHS),
                )
                for path, each in legacy
            ),
        ),
        "## What else has changed",
        bullets(
            one_line(rule["text"])
            for rule in load().document["info"]["x-rules"]
            if rule["id"].startswith("versioning-")
        ),
        "## Beta paths that have moved",
        "The API's description states a beta path for these operations, but its section Versioning promotes them.",
        table(
            ("Stated request", "Request of today", "Operation"),
            (
                (code(f"{each.method} {path}"), code(f"{each.method} {each.path}"), operation_link(each, LEGACY_PATHS))
                for path, each in stated
            ),
        ),
    )
