"""Find out how a list is paginated: by the envelope of the API's description, or by the names of `x-pagination`."""

from __future__ import annotations

import attrs

from codegen.contract.checks.pagination import ENVELOPE, NEEDED
from codegen.contract.content import JSON, Content
from codegen.contract.document import Document
from codegen.contract.nodes import Node

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
    contract: Document, node: Node, parameters: list[Node], members: Node, responses: list[Content]
) -> Pagination | None:
    """Return the pagination of an operation; None if it has none.

    Args:
        contract: The contract.
        node: The operation.
        parameters: Its parameters, resolved.
        members: The members of its request body.
        responses: The content of each success.
    """
    schema = contract.flatten(responses[0].schema) if responses and responses[0].kind == JSON else {}
    fields = schema.get("properties", {})
    if "x-pagination" in node:
        usual = fields.keys() | {*NEEDED, "after"}
        return Pagination(**{key: node["x-pagination"].get(key, key if key in usual else None) for key in KEYS})
    takers = {each["name"] for each in parameters if each["in"] == "query"} | members.keys()
    is_page = set(ENVELOPE) <= fields.keys() and contract.flatten(fields["items"]).get("type") == "array"
    return Pagination() if is_page and "after" in takers else None
