"""Describe the methods of the facade that do jobs: `wait` for an object, `follow` a list.

The contract marks their operations with `x-wait` and `x-follow`.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from codegen.contract import Contract, Node, words
from codegen.render.arguments import Argument
from codegen.render.docstrings import docstring, section
from codegen.render.methods import Method, argument_entry, item_words, plural, raised, sample
from codegen.render.shapes import OPEN

INVALID = "InvalidArgumentError:"
OPTIONS = "options: Timeout, retry policy, extra query or headers of each poll."


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

    @property
    def call(self) -> str:
        """The call of the job in an example, without its settings."""
        scope = "organization" if self.place[0] == "organization" else "platform.enterprise"
        values = ", ".join(sample(self.method, each) for each in self.positional)
        return f"{scope}.{self.place[1]}.{self.name}({values}"


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
        known = "of the form" if self.item == OPEN else ""
        return docstring(
            f"Follow the {items} of `{self.method.facts.name}` as they come.",
            "The description shows no event for a new one, so the list is polled. Each poll reads the last page again, "
            "and drops the items that it knows. Each item comes at least once, also after a crash, and within a run "
            "exactly once. One exception: if the server refuses the cursor of the last page, and the latest item is "
            "not in the list any more, all items come again.",
            "The form of the list is not shown: its items are the member `items`, or else the only member that is an "
            "array. Items without an id are compared by their content."
            if known
            else "",
            section(
                "Args",
                [
                    *(argument_entry(self.method, each) for each in [*self.positional, *self.keywords]),
                    "start: The `position` of an earlier follower, to continue there. None: the beginning of the list.",
                    "only_new: Without `start`, pass over what is in the list already.",
                    "every: Seconds between two polls, more than 0; after polls without anything new up to six times "
                    "as long.",
                    "give_up_after: Seconds of failing polls, as when the server cannot be reached, after which the "
                    "latest error is raised, at the end of a poll with its retries; at least 0.",
                    OPTIONS,
                ],
            ),
            section("Returns", [f"A follower: iterate over it for {items}, and keep its `position`."]),
            section("Raises", raised(self.method.facts.arguments)),
            "\n".join(
                [
                    "Example:",
                    f"    follower = {self.call}{', ' if self.positional else ''}start=store.load())",
                    "    async for item in follower:",
                    "        print(item)",
                    "        store.save(follower.position)",
                ]
            ),
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
    def page_size(self) -> int | None:
        """The largest page of the list; None where no greatest size is shown."""
        assert self.listing is not None
        first = self.listing.facts.documented.get(("query", "first"), {})
        return first.get("maximum")

    @property
    def cursor(self) -> str:
        """The argument of the list that takes the cursor."""
        assert self.listing is not None
        pages = self.listing.facts.pagination
        assert pages is not None
        return next(each.name for each in self.listing.arguments.keywords if each.wire == pages.after)

    @property
    def model(self) -> str:
        """The type of the object."""
        return self.method.returned.type

    @property
    def module(self) -> str:
        """The module of the type."""
        return self.method.returned.imports[0][0]

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
        noun = self.noun.replace("_", " ")
        gone = " or ".join(f"`{each}`" for each in self.facts.get("gone", ()))
        return docstring(
            f"Wait until a {noun} is as `until` says, or until the wait ends otherwise.",
            f"The description shows no event, so the {noun} is polled, through the client's rate limiter."
            + (f" Many waits share one poll of `{self.listing.facts.name}`." if self.listing else "")
            + " A poll that fails for a time, as when the server cannot be reached, does not end the wait; closing "
            "the client does.",
            "A shared poll reads the list, whose items may lack fields. Values by field and `changed` take from it "
            f"what it shows, and read the {noun} alone for any other field. A function may read any field, so the "
            f"{noun} is read alone at every poll. For many waits, prefer values by field."
            if self.listing
            else "",
            section(
                "Args",
                [
                    *(argument_entry(self.method, each) for each in self.positional),
                    'until: Values by field, `{"title": {"done", "failed"}}`: each field must have its value or one of '
                    f"its values. Or a function that takes the {noun} and returns whether the wait has ended, such as "
                    '`agent_session_platform.changed("updated_at")`. No value is known to be final: name those '
                    "that are for you.",
                    "unexpected: Another condition that ends the wait, in the same forms; of several fields one is "
                    "enough.",
                    "timeout: Seconds for the whole wait, more than 0; `options` has that of a request.",
                    "every: Seconds between two polls, more than 0; longer by a half after each poll without a change.",
                    "max_every: Seconds between two polls at most, at least `every`; None: six times `every`.",
                    f"stalled_after: Seconds without any change of the {noun} that end the wait, at a poll that does "
                    "not fail; None: never.",
                    "on_change: Called with a `PolledChange` for the first poll and for each change; an awaitable that "
                    "it returns is awaited, also beyond `timeout`. What it raises ends the wait.",
                    OPTIONS,
                ],
            ),
            section(
                "Returns",
                [
                    f"The outcome: its `{self.noun}` as it was read last, and its `reason`: `matched`, `unexpected`, "
                    f"`gone` ({f'{gone} is true, or ' if gone else ''}it is not found any more), `stalled` or "
                    "`deadline`; its `error` is why the latest poll failed, if it did.",
                ],
            ),
            section(
                "Raises",
                [
                    f"NotFoundError: There is no such {noun} at the first poll.",
                    "ClientClosedError: The client was closed.",
                    f"{INVALID} An argument is refused; or the first "
                    f"{noun} that is read, and its model, lack a field that `until` or `unexpected` names.",
                    *(each for each in raised(self.method.facts.arguments) if not each.startswith(INVALID)),
                ],
            ),
            "\n".join(
                [
                    "Example:",
                    f"    outcome = await {self.call}, until=is_ready, timeout=600)",
                    f"    print(outcome.reason, outcome.{self.noun})",
                ]
            ),
        )


def describe_jobs(contract: Contract, methods: Iterable[Method]) -> list[FollowMethod | WaitMethod]:
    """Return the methods that do jobs, in order of name."""
    found: list[FollowMethod | WaitMethod] = []
    by_id = {method.facts.arguments["id"]: method for method in methods}
    for method in by_id.values():
        facts = method.facts
        node = contract.document["paths"][facts.arguments["path"]][facts.arguments["method"].lower()]
        name = facts.arguments["job"]
        if "x-follow" in node:
            found.append(FollowMethod(name, method, node["x-follow"]))
        if "x-wait" in node:
            named = by_id.get(node["x-wait"].get("list", ""))
            listing = named if named and named.facts.pagination else None
            found.append(WaitMethod(name, method, node["x-wait"], listing, resource_id(contract, method)))
    return sorted(found, key=lambda each: (each.place, each.name))


def resource_id(contract: Contract, method: Method) -> str:
    """Return the member of the object that has its id; empty if the contract names none."""
    schema = contract.flatten(method.facts.responses[0].schema)
    marked = (name for name, node in schema.get("properties", {}).items() if node.get("x-resource-id"))
    return next(marked, "")


def jobs_by_resource(
    jobs: Iterable[FollowMethod | WaitMethod],
) -> dict[tuple[str, str], list[FollowMethod | WaitMethod]]:
    """Return the methods of each resource, by scope and resource."""
    found: dict[tuple[str, str], list[FollowMethod | WaitMethod]] = {}
    for each in jobs:
        found.setdefault(each.place, []).append(each)
    return found


def waits(jobs: Iterable[FollowMethod | WaitMethod]) -> list[WaitMethod]:
    """Return one wait of each class of outcomes."""
    found = {each.outcome: each for each in jobs if isinstance(each, WaitMethod)}
    return [found[name] for name in sorted(found)]
