"""Find out how a list is paginated: by the envelope of the API's description, or by the names of `x-pagination`."""

from __future__ import annotations

import attrs

from codegen.contract.content import JSON, Content
from codegen.contract.document import Document
from codegen.contract.nodes import ContractError, Node

# Part "Paginated list envelope" of the API's description.
ENVELOPE = ("items", "end_cursor", "has_next_page", "total")
KEYS = (*ENVELOPE, "after")


@attrs.frozen
class Pagination:
    """The names that a paginated list uses.

    Attributes:
        items: The member of the response that has the items.
        end_cursor: The member that has the cursor of the next page.
        has_next_page: The member that says whether there is one; None if there are more pages while there is a cursor.
        total: The member that has the total count; None if there is none.
        after: The parameter, or the member of the request body, that takes the cursor.
    """

    items: str = "items"
    end_cursor: str = "end_cursor"
    has_next_page: str | None = "has_next_page"
    total: str | None = "total"
    after: str = "after"


def pagination(
    contract: Document, node: Node, place: str, parameters: list[Node], members: Node, responses: list[Content]
) -> Pagination | None:
    """Return the pagination of an operation; None if it has none.

    Raises:
        ContractError: `x-pagination` names something that the operation does not have.
    """
    declared = node.get("x-pagination")
    schema = contract.flatten(responses[0].schema) if responses and responses[0].kind == JSON else {}
    fields = schema.get("properties", {})
    takers = {each["name"] for each in parameters if each["in"] == "query"} | members.keys()
    if declared is None:
        found = Pagination() if set(ENVELOPE) <= fields.keys() and "after" in takers else None
    else:
        if unknown := sorted(declared.keys() - set(KEYS)):
            raise ContractError(f"{place}/x-pagination: there is no {unknown[0]}; known: {', '.join(KEYS)}")
        usual = fields.keys() | {"items", "end_cursor", "after"}
        names = {key: declared.get(key, key if key in usual else None) for key in KEYS}
        for key, name in names.items():
            if name is not None and name not in (takers if key == "after" else fields):
                what = "query parameter or member of the body" if key == "after" else "member of the response"
                raise ContractError(f"{place}/x-pagination: {key}: there is no {what} {name}")
        found = Pagination(**names)
    if found is not None and contract.flatten(fields[found.items]).get("type") != "array":
        if declared is None:
            return None
        raise ContractError(f"{place}/x-pagination: items: {found.items} is not an array")
    return found
