"""Describe the methods of the facade that do jobs: `wait` for an object, `follow` a list.

The contract marks their operations with `x-wait` and `x-follow`. What their docstrings say of settings and errors is
that of `Wait` and `Follow`, the values that they pass on.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable

import attrs
from griffe import Docstring, DocstringSectionAttributes, DocstringSectionRaises, DocstringSectionText

from codegen.contract import Contract, Node, module_name, words
from codegen.render.arguments import Argument
from codegen.render.docstrings import docstring, section
from codegen.render.methods import Method, argument_entry, item_words, plural, raised, sample
from codegen.render.python_types import OPEN
from codegen.render.runtime.polling import Follow, Wait


@attrs.frozen
class JobMethod:
    """A method that does a job by the method of an operation.

    Attributes:
        name: The name of the method.
        method: The method that it calls.
        facts: The value of the extension.
    """

    name: str
    method: Method
    facts: Node

    @property
    def place(self) -> tuple[str, str]:
        """Scope and resource."""
        return self.method.facts.name.scope, self.method.facts.name.resource

    @property
    def positional(self) -> list[Argument]:
        """The positional arguments, which are those of the method that it calls."""
        return self.method.arguments.positional

    def document(
        self,
        job: type,
        summary: str,
        arguments: Iterable[Argument],
        settings: Iterable[str],
        returned: str,
        example: list[str],
    ) -> str:
        """Return the docstring, quoted.

        Args:
            job: The class of the value, which describes the settings.
            summary: The first line.
            arguments: The arguments of the operation.
            settings: The names of the settings.
            returned: What it returns.
            example: The lines of the example, the first one without the call and its first arguments.
        """
        texts: list[str] = []
        described: dict[str, str] = {}
        errors: list[str] = []
        for part in Docstring(inspect.getdoc(job) or "").parse("google"):
            match part:
                case DocstringSectionText():
                    texts += part.value.split("\n\n")[1:]
                case DocstringSectionAttributes():
                    described |= {each.name: f"{each.name}: {each.description}" for each in part.value}
                case DocstringSectionRaises():
                    errors += [f"{each.annotation}: {each.description}" for each in part.value]
                case _:
                    pass
        scope = "organization" if self.place[0] == "organization" else "platform.enterprise"
        values = "".join(f"{sample(self.method, each)}, " for each in self.positional)
        first = example[0].format(call=f"{scope}.{self.place[1]}.{self.name}({values}")
        others = (each for each in raised(self.method.facts.arguments) if each.partition(":")[0] not in "".join(errors))
        return docstring(
            summary,
            *texts,
            section(
                "Args",
                [
                    *(argument_entry(self.method, each) for each in arguments),
                    *(described[name] for name in settings),
                    "options: Timeout, retry policy, extra query or headers of each poll.",
                ],
            ),
            section("Returns", [returned]),
            section("Raises", [*errors, *others]),
            "\n".join(["Example:", *(f"    {line}" for line in [first, *example[1:]])]),
        )


@attrs.frozen
class FollowMethod(JobMethod):
    """A method that follows a list."""

    @property
    def item(self) -> str:
        """The type of an item."""
        found = self.method.returned
        return found.type.removeprefix("Pager[").removesuffix("]") if found.call == "paginate" else OPEN

    @property
    def keywords(self) -> list[Argument]:
        """The keyword arguments of the list, without the cursor and without what the contract sets."""
        pages = self.method.facts.pagination
        set_here = {*self.facts.get("query", ()), pages.after if pages else ""}
        return [each for each in self.method.arguments.keywords if each.wire not in set_here]

    @property
    def passed(self) -> str:
        """The arguments of the list, as they are passed to it."""
        values = [each.name for each in self.positional]
        values += [f"{each.name}={each.name}" for each in self.keywords]
        names = {each.wire: each.name for each in self.method.arguments.keywords}
        values += [f"{names[wire]}={value!r}" for wire, value in self.facts.get("query", {}).items()]
        return "".join(f", {each}" for each in values)

    @property
    def docstring(self) -> str:
        """The docstring, quoted."""
        items = plural(item_words(self.method)) if self.item != OPEN else "entries"
        return self.document(
            Follow,
            f"Follow the {items} of `{self.method.facts.name}` as they come.",
            [*self.positional, *self.keywords],
            ("start", "only_new", "every", "give_up_after"),
            f"A follower: iterate over it for {items}, and keep its `position`.",
            [
                "follower = {call}start=store.load())",
                "async for item in follower:",
                "    print(item)",
                "    store.save(follower.position)",
            ],
        )


@attrs.frozen
class WaitMethod(JobMethod):
    """A method that waits for an object.

    Attributes:
        listing: The method that lists such objects, page by page; None if there is none.
        id: The member of a listed object that has its id.
    """

    listing: Method | None
    id: str

    @property
    def listed(self) -> str:
        """The call that lists such objects after a cursor, in pages as large as they may be; empty without a list."""
        if self.listing is None or self.listing.facts.pagination is None:
            return ""
        after = self.listing.facts.pagination.after
        cursor = next(each.name for each in self.listing.arguments.keywords if each.wire == after)
        most = self.listing.facts.documented.get(("query", "first"), {}).get("maximum")
        first = f"first={most}, " if most else ""
        return f"self.{self.listing.facts.name.verb}({first}{cursor}=cursor, options=options)"

    @property
    def model(self) -> str:
        """The type of the object."""
        return self.method.returned.type

    @property
    def module(self) -> str:
        """The module of the type."""
        return module_name(self.model)

    @property
    def noun(self) -> str:
        """The noun for the object."""
        return "_".join(words(self.model))

    @property
    def outcome(self) -> str:
        """The class of the outcome."""
        return f"{self.model}Outcome"

    @property
    def docstring(self) -> str:
        """The docstring, quoted."""
        return self.document(
            Wait,
            f"Wait until a {self.noun.replace('_', ' ')} is as `until` says, or until the wait ends otherwise.",
            self.positional,
            ("until", "unexpected", "timeout", "every", "max_every", "stalled_after", "on_change"),
            f"The outcome: its `{self.noun}` as it was read last, its `reason`, and its `error`, which may be None.",
            [
                "outcome = await {call}until=is_ready, timeout=600)",
                f"print(outcome.reason, outcome.{self.noun})",
            ],
        )


def describe_jobs(contract: Contract, methods: Iterable[Method]) -> list[FollowMethod | WaitMethod]:
    """Return the methods that do jobs, in order of name."""
    found: list[FollowMethod | WaitMethod] = []
    by_id = {method.facts.arguments["id"]: method for method in methods}
    for method in by_id.values():
        node = contract.pointed(method.facts.place)
        name = method.facts.arguments["job"]
        if "x-follow" in node:
            found.append(FollowMethod(name, method, node["x-follow"]))
        if "x-wait" in node:
            schema = contract.flatten(method.facts.responses[0].schema)
            marked = [wire for wire, member in schema.get("properties", {}).items() if member.get("x-resource-id")]
            listing = by_id.get(node["x-wait"].get("list", ""))
            found.append(WaitMethod(name, method, node["x-wait"], listing, "".join(marked[:1])))
    return sorted(found, key=lambda each: (each.place, each.name))
