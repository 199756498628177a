"""The subcommands of `asp`, each in the module of its name; `cli/registry.py` lists them."""
