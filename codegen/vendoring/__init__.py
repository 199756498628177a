"""Tools of the contract: vendoring."""
