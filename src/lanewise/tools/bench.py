"""`lanewise bench`: benchmark the compiled engine. What it runs and measures is `bench/lanewise_bench` of a checkout."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.tools.console import UsageError, add_format, make_parser, read_bytes

if TYPE_CHECKING:
    import argparse
    from typing import Any

    from lanewise.pica200.sem.profile import Profile

_PACKAGE = "lanewise_bench"
_CHECKOUT = Path(__file__).parents[3] / "bench"  # where the package is, if this is the module of a checkout
INSTALL = "the benchmarks are not in the wheel of lanewise: in a checkout, `pip install -e .`"
LEVELS = ("native", "avx512", "avx2", "sse")

_EPILOG = """Batches of 1,024 vertices run repeatedly as machine code on one thread, data transfer included; the best of 40 \
samples
counts. Each case is first compared with the reference engine. Times are nanoseconds for a vertex. The first table:
  ns          the best kernel of the program
  floor       a bound of this machine code on such a core; by says of what: ports, issue, chain (over what is under way at
              once), memory. Its cycles are the same in every run; the time of one is measured
  width       vertices of a vector
  spills      instructions with a vector on the stack, for a vector
  results     the program's needed results, each once, in the cheapest known instructions, at the throughputs measured here
  moving      the faster of two kernels that only move the same data: with ordinary stores, and with stores that bypass the \
cache
  reached     whether ns is at most 1.3 x floor
The second table:
  Ginstr/s    billions of shader instructions per second
  quick x     time of the kernel that is compiled first, relative to the best
  float32 x   time relative to plain float32 (the profile azahar)
  exact x     time of the exact kernel, which computes vectors with special values, relative to this one
  reference x time of the reference engine relative to this one
  compile ms  CPU time to compile the first kernel, the best, and the exact one
With --stream, a third: a million vertices, and the faster kernel that only moves them.

Compare ratios of one run: times depend on the machine and on its load.

examples:
  lanewise bench
  lanewise bench --case loop16 --case branchy --level avx2
  lanewise bench --vertices 65536
  lanewise bench --explain loop16 --profile hardware
  lanewise bench --stream
  lanewise bench --format json > bench.json"""


def parser() -> argparse.ArgumentParser:
    parser = make_parser("lanewise bench", "Measure the compiled engine on seven programs.", _EPILOG)
    parser.add_argument("--case", action="append", metavar="NAME", help="run only this program; may be repeated")
    parser.add_argument(
        "--profile",
        action="append",
        metavar="NAME|FILE.toml",
        help="run only this profile: hardware, rounding=nearest, azahar, or a TOML file of fields; may be repeated",
    )
    parser.add_argument(
        "--level", choices=LEVELS, default="native", help="the vector instructions of the compiled code (default: %(default)s)"
    )
    parser.add_argument(
        "--vertices", type=int, default=1024, metavar="N", help="vertices of a batch, a multiple of 32 (default: %(default)s)"
    )
    parser.add_argument(
        "--explain",
        action="append",
        metavar="NAME",
        help="show where the time of this program goes: its operations by kind, needed and emitted; may be repeated",
    )
    parser.add_argument(
        "--stream", action="store_true", help="also run a million vertices, and a kernel that only moves the same data"
    )
    add_format(parser)
    parser.add_argument("--json", dest="format", action="store_const", const="json", help="the same as --format json")
    return parser


def _of_files(names: list[str]) -> dict[str, Profile]:
    """The profiles of files, by path. Raises UsageError, InputFailure."""
    from lanewise.pica200.sem.profile import is_profile_file, read_profile

    try:
        return {name: read_profile(read_bytes(name, kind="profile"), name) for name in names if is_profile_file(name)}
    except ValueError as error:
        raise UsageError(str(error)) from None


def main(argv: list[str]) -> int:
    options = parser().parse_args(argv)
    if find_spec(_PACKAGE) is None:
        if not (_CHECKOUT / _PACKAGE / "__init__.py").is_file():
            raise UsageError(INSTALL)
        sys.path.append(str(_CHECKOUT))
    report: Any = import_module(f"{_PACKAGE}.report")  # by name, as it may not be there
    return report.report(options, _of_files(options.profile or []))
