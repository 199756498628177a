"""Write the page of the models: what each has, which of it is required, and what is not shown of it."""

from __future__ import annotations

from collections.abc import Iterator

import griffe

from codegen.distributions import GENERATED
from docs.reference.docstrings import markdown_of, summary_of
from docs.reference.markdown import anchor, code, document, link, table, type_text
from docs.reference.source import module_named, source_line, target_of
from docs.reference.themes import MODELS, linked

PAGE = MODELS
# The getter of a required field raises it.
REQUIRED = "raise missing("


def pages() -> dict[str, str]:
    """Return the page of the models."""
    found = models()
    classes = {name: each for name, each in found.items() if isinstance(each, griffe.Class)}
    aliases = {name: each for name, each in found.items() if isinstance(each, griffe.Attribute)}
    rows = ((model_link(name, PAGE), summary_of(each)) for name, each in classes.items())
    return {
        PAGE: document(
            "# Models",
            "A model is a read-only view of what the server sent. Import it from `agent_session_platform.models`. "
            "`model.to_dict()` gives back all of it, also fields that are not listed here. Reading a required field "
            f"that is missing raises {linked('MissingFieldError', PAGE)}; "
            'any other missing field is None. `Session(session_id="assistant-1")` makes one for a test.',
            table(("Model", "What it is"), rows),
            *(model_text(name, each) for name, each in classes.items()),
            *(_values_text(name, each) for name, each in aliases.items()),
        )
    }


def models() -> dict[str, griffe.Object]:
    """Return the models, and the types of their values, by name."""
    module = module_named(f"{GENERATED}.models")
    found = ((str(name), target_of(module.members[str(name)])) for name in module.exports or ())
    return {name: target for name, target in found if target is not None}


def model_link(name: str, page: str) -> str:
    """Return the name of a model as a link to its place."""
    return link(name, f"{PAGE}#{anchor(name)}", page)


def model_text(name: str, found: griffe.Class) -> str:
    """Return the text about a model."""
    fields = [*fields_of(found)]
    rows = (
        (code(each.name), type_text(str(each.annotation)), "yes" if is_required(each) else "", summary_of(each))
        for each in fields
    )
    return document(
        f"## {name}",
        markdown_of(found),
        table(("Field", "Type", "Required", "Meaning"), rows),
        source_line(found, PAGE),
    )


def fields_of(found: griffe.Class) -> Iterator[griffe.Attribute]:
    """Yield the fields of a model."""
    for member in found.members.values():
        if isinstance(member, griffe.Attribute) and "property" in member.labels:
            yield member


def is_required(field: griffe.Attribute) -> bool:
    """Return whether a model must have a field."""
    return REQUIRED in field.source


def _values_text(name: str, found: griffe.Attribute) -> str:
    return document(f"## {name}", markdown_of(found), f"Type: {code(str(found.value))}", source_line(found, PAGE))
