"""The contract, openapi.yaml: read it, name its operations, check its conventions, find the vendor's word in it.

`python -m codegen.contract.lint` checks the conventions.
"""
