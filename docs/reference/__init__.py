"""The reference of the site, made from the code: each module has `pages()`, paths with their Markdown."""
