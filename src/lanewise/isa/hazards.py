"""What the hardware will not forgive, as far as it shows without following every path: structure, nesting, sizes, outputs.

Every rule here speaks of all paths or of straight-line code, so that a right program is not reported. Sources: 3dbrew
(Pitfalls, Control Flow) and picasso's manual; the numbers E1-E20 are those of the errata table in the project's references.
"""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, WARNING, Diagnostic
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.isa.pica200 import NUM_MAX, TEMPORARY, VERTEX, mask_text
from lanewise.isa.program import Dest, Operation, Source, Target

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lanewise.isa.program import Interface, Program

_CALLS = frozenset(("call", "callc", "callu"))
_JUMPS = frozenset(("jmpc", "jmpu"))
_FLOW = _CALLS | _JUMPS | {"ifc", "ifu", "for", "break", "breakc", "end"}
_POSITION, _DUMMY = 0, 9


class _Block(Record):
    """A block that the instruction at `opener` runs, up to the word before `end`."""

    loop: bool
    opener: int
    end: int


class _Survey:
    """One look over a program: where each word stands, and what calls what."""

    def __init__(self, program: Program, exact: bool) -> None:
        self.program = program
        self.exact = exact
        self.diagnostics: list[Diagnostic] = []
        self.nests: list[tuple[_Block, ...]] = []
        self.others: set[int] = set()  # where else parts begin: the word before is not executed before them
        self.starts = {procedure.start for procedure in program.procedures if procedure.size}
        self.sweep()
        self.called_in_loops = self.calls_from_loops()

    def calls_from_loops(self) -> set[int]:
        """The words that run while a loop is under way, because a call inside of it leads there."""
        code = self.program.operations
        found: set[int] = set()
        waiting = [operation for pc, operation in enumerate(code) if any(block.loop for block in self.nests[pc])]
        while waiting:
            operation = waiting.pop()
            target = operation.operands[-1] if operation.operands else None
            if operation.op.name in _CALLS and isinstance(target, Target):
                fresh = set(range(target.address, min(target.address + target.num, len(code)))) - found
                found |= fresh
                waiting += [code[pc] for pc in fresh]
        return found

    def warn(self, code: str, message: str, operation: Operation | None, fix: str, severity: str = WARNING) -> None:
        span = operation.span if operation is not None and operation.span is not None else Span("")
        self.diagnostics.append(Diagnostic(code, severity, message, span, (), fix))

    def sweep(self) -> None:
        """The blocks around each word, from the targets of the instructions that open them."""
        nest: list[_Block] = []
        for pc, operation in enumerate(self.program.operations):
            while nest and nest[-1].end <= pc:
                nest.pop()
            self.nests.append(tuple(nest))
            name = operation.op.name
            if name in ("ifc", "ifu", "for"):
                target = operation.operands[-1]
                if isinstance(target, Target):
                    end = target.address + 1 if name == "for" else target.address
                    if name != "for" and target.num:
                        self.others.add(target.address)
                        nest.append(_Block(False, pc, target.address + target.num))
                    nest.append(_Block(name == "for", pc, end))

    def depth(self, pc: int, loop: bool) -> int:
        """How many loops, or conditionals, are open at a word."""
        return len({block.opener for block in self.nests[pc] if block.loop is loop})


def hazards(program: Program, *, exact_limits: bool = True) -> list[Diagnostic]:
    """Findings V070-V089 about a whole program. `exact_limits` makes a block that NUM cannot count an error."""
    survey = _Survey(program, exact_limits)
    _instructions(survey)
    _call_graph(survey)
    for interface in program.interfaces:
        _interface(survey, interface)
    return survey.diagnostics


def _instructions(survey: _Survey) -> None:
    """Rules about one word and the next."""
    previous = ""
    code = survey.program.operations
    for pc, operation in enumerate(code):
        name = operation.op.name
        if name == "mova" and previous == "mova" and pc not in survey.starts | survey.others:
            survey.warn(
                "V070",
                "two mova in a row freeze the GPU",
                operation,
                "put another instruction between them, or write mova a0.xy once",
            )
        elif name in ("break", "breakc"):
            _break(survey, pc, operation)
        elif name in _JUMPS:
            _jump(survey, pc, operation)
        elif name in ("ifc", "ifu", "for"):
            _nesting(survey, pc, operation)
        if name in _CALLS or name in ("ifc", "ifu"):
            target = operation.operands[-1]
            if isinstance(target, Target) and target.num > NUM_MAX:
                what = "the else part" if name in ("ifc", "ifu") else "the procedure called"
                survey.warn("V081", f"{what} has {target.num} words, but NUM counts at most {NUM_MAX}: hardware sees {target.num & NUM_MAX}",
                            operation, "split it", ERROR if survey.exact else WARNING)  # fmt: skip
        previous = name


def _break(survey: _Survey, pc: int, operation: Operation) -> None:
    nest = survey.nests[pc]
    name = operation.op.name
    if not any(block.loop for block in nest):
        if pc in survey.called_in_loops:
            survey.warn("V072", f"{name} inside a procedure that a loop calls leaves the call's entry on the CALL stack", operation,
                        "set a flag in the procedure, and breakc behind the call")  # fmt: skip
        else:
            survey.warn("V071", f"{name} outside of a loop hangs the GPU", operation, "put it between for and its .end")
    elif not nest[-1].loop:
        survey.warn("V072", f"{name} inside a conditional leaves the conditional's entry on the IF stack", operation,
                    "use breakc with the condition, directly in the loop")  # fmt: skip


def _jump(survey: _Survey, pc: int, operation: Operation) -> None:
    target = operation.operands[-1]
    if not isinstance(target, Target):
        return
    if target.address >= len(survey.program.operations):
        survey.warn("V078", "this jumps past the last word of the program", operation, "put an instruction after the label")
        return
    here = set(survey.nests[pc])
    there = set(survey.nests[target.address])
    for block, verb in [(b, "leaves") for b in here - there] + [(b, "enters") for b in there - here]:
        what = "loop" if block.loop else "conditional"
        fix = "leave it with breakc" if block.loop and verb == "leaves" else "jump to a label of the same block"
        effect = (
            f": its entry stays on the {'LOOP' if block.loop else 'IF'} stack"
            if verb == "leaves"
            else ": hardware has no entry for it"
        )
        survey.warn("V077", f"this jump {verb} a {what}{effect}", operation, fix)
        return


def _nesting(survey: _Survey, pc: int, operation: Operation) -> None:
    loop = operation.op.name == "for"
    limit = VERTEX.loop_depth if loop else VERTEX.if_depth
    if survey.depth(pc, loop) == limit:
        what, code = ("loops", "V073") if loop else ("conditionals", "V074")
        survey.warn(
            code,
            f"more than {limit} nested {what}: the oldest entry of the stack is lost",
            operation,
            "move the inner part into code that is not nested",
        )


# Calls


_Range = tuple[int, int]  # (first word, size) of a procedure


def _calls(program: Program) -> dict[_Range, list[tuple[int, _Range]]]:
    """What each procedure calls, and from which word. A nested procedure's calls are also those of the outer one."""
    ranges = {(procedure.start, procedure.size) for procedure in program.procedures}
    calls: dict[_Range, list[tuple[int, _Range]]] = {key: [] for key in ranges}
    for pc, operation in enumerate(program.operations):
        if operation.op.name in _CALLS:
            target = operation.operands[-1]
            if isinstance(target, Target):
                for start, size in ranges:
                    if start <= pc < start + size:
                        calls[start, size].append((pc, (target.address, target.num)))
    return calls


def _call_graph(survey: _Survey) -> None:
    """Recursion, and nesting through calls: how deep calls go from each procedure, found without recursion of our own."""
    calls = _calls(survey.program)
    heights: dict[_Range, int] = {}
    for root in sorted(calls):
        path: list[tuple[_Range, int]] = [] if root in heights else [(root, 0)]
        while path:
            procedure, done = path[-1]
            callees = calls.get(procedure, [])
            if done == len(callees):
                deepest = max((heights.get(callee, 0) + 1 for _, callee in callees), default=0)
                heights[procedure] = deepest
                path.pop()
                continue
            path[-1] = (procedure, done + 1)
            pc, callee = callees[done]
            if any(callee == open_one for open_one, _ in path):
                survey.warn("V076", "this call comes back to its own procedure: hardware has four return addresses",
                            survey.program.operations[pc], "write a loop")  # fmt: skip
                heights[callee] = 0
            elif callee not in heights:
                path.append((callee, 0))
    limit = VERTEX.call_depth
    for procedure in sorted(calls):
        if heights[procedure] == limit + 1:
            pc = max(calls[procedure], key=lambda call: heights.get(call[1], 0))[0]
            survey.warn("V075", f"calls nest {limit + 1} deep from here, but the stack holds {limit} return addresses",
                        survey.program.operations[pc], "put the body of one procedure in the place of its call")  # fmt: skip


# Shaders


def _reached(program: Program, interface: Interface) -> list[int]:
    """The words that the entry procedure, the procedures it calls and the targets of its jumps lie in, in order."""
    reached: set[int] = set()
    waiting = [(interface.entry, interface.entry_end)]
    while waiting:
        start, end = waiting.pop()
        for pc in range(start, min(end, len(program.operations))):
            if pc in reached:
                continue
            reached.add(pc)
            operation = program.operations[pc]
            target = operation.operands[-1] if operation.operands else None
            if not isinstance(target, Target):
                continue
            if operation.op.name in _CALLS:
                waiting.append((target.address, target.address + target.num))
            elif operation.op.name in _JUMPS:
                waiting += [
                    (p.start, p.start + p.size) for p in program.procedures if p.start <= target.address < p.start + p.size
                ]
    return sorted(reached)


def _interface(survey: _Survey, interface: Interface) -> None:
    program = survey.program
    reached = _reached(program, interface)
    code = program.operations
    first = code[interface.entry] if interface.entry < len(code) else None
    if reached and not any(code[pc].op.name == "end" for pc in reached):
        survey.warn("V079", f"{interface.name or 'the shader'} never comes to an end instruction: execution runs into whatever follows",
                    code[reached[-1]], "write end at the end of the entry procedure")  # fmt: skip
    if not interface.geometry:
        for pc in reached:
            if code[pc].op.name == "emit":
                survey.warn("V082", "emit belongs to geometry shaders", code[pc], "declare the file with .gsh, or remove it")
                break
        _inputs(survey, interface, reached)
        geometry_follows = any(other.geometry for other in program.interfaces)
        semantics = {output.semantic for output in interface.outputs}
        if semantics and _POSITION not in semantics and _DUMMY not in semantics and not geometry_follows:
            place = next((output.span for output in interface.outputs if output.span), None)
            operation = first._replace(span=place) if first is not None and place is not None else first
            survey.warn("V087", "no output is the position: nothing can be drawn", operation, "declare .out NAME position")
    _outputs(survey, interface, reached)


def _inputs(survey: _Survey, interface: Interface, reached: list[int]) -> None:
    known = interface.input_mask
    for pc in reached:
        operation = survey.program.operations[pc]
        for operand in operation.operands:
            if isinstance(operand, Source) and operand.register < TEMPORARY and not known >> operand.register & 1:
                known |= 1 << operand.register
                survey.warn("V086", f"v{operand.register} is read but not declared: the file's input mask leaves it out", operation,
                            f"declare .in NAME v{operand.register}")  # fmt: skip


def _outputs(survey: _Survey, interface: Interface, reached: list[int]) -> None:
    code = survey.program.operations
    declared: dict[int, int] = {}
    for output in interface.outputs:
        declared[output.register] = declared.get(output.register, 0) | sum(8 >> i for i in range(4) if output.mask >> i & 1)
    written: dict[int, int] = {}
    told: set[int] = set()
    for pc in reached:
        operation = code[pc]
        first = operation.operands[0] if operation.operands else None
        if isinstance(first, Dest) and operation.op.name != "mova" and first.register < TEMPORARY:
            register = first.register
            written[register] = written.get(register, 0) | first.mask
            if register not in declared and register not in told:
                told.add(register)
                survey.warn("V085", f"o{register} is written but wired to no property: the value goes nowhere", operation,
                            f"declare .out NAME PROPERTY o{register}, or remove the write")  # fmt: skip
    for output in interface.outputs if reached else ():
        mask = sum(8 >> i for i in range(4) if output.mask >> i & 1)
        missing = mask & ~written.get(output.register, 0)
        if missing:
            what = output.name or f"o{output.register}"
            never = f"'{what}' is never written" if missing == mask else f"{mask_text(missing)} of '{what}' is never written"
            place = output.span or code[interface.entry].span or Span("")
            message = f"{never}: the GPU waits for every component that is wired up"
            fix = "write it before end, or leave the components out of the .out mask"
            survey.diagnostics.append(Diagnostic("V083", WARNING, message, place, (), fix))
    _straight_lines(survey, interface, reached, declared)


def _straight_lines(survey: _Survey, interface: Interface, reached: Iterable[int], declared: dict[int, int]) -> None:
    """Outputs written twice in a row without a way around, or not again between two emits."""
    code = survey.program.operations
    targets = {
        t.address for operation in code if isinstance(t := operation.operands[-1] if operation.operands else None, Target)
    }
    now: dict[int, int] = {}
    before: dict[int, int] | None = None
    previous = -2
    for pc in reached:
        operation = code[pc]
        name = operation.op.name
        if (
            pc != previous + 1
            or pc in targets
            or pc in survey.starts
            or any(block.opener == pc - 1 for block in survey.nests[pc])
        ):
            now, before = {}, None
        previous = pc
        if name in _FLOW:
            now, before = {}, None
        elif name == "emit" and interface.geometry:
            if before is not None:
                for register in before:
                    stale = before[register] & ~now.get(register, 0) & declared.get(register, 0)
                    if stale:
                        survey.warn("V088", f"o{register}.{mask_text(stale)} was not written since the last emit: the value of two emits ago is sent",
                                    operation, "write every output before every emit")  # fmt: skip
            before, now = dict(now), {}
        elif operation.operands:
            first = operation.operands[0]
            if isinstance(first, Dest) and name != "mova" and first.register < TEMPORARY:
                twice = now.get(first.register, 0) & first.mask
                if twice and not interface.geometry:
                    survey.warn("V084", f"o{first.register}.{mask_text(twice)} is written twice: this can hang the GPU", operation,
                                "collect the value in a temporary and write the output once")  # fmt: skip
                now[first.register] = now.get(first.register, 0) | first.mask
