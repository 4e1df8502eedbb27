"""Do the test vectors of the PICA200 find a wrong implementation? Single changes to the code of meanings, flow and number rules, one at a time.

    python -m vectors_mutation --changes 300 --seed 1 [--suite full] [--jobs N] [--show]

Each change is in one place of one function: another comparison or operator, a number one larger or smaller, a negated condition, exchanged arguments. It
is made in a child process, in which the cases of the suites run until one gives something else. The suites are those of the presets and of two variants
with other answers, so that code that only these reach counts too. What no case finds is printed; each such change is equal, or a gap of the suite.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import os
import random
import signal
import sys
from collections import Counter
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

from lanewise.core.vectors.comparing import differences
from lanewise.core.vectors.model import ENDLESS, FULL, QUICK
from lanewise.pica200.isa.facts import CHOICES
from lanewise.pica200.sem.numbers import number_rule
from lanewise.pica200.sem.profile import HARDWARE, profiles
from lanewise.pica200.vectors import running
from lanewise.pica200.vectors.suite import drafts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import CodeType, FunctionType

    from lanewise.core.vectors.model import Job, Outcome
    from lanewise.pica200.sem.profile import Profile

MODULES = (
    "lanewise.pica200.sem.meaning", "lanewise.pica200.sem.flow", "lanewise.pica200.sem.numbers", "lanewise.core.numbers.binary",
    "lanewise.pica200.sem.registers", "lanewise.pica200.sem.instruction", "lanewise.pica200.sem.emission",
)  # fmt: skip
# What happens before a run: words of a suite are in the format of its profile.
BEFORE = ("Float32.from_float24", "Float24.from_float24")
SECONDS = 2  # of processor time for a case, after which it counts as found: its programs hang
_COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt, ast.Lt), ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip
_COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}  # fmt: skip
_OPERATIONS = {
    "add": "mul",
    "mul": "add",
    "max": "min",
    "min": "max",
    "both": "either",
    "either": "both",
    "rcp": "rsq",
    "exp2": "log2",
    "at_least": "at_most",
    "floor": "negate",
}


_LIKELY = {
    "flow": ("flow",),
    "emission": ("geometry",),
    "registers": ("address", "operands"),
    "binary": ("numbers",),
    "numbers": ("numbers",),
}


class Change(NamedTuple):
    """A change: of the node with this number in its module, the how-manieth that is possible there, and what it is."""

    module: str
    function: str
    node: int
    choice: int
    line: int
    text: str


def variants() -> list[tuple[str, Profile]]:
    """The presets, and hardware with every other answer."""
    found = list(profiles.items())
    for place in (1, 2):
        answers = {
            key: list(fact.answers)[min(place, len(fact.answers) - 1)] for key, fact in CHOICES.items() if key != "rounding"
        }
        found.append((f"answer {place}", HARDWARE.replace(**answers, rounding="nearest" if place == 1 else "zero")))
    odd = HARDWARE.replace(
        dot_order="once",
        mad_rounding="once",
        overflow="largest",
        subnormal_arithmetic="keep",
        subnormal_floor="keep",
        negative_zero="ieee",
    )
    return [*found, ("numbers", odd)]


class Run(NamedTuple):
    """A case with what it gives."""

    name: str
    group: str
    job: Job
    expected: Outcome


class Prepared(NamedTuple):
    """The cases of a suite under a profile."""

    name: str
    profile: Profile
    cases: list[Run]


def prepare(suite: str, seed: int, name: str, profile: Profile) -> Prepared:
    cases: list[Run] = []
    for draft in drafts([suite], seed, profile):
        outcome = running.run(draft.job, profile)
        if not ("random" in draft.name and ENDLESS in outcome.status):
            cases.append(Run(draft.name, draft.group, draft.job, outcome))
    random.Random(1).shuffle(cases)
    return Prepared(name, profile, cases)


class Suites:
    """The suites of the variants, prepared when one is needed first: most changes are found under the first."""

    def __init__(self, suite: str, seed: int) -> None:
        self.suite, self.seed = suite, seed
        self._waiting = variants()
        self._ready: list[Prepared] = []

    def __iter__(self) -> Iterator[Prepared]:
        yield from self._ready
        while self._waiting:
            name, profile = self._waiting.pop(0)
            self._ready.append(prepare(self.suite, self.seed, name, profile))
            print(f"{len(self._ready[-1].cases)} cases under {name}", flush=True)
            yield self._ready[-1]


def in_order(cases: Sequence[Run], module: str) -> list[Run]:
    """The groups that are likely to show a change of a module first."""
    likely = _LIKELY.get(module.rpartition(".")[2], ("operands", "numbers"))
    return sorted(cases, key=lambda case: case.group not in likely)


# Changes


def _bodies(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef):
            yield statement.name, statement
        elif isinstance(statement, ast.ClassDef):
            for inner in statement.body:
                if isinstance(inner, ast.FunctionDef):
                    yield f"{statement.name}.{inner.name}", inner


def _alternatives(node: ast.AST) -> list[ast.AST]:
    """What may be in place of a node."""
    found: list[ast.AST] = []
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        found += [ast.Compare(node.left, [other()], node.comparators) for other in _COMPARED.get(type(node.ops[0]), ())]
    elif isinstance(node, ast.BinOp) and type(node.op) in _COMPUTED:
        found.append(ast.BinOp(node.left, _COMPUTED[type(node.op)](), node.right))
    elif isinstance(node, ast.BoolOp):
        found.append(ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        found.append(node.operand)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        found += [ast.Constant(node.value + 1), ast.Constant(node.value - 1)]
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        found.append(ast.Constant(not node.value))
    elif isinstance(node, ast.IfExp):
        found.append(ast.IfExp(node.test, node.orelse, node.body))
    elif isinstance(node, ast.If):
        found.append(ast.If(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse))
    elif isinstance(node, ast.Call):
        if len(node.args) == 2 and not node.keywords and not any(isinstance(each, ast.Starred) for each in node.args):
            found.append(ast.Call(node.func, node.args[::-1], []))
        if isinstance(node.func, ast.Attribute) and node.func.attr in _OPERATIONS:
            function = ast.Attribute(node.func.value, _OPERATIONS[node.func.attr], ast.Load())
            found.append(ast.Call(function, node.args, node.keywords))
    return found


def _skipped(function: ast.FunctionDef) -> set[int]:
    """Nodes that are not code: annotations, the text at the top, formatted texts and what raises an error."""
    found: set[int] = set()
    for node in ast.walk(function):
        parts: list[ast.AST] = []
        if isinstance(node, ast.FunctionDef):
            parts += [node.args, *([node.returns] if node.returns else []), *node.decorator_list]
        elif isinstance(node, ast.AnnAssign):
            parts.append(node.annotation)
        elif isinstance(node, ast.JoinedStr | ast.Raise) or (
            isinstance(node, ast.If) and any(isinstance(inner, ast.Raise) for inner in node.body)
        ):
            parts.append(node)
        for part in parts:
            found |= {id(each) for each in ast.walk(part)}
    return found


def changes(module: str) -> list[Change]:
    """All changes of a module."""
    tree = ast.parse(inspect.getsource(import_module(module)))
    numbers = {id(node): n for n, node in enumerate(ast.walk(tree))}
    found: list[Change] = []
    for name, function in _bodies(tree):
        if name in BEFORE:
            continue
        skipped = _skipped(function)
        for node in ast.walk(function):
            if id(node) in skipped:
                continue
            for choice, other in enumerate(_alternatives(node)):
                text = f"{ast.unparse(_head(node))}  ->  {ast.unparse(_head(ast.fix_missing_locations(other)))}"
                found.append(Change(module, name, numbers[id(node)], choice, getattr(node, "lineno", 0), text))
    return found


def _head(node: ast.AST) -> ast.AST:
    return node.test if isinstance(node, ast.If) else node


def chosen(count: int, seed: int) -> list[Change]:
    """So many changes, the share of a module by how many it has."""
    return random.Random(seed).sample([change for module in MODULES for change in changes(module)], count)


def apply(change: Change) -> None:
    """Make a change in this process."""
    module = import_module(change.module)
    source = inspect.getsource(module)
    tree = ast.parse(source)
    node = list(ast.walk(tree))[change.node]
    other = _alternatives(node)[change.choice]

    class Exchange(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return ast.copy_location(other, node) if node is target else self.generic_visit(node)

    target = node
    changed = ast.fix_missing_locations(Exchange().visit(tree))
    code = _code_of(compile(cast("ast.Module", changed), module.__file__ or "", "exec"), change.function.split("."))
    owner: object = module
    for part in change.function.split("."):
        owner = owner.__dict__[part] if isinstance(owner, type) else getattr(owner, part)
    function = cast(
        "FunctionType", getattr(owner, "__wrapped__", getattr(owner, "fget", None) or getattr(owner, "__func__", owner))
    )
    function.__code__ = code
    number_rule.cache_clear()


def _code_of(code: CodeType, path: Sequence[str]) -> CodeType:
    for name in path:
        code = next(part for part in code.co_consts if inspect.iscode(part) and part.co_name == name)
    return code


# Runs


def finder(change: Change, suite: Prepared) -> str:
    """The case that finds a change: `variant: case`; empty for none."""
    try:
        apply(change)
        bits = 32 if running.is_wide(suite.profile) else 24
        for name, _, job, expected in in_order(suite.cases, change.module):
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            try:
                found = running.run(job, suite.profile)
            except Exception as error:
                return f"{suite.name}: {name} ({type(error).__name__})"
            if next(differences(job, expected, found, bits), None) is not None:
                return f"{suite.name}: {name}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def in_child(work: Callable[[], str]) -> str:
    """The answer of a child process; a hang or a crash is one too."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        answer = work()
        os.write(writer, answer[:500].encode() or b"-")
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        answer = file.read().decode()
    os.waitpid(child, 0)
    return "hang" if not answer else "" if answer == "-" else answer


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--changes", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--suite", choices=(QUICK, FULL), default=QUICK)
    parser.add_argument("--least", type=float, default=0.95, help="the share that has to be found")
    parser.add_argument("--show", action="store_true", help="print every change with what finds it")
    options = parser.parse_args()
    suites = Suites(options.suite, 1)
    by_module: Counter[tuple[str, bool]] = Counter()
    missed: list[Change] = []
    for change in chosen(options.changes, options.seed):
        found = ""
        for suite in suites:
            found = in_child(lambda change=change, suite=suite: finder(change, suite))
            if found:
                break
        by_module[change.module, bool(found)] += 1
        if options.show or not found:
            print(
                f"{'found' if found else 'MISSED'} {change.module}:{change.line} {change.function}: {change.text}  [{found}]",
                flush=True,
            )
        if not found:
            missed.append(change)
    for module in MODULES:
        print(f"{module}: {by_module[module, True]} of {by_module[module, True] + by_module[module, False]}")
    share = 1 - len(missed) / options.changes
    print(f"{options.changes - len(missed)} of {options.changes} found ({share:.1%})")
    return 0 if share >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
