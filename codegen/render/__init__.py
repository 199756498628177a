"""Tools of the contract: render."""
