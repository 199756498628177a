"""Explain why openapi.yaml is not valid YAML, and at which place it stops being so."""

from __future__ import annotations

from contextlib import suppress

import yaml

from codegen.contract.finding import Finding
from codegen.contract.yaml_events import node_events

ALIGN = "align it with the lines above, two spaces for each level"

OPEN_QUOTE = "a text in quotes does not end where it should; close the quote, or escape a quote inside it"

# What the parser says, what it means, and whether the mistake begins where the parser's context does.
EXPLANATIONS = (
    ("quoted scalar", OPEN_QUOTE, True),
    ("while parsing a flow", "a `[` or `{` does not end; close it, or add the missing comma", True),
    (
        "mapping values are not allowed",
        f"a key is not expected here; {ALIGN}, and quote a text that has `: ` in it",
        False,
    ),
    ("could not find expected ':'", "a key without `:`; add it, or indent the line as part of the text above", True),
    ("undefined alias", "an alias `*name` without its anchor; use `$ref`, or quote a text that begins with `*`", False),
    ("expected a single document", "a second document begins; remove the line `---`", False),
    ("while parsing a block", f"the indentation does not fit; {ALIGN}", False),
)


def syntax_finding(text: str, error: yaml.YAMLError) -> Finding:
    """Explain an error of the parser."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        position = getattr(error, "position", 0)
        line = text.count("\n", 0, position) + 1
        return Finding("#", 'a character that YAML does not allow; remove it, or write it as `"\\u..."`', line)
    mark = error.problem_mark
    lines = text.splitlines()
    written = lines[mark.line] if mark.line < len(lines) else ""
    place, quoted_from = before(text, mark.line)
    if written[: mark.column + 1].strip(" -").startswith("\t"):
        return Finding(place, "a tab; indent with spaces", mark.line + 1)
    if quoted_from is not None:
        return Finding(place, f"not valid YAML: {OPEN_QUOTE}", quoted_from + 1)
    message = f"{error.context or ''} {error.problem or ''}"
    for part, meaning, at_context in EXPLANATIONS:
        if part in message:
            line = error.context_mark.line if at_context and error.context_mark else mark.line
            return Finding(place, f"not valid YAML: {meaning}", line + 1)
    way_out = "quote a text that begins with a special character"
    return Finding(place, f"not valid YAML: {error.problem}; {way_out}", mark.line + 1)


def before(text: str, line: int) -> tuple[str, int | None]:
    """Return the JSON pointer of the last node that begins before the end of a line, where the text is not YAML.

    Also return where that node begins if it is a text in quotes of several lines: its quote may not be closed.
    """
    place, quoted_from = "#", None
    with suppress(yaml.YAMLError):
        for here, event in node_events(text):
            start, end = event.start_mark, event.end_mark
            if start is None or end is None or start.line > line:
                break
            is_quoted = isinstance(event, yaml.ScalarEvent) and event.style in ("'", '"')
            place, quoted_from = here, start.line if is_quoted and end.line > start.line else None
    return place, quoted_from
