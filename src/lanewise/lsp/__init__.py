"""A language server for every language of `lanewise.packages`: `lanewise lsp`.

It asks `core.editor` and knows no language. `documents` has the texts, `positions` their places, `server` the protocol; each
other module makes the values of some features from a `View`, a text with its analysis.
"""
