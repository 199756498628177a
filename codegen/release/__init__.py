"""Prepare a release: check the version and the name, build the distribution, install it and try it."""
