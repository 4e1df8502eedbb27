"""ShaderCore devices: `document`, that of the specification, `rtl`, the public hardware, others with the same parameters."""

from __future__ import annotations

from types import MappingProxyType

from lanewise.core.objects import answering
from lanewise.core.record import TYPE_CHECKING, Record, TypeVar, cast
from lanewise.core.service import UsageError
from lanewise.core.text import suggestions
from lanewise.shadercore.isa.paces import ASPECTS, EMPTY, PACE_PARAMETERS, PACES, Pace, added_rows, meant
from lanewise.shadercore.isa.parameters import INSTRUCTIONS, NOT_DEFINED, PARAMETERS, Parameter, Value, check_rows, value_text
from lanewise.shadercore.isa.table import OPS, PIPES, SPEC

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.shadercore.isa.table import Op

T = TypeVar("T")

BY_KEY: Mapping[str, Parameter] = MappingProxyType(
    {parameter.key: parameter for parameter in PARAMETERS} | {key: row for key, (row, _, _) in PACE_PARAMETERS.items()}
)


@answering("replace", "set", "differences", "parameter", "with_instructions", "with_pipes")
class Device(Record):
    """A value for each of `PARAMETERS`, in their order, the pace of each of `ops`, and instructions besides those of the table.
    Make another with `replace`, `set` or `with_instructions`."""

    name: str
    values: tuple[Value, ...]
    paces: tuple[Pace, ...] = PACES
    added: tuple[Op, ...] = ()

    _advice = ": `lanewise.shadercore.device('rtl')` is a device"

    def _meant(self, name: str) -> str:
        """Say what to write for a name that a device does not have."""
        if name in _CALLS:
            return _CALLS[name]
        if self.has(name):
            return (
                f"use `device.setting({name!r})`, and `device.set('{name}={value_text(self.setting(name))}')` for another value"
            )
        close = suggestions.near(name, [*BY_KEY])
        return f"did you mean `device.setting({close[0]!r})`?" if close else _CALLS["run"]

    def _setting(self, values: Mapping[str, object]) -> str:
        """The same device with other values, as code."""
        return f"device.set('{','.join([f'{key}={value}' for key, value in values.items()])}')"

    @property
    def ops(self) -> tuple[Op, ...]:
        """The instructions of the device: those of the table by their opcodes, then those with larger ones."""
        own = {op.opcode: op for op in self.added}
        return (*[own.get(op.opcode, op) for op in OPS], *[op for op in self.added if op.opcode >= len(OPS)])

    def with_instructions(self, added: Mapping[Op, Pace]) -> Device:
        """The same with more instructions, ascending by opcode, and how long each takes. Raises ValueError."""
        paces = [*self.paces]
        strange = next((op for op in added if not hasattr(op, "opcode")), None)
        if strange is not None:
            raise TypeError(f"{strange!r} is not an instruction: a device file adds them, in its table `[instructions.NAME]`")
        for op, pace in added.items():
            if op.opcode < len(OPS):
                paces[op.opcode] = pace
            else:
                paces.append(pace)
        return _possible(Device(self.name, self.values, tuple(paces), (*self.added, *added)))

    def with_pipes(self, pipes: Mapping[str, str]) -> Device:
        """The same with instructions, by name, in pipes of any name. Raises ValueError."""
        paces = [*self.paces]
        names = [op.name for op in self.ops]
        for name, pipe in pipes.items():
            if name not in names:
                close = suggestions.near(str(name), names)
                raise ValueError(f"unknown instruction {name!r}" + (f": did you mean {close[0]}?" if close else ""))
            if not isinstance(cast("object", pipe), str):
                raise TypeError(f"the pipe of {name} is {pipe!r}, expected its name, such as {PIPES[0]!r}")
        for place, op in enumerate(self.ops):
            if op.name in pipes:
                paces[place] = paces[place]._replace(pipe=pipes[op.name])
        return _possible(self._replace(paces=tuple(paces)))

    def parameter(self, key: str) -> Parameter:
        """The parameter of a key, those of its own instructions among them. Raises ValueError."""
        own = self._own(key)
        if own is not None:
            return own[0]
        if self.added and key in PACE_PARAMETERS:
            opcode = PACE_PARAMETERS[key][1]
            if self.ops[opcode] is not OPS[opcode]:
                raise ValueError(f"unknown device parameter '{key}': opcode {opcode} is {self.ops[opcode].name} on {self.name}")
        return _found(key, self._own_keys())

    def _own(self, key: str) -> tuple[Parameter, int, str] | None:
        """The parameter of a key of an instruction that the device adds, the place of its pace, and one of `ASPECTS`."""
        name, _, aspect = key.rpartition("_")
        for place, op in enumerate(self.ops if self.added else ()):
            if op.name == name and op in self.added:
                return next(((row, place, aspect) for row in added_rows(op, self.paces[place]) if row.key == key), None)
        return None

    def _own_keys(self) -> list[str]:
        return [row.key for op in self.added for row in added_rows(op, self.pace(op))]

    def value(self, key: str) -> str:
        """The answer of a parameter that has answers. Raises KeyError; TypeError for a number of cycles."""
        value = self._value(key)
        if not isinstance(value, str):
            raise TypeError(f"{key} is a number of cycles, not an answer: use `device.cycles({key!r})`")
        return value

    def cycles(self, key: str) -> int:
        """The value of a parameter that is a number. Raises KeyError; TypeError for an answer, ValueError where it is not
        defined."""
        value = self.defined_cycles(key)
        if value is None:
            raise ValueError(f"{self.name} does not define {key}")
        return value

    def defined_cycles(self, key: str) -> int | None:
        """`cycles`, None where it is not defined."""
        value = self._value(key)
        if isinstance(value, str):
            raise TypeError(f"{key} is an answer, not a number of cycles: use `device.value({key!r})`")
        return value

    def has(self, key: str) -> bool:
        """Whether there is a parameter of this key."""
        return key in BY_KEY or self._own(key) is not None

    def setting(self, key: str) -> Value:
        """The value of any parameter. Raises KeyError."""
        return self._value(key)

    def _value(self, key: str) -> Value:
        place = _PLACE.get(key)
        if place is not None:
            return self.values[place]
        if not isinstance(cast("object", key), str) or not self.has(key):
            try:
                self.parameter(str(key))
            except ValueError as error:
                raise KeyError(str(error)) from None
        _, opcode, aspect = self._own(key) or PACE_PARAMETERS[key]
        return self.paces[opcode][ASPECTS.index(aspect)]

    def choose(self, key: str, choices: Mapping[str, T]) -> T:
        """Choose by the answer of this device. Raises KeyError, ValueError unless `choices` has all answers of the parameter
        and no other."""
        if choices.keys() != BY_KEY[key].answers.keys():
            raise ValueError(f"{key} is {BY_KEY[key].values}, not {' or '.join(choices)}")
        return choices[self.value(key)]

    def replace(self, changes: Mapping[str, str | int]) -> Device:
        """The same but for these values, as `set` takes them. Raises ValueError for what does not exist or cannot be
        together."""
        values, paces = list(self.values), list(self.paces)
        for key, given in changes.items():
            text = given if isinstance(given, str) else str(given)
            parameter = self.parameter(key)
            value = text if key.endswith("_pipe") and text in self.pipes and text != EMPTY else parameter.parse(text)
            if key in _PLACE:
                values[_PLACE[key]] = value
            else:
                _, opcode, aspect = self._own(key) or PACE_PARAMETERS[key]
                paces[opcode] = paces[opcode]._replace(**{aspect: value})
        return _possible(Device(self.name, tuple(values), tuple(paces), self.added))

    def set(self, text: str) -> Device:
        """`replace` for a text such as `one_register=fixed,issue_interval=4`. Raises ValueError."""
        if several_settings(text):
            raise ValueError(f"'{text}' is several settings: write commas between them, {several_settings(text)}")
        changes: dict[str, str | int] = {}
        for part in text.split(","):
            key, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals or not key:
                field, _, given = part.strip().replace(":", " ").partition(" ")
                if self.has(field) and given.strip():
                    raise ValueError(f"'{part.strip()}' is not a setting: write {field}={given.strip()}")
                if key in DEVICES:
                    raise ValueError(f"'{key}' is a device: name one, {key} or {self.name}; settings follow it")
                example = f"{key}={value_text(self.setting(key))}" if self.has(key) else "issue_interval=4"
                raise ValueError(f"'{part.strip()}' is not a setting: write FIELD=VALUE, such as {example}")
            if key in changes:
                raise ValueError(f"{key} is set twice")
            changes[key] = value
        return self.replace(changes)

    def differences(self, other: Device) -> dict[str, str]:
        """The values that are not the other's, as texts by their keys."""
        if isinstance(cast("object", other), str):
            raise TypeError(f"other is {other!r}, expected a Device: `lanewise.shadercore.device({other!r})`")
        pairs = zip(_PLACE, self.values, other.values, strict=True)
        found = {key: value_text(mine) for key, mine, theirs in pairs if mine != theirs}
        if self.paces != other.paces:
            others = [op for op in self.added if op.opcode < len(OPS) and OPS[op.opcode].name != op.name]
            taken = {f"{OPS[op.opcode].name}_{aspect}" for op in others for aspect in ASPECTS}
            for key in PACE_PARAMETERS.keys() - taken if taken else PACE_PARAMETERS:
                mine = self._value(key)
                if mine != other._value(key):
                    found[key] = value_text(mine)
        return found

    def describe(self) -> str:
        """`rtl`, or `rtl, issue_interval=4`: the device that it is nearest to, and what differs."""
        near = nearest(self)
        tabled = tabled_of(self)
        new = [op.name for op in self.added if op.name not in tabled]
        own = (*([f"with {', '.join(new)}"] if new else []), *[f"with a table for {name}" for name in tabled])
        return ", ".join((near.name, *(f"{key}={value}" for key, value in self.differences(near).items()), *own))

    def pace(self, op: Op) -> Pace:
        """The pipe, latency and interval of an instruction."""
        if isinstance(op, str):
            names = {each.name: each for each in self.ops}
            close = op if op in names else next(iter(suggestions.near(op, names)), "mul")
            raise TypeError(f"op is {op!r}, expected an instruction: `{{op.name: op for op in device.ops}}[{close!r}]`")
        if op.opcode < len(OPS):
            return self.paces[op.opcode]
        larger = [row.opcode for row in self.added if row.opcode >= len(OPS)]
        if op.opcode not in larger:
            raise ValueError(f"the device {self.name} has no instruction {op.name}, opcode {op.opcode}")
        return self.paces[len(OPS) + larger.index(op.opcode)]

    def pipe(self, op: Op) -> str:
        """The unit that computes an instruction."""
        return self.pace(op).pipe

    @property
    def pipes(self) -> tuple[str, ...]:
        """The pipes that instructions use."""
        used = dict.fromkeys([pace.pipe for pace in self.paces])
        return (*[pipe for pipe in PIPES if pipe in used], *[pipe for pipe in used if pipe not in PIPES])

    def latency(self, op: Op) -> int:
        """Cycles from an instruction's start to its result. Without a unit it is `unimplemented_latency`."""
        own = self.pace(op).latency
        return self.cycles("unimplemented_latency") if own is None else own

    def interval(self, op: Op) -> int:
        """Cycles from the issue of an instruction to that of the next, at least."""
        pipe, _, own = self.pace(op)
        if own is not None:
            return own
        return self.cycles("special_interval" if pipe == SPEC and op.built else "issue_interval")


def several_settings(text: str) -> str:
    """The settings of a text with other signs than commas between them, with commas; empty for a text without."""
    parts = text.replace(";", " ").split()
    joined = len(parts) > 1 and all("=" in part.strip("=,") for part in parts) and "," not in text
    return ",".join(parts) if joined else ""


_CALLS = {  # what others have on a device
    **dict.fromkeys(
        ("run", "execute", "simulate", "call", "launch"), "give it to a program, `program.run(inputs, uniforms, device=device)`"
    ),
    **dict.fromkeys(
        ("compile", "build", "translate"), "give it to `lanewise.compile(source, target='shadercore', device=device)`"
    ),
    **dict.fromkeys(
        ("assemble", "asm", "load"), "`lanewise.assemble(source)` is a program, which runs on it, `run(device=device)`"
    ),
    **dict.fromkeys(("time", "timing", "estimate"), "give it to a program, `program.time(device=device)`"),
    **dict.fromkeys(("instructions", "opcodes", "isa"), "use `device.ops`"),
    **dict.fromkeys(("parameters", "settings", "keys", "items", "fields"), "`lanewise isa shadercore --evidence` lists them"),
}
_PLACE: Mapping[str, int] = MappingProxyType({parameter.key: place for place, parameter in enumerate(PARAMETERS)})
DOCUMENT = Device("document", tuple(parameter.document for parameter in PARAMETERS))
RTL = Device("rtl", tuple(parameter.rtl for parameter in PARAMETERS))
DEVICES: Mapping[str, Device] = MappingProxyType({device.name: device for device in (DOCUMENT, RTL)})


def nearest(device: Device) -> Device:
    """The shipped device that differs in the fewest values."""
    return min(DEVICES.values(), key=lambda each: len(device.differences(each)))


_ARE = {"rtl": "the public hardware", "document": "the device of the specification"}
# What the two devices are called elsewhere; `hardware` is a profile of the PICA200.
_MEANT = MappingProxyType(
    {
        **dict.fromkeys(("hardware", "hw", "fpga", "vhdl", "public", "core", "real", "gateware", "verilog"), "rtl"),
        **dict.fromkeys(("spec", "specification", "doc", "docs", "documentation", "documented", "ideal"), "document"),
    }
)


def find_device(name: str) -> Device:
    """A device by its name. Raises ValueError."""
    if name in DEVICES:
        return DEVICES[name]
    plain = name.strip().lower()
    stem = plain.removesuffix(".toml")
    meant = _MEANT.get(plain, plain)
    head, gap, rest = plain.replace(";", " ").partition(" ")
    if meant in DEVICES:
        hint = f"write {meant}, {_ARE[meant]}"
    elif gap and head in DEVICES:
        hint = f"write settings after a comma: {head},{rest.strip().replace(' ', ',')}"
    elif stem != plain and stem in DEVICES:
        hint = f"write {stem}, {_ARE[stem]}"
    elif plain.endswith(".toml"):
        hint = f"a file begins with one of {' or '.join(DEVICES)}, not with another file: copy its keys into this one"
    elif "/" in plain or "\\" in plain:
        hint = f"a device file is TOML: name it {name}.toml"
    elif plain.endswith((".tml", ".yaml", ".yml", ".json", ".ini")):
        hint = "a device file is TOML, with the suffix .toml"
    else:
        shown = f", such as {name}.toml" if plain.isidentifier() else ""
        hint = f"use {' or '.join(DEVICES)}, or a TOML file{shown}"
    raise ValueError(f"unknown device '{name}': {hint}")


def tabled_of(device: Device) -> tuple[str, ...]:
    """The instructions of the table that have other results: those of a table in a file."""
    return tuple([op.name for op in device.added if op.opcode < len(OPS) and OPS[op.opcode].name == op.name])


def refuse_tables(device: Device) -> None:
    """Raise UsageError for a device whose results are not those of its parameters, by which compilers and rules compute."""
    tabled = tabled_of(device)
    if tabled:
        names = " and ".join(tabled)
        raise UsageError(
            f"{device.name} has tables of results for {names}, of which shaders of other languages know no error: write the "
            'program for ShaderCore, or set exactness to "ieee" or "rtl"'
        )


def impossible(device: Device) -> str:
    """The reason why the values of a device contradict each other, with the fix; empty if they do not."""
    if device.cycles("special_interval") < device.cycles("issue_interval"):
        return (
            "special_interval is less than issue_interval: an instruction cannot follow RCP sooner than another one; "
            "raise special_interval or lower issue_interval"
        )
    for key, stale in (("rcp", "rcp_sigma"), ("rsq", "rsq_gate")):
        if device.value(key) == "exact" and device.value(stale) == "stale":
            return f"{key}=exact has no table with stale terms: set {stale}=fixed too, or {key}=table"
    for key, cut in (("add", "floor"), ("mul", "zero")):
        if device.value(key) == cut and device.value("subnormals") == "kept":
            return f"{key}={cut} cannot keep subnormal numbers: set {key}=nearest too, or subnormals=flushed"
    for key, rest in (("export_cycles", ("export_end",)), ("fetch_cycles", ("fetch_write", "fetch_color"))):
        for other in rest:
            if (device.defined_cycles(key) is None) != (device.defined_cycles(other) is None):
                return f"{key} and {other} are parts of one time: define both, or set both to {NOT_DEFINED}"
    if device.paces is not PACES and device.value("stray_special") == "lands":
        paces = zip(device.ops, device.paces, strict=True)
        name = next((op.name for op, pace in paces if pace.pipe == SPEC and op.sources > 1), "")
        if name:
            operation = next((op.operation for op in device.added if op.name == name), "")
            reads = [key for key, function in (("rcp_sigma", "rcp("), ("rsq_gate", "rsq(")) if function in operation]
            also = "".join([f"{key}=fixed and " for key in reads if device.value(key) == "stale"])
            return (
                f"{name}_pipe={SPEC} and stray_special=lands contradict each other: a result that lands elsewhere is that of "
                f"one source, and {name} has two; set {also}stray_special=lost, or use another pipe"
            )
    return _impossible_cache(device)


_CACHE_SIZES = ("cache_line", "cache_sets", "cache_ways", "cache_stream_sets")


def _impossible_cache(device: Device) -> str:
    """The same for the parameters of the vertex cache, which are all defined or none of them is."""
    defined = {key: device.defined_cycles(key) is not None for key in _CACHE_SIZES}
    defined |= {key: device.value(key) != NOT_DEFINED for key in ("cache_drops", "cache_kept", "cache_base", "cache_reach")}
    if len(set(defined.values())) > 1:
        lacking = next(key for key, there in defined.items() if not there)
        there = next(key for key, there in defined.items() if there)
        return f"{there} and {lacking} are parts of one cache: define both, or set both to {NOT_DEFINED}"
    return ""


def _possible(device: Device) -> Device:
    """The device. Raises ValueError if it contradicts itself."""
    conflict = impossible(device)
    if conflict:
        raise ValueError(conflict)
    return device


_WAVES = (
    "waves have 16 lanes in four quads, which no parameter changes; a smaller core has fewer slots or registers, and "
    "--vertices 32 are two waves"
)
_REGISTERS = "use r_registers, x_registers or c_registers"
# What no parameter is, and why.
_NO_PARAMETER = {
    **dict.fromkeys(
        ("lanes", "quads", "wave", "waves", "wave_size", "warp", "warp_size", "width", "simd", "simd_width"), _WAVES
    ),
    **dict.fromkeys(("registers", "regs", "temporaries", "gprs"), _REGISTERS),
    **dict.fromkeys(("clock", "frequency", "mhz"), "times are in cycles: no parameter is a frequency"),
    **dict.fromkeys(
        ("latency", "interval", "cycles"), "name the instruction: mul_latency, mul_interval; issue_interval is for all"
    ),
    "pipe": "name the instruction: mul_pipe",
}


def _found(key: str, own: Sequence[str]) -> Parameter:
    """The parameter of a key; `own` are others that the device has. Raises ValueError."""
    if key in BY_KEY:
        return BY_KEY[key]
    keys = (*own, *BY_KEY)
    if key.lower() in _NO_PARAMETER:
        raise ValueError(f"unknown device parameter '{key}': {_NO_PARAMETER[key.lower()]}")
    near = meant(key, keys) or next(iter(suggestions.near(key, keys)), "")
    hint = f"did you mean {near}?" if near else "lanewise isa shadercore --evidence lists them"
    raise ValueError(f"unknown device parameter '{key}': {hint}")


def check_parameters(parameters: tuple[Parameter, ...] = PARAMETERS) -> None:
    """Raise ValueError unless every row is sound (`check_rows`), and the shipped devices can be."""
    check_rows(parameters)
    check_rows(tuple([row for row, _, _ in PACE_PARAMETERS.values()]), (INSTRUCTIONS,))
    for device in DEVICES.values():
        if impossible(device):
            raise ValueError(f"{device.name} cannot be: {impossible(device)}")
