"""`lanewise evidence`: settle open questions about the hardware with programs for a console."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.core import files as door
from lanewise.core.diagnostics import InputError
from lanewise.core.service import STDIO
from lanewise.packages import packages
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    InputFailure,
    UsageError,
    add_format,
    make_parser,
    print_findings,
    print_json,
    print_page,
    print_text,
    read_bytes,
    reason,
    write_files,
)

if TYPE_CHECKING:
    import argparse

    from lanewise.core.package import Experiments
    from lanewise.core.service import Answer

MARK = b"lanewise-evidence"
_EPILOG = """Nothing is written into the package: rows of facts are printed, to be read and pasted. The kit has never run on a \
console.

examples:
  lanewise evidence plan                                what would decide each open question
  lanewise evidence plan C2 C11                         some of them
  lanewise evidence kit evidence/                       a homebrew project: make, and start it on a console
  lanewise evidence import lanewise-evidence.txt        what its results settle
  lanewise evidence import lanewise-evidence.txt -o console.toml
  lanewise run light.v.pica --mesh model.obj --profile console.toml

Exit codes: 0 fine, 1 the input has errors, 2 wrong usage."""


def parser() -> argparse.ArgumentParser:
    parser = make_parser(
        "lanewise evidence",
        "Settle open questions about the PICA200: a plan, a kit for a console, and what its results say.",
        _EPILOG,
    )
    parser.add_argument(
        "action",
        choices=("plan", "kit", "import"),
        help="plan: print the questions; kit DIR: write the project; import FILE: read its results",
    )
    parser.add_argument(
        "names",
        nargs="*",
        default=[],
        metavar="C1|DIR|FILE",
        help="questions of the plan (default: all), the folder of the kit, or the result file (- is standard input)",
    )
    parser.add_argument("-o", "--output", metavar="TOML", help="with import: write the profile to this file")
    add_format(parser)
    return parser


def main(argv: list[str]) -> int:
    options = parser().parse_args(argv)
    names: list[str] = options.names
    if options.output is not None and options.action != "import":
        raise UsageError("-o is for import: the profile of a result file")
    if options.action != "plan" and len(names) != 1:
        raise UsageError(
            f"lanewise evidence {options.action} takes one {'folder' if options.action == 'kit' else 'result file'}, found "
            f"{len(names)}"
        )
    isa, experiments = _experiments()
    as_json = options.format == "json"
    if as_json and options.output == STDIO:
        raise UsageError("--format json and -o - both want standard output: name a file")
    if options.action == "kit":
        return _write(names[0], experiments, isa, as_json=as_json)
    try:
        answer = experiments.plan(names) if options.action == "plan" else _imported(experiments, names[0])
    except InputError as error:
        if as_json:
            print_json("evidence", {}, isa, error.diagnostics)
        else:
            print_findings(error.diagnostics)
        return INPUT_HAS_ERRORS
    if options.output is not None:
        suffix = Path(answer.files[0][0]).suffix
        if options.output != STDIO and Path(options.output).suffix.lower() != suffix:
            raise UsageError(
                f"-o {options.output}: expected a name that ends in {suffix}, which other commands take as a profile"
            )
        write_files([(options.output, data) for _, data in answer.files])
        if options.output == STDIO:
            print_findings(answer.first)
            return OK
    return _show(answer, isa, as_json=as_json)


def _imported(experiments: Experiments, path: str) -> Answer:
    """The answers in a result file. Raises InputError, InputFailure."""
    return experiments.read(read_bytes(path, kind="evidence"), "<stdin>" if path == STDIO else path)


def _experiments() -> tuple[str, Experiments]:
    for package in packages():
        if package.experiments is not None:
            return package.name, package.experiments()
    raise UsageError("no instruction set has open questions with programs")


def _show(answer: Answer, isa: str, *, as_json: bool) -> int:
    if as_json:
        print_json(answer.schema, answer.data, isa, answer.first)
    else:
        print_findings(answer.first)
        print_page(answer.page)
    return OK


def _write(folder: str, experiments: Experiments, isa: str, *, as_json: bool) -> int:
    """Write the kit. Raises UsageError for a folder with other files, InputFailure."""
    root = Path(folder)
    readme = root / "README.md"
    try:
        if root.is_dir() and any(root.iterdir()) and not (readme.is_file() and MARK in door.read(readme, "evidence")):
            raise UsageError(f"{folder} is not empty, and has no kit: name another folder")
        files = {str(root / path): data for path, data in experiments.kit().items()}
        for path in files:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputFailure(f"cannot create the folder {folder}: {reason(error)}") from None
    write_files(list(files.items()))
    if as_json:
        print_json("evidence", {"folder": folder, "files": sorted(files)}, isa)
    else:
        print_text(
            f"wrote {len(files)} files to {folder}: README.md there says how to build and run the kit, which has never run "
            "on a console\n"
        )
    return OK
