"""Tools of the contract: release."""
