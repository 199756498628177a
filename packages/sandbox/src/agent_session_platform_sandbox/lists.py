"""Lists: their form in the contract, the parameters that select items, and the page that a request gets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from operator import ge, gt, le, lt
from typing import Any, Final, TypeAlias

import attrs
from agent_session_platform.contract import PLACEHOLDER, is_array, is_object

from .clock import parse_datetime
from .contract import QUERY, Content, Kind, Parameter, Route
from .handlers import DEFAULT_SIZE, Call, Reply, find_page
from .state import Record
from .validation import ANY, Shape

# The first of these parameters that a list has, and that is a whole number, is the size of a page.
SIZES: Final = ("first", "limit", "page_size", "pageSize", "per_page", "size", "max_results")
# Where a page begins, in items, and which page it is, counted from 1.
STARTS: Final = ("offset", "skip", "start")
NUMBERS: Final = ("page", "page_number", "pageNumber")
# Filters by a bound: the beginning or the end of their names, and how a value is compared with the bound.
BOUNDS_BEFORE: Final = {"min_": ge, "max_": le}
BOUNDS_AFTER: Final = {"_after": gt, "_since": ge, "_from": ge, "_before": lt, "_until": le, "_to": le}
Compare: TypeAlias = Callable[[Any, Any], bool]
# A time is often shown as `created_at`, and its filter called `created_after`.
TIME: Final = "_at"
# Names of the members of an envelope, the usual one first.
NAMES: Final = {
    "end_cursor": ("end_cursor",),
    "has_next_page": ("has_next_page", "has_more", "hasMore"),
    "total": ("total", "total_count", "totalCount", "count"),
}
# The parameters that the handlers of lists read by themselves, by the id of the operation.
READ_BY_HANDLERS: Final = {
    "list_enterprise_audit_logs": ("order",),
    "list_organization_audit_logs": ("order",),
    "list_enterprise_hypervisors": ("status",),
    "list_organization_automations": ("enabled", "search"),
    "list_enterprise_git_connection_repositories": ("filter_name",),
    "list_enterprise_sessions": ("org_ids",),
}


@attrs.frozen
class ListForm:
    """The form of the response of a list.

    Attributes:
        items: Shape of an item.
        member: Member of the response that has the items; None if the response itself is the list.
        names: The response's names for `end_cursor`, `has_next_page` and `total`, if it has them.
        after: Parameter that takes the cursor.
        has_text_cursor: Whether a cursor may be text. If not, it is a number.
    """

    items: Shape
    member: str | None = None
    names: Mapping[str, str] = attrs.field(factory=lambda: dict[str, str]())
    after: str = "after"
    has_text_cursor: bool = True

    @property
    def is_page(self) -> bool:
        """True if the response has a cursor."""
        return "end_cursor" in self.names


def list_form(route: Route | None) -> ListForm | None:
    """Return the form of the list in a response; None if the response cannot have a list."""
    content = main_content(route)
    if route is None or content is None or content.kind is not Kind.JSON:
        return None
    shape = content.shape
    if "array" in shape.types:
        return ListForm(shape.items)
    if is_unknown(shape):
        return ListForm(shape.contract.shape(ANY), "items")
    stated: Mapping[str, str] = route.endpoint.node.get("x-pagination", {})
    names: dict[str, str] = {}
    for usual, known in NAMES.items():
        for name in (stated[usual],) if usual in stated else known:
            if name in shape.members:
                names.setdefault(usual, name)
    member = _items_member(route, shape, stated, has_envelope=bool(names))
    if member is None:
        return None
    takes_text = "end_cursor" not in names or "string" in shape.member(names["end_cursor"]).types
    return ListForm(shape.member(member).items, member, names, stated.get("after", "after"), takes_text)


def _items_member(route: Route, shape: Shape, stated: Mapping[str, str], *, has_envelope: bool) -> str | None:
    """Return the member of a response that has the items of a list; None if the response is no list."""
    if "items" in stated:
        return stated["items"]
    if "items" in shape.members:
        return "items"
    is_record = route.method != "GET" or PLACEHOLDER.fullmatch(route.path.rpartition("/")[2]) is not None
    # A record has arrays too, such as its tags.
    if has_envelope or not is_record:
        for name, member in shape.members.items():
            if "array" in member.types:
                return name
    return None


def is_unknown(shape: Shape) -> bool:
    """Return whether the contract says nothing about a value, except that it may be an object."""
    return shape.types <= {"object", "null"} and not shape.members and shape.is_open


def main_content(route: Route | None) -> Content | None:
    """Return the content of a successful response: JSON if it may have several types; None if it has no body."""
    if route is None or not route.contents:
        return None
    for content in route.contents:
        if content.kind is Kind.JSON:
            return content
    return route.contents[0]


def list_reply(call: Call, records: Iterable[Record]) -> Reply:
    """Reply with the records that a request selects, in the form of the contract.

    Args:
        call: The request.
        records: All records of the list, in its order.

    Raises:
        RefusedError: 422 for a cursor that this sandbox did not make.
    """
    form = list_form(call.route) or ListForm(call.route.contract.shape(ANY), "items")
    selected = _select(call, form, records)
    if form.is_page:
        page, envelope = _page_after_cursor(call, form, selected)
    else:
        page, envelope = _page_by_number(call, form, selected)
    items = [record.value for record in page]
    if form.member is None:
        return Reply(items)
    named = {name: envelope[usual] for usual, name in form.names.items()}
    return Reply({form.member: items, **named})


Page: TypeAlias = tuple[Sequence[Record], Mapping[str, Any]]


def _page_after_cursor(call: Call, form: ListForm, records: list[Record]) -> Page:
    sent = _sent(call)
    place = "query" if form.after in call.route.parameters[QUERY] else "body"
    size = _size(call.route, sent) or DEFAULT_SIZE
    return find_page(records, size, sent.get(form.after), (place, form.after), is_text=form.has_text_cursor)


def _page_by_number(call: Call, form: ListForm, records: list[Record]) -> Page:
    """Return the page of a list without a cursor: all items, unless it has a parameter for their number."""
    sent = _sent(call)
    size = _size(call.route, sent)
    if size is None or form.after in call.route.parameters[QUERY]:
        size = len(records)
    start = 0
    for name, value in sent.items():
        if name in STARTS and isinstance(value, int):
            start = max(0, value)
        elif name in NUMBERS and isinstance(value, int):
            start = max(0, value - 1) * size
    end = start + size
    return records[start:end], {"has_next_page": end < len(records), "total": len(records)}


def _sent(call: Call) -> dict[str, Any]:
    """Return the members of the body, and the query parameters."""
    body: dict[str, Any] = call.body if is_object(call.body) else {}
    return {**body, **call.query}


def _size(route: Route, sent: Mapping[str, Any]) -> int | None:
    """Return the size of a page, as the request or else the contract says; None if a list has no such parameter."""
    members = {**route.body_members}
    for name, parameter in route.parameters[QUERY].items():
        members[name] = parameter.shape
    for name in SIZES:
        shape = members.get(name)
        if shape is None or "integer" not in shape.types:
            continue
        size = sent.get(name) or shape.mark("default") or min(DEFAULT_SIZE, shape.mark("maximum") or DEFAULT_SIZE)
        return max(1, int(size))
    return None


@attrs.frozen
class Filter:
    """A query parameter that selects items of a list.

    Attributes:
        parameter: The parameter.
        member: The member of an item that is compared.
        compare: How a number or a time is compared with the parameter as a bound; None if it must be equal.
    """

    parameter: str
    member: str
    compare: Compare | None = None

    def selects(self, item: Any, wanted: Any) -> bool:
        """Return whether an item has what a request wants."""
        value = item.get(self.member) if is_object(item) else None
        if self.compare is not None:
            return _reaches(value, wanted, self.compare)
        if is_object(wanted):
            return is_object(value) and all(_is_same(value.get(name), each) for name, each in wanted.items())
        values = value if is_array(value) else [value]
        choices = wanted if is_array(wanted) else [wanted]
        return any(_is_same(*pair) for pair in product(values, choices))


def _is_same(value: Any, wanted: Any) -> bool:
    """Return whether a value is the one that a request wants; a parameter without a type is text."""
    if isinstance(wanted, str) and isinstance(value, bool | int | float):
        return wanted == str(value).lower()
    return bool(value == wanted)


def _reaches(value: Any, bound: Any, compare: Compare) -> bool:
    """Return whether a number or a time is within a bound; a time may be seconds since 1970."""
    try:
        return compare(_comparable(value, bound), _comparable(bound, value))
    except (TypeError, ValueError):
        return False


def _comparable(value: Any, other: Any) -> Any:
    if not isinstance(value, str):
        return value
    moment = parse_datetime(value)
    return moment if isinstance(other, str) else moment.timestamp()


def _select(call: Call, form: ListForm, records: Iterable[Record]) -> list[Record]:
    """Return the records that the filters of a request select."""
    sent: dict[str, Any] = {}
    for name, value in call.query.items():
        if value is not None:
            sent[name] = value
        if is_object(value):
            # The members of an object are filters, too.
            sent |= value
    filters = [each for each in filters_of(call.route, form) if each.parameter in sent]
    if not filters:
        return list(records)
    selected: list[Record] = []
    is_open = is_unknown(form.items)
    for record in records:
        item = record.value
        if not form.items.is_plausible(item):
            item = call.fit_item(form.items, item)
        for each in filters:
            # The contract may not show the members; then a filter applies to the records that have one of its name.
            applies = not is_open or (is_object(item) and each.member in item)
            if applies and not each.selects(item, sent[each.parameter]):
                break
        else:
            selected.append(record)
    return selected


def filters_of(route: Route, form: ListForm) -> list[Filter]:
    """Return the filters of a list that the sandbox understands from their names.

    If the contract does not show the members of an item, every parameter may be one.
    """
    is_open = is_unknown(form.items)
    found: list[Filter] = []
    for name, parameter in selecting(route, form).items():
        for member, compare in _comparisons(name, parameter):
            if is_open or member in form.items.members:
                found.append(Filter(name, member, compare))
            if member in form.items.members:
                break
    return found


def selecting(route: Route, form: ListForm) -> dict[str, Parameter]:
    """Return the query parameters of a list, without those of its pages, and those that its handler reads."""
    other = {*SIZES, *STARTS, *NUMBERS, form.after, *READ_BY_HANDLERS.get(route.operation_id, ())}
    found: dict[str, Parameter] = {}
    for name, parameter in route.parameters[QUERY].items():
        if name in other:
            continue
        if parameter.is_object and name not in form.items.members:
            # Each member of such an object is a parameter of its own.
            members = parameter.shape.members.items()
            found |= {member: Parameter(member, QUERY, shape, is_json=False) for member, shape in members}
        else:
            found[name] = parameter
    return found


def _comparisons(name: str, parameter: Parameter) -> Iterator[tuple[str, Compare | None]]:
    """Yield the members that a parameter may be compared with, and how if it is a bound."""
    yield name, None
    if parameter.is_list:
        for member in (name.removesuffix("s"), name.removesuffix("es"), f"{name.removesuffix('ies')}y"):
            yield member, None
    for beginning, compare in BOUNDS_BEFORE.items():
        if name.startswith(beginning):
            yield name.removeprefix(beginning), compare
    for ending, compare in BOUNDS_AFTER.items():
        if name.endswith(ending):
            stem = name.removesuffix(ending)
            yield stem, compare
            yield stem + TIME, compare


@attrs.frozen
class Selection:
    """What the sandbox does with the parameters of a list that no rule is stated for.

    Attributes:
        filters: The parameters that select items by a member of their name.
        ignored: The parameters that change nothing.
    """

    filters: list[str]
    ignored: list[str]


def selections(routes: Iterable[Route]) -> dict[str, Selection]:
    """Return what the sandbox does with the parameters of lists, by the id of the operation."""
    found: dict[str, Selection] = {}
    for route in routes:
        form = list_form(route)
        if route.method != "GET" or form is None:
            continue
        names = list(selecting(route, form))
        if names:
            filters = list(dict.fromkeys(each.parameter for each in filters_of(route, form)))
            found[route.operation_id] = Selection(filters, [name for name in names if name not in filters])
    return found
