"""Adopt a deployment's own OpenAPI document: make an Overlay of the contract from it, with a file of names.

`foreign` reads the document. `matching` finds the operations that the contract has, `names` names the others. `schemas`
and `operations` write them in the form of the contract. `differences` makes the Overlay, `report` says what was done.
"""
