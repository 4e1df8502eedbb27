"""Which browser the tests of pages open."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec

CHROMIUM = (
    os.environ.get("CHROMIUM")
    or shutil.which("chromium")
    or shutil.which("chromium-browser")
    or shutil.which("google-chrome")
    or ""
)
OPENS = bool(find_spec("playwright") and CHROMIUM)

__all__ = ["CHROMIUM", "OPENS"]
