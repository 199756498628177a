"""Docstrings, and the document of all operations."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

from jinja2 import Environment

from codegen.contract import BYTES, LINES, NOTHING, TEXT, Contract, OperationFacts

WIDTH = 100
OBSERVED = "Observed, not stated by the API's description"


def plain(text: object) -> str:
    """Return a text of the contract as str; the generator wraps some as untrusted."""
    return str(text.get_untrusted_value()) if hasattr(text, "get_untrusted_value") else str(text or "")


def sentence(text: object) -> str:
    """Return the text on one line, with a full stop at its end."""
    line = " ".join(plain(text).split())
    return line if not line or line.endswith((".", "?", "!")) else f"{line}."


def fill(text: str, first: str = "", following: str = "") -> str:
    """Wrap a paragraph at spaces only, so that hyphenated ids stay searchable."""
    return textwrap.fill(
        text, WIDTH, initial_indent=first, subsequent_indent=following, break_long_words=False, break_on_hyphens=False
    )


def section(title: str, entries: Iterable[str]) -> str:
    """Return a titled section of a docstring; an empty text without entries."""
    lines = [fill(entry, "    ", "        ") for entry in entries]
    return "\n".join([f"{title}:", *lines]) if lines else ""


def not_shown(gaps: Iterable[Mapping[str, Any]]) -> str:
    """Return a line with the ids of the open gaps, and one with those that were closed by observation."""
    found = list(gaps)
    open_ones = [gap["id"] for gap in found if not gap.get("closed")]
    closed = [f"{gap['id']} ({observation(gap['closed'])})" for gap in found if gap.get("closed")]
    titled = {"Not shown by the API's description": open_ones, OBSERVED: closed}
    return "\n\n".join(fill(f"{title}: {', '.join(ids)}.") for title, ids in titled.items() if ids)


def observation(observed: Mapping[str, Any]) -> str:
    """Return how often something was observed, and when."""
    answers, first, last = observed["answers"], observed["first"], observed["last"]
    count = "1 response" if answers == 1 else f"{answers} responses"
    return f"in {count}, {f'on {first}' if first == last else f'from {first} to {last}'}"


def docstring(*paragraphs: object) -> str:
    """Write the non-empty paragraphs as a quoted docstring; sections keep their lines."""
    texts = [plain(paragraph) for paragraph in paragraphs]
    wrapped = [text if text.partition("\n")[0].endswith(":") else fill(text) for text in texts if text]
    text = "\n\n".join(wrapped).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    # Control characters are allowed in the contract, and not in a Python file.
    text = "".join(each if each.isprintable() or each == "\n" else repr(each)[1:-1] for each in text)
    if text.endswith('"'):
        text = f'{text[:-1]}\\"'
    return f'"""{text}\n"""' if "\n" in text else f'"""{text}"""'


ABBREVIATIONS = {"serviceUser": "SU", "personalAccessToken": "PAT", "enterpriseAdminApiKey": "EAK"}


def render_overview(environment: Environment, contract: Contract) -> str:
    """Return the whole document."""
    environment.filters.update(one_line=one_line, observation=observation, readable_place=readable_place)
    template = environment.get_template("contract.md.jinja")
    return template.render(
        contract=contract,
        closed=sum(bool(gap["closed"]) for gap in contract.gaps()),
        rows=sorted(contract.operations.values(), key=lambda facts: facts.name),
        permission_cell=permission_cell,
        credentials_cell=credentials_cell,
        remarks_cell=remarks_cell,
    )


def one_line(text: object) -> str:
    """Return a text for a cell: on one line, with `|` escaped."""
    line = " ".join(str(text).split()).replace("|", "\\|")
    return "".join(each for each in line if each.isprintable())


def readable_place(pointer: str) -> str:
    """Return a JSON pointer without its escapes."""
    return pointer.removeprefix("#/").replace("~1", "/").replace("~0", "~")


def permission_cell(arguments: dict[str, Any]) -> str:
    """Return the permission with its level."""
    if not arguments["permission"]:
        return "not shown"
    return f"{arguments['permission']}, {arguments['level']}" if arguments["level"] else f"[{arguments['permission']}]"


def credentials_cell(arguments: dict[str, Any]) -> str:
    """Return the kinds of credential, abbreviated."""
    return ", ".join(ABBREVIATIONS.get(kind, kind) for kind in arguments["credentials"])


def remarks_cell(facts: OperationFacts) -> str:
    """Return the remarks on an operation: stability, deprecation, inference, older paths."""
    arguments = facts.arguments
    remarks = ["paginated"] if arguments["paginated"] else []
    kinds = {BYTES: "a file", LINES: "JSON Lines", TEXT: "text", NOTHING: "no body"}
    remarks += [kinds[each.kind] for each in facts.responses if each.kind in kinds]
    remarks += ["beta"] if arguments["beta"] else []
    remarks += ["inferred"] if arguments["inferred"] else []
    if arguments["deprecated"]:
        remarks.append(f"deprecated in favor of `{arguments['successor']}`" if arguments["successor"] else "deprecated")
    remarks += [f"stated as `{facts.stated}`"] if facts.stated else []
    remarks += [f"replaces `{facts.legacy}`"] if facts.legacy else []
    return "; ".join(remarks)
