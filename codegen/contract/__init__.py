"""Tools of the contract: contract."""
