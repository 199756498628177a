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
from codegen.render.runtime.contract import Gap, Observed

# Lines are broken only at spaces, so that a search finds ids with hyphens.
fill = partial(textwrap.fill, width=100, break_long_words=False, break_on_hyphens=False)
OBSERVED = "Observed, not stated by the API's description"


def sentence(text: object) -> str:
    """Return the text on one line, with a full stop at its end."""
    line = " ".join(str(text or "").split())
    return line if not line or line.endswith((".", "?", "!")) else f"{line}."


def section(title: str, entries: Iterable[str]) -> str:
    """Return a section of a docstring with its title; an empty text if there are no entries."""
    lines = [fill(entry, initial_indent="    ", subsequent_indent="        ") for entry in entries]
    return "\n".join([f"{title}:", *lines]) if lines else ""


def not_shown(gaps: Iterable[Gap]) -> str:
    """Return two paragraphs of a docstring: the ids of the open gaps, and the ids of the gaps that observations closed.

    A paragraph without ids is left out.
    """
    found = list(gaps)
    open_ones = [gap.id for gap in found if not gap.closed]
    closed = [f"{gap.id} ({observation(gap.closed)})" for gap in found if gap.closed]
    titled = {"Not shown by the API's description": open_ones, OBSERVED: closed}
    return "\n\n".join(fill(f"{title}: {', '.join(ids)}.") for title, ids in titled.items() if ids)


def observation(observed: Observed) -> str:
    """Return how often something was observed, and when."""
    first, last = observed.first, observed.last
    count = "1 response" if observed.answers == 1 else f"{observed.answers} responses"
    return f"in {count}, {f'on {first}' if first == last else f'from {first} to {last}'}"


def docstring(*paragraphs: object) -> str:
    """Write the non-empty paragraphs as a quoted docstring; sections keep their lines."""
    texts = [str(paragraph) for paragraph in paragraphs if paragraph]
    wrapped = [text if text.partition("\n")[0].endswith(":") else fill(text) for text in texts]
    text = "\n\n".join(wrapped).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    # Control characters are allowed in the contract, and not in a Python file.
    text = "".join(each if each.isprintable() or each == "\n" else repr(each)[1:-1] for each in text)
    if text.endswith('"'):
        text = f'{text[:-1]}\\"'
    return f'"""{text}\n"""' if "\n" in text else f'"""{text}"""'


NO_PERMISSION = "the permission, which the description does not show"
OPTIONS = "options: Timeout, retry policy, extra query or headers of this call."
MEMBERS = "members: Members of the payload that the description does not show, each by its name."


def method_docstring(method: Method) -> str:
    """Return the docstring of a method, with its quotes."""
    facts = method.facts.arguments
    signature = [*method.arguments.positional, *method.arguments.keywords]
    arguments = [*(argument_entry(method, each) for each in signature), OPTIONS]
    arguments += [MEMBERS] if method.arguments.extra_body else []
    successor = f" in favor of `{facts['successor']}`" if facts["successor"] else ""
    status = [f"Deprecated{successor}."] if facts["deprecated"] else []
    status += ["Beta."] if facts["beta"] else []
    status += [f"Inferred: {sentence(facts['inferred'])}"] if facts["inferred"] else []
    contents = [*([method.facts.request] if method.facts.request else []), *method.facts.successes]
    unused = ", ".join(dict.fromkeys(f"`{each}`" for content in contents for each in content.others))
    return docstring(
        sentence(method.facts.node.get("summary")) or f"Send {facts['method']} {facts['path']}.",
        sentence(method.facts.node.get("description")),
        " ".join(status),
        f"Sends `{facts['method']} {facts['path']}`.",
        f"The SDK does not use the other media types of these bodies: {unused}." if unused else "",
        not_shown(method.facts.gaps),
        section("Args", arguments),
        section("Returns", [returned(method)]),
        section("Raises", raised(facts)),
        "\n".join(["Example:", *(f"    {line}" for line in example(method))]),
        section("Rules", [f"{rule.id}: {sentence(rule.text)}" for rule in method.facts.rules]),
    )


def argument_entry(method: Method, argument: Argument) -> str:
    """Describe an argument with its bounds and the default of the server."""
    schema = method.facts.documented.get((argument.location, argument.wire), {})
    pages = method.facts.pagination
    if pages is not None and argument.wire == pages.after:
        text = "Cursor to resume from, as given by `Pager.cursor`."
    elif argument.name == "extra_body":
        text = "Members of the payload that have the name of an argument, or a similar name."
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
    text = "" if low is None else f", at least {low}"
    if high is not None:
        text = f", from {low} to {high}" if text else f", at most {high}"
    for keyword in sorted(NARROWING & schema.keys() - {"minimum", "maximum"}):
        text += f"; `{keyword}`: {json.dumps(schema[keyword], ensure_ascii=False)}"
    if default is not None:
        text += f"; the server's default is {f'`{default!r}`' if isinstance(default, str | bool) else default}"
    return text


def returned(method: Method) -> str:
    """Return the text for the section `Returns` of a method."""
    found, items = method.returned, plural(method.item_words)
    if found.type == "None":
        return "Nothing: the response has no body."
    if found.type == OPEN:
        return "The response as an `OpenModel`, because the description does not show it; false if it has no body."
    by_call = {
        "paginate": f"A pager: iterate over it for {items}, over `.pages()` for pages.",
        "download": "A download: iterate over it for chunks of bytes, or await its `save(path)` or `read()`.",
        "send": f"The `{found.type}`: a read-only view of the response.",
    }
    return by_call[found.call] if found.is_model or found.call != "send" else f"The response as `{found.type}`."


def raised(facts: Node) -> Iterable[str]:
    """Yield the errors that a caller may want to handle."""
    level = f"at {facts['level']} level" if facts["level"] else "at a level that the description does not show"
    missing = f"`{facts['permission']}` {level}" if facts["permission"] else NO_PERMISSION
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
    values = [sample(method, each) for each in method.arguments.positional]
    required = [each for each in method.arguments.keywords if each.default is None or each.name == "body"]
    values += [f"{each.name}={sample(method, each)}" for each in required]
    call = method.call(method.facts.name.verb, values)
    found = method.returned
    if found.item is not None:
        item = python_name(method.item_words[-1])
        return [f"async for {item} in {call}:", f"    print({item})"]
    if found.call == "download":
        return [f'await {call}.save("downloaded")']
    if found.type == "None" or (found.type == OPEN and method.facts.arguments["method"] != "GET"):
        return [f"await {call}"]
    return [f"{'_'.join(words(found.type)) if found.is_model else 'response'} = await {call}"]


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
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def plural(name: list[str]) -> str:
    """Return the plural of a noun."""
    noun = " ".join(name)
    noun = re.sub(r"y$", "ie", noun) if re.search(r"[^aeiou]y$", noun) else noun
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"
