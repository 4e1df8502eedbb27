"""`lanewise fuzz --against COMMAND`: random programs on an implementation outside."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from lanewise import __version__
from lanewise.core.paths import join_command, split_command
from lanewise.core.text.counting import counted
from lanewise.core.vectors.against import Comparing, instructions_of
from lanewise.core.vectors.comparing import Tolerance
from lanewise.core.vectors.flat import ROWS
from lanewise.core.vectors.model import ENDED, FLAT, LINES, Identity, Wanted
from lanewise.core.vectors.peer import Peer
from lanewise.core.vectors.process import DIED, WRONG_FORM, OneAnswerError, SeveralAnswersError
from lanewise.core.vectors.wide import wide_word
from lanewise.packages import packages
from lanewise.tools.console import (
    INPUT_HAS_ERRORS,
    OK,
    UsageError,
    add_format,
    make_parser,
    print_json,
    print_remark,
    print_text,
)
from lanewise.tools.fuzz_findings import Summary, Written, as_text, closest, written
from lanewise.tools.fuzz_limits import MANY, add_limits, check_limits, seconds_of, stoppable
from lanewise.tools.peer_start import cannot_start, no_answer, refuse_shell
from lanewise.tools.progress_line import Line
from lanewise.tools.vectors_suites import variant_named

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from lanewise.core.package import IsaPackage
    from lanewise.core.vectors.model import Job, RandomJobs

OPTION = "--against"
_MOST_FAILED = 3  # starts without any answer
_OF_ENGINES = (
    "--level",
    "--workers",
    "--jobs",
    "--record",
    "--resume",
    "--scheduler",
    "--piece",
)  # options of `lanewise fuzz` alone
_PEERS = ("--peer", "--command", "--cmd", "--unit", "--exec", "--supervise", "--program", "--binary")
_LONG = 600  # seconds for an answer that are more than anybody waits
_MOST_DIED = 20  # the same of a process that dies: it may lack instructions
_NEVER = "the command never answers"
_SEE = "lanewise fuzz --against X --help"
_WHAT = {WRONG_FORM: "the command writes something else than answers"}

# Instructions by the words of other languages and assemblers.
_WORDS = {
    "loop": "for", "rep": "for", "while": "for", "else": "ifc ifu", "endif": "ifc ifu", "cond": "ifc callc jmpc breakc",
    "branch": "jmpc jmpu", "bra": "jmpc jmpu", "goto": "jmpc jmpu", "jump": "jmpc jmpu", "ret": "call callc callu",
    "control": "flow", "controlflow": "flow", "flow-control": "flow", "alu": "arithmetic", "math": "arithmetic",
    "sub": "add", "div": "rcp mul", "sqrt": "rsq", "exp": "ex2", "exp2": "ex2", "log": "lg2", "log2": "lg2", "floor": "flr",
    "lit": "litp", "arl": "mova", "madd": "mad madi", "fma": "mad madi", "dot": "dp3 dp4 dph dphi", "dot3": "dp3",
    "dot4": "dp4", "recip": "rcp", "rsqrt": "rsq", "move": "mov", "compare": "cmp",
}  # fmt: skip

_EPILOG = """COMMAND reads a header and jobs on its standard input and writes an answer to each on its standard output, in the \
flat form or as
JSON lines (docs/vectors.md); examples/vectors/peer.cpp is one. It is started again when it dies, hangs, or writes something \
else. A program
whose answer differs is reduced; findings are counted by cause, the first step that is wrong alone, and each cause is written
as a source and as a suite of one case. Where several answers to open questions explain it, a program that separates them is
written too (-separates).
Programs that do not end, or stop before their end, are not sent.

examples:
  lanewise fuzz --against ./my_unit --profile azahar --minutes 10
  lanewise fuzz --against "python unit.py" --form jsonl --programs 1000 --seed 7
  lanewise fuzz --against ./my_unit --profile azahar --without dst,dsti,litp --ignore-nan-sign --findings 20 -o found/
  lanewise fuzz --against ./my_unit --only mov,add,mul,mad --nested --ulp 1
  lanewise fuzz --against ./my_unit --profile azahar --set index_wrap=registers --seed 7 --first 1234 --programs 1

Exit codes: 0 no difference, 1 answers differ, 2 wrong usage or a command that never answers. Ctrl-C or SIGTERM stops the run \
and prints the summary."""


def asks_for_peer(argv: list[str]) -> bool:
    """Whether a command line names a command to compare with."""
    return any(argument == OPTION or argument.startswith(OPTION + "=") for argument in argv)


def refuse_alone(argv: Sequence[str]) -> None:
    """Raise UsageError for options of a run with --against in one without, and for other names of it."""
    names = [each.partition("=")[0] for each in argv]
    peer = next((name for name in names if name in _PEERS), "")
    if peer:
        raise UsageError(f"unknown option {peer}: the command that answers is given with {OPTION} COMMAND")
    known = [name for name in names if name in ("--profile", "--set", "--only", "--without", "--ulp", "--form", "--kind")]
    if known or "--ignore-nan" in names:
        one = known[0] if known else "--ignore-nan"
        raise UsageError(f"{one} goes with {OPTION} COMMAND, the unit that is compared, such as {OPTION} ./my_unit")


def parser() -> argparse.ArgumentParser:
    parser = make_parser(
        "lanewise fuzz --against", "Compare random programs with an implementation outside, bit for bit.", _EPILOG, _SEE
    )
    parser.add_argument(
        OPTION, required=True, metavar="COMMAND", help="the command that answers, with its arguments, as in a shell"
    )
    parser.add_argument(
        "--target", choices=_targets(), default=_targets()[0], help="the instruction set (default: %(default)s)"
    )
    parser.add_argument(
        "--kind", metavar="KIND", help="the programs: vertex (default) or geometry; Direct3D 9: vertex or pixel (default: both)"
    )
    parser.add_argument(
        "--profile",
        metavar="NAME",
        help="whose answers are expected, a name or a TOML file (default: the first of `lanewise vectors`: hardware, rtl, "
        "ieee)",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="answer an open question otherwise; commas between several",
    )
    parser.add_argument("--form", choices=(FLAT, LINES), default=FLAT, help="flat words (default) or JSON lines")
    parser.add_argument(
        "--only", metavar="OPS", action="append", help="programs with these instructions only; commas between several"
    )
    parser.add_argument(
        "--without", metavar="OPS", action="append", help="programs without these instructions; commas between several"
    )
    parser.add_argument(
        "--nested",
        action="store_true",
        help="only nested blocks and calls that end at different addresses, as compilers write them",
    )
    parser.add_argument("--ulp", type=int, default=0, metavar="N", help="numbers so many places apart are equal (default: 0)")
    parser.add_argument("--ignore-nan-sign", action="store_true", help="the sign of a NaN does not count")
    parser.add_argument("--ignore-nan", action="store_true", help="any NaN equals any other")
    parser.add_argument("--timeout", type=float, default=5.0, metavar="S", help="seconds for an answer (default: %(default)s)")
    parser.add_argument(
        "--startup",
        type=float,
        default=30.0,
        metavar="S",
        help="seconds for the first answer of a process (default: %(default)s)",
    )
    add_limits(parser, findings="causes")
    add_format(parser)
    return parser


def main(argv: list[str]) -> int:
    other = next((each.partition("=")[0] for each in argv if each.partition("=")[0] in _OF_ENGINES), "")
    if other:
        raise UsageError(
            f"{other} is for runs on both engines, without --against: start this one several times, with other seeds"
        )
    options = parser().parse_args(argv)
    for key in ("only", "without"):
        given = getattr(options, key)
        setattr(options, key, ",".join(given) if given is not None else None)
    command = _checked(options)
    package = next(each for each in packages() if each.name == options.target)
    seed = options.seed if options.seed is not None else int.from_bytes(os.urandom(4))
    watched = options.format != "json"
    if watched:
        print(f"seed {seed}", file=sys.stderr, flush=True)
    with stoppable():
        summary = _run(options, package, command, seed, show=watched)
    if options.format == "json":
        print_json(
            "fuzz",
            {**summary._asdict(), "findings": [one.data for one in summary.findings], "seconds": round(summary.seconds, 3)},
            options.target,
        )
    else:
        print_text(as_text(summary) + "\n")
    return INPUT_HAS_ERRORS if summary.differing else OK


def _targets() -> list[str]:
    return [package.name for package in packages() if package.random_jobs is not None]


def _checked(options: argparse.Namespace) -> list[str]:
    """The command in words. Raises UsageError."""
    try:
        command = split_command(options.against)
    except ValueError as error:
        raise UsageError(f"--against: {error}: close the quotation marks") from None
    if not command:
        raise UsageError("--against names a command, such as --against ./my_unit")
    refuse_shell(OPTION, options.against, command)
    check_limits(options)
    for name in ("timeout", "startup"):
        seconds = getattr(options, name)
        if not 0 < seconds < 1e6:
            raise UsageError(f"--{name} is a number above 0")
        if seconds >= _LONG:
            print_remark(
                f"lanewise fuzz: warning: --{name} counts seconds: {seconds:g} are {seconds / 60:.0f} minutes, for each "
                f"program that hangs; --{name} {seconds / 1000:g} is {seconds:g} milliseconds"
            )
    if options.ulp < 0:
        raise UsageError("--ulp is at least 0")
    return command


def _names(text: str | None, option: str, jobs: RandomJobs) -> list[str]:
    """The instructions that an option names, alone or in groups. Raises UsageError."""
    known = (*jobs.mnemonics, *jobs.groups)
    names = [name.strip().lower() for name in (text or "").split(",") if name.strip()]
    unknown = [name for name in names if name not in known]
    if unknown:
        from lanewise.core.text import likeness

        split = "".join([letter if letter.isalnum() else "," for letter in text or ""]).lower().strip(",").split(",")
        if all(part in known for part in split):
            raise UsageError(f"{option} {text}: a list has commas: write {option} {','.join(filter(None, split))}")

        meant = {name: [name] if name in known else _meant(name, known) for name in names}
        near = likeness.closest(unknown[0], known)
        if all(meant.values()):
            hint = f"write {option} {','.join(dict.fromkeys([each for name in names for each in meant[name]]))}"
        else:
            hint = f"did you mean {near[0]}?" if near else f"use {', '.join(known)}"
        raise UsageError(f"{option}: unknown instruction '{unknown[0]}': {hint}")
    return [each for name in names for each in jobs.groups.get(name, (name,))]


def _meant(name: str, known: Sequence[str]) -> list[str]:
    """The instructions that a word of other languages means: its own, or those that begin with it."""
    words = [word for word in _WORDS.get(name, "").split() if word in known]
    return words or [word for word in known if len(name) > 1 and word.startswith(name)]


def _comparing(options: argparse.Namespace, package: IsaPackage, command: list[str], seed: int) -> tuple[Comparing, Wanted]:
    """A comparison of jobs with the command, and the jobs. Raises UsageError, InputFailure."""
    if package.random_jobs is None or package.vectors is None:
        raise UsageError(f"--target {package.name}: expected {', '.join(_targets())}")
    jobs, vectors = package.random_jobs(), package.vectors()
    if options.kind and options.kind not in jobs.kinds:
        raise UsageError(f"--kind {options.kind}: {package.name} has {' and '.join(jobs.kinds)}")
    nops = set(_names(options.without, "--without", jobs))
    if options.only is not None:
        nops |= set(jobs.mnemonics) - set(_names(options.only, "--only", jobs))
    if nops >= set(jobs.mnemonics):
        raise UsageError("--only and --without leave no instruction: name some, such as --only add,mov")
    settings = [part.strip() for text in options.set for part in text.split(",")]
    variant = ", ".join([variant_named(vectors, options.profile or vectors.presets[0]), *settings])
    try:
        suite = vectors.make(("state",), 0, variant, None).identity  # checks the variant, and says what its numbers are
    except ValueError as error:
        raise UsageError(str(error)) from None
    identity = Identity(
        isa=package.name, suite="against", seed=seed & 0xFFFFFFFF, variant=suite.variant, bits=suite.bits, version=__version__
    )
    peer = Peer(command, identity, options.form, options.timeout, options.startup)
    tolerance = Tolerance(options.ignore_nan, options.ignore_nan_sign, options.ulp)
    wanted = Wanted(seed=seed, variant=suite.variant, nops=frozenset(nops), nested=options.nested, kind=options.kind or "")
    return Comparing(peer, jobs, vectors, suite.variant, suite.bits, tolerance, wanted), wanted


def _run(options: argparse.Namespace, package: IsaPackage, command: list[str], seed: int, *, show: bool) -> Summary:
    comparing, wanted = _comparing(options, package, command, seed)
    peer = comparing.peer
    mantissa = 23 if comparing.bits == 32 else 16
    if options.ulp >= 1 << mantissa - 3:
        print_remark(
            f"lanewise fuzz: warning: --ulp {options.ulp}: {1 << mantissa} places of float{comparing.bits} are a factor "
            "of 2, so that faults pass: arithmetic of one rounding needs none, --ulp 1 is one place"
        )
    start = time.monotonic()
    until = start + seconds_of(options.minutes, options.programs)
    last = options.first + (options.programs or MANY)
    line, number, done, skipped, lanes, interrupted = Line(show), options.first, 0, 0, 0, False
    died: list[Job] = []  # the jobs of which the process dies
    mistake, let_through = "", 0
    silent, what = "", _NEVER  # why there is no answer, before the first one
    files: list[Written] = []

    def tick() -> None:
        now = time.monotonic()
        rate = done / (now - start) if now > start else 0.0
        line.show(
            f"{counted(done, 'program')}, {rate:.1f} a second, {comparing.causes.total()} differ, "
            f"{counted(len(files), 'cause')}, {counted(peer.starts, 'start')}"
        )

    try:
        while number < last and len(files) < options.findings and time.monotonic() < until:
            job = comparing.jobs.job(wanted, number)
            number += 1
            expected = comparing.expected(job)
            if any(status != ENDED for status in expected.status):
                done, skipped = done + 1, skipped + 1
                continue
            asked = comparing.ask(job, expected)
            done, lanes = done + 1, lanes + job.lanes
            tick()
            if not asked.kind:
                let_through += comparing.lets_through(job, expected, asked)
                continue
            if asked.kind == WRONG_FORM and ROWS in asked.message:  # no answer of it has a meaning
                raise UsageError(f"--against {options.against}: {_WHAT[WRONG_FORM]}: {asked.message}")
            if asked.kind == WRONG_FORM and asked.found is not None:
                raise UsageError(f"--against {options.against}: program {job.number}: {asked.message}")
            if asked.kind == DIED:
                died.append(job)
            if not peer.answers:
                silent, what = asked.message, _WHAT.get(asked.kind, _NEVER)
                if peer.starts >= (_MOST_DIED if asked.kind == DIED else _MOST_FAILED):
                    break
                continue
            wide = None
            if asked.found is not None:
                wide = wide_word(comparing.vectors, comparing.variant, comparing.bits, job, asked.found)
            if wide is not None:
                raise UsageError(f"--against {options.against}: program {job.number}: {wide.message}; {wide.fix}")
            if asked.kind not in (DIED, WRONG_FORM) or asked.message not in comparing.findings:
                line.say(f"program {job.number}: {asked.message}; reducing it ...")
            finding = comparing.differing(job, expected, asked, tick)
            if finding is not None:
                again = _again(options, finding.number, seed)
                files.append(written(finding, comparing, f"{options.target}-{seed}", options.output, again))
                length, place = counted(len(finding.job.code), "word"), files[-1].data["file"]
                line.say(f"program {job.number}: {finding.cause}, {length}, see {place}")
        if show and died and peer.answers and not options.only:
            dies, right, rest = instructions_of(comparing, died)
            if dies and right:
                names = ",".join(right)
                untried = f"; not tried: {', '.join(rest)}" if rest else ""
                line.say(f"it dies of {', '.join(dies)} and answers {names}: --only {names} leaves out the others{untried}")
        mistake = comparing.mistake()
    except KeyboardInterrupt:
        interrupted = True
    except SeveralAnswersError as error:
        fix = "write one answer for each job that is read, and nothing else to standard output"
        raise UsageError(f"--against {options.against}: {error}; {fix}") from None
    except OneAnswerError as error:
        raise UsageError(f"--against {options.against}: {error}") from None
    except OSError as error:
        raise cannot_start(OPTION, options.against, command, error) from None
    finally:
        peer.stop()
        line.clear()
    if silent and not peer.answers:
        few = not options.only and what == _NEVER and "usage" not in silent.lower() and "exit code 0" not in silent
        lacks = "; if it lacks instructions, name those that it has with --only" if few else ""
        if what == _NEVER:
            lacks += f"; {no_answer(silent)}"
        raise UsageError(f"--against {options.against}: {what}: {silent}{lacks}")
    nearest = closest(comparing)
    return Summary(
        against=options.against,
        variant=comparing.variant,
        seed=seed,
        first=options.first,
        programs=done,
        skipped=skipped,
        vertices=lanes,
        differing=comparing.causes.total(),
        causes=dict(comparing.causes.most_common()),
        restarts=max(peer.starts - 1, 0),
        findings=files,
        let_through=let_through,
        mistake=mistake,
        hints=tuple(dict.fromkeys([hint for name, hint in comparing.vectors.hints.items() if name in nearest])),
        closest=nearest,
        seconds=time.monotonic() - start,
        interrupted=interrupted,
        enough=len(files) >= options.findings and number < last,
    )


def _again(options: argparse.Namespace, number: int, seed: int) -> str:
    """The command line that finds a program again."""
    found = ["lanewise", "fuzz", "--against", options.against, "--seed", str(seed), "--first", str(number), "--programs", "1"]
    found += ["--profile", options.profile] if options.profile else []
    for text in options.set:
        found += ["--set", text]
    for key in ("kind", "only", "without"):
        found += [f"--{key}", getattr(options, key)] if getattr(options, key) else []
    found += ["--target", options.target] if options.target != _targets()[0] else []
    found += ["--form", options.form] if options.form != FLAT else []
    found += ["--ulp", str(options.ulp)] if options.ulp else []
    found += [f"--{key.replace('_', '-')}" for key in ("nested", "ignore_nan_sign", "ignore_nan") if getattr(options, key)]
    return join_command(found)
