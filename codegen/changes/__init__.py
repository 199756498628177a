"""Compare two states of the contract and of the packages: `python -m codegen.changes.compare`.

A change is breaking (`Change(..., breaking=True)`) if it makes working code fail, at run time or in a type checker: a
name is gone, an argument is required or accepts less, a response may have another type, another permission or
credential is needed. A fact that was a gap and is now known is not breaking by itself. `contract_changes` decides this
for the contract, griffe for the Python packages. `release.prepare` decides which version a breaking change requires.
"""
