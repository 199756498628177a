"""Describe the methods of the facade that do jobs: `wait` for an object, `follow` a list.

The contract marks their operations with `x-wait` and `x-follow`. Their docstrings take the texts about settings and
errors from the docstrings of `Wait` and `Follow`.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence

from griffe import Docstring

from codegen.contract.naming import words
from codegen.contract.source import Node
from codegen.render.docstrings import argument_entry, docstring, plural, raised, sample, section
from codegen.render.methods import Argument, Method
from codegen.render.parse import OPEN
from codegen.render.runtime.interface import Follow, Wait


def describe_jobs(methods: Iterable[Method]) -> list[Node]:
    """Return a description of each method that does a job, for the templates. The followers come before the waits."""
    by_id = {method.facts.arguments["id"]: method for method in methods}
    followers: list[Node] = []
    waits: list[Node] = []
    for method in by_id.values():
        if "x-follow" in method.facts.node:
            followers.append(follow(method))
        if "x-wait" in method.facts.node:
            waits.append(wait(method, by_id))
    return followers + waits


def follow(method: Method) -> Node:
    """Return the method that follows a list."""
    facts, pages = method.facts.node["x-follow"], method.facts.pagination
    # The contract or the follower sets these arguments.
    query: Node = facts.get("query", {})
    items, found = "entries", OPEN
    preset = {*query}
    if pages:
        items = plural(method.item_words)
        found = method.returned.type.removeprefix("Pager[").removesuffix("]")
        preset.add(pages.after)
    keywords = [each for each in method.arguments.keywords if each.wire not in preset]
    passed = ""
    for argument in method.arguments.positional:
        passed += f", {argument.name}"
    for argument in keywords:
        passed += f", {argument.name}={argument.name}"
    for wire, value in query.items():
        passed += f", {wire}={value!r}"
    text = document(
        method,
        Follow,
        f"Follow the {items} of `{method.facts.name}` as they come.",
        [*method.arguments.positional, *keywords],
        ("start", "only_new", "every", "give_up_after"),
        f"A follower: iterate over it for {items}, and keep its `position`.",
        ("start=store.load()", "async for item in follower:", "    print(item)", "    store.save(follower.position)"),
    )
    return {
        "method": method,
        "docstring": text,
        "type": found,
        "id": facts.get("id", ""),
        "keywords": keywords,
        "passed": passed,
    }


def wait(method: Method, by_id: Mapping[str, Method]) -> Node:
    """Return the method that waits for an object."""
    facts = method.facts.node["x-wait"]
    model = method.returned.type
    noun = "_".join(words(model))
    text = document(
        method,
        Wait,
        f"Wait until a {noun.replace('_', ' ')} is as `until` says, or until the wait ends otherwise.",
        method.arguments.positional,
        ("until", "unexpected", "timeout", "every", "max_every", "stalled_after", "on_change"),
        f"The outcome: its `{noun}` as it was read last, its `reason`, and its `error`, which may be None.",
        ("until=is_ready, timeout=600", f"print(outcome.reason, outcome.{noun})"),
    )
    return {
        "method": method,
        "docstring": text,
        "type": model,
        "noun": noun,
        "gone": facts.get("gone", ()),
        "listed": list_call(by_id.get(facts.get("list", ""))),
    }


def list_call(method: Method | None) -> str:
    """Return the call that reads a list after a cursor, in the largest pages; an empty text if it has no pages."""
    if method is None or method.facts.pagination is None:
        return ""
    after = method.facts.pagination.after
    most = method.facts.documented.get(("query", "first"), {}).get("maximum")
    first = ""
    if most:
        first = f"first={most}, "
    return f"self.{method.facts.name.verb}({first}{after}=cursor, options=options)"


def document(
    method: Method,
    job: type,
    summary: str,
    arguments: Iterable[Argument],
    settings: Iterable[str],
    returned: str,
    example: Sequence[str],
) -> str:
    """Return the docstring of a job, with its quotes.

    Args:
        method: The method that the job calls.
        job: The class whose docstring describes the settings: `Wait` or `Follow`.
        summary: The first line.
        arguments: The arguments that the job passes on to the method.
        settings: The names of the other arguments.
        returned: What the job returns.
        example: The settings of the call in the example, and the lines after it.
    """
    found = {part.kind.value: part.value for part in Docstring(inspect.getdoc(job) or "").parse("google")}
    described = {each.name: each.description for each in found["attributes"]}
    entries = [argument_entry(method, each) for each in arguments]
    for name in settings:
        entries.append(f"{name}: {described[name]}")
    entries.append("options: Timeout, retry policy, extra query or headers of each poll.")
    errors: dict[str, str] = {}
    for each in found.get("raises", ()):
        errors[each.annotation] = f"{each.annotation}: {each.description}"
    for text in raised(method.facts.arguments):
        errors.setdefault(text.partition(":")[0], text)
    values = [sample(method, each) for each in method.arguments.positional]
    call = method.call(method.facts.arguments["job"], [*values, example[0]])
    target = "outcome = await" if job is Wait else "follower ="
    return docstring(
        summary,
        *found["text"].split("\n\n")[1:],
        section("Args", entries),
        section("Returns", [returned]),
        section("Raises", errors.values()),
        "\n    ".join(["Example:", f"{target} {call}", *example[1:]]),
    )
