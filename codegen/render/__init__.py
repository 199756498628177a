"""Render the contract as a Python package: `python -m codegen.render.generate`.

The files in `templates/` replace some templates of the generator. `runtime/` holds the modules of the generated package
that do not depend on the contract. Other packages use `generate.generate` and `docstrings.observation`.
"""
