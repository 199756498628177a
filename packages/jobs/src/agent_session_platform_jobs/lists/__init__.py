"""Jobs on whole lists: export a list, and find what has changed in it."""
