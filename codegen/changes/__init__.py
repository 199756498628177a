"""Compare two states of the contract and of the packages: `python -m codegen.changes.compare`.

A change is breaking (`Change(..., breaking=True)`) if it makes working code fail, at run time or in a type checker: a
name is gone, an argument is required or accepts less, a response may have another type, another permission or
credential is needed. A fact that was a gap and is now known is not breaking by itself. Each module decides this for
what it compares: `operation_changes` for methods and credentials, `model_changes` for models, `json_types` for types,
`schema_summary` for the bounds of values, and `public_api` for the Python packages. They compare two `surface`s: the
contract as callers of the SDK see it. `version_rule` decides which version a breaking change requires.

`release` uses `compare.report`, `changelog.dated`, `version_rule.next_version` and the git functions of `revision`.
"""
