"""Mutants chosen by atheris, which is guided by the lines that they reach. Faults end the run: libFuzzer saves the file."""

from __future__ import annotations

import tempfile
from importlib import import_module
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from fuzz.harness import Harness, Mutant, command, limited_memory
from fuzz.kinds import BY_NAME

if TYPE_CHECKING:
    import argparse


def main(options: argparse.Namespace) -> int:
    """Fuzz one kind; the options of libFuzzer are set by --minutes and --seed."""
    if len(options.kind) != 1:
        raise SystemExit("--atheris: name one --kind")
    try:
        atheris: Any = import_module("atheris")
    except ImportError:
        raise SystemExit("--atheris needs atheris: pip install atheris") from None
    kind = BY_NAME[options.kind[0]]
    atheris.instrument_all()
    seconds = int(60 * (options.minutes if options.minutes is not None else 1))
    folder = tempfile.TemporaryDirectory()
    corpus = Path(folder.name) / "corpus"
    corpus.mkdir()
    seeds = kind.seeds()
    for number, seed in enumerate(seeds):
        (corpus / str(number)).write_bytes(seed.data)
    harness = Harness(Path(folder.name))
    suffix = seeds[0].name.rpartition(".")[2]

    def one_input(data: bytes) -> None:
        rng = Random(data)
        mutant = Mutant(kind, 0, kind.file.replace("*", suffix), data, command(rng.choice(kind.commands), rng.choice(seeds)))
        _, fault = harness.run(mutant)
        if fault is not None:
            raise RuntimeError(f"{fault.what}\nlanewise {' '.join(fault.arguments)}")

    options.output.mkdir(parents=True, exist_ok=True)
    arguments = ["fuzz", str(corpus), f"-max_total_time={seconds}", f"-artifact_prefix={options.output}/{kind.name}-"]
    if options.seed is not None:
        arguments.append(f"-seed={options.seed}")
    with limited_memory():
        atheris.Setup(arguments, one_input)
        atheris.Fuzz()
    return 0
