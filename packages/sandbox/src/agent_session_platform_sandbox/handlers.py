"""The interface of handlers: a handler gets a `Call` and returns a `Reply`. Also pages of lists, and merge patches."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias, cast

import attrs
from agent_session_platform.contract import is_object

from .contract import Content, Route
from .problems import invalid, suggestion
from .state import Account, Record, State, alive, find

DEFAULT_SIZE: Final = 100


@attrs.frozen
class Call:
    """An authorized and valid request.

    Attributes:
        state: State of the sandbox.
        route: The operation.
        account: Holder of the credential.
        path: Path parameters with the types of the contract.
        query: Query parameters with the types of the contract.
        body: The parsed body: JSON, the fields of a form, text or bytes. Without a body, {} if the
            operation takes an object or no body, else None.
        strict: False if permissions are not checked.
        headers: Header parameters, with the types and the spelling of the contract.
        content: The media type of the response that fits the request best; None if a successful response has no body.
    """

    state: State
    route: Route
    account: Account
    path: dict[str, Any]
    query: dict[str, Any]
    body: Any
    strict: bool = True
    headers: dict[str, Any] = attrs.field(factory=lambda: dict[str, Any]())
    content: Content | None = None

    @property
    def org_id(self) -> str:
        """The organization in the path."""
        org_id: str = self.path["org_id"]
        return org_id

    def records(self, name: str) -> list[Record]:
        """Return the records of an enterprise's collection; if the path names an organization, only its records."""
        org_id = self.path.get("org_id")
        return [each for each in alive(self.state.collection(name)) if org_id in (None, each.fields["org_id"])]

    def find(self, collection: str, noun: str) -> Record:
        """Return the record whose id is in the path; refuse (404) an unknown one.

        Args:
            collection: Name of a collection: of the organization in the path, or else of the enterprise.
            noun: Name of the record: for `note`, the id is the path parameter `note_id`.
        """
        records = self.state.collection(collection, *filter(None, [self.path.get("org_id")]))
        return find(records, self.path[f"{noun}_id"], noun.replace("_", " "))

    def members(self) -> dict[str, Any]:
        """Return a body whose members the contract does not show; refuse (422) a body that is not an object."""
        if not is_object(self.body):
            raise invalid((["body"], "must be an object", "dict_type"))
        return self.body

    def text(self, name: str) -> str:
        """Return a required member of a body that the contract does not show; refuse (422) a value that is not text."""
        members = self.members()
        value = members.get(name)
        if not isinstance(value, str):
            similar = [other for other in members if name not in members and suggestion(other, [name])]
            hint = f"; the body has {similar[0]!r}, did you mean {name!r}?" if similar else ""
            raise invalid((["body", name], f"must be text{hint}", "string_type"))
        return value

    def texts(self, name: str) -> list[str]:
        """Return a required list of text from a body that the contract does not show; refuse (422) any other value."""
        value = self.members().get(name)
        if not isinstance(value, list) or not all(isinstance(each, str) for each in cast("list[object]", value)):
            raise invalid((["body", name], "must be a list of text", "list_type"))
        return cast("list[str]", value)

    def filter(self, name: str) -> str | None:
        """Return a query parameter without a type in the contract, or None; refuse (422) a repeated parameter."""
        value = self.query.get(name)
        if isinstance(value, list):
            times = len(cast("list[object]", value))
            raise invalid((["query", name], f"given {times} times; it takes one value", "multiple_values"))
        return value

    def flag(self, name: str) -> bool | None:
        """Return a query parameter without a type as a boolean; refuse (422) values other than `true` and `false`."""
        value = self.filter(name)
        if value not in (None, "true", "false"):
            raise invalid((["query", name], f"must be true or false, not {value!r}", "bool_parsing"))
        return None if value is None else value == "true"


@attrs.frozen
class Reply:
    """The reply of a handler.

    Attributes:
        body: JSON, bytes or text. Bytes are sent as they are, and so is text if the contract declares text. None means
            no body if the contract declares none. A status such as 204 never has a body.
        status: HTTP status; None for the first success status in the contract.
    """

    body: Any
    status: int | None = None


Handler: TypeAlias = Callable[[Call], Reply]


def merge_patch(target: Any, patch: Any) -> Any:
    """Return *target* with a merge patch applied: members are replaced one by one, and null removes a member."""
    if not is_object(patch):
        return patch
    known: dict[str, Any] = target if is_object(target) else {}
    merged = known | {name: merge_patch(known.get(name), value) for name, value in patch.items()}
    return {name: value for name, value in merged.items() if name not in patch or patch[name] is not None}


def paginate(records: Iterable[Record], query: Mapping[str, Any]) -> dict[str, Any]:
    """Return one page in the paginated envelope.

    Args:
        records: All records of the list.
        query: `first`, the page size (default 100), and `after`, a cursor.

    Raises:
        RefusedError: 422 for a cursor that this sandbox did not make.
    """
    page, envelope = find_page(records, query.get("first", DEFAULT_SIZE), query.get("after"))
    return {"items": [record.fields for record in page], **envelope}


def find_page(
    records: Iterable[Record], size: int, cursor: object, place: tuple[str, str] = ("query", "after")
) -> tuple[list[Record], dict[str, Any]]:
    """Return the records of one page, and the other members of the envelope.

    A cursor names the last record of its page, so records that are added or deleted meanwhile do not shift the next
    page.

    Args:
        records: All records of the list.
        size: The largest number of records on the page.
        cursor: The cursor of the page; None for the first page.
        place: Location of the cursor in the request.

    Raises:
        RefusedError: 422 for a cursor that this sandbox did not make.
    """
    matching = list(records)
    last_seen = 0 if cursor is None else _read_cursor(cursor, place)
    rest = [record for record in matching if record.number > last_seen]
    page = rest[:size]
    end_cursor = _write_cursor(page[-1].number) if len(rest) > len(page) else None
    return page, {"end_cursor": end_cursor, "has_next_page": end_cursor is not None, "total": len(matching)}


def _write_cursor(number: int) -> str:
    return base64.urlsafe_b64encode(f"after:{number}".encode()).decode()


def _read_cursor(cursor: object, place: tuple[str, str]) -> int:
    try:
        number = int(base64.urlsafe_b64decode(str(cursor).encode()).decode().removeprefix("after:"))
    except ValueError:
        number = 0
    # Refuse other encodings of the same number.
    if number <= 0 or _write_cursor(number) != cursor:
        raise invalid(([*place], "not a cursor of this list", "cursor"))
    return number
