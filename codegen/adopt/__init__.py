"""Adopt a deployment's own OpenAPI document: make an Overlay of the contract from it, with a file of names.

`foreign` reads the document, and `used` copies of it what can be used. `matching` finds the operations that the
contract has, `names` names the others. `operations` writes both in the form of the contract, and `combine` adds to
schemas what the document shows. `repair` leaves out what the contract's checks refuse, `overlay` makes the Overlay,
and `report` says what was done.
"""
