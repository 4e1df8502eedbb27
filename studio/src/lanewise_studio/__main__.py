"""`python -m lanewise_studio`: the same as `lanewise studio`."""

from __future__ import annotations

import sys

from lanewise.tools.cli import main

if __name__ == "__main__":
    sys.exit(main(["studio", *sys.argv[1:]]))
