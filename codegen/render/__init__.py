"""Render the contract as a Python package: `python -m codegen.render.generate`.

`templates/` replace some of the generator's own; `runtime/` holds the modules of the generated
package that do not depend on the contract. Other packages use `generate.generate` and `docstrings.observation`.
"""
