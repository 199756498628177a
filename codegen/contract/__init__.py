"""The contract, openapi.yaml: read it, name its operations, check its conventions, find the vendor's word in it."""
