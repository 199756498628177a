"""Copy the packages into another repository, or build the project with the vendor's own word or with Overlays.

`python -m codegen.vendoring.vendor` and `python -m codegen.vendoring.private_build`. No other package uses this one.
"""
