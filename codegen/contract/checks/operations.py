"""Check operations, and what our own keywords name: paths, parameters, links, ids, pagination, follow and wait."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

import attrs

from codegen.contract.checks.schemas import Known, known, types_of
from codegen.contract.checks.structure import Structure
from codegen.contract.content import JSON, kind_of_media_type
from codegen.contract.naming import SCOPE, NamingError, name_operation, words
from codegen.contract.source import Finding, Node, child, instead, listed, parts, quote

OPERATION_ID = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
PLACEHOLDER = re.compile(r"\{([^{}/]+)\}")
# The SDK and the HTTP library set these: from `security`, the media types, the body and the connection.
OWN_HEADERS = re.compile(
    "authorization|accept|content-type|host|content-length|accept-encoding|content-encoding|connection|expect"
    "|http2-settings|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*"
)
MEDIA_TYPE = re.compile(r"(application|audio|font|image|message|model|multipart|text|video|\*)/[\w.+*-]+( *;.*)?")
# A value that a link takes from the request or the response.
EXPRESSION = re.compile(r"\$(url|method|statusCode|(request|response)\.(body(#.*)?|(header|query|path)\..+))")


@attrs.frozen
class Operation:
    """An operation of `paths`, with the JSON pointer of each of its parameters by name and location."""

    path: str
    method: str
    place: str
    node: Node
    parameters: dict[tuple[str, str], str]


def operations(structure: Structure) -> Iterator[Operation]:
    """Yield the operations of `paths`."""
    for place, node in structure.of("operation"):
        match parts(place):
            case ["paths", path, method]:
                item = place.rpartition("/")[0]
                listed_at = [*entries(item, structure.nodes[item]), *entries(place, node)]
                found = ((structure.follow(each)[1], each) for each in listed_at)
                yield Operation(path, method, place, node, {(each["name"], each["in"]): at for each, at in found})


def entries(place: str, node: Node) -> Iterator[str]:
    """Yield the JSON pointers of the parameters that a path item or an operation lists."""
    return (child(f"{place}/parameters", index) for index, _ in enumerate(node.get("parameters", ())))


def operation_findings(structure: Structure) -> Iterator[Finding]:
    """Yield the findings about operations and about what they consist of."""
    found = list(operations(structure))
    for each in found:
        yield from one_operation(each)
        yield from path_parameters(each)
    for first, each in same(found, lambda each: each.node.get("operationId")):
        text = f"the operationId {quote(each.node['operationId'])} is also that of {first.place}"
        yield Finding(f"{each.place}/operationId", f"{text}; an id is used once: change one of them")
    for first, each in same(found, method_name):
        if first.node["operationId"] != each.node["operationId"]:
            text = f"the method name {quote(method_name(each))} is also that of {first.place}"
            way_out = "change one operationId: its words that are not in scope and tag make the name"
            yield Finding(f"{each.place}/operationId", f"{text}; {way_out}")
    yield from path_templates(structure)
    for place, node in structure.of("parameter"):
        if node["in"] == "header" and OWN_HEADERS.fullmatch(node["name"].lower()):
            text = f"a header parameter {quote(node['name'])} is set by the SDK or the HTTP library; remove it"
            yield Finding(place, f"{text}, and write `security` or the media type if it stands for one")
    yield from declarations(structure)
    yield from links(structure, found)


def one_operation(operation: Operation) -> Iterator[Finding]:
    """Yield the findings about an operation by itself."""
    node, place = operation.node, operation.place
    if not node.get("tags"):
        yield Finding(place, "an operation without a tag; add `tags: [...]`: the first one names its resource")
    if "operationId" not in node:
        yield Finding(place, "an operation without `operationId`; add it, such as `list_organization_sessions`")
    elif not OPERATION_ID.fullmatch(node["operationId"]):
        text = f"{quote(node['operationId'])} is no identifier; begin with a letter, and use letters, digits and `_`"
        yield Finding(f"{place}/operationId", text)
    try:
        name_operation(operation.path, "tag", "id", operation.method)
    except NamingError as error:
        yield Finding(place.rpartition("/")[0], f"{error}; correct the path")
    permissions = {name for entry in node.get("security", ()) for names in entry.values() for name in names}
    if len(permissions) > 1:
        text = f"the operation names several permissions, {listed(sorted(permissions))}; list one in every entry"
        yield Finding(f"{place}/security", text)


def same(found: Iterable[Operation], value: Callable[[Operation], str | None]) -> Iterator[tuple[Operation, Operation]]:
    """Yield the pairs of operations that have the same value; those without a value are left out."""
    first: dict[str, Operation] = {}
    for each in found:
        mine = value(each)
        if mine is not None and first.setdefault(mine, each) is not each:
            yield first[mine], each


def method_name(operation: Operation) -> str | None:
    """Return the name of the operation in the SDK, or None if it has none."""
    tags, operation_id = operation.node.get("tags"), operation.node.get("operationId")
    try:
        return (
            str(name_operation(operation.path, tags[0], operation_id, operation.method))
            if tags and operation_id
            else None
        )
    except NamingError:
        return None


def path_templates(structure: Structure) -> Iterator[Finding]:
    """Yield the paths that are none."""
    for path in structure.document["paths"]:
        names = PLACEHOLDER.findall(path)
        if re.search(r"[{}?#\s]", PLACEHOLDER.sub("", path)) or len(names) > len(set(names)):
            text = (
                f"{quote(path)} is no path; write each parameter as `{{name}}`, once, a query as parameters, no spaces"
            )
            yield Finding(child("#/paths", path), text)


def path_parameters(operation: Operation) -> Iterator[Finding]:
    """Yield the path parameters that are declared and not in the path, or the other way round."""
    declared = {name: place for (name, location), place in operation.parameters.items() if location == "path"}
    in_path = PLACEHOLDER.findall(operation.path)
    for name in in_path:
        if name not in declared:
            text = f"the path parameter {quote(f'{{{name}}}')} is not declared; add it to `parameters` with `in: path`"
            yield Finding(operation.place, text)
    for name, place in declared.items():
        if name not in in_path:
            way_out = instead(name, in_path, f"add {quote(f'{{{name}}}')} to the path, or remove the parameter")
            yield Finding(place, f"the path {quote(operation.path)} has no {quote(f'{{{name}}}')}; {way_out}")


def declarations(structure: Structure) -> Iterator[Finding]:
    """Yield the media types that are none, and the kinds of credential that are not declared."""
    for place, _ in structure.of("media type"):
        written = parts(place)[-1]
        if not MEDIA_TYPE.fullmatch(written):
            text = f"{quote(written)} is no media type; write one as `application/json`"
            yield Finding(place, text)
    declared = structure.document.get("components", {}).get("securitySchemes", {})
    for place, node in structure.of("security requirement"):
        for kind in node:
            if kind not in declared:
                way_out = instead(kind, declared, "declare it below `#/components/securitySchemes`")
                yield Finding(child(place, kind), f"the kind of credential {quote(kind)} is not declared; {way_out}")


def links(structure: Structure, found: Iterable[Operation]) -> Iterator[Finding]:
    """Yield the links that lead to no operation, or with arguments that it does not take."""
    by_place = {each.place: each for each in found}
    by_id = {each.node.get("operationId", ""): each for each in by_place.values()}
    for place, node in structure.of("link"):
        keyword = "operationId" if "operationId" in node else "operationRef"
        target = (by_id if keyword == "operationId" else by_place).get(node[keyword])
        if target is None:
            way_out = instead(node[keyword], by_id, "write the operationId of an operation of this file")
            yield Finding(f"{place}/{keyword}", f"no operation {quote(node[keyword])}; {way_out}")
            continue
        names = [name for name, _ in target.parameters] + [f"{where}.{name}" for name, where in target.parameters]
        for name, value in node.get("parameters", {}).items():
            here = child(f"{place}/parameters", name)
            if name not in names:
                way_out = instead(name, names, f"write {listed(names)}" if names else "remove it")
                yield Finding(here, f"the operation has no parameter {quote(name)}; {way_out}")
            if isinstance(value, str) and value.startswith("$") and not EXPRESSION.fullmatch(value):
                text = f"{quote(value)} is no expression; write `$request.path.x` or `$response.body#/x`"
                yield Finding(here, text)


def registry_findings(structure: Structure) -> Iterator[Finding]:
    """Yield the findings about our own keywords."""
    yield from ids(structure)
    for place, node in structure.of("observed"):
        if node["first"] > node["last"]:
            yield Finding(f"{place}/last", f"`last` is before `first`, {node['first']}; exchange the two")
    for place, node in structure.of("parameter"):
        if "x-adds-prefix" in node and "x-id-prefix" not in node:
            yield Finding(f"{place}/x-adds-prefix", "`x-adds-prefix` without `x-id-prefix`; add the prefix")
        for name in ("x-id-prefix", "x-wildcard"):
            if name in node and node["in"] != "path":
                text = f"`{name}` belongs to a path parameter, and not to a {node['in']} parameter; remove it"
                yield Finding(f"{place}/{name}", text)
    yield from resource_ids(structure)
    yield from successors(structure)


def ids(structure: Structure) -> Iterator[Finding]:
    """Yield the gaps and rules with the id of another one, and the cited rules that have no text anywhere."""
    for kind in ("gap", "rule"):
        first: dict[str, str] = {}
        for place, node in structure.of(kind):
            # A rule without a text only cites another one.
            if (kind == "gap" or "text" in node) and first.setdefault(node["id"], place) != place:
                text = f"the {kind} {quote(node['id'])} is also at {first[node['id']]}; an id is used once: change one"
                yield Finding(f"{place}/id", text)
    for place, node in structure.of("rule"):
        if node["id"] not in first:
            text = f"the rule {quote(node['id'])} has no text anywhere; {instead(node['id'], first, 'add `text`')}"
            yield Finding(place, text)


def resource_ids(structure: Structure) -> Iterator[Finding]:
    """Yield the ids of resources that cannot be one, or are not the only one of their object."""
    for place, node in structure.of("schema"):
        parts = [place, *(f"{place}/allOf/{index}" for index, _ in enumerate(node.get("allOf", ())))]
        names = [(part, name) for part in parts for name in structure.nodes.get(part, {}).get("properties", ())]
        fields = [child(f"{part}/properties", name) for part, name in names]
        marked = [field for field in fields if structure.nodes.get(field, {}).get("x-resource-id")]
        for field in marked[1:]:
            text = f"`x-resource-id` is also at {marked[0]}; leave it at the id by which paths name the resource"
            yield Finding(f"{field}/x-resource-id", text)
        for field in marked:
            if structure.follow(field)[1].get("type") not in ("string", "integer"):
                text = "`x-resource-id` at a type that is no id; an id is a string or an integer, and never null"
                yield Finding(f"{field}/x-resource-id", text)


def successors(structure: Structure) -> Iterator[Finding]:
    """Yield the successors of deprecated operations that do not exist."""
    found = list(operations(structure))
    names = {name: each.node["operationId"] for each in found if (name := method_name(each))}
    for each in found:
        successor = each.node.get("x-successor")
        if successor is not None and successor not in names:
            by_id = next((name for name, operation_id in names.items() if operation_id == successor), successor)
            way_out = instead(by_id, names, "write the method, such as `organization.automations.create`")
            yield Finding(f"{each.place}/x-successor", f"no operation has the method {quote(successor)}; {way_out}")


# Part "Paginated list envelope" of the API's description.
ENVELOPE = ("items", "end_cursor", "has_next_page", "total")
# The members of a list that each page must have; the others may be absent.
NEEDED = ("items", "end_cursor")


def pagination_findings(structure: Structure) -> Iterator[Finding]:
    """Yield the entries of `x-pagination`, `x-follow` and `x-wait` that name nothing."""
    found = list(operations(structure))
    by_id = {each.node.get("operationId", ""): each for each in found}
    for operation in found:
        if "x-pagination" in operation.node:
            yield from paginated(structure, operation)
        if "x-follow" in operation.node:
            yield from followed(structure, operation)
        if "x-wait" in operation.node:
            yield from waited(structure, operation, by_id)


def paginated(structure: Structure, operation: Operation) -> Iterator[Finding]:
    """Yield the entries that name no member of the response, and a cursor that is no argument."""
    written, place = operation.node["x-pagination"], f"{operation.place}/x-pagination"
    page = shown_response(structure, operation)
    if page is None:
        yield Finding(place, "the first success is not JSON with a schema; write it, or remove `x-pagination`")
        return
    for entry in ENVELOPE:
        name = written.get(entry, entry)
        here = f"{place}/{entry}" if entry in written else place
        if name not in page.names and (entry in written or entry in NEEDED):
            way_out = instead(name, page.names, f"write the member of the response that has `{entry}`")
            yield Finding(here, f"the response has no member {quote(name)}; {way_out}")
        elif entry == "items":
            schema = structure.follow(page.names[name])[1]
            if "array" not in types_of(schema) and "allOf" not in schema:
                yield Finding(here, f"the member {quote(name)} is no array; name the list, or correct its type")
    names = [name for name, location in operation.parameters if location == "query"]
    if "requestBody" in operation.node:
        body, node = structure.follow(f"{operation.place}/requestBody")
        for media_type in node["content"]:
            names += known(structure, f"{child(f'{body}/content', media_type)}/schema").names
    name = written.get("after", "after")
    if name not in names:
        way_out = instead(name, names, "write the query parameter or the member of the body that takes the cursor")
        here = f"{place}/after" if "after" in written else place
        yield Finding(here, f"the operation has no argument {quote(name)}; {way_out}")


def shown_response(structure: Structure, operation: Operation) -> Known | None:
    """Return the members of the first success; None if that is not JSON with a schema."""
    statuses = [status for status in operation.node["responses"] if status.startswith("2")]
    if not statuses:
        return None
    place, node = structure.follow(child(f"{operation.place}/responses", statuses[0]))
    for media_type, media in node.get("content", {}).items():
        if kind_of_media_type(media_type) == JSON and "schema" in media:
            return known(structure, f"{child(f'{place}/content', media_type)}/schema")
    return None


def item_members(structure: Structure, operation: Operation) -> Known | None:
    """Return the members of an item of a list; None where they are not shown."""
    page = shown_response(structure, operation)
    name = operation.node.get("x-pagination", {}).get("items", "items")
    if page is None or name not in page.names:
        return None
    place, schema = structure.follow(page.names[name])
    return known(structure, f"{place}/items") if "items" in schema else None


def followed(structure: Structure, operation: Operation) -> Iterator[Finding]:
    """Yield what is wrong with a list to follow."""
    written, place = operation.node["x-follow"], f"{operation.place}/x-follow"
    if operation.method != "get" or words(operation.node.get("operationId", ""))[:1] != ["list"]:
        yield Finding(place, "only a GET whose operationId begins with `list` can be followed; remove `x-follow`")
        return
    names = [name for name, location in operation.parameters if location == "query"]
    for name in written.get("query", {}):
        if name not in names:
            way_out = instead(name, names, "write a query parameter of the operation")
            yield Finding(f"{place}/query/{name}", f"the operation has no query parameter {quote(name)}; {way_out}")
    item = item_members(structure, operation)
    members = item.names if item else {}
    if "id" in written and written["id"] not in members:
        way_out = instead(written["id"], members, "write the member of an item that has its id, or leave it out")
        yield Finding(f"{place}/id", f"an item has no member {quote(written['id'])}; {way_out}")


def waited(structure: Structure, operation: Operation, by_id: dict[str, Operation]) -> Iterator[Finding]:
    """Yield what is wrong with an object to wait for."""
    written, place = operation.node["x-wait"], f"{operation.place}/x-wait"
    shown = shown_response(structure, operation)
    if operation.method != "get" or shown is None or not shown.names:
        yield Finding(place, "only a GET of an object whose members are shown can be waited for; remove `x-wait`")
        return
    for index, name in enumerate(written.get("gone", ())):
        if name not in shown.names:
            way_out = instead(name, shown.names, "write a flag of the object")
            yield Finding(f"{place}/gone/{index}", f"the object has no member {quote(name)}; {way_out}")
    if "list" not in written:
        return
    name = written["list"]
    listing = by_id.get(name)
    if listing is None:
        way_out = instead(name, by_id, "write the operationId of the list of such objects")
        yield Finding(f"{place}/list", f"no operation {quote(name)}; {way_out}")
    elif scope(listing) != scope(operation) or needs_more(structure, listing):
        yield Finding(f"{place}/list", f"{quote(name)} needs other arguments; name a list of the same scope")
    elif item_members(structure, listing) is None:
        yield Finding(f"{place}/list", f"the items of {quote(name)} are not shown; leave `list` out")


def scope(operation: Operation) -> str | None:
    """Return the scope of an operation; None if its path is in none."""
    match = SCOPE.match(operation.path)
    return match.lastgroup if match else None


def needs_more(structure: Structure, operation: Operation) -> bool:
    """Return whether a call needs more arguments than its scope has."""
    required = sum(bool(structure.follow(place)[1].get("required")) for place in operation.parameters.values())
    return required > (scope(operation) == "organization")
