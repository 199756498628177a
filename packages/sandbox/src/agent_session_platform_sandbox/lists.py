"""Lists: the form of a list in a response of the contract, and the query parameters that select from a list."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from operator import ge, gt, le, lt
from typing import Any, Final, TypeAlias

import attrs
from agent_session_platform.contract import Node, is_array, is_object

from .clock import parse_datetime
from .contract import QUERY, Content, Kind, Parameter, Route
from .handlers import DEFAULT_SIZE
from .validation import Shape

# The first of these parameters that a list has, and that is a whole number, is the size of a page.
SIZES: Final = ("first", "limit", "page_size", "pageSize", "per_page", "size", "max_results")
# Filters by a bound: the beginning or the end of their names, and how a value is compared with the bound.
BOUNDS_BEFORE: Final = {"min_": ge, "max_": le}
BOUNDS_AFTER: Final = {"_after": gt, "_since": ge, "_from": ge, "_before": lt, "_until": le, "_to": le}
Compare: TypeAlias = Callable[[Any, Any], bool]
# A time is often shown as `created_at`, and its filter called `created_after`.
TIME: Final = "_at"


@attrs.frozen
class ListForm:
    """The form of the response of a list.

    Attributes:
        items: Shape of an item.
        member: Member of the response that has the items; None if the response itself is the list.
        names: The response's names for `end_cursor`, `has_next_page` and `total`, if it has them.
        after: Parameter that takes the cursor.
        has_text_cursor: Whether a cursor may be text, as those of the sandbox are. If not, one page has all items.
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
        return ListForm(Shape(shape.contract, {}), "items")
    names = route.endpoint.node.get("x-pagination", {})
    arrays = [name for name, each in shape.members.items() if "array" in each.types]
    member = names.get("items") or next((name for name in ("items", *arrays) if name in shape.members), None)
    if member is None:
        return None
    members = {usual: names.get(usual, usual) for usual in ("end_cursor", "has_next_page", "total")}
    shown = {usual: name for usual, name in members.items() if name in shape.members}
    takes_text = "end_cursor" not in shown or "string" in shape.member(shown["end_cursor"]).types
    return ListForm(shape.member(member).items, member, shown, names.get("after", "after"), takes_text)


def is_unknown(shape: Shape) -> bool:
    """Return whether the contract says nothing about a value, except that it may be an object."""
    return shape.types <= {"object", "null"} and not shape.members and shape.is_open


def main_content(route: Route | None) -> Content | None:
    """Return the content of a successful response: JSON if it may have several types; None if it has no body."""
    contents = route.contents if route else ()
    return next((each for each in contents if each.kind is Kind.JSON), contents[0] if contents else None)


def size_of(route: Route, query: Mapping[str, Any], body: Any) -> int:
    """Return the number of items on a page: as the request says, or else the default of the contract."""
    members: dict[str, Shape] = {}
    for content in route.body:
        members |= content.shape.members
    members |= {name: parameter.shape for name, parameter in route.parameters[QUERY].items()}
    sent = (body if is_object(body) else Node()) | {**query}
    for name in SIZES:
        if name not in members or "integer" not in members[name].types:
            continue
        size = sent.get(name)
        if size is None:
            size = members[name].mark("default") or min(DEFAULT_SIZE, members[name].mark("maximum") or DEFAULT_SIZE)
        return max(1, int(size))
    return DEFAULT_SIZE


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
            return is_object(value) and wanted.items() <= value.items()
        values = value if is_array(value) else [value]
        return any(each in values for each in (wanted if is_array(wanted) else [wanted]))


def _reaches(value: Any, bound: Any, compare: Compare) -> bool:
    """Return whether a number or a time is within a bound."""
    try:
        if isinstance(value, str) and isinstance(bound, str):
            return compare(parse_datetime(value), parse_datetime(bound))
        return compare(value, bound)
    except (TypeError, ValueError):
        return False


def filters_of(route: Route, form: ListForm) -> dict[str, Filter]:
    """Return the filters of a list that the sandbox understands from their names, by the name of the parameter."""
    found: dict[str, Filter] = {}
    for name, parameter in selecting(route, form).items():
        member, compare = _compared(name, parameter, form.items.members)
        if member is not None:
            found[name] = Filter(name, member, compare)
    return found


def selecting(route: Route, form: ListForm) -> dict[str, Parameter]:
    """Return the query parameters of a list, without its cursor and its size."""
    return {name: each for name, each in route.parameters[QUERY].items() if name not in (*SIZES, form.after)}


def _compared(name: str, parameter: Parameter, members: Mapping[str, Shape]) -> tuple[str | None, Compare | None]:
    """Return the member that a parameter is compared with, and how if it is a bound."""
    if name in members:
        return name, None
    if parameter.is_list:
        singular = [name.removesuffix("s"), name.removesuffix("es"), f"{name.removesuffix('ies')}y"]
        return _first(members, singular), None
    for beginning, compare in BOUNDS_BEFORE.items():
        if name.startswith(beginning):
            return _first(members, [name.removeprefix(beginning)]), compare
    for ending, compare in BOUNDS_AFTER.items():
        if name.endswith(ending):
            stem = name.removesuffix(ending)
            return _first(members, [stem, stem + TIME]), compare
    return None, None


def ignored_parameters(routes: Iterable[Route], handled: Container[str]) -> dict[str, list[str]]:
    """Return the query parameters of lists that change nothing, by the id of the operation.

    Args:
        routes: All routes.
        handled: The ids of the operations that resources handle.
    """
    ignored: dict[str, list[str]] = {}
    for route in routes:
        form = list_form(route)
        if route.method != "GET" or route.operation_id in handled or form is None:
            continue
        known = filters_of(route, form)
        names = [name for name in selecting(route, form) if name not in known]
        if names:
            ignored[route.operation_id] = names
    return ignored


def _first(members: Mapping[str, Shape], names: Iterable[str]) -> str | None:
    return next((name for name in names if name in members), None)
