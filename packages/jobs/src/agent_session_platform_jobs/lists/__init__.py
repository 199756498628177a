"""Jobs on whole lists: exports, and what has changed."""
