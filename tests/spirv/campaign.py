"""Random shaders in GLSL, compiled by lanewise and compared with the evaluator: `python -m spirv.campaign --programs 2000`,
which `nox -s glsl` does.

Each is compiled outside at one of two levels, then by lanewise, run by the compiled engine on all vertices and by the reference
on a few, and compared within 4 times the bound. What is wrong is reduced, line by line, and written to the folder of `-o`. Two
of four seeds have NaN among their inputs, and are compiled as `--strict` does: `x - x` may be 0 for every x otherwise.

With `--precise` some outputs of each shader are `precise`: they must have the bits of the same shader in the order of the
source (`--strict`), whatever else is computed otherwise.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from spirv import outside
from spirv.compiled import Refusal, compare, compile_module
from spirv.evaluator import Evaluator, NotEvaluated
from spirv.given import Shader
from spirv.precise import precise_outputs, with_precise
from spirv.random_glsl import shader
from spirv.reducing import reduced

if TYPE_CHECKING:
    from collections.abc import Sequence

RIGHT, WRONG, CRASH, REFUSED, ENGINES, OPEN = "right", "wrong", "crash", "refused", "engines differ", "not evaluated"
OTHERWISE = "precise kept, others differ"
FAULTS = (WRONG, CRASH, ENGINES)
FEW = 16
SIZES = (12, 24, 24, 36, 48)


class Verdict(NamedTuple):
    """What became of a program. `judged`: the part of components; `apart`: that of vertices; `ratio`: the greatest error, in
    bounds."""

    kind: str
    detail: str = ""
    words: int = 0
    judged: float = 0.0
    apart: float = 0.0
    ratio: float = 0.0


def judge(given: Shader, level: str, seed: int, count: int) -> Verdict:
    """Compile, run and compare one shader. Raises outside.Refused."""
    binary = outside.compiled(given.text, given.form, level)
    if seed % 4 == 0:  # of those with NaN
        binary = outside.turned(binary, Random(seed))
    nan = seed % 4 < 2
    inputs, uniforms = given.data(count, seed, nan)
    try:
        made = compile_module(binary, strict=nan)
    except Refusal as refusal:
        return Verdict(REFUSED, str(refusal))
    except Exception:
        return Verdict(CRASH, traceback.format_exc())
    try:
        wanted = Evaluator(binary).run(inputs, uniforms, count)
    except NotEvaluated as reason:
        return Verdict(OPEN, str(reason))
    try:
        found = made.run(inputs, uniforms, count)
        few = made.run({name: value[:FEW] for name, value in inputs.items()}, uniforms, min(FEW, count), "reference")
    except Exception:
        return Verdict(CRASH, traceback.format_exc())
    for name, value in few.items():
        if not np.array_equal(value, found[name][:FEW], equal_nan=True):
            return Verdict(ENGINES, name)
    result = compare(wanted, found)
    kind = WRONG if result.wrong else RIGHT
    return Verdict(kind, "\n".join(result.wrong), made.words, result.judged, result.apart, result.ratio)


def judge_precise(given: Shader, level: str, seed: int, count: int) -> Verdict:
    """Compile a shader freely and in the order of the source, and compare the bits of what is `precise`. Raises
    outside.Refused."""
    binary = outside.compiled(given.text, given.form, level)
    inputs, uniforms = given.data(count, seed, nan=seed % 2 == 0)
    try:
        free, ordered = (compile_module(binary, strict=strict) for strict in (False, True))
        found, wanted = (made.run(inputs, uniforms, count) for made in (free, ordered))
    except Refusal as refusal:
        return Verdict(REFUSED, str(refusal))
    except Exception:
        return Verdict(CRASH, traceback.format_exc())
    off = {name for name in wanted if found[name].tobytes() != wanted[name].tobytes()}
    wrong = sorted(off & precise_outputs(given.text))
    return Verdict(WRONG if wrong else OTHERWISE if off else RIGHT, ", ".join(wrong), free.words)


class Task(NamedTuple):
    seed: int
    vertices: int
    size: int
    reduce: bool
    precise: bool = False


def one(task: Task) -> tuple[int, str, Verdict, str]:
    """The verdict of a seed, its level, and for a fault the source, reduced."""
    given, level = shader(task.seed, task.size), (outside.O0, outside.O)[task.seed % 2]
    judged = judge
    if task.precise:
        given, judged = with_precise(given, task.seed), judge_precise
    try:
        verdict = judged(given, level, task.seed, task.vertices)
    except outside.Refused as refused:
        return task.seed, level, Verdict("refused outside", str(refused)), given.text
    if verdict.kind not in FAULTS:
        return task.seed, level, verdict, ""
    if task.reduce:
        last = verdict.detail.splitlines()[-1:]

        def faulty(text: str) -> bool:
            try:
                found = judged(given._replace(text=text), level, task.seed, task.vertices)
            except outside.Refused:
                return False
            return found.kind == verdict.kind and (verdict.kind != CRASH or found.detail.splitlines()[-1:] == last)

        given = given._replace(text=reduced(given.text, faulty))
        verdict = judged(given, level, task.seed, task.vertices)
    return task.seed, level, verdict, given.text


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--vertices", type=int, default=1000)
    parser.add_argument(
        "--size", type=int, default=0, help="about how many operations a program has (default: 12 to 48, by its seed)"
    )
    parser.add_argument("--precise", action="store_true", help="hold outputs that are precise to the bits of --strict")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--no-reduce", dest="reduce", action="store_false")
    parser.add_argument("-o", dest="folder", type=Path, default=None, help="write a file for each fault")
    options = parser.parse_args(arguments)
    if outside.missing():
        print(outside.missing(), file=sys.stderr)
        return 2
    tasks = [
        Task(seed, options.vertices, options.size, options.reduce, options.precise)
        for seed in range(options.seed, options.seed + options.programs)
    ]
    kinds: Counter[str] = Counter()
    refusals: Counter[str] = Counter()
    right: list[Verdict] = []
    start = time.monotonic()
    with get_context("fork").Pool(options.jobs) as pool:
        for seed, level, verdict, text in pool.imap_unordered(one, tasks):
            kinds[verdict.kind] += 1
            if not sum(kinds.values()) % 100:
                print(f"{sum(kinds.values())} done: {dict(kinds)}", flush=True)
            if verdict.kind == REFUSED:
                refusals[verdict.detail.split("; ")[0][:60]] += 1
            elif verdict.kind == RIGHT:
                right.append(verdict)
            elif verdict.kind in FAULTS or text:
                print(f"== seed {seed} at {level}: {verdict.kind}\n{text}{verdict.detail}\n", flush=True)
                if options.folder:
                    options.folder.mkdir(parents=True, exist_ok=True)
                    report = f"{verdict.kind}\n\n```\n{verdict.detail}\n```\n\n```glsl\n{text}```\n"
                    (options.folder / f"seed{seed}.{level}.md").write_text(report, encoding="utf-8")
    print(
        f"{options.programs} programs in {time.monotonic() - start:.0f} s: "
        + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    )
    if right and not options.precise:
        print(
            f"of those right, on average {np.mean([item.judged for item in right]):.1%} of components judged, "
            f"{np.mean([item.apart for item in right]):.2%} of vertices in doubt"
        )
        print(
            f"words: median {np.median([item.words for item in right]):.0f}, most {max(item.words for item in right)}; "
            f"greatest error {max(item.ratio for item in right):.2f} bounds"
        )
    for reason, count in refusals.most_common(30):
        print(f"  refused {count}: {reason}")
    return 1 if any(kinds[kind] for kind in FAULTS) else 0


if __name__ == "__main__":
    sys.exit(main())
