"""Does `lanewise diff` find a wrong compiler? Single changes to the code of `lanewise.compile`, one at a time.

    python -m compile_mutations [--wanted 20] [--seed 1] [--first 0] [--done FILE]

A change is made in a child process, on the syntax tree of a module when it is imported: another operator, number, attribute or
order of operands, a condition that is turned round, a statement that is left out. It counts if the compiler then gives a
program of the corpus (`cases`: shaders of Direct3D 9 and SPIR-V, each for the PICA200 and for ShaderCore) that is not the same
bits as before on 10,000 vertices, given the same data: a program with other names, or uniforms of another kind, is counted
apart, as `diff` lists what only one of two programs has. Then `lanewise diff SOURCE BINARY` has to say `differs` with an
example, which it replays, of one such program, and must call none equal. For shaders of Direct3D 9, whose meaning is compared,
the changed toolkit is asked too. Prints each change that counts with the answers, and what survives; exit code 1 if a wrong
program is called equal.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib.util
import io
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

import lanewise as lw
from compile.mutation_shaders import SHADERS
from lanewise.pica200.isa.table import BOOLEAN, INTEGER
from lanewise.tools import cli

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType

    from numpy.typing import NDArray

TESTS = Path(__file__).resolve().parent
COMPILE = TESTS.parent / "src" / "lanewise" / "compile"
PACKAGES = ("spirv", "direct3d9", "vector", "pica200", "shadercore")
# What measures, draws and runs programs, the baselines, and the semantics that shaders are run by.
APART = (
    "accuracy",
    "codes",
    "comparing",
    "described",
    "exact",
    "fit_search",
    "float24",
    "interpret",
    "report",
    "strategies",
    "table",
    "text",
    "verify",
)
VERTICES = 10_000
SECONDS = 60  # of processor time for a change
PROGRAMS = 3  # wrong programs of a change that are compared
OTHER_NAMES = "other names or kinds of what programs take or give"

# Changes


class Change(NamedTuple):
    """A change of the node with this number in its module, the `choice`-th that is possible there."""

    module: str
    line: int
    node: int
    choice: int
    text: str


_COMPARED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_COMPUTED: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
_PAIRS = (
    ("add", "mul"),
    ("min", "max"),
    ("less", "at_least"),
    ("both", "either"),
    ("bit_and", "bit_or"),
    ("rcp", "rsq"),
    ("exp2", "log2"),
    ("floor", "fraction"),
    ("ADD", "MUL"),
    ("MIN", "MAX"),
    ("LT", "LE"),
    ("EQ", "NE"),
    ("AND", "OR"),
    ("NEGATE", "ABS"),
    ("FLOOR", "TRUNC"),
)
_EXCHANGED: Mapping[str, str] = {name: other for pair in _PAIRS for name, other in (pair, pair[::-1])}


def alternatives(node: ast.AST) -> list[ast.AST]:
    """What may be in place of a node."""
    match node:
        case ast.Compare(left, [op], others) if type(op) in _COMPARED:
            return [ast.Compare(left, [_COMPARED[type(op)]()], others)]
        case ast.BinOp(left, op, right) if type(op) in _COMPUTED:
            return [ast.BinOp(left, _COMPUTED[type(op)](), right), *([ast.BinOp(right, op, left)] if _ordered(op) else [])]
        case ast.BoolOp(op, values):
            return [ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)]
        case ast.UnaryOp(ast.Not() | ast.USub() | ast.Invert(), operand):
            return [operand]
        case ast.Constant(value) if type(value) is int:
            return [ast.Constant(value + 1), ast.Constant(value - 1)]
        case ast.Constant(value) if type(value) is float:
            return [ast.Constant(-value), ast.Constant(value + 0.5)]
        case ast.Constant(value) if type(value) is bool:
            return [ast.Constant(not value)]
        case ast.Attribute(value, name, ast.Load()) if name in _EXCHANGED:
            return [ast.Attribute(value, _EXCHANGED[name], ast.Load())]
        case ast.IfExp(test, body, other):
            return [ast.IfExp(test, other, body)]
        case ast.If(test, body, other):
            return [ast.If(ast.UnaryOp(ast.Not(), test), body, other)]
        case ast.Call(function, [one, other, *rest], keywords) if not any(isinstance(each, ast.Starred) for each in node.args):
            return [ast.Call(function, [other, one, *rest], keywords)]
        case ast.Tuple([one, other, *rest], ast.Load()) | ast.List([one, other, *rest], ast.Load()):
            return [type(node)([other, one, *rest], ast.Load())]
        case ast.Subscript(value, ast.Slice(None, None, ast.UnaryOp())):
            return [value]
        case ast.Expr(ast.Call()) | ast.AugAssign():
            return [ast.Pass()]
        case _:
            return []


def _ordered(op: ast.operator) -> bool:
    return isinstance(op, ast.Sub | ast.LShift | ast.RShift | ast.FloorDiv | ast.Mod)


def _skipped(tree: ast.Module) -> set[int]:
    """Nodes that are not code that compiles: annotations, texts, what raises an error or is for types only."""
    found: set[int] = set()
    for node in ast.walk(tree):
        parts: list[ast.AST] = []
        match node:
            case ast.FunctionDef():
                every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                parts += [each.annotation for each in every if each.annotation is not None]
                parts += [*([node.returns] if node.returns is not None else []), *node.decorator_list]
            case ast.AnnAssign():
                parts.append(node.annotation)
            case ast.Raise() | ast.JoinedStr() | ast.Assert() | ast.Import() | ast.ImportFrom():
                parts.append(node)
            case ast.If() if any(isinstance(inner, ast.Raise) for inner in node.body) or "TYPE_CHECKING" in ast.unparse(
                node.test
            ):
                parts.append(node)
            case ast.keyword(arg="strict" | "why" | "name"):
                parts.append(node)
            case ast.Assign([ast.Name("__all__")]):
                parts.append(node)
            case _:
                pass
        for part in parts:
            found |= {id(each) for each in ast.walk(part)}
    return found


class _Exchange(ast.NodeTransformer):
    def __init__(self, target: ast.AST, other: ast.AST) -> None:
        self.target, self.other = target, other

    def visit(self, node: ast.AST) -> ast.AST:
        return ast.copy_location(self.other, node) if node is self.target else self.generic_visit(node)


def modules() -> list[str]:
    """The modules that are changed."""
    return [
        f"lanewise.compile.{package}.{path.stem}"
        for package in PACKAGES
        for path in sorted((COMPILE / package).glob("*.py"))
        if path.stem not in APART and not path.stem.startswith(("_", "random_"))
    ]


def path_of(module: str) -> Path:
    """The source of a module of the compiler."""
    return COMPILE.parent.parent.joinpath(*module.split(".")).with_suffix(".py")


def changes(module: str) -> Iterator[Change]:
    """All changes of a module."""
    tree = ast.parse(path_of(module).read_text("utf-8"))
    skipped = _skipped(tree)
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in skipped:
            continue
        for choice, other in enumerate(alternatives(node)):
            before, after = (ast.unparse(ast.fix_missing_locations(each)).splitlines()[0] for each in (node, other))
            if before != after:
                yield Change(module, getattr(node, "lineno", 0), number, choice, f"{before} -> {after}")


def changed(change: Change) -> ast.Module:
    tree = ast.parse(path_of(change.module).read_text("utf-8"))
    target = list(ast.walk(tree))[change.node]
    other = alternatives(target)[change.choice]
    return cast("ast.Module", ast.fix_missing_locations(_Exchange(target, other).visit(tree)))


class _Loader(SourceFileLoader):
    """Loads a changed syntax tree; no bytecode is read or written."""

    def __init__(self, change: Change, path: str) -> None:
        super().__init__(change.module, path)
        self._change = change

    def get_code(self, fullname: str) -> CodeType:
        return compile(changed(self._change), self.path, "exec", dont_inherit=True)


class Finder:
    """Finds the changed module, before any other finder."""

    def __init__(self, change: Change) -> None:
        self._change = change

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != self._change.module:
            return None
        spec = PathFinder.find_spec(name, path, target)
        assert spec is not None
        assert spec.origin is not None
        return importlib.util.spec_from_file_location(name, spec.origin, loader=_Loader(self._change, spec.origin))


# The corpus


class Case(NamedTuple):
    """A source, and how it is compiled to a program and compared with it."""

    source: Path
    target: str
    facts: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.source.name} for {self.target}"

    @property
    def has_meaning(self) -> bool:
        """Whether `diff` compares with the meaning of the source, not with what it compiles to."""
        return self.source.suffix in (".vsa", ".psa")

    def concerns(self, module: str) -> bool:
        """Whether a module of the compiler may have a part in the program."""
        package = module.split(".")[2]
        if package in ("pica200", "shadercore"):
            return self.target == package
        return package == "vector" or (package == "spirv") != self.has_meaning

    def binary(self, folder: Path) -> Path:
        return folder / f"{self.source.stem}{'.shbin' if self.target == 'pica200' else '.scb'}"

    def compile(self, folder: Path) -> Path | None:
        """The program; None where it is refused."""
        binary = self.binary(folder)
        device = () if self.target == "pica200" else ("--device", "document")
        code, _ = command("compile", str(self.source), "--target", self.target, *device, *self.facts, "-o", str(binary))
        return binary if code == 0 and binary.exists() else None

    def compare(self, binary: Path) -> tuple[str, str]:
        """The verdict of `lanewise diff`, and the output that differs or the reason."""
        of_target = ("--profile", "hardware") if self.target == "pica200" else ("--device", "document")
        known = () if self.has_meaning else ("--constants-known",)
        code, text = command("diff", str(self.source), str(binary), *of_target, *known, *self.facts, "--format", "json")
        if code == 2 or not text.startswith("{"):
            return "refused", text.strip().partition("\n")[0]
        answer: dict[str, Any] = json.loads(text)
        example = answer.get("example")
        if example and example["first"] != example["second"]:
            return answer["verdict"], f"{example['output']}: {example['first']} and {example['second']}"
        return answer["verdict"], answer.get("reason") or "without an example"


def command(*arguments: str) -> tuple[int, str]:
    """The exit code of a command, and its output."""
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        code = cli.main(list(arguments))
    return code, output.getvalue() or errors.getvalue()


def cases(folder: Path) -> list[Case]:
    """The sources of the tree, and `SHADERS`, which are written to a folder."""
    examples = TESTS.parent / "examples"
    sources: list[Path] = []
    for name, text in SHADERS.items():
        path = folder / f"{name}.{'psa' if text.startswith('ps') else 'vsa'}"
        path.write_text(text)
        sources.append(path)
    sources += [*sorted((examples / "direct3d9").glob("*.[vp]sa")), *sorted((examples / "glsl").glob("*.spv"))]
    sources += sorted((TESTS / "spirv" / "shaders").glob("*.spv"))
    common = str(examples / "direct3d9" / "common")
    facts = {"skin": ("--array", "c10=21/3"), "fog": ("-I", common), "array": ("--array", "c20=6")}
    return [Case(path, target, facts.get(path.stem, ())) for path in sources for target in ("shadercore", "pica200")]


# Runs


def _numbers(name: str, *shape: int) -> NDArray[np.float32]:
    """Numbers that the name decides: ordinary ones, whole ones, zeros and ones."""
    rng = np.random.default_rng([*name.encode()])
    values = rng.uniform(-4, 4, shape).astype(np.float32)
    whole = rng.random(shape) < 0.2
    values[whole] = np.rint(values[whole])
    return values


def outputs(case: Case, binary: Path) -> dict[str, NDArray[np.float32]]:
    """The outputs of a program by name, for values that the names of inputs and uniforms decide."""
    loaded = cast("Any", lw.load(binary))
    if case.target == "pica200":
        interface = loaded.vertex.interface
        inputs = {each.name: _numbers(each.name, VERTICES, 4) for each in interface.inputs}
        uniforms: dict[str, Any] = {}
        for each in interface.uniforms:
            if each.first >= BOOLEAN:
                uniforms[each.name] = _numbers(each.name, 1)[0] > 0
            elif each.first >= INTEGER:
                uniforms[each.name] = [2, 0, 1]
            else:
                uniforms[each.name] = _numbers(each.name, each.last - each.first + 1, 4)
        result = loaded.vertex.run(inputs=inputs, uniforms=uniforms, count=VERTICES, defaults=0, keep_faults=True)
    else:
        beside = loaded.beside
        inputs = {name: _numbers(name, VERTICES, 4) for name in beside.inputs}
        uniforms = {f"c{n}": _numbers(beside.names.get(n, f"c{n}"), 1, 4) for n in range(256)}
        for row in beside.constants:
            del uniforms[f"c{row.number}"]
        taken = {place[0] for place in beside.numbers.values()}
        uniforms = {name: value for name, value in uniforms.items() if int(name[1:]) not in taken}
        for name in beside.numbers:
            uniforms[name] = _numbers(name, 1)[0] > 0 if name in beside.flags else 2
        result = loaded.run(inputs=inputs, uniforms=uniforms, count=VERTICES, device="document", defaults=0)
    return {name: np.asarray(value, np.float32) for name, value in result.outputs.items()}


def asked_for(case: Case, binary: Path) -> list[list[str]]:
    """The names of inputs, of uniforms with their kinds, and of outputs that a program has: what the data of a run are for."""
    loaded = cast("Any", lw.load(binary))
    if case.target == "pica200":
        interface = loaded.vertex.interface
        kinds = [f"{each.name} {(each.first >= BOOLEAN) + (each.first >= INTEGER)}" for each in interface.uniforms]
        gives = [f"{each.semantic} {each.mask}" for each in interface.outputs]
        return [sorted([each.name for each in interface.inputs]), sorted(gives), sorted(kinds)]
    beside = loaded.beside
    return [sorted(map(str, each)) for each in (beside.inputs, beside.names.values(), beside.numbers, beside.flags)]


def same(one: Mapping[str, NDArray[np.float32]], other: Mapping[str, NDArray[np.float32]]) -> bool:
    """Whether outputs have the same bits; all NaN are one."""
    return one.keys() == other.keys() and all(
        value.shape == other[name].shape
        and bool(((value.view(np.uint32) == other[name].view(np.uint32)) | (np.isnan(value) & np.isnan(other[name]))).all())
        for name, value in one.items()
    )


# Children


def in_child(work: Callable[[], object]) -> Any:
    """The answer of a child process as JSON has it; a text for one that fails."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            answer: object = work()
        except BaseException as error:  # whatever a change makes of the code
            answer = f"{type(error).__name__}: {error}"[:300]
        with os.fdopen(writer, "wb") as file:
            file.write(json.dumps(answer).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        text = file.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else "takes too long"


def compiled(corpus: Sequence[Case], folder: Path) -> dict[str, str]:
    """The programs of the corpus by the names of cases."""
    found: dict[str, str] = {}
    for case in corpus:
        try:
            binary = case.compile(folder)
        except Exception:  # a changed compiler may raise anything
            continue
        if binary is not None:
            found[case.name] = str(binary)
    return found


def wrong_programs(corpus: Sequence[Case], change: Change, right: Path, folder: Path) -> list[tuple[str, str, str]] | str:
    """The cases whose program gives other bits with a change, each with the verdict of the changed toolkit and why; empty for a
    case that has no meaning. A text where programs take or give other things, and none gives other bits. Runs in a child."""
    sys.meta_path.insert(0, cast("Any", Finder(change)))
    found: list[tuple[str, str, str]] = []
    others = 0
    for case in corpus:
        if not case.concerns(change.module):
            continue
        try:
            binary = case.compile(folder)
        except Exception:  # a changed compiler may raise anything
            continue
        if binary is None or not case.binary(right).exists() or binary.read_bytes() == case.binary(right).read_bytes():
            continue
        try:
            if asked_for(case, case.binary(right)) != asked_for(case, binary):
                others += 1
                continue
            if same(outputs(case, case.binary(right)), outputs(case, binary)):
                continue
        except Exception:  # a file that cannot be run
            continue
        verdict, reason = case.compare(binary) if case.has_meaning else ("", "")
        found.append((case.name, verdict, reason))
        if len(found) == PROGRAMS:
            break
    return OTHER_NAMES if others and not found else found


# The campaign


class Piece(NamedTuple):
    """A change that counts, or not: the wrong programs, each with the verdicts of the toolkit and of the changed one."""

    number: int
    change: str
    programs: Sequence[Sequence[str]]
    failed: str
    seconds: float

    @property
    def counts(self) -> bool:
        return bool(self.programs)

    @property
    def found(self) -> bool:
        return any(verdict == "differs" for _, verdict, *_ in self.programs)

    @property
    def believed(self) -> list[str]:
        """The wrong programs that are called equal."""
        return [program[0] for program in self.programs if "equal" in (program[1], program[3])]


def judge(number: int, change: Change, corpus: Sequence[Case], right: Path, folder: Path) -> Piece:
    """What a change makes of the programs, and what `diff` says of them."""
    start = time.monotonic()
    text = f"{change.module.removeprefix('lanewise.compile.')}:{change.line} {change.text}"
    answer = in_child(lambda: wrong_programs(corpus, change, right, folder))
    if isinstance(answer, str):
        return Piece(number, text, [], answer, time.monotonic() - start)
    found = cast("list[list[str]]", answer)
    by_name = {case.name: case for case in corpus}

    def verdict(name: str) -> tuple[str, str]:
        return by_name[name].compare(by_name[name].binary(folder))

    programs: list[list[str]] = []
    for name, *own in found:
        answer = in_child(partial(verdict, name))
        programs.append([name, *(("failed", answer) if isinstance(answer, str) else cast("list[str]", answer)), *own])
    return Piece(number, text, programs, "", time.monotonic() - start)


def drawn(seed: int) -> Iterator[Change]:
    """All changes in the order of a seed: a module, then one of its changes."""
    rng = random.Random(f"compile_mutations {seed}")
    left = {module: list(changes(module)) for module in modules()}
    for rows in left.values():
        rng.shuffle(rows)
    while left:
        module = rng.choice([*left])
        if left[module]:
            yield left[module].pop()
        else:
            del left[module]


def summary(pieces: Sequence[Piece]) -> str:
    counting = [piece for piece in pieces if piece.counts]
    verdicts = Counter(f"{program[1]}" for piece in counting for program in piece.programs)
    own = Counter(program[3] for piece in counting for program in piece.programs if program[3])
    lines = [
        f"{len(pieces)} changes, {len(counting)} change a bit of a run, {sum(piece.found for piece in counting)} differ",
        f"programs: {dict(verdicts)}; asked of the changed toolkit: {dict(own)}",
        f"{sum(piece.failed == OTHER_NAMES for piece in pieces)} more change {OTHER_NAMES} only",
    ]
    lines += [f"SURVIVES {piece.number} {piece.change}: {piece.programs}" for piece in counting if not piece.found]
    lines += [f"WRONG {piece.number} {piece.change}: {piece.believed} equal" for piece in counting if piece.believed]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wanted", type=int, default=20, help="how many changes that count")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first change")
    parser.add_argument("--changes", type=int, default=1_000, help="how many are tried at most")
    parser.add_argument("--done", type=Path, help="a file with a line for each change that is done: they are not done again")
    options = parser.parse_args()
    file: Path | None = options.done
    lines = file.read_text("utf-8").splitlines() if file is not None and file.exists() else []
    done = {piece.number: piece for piece in (Piece(**json.loads(line)) for line in lines)}
    with tempfile.TemporaryDirectory() as name:
        folder, right = Path(name) / "changed", Path(name) / "right"
        folder.mkdir()
        right.mkdir()
        corpus = cases(Path(name))
        programs = in_child(lambda: compiled(corpus, right))
        assert isinstance(programs, dict), programs
        corpus = [case for case in corpus if case.name in programs]
        print(f"{len(corpus)} programs", flush=True)
        for number, change in enumerate(drawn(options.seed)):
            if number < options.first or number in done:
                continue
            if number >= options.first + options.changes or sum(piece.counts for piece in done.values()) >= options.wanted:
                break
            piece = done[number] = judge(number, change, corpus, right, folder)
            if file is not None:
                with file.open("a", encoding="utf-8") as rows:
                    rows.write(json.dumps(piece._asdict()) + "\n")
            if piece.counts:
                print(f"{number} {piece.change}: {piece.programs}", flush=True)
    pieces = [done[number] for number in sorted(done)]
    print(summary(pieces))
    return int(any(piece.believed for piece in pieces))


if __name__ == "__main__":
    sys.exit(main())
