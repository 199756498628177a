"""Render the contract as a Python package and as a document: `python -m codegen.render.generate`.

`templates/` are those of the generator that this project replaces; `runtime/` holds the modules of the generated
package that do not depend on the contract. Other rooms use `generate.generate` and the text functions of `overview`.
"""
