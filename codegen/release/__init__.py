"""Release a version. `prepare` checks the version and the names; `distribution` builds, checks and tries the files.

`hatch_hooks` runs in each build, and `pins` renews the hashes of what is installed. No other package uses this one.
"""
