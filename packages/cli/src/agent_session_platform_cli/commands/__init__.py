"""The subcommands of `asp`, each in the module of its name; `registry.py` lists them."""
