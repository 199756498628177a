"""Copy the packages into another repository, or build the project under the vendor's own word.

`python -m codegen.vendoring.vendor` and `python -m codegen.vendoring.private_build`. No other package uses this one.
"""
