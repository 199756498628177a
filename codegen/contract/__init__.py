"""The contract, openapi.yaml: read it, name its operations, check its conventions, find the vendor's word in it.

Other packages use what is exported here; `python -m codegen.contract.lint` checks the conventions.
"""

from codegen.contract.document import ENVELOPE, PLACEHOLDER, Contract, OperationFacts
from codegen.contract.finding import ContractError
from codegen.contract.naming import python_name, resource_class, words
from codegen.contract.nodes import COMPONENT, Node, gaps_below, rules_below
from codegen.contract.vendor_word import Renaming, VendorWord, VendorWordError
from codegen.contract.word_lint import word_findings

__all__ = (
    "COMPONENT",
    "ENVELOPE",
    "PLACEHOLDER",
    "Contract",
    "ContractError",
    "Node",
    "OperationFacts",
    "Renaming",
    "VendorWord",
    "VendorWordError",
    "gaps_below",
    "python_name",
    "resource_class",
    "rules_below",
    "word_findings",
    "words",
)
