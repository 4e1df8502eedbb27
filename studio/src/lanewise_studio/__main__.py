"""`python -m lanewise_studio`: the same as `lanewise studio`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lanewise_studio.app import Start, serve


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="lanewise_studio", description="Serve the studio on this machine.")
    parser.add_argument("files", nargs="*", metavar="FILE", help="programs and meshes")
    parser.add_argument("--port", type=int, default=0, help="the port (default: a free one)")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument("--page", default="", metavar="FOLDER", help="the folder of the built page")
    given = parser.parse_args(argv)
    files = {Path(path).name: Path(path).read_bytes() for path in given.files}
    folders = [*[str(Path(path).parent) for path in given.files], "."]
    serve(
        Start(files, given.port, not given.no_browser, given.page, folders=folders), lambda address: print(address, flush=True)
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
