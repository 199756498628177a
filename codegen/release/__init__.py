"""Prepare a release: `python -m codegen.release.prepare` checks the version, the name and the built distribution.

`python -m codegen.release.lowest` prints the oldest versions that users may have, `codegen.release.requirements` what
the SDK requires, and `codegen.release.pins` renews the hashes. No other package uses this one.
"""
