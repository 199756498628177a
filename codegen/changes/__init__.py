"""Tools of the contract: changes."""
