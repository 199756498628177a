"""The contract, openapi.yaml: read it, name its operations, check its conventions, find the vendor's word in it.

Other packages use what is exported here; `python -m codegen.contract.lint` checks the conventions.
"""

from codegen.contract.content import BYTES, FILES, FORM, JSON, LINES, NOTHING, TEXT, Content, response_content
from codegen.contract.contract import Contract
from codegen.contract.document import flatten
from codegen.contract.naming import (
    class_name,
    model_class,
    module_name,
    python_name,
    python_names,
    resource_class,
    words,
)
from codegen.contract.operations import FORMATS, PLACEHOLDER, OperationFacts, Pagination, value_schema
from codegen.contract.source import (
    COMPONENT,
    ContractError,
    Finding,
    Node,
    Source,
    child,
    gaps_below,
    instead,
    is_component,
    mappings_below,
    parts,
    quote,
)
from codegen.contract.structure import form_findings
from codegen.contract.vendor_word import PROSE, Renaming, VendorWord, VendorWordError, word_findings

__all__ = (
    "BYTES",
    "COMPONENT",
    "FILES",
    "FORM",
    "FORMATS",
    "JSON",
    "LINES",
    "NOTHING",
    "PLACEHOLDER",
    "PROSE",
    "TEXT",
    "Content",
    "Contract",
    "ContractError",
    "Finding",
    "Node",
    "OperationFacts",
    "Pagination",
    "Renaming",
    "Source",
    "VendorWord",
    "VendorWordError",
    "child",
    "class_name",
    "flatten",
    "form_findings",
    "gaps_below",
    "instead",
    "is_component",
    "mappings_below",
    "model_class",
    "module_name",
    "parts",
    "python_name",
    "python_names",
    "quote",
    "resource_class",
    "response_content",
    "value_schema",
    "word_findings",
    "words",
)
