"""Read compiled effects of Direct3D 9: fx_2_0, with XNA's header or without.

Sources: Wine, d3dx9_36/effect.c (typedefs, values, states, resources); MojoShader, mojoshader_effects.c (the header of XNA 4).

A file has a table of types, values and names, to which all others give offsets; then parameters, techniques and objects. A
shader is an object, of a state of a pass or of a parameter. What a pass computes to choose a shader from an array is not
evaluated: its text names the array.
"""

from __future__ import annotations

import struct

from lanewise.core.record import TYPE_CHECKING
from lanewise.direct3d9.container.bounded import LONGEST_NAME, Bytes, Malformed
from lanewise.direct3d9.isa.constants import COLUMNS, OBJECT, ROWS, SCALAR, STRUCT, VECTOR, Member, Type
from lanewise.direct3d9.isa.effect import (
    DIRECT3D9,
    PIXEL,
    PIXEL_BASE,
    PIXEL_SHADER,
    STATES,
    VALUES,
    VERTEX,
    VERTEX_BASE,
    VERTEX_SHADER,
    Effect,
    EffectShader,
    Parameter,
    Pass,
    State,
    Technique,
    distinct,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

TAG, XNA_TAG = 0xFEFF0901, 0xBCF00BCF
_VOID, _BOOL, _INT, _FLOAT, _STRING, _TEXTURE, _LAST_TEXTURE, _SAMPLER, _LAST_SAMPLER = 0, 1, 2, 3, 4, 5, 9, 10, 14
_DEEPEST, _MOST_NUMBERS, _SHOWN = 16, 1 << 16, 8
_SPARE = 1 << 16
_NO_TECHNIQUE = 0xFFFFFFFF
_CODE, _NAME, _SELECTED = range(
    3
)  # what a state has of its own: code, the name of a parameter, an array and what chooses from it


class _Raw:
    """A typed value: its type, its words or the numbers of its objects, the states of its samplers."""

    def __init__(self, name: str, semantic: str, kind: Type) -> None:
        self.name, self.semantic, self.type = name, semantic, kind
        self.words: tuple[int, ...] = ()
        self.objects: tuple[int, ...] = ()
        self.samplers: list[list[_RawState]] = []
        self.annotations: list[_Raw] = []


class _RawState:
    def __init__(self, number: int, index: int, value: _Raw) -> None:
        self.number, self.index, self.value = number, index, value
        self.usage = _CODE
        self.blob: tuple[int, bytes] | None = None  # what the state has of its own: a shader, an expression, a name


class _RawPass:
    def __init__(self, name: str, annotations: list[_Raw], states: list[_RawState]) -> None:
        self.name, self.annotations, self.states = name, annotations, states


class _RawTechnique:
    def __init__(self, name: str, annotations: list[_Raw], passes: list[_RawPass]) -> None:
        self.name, self.annotations, self.passes = name, annotations, passes


def is_effect(data: bytes) -> bool:
    """Whether bytes begin as an effect does."""
    return len(data) >= 8 and int.from_bytes(data[:4], "little") in (TAG, XNA_TAG)


def read_effect(data: bytes) -> Effect:
    """The effect of a file. Raises Malformed."""
    reader = Bytes(
        data, work=len(data) // 2 + _SPARE
    )  # twice the words of the file: more only where places are named again and again
    form = "fx_2_0"
    begin = 0
    tag = reader.word()
    if tag == XNA_TAG:
        begin = reader.word()
        form = "fx_2_0 with the header of XNA"
        reader.at = begin
        tag = reader.word()
    if tag != TAG:
        raise Malformed(f"it begins with 0x{tag:08X}, expected 0x{TAG:08X}", reader.at - 4)
    start = reader.word()
    base = reader.at
    reader.at = base + start
    return _Reader(reader, base, form).effect()


class _Reader:
    """Reads one effect; offsets in it count from `base`."""

    def __init__(self, reader: Bytes, base: int, form: str) -> None:
        self.reader, self.base, self.form = reader, base, form
        self._names: dict[int, str] = {}
        self._types: dict[int, _Raw] = {}
        self._depth = 0
        self._blobs: dict[int, tuple[int, bytes]] = {}  # objects by number: where they are, and their bytes

    def effect(self) -> Effect:
        r = self.reader
        count, techniques, _, _objects = r.words(4)
        parameters = [self._parameter() for _ in range(r.count(count, 16, "parameters"))]
        found = [self._technique() for _ in range(r.count(techniques, 12, "techniques"))]
        small, large = r.words(2)
        for _ in range(r.count(small, 8, "objects")):
            number = r.word()
            self._blobs[number] = self._blob()
        for _ in range(r.count(large, 24, "objects of states")):
            self._resource(parameters, found)
        return _Named(self.form, parameters, found, self._blobs).effect()

    # The table of types, values and names

    def _name(self, offset: int) -> str:
        found = self._names.get(offset)
        if found is None:
            part = self.reader.bytes_at(self.base + offset)
            size = part.word()
            if size > LONGEST_NAME:
                raise Malformed(f"a name has {size} bytes: at most {LONGEST_NAME} are read", part.at - 4)
            found = self._names[offset] = part.take(size).split(b"\0", 1)[0].decode("latin-1")
        return found

    def _typed(self, offset: int) -> _Raw:
        found = self._types.get(offset)
        if found is None:
            found = self._types[offset] = self._type(self.reader.bytes_at(self.base + offset), 0)
        return _Raw(found.name, found.semantic, found.type)

    def _type(self, part: Bytes, depth: int) -> _Raw:
        at = part.at
        base, kind, name, semantic, elements = part.words(5)
        rows = columns = 0
        members: list[Member] = []
        if depth > _DEEPEST:
            raise Malformed("structs are nested too deep", at)
        if kind == VECTOR:
            columns, rows = part.words(2)
        elif kind in (SCALAR, ROWS, COLUMNS):
            rows, columns = part.words(2)
        elif kind == STRUCT:
            for _ in range(part.count(part.word(), 20, "members")):
                member = self._type(part, depth + 1)
                members.append(Member(member.name, member.type))
        elif kind != OBJECT:
            raise Malformed(f"unknown class {kind} of a type: there are 0 to {STRUCT}", at + 4)
        return _Raw(
            self._name(name),
            self._name(semantic),
            Type(kind=kind, base=base, rows=rows, columns=columns, elements=elements, members=tuple(members)),
        )

    def _value(self, raw: _Raw, offset: int) -> _Raw:
        part = self.reader.bytes_at(self.base + offset)
        kind = raw.type
        many = kind.elements or 1
        if kind.kind == OBJECT and _SAMPLER <= kind.base <= _LAST_SAMPLER:
            raw.samplers = [
                [self._state(part) for _ in range(part.count(part.word(), 16, "states"))]
                for _ in range(part.count(many, 4, "samplers"))
            ]
        elif kind.kind == OBJECT:
            if kind.base != _VOID:
                raw.objects = part.words(many)
        else:
            raw.words = part.words(many * _size(kind))
        return raw

    def _state(self, part: Bytes) -> _RawState:
        number, index, typed, value = part.words(4)
        self._depth += 1
        if self._depth > _DEEPEST:
            raise Malformed("states are nested too deep", part.at)
        found = _RawState(number, index, self._value(self._typed(typed), value))
        self._depth -= 1
        return found

    # What follows the table

    def _annotations(self, count: int) -> list[_Raw]:
        return [
            self._value(self._typed(self.reader.word()), self.reader.word())
            for _ in range(self.reader.count(count, 8, "annotations"))
        ]

    def _parameter(self) -> _Raw:
        typed, value, _flags, annotations = self.reader.words(4)
        found = self._value(self._typed(typed), value)
        found.annotations = self._annotations(annotations)
        return found

    def _technique(self) -> _RawTechnique:
        r = self.reader
        name, annotations, passes = r.words(3)
        own = self._annotations(annotations)
        return _RawTechnique(self._name(name), own, [self._pass() for _ in range(r.count(passes, 12, "passes"))])

    def _pass(self) -> _RawPass:
        r = self.reader
        name, annotations, states = r.words(3)
        own = self._annotations(annotations)
        return _RawPass(self._name(name), own, [self._state(r) for _ in range(r.count(states, 16, "states"))])

    def _blob(self) -> tuple[int, bytes]:
        """The bytes of an object and their place; they fill whole words."""
        r = self.reader
        size = r.word()
        at = r.at
        data = r.take(size)
        r.at = min(at + (size + 3 & ~3), len(r.data))
        return at, data

    def _resource(self, parameters: Sequence[_Raw], techniques: Sequence[_RawTechnique]) -> None:
        r = self.reader
        at = r.at
        technique, index, element, state, usage = r.words(5)
        states: Sequence[_RawState] = ()
        if technique != _NO_TECHNIQUE:
            if technique < len(techniques) and index < len(techniques[technique].passes):
                states = techniques[technique].passes[index].states
        elif index < len(parameters):
            samplers = parameters[index].samplers
            which = 0 if element == _NO_TECHNIQUE else element
            states = samplers[which] if which < len(samplers) else ()
        if state >= len(states):
            raise Malformed(f"an object is for state {state} of {len(states)}", at)
        found = states[state]
        found.usage, found.blob = usage, self._blob()


def _size(kind: Type) -> int:
    """The words of one element."""
    if kind.kind == STRUCT:
        return sum(_size(member.type) * max(1, member.type.elements) for member in kind.members)
    return kind.rows * kind.columns if kind.kind != OBJECT else 0


class _Named:
    """Names the shaders of an effect that was read."""

    def __init__(
        self, form: str, parameters: Sequence[_Raw], techniques: Sequence[_RawTechnique], blobs: dict[int, tuple[int, bytes]]
    ) -> None:
        self.form, self.raw, self.techniques, self.blobs = form, parameters, techniques, blobs
        self.shaders: dict[str, EffectShader] = {}
        self.of_parameters = {raw.name: raw for raw in parameters if _stage(raw.type)}

    def effect(self) -> Effect:
        techniques = tuple(
            [
                Technique(name, self._passes(name, raw.passes), self._plain(raw.annotations))
                for name, raw in zip(distinct([raw.name for raw in self.techniques], "technique"), self.techniques, strict=True)
            ]
        )
        for raw in self.of_parameters.values():
            for n, number in enumerate(raw.objects):
                self._add(f"{raw.name}[{n}]" if raw.type.elements else raw.name, _stage(raw.type), self.blobs.get(number))
        parameters = tuple([self._parameter(raw) for raw in self.raw])
        return Effect(format=self.form, techniques=techniques, parameters=parameters, shaders=tuple(self.shaders.values()))

    def _passes(self, technique: str, raws: Sequence[_RawPass]) -> tuple[Pass, ...]:
        names = distinct([raw.name for raw in raws], "pass")
        return tuple([self._pass(technique, name, raw) for name, raw in zip(names, raws, strict=True)])

    def _add(self, name: str, stage: str, blob: tuple[int, bytes] | None) -> bool:
        """Whether an object is a shader, which then has a name."""
        if blob is None or not blob[1] or name in self.shaders:  # a name twice is of damaged files
            return False
        at, code = blob
        self.shaders[name] = EffectShader(name=name, stage=stage, kind=DIRECT3D9, code=code, stream=code, offset=at)
        return True

    def _pass(self, technique: str, name: str, raw: _RawPass) -> Pass:
        used = {VERTEX: "", PIXEL: ""}
        for state in raw.states:
            stage = {VERTEX_SHADER: VERTEX, PIXEL_SHADER: PIXEL}.get(state.number)
            if stage is not None:
                used[stage] = self._shader(f"{technique}/{name}/{stage}", stage, state)
        states = tuple([self._plain_state(state) for state in raw.states if state.number not in (VERTEX_SHADER, PIXEL_SHADER)])
        return Pass(name=name, vertex=used[VERTEX], pixel=used[PIXEL], states=states, annotations=self._plain(raw.annotations))

    def _shader(self, name: str, stage: str, state: _RawState) -> str:
        """The name of the shader of a state, or what chooses it."""
        if state.usage != _CODE:
            return self._reference(state)
        number = state.value.objects[0] if state.value.objects else 0
        return name if self._add(name, stage, state.blob or self.blobs.get(number)) else ""

    def _reference(self, state: _RawState) -> str:
        """The name of a parameter that a state takes, or of an array from which it takes an element."""
        data = state.blob[1] if state.blob is not None else b""
        if state.usage == _NAME:
            return _text(data)
        size = int.from_bytes(data[:4], "little")
        return f"{_text(data[4 : 4 + min(size, LONGEST_NAME)])}[...]" if state.usage == _SELECTED else "an expression"

    def _plain_state(self, state: _RawState) -> State:
        name = STATES[state.number] if state.number < len(STATES) else f"state {state.number}"
        return State(name, state.index, self._state_value(name, state))

    def _state_value(self, name: str, state: _RawState) -> str:
        raw = state.value
        if state.usage != _CODE:
            return self._reference(state)
        if raw.objects:
            data = state.blob[1] if state.blob is not None else self.blobs.get(raw.objects[0], (0, b""))[1]
            return f'"{_text(data)}"' if raw.type.base == _STRING else _text(data) or "none"
        if state.blob is not None:
            return "an expression"
        names = VALUES.get(name, ())
        if len(raw.words) == 1 and raw.words[0] < len(names) and names[raw.words[0]] and raw.type.base != _FLOAT:
            return names[raw.words[0]]
        return ", ".join(number_texts(raw.words[:_SHOWN], raw.type)) + (" ..." if len(raw.words) > _SHOWN else "")

    def _plain(self, raws: Sequence[_Raw]) -> tuple[Parameter, ...]:
        return tuple([self._parameter(raw) for raw in raws])

    def _parameter(self, raw: _Raw) -> Parameter:
        text = ""
        if raw.objects and raw.type.base == _STRING:
            text = _text(self.blobs.get(raw.objects[0], (0, b""))[1])
        states = tuple([self._plain_state(state) for states in raw.samplers for state in states])
        return Parameter(
            name=raw.name,
            semantic=raw.semantic,
            type=raw.type,
            default=raw.words[:_MOST_NUMBERS],
            text=text,
            states=states,
            annotations=self._plain(raw.annotations),
        )


def _stage(kind: Type) -> str:
    if kind.kind != OBJECT:
        return ""
    return {VERTEX_BASE: VERTEX, PIXEL_BASE: PIXEL}.get(kind.base, "")


def bases(kind: Type, most: int) -> list[int]:
    """The base type of each word of a value, at most so many."""
    one = (
        [base for member in kind.members for base in bases(member.type, most)]
        if kind.kind == STRUCT
        else [kind.base] * min(_size(kind), most)
    )
    return (one * max(1, min(kind.elements or 1, most // max(1, len(one)) + 1)))[:most]


def number_texts(words: Sequence[int], kind: Type) -> list[str]:
    """The words of a value as numbers of their types."""
    return [number_text(word, base) for word, base in zip(words, bases(kind, len(words)), strict=False)]


def _text(data: bytes) -> str:
    return data[:LONGEST_NAME].split(b"\0", 1)[0].decode("latin-1")


def number_text(word: int, base: int) -> str:
    """A word as a number of its type."""
    if base == _FLOAT:
        return f"{struct.unpack('<f', struct.pack('<I', word))[0]:.7g}"
    if base == _BOOL:
        return "true" if word else "false"
    return str(word - (1 << 32) if base == _INT and word >> 31 else word)
