"""Prepare a release: `python -m codegen.release.prepare` checks the version, the names and the built distributions.

`python -m codegen.release.distribution` only builds them, `codegen.release.lowest` prints the oldest versions that
users may have, `codegen.release.requirements` what the distributions require, and `codegen.release.pins` renews the
hashes. No other package uses this one.
"""
