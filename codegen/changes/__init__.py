"""Compare two states of the contract and of the packages, and write the differences into the changelog."""
