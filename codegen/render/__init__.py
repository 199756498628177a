"""Render the contract as a Python package and as a document; `runtime/` is copied into the package as it stands."""
