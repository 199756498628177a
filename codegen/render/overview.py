"""Write docs/contract.md: the contract as a document for people."""

from __future__ import annotations

from typing import Any

from jinja2 import Environment

from codegen.contract import BYTES, LINES, NOTHING, TEXT, Contract, OperationFacts
from codegen.render.docstrings import observation

ABBREVIATIONS = {"serviceUser": "SU", "personalAccessToken": "PAT", "enterpriseAdminApiKey": "EAK"}


def render(environment: Environment, contract: Contract) -> str:
    """Return the whole document."""
    environment.filters.update(one_line=one_line, observation=observation, readable_place=readable_place)
    template = environment.get_template("contract.md.jinja")
    return template.render(
        contract=contract,
        closed=sum(bool(gap["closed"]) for gap in contract.gaps()),
        rows=sorted(contract.operations.values(), key=lambda facts: facts.name),
        permission_cell=permission_cell,
        credentials_cell=credentials_cell,
        remarks_cell=remarks_cell,
    )


def one_line(text: object) -> str:
    """Return a text for a cell: on one line, with `|` escaped."""
    line = " ".join(str(text).split()).replace("|", "\\|")
    return "".join(each for each in line if each.isprintable())


def readable_place(pointer: str) -> str:
    """Return a JSON pointer without its escapes."""
    return pointer.removeprefix("#/").replace("~1", "/").replace("~0", "~")


def permission_cell(arguments: dict[str, Any]) -> str:
    """Return the permission with its level."""
    if not arguments["permission"]:
        return "not shown"
    return f"{arguments['permission']}, {arguments['level']}" if arguments["level"] else f"[{arguments['permission']}]"


def credentials_cell(arguments: dict[str, Any]) -> str:
    """Return the kinds of credential, abbreviated."""
    return ", ".join(ABBREVIATIONS.get(kind, kind) for kind in arguments["credentials"])


def remarks_cell(facts: OperationFacts) -> str:
    """Return the remarks on an operation: stability, deprecation, inference, older paths."""
    arguments = facts.arguments
    remarks = ["paginated"] if arguments["paginated"] else []
    kinds = {BYTES: "a file", LINES: "JSON Lines", TEXT: "text", NOTHING: "no body"}
    remarks += [kinds[each.kind] for each in facts.responses if each.kind in kinds]
    remarks += ["beta"] if arguments["beta"] else []
    remarks += ["inferred"] if arguments["inferred"] else []
    if arguments["deprecated"]:
        remarks.append(f"deprecated in favor of `{arguments['successor']}`" if arguments["successor"] else "deprecated")
    remarks += [f"stated as `{facts.stated}`"] if facts.stated else []
    remarks += [f"replaces `{facts.legacy}`"] if facts.legacy else []
    return "; ".join(remarks)
