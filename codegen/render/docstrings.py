"""The docstrings of the generated package."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable
from functools import partial

from codegen.contract.naming import python_name, words
from codegen.contract.source import Node
from codegen.render.methods import Argument, Method
from codegen.render.normalise import NARROWING
from codegen.render.parse import MAPPING, OPEN
from codegen.render.runtime.contract import Documented, Gap, Observed

# Lines are broken only at spaces, so that a search finds ids with hyphens.
fill = partial(textwrap.fill, width=100, break_long_words=False, break_on_hyphens=False)
OBSERVED = "Observed, not stated by the API's description"


def sentence(text: object) -> str:
    """Return the text on one line, with a full stop at its end."""
    line = " ".join(str(text or "").split())
    if not line or line.endswith((".", "?", "!")):
        return line
    return f"{line}."


def section(title: str, entries: Iterable[str]) -> str:
    """Return a section of a docstring with its title; an empty text if there are no entries."""
    lines = [f"{title}:"]
    for entry in entries:
        lines.append(fill(entry, initial_indent="    ", subsequent_indent="        "))
    if len(lines) == 1:
        return ""
    return "\n".join(lines)


def not_shown(gaps: Iterable[Gap]) -> str:
    """Return the paragraphs of a docstring about gaps: those that are open, then those that were closed, by what.

    A paragraph without ids is left out.
    """
    ids: dict[str, list[str]] = {"Not shown by the API's description": [], OBSERVED: []}
    for gap in gaps:
        if gap.closed is None:
            ids["Not shown by the API's description"].append(gap.id)
        elif isinstance(gap.closed, Documented):
            ids.setdefault(f"Stated {evidence(gap.closed)}", []).append(gap.id)
        else:
            ids[OBSERVED].append(f"{gap.id} ({evidence(gap.closed)})")
    paragraphs: list[str] = []
    for title, named in ids.items():
        if named:
            paragraphs.append(fill(f"{title}: {', '.join(named)}."))
    return "\n\n".join(paragraphs)


def evidence(closed: Observed | Documented) -> str:
    """Return with what a gap was closed."""
    if isinstance(closed, Documented):
        return f"by {closed.document}, read on {closed.date}"
    return observation(closed)


def observation(observed: Observed) -> str:
    """Return how often something was observed, and when."""
    count = f"{observed.answers} responses"
    if observed.answers == 1:
        count = "1 response"
    if observed.first == observed.last:
        return f"in {count}, on {observed.first}"
    return f"in {count}, from {observed.first} to {observed.last}"


def docstring(*paragraphs: object) -> str:
    """Write the non-empty paragraphs as a quoted docstring; sections keep their lines."""
    wrapped: list[str] = []
    for paragraph in filter(None, paragraphs):
        text = str(paragraph)
        is_section = text.partition("\n")[0].endswith(":")
        wrapped.append(text if is_section else fill(text))
    text = "\n\n".join(wrapped).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    # Control characters are allowed in the contract, and not in a Python file.
    text = re.sub(r"[^\n]", lambda character: escape(character[0]), text)
    if text.endswith('"'):
        text = f'{text[:-1]}\\"'
    if "\n" in text:
        text += "\n"
    return f'"""{text}"""'


def escape(character: str) -> str:
    """Return a character as a Python file may have it."""
    if character.isprintable():
        return character
    return repr(character)[1:-1]


NO_PERMISSION = "the permission, which the description does not show"
OPTIONS = "options: Timeout, retry policy, extra query or headers of this call."
MEMBERS = "members: Members of the payload that the description does not show, each by its name."
UNKNOWN = "unknown: Any other keyword is refused; the error says what to write instead."


def method_docstring(method: Method) -> str:
    """Return the docstring of a method, with its quotes."""
    facts = method.facts.arguments
    arguments: list[str] = []
    for argument in (*method.arguments.positional, *method.arguments.keywords):
        arguments.append(argument_entry(method, argument))
    arguments.append(OPTIONS)
    if method.arguments.takes_members:
        arguments.append(MEMBERS)
    else:
        arguments.append(UNKNOWN)
    rules = [f"{rule.id}: {sentence(rule.text)}" for rule in method.facts.rules]
    return docstring(
        sentence(method.facts.node.get("summary")) or f"Send {facts['method']} {facts['path']}.",
        sentence(method.facts.node.get("description")),
        status(facts),
        f"Sends `{facts['method']} {facts['path']}`.",
        unused_media_types(method),
        not_shown(method.facts.gaps),
        section("Args", arguments),
        section("Returns", [returned(method)]),
        section("Raises", raised(facts)),
        "\n    ".join(["Example:", *example(method)]),
        section("Rules", rules),
    )


def status(facts: Node) -> str:
    """Say that an operation is deprecated, beta or inferred; an empty text if it is none of these."""
    sentences: list[str] = []
    if facts["successor"] and facts["deprecated"]:
        sentences.append(f"Deprecated in favor of `{facts['successor']}`.")
    elif facts["deprecated"]:
        sentences.append("Deprecated.")
    if facts["beta"]:
        sentences.append("Beta.")
    if facts["inferred"]:
        sentences.append(f"Inferred: {sentence(facts['inferred'])}")
    return " ".join(sentences)


def unused_media_types(method: Method) -> str:
    """Name the media types of the bodies that the SDK does not use; an empty text if there are none."""
    unused: dict[str, None] = {}
    for content in (method.facts.request, *method.facts.successes):
        if content is not None:
            unused.update(dict.fromkeys(content.others))
    if not unused:
        return ""
    names = ", ".join(f"`{media_type}`" for media_type in unused)
    return f"The SDK does not use the other media types of these bodies: {names}."


def argument_entry(method: Method, argument: Argument) -> str:
    """Describe an argument with its bounds and the default of the server."""
    schema = method.facts.documented.get((argument.location, argument.wire), {})
    pages = method.facts.pagination
    if pages is not None and argument.wire == pages.after:
        text = "Cursor to resume from, as given by `Pager.cursor`."
    elif argument.name == "extra_body":
        text = "More members of the body; use it for a name that is, or resembles, an argument."
    elif argument.wire:
        text = sentence(schema.get("description")) or f"The value of `{argument.wire}`."
    elif argument.type.startswith(MAPPING):
        text = "The request payload, which the description does not show."
    else:
        text = "The request body."
    if bounds := join_bounds(schema):
        text = f"{text.removesuffix('.')}{bounds}."
    if schema.get("deprecated"):
        text = f"Deprecated. {text}"
    return f"{argument.name}: {text}"


def join_bounds(schema: Node) -> str:
    """Return the bounds and the default of an argument, as the end of a sentence."""
    low, high, default = schema.get("minimum"), schema.get("maximum"), schema.get("default")
    text = ""
    if low is not None and high is not None:
        text = f", from {low} to {high}"
    elif low is not None:
        text = f", at least {low}"
    elif high is not None:
        text = f", at most {high}"
    for keyword in sorted(NARROWING & schema.keys() - {"minimum", "maximum"}):
        text += f"; `{keyword}`: {json.dumps(schema[keyword], ensure_ascii=False)}"
    if isinstance(default, str | bool):
        text += f"; the server's default is `{default!r}`"
    elif default is not None:
        text += f"; the server's default is {default}"
    return text


def returned(method: Method) -> str:
    """Return the text for the section `Returns` of a method."""
    found = method.returned
    if found.type == "None":
        return "Nothing: the response has no body."
    if found.call == "read_list":
        why = ", because the description does not show it" if found.type == OPEN else ""
        return f"A list: iterate over it for items; await it for the first response, as `{found.type}`{why}."
    if found.type == OPEN:
        return "The response as an `OpenModel`, because the description does not show it; it is falsy without a body."
    if found.call == "paginate":
        items = plural(method.item_words)
        return f"A pager: iterate over it for {items}, over `.pages()` for pages."
    if found.call == "download":
        return "A download: iterate over it for chunks of bytes, or await its `save(path)` or `read()`."
    if found.is_model:
        return f"The `{found.type}`: a read-only view of the response."
    return f"The response as `{found.type}`."


def raised(facts: Node) -> Iterable[str]:
    """Yield the errors that a caller may want to handle."""
    level = "at a level that the description does not show"
    if facts["level"]:
        level = f"at {facts['level']} level"
    missing = NO_PERMISSION
    if facts["permission"]:
        missing = f"`{facts['permission']}` {level}"
    yield f"PermissionDeniedError: The credential lacks {missing}."
    if facts["credentials"]:
        kinds = " or ".join(f"`{kind}`" for kind in facts["credentials"])
        yield f"CredentialMismatchError: The credential is of another kind than {kinds}; nothing is sent."
    yield "InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent."
    if facts["paginated"]:
        yield "PagingError: The server repeats a cursor, or sends none although there are more pages."
    if facts["method"] in ("POST", "PATCH"):
        yield "OutcomeUnknownError: The connection failed after the server may have received the request."
    yield "AgentPlatformError: Any other failure; see `agent_session_platform.errors`."


def example(method: Method) -> list[str]:
    """Write a call of the method, with the values of the contract's examples."""
    values = [sample(method, argument) for argument in method.arguments.positional]
    for argument in method.arguments.keywords:
        if argument.default is None or argument.name == "body":
            values.append(f"{argument.name}={sample(method, argument)}")
    call = method.call(method.facts.name.verb, values)
    found = method.returned
    if found.call in ("paginate", "read_list"):
        item = python_name(method.item_words[-1])
        return [f"async for {item} in {call}:", f"    print({item})"]
    if found.call == "download":
        return [f'await {call}.save("downloaded")']
    if found.type == "None" or (found.type == OPEN and method.facts.arguments["method"] != "GET"):
        return [f"await {call}"]
    name = "response"
    if found.is_model:
        name = "_".join(words(found.type))
    return [f"{name} = await {call}"]


def sample(method: Method, argument: Argument) -> str:
    """Return an example value as it is written in Python; `...` if the contract has no example."""
    schema = method.facts.documented.get((argument.location, argument.wire), {})
    value = schema.get("example", next(iter(schema.get("examples", ())), None))
    if argument.name == "body" and not value:
        return "payload"
    if argument.type == "FileSource":
        return '"report.txt"'
    if value is None:
        return "..."
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return repr(value)


def plural(name: list[str]) -> str:
    """Return the plural of a noun."""
    noun = " ".join(name)
    noun = re.sub(r"(?<=[^aeiou])y$", "ie", noun)
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es"
    return f"{noun}s"
