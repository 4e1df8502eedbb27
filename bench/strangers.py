"""Words and compile time of vertex shaders that others wrote, from a folder that is not part of the repository.

`python bench/strangers.py FOLDER [--json FILE] [--before FILE] [OPTION ...]`: GLSL by the suffixes of vertex shaders, HLSL with
each of its vertex entries. Further options, such as `--preamble`, are those of `lanewise compile`. Outputs whose names have no
semantic get one by their order and width, since every target needs one; a shader that compiles without counts as `plain`.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import re
import statistics
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lanewise.tools import cli

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence, Set

GLSL = (".vert", ".vs", ".vsh", ".vp", ".vertex", ".glsl")
HLSL = (".hlsl", ".fx")
WIDTHS = {"color": 4, "normalquat": 4, "view": 3, "texcoord0": 2, "texcoord1": 2, "texcoord2": 2}
_OUTPUT = r"\b(?:out|varying)\s+(?:(?:low|medium|high)p\s+)?(float|vec[234])\s+"
_TRIES = 6


class Row(NamedTuple):
    """What became of a vertex shader."""

    name: str
    "Its file in the folder, and its entry where the file has several."
    words: int
    "Words of the program; 0 where it is refused."
    plain: bool
    "Whether it compiles without an option."
    seconds: float
    "Processor time of the last try, without that of a compiler outside."
    reason: str
    "Why it is refused."


def entries(folder: Path) -> Iterator[tuple[Path, str]]:
    """The vertex shaders of a folder, and their entries."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in GLSL:
            yield path, ""
        elif path.suffix in HLSL:
            text = re.sub(r"//[^\n]*", "", path.read_text(errors="replace"))
            found = re.findall(r"^\w+\s+(VS\w+)\s*\(", text, re.MULTILINE)
            if found or path.stem.endswith("V"):
                for name in found or ["main"]:
                    yield path, name


def row(path: Path, entry: str, name: str, options: Sequence[str]) -> Row:
    """Compile a vertex shader, with semantics for outputs that lack one."""
    language = "hlsl" if path.suffix in HLSL else "glsl"
    fixed = ["--language", language, *(["--entry-point", entry] if entry else [])]
    given: dict[str, str] = {}
    taken = {"position"}
    answer: dict[str, Any] = {}
    seconds = 0.0
    for turn in range(_TRIES):
        semantics = [f"--semantic={key}={value}" for key, value in given.items()]
        start = time.process_time()
        answer = _compiled([str(path), *fixed, *semantics, *options])
        seconds = time.process_time() - start
        if answer.get("words"):
            return Row(name, len(answer["words"]), turn == 0, seconds, "")
        missing: list[str] = []
        for each in answer["diagnostics"]:
            if each["code"] == "S006":
                missing += [name for name in _quoted(each["message"]) if name not in given]
            elif each["code"] == "S007":  # one of the two has it by its name
                taken.add(each["message"].rpartition(" ")[2])
                missing += [name for name in _quoted(each["message"]) if given.pop(name, "")]
        if not missing or not _place(missing, given, taken, path):
            break
    errors = [each for each in answer["diagnostics"] if each["severity"] == "error"]
    reason = f"{errors[0]['code']} {errors[0]['message']}" if errors else "no answer"
    return Row(name, 0, False, seconds, reason)


def _quoted(message: str) -> list[str]:
    return re.findall(r"'([^']+)'", message)


def _place(missing: Sequence[str], given: dict[str, str], taken: Set[str], path: Path) -> bool:
    """Give semantics to outputs, the widest first. Returns whether there are enough."""
    text = path.read_text(errors="replace")
    kinds = {name: re.search(_OUTPUT + re.escape(name) + r"\b", text) for name in missing}
    widths = {name: (int(kind[1][-1]) if kind[1] != "float" else 1) if kind else 4 for name, kind in kinds.items()}
    free = [each for each in WIDTHS if each not in given.values() and each not in taken]
    for name in sorted(missing, key=lambda each: -widths[each]):
        fitting = [each for each in free if WIDTHS[each] >= widths[name]]
        found = min(fitting, key=WIDTHS.__getitem__) if fitting else free[0] if free else ""
        if not found:
            return False
        given[name] = found
        free.remove(found)
    return True


def _compiled(argv: Sequence[str]) -> dict[str, Any]:
    """The answer of `lanewise compile` in JSON."""
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors), contextlib.suppress(SystemExit):
        cli.main(["compile", *argv, "--check", "--format", "json", "--no-config"])
    try:
        return json.loads(output.getvalue())
    except json.JSONDecodeError:
        return {"diagnostics": [{"code": "-", "severity": "error", "message": errors.getvalue().strip()[:200]}]}


def report(rows: Sequence[Row], before: Sequence[Row]) -> None:
    """Print a table of the shaders, then the sums."""
    old = {each.name: each for each in before}
    print("| shader | words | before | seconds |\n|---|---|---|---|")
    for each in rows:
        then = old.get(each.name)
        print(f"| {each.name} | {each.words or each.reason} | {then.words if then else ''} | {each.seconds:.2f} |")
    accepted = [each for each in rows if each.words]
    print(f"\n{len(accepted)} of {len(rows)} accepted, {sum(each.plain for each in accepted)} without an option")
    print(f"{sum(each.words for each in accepted)} words, median {statistics.median(each.words for each in accepted)}")
    seconds = sorted(each.seconds for each in accepted)
    print(f"compile time: median {statistics.median(seconds):.3f} s, worst {seconds[-1]:.3f} s")
    both = [(old[each.name], each) for each in accepted if each.name in old and old[each.name].words]
    if both:
        words = [sum(each.words for each in side) for side in zip(*both, strict=True)]
        times = [statistics.median(each.seconds for each in side) for side in zip(*both, strict=True)]
        worst = [max(each.seconds for each in side) for side in zip(*both, strict=True)]
        longer = [new.name for then, new in both if new.words > then.words]
        print(f"{len(both)} in both: words {words[0]} to {words[1]}, longer: {', '.join(longer) or 'none'}")
        print(f"compile time in ratio: median {times[1] / times[0]:.2f}, worst {worst[1] / worst[0]:.2f}")
    for reason, count in Counter(each.reason.partition(" ")[0] for each in rows if each.reason).most_common():
        example = next(each.reason for each in rows if each.reason.startswith(reason))
        print(f"{count:4d} refused: {example}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", type=Path, help="write the rows")
    parser.add_argument("--before", type=Path, help="rows that were written earlier, to compare with")
    known, options = parser.parse_known_args()
    rows: list[Row] = []
    for path, entry in entries(known.folder):
        name = f"{path.relative_to(known.folder)}{':' if entry else ''}{entry}"
        rows.append(row(path, entry, name, options))
        print(f"\r{len(rows)}", end="", file=sys.stderr)
    if known.json:
        known.json.write_text(json.dumps([each._asdict() for each in rows], indent=1))
    report(rows, [Row(**each) for each in json.loads(known.before.read_text())] if known.before else [])


if __name__ == "__main__":
    main()
