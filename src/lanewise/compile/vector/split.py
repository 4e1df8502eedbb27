"""Split a vector program in two: a preamble, which computes before a draw what is the same for all vertices, and the rest.

A lane of a value is *varying* where it depends on a vertex, else it depends on the turns of some loops. One that depends on
neither is *single*: the rest can read it from a register. The preamble keeps the control flow that all vertices take alike.
What lies under other control flow is computed without a question, as all operations are total and change nothing; what is
stored there is varying.
"""

from __future__ import annotations

from lanewise.compile.vector import code as v
from lanewise.compile.vector.dead import without_dead
from lanewise.compile.vector.walk import operands_of, statements, unused_value, values_of, with_bodies
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lanewise.compile.vector.code import Operand, Program, Ref, Statement

    _Lane = tuple[int, int]  # a value and its lane, or a variable and its lane
    _Rewrite = Callable[[Operand], Operand]
    _Turns = frozenset[int]  # labels of the loops whose turns a lane depends on

_ONCE: _Turns = frozenset()
_WIDTH = 4


class Split(Record):
    """A preamble, whose outputs are the rows of a uniform, and the program that reads them."""

    preamble: Program
    program: Program

    @property
    def rows(self) -> int:
        return len(self.preamble.outputs)


class Invariance:
    """Which lanes of values are the same for all vertices: `turns` has the loops that they depend on, and no varying lane."""

    stored: dict[int, set[int]]

    def __init__(self, program: Program) -> None:
        self.program = program
        self.turns: dict[_Lane, _Turns] = {}
        self.varying: set[_Lane] = set()  # lanes of variables
        self.left: set[int] = set()  # labels of statements that vertices leave at different times
        self.stored = {
            each.label: {s.variable for s in statements(each.body) if isinstance(s, v.Store)}
            for each in statements(program.body)
            if isinstance(each, (v.For, v.Loop))
        }
        while True:
            before = len(self.varying), len(self.left)
            self.turns = {}
            self._block(program.body, (), (), apart=False)
            if before == (len(self.varying), len(self.left)):
                break

    def of(self, ref: Ref) -> _Turns | None:
        """The loops that a lane depends on; None where it is varying."""
        return self.turns.get((ref.value, ref.lane))

    def single(self, ref: Ref) -> bool:
        return self.of(ref) == _ONCE

    def together(self, s: Statement) -> bool:
        """Whether all vertices go through a block alike, if they come to it together."""
        if isinstance(s, v.If):
            return self.of(s.condition) is not None
        return isinstance(s, (v.For, v.Loop, v.Scope)) and s.label not in self.left

    def _all(self, refs: Sequence[Ref]) -> _Turns | None:
        found = [self.of(ref) for ref in refs]
        return None if None in found else _ONCE.union(*[each for each in found if each is not None])

    def _define(self, value: int, lanes: int, turns: _Turns | None) -> None:
        if turns is not None:
            self.turns |= {(value, lane): turns for lane in range(lanes)}

    def _block(self, body: Sequence[Statement], loops: tuple[int, ...], around: tuple[int, ...], *, apart: bool) -> None:
        """`loops` and `around` are the labels of loops, and of all that can be left, around statements; `apart`: not all
        vertices come to these together."""
        for s in body:
            match s:
                case v.Store():
                    self.varying |= {(s.variable, lane) for lane, ref in s.pairs if apart or self.of(ref) is None}
                case v.Leave(label):
                    if apart:
                        self.left |= set(around[around.index(label) :])
                case v.If(_, yes, no):
                    inner = apart or not self.together(s)
                    self._block(yes, loops, around, apart=inner)
                    self._block(no, loops, around, apart=inner)
                case v.For() | v.Loop() | v.Scope():
                    inner = apart or not self.together(s)
                    own = loops if isinstance(s, v.Scope) or inner else (*loops, s.label)
                    if isinstance(s, v.For) and not inner:
                        self.turns[s.counter, 0] = frozenset([s.label])
                    self._block(s.body, own, (*around, s.label), apart=inner)
                case _:
                    self._value(s, loops)

    def _value(self, s: Statement, loops: tuple[int, ...]) -> None:
        match s:
            case v.Number(result, values):
                self._define(result, len(values), _ONCE)
            case v.Truth(result):
                self._define(result, 1, _ONCE)
            case v.Row() | v.Table():
                self._define(s.result, _WIDTH, self._all([ref for operand in operands_of(s) for ref in operand]))
            case v.Load(result, variable):
                turns = frozenset([label for label in loops if variable in self.stored[label]])
                for lane in range(self.program.variables[variable].lanes):
                    if (variable, lane) not in self.varying:
                        self.turns[result, lane] = turns
            case v.Operate(result, v.DOT, operands):
                self._define(result, 1, self._all([ref for operand in operands for ref in operand]))
            case v.Operate(result, _, operands):
                for lane, refs in enumerate(zip(*operands, strict=True)):
                    turns = self._all(refs)
                    if turns is not None:
                        self.turns[result, lane] = turns
            case _:
                pass


class Splitter:
    """The ways to split a program. `sets` are sets of single lanes that the rest reads together; each goes into one row."""

    program: Program
    name: str
    invariance: Invariance
    sets: list[tuple[Ref, ...]]

    def __init__(self, program: Program, name: str) -> None:
        """`name` is that of the uniform whose rows hold what is computed before."""
        self.program, self.name = program, name
        self.invariance = Invariance(program)
        self.defined: dict[int, Statement] = {n: s for s in statements(program.body) for n in values_of(s)}
        self.sets = list(dict.fromkeys(self._wanted()))

    def _leaf(self, ref: Ref) -> bool:
        """Whether a lane is known, or a component of a uniform without an index."""
        own = self.defined[ref.value]
        return isinstance(own, (v.Number, v.Truth)) or (isinstance(own, v.Row) and own.offset is None)

    def _wanted(self) -> Iterator[tuple[Ref, ...]]:
        """The sets, as what is left of the program reads them with all single lanes at hand."""
        program, uniform = self.program, len(self.program.uniforms)
        first = unused_value(program.body)
        fresh: dict[_Lane, int] = {}

        def copied(operand: Operand) -> Operand:
            return tuple([self._copy(ref, fresh, first) for ref in operand])

        body = self._rest(program.body, copied)
        rows = [v.Row(result=value, uniform=uniform, row=n) for n, value in enumerate(fresh.values())]
        rest = without_dead(
            program._replace(
                body=(*rows, *body), uniforms=(*program.uniforms, v.Uniform(name=self.name, rows=max(1, len(rows))))
            )
        )
        origin = {value: v.Ref(*lane) for lane, value in fresh.items()}
        for s in statements(rest.body):
            for operand in operands_of(s):
                refs = [origin[r.value].turned(r.negated) if r.value in origin else r for r in operand]
                yield from self._set(refs, copies=isinstance(s, (v.Operate, v.Store)) and not _is_truth(s))

    def _copy(self, ref: Ref, fresh: dict[_Lane, int], first: int) -> Ref:
        if not self.invariance.single(ref) or self._leaf(ref):
            return ref
        value = fresh.setdefault((ref.value, ref.lane), first + len(fresh))
        return v.Ref(value, 0, ref.negated)

    def _set(self, refs: Sequence[Ref], *, copies: bool) -> Iterator[tuple[Ref, ...]]:
        """The lanes of an operand that are read from one row. `copies`: components of several uniforms become one row."""
        single = [ref for ref in refs if self.invariance.single(ref)]
        computed = [ref for ref in single if not self._leaf(ref)]
        leaves = {self.defined[ref.value] for ref in single if self._leaf(ref)}
        places = {(s.uniform, s.row) if isinstance(s, v.Row) else None for s in leaves}
        if not computed and (not copies or len(places) < 2):
            return
        taken = single if copies and (len(places) > 1 or len(single) == len(refs)) else computed
        one_sign = len({ref.negated for ref in taken}) == 1
        yield tuple(sorted({ref._replace(negated=ref.negated and not one_sign) for ref in taken}))

    def _rest(self, body: Sequence[Statement], operand: _Rewrite) -> tuple[Statement, ...]:
        """Statements whose vertex work reads other operands."""
        found: list[Statement] = []
        for s in body:
            match s:
                case v.Operate(result, op, operands):
                    width = 1 if op == v.DOT else len(operands[0])
                    done = all(self.invariance.turns.get((result, lane)) == _ONCE for lane in range(width))
                    found.append(s if done else s._replace(operands=tuple(map(operand, operands))))
                case v.Store():
                    found.append(s._replace(operand=operand(s.operand)))
                case v.If():
                    (condition,) = operand((s.condition,))
                    found.append(v.If(condition, self._rest(s.yes, operand), self._rest(s.no, operand), s.line))
                case v.For() | v.Loop() | v.Scope():
                    found.append(with_bodies(s, (self._rest(s.body, operand),)))
                case _:
                    found.append(s)
        return tuple(found)

    def split(self, chosen: Sequence[tuple[Ref, ...]], more: int = 0) -> Split:
        """The program with some of the sets computed before; at most `more` rows have what a debugger shows besides."""
        rows = packed(chosen)
        rows += packed(self._shown(rows))[:more] if more else []
        program, uniform = self.program, len(self.program.uniforms)
        first = unused_value(program.body)
        wanted = [frozenset(each) for each in chosen]

        def moved(operand: Operand) -> Operand:
            found: list[Ref] = []
            sets = [own for own in self._own(operand) if own in wanted]
            for ref in operand:
                mine = next((own for own in sets if ref in own or ref.turned() in own), None)
                if mine is None:
                    found.append(ref)
                    continue
                row = next(n for n, each in enumerate(rows) if mine <= frozenset(each))
                signed = ref if ref in mine else ref.turned()
                found.append(v.Ref(first + row, rows[row].index(signed), signed != ref))
            return tuple(found)

        body = self._rest(program.body, moved)
        reads = [v.Row(result=first + n, uniform=uniform, row=n) for n in range(len(rows))]
        hidden = v.Uniform(name=self.name, rows=len(rows))
        scopes = self._scopes(rows, uniform)
        rest = program._replace(body=(*reads, *body), uniforms=(*program.uniforms, hidden), scopes=scopes)
        return Split(self._preamble(rows), without_dead(rest))

    # What a debugger shows

    def _shown(self, rows: Sequence[Sequence[Ref]]) -> list[tuple[Ref, ...]]:
        """The lanes that variables of the source have and that no row holds."""
        held = {(ref.value, ref.lane) for row in rows for ref in row}
        found: dict[tuple[Ref, ...], None] = {}
        for local in dict.fromkeys([local for scope in self.program.scopes for frame in scope for local in frame.locals]):
            refs = [each for each in local.components if isinstance(each, v.Ref) and each.value in self.defined]
            own = {v.Ref(each.value, each.lane) for each in refs if self.invariance.single(each) and not self._leaf(each)}
            lanes = tuple(sorted([each for each in own if (each.value, each.lane) not in held]))
            if lanes:
                found[lanes] = None
        return list(found)

    def _scopes(self, rows: Sequence[Sequence[Ref]], uniform: int) -> tuple[tuple[v.Frame, ...], ...]:
        """The scopes with what is computed before in its rows."""
        places = {
            (ref.value, ref.lane): v.Held(uniform, n, lane, ref.negated)
            for n, row in enumerate(rows)
            for lane, ref in enumerate(row)
        }
        done: dict[v.Local, v.Local] = {}

        def seen(component: Ref | v.Held | float | None) -> Ref | v.Held | float | None:
            place = places.get((component.value, component.lane)) if isinstance(component, v.Ref) else None
            if place is None or not isinstance(component, v.Ref):
                return component
            return place._replace(negated=place.negated != component.negated)

        def local(old: v.Local) -> v.Local:
            if old not in done:
                done[old] = old._replace(components=tuple(map(seen, old.components)))
            return done[old]

        return tuple(
            [tuple([each._replace(locals=tuple(map(local, each.locals))) for each in scope]) for scope in self.program.scopes]
        )

    def weight(self, lanes: Sequence[Ref]) -> int:
        """How many operations these lanes depend on."""
        seen: set[int] = set()
        waiting = [ref.value for ref in lanes]
        while waiting:
            value = waiting.pop()
            if value not in seen:
                seen.add(value)
                waiting += [ref.value for operand in operands_of(self.defined[value]) for ref in operand]
        return sum(isinstance(self.defined[value], (v.Operate, v.Load)) for value in seen)

    def _own(self, operand: Operand) -> list[frozenset[Ref]]:
        return [frozenset(own) for copies in (True, False) for own in self._set(operand, copies=copies)]

    def _preamble(self, rows: Sequence[Sequence[Ref]]) -> Program:
        """The program that computes rows."""
        program = self.program
        exports: dict[int, list[tuple[int, int, Ref]]] = {}  # by value: row, lane, what is stored
        for n, row in enumerate(rows):
            for lane, ref in enumerate(row):
                exports.setdefault(ref.value, []).append((n, lane, ref))
        writer = _Slice(self.invariance, exports, len(program.variables))
        body = writer.block(program.body, apart=False)
        outputs = [
            v.Output(name=f"row{n}", semantic="", variable=len(program.variables) + n, mask=(1 << len(row)) - 1)
            for n, row in enumerate(rows)
        ]
        variables = [v.Variable("", len(row)) for row in rows]
        return without_dead(
            program._replace(
                inputs=(), outputs=tuple(outputs), variables=(*program.variables, *variables), body=body, scopes=()
            )
        )


class _Slice:
    """The statements of a program that are the same for all vertices. `exports` are stored where they are defined, in variables
    from `first` on."""

    def __init__(self, invariance: Invariance, exports: Mapping[int, list[tuple[int, int, Ref]]], first: int) -> None:
        self.invariance, self.exports, self.first = invariance, exports, first
        self.lanes: dict[_Lane, int] = {}  # lanes of operations that have fewer here

    def ref(self, ref: Ref) -> Ref:
        return ref._replace(lane=self.lanes.get((ref.value, ref.lane), ref.lane))

    def operand(self, refs: Sequence[Ref]) -> Operand:
        return tuple([self.ref(ref) for ref in refs])

    def block(self, body: Sequence[Statement], *, apart: bool) -> tuple[Statement, ...]:
        found: list[Statement] = []
        for s in body:
            found += self.statement(s, apart=apart)
        return tuple(found)

    def statement(self, s: Statement, *, apart: bool) -> Iterator[Statement]:
        match s:
            case v.Store(variable):
                kept = [(lane, ref) for lane, ref in s.pairs if (variable, lane) not in self.invariance.varying]
                if kept and not apart:
                    mask = sum(1 << lane for lane, _ in kept)
                    yield s._replace(mask=mask, operand=self.operand([ref for _, ref in kept]))
            case v.Leave():
                if not apart:
                    yield s
            case v.If(condition, yes, no, line):
                if self.invariance.together(s):
                    yield v.If(self.ref(condition), self.block(yes, apart=apart), self.block(no, apart=apart), line)
                else:
                    yield from self.block((*yes, *no), apart=True)
            case v.For() | v.Loop() | v.Scope():
                if apart or not self.invariance.together(s):
                    yield from self.block(s.body, apart=True)
                else:
                    yield with_bodies(s, (self.block(s.body, apart=False),))
            case v.Attribute():
                pass
            case _:
                own = self.value(s)
                if own is not None:
                    yield own
                    yield from self.stores(own)

    def value(self, s: Statement) -> Statement | None:
        turns = self.invariance.turns
        match s:
            case v.Operate(result, op, operands) if op != v.DOT:
                lanes = [lane for lane in range(len(operands[0])) if (result, lane) in turns]
                self.lanes |= {(result, lane): n for n, lane in enumerate(lanes)}
                if not lanes:
                    return None
                return s._replace(operands=tuple([self.operand([each[lane] for lane in lanes]) for each in operands]))
            case v.Operate(result, _, operands):
                return s._replace(operands=tuple(map(self.operand, operands))) if (result, 0) in turns else None
            case v.Row():
                if (s.result, 0) not in turns:
                    return None
                return s if s.offset is None else s._replace(offset=self.ref(s.offset))
            case v.Table():
                return s._replace(at=self.ref(s.at)) if (s.result, 0) in turns else None
            case v.Load(result):
                return s if any((result, lane) in turns for lane in range(_WIDTH)) else None
            case _:
                return s

    def stores(self, s: Statement) -> Iterator[Statement]:
        for value in values_of(s):
            for row, lane, ref in self.exports.get(value, ()):
                yield v.Store(self.first + row, 1 << lane, (self.ref(ref),), s.line)


def packed(sets: Sequence[tuple[Ref, ...]]) -> list[list[Ref]]:
    """Rows of up to four lanes that have all lanes of each set in one of them."""
    rows: list[list[Ref]] = []
    for own in sorted(sets, key=len, reverse=True):
        lanes = set(own)
        fitting = [row for row in rows if len(lanes | set(row)) <= _WIDTH]
        if not fitting:
            fitting = [list[v.Ref]()]
            rows += fitting
        row = min(fitting, key=lambda row: len(lanes - set(row)))
        row += sorted(lanes - set(row))
    return rows


def _is_truth(s: Statement) -> bool:
    return isinstance(s, v.Operate) and s.op in (v.AND, v.OR, v.NOT)
