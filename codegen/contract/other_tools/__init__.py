"""Tools of other projects that have to take the contract: generators of clients, validators and a mock server.

`python -m codegen.contract.other_tools.check` runs them; `make other-tools` installs them first.
"""
