"""The contract, openapi.yaml: read it, name its operations, check its conventions, find the vendor's word in it.

What the templates use is exported here; `python -m codegen.contract.lint` checks the conventions.
"""

from codegen.contract.content import BYTES as BYTES
from codegen.contract.content import FILES as FILES
from codegen.contract.content import FORM as FORM
from codegen.contract.content import JSON as JSON
from codegen.contract.content import LINES as LINES
from codegen.contract.content import NOTHING as NOTHING
from codegen.contract.content import TEXT as TEXT
from codegen.contract.content import Content as Content
from codegen.contract.content import response_content as response_content
from codegen.contract.contract import Contract as Contract
from codegen.contract.document import flatten as flatten
from codegen.contract.naming import class_name as class_name
from codegen.contract.naming import model_class as model_class
from codegen.contract.naming import module_name as module_name
from codegen.contract.naming import python_name as python_name
from codegen.contract.naming import python_names as python_names
from codegen.contract.naming import resource_class as resource_class
from codegen.contract.naming import words as words
from codegen.contract.operations import FORMATS as FORMATS
from codegen.contract.operations import PLACEHOLDER as PLACEHOLDER
from codegen.contract.operations import OperationFacts as OperationFacts
from codegen.contract.operations import Pagination as Pagination
from codegen.contract.operations import value_schema as value_schema
from codegen.contract.source import COMPONENT as COMPONENT
from codegen.contract.source import ContractError as ContractError
from codegen.contract.source import Node as Node
from codegen.contract.source import Source as Source
from codegen.contract.source import child as child
from codegen.contract.source import gaps_below as gaps_below
from codegen.contract.source import is_component as is_component
