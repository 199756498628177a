"""Describe what a request body and the successful responses of an operation contain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from codegen.contract.source import ContractError, Node
from codegen.render.runtime.contract import child

JSON, FORM, FILES, TEXT, BYTES, NOTHING = "json", "form", "files", "text", "bytes", "nothing"

TEXT_TYPES = ("xml", "yaml", "x-yaml", "csv", "javascript", "toml", "sql", "graphql")

# If an operation offers several media types, the SDK uses the kind that comes first here.
PREFERENCE = (JSON, FILES, TEXT, BYTES, FORM)


@attrs.frozen
class Content:
    """The body of a request, or the body of the responses with one status.

    Attributes:
        kind: `json`, `files` (a multipart form), `text`, `bytes` or `nothing`.
        media_type: The media type; empty for `nothing`.
        schema: The schema, not resolved.
        place: The JSON pointer of the schema.
        status: The status of a response, such as `200` or `2XX`; empty for a request.
        required: Whether a request must have the body.
        others: The other declared media types, which the SDK does not use.
    """

    kind: str
    media_type: str
    schema: Node
    place: str
    status: str = ""
    required: bool = True
    others: tuple[str, ...] = ()


def kind_of_media_type(media_type: str) -> str:
    """Return the kind of a body by its media type."""
    essence = media_type.partition(";")[0].strip().lower()
    family, _, name = essence.partition("/")
    if name == "json" or name.endswith("+json"):
        return JSON
    if essence == "application/x-www-form-urlencoded":
        return FORM
    if family == "multipart":
        return FILES
    return TEXT if family == "text" or name in TEXT_TYPES or name.endswith("+xml") else BYTES


def request_content(node: Node, place: str, resolve: Callable[[Any], Any]) -> Content | None:
    """Return the body that the SDK sends; None if the operation has no body.

    Args:
        node: The operation.
        place: The JSON pointer of the operation.
        resolve: Follows a `$ref`.

    Raises:
        ContractError: The SDK cannot send the body as declared.
    """
    body = resolve(node.get("requestBody", {}))
    found = chosen_content(body, child(place, "requestBody"), resolve)
    if body.get("content", {}).get(found.media_type, {}).get("encoding"):
        raise ContractError(f"the body of {found.media_type} has `encoding`, which the SDK cannot follow; leave it out")
    if "*" in found.media_type:
        raise ContractError(f"a body of {found.media_type} has no single media type; write the one that the SDK sends")
    return attrs.evolve(found, required=body.get("required", False)) if found.media_type else None


def success_contents(node: Node, place: str, resolve: Callable[[Any], Any]) -> Iterator[Content]:
    """Yield the content of each 2xx response of an operation, in the order of the contract.

    A `2XX` whose body is not shown stands for an unknown status. Any other success replaces it.
    """
    successes = {str(status): each for status, each in node["responses"].items() if str(status).startswith("2")}
    for status, response in successes.items():
        found = chosen_content(response, child(child(place, "responses"), status), resolve)
        if status in ("204", "205") and found.media_type:
            raise ContractError(f"a response with the status {status} has no body; leave its `content` out")
        if found.media_type.startswith(("text/event-stream", "text/html")):
            # HTML comes from a proxy, and not from the API.
            raise ContractError(f"the SDK cannot read {found.media_type}; declare JSON or text instead")
        shows_nothing = found.media_type and resolve(found.schema).keys() <= {"description", "examples"}
        # The SDK requests a part of a file only to continue a download, so a part is not a result of its own.
        is_part = status == "206" and found.kind == BYTES
        if not (is_part or (shows_nothing and status == "2XX" and len(successes) > 1)):
            yield attrs.evolve(found, status=status)


def chosen_content(body: Node, place: str, resolve: Callable[[Any], Any]) -> Content:
    """Return the content of a request body or a response, in the media type that the SDK prefers.

    Raises:
        ContractError: The only media type is that of URL-encoded forms.
    """
    found: list[Content] = []
    for name, media in resolve(body).get("content", {}).items():
        schema = media.get("schema", {})
        kind, sent = kind_of_media_type(name), name
        shown = resolve(schema)
        if shown and shown.get("type") != "string" and name.startswith(("*/*", "application/*")):
            # In a range of media types, the schema decides whether the body is JSON.
            kind, sent = JSON, "application/json"
        found.append(Content(kind, sent, schema, child(child(child(place, "content"), name), "schema")))
    if not found:
        return Content(NOTHING, "", {}, place)
    chosen = min(found, key=lambda content: PREFERENCE.index(content.kind))
    if chosen.kind == FORM:
        text = f"the SDK neither sends nor reads {chosen.media_type}"
        way_out = "declare JSON or multipart/form-data if the server takes it, or remove the operation"
        raise ContractError(f"{chosen.place.rpartition('/')[0]}: {text}; {way_out}")
    return attrs.evolve(chosen, others=tuple(each.media_type for each in found if each is not chosen))
