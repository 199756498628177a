"""Methods of the resources: their arguments and results, and their docstrings."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

import attrs
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol

from codegen.contract import (
    BYTES,
    JSON,
    LINES,
    NOTHING,
    TEXT,
    Content,
    Contract,
    ContractError,
    Node,
    OperationFacts,
    python_name,
    words,
)
from codegen.render.arguments import Argument, Arguments
from codegen.render.docstrings import docstring, not_shown, section, sentence
from codegen.render.normalise import NARROWING
from codegen.render.parse import Parse
from codegen.render.python_types import MAPPING, OPEN, PythonTypes, json_types
from codegen.render.runtime.model import Model as ModelClass


@attrs.frozen
class Returned:
    """The returned value of a method.

    Attributes:
        type: The type that is returned.
        decode: The expression of the function that decodes the response.
        call: The method of the client that sends the request: `send`, `paginate`, `download` or `stream`.
        properties: What the generator has read of the responses that the type and the functions name.
        by_status: Status and function where a status has a function of its own.
        item: What a list or a stream is of; None for anything else.
        page: The model of a page; empty if the operation is not paginated.
    """

    type: str
    decode: str
    call: str = "send"
    properties: Sequence[PropertyProtocol] = ()
    by_status: Sequence[tuple[str, str]] = ()
    item: PropertyProtocol | None = None
    page: str = ""

    @property
    def is_model(self) -> bool:
        """True if it is a model of the contract."""
        return self.call == "send" and self.decode.endswith(".from_payload") and not self.by_status


def describe_returned(facts: OperationFacts, parse: Parse, types: PythonTypes) -> Returned:
    """Return what a method returns.

    Raises:
        ContractError: The SDK cannot read the responses.
    """
    contents = facts.responses or [Content(JSON, "", {}, facts.place)]
    if facts.arguments["method"] == "HEAD":
        contents = [attrs.evolve(each, kind=NOTHING) for each in contents]
    main = next((each for each in contents if each.status.upper() == "2XX"), contents[0])
    if len(contents) > 1 and (facts.arguments["streamed"] or facts.pagination is not None):
        what = "a file or JSON Lines" if facts.arguments["streamed"] else "a paginated list"
        raise ContractError(
            f"{what} beside another success ({contents[1].status}); the SDK can return only one of them"
        )
    if any(each.media_type.startswith("text/event-stream") for each in contents):
        raise ContractError("the SDK cannot read text/event-stream; JSON Lines (application/x-ndjson) it can")
    if main.kind == BYTES:
        return Returned("Download", "decode_nothing", "download")
    prop = parse.response(facts, main)
    if main.kind == LINES:
        # The schema is of one line, or of the array of them all.
        item = prop.inner_property if isinstance(prop, ListProperty) else prop
        written = f"JsonLines[{types.type(item, strict=False)}]"
        return Returned(written, types.reader(item), "stream", [item], item=item)
    if facts.pagination is not None:
        if not parse.is_model(prop):
            raise ContractError("the response of a paginated list must be an object with known members")
        page = prop.class_info.name
        items = parse.members(page)[facts.pagination.items]
        assert isinstance(items, ListProperty)
        item = items.inner_property
        written = f"Pager[{types.not_null(item, strict=False)}]"
        return Returned(written, f"models.{page}.from_payload", "paginate", [prop], item=item, page=page)
    properties = {each.status: parse.response(facts, each) for each in contents}
    found = {each.status: decoded(each.kind, properties[each.status], types) for each in contents}
    written = " | ".join(dict.fromkeys(each for each, _ in found.values()))
    decode = found[main.status][1]
    by_status = [(status, function) for status, (_, function) in found.items() if function != decode]
    used = [properties[each.status] for each in contents if each.kind == JSON]
    return Returned(written, decode, properties=used, by_status=by_status)


def decoded(kind: str, prop: PropertyProtocol, types: PythonTypes) -> tuple[str, str]:
    """Return the type of a response, and the function that decodes it."""
    if kind == NOTHING:
        return "None", "decode_nothing"
    if kind == TEXT:
        return "str", "decode_text"
    written, reader = types.type(prop, strict=False), types.reader(prop)
    if reader.endswith(".from_item"):
        return written, f"{reader.removesuffix('item')}payload"
    if written in ("Any", MAPPING):
        return OPEN, f"{OPEN}.from_item"
    expected = ", ".join(map(repr, json_types(prop)))
    return written, f"whole({reader}, {expected})"


# Names that the base class of the models uses.
MODEL_NAMES = frozenset(name for name in dir(ModelClass) if not name.startswith("__"))


class Method:
    """One operation as a method of its resource.

    Attributes:
        facts: What the contract says of it.
        node: Its place in the contract.
        returned: What it returns.
        arguments: What it takes.
        parameters: The parameters of the operation for the catalogue.
        imports: Module and name of the models and the closed sets that its types name.
        item_words: The words that name one item of the list that it returns.
        item_field: The attribute to show of an item in an example; empty if it is no model.

    Raises:
        ContractError: The operation has no form in Python.
    """

    def __init__(self, operation_id: str, contract: Contract, parse: Parse) -> None:
        self.facts: OperationFacts = contract.operations[operation_id]
        self.node: Node = contract.pointed(self.facts.place)
        types = PythonTypes(parse, "models.")
        try:
            self.returned: Returned = describe_returned(self.facts, parse, types)
            taken = {name for prop in self.returned.properties for _, name in types.names(prop)}
            self.arguments = Arguments(self.facts, contract, parse, types, taken)
        except ContractError as error:
            raise ContractError(f"{self.facts.place}: {operation_id}: {error}") from error
        self.facts.arguments["takes_members"] = self.arguments.members
        self.parameters: list[Node] = []
        for each in self.facts.parameters:
            if argument := self.arguments.names.get((each["location"], each["name"])):
                self.parameters.append(each if argument == each["name"] else {**each, "argument": argument})
        item = [self.returned.item] if self.returned.item else []
        properties = [*self.arguments.properties, *self.returned.properties, *item]
        self.imports = sorted({each for prop in properties for each in types.names(prop)})
        model = next((each.class_info.name for each in item if parse.is_model(each)), "")
        self.item_words = words(model) if model else ["item"]
        self.item_field = python_name(next(iter(parse.members(model))), MODEL_NAMES) if model else ""

    @property
    def signature(self) -> list[Argument]:
        """The arguments in the order of the signature, without those that the scope knows."""
        return [*self.arguments.positional, *self.arguments.keywords]

    def call(self, verb: str, values: Iterable[str]) -> str:
        """Return a call of a method of its resource."""
        scope = "organization" if self.facts.name.scope == "organization" else "platform.enterprise"
        return f"{scope}.{self.facts.name.resource}.{verb}({', '.join(values)})"


def by_resource(methods: Iterable[Method]) -> dict[str, dict[str, list[Method]]]:
    """Return the methods of each resource of each scope, in order of name."""
    found: dict[str, dict[str, list[Method]]] = {"organization": {}, "enterprise": {}}
    for method in methods:
        found[method.facts.name.scope].setdefault(method.facts.name.resource, []).append(method)
    return found


CREDENTIALS = {
    "serviceUser": "a service user",
    "personalAccessToken": "a personal access token",
    "enterpriseAdminApiKey": "a personal API key of an enterprise administrator",
}
NO_PERMISSION = "the permission, which the description does not show"
OPTIONS = "options: Timeout, retry policy, extra query or headers of this call."
MEMBERS = "members: Members of the payload that the description does not show, each by its name."


def method_docstring(method: Method) -> str:
    """Return the docstring, quoted."""
    facts = method.facts.arguments
    arguments = [*(argument_entry(method, each) for each in method.signature), OPTIONS]
    arguments += [MEMBERS] if method.arguments.members else []
    successor = f" in favor of `{facts['successor']}`" if facts["successor"] else ""
    status = [f"Deprecated{successor}."] if facts["deprecated"] else []
    status += ["Beta."] if facts["beta"] else []
    status += [f"Inferred: {sentence(facts['inferred'])}"] if facts["inferred"] else []
    contents = [*([method.facts.request] if method.facts.request else []), *method.facts.responses]
    unused = ", ".join(dict.fromkeys(f"`{each}`" for content in contents for each in content.others))
    return docstring(
        sentence(method.node.get("summary")) or f"Send {facts['method']} {facts['path']}.",
        sentence(method.node.get("description")),
        " ".join(status),
        f"Sends `{facts['method']} {facts['path']}`.",
        f"Of the same bodies the SDK does not use: {unused}." if unused else "",
        not_shown(method.facts.gaps),
        section("Args", arguments),
        section("Returns", [returned(method)]),
        section("Raises", raised(facts)),
        "\n".join(["Example:", *(f"    {line}" for line in example(method))]),
        section("Rules", [f"{rule['id']}: {sentence(rule['text'])}" for rule in method.facts.rules]),
    )


def argument_entry(method: Method, argument: Argument) -> str:
    """Describe an argument with its bounds and the default of the server."""
    schema = method.facts.documented.get((argument.location, argument.wire), {})
    pages = method.facts.pagination
    if pages is not None and argument.wire == pages.after:
        text = "Cursor to resume from, as given by `Pager.cursor`."
    elif argument.name == "extra_body":
        text = "Members of the payload whose names are those of arguments, or resemble them."
    elif argument.wire:
        text = sentence(schema.get("description")) or f"The value of `{argument.wire}`."
    else:
        is_shown = not argument.type.startswith(MAPPING)
        text = "The request body." if is_shown else "The request payload, which the description does not show."
    if bounds := join_bounds(schema):
        text = f"{text.removesuffix('.')}{bounds}."
    return f"{argument.name}: {'Deprecated. ' if schema.get('deprecated') else ''}{text}"


def join_bounds(schema: Node) -> str:
    """Return the bounds and the default of an argument, as the end of a sentence."""
    low, high, default = (schema.get(name) for name in ("minimum", "maximum", "default"))
    if low is not None and high is not None:
        text = f", from {low} to {high}"
    elif low is not None:
        text = f", at least {low}"
    else:
        text = "" if high is None else f", at most {high}"
    for keyword in sorted(NARROWING & schema.keys() - {"minimum", "maximum"}):
        text += f"; `{keyword}`: {json.dumps(schema[keyword], ensure_ascii=False)}"
    if default is not None:
        text += f"; the server's default is {f'`{default!r}`' if isinstance(default, str | bool) else default}"
    return text


def returned(method: Method) -> str:
    """Describe what the method returns."""
    found, items = method.returned, plural(method.item_words)
    if found.type == "None":
        return "Nothing: the response has no body."
    if found.type == OPEN:
        return "The response as an `OpenModel`, because the description does not show it; false if it has no body."
    by_call = {
        "paginate": f"A pager: iterate over it for {items}, over `.pages()` for pages.",
        "download": "A download: iterate over it for chunks of bytes, or await its `save(path)` or `read()`.",
        "stream": f"A stream: iterate over it for {items}, one for each line as it comes.",
        "send": f"The `{found.type}`: a read-only view of the response.",
    }
    return by_call[found.call] if found.is_model or found.call != "send" else f"The response as `{found.type}`."


def raised(facts: Node) -> Iterable[str]:
    """Yield the errors that a caller may want to handle."""
    level = f"at {facts['level']} level" if facts["level"] else "at a level that the description does not show"
    missing = f"`{facts['permission']}` {level}" if facts["permission"] else NO_PERMISSION
    yield f"PermissionDeniedError: The credential lacks {missing}."
    if facts["credentials"]:
        *others, last = (CREDENTIALS.get(kind, f"a {kind}") for kind in facts["credentials"])
        kinds = f"neither {', '.join(others)} nor {last}" if others else f"not {last}"
        yield f"CredentialMismatchError: The credential is {kinds}; nothing is sent."
    yield "InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent."
    if facts["paginated"]:
        yield "PagingError: The server repeats a cursor, or sends none although there are more pages."
    if facts["method"] in ("POST", "PATCH"):
        yield "OutcomeUnknownError: The connection failed after the server may have received the request."
    yield "AgentPlatformError: Any other failure; see `agent_session_platform.errors`."


def example(method: Method) -> list[str]:
    """Write a call of the method, with the values of the contract's examples."""
    values = [sample(method, each) for each in method.arguments.positional]
    required = [each for each in method.arguments.keywords if each.default is None or each.name == "body"]
    values += [f"{each.name}={sample(method, each)}" for each in required]
    call = method.call(method.facts.name.verb, values)
    found = method.returned
    if found.item is not None:
        item = python_name(method.item_words[-1])
        shown = f"{item}.{method.item_field}" if method.item_field else item
        return [f"async for {item} in {call}:", f"    print({shown})"]
    if found.call == "download":
        return [f'await {call}.save("downloaded")']
    if found.type == "None" or (found.type == OPEN and method.facts.arguments["method"] != "GET"):
        return [f"await {call}"]
    return [f"{'_'.join(words(found.type)) if found.is_model else 'response'} = await {call}"]


def sample(method: Method, argument: Argument) -> str:
    """Return an example value as it is written in Python; `...` where the contract has none."""
    schema = method.facts.documented.get((argument.location, argument.wire), {})
    value = schema.get("example", next(iter(schema.get("examples", ())), None))
    if argument.name == "body" and not value:
        return "payload"
    if argument.type == "FileSource":
        return '"report.txt"'
    if value is None:
        return "..."
    return repr(value).replace("'", '"') if isinstance(value, str) else repr(value)


def plural(name: list[str]) -> str:
    """Return the plural of a noun."""
    noun = " ".join(name)
    noun = re.sub(r"y$", "ie", noun) if re.search(r"[^aeiou]y$", noun) else noun
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"
