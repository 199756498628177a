"""Read the contract (openapi.yaml), name its operations, check its conventions, and find the vendor's word in it.

`python -m codegen.contract.lint` checks the conventions.
"""
