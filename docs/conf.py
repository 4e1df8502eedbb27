"""The documentation as a site: `nox -s docs`, or `sphinx-build docs build/site`. It reads no network."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent / "src")]

from lanewise_site import drawings, lexers, pages, playground, repository, search  # noqa: E402 (the path above)

from lanewise import __version__  # noqa: E402
from lanewise.core import where  # noqa: E402

project = "lanewise"
author = "The lanewise authors"
copyright = author
version = release = __version__

extensions = ["myst_parser"]
root_doc = "index"
source_suffix = {".md": "markdown"}
exclude_patterns = ["_ext", "_static"]
myst_enable_extensions = ["deflist", "colon_fence"]
myst_heading_anchors = 4
nitpicky = True
smartquotes = False  # `--` of an option stays what it is
suppress_warnings: list[str] = []

html_theme = "furo"
html_title = f"lanewise {__version__}"
html_baseurl = where.DOCUMENTATION
html_favicon = "../studio/page/src/icon.svg"
html_static_path = ["_static"]
html_css_files = ["lanewise.css"]
html_js_files = ["filter.js", "search.js", "front.js"]
html_copy_source = False
html_show_sphinx = False
html_theme_options: dict[str, object] = {"navigation_with_keys": True, "top_of_page_buttons": []}
pygments_style = "friendly"
pygments_dark_style = "github-dark"


def _read(app: Any, docname: str, source: list[str]) -> None:
    """The text of a page of the repository with links and drawings as the site has them."""
    if not docname.startswith(("reference/", "project/")):
        text = repository.rewritten(f"docs/{docname}.md", source[0])
        if docname in repository.REPLACED:
            text = repository.REPLACED[docname]
        for name in drawings.named(text):
            app.env.note_dependency(str(HERE / name))
        if docname.startswith("tutorials/"):
            text = playground.linked(docname, text)
        if docname == root_doc:
            text = playground.front(text)
        source[0] = drawings.inlined(text, HERE)


def _finished(app: Any, error: Exception | None) -> None:
    if error is None:
        playground.copy(Path(app.outdir))
        index = search.build({**pages.pages(), **search.committed(HERE)})
        (Path(app.outdir) / "_static" / search.FILE).write_text(search.script(index), encoding="utf-8", newline="\n")


def setup(app: Any) -> dict[str, bool]:
    pages.write(HERE)
    for name, lexer in lexers.lexers().items():
        app.add_lexer(name, lexer)
    app.connect("source-read", _read)
    app.connect("build-finished", _finished)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
