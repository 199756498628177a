"""Compare two states of the contract and of the packages: `python -m codegen.changes.compare`.

Another room uses `compare.report`, `changelog.dated`, `version_rule.next_version` and the git functions of `revision`.
"""
