"""How much of the code of meanings, flow and number rules the cases of a suite reach: `python -m vectors_coverage [--suite full]`, with the package coverage.

Lines and branches are counted over the suites of the presets and of the variants of `vectors_mutation`, which have other answers to the open questions.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from typing import Any

from lanewise.core.vectors.model import FULL, QUICK


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--suite", choices=(QUICK, FULL), default=QUICK)
    suite = parser.parse_args().suite
    coverage: Any = import_module("coverage")
    from lanewise.pica200.vectors import running
    from lanewise.pica200.vectors.suite import drafts
    from vectors_mutation import MODULES, variants

    files = [str(import_module(module).__file__) for module in MODULES]
    measured = coverage.Coverage(branch=True, include=files, data_file=None)
    cases = [(draft.job, profile) for _, profile in variants() for draft in drafts([suite], 1, profile)]
    from lanewise.pica200.sem.numbers import number_rule

    number_rule.cache_clear()
    measured.start()
    for job, profile in cases:
        running.run(job, profile)
    measured.stop()
    print(f"{suite}: {len(cases)} cases under {len(variants())} variants")
    measured.report(show_missing=True, file=sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
