"""Output of commands: values and lists, in the format that the user chose."""

from .choice import open_list, print_items, print_value
from .writer import ListWriter

__all__ = ("ListWriter", "open_list", "print_items", "print_value")
