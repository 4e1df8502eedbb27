"""Bind values to ShaderCore registers.

Inputs and constants by name, initial register values, names of outputs."""

from __future__ import annotations

from math import floor, isfinite
from typing import TYPE_CHECKING

from lanewise.arrays.lists import Lists, asarray, broadcast, float32_numbers, float32_patterns
from lanewise.arrays.words import FILL, MASKED, Words, by_name, is_masked, masked_at
from lanewise.core.diagnostics import ERROR, INITIAL, INPUT, UNIFORM, About, Diagnostic
from lanewise.core.numbers.floats import float32_bits
from lanewise.core.source import Span
from lanewise.core.text.counting import counted
from lanewise.shadercore.api.interface import Limits, truth_unlike
from lanewise.shadercore.isa.program import usage_byte, usage_name, used_inputs, used_outputs
from lanewise.shadercore.isa.table import COMPONENTS, FILES, LANES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from lanewise.shadercore.api.interface import Beside
    from lanewise.shadercore.isa.codec import Inst
    from lanewise.shadercore.isa.program import Program

Patterns = dict[tuple[int, int], "NDArray[np.uint32]"]
_NOWHERE = Span(file="")
_WORD_FILES = "rvxo"


class Binder:
    """Names and values of one program's data; `findings` collects what is wrong (B001, B002, B003, B006, B007, B008, B203)."""

    read: set[int]
    written: set[int]

    def __init__(
        self,
        program: Program,
        insts: Sequence[Inst],
        names: Mapping[str, int] | None = None,
        constants: Mapping[int, str] | None = None,
        outputs: Mapping[str, int] | None = None,
    ) -> None:
        """`names`: inputs by usage, in addition to those of the header, and `outputs`; `constants`: what the program calls c#,
        `World[2]` for a row of an array."""
        self.program = program
        self._names = names or {}
        self._lower = {name.lower(): number for name, number in self._names.items()}
        self._outputs = outputs or {}
        self._read = frozenset(constants or ())  # by a name, rows of an array that the program does not read go nowhere
        self._constants: dict[str, int] = {}  # the first register of each name
        for number, text in (constants or {}).items():
            base, _, row = text.rstrip("]").partition("[")
            self._constants |= {text: number, base: number - int(row or 0)}
        self.read = used_inputs(insts)
        self.written = used_outputs(insts)
        self.findings: list[Diagnostic] = []
        self.without: str = ""  # the first part of the fix for an unknown name: the interface file that may be missing
        self._about: tuple[About, ...] = ()  # the values that are bound
        self._given: dict[int, str] = {}  # what inputs were called

    @classmethod
    def of(cls, program: Program, insts: Sequence[Inst], beside: Beside | None) -> Binder:
        """The binder of a program with its interface file, if there is one."""
        return cls(program, insts) if beside is None else cls(program, insts, beside.inputs, beside.names, beside.outputs)

    @property
    def inputs(self) -> dict[str, str]:
        """The registers of the inputs that are read or named, by usage if it is known, else by register."""
        numbers = {n for n, byte in enumerate(self.program.inputs) if byte} | self.read | self._declared("v")
        return _names(numbers, self.program.inputs, "v", self._names, self._declared("v"), named=self._said())

    @property
    def outputs(self) -> dict[str, str]:
        """The same of the outputs: those that are written or named."""
        numbers = {n for n, byte in enumerate(self.program.outputs) if byte} | self.written | self._declared("o")
        return _names(numbers, self.program.outputs, "o", self._outputs, self._declared("o"), named=self._said())

    def _declared(self, file: str) -> set[int]:
        return {declared.number for declared in self.program.declared if declared.file == file}

    def _said(self) -> bool:
        """Whether usages of inputs and outputs are known: raw words have none."""
        return bool(self.program.declared) or any((*self.program.inputs, *self.program.outputs))

    def register(self, name: str) -> int | None:
        """The number of an input by register, or by what it is; None with a finding."""
        number = _number(name, "v")
        if number is not None:
            return number
        if name in self._names:
            return self._names[name]
        if name.lower() in self._lower:
            return self._lower[name.lower()]
        shown = {text.lower(): register for text, register in self.inputs.items()}
        if name.lower() in shown:
            return int(shown[name.lower()][1:])
        usage = usage_byte(name)
        known = {int(register[1:]) for register in self.inputs.values()}
        named = set(self._names.values())
        numbers = [
            n for n in sorted(known) if usage is not None and self.program.inputs[n] == usage and (usage or n not in named)
        ]
        if len(numbers) == 1:
            return numbers[0]
        listed = ", ".join(f"{text} ({register})" for text, register in self.inputs.items())
        if numbers and self._said():
            self._wrong(
                "B001",
                f"input name '{name}' is ambiguous: {len(numbers)} registers have it",
                f"write a register for {name}: {self._registers(numbers)}",
            )
        else:
            fix = f"use one of its inputs ({listed or 'none'}), or any of v0-v7"
            if not self._said() and known:
                fix = f"write a register for {name}, {self._registers(sorted(known))}: this file has no names of inputs"
            self._wrong("B001", f"unknown input '{name}'", f"{self.without}{self._meant(name) or fix}")
        return None

    @staticmethod
    def _registers(numbers: Sequence[int]) -> str:
        """`v0=... or v1=...`."""
        return " or ".join([f"v{number}=..." for number in numbers])

    def _meant(self, name: str) -> str:
        """The fix for a name of an input by another word, of a component or of another register; empty for others."""
        from lanewise.shadercore.text.habits import usage

        whole, dot, letters = name.rpartition(".")
        if dot and letters and set(letters.lower()) <= set("xyzw") and self._knows(whole):
            return f"give {whole} whole: rows of 1 to 4 numbers, x first"
        if name[:1].lower() in "rxo" and name[1:2].isdigit():
            return f"inputs are v0 to v7; `--initial {name.lower()}=...` (initial=) gives a register its value before the wave"
        meant = usage(name)
        return f"use {meant}, the usage of {self.inputs.get(meant, '')}" if meant in self.inputs else ""

    def _knows(self, name: str) -> bool:
        return _number(name, "v") is not None or name.lower() in self._lower or name.lower() in map(str.lower, self.inputs)

    def bind_inputs(self, given: Mapping[str, ArrayLike | Words]) -> dict[int, NDArray[np.uint32]]:
        """(rows, 1 to 4) patterns by input register: one row for all vertices, or one for each."""
        found: dict[int, NDArray[np.uint32]] = {}
        for name, value in given.items():
            self._about = (About(INPUT, name),)
            register = self.register(name)
            rows = self._rows(f"input '{name}'", value)
            if register in found:
                self._wrong("B006", f"v{register} already has data: '{name}' is another name of it", "give it once")
            elif register is not None and rows is not None:
                found[register] = rows
                self._given[register] = name
        return found

    def bind_constants(self, given: Mapping[str, ArrayLike | Words]) -> dict[tuple[int, int], int]:
        """Patterns by (number, component): those of the source, and over them those given as `c4`, from there on row by row."""
        found = {(number, n): value for number, values in self.program.constants for n, value in enumerate(values)}
        owners: dict[int, str] = {}
        for name, value in given.items():
            self._about = (About(UNIFORM, name),)
            register = _number(name, "c")
            first = self._constants.get(name) if register is None else register
            if first is None:
                whole = name.partition(".")[0]
                if whole != name and (_number(whole, "c") is not None or whole in self._constants):
                    self._wrong("B001", f"unknown constant '{name}'", f"give all components of {whole}: `{whole}=1,0,0,0`")
                    continue
                known = ", ".join(dict.fromkeys([text.partition("[")[0] for text in self._constants]))
                self._wrong(
                    "B001",
                    f"unknown constant '{name}'",
                    self.without + (f"use {known}, or c0 to c255" if known else "use c0 to c255"),
                )
                continue
            rows = self._rows(f"constant '{name}'", value)
            if rows is None:
                continue
            if first + len(rows) > FILES["c"].size:
                self._wrong(
                    "B002",
                    f"constant '{name}' has {len(rows)} rows, which extend past c255",
                    "remove rows, or start at a lower register",
                )
                continue
            for number, row in enumerate(rows, first):
                if number in owners:
                    self._wrong("B006", f"constants '{owners[number]}' and '{name}' both give c{number}", "give it once")
                owners[number] = name
                if register is None and number not in self._read:
                    continue
                found |= {(number, n): int(pattern) for n, pattern in enumerate(row)}
        return found

    def bind_number(
        self, name: str, value: ArrayLike | Words, limits: Limits | bool | None = None, *, flag: bool | None = None
    ) -> int:
        """The pattern of the number that replaces an i# (its count) or b# (1.0 or 0.0) in a compiled shader. `limits`: what it
        may be; `flag`: whether it is a boolean (default: by its name)."""
        self._about = (About(UNIFORM, name),)
        patterns = self._patterns(f"'{name}'", value)
        if patterns is None:
            return 0
        given: list[float] = float32_numbers(patterns.reshape(-1)).tolist()
        if name[0] == "b" if flag is None else flag:
            if not given:
                self._wrong("B002", f"boolean {name} has no value", "give 0 or 1")
                return 0
            if isinstance(limits, bool) and bool(given[0]) != limits:
                self._other(truth_unlike(name, not limits))
            return float32_bits(bool(given[0]))
        if not 1 <= len(given) <= 4 or not all(isfinite(part) and part == floor(part) for part in given):
            self._wrong("B003", f"integer {name} is not an array of integers", "give one to four: count, start, step")
            return 0
        parts = [int(part) for part in given]
        if parts[0] < 0:
            self._wrong("B007", f"count of {name} is {parts[0]}, expected 0 or more", "give a count of 0 or more")
        if isinstance(limits, Limits):
            self._other(*limits.unlike(name, parts))
        return float32_bits(given[0])

    def bind_initial(self, given: Mapping[str, ArrayLike | Words]) -> dict[tuple[str, int, int], tuple[int, ...]]:
        """The values of registers before the first wave: `r0.x` of 16 lanes or one number for all, `r0` of (16, 4) or one
        vector."""
        found: dict[tuple[str, int, int], tuple[int, ...]] = {}
        for name, value in given.items():
            self._about = (About(INITIAL, name),)
            whole, dot, letter = name.partition(".")
            number = _number(whole, whole[:1].lower()) if whole[:1].lower() in _WORD_FILES and whole else None
            if number is None or (dot and letter not in tuple(COMPONENTS)):
                self._wrong(
                    "B001", f"unknown register '{name}'", "use r0.x or r0; the files are r, v, x and o, with 8 registers each"
                )
                continue
            patterns = self._patterns(f"register '{name}'", value)
            if patterns is None:
                continue
            shape = (LANES,) if dot else (LANES, 4)
            try:
                whole_array = broadcast(patterns, shape)
            except ValueError:
                text = f"({LANES},) or one number" if dot else f"({LANES}, 4) or one vector of 4"
                self._wrong("B002", f"register '{name}' has the shape {patterns.shape}", f"give {text}")
                continue
            for n in range(1 if dot else 4):
                component = COMPONENTS.index(letter) if dot else n
                lanes = whole_array if dot else whole_array[:, n]
                found[whole[0].lower(), number, component] = tuple(lanes.tolist())
        return found

    def count(self, rows: Mapping[int, NDArray[np.uint32]], streamed: int | None, asked: int | None) -> int:
        """How many vertices there are; 0 with a finding."""
        sizes = {self._given[register]: len(values) for register, values in rows.items() if len(values) != 1}
        self._about = tuple([About(INPUT, name) for name in sizes])
        if streamed is not None:
            sizes["the streams"] = streamed
        if asked is None and len(set(sizes.values())) > 1:
            from lanewise.arrays.unfit import rows_fix

            listed = ", ".join(f"{name} {size}" for name, size in sizes.items())
            self._wrong(
                "B008",
                f"inputs have different numbers of vertices: {listed}",
                rows_fix(sizes),
            )
            return 0
        count = asked if asked is not None else next(iter(sizes.values()), 1)
        least = min(sizes.values(), default=count)
        if count < 1 or least < count:
            there = f"there {'are' if least != 1 else 'is'} {least}" if sizes else "at least one is needed"
            self._wrong(
                "B008",
                f"{counted(count, 'vertex', 'vertices')} requested: {there}",
                "give rows for every vertex, or request fewer",
            )
            return 0
        return count

    def _rows(self, what: str, value: ArrayLike | Words) -> NDArray[np.uint32] | None:
        patterns = self._patterns(what, value)
        if patterns is None:
            return None
        if patterns.ndim == 0:
            patterns = patterns.reshape(1)
        if patterns.ndim > 2 or not 1 <= patterns.shape[-1] <= 4 or not len(patterns):
            from lanewise.arrays.unfit import constant_fix, shape_fix

            expected = "expected (rows, 1 to 4), or one vector of 1 to 4 numbers"
            fix = shape_fix(patterns.shape, value=value)
            if what.startswith("constant") and patterns.ndim == 1 and len(patterns):
                fix = constant_fix(float32_numbers(patterns).tolist())
            self._wrong("B002", f"{what} has the shape {patterns.shape}, {expected}", fix)
            return None
        return patterns.reshape(-1, patterns.shape[-1])

    def _patterns(self, what: str, value: ArrayLike | Words) -> NDArray[np.uint32] | None:
        """float32 patterns: numbers rounded to nearest, `Words` unchanged; None with a finding."""
        raw = isinstance(value, Words)
        if is_masked(value):
            self._wrong("B003", f"{what} {MASKED}{masked_at(value)}", FILL)
            return None
        try:
            table = by_name(value)
        except ValueError as error:
            from lanewise.arrays.unfit import columns_fix, columns_of

            self._wrong("B002", f"{what} {error}", columns_fix(columns_of(value), what))
            return None
        try:
            array, wrong = value.array if isinstance(value, Words) else asarray(table), None
        except (ValueError, TypeError, OverflowError, RuntimeError) as error:
            array, wrong = None, error
        if raw and array is not None and array.dtype.kind not in "iu":
            self._wrong("B003", f"{what} is not an array of whole numbers", "give integers")
            return None
        if array is None or array.dtype.kind not in "biuf":
            from lanewise.arrays.unfit import not_numbers

            unfit = not_numbers(value, array, wrong)
            self._wrong("B003", f"{what} {unfit.what}", unfit.fix)
            return None
        if raw:
            if array.size and not (int(array.min()) >= 0 and int(array.max()) < 1 << 32):
                self._wrong("B007", f"{what} has a word of more than 32 bits", "give patterns from 0 to 0xFFFFFFFF")
                return None
            return array if isinstance(array, Lists) else array.astype("uint32")
        return float32_patterns(array)

    def _wrong(self, code: str, message: str, fix: str) -> None:
        self._other(Diagnostic(code=code, severity=ERROR, message=message, span=_NOWHERE, notes=(), fix=fix))

    def _other(self, *findings: Diagnostic) -> None:
        """Add findings about the value that is bound."""
        self.findings += [finding._replace(about=self._about) for finding in findings]


def _number(name: str, file: str) -> int | None:
    """7 for `v7` of the file v; None for any other name."""
    digits = name.strip()[1:]
    if name.strip()[:1].lower() != file or not digits.isascii() or not digits.isdigit() or len(digits) > 3:
        return None
    return int(digits) if int(digits) < FILES[file].size else None


def _names(
    numbers: set[int], usages: Sequence[int], file: str, given: Mapping[str, int], declared: set[int], *, named: bool
) -> dict[str, str]:
    """Registers by usage, those of one usage, or of none, by register. `given`: names of registers, for those whose usage the
    header cannot say or says alike; one that is not among the `declared` takes no usage from one that is."""
    found: dict[str, str] = {}
    own = {number: name for name, number in given.items() if usages[number] == (usage_byte(name) or 0)}
    rest = numbers - own.keys()
    for number in sorted(numbers):
        name = own.get(number) or (usage_name(usages[number]) if named else f"{file}{number}")
        rivals = {n for n in rest if usages[n] == usages[number] and n != number}
        taken = name in found or (number in rest and bool(rivals & declared if declared else rivals))
        found[f"{file}{number}" if taken else name] = f"{file}{number}"
    return found
