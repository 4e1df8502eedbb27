"""How much of the code of meanings, flow and number rules the cases of a suite reach:
`python -m vectors_coverage [--suite full]`, with the package coverage.

Lines and branches of functions are counted over the variants of `vectors_mutation`, which have other answers to the open
questions. Lines that raise an error and functions that run before a case does are left out.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lanewise.core.vectors.model import FULL, QUICK
from lanewise.pica200.sem.numbers import number_rule
from lanewise.pica200.vectors.suite import drafts
from vectors_changes import BEFORE, MODULES, bodies
from vectors_mutation import outcome_of, variants


def counted(file: Path) -> set[int]:
    """The lines of statements in functions that a run can reach."""
    found: set[int] = set()
    for name, function in bodies(ast.parse(file.read_text())):
        for node in ast.walk(function) if name not in BEFORE else ():
            error = isinstance(node, ast.If | ast.Raise) and raises(node)
            text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef) and not error and not text:
                found.add(node.lineno)
    return found


def raises(node: ast.If | ast.Raise) -> bool:
    return isinstance(node, ast.Raise) or any(isinstance(inner, ast.Raise) for inner in node.body)


def report(measured: Any, files: list[str]) -> None:
    """Print for each file how many lines and branches are reached, and which are not."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "coverage.json")
        measured.json_report(outfile=str(path))
        data = json.loads(path.read_text())["files"]
    rows = {Path(name).resolve(): row for name, row in data.items()}
    for file in files:
        row, lines = rows[Path(file).resolve()], counted(Path(file))
        missing = sorted(lines.intersection(row["missing_lines"]))
        branches = [pair for pair in row["executed_branches"] + row["missing_branches"] if pair[0] in lines]
        untaken = [pair for pair in row["missing_branches"] if pair[0] in lines]
        what = [str(line) for line in missing]
        what += [f"{one} to {other if other > 0 else 'the end'}" for one, other in untaken if one not in missing]
        print(
            (
                f"{Path(file).name}: {len(lines) - len(missing)} of {len(lines)} lines, {len(branches) - len(untaken)} of "
                f"{len(branches)} branches"
            )
            + (f"; not reached: {', '.join(what)}" if what else "")
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--suite", choices=(QUICK, FULL), default=QUICK)
    suite = parser.parse_args().suite
    coverage: Any = import_module("coverage")
    files = [str(import_module(module).__file__) for module in MODULES]
    measured = coverage.Coverage(branch=True, include=files, data_file=None)
    cases = [(draft, profile) for _, profile in variants() for draft in drafts([suite], 1, profile)]
    number_rule.cache_clear()
    measured.start()
    for draft, profile in cases:
        outcome_of(draft, profile)
    measured.stop()
    print(f"{suite}: {len(cases)} cases under {len(variants())} variants")
    report(measured, files)
    return 0


if __name__ == "__main__":
    sys.exit(main())
