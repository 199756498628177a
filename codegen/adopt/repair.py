"""Leave out of a document what the contract's checks refuse, until they accept it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from codegen.adopt.foreign import Foreign, keys_of
from codegen.contract.source import ContractError, Finding, Node, Source

# Without these keywords, a schema or an operation is still right. The whole keyword goes if a part of it is refused.
OPTIONAL = frozenset({"const", "default", "discriminator", "enum", "example", "examples", "format", "pattern"})
OPTIONAL |= {"x-columns", "x-follow", "x-known-values", "x-pagination", "x-successor", "x-wait"}
MOST_ROUNDS = 200


class Draft(Source):
    """A document that is not in a file. A finding is described by its place and its text, with a tab between."""

    def __init__(self, document: Node) -> None:
        self.name = "openapi.yaml"
        self.findings = []
        self.document = document

    def describe(self, finding: Finding) -> str:
        """Return a finding in one line."""
        return f"{finding.place}\t{' '.join(finding.text.split())}"


class Repair:
    """What leaves out the smallest part that is refused.

    Args:
        document: The document, which is changed.
        foreign: The foreign document, which gets the notes.
        origin: Returns the place in the foreign document of a place in `document`.
        restore: Changes the operation at a place, for a reason; returns False if it does not.
    """

    def __init__(
        self,
        document: Node,
        foreign: Foreign,
        origin: Callable[[str], str],
        restore: Callable[[list[str], str], bool] = lambda keys, text: False,
    ) -> None:
        self._document = document
        self._foreign = foreign
        self._origin = origin
        self._restore = restore

    def run(self, check: Callable[[Source], object]) -> None:
        """Leave out what is refused.

        Args:
            check: The check, which raises ContractError.

        Raises:
            ContractError: What is refused is no part of the foreign document.
        """
        for _ in range(MOST_ROUNDS):
            findings = self._findings(check)
            if not findings:
                return
            # A list is changed at its end first, so that the other places stay right.
            for place in sorted(findings, key=lambda place: [key.zfill(4) for key in keys_of(place)], reverse=True):
                self._leave_out(place, findings[place])
        raise ContractError(f"{self._foreign.name}: too much of it is wrong; correct what the notes name")

    def _findings(self, check: Callable[[Source], object]) -> dict[str, str]:
        """Return what is refused: each place with the reason."""
        draft = Draft(self._document)
        found: dict[str, str] = {}
        try:
            check(draft)
        except ContractError as error:
            text = str(error)
            if "\t" not in text:
                text = str(draft.located(error))
            for line in text.splitlines():
                place, _, reason = line.partition("\t")
                found[place] = reason
        except RecursionError:
            raise ContractError(f"{self._foreign.name}: too many schemas, each within another one") from None
        return found

    def _leave_out(self, place: str, text: str) -> None:
        keys = self._existing(keys_of(place))
        if keys[-1] not in OPTIONAL and self._restore(keys, text):
            return
        if len(keys) < 3:
            raise self._foreign.error([Finding(self._origin(place), f"the contract cannot take {place}: {text}")])
        *above, last = keys
        holder: Any = self._document
        for key in above:
            holder = holder[int(key) if isinstance(holder, list) else key]
        if isinstance(holder, list):
            del holder[int(last)]
        elif len(keys) == 3 and keys[0] == "components":
            holder[last] = {"description": f"{last}."}
        else:
            del holder[last]
        if "examples" not in keys:
            self._foreign.note(self._origin(place), f"{text}; left out")

    def _existing(self, keys: list[str]) -> list[str]:
        """Return the keys of what is left out: the first optional keyword on the way, otherwise all that are there."""
        node: Any = self._document
        found: list[str] = []
        for key in keys:
            try:
                node = node[int(key) if isinstance(node, list) else key]
            except (LookupError, TypeError, ValueError):
                break
            found.append(key)
            if len(found) > 3 and key in OPTIONAL and found[-2] != "properties":
                break
        return found
