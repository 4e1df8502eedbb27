"""The pages of the documentation that are written from tables when the site is built: `pages()` of `lanewise_site.pages`.

Nothing here needs Sphinx: conf.py calls it, and the tests do.
"""
