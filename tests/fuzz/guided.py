"""Mutants chosen by atheris, which is guided by the lines that they reach; needs `pip install atheris`.

    python -m fuzz.guided shbin -max_total_time=600       options are libFuzzer's

Without a number of runs or a time it runs until it is interrupted. Run in the folder `tests`. The first fault ends the run, and
libFuzzer saves the file.
"""

from __future__ import annotations

import sys
import tempfile
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any


def main(argv: list[str]) -> None:
    try:
        atheris: Any = import_module("atheris")
    except ImportError:
        raise SystemExit("fuzz.guided needs atheris: pip install atheris") from None
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        with atheris.instrument_imports(include=["lanewise"]):
            one_input, seeds = _prepared(argv[0] if argv else "", place)
        corpus = place / "corpus"
        corpus.mkdir()
        for number, data in enumerate(seeds):
            (corpus / str(number)).write_bytes(data)
        atheris.Setup(["fuzz.guided", str(corpus), *argv[1:]], one_input)
        atheris.Fuzz()


def _prepared(name: str, folder: Path) -> tuple[Any, list[bytes]]:
    """What runs an input, and the seeds. Every command has run once then, so that all modules are imported."""
    from fuzz.harness import Harness, Mutant, command
    from fuzz.kinds import BY_NAME

    if name not in BY_NAME:
        raise SystemExit(f"python -m fuzz.guided KIND: one of {', '.join(BY_NAME)}")
    kind = BY_NAME[name]
    seeds = kind.seeds()
    harness = Harness(folder)

    def run(data: bytes, template: tuple[str, ...], suffix: str) -> None:
        mutant = Mutant(kind, 0, kind.file.replace("*", suffix), data, command(template, seeds[0]))
        _, fault = harness.run(mutant)
        if fault is not None:
            raise RuntimeError(f"{fault.what}\nlanewise {' '.join(fault.arguments)}\n{fault.printed}")

    suffixes = sorted({seed.name.rpartition(".")[2] for seed in seeds})
    for template in kind.commands:
        run(seeds[0].data, template, suffixes[0])

    def one_input(data: bytes) -> None:
        rng = Random(data)
        run(data, rng.choice(kind.commands), rng.choice(suffixes))

    return one_input, [seed.data for seed in seeds]


if __name__ == "__main__":
    main(sys.argv[1:])
