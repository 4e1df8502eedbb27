"""Devices as TOML files: read one, and write a whole one to start from.

base = "rtl"
name = "mycore"
pipes = ["CMP", "ADD", "MUL", "SPEC", "CNV", "SHFT", "BIT", "FMA"]

[set]
issue_interval = 4

[instructions.mul]
latency = 3

[instructions.fma]
opcode = 32
pipe = "FMA"
latency = 6
meaning = "a * b + c"
"""

from __future__ import annotations

from pathlib import PurePath

from lanewise.core.numbers.floats import float32_bits
from lanewise.core.record import TYPE_CHECKING, cast
from lanewise.core.service import InputFailure
from lanewise.core.settings import read_table
from lanewise.core.text import suggestions
from lanewise.shadercore.isa.devices import BY_KEY, RTL, find_device, nearest, tabled_of
from lanewise.shadercore.isa.paces import ASPECTS, EMPTY, LONGEST, Pace
from lanewise.shadercore.isa.parameters import GROUPS, MEANING, PARAMETERS, value_text
from lanewise.shadercore.isa.table import BY_NAME, MOST_OPCODE, OPS, PIPES, QUADS, SPEC, Op
from lanewise.shadercore.sem.expressions import NO_DIVISION, SOURCES, ExpressionError, expression
from lanewise.shadercore.sem.functions import MOST_INDEX_BITS, described, is_function, operation_of, table_of, table_operation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeGuard

    from lanewise.shadercore.isa.devices import Device

_KEYS = ("base", "name", "pipes", "set", "instructions")
_NEW_KEYS = ("opcode", "meaning", *ASPECTS, "summary")
EXACTNESS = "exactness"
_EXACT = ("ieee", "rtl")  # the results of `document`, which rounds as IEEE 754 does, and those of the public hardware
_SHORT = 8  # results that a message lists
_SHARED = 2  # instructions at most that one such parameter is for: units with two directions
_WAVES = "both engines, RCP and RSQ of the public hardware, its write port and the test bench have 16 lanes in four quads"
_FIXED = {
    "lanes": _WAVES,
    "quads": _WAVES,
    "slots": "write slots in [set], 512 or fewer, as the instruction pointer has 9 bits",
    "registers": "write r_registers, x_registers and c_registers in [set], no more than the word can name; inputs "
    "and outputs are the eight that streams fill and a core exports",
    "word": "bits 43 to 57 are the third source, bits 58 to 63 the upper bits of an opcode",
}
_FREE = "14, or 32 to 2047"
_LINES = {  # what a new instruction needs, as a line
    "pipe": ': add `pipe = "ADD"`, or another of the pipes',
    "latency": ": add `latency = 4`, cycles until the result is there",
    "meaning": ': add `meaning = "a * b + c"`, an expression of its sources, each operation of which rounds',
}
_WORDS = {
    "latency": ("cycles", "delay", "time", "clocks", "depth"),
    "interval": ("throughput", "ii", "issue", "rate", "pace", "initiation_interval"),
    "meaning": ("expression", "semantics", "operation", "result", "formula", "does"),
    "pipe": ("unit", "port", "fu"),
    "opcode": ("code", "number", "encoding", "op"),
    "summary": ("description", "doc", "help", "comment"),
}
# What no expression computes.
FUNCTION = (
    "a function of Python, which no file can name: an installed package brings it with the device, by an entry point of the "
    "group lanewise.devices (docs/shadercore-language.md), for `--engine reference`"
)
_OF_CODE = ("function", "functions", "python", "code", "callable", "module", "entry_point")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")
_IN_NAMES = _LETTERS | frozenset("0123456789_")
_LONGEST_NAME, _LONGEST_SUMMARY = 24, 120
_EXPONENTS = 512  # results of a table that sees sign and exponent
_GROUP_TITLES = {"time": "Cycles", "registers": "Registers", "meaning": "Results"}


def read_device(data: bytes, path: str, functions: Mapping[str, object] | None = None) -> Device:
    """The device of a TOML file. `functions` are the meanings of instructions that the file gives none, where an installed
    distribution brings it. Raises InputFailure."""
    table = read_table(data, path, "TOML", "a device: base, name, pipes and tables set and instructions")
    try:
        return _device(table, PurePath(path).stem, _operands(functions or {}), path)
    except ValueError as error:
        raise InputFailure(f"{path}: {error}") from None


def _tabled(op: Op, results: Sequence[object]) -> Op:
    """An instruction of the table with a table of results. Raises ValueError."""
    where = f"instructions.{op.name}.{EXACTNESS}"
    if op.sources != 1 or not op.dests:
        raise ValueError(f"{where}: a table is of one source, and {op.name} has {op.sources}: use {' or '.join(_EXACT)}")
    count = len(results)
    if count < 2 or count & count - 1 or count > 1 << MOST_INDEX_BITS:
        sizes = "512 see sign and exponent, 65536 also 7 bits of the mantissa"
        given = (
            f"give {_power_below(count)} or {2 * _power_below(count)}" if count > _EXPONENTS else f"give {_EXPONENTS} or more"
        )
        raise ValueError(
            f"{where}: a table has 2 to 65536 results, a power of two: one for each value of the upper bits of the source; "
            f"found {count}: {given} ({sizes})"
        )
    patterns = [result for result in results if isinstance(result, int) and not isinstance(result, bool) and not result >> 32]
    if len(patterns) < count:
        at = next(n for n, result in enumerate(results) if result not in patterns or isinstance(result, (bool, float)))
        raise ValueError(f"{where}: result {at} is not a pattern of 32 bits{_as_patterns(results)}")
    bits = count.bit_length() - 1
    return op._replace(
        operation=table_operation(patterns), immediate=0, summary=f"one of {count} results, by the upper {bits} bits of a"
    )


def _as_patterns(results: Sequence[object]) -> str:
    """The fix for a table with values: the patterns of float32 that they have."""
    numbers = [each for each in results if isinstance(each, (int, float)) and not isinstance(each, bool)]
    if len(numbers) < len(results):
        return ", such as 0x3F800000"
    texts = [f"0x{float32_bits(each):08X}" for each in numbers[:_SHORT]]
    more = ", ..." if len(numbers) > _SHORT else ""
    return f": if they are values, write `{EXACTNESS} = [{', '.join(texts)}{more}]`"


def _power_below(count: int) -> int:
    return min(1 << count.bit_length() - 1, 1 << MOST_INDEX_BITS - 1)


_EXACT_WORDS = {
    **dict.fromkeys(("exact", "true", "precise", "full", "ieee754", "ieee-754", "correct", "document", "1.0", "1"), "ieee"),
    **dict.fromkeys(("approx", "approximate", "false", "table", "hardware", "fast", "public", "0"), "rtl"),
}


def _exactness(op: Op, value: object, settings: dict[str, str]) -> None:
    """Set the parameters that results of an instruction follow. Raises ValueError."""
    where = f"instructions.{op.name}.{EXACTNESS}"
    if value not in _EXACT:
        shown = f"{value!r:.40}"
        meant = _EXACT_WORDS.get(str(value).lower(), "")
        of_file = isinstance(value, str) and "." in value
        table = "write the numbers of the file themselves, [0x3F800000, ...]" if of_file else "or a table of results"
        known = f'write "{meant}"' if meant else f"it is {' or '.join(_EXACT)}"
        raise ValueError(f"{where} cannot be {shown}: {known}, {table}")
    rows = [row for row in PARAMETERS if row.group == MEANING and op.name in row.ops and len(row.ops) <= _SHARED]
    if not rows:
        raise ValueError(f"{where}: {op.name} gives the same on every device: leave it out")
    for row in rows:
        setting = value_text(row.document if value == _EXACT[0] else row.rtl)
        if settings.setdefault(row.key, setting) != setting:
            others = " and ".join([name for name in row.ops if name != op.name])
            shared = f"; {op.name} shares {row.key} with {others}" if others else ""
            raise ValueError(f"{where} is {value}, which sets {row.key}={setting}, but it is {settings[row.key]} too{shared}")


def _operands(functions: Mapping[str, object]) -> dict[str, int]:
    """How many sources each function has. Raises ValueError for what is not a function of one to three patterns."""
    import inspect

    if not isinstance(functions, dict):
        raise ValueError("the functions of a device are a dict by the names of instructions")
    found: dict[str, int] = {}
    for name, function in functions.items():
        if not callable(function):
            raise ValueError(f"the meaning of {name!r:.40} is not a function")
        count = len(inspect.signature(function).parameters)
        if not 1 <= count <= len(SOURCES):
            raise ValueError(f"the meaning of {name} has {count} parameters, expected 1 to {len(SOURCES)}: a pattern each")
        found[name] = count
    return found


def _device(table: Mapping[str, object], stem: str, functions: Mapping[str, int], installed: str) -> Device:
    """Raises ValueError."""
    extra = sorted(table.keys() - set(_KEYS))
    if "entity" in extra or {"clock", "start", "done"} <= set(extra):
        raise ValueError(
            "this is an entity, which has the ports of a core: give it with --entity to `lanewise rtl`; a device has pipes and "
            "latencies, and `lanewise isa shadercore --device-template` writes one"
        )
    for key in extra:
        if key in _FIXED:
            raise ValueError(f"{key} is not a key of a file: {_FIXED[key]}")
    if extra:
        raise ValueError(_unknown(extra, table))
    base, name, changes = table.get("base", RTL.name), table.get("name", stem), table.get("set", {})
    if not isinstance(base, str) or not isinstance(name, str):
        raise ValueError('base and name are texts: write `base = "rtl"`')
    if not isinstance(changes, dict):
        raise ValueError("set is a table: write [set], and `mul_latency = 3` in the next line")
    device = find_device(base)
    own = _rows(table.get("instructions", {}), functions)
    for op_name in sorted(functions.keys() - own.keys()):
        raise ValueError(f"there is a function for {op_name}, but no [instructions.{op_name}]")
    pipes = _pipes(table.get("pipes"))
    settings = {key: _setting(key, value) for key, value in cast("dict[str, object]", changes).items()}
    for op_name, row in own.items():
        for aspect in row:
            if f"{op_name}_{aspect}" in settings:
                raise ValueError(
                    f"{op_name}_{aspect} is given twice: as set.{op_name}_{aspect} and as instructions.{op_name}.{aspect}: "
                    "remove one of them"
                )
    new = [op_name for op_name in own if op_name not in BY_NAME]
    in_pipes: dict[str, str] = {}
    tabled: dict[Op, Pace] = {}
    for op_name in [each for each in own if each not in new]:
        for key, value in own[op_name].items():
            if key == EXACTNESS and isinstance(value, list):
                tabled[_tabled(BY_NAME[op_name], cast("list[object]", value))] = device.pace(BY_NAME[op_name])
            elif key == EXACTNESS:
                _exactness(BY_NAME[op_name], value, settings)
            elif key == "pipe" and value not in pipes:
                listed = " or ".join(pipes)
                raise ValueError(
                    f"instructions.{op_name}: pipe cannot be {value!r:.40}: it is {listed}{_with_pipe(value, pipes)}"
                )
            elif key == "pipe" and isinstance(value, str):
                if not BY_NAME[op_name].dests:
                    raise ValueError(f"instructions.{op_name}: {op_name} computes nothing and has no pipe: leave pipe out")
                in_pipes[BY_NAME[op_name].name] = value
            else:
                settings[f"{BY_NAME[op_name].name}_{key}"] = _setting(f"instructions.{op_name}.{key}", value)
    meant = {each: (operation_of(installed, each), count) for each, count in functions.items()}
    added = {_op(op_name, own[op_name], pipes, meant.get(op_name)): _pace(op_name, own[op_name]) for op_name in new}
    _refuse_shared(added, {BY_NAME[known].opcode: known for known in own.keys() - set(new)})
    added |= tabled
    # first what results depend on: whether an instruction may be in its pipe does, too
    device = device.replace({key: text for key, text in settings.items() if key in BY_KEY and BY_KEY[key].group == MEANING})
    if added:
        device = device.with_instructions(dict(sorted(added.items(), key=lambda item: item[0].opcode)))
    if in_pipes:
        device = device.with_pipes(in_pipes)
    device = device.replace(settings)._replace(name=name)
    if "pipes" in table:
        _refuse_idle(device, pipes)
    return device


_IN_SET = "write parameters under [set], such as `mul_latency = 3`"
# Keys and tables that other files have.
_MEANT = {
    **dict.fromkeys(("device", "inherits", "extends", "parent", "from", "rtl", "document"), 'write `base = "rtl"`'),
    **dict.fromkeys(("settings", "parameters", "params", "options", "config", "values", "timing", "timings"), _IN_SET),
    **dict.fromkeys(("latency", "latencies", "cycles", "intervals", "units"), _IN_SET),
    **dict.fromkeys(("ops", "opcodes", "isa", "instruction"), "write [instructions.NAME] for each instruction"),
}


def _unknown(keys: Sequence[str], table: Mapping[str, object]) -> str:
    """The sentence about keys that a file does not have at its top level: parameters belong into a table."""
    parameters = [key for key in keys if RTL.has(key)]
    unknown = [key for key in keys if key not in parameters]
    parts: list[str] = []
    if unknown:
        near = suggestions.near(unknown[0], _KEYS) if len(unknown) == 1 else []
        meant = next((_MEANT[key.lower()] for key in unknown if key.lower() in _MEANT), "")
        hint = (
            meant or f"did you mean {near[0]}?"
            if near or meant
            else "a device has base, name, pipes and tables set and instructions"
        )
        shown = ", ".join([f"'{key}'" for key in unknown])
        parts.append(f"unknown {'keys' if len(unknown) > 1 else 'key'} {shown}: {hint}")
    if parameters:
        what = "device parameters: write them" if len(parameters) > 1 else "a device parameter: write it"
        tables = [key for key in parameters if isinstance(table[key], dict)]
        if tables:
            return f"{tables[0]} is a table of an instruction: write [instructions.{tables[0]}]"
        parts.append(f"{', '.join(parameters)} {'are' if len(parameters) > 1 else 'is'} {what} under [set]")
    return "; ".join(parts)


def _rows(value: object, functions: Mapping[str, int]) -> dict[str, dict[str, object]]:
    """The tables of `instructions`, by name, their keys checked. Raises ValueError."""
    if not isinstance(value, dict):
        raise ValueError(
            "instructions is a table with a table for each instruction: write [instructions.mul], not [[instructions]]"
        )
    found: dict[str, dict[str, object]] = {}
    for name, row in cast("dict[str, object]", value).items():
        if not isinstance(row, dict):
            pace = isinstance(row, int) and not isinstance(row, bool) and name in BY_NAME
            keys_of = f"`latency = {row}`" if pace else "its keys"
            raise ValueError(f"instructions.{name} is not a table: write [instructions.{name}], and {keys_of} below it")
        keys = cast("dict[str, object]", row)
        if name in _KEYS and name not in BY_NAME:
            raise ValueError(f"instructions.{name} is not an instruction: write [{name}], a table of the file")
        known = name in BY_NAME
        allowed = (*ASPECTS, EXACTNESS) if known else _NEW_KEYS
        for key in keys:
            if key not in allowed:
                near = suggestions.near(key, allowed) or [
                    own for own, words in _WORDS.items() if key in words and own in allowed
                ]
                more = (
                    f": {name} is an instruction of the table, whose opcode and meaning stay; give yours another name"
                    if key in _NEW_KEYS
                    else ""
                )
                hint = f"did you mean {near[0]}?" if near and not more else f"it has {', '.join(allowed)}{more}"
                if key in _OF_CODE and not known:
                    hint = f'write `meaning = "a * b + c"`, each operation of which rounds, or bring {FUNCTION}'
                raise ValueError(f"instructions.{name}: unknown key '{key}': {hint}")
        if not known:
            _check_name(name)
            if name in functions and "meaning" in keys:
                raise ValueError(f"instructions.{name} has a meaning and a function: leave one of them out")
            needed = [key for key in ("opcode", "meaning", "pipe", "latency") if key != "meaning" or name not in functions]
            lacking = next((key for key in needed if key not in keys), "")
            if lacking:
                near = suggestions.near(name, BY_NAME)
                hint = f"; for the pace of an instruction of the table, did you mean {near[0]}?" if near else ""
                value = f", {_FREE}" if lacking == "opcode" and not hint else _LINES.get(lacking, "")
                raise ValueError(f"instructions.{name}: a new instruction needs {lacking}{value}{hint}")
        found[name] = keys
    return found


def _check_name(name: str) -> None:
    """Raises ValueError for what cannot be the name of an instruction."""
    if name.lower() in BY_NAME:
        raise ValueError(f"instructions.{name}: names are in lower case: write [instructions.{name.lower()}]")
    plain = name[:1] in _LETTERS and _IN_NAMES.issuperset(name)
    lower = name.lower().replace("-", "_").replace(".", "_")
    if not plain and lower[:1] in _LETTERS and _IN_NAMES.issuperset(lower) and len(lower) <= _LONGEST_NAME:
        raise ValueError(f"instructions.{name}: names are in lower case, with _: write [instructions.{lower}]")
    if not plain or len(name) > _LONGEST_NAME:
        raise ValueError(f"instructions.{name}: a name has up to {_LONGEST_NAME} of a-z, 0-9 and _, and begins with a letter")
    if name.endswith(("_sat", "_saturate")):
        raise ValueError(f"instructions.{name}: every instruction has a form with _sat: leave the end of the name out")


def _pipes(value: object) -> tuple[str, ...]:
    """The names that pipes may have. Raises ValueError."""
    if value is None:
        return tuple([pipe for pipe in PIPES if pipe != EMPTY])
    if not isinstance(value, list):
        hint = ""
        if isinstance(value, dict):
            paces = [f"{key}_latency = {pace}" for key, pace in cast("dict[str, object]", value).items() if key in BY_NAME]
            hint = f"; latencies are under [set]: write `{paces[0] if paces else 'mul_latency = 3'}` there"
        raise ValueError(f'pipes is a list of names, such as ["CMP", "ADD", "FMA"]{hint}')
    found: list[str] = []
    for pipe in cast("list[object]", value):
        if not _may_be_pipe(pipe):
            raise ValueError(f"pipes: {pipe!r:.40} is not a name of upper-case letters, digits and _, such as FMA")
        if pipe in found or len(pipe) > _LONGEST_NAME:
            raise ValueError(f"pipes: {pipe} {'is named twice' if pipe in found else 'is too long'}")
        if pipe != EMPTY:
            found.append(pipe)
    return tuple(found)


def _may_be_pipe(pipe: object) -> TypeGuard[str]:
    return isinstance(pipe, str) and pipe.isascii() and pipe.replace("_", "").isalnum() and pipe == pipe.upper()


def _with_pipe(pipe: object, pipes: Sequence[str]) -> str:
    """The line that names a pipe too, or the pipe that is meant."""
    if isinstance(pipe, str) and pipe.upper() in pipes:
        return f"; write {_quoted(pipe.upper())}"
    if not _may_be_pipe(pipe) or pipe == EMPTY:
        return ""
    return f"; or write `pipes = [{', '.join([_quoted(each) for each in (*pipes, pipe)])}]` above the first table"


def _refuse_idle(device: Device, pipes: tuple[str, ...]) -> None:
    """Raise ValueError where the list of pipes and the pipes of instructions differ."""
    lacking = [pipe for pipe in device.pipes if pipe not in (*pipes, EMPTY)]
    if lacking:
        whole = list(dict.fromkeys([*[pipe for pipe in PIPES if pipe in (*lacking, *pipes)], *pipes, *lacking]))
        raise ValueError(
            f"pipes lacks {', '.join(lacking)}: the list has all pipes, also those of the base: write "
            f"`pipes = [{', '.join([_quoted(each) for each in whole])}]`"
        )
    used = device.pipes
    for pipe in pipes:
        if pipe not in used:
            raise ValueError(f"pipes names {pipe}, but no instruction is in it: leave it out, or give an instruction that pipe")


def _setting(key: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise ValueError(f"{key} cannot be {value!s:.40}: {_meant(key, value)}")
    return str(value)


def _meant(key: str, value: object) -> str:
    """The line that a value of another kind means."""
    if isinstance(value, dict):
        pairs = [f"{key}_{each} = {one}" for each, one in cast("dict[str, object]", value).items() if isinstance(one, int)]
        if pairs and RTL.has(pairs[0].partition(" ")[0]):
            return f"write `{pairs[0]}`, one name"
    if RTL.has(key) and isinstance(RTL.setting(key), str):
        return f"write one of its texts: {RTL.parameter(key).values}"
    rows = cast("list[object]", value if isinstance(value, list) else [value])
    first = rows[0] if rows and not isinstance(rows[0], bool) else ""
    if isinstance(first, (int, float)) and -LONGEST < first < LONGEST:
        return f"it is a whole number: write {round(first)}"
    return "it is a whole number, or one of the texts that the template has"


def _op(name: str, row: Mapping[str, object], pipes: tuple[str, ...], function: tuple[str, int] | None) -> Op:
    """The row of a new instruction; `function` is its operation, with how many sources it has, where that is no expression.
    Raises ValueError."""
    where = f"instructions.{name}"
    opcode, meaning, pipe, summary = row["opcode"], row.get("meaning", ""), row["pipe"], row.get("summary", "")
    if isinstance(opcode, bool) or not isinstance(opcode, int):
        quoted = isinstance(opcode, str) and opcode.lower().removeprefix("0x").isalnum()
        fix = f"write `opcode = {opcode}` without quotes" if quoted else f"use {_FREE}"
        raise ValueError(f"{where}: opcode is not a whole number: {fix}")
    if 0 <= opcode < len(OPS) and OPS[opcode].name != "unused":
        raise ValueError(f"{where}: opcode {opcode} is that of {OPS[opcode].name}: use {_FREE}")
    if not 0 <= opcode <= MOST_OPCODE:
        raise ValueError(f"{where}: opcode cannot be {opcode}: use {_FREE}")
    if not isinstance(meaning, str) or not isinstance(summary, str) or len(summary) > _LONGEST_SUMMARY:
        raise ValueError(f"{where}: meaning and summary are texts, and a summary has up to {_LONGEST_SUMMARY} characters")
    if not isinstance(pipe, str) or pipe not in pipes:
        raise ValueError(f"{where}: pipe cannot be {pipe!r:.40}: it is {' or '.join(pipes)}{_with_pipe(pipe, pipes)}")
    operation, sources = function or _expression(where, meaning, pipe)
    latency = _cycles(name, row, "latency", 1)
    assert latency is not None
    return Op(
        name=name,
        opcode=opcode,
        latency=latency,
        rtl_latency=latency,
        pipe=pipe,
        built=True,
        sources=sources,
        dests=1,
        operation=operation,
        immediate=0,
        aliases=(),
        summary=" ".join(summary.split()) or meaning or "a function of the distribution that brings the device",
    )


def _expression(where: str, meaning: str, pipe: str) -> tuple[str, int]:
    """A meaning, with how many sources it has. Raises ValueError."""
    try:
        return meaning, expression(meaning).sources
    except ExpressionError as error:
        also = f', and stray_special = "lost" for two sources in {SPEC}' if pipe == SPEC and NO_DIVISION in str(error) else ""
        raise ValueError(f"{where}: meaning, {error}{also or _field(meaning)}") from None


def _field(meaning: str) -> str:
    """The fix of a meaning that is a field of bits at a place by which no shift is: its number, by a product."""
    import re

    match = re.fullmatch(_FIELD, meaning)
    if match is None or not 0 < int(match[2]) < _BITS or int(match[2]) % 8 == 0:
        return ""
    places = int(match[2])
    mask = int(match[3], 0) << places if match[3] else (1 << _BITS) - (1 << places)
    number = f"cnv_u32_to_f({match[1]} & 0x{mask & (1 << _BITS) - 1:X}) * {2.0**-places!r}"
    return f": write `{number}`, the number in these bits"


_BITS = 32
_FIELD = r"\(?\s*([abc])\s*>>\s*(\d{1,2})\s*\)?\s*(?:&\s*(0[xX][0-9a-fA-F]{1,8}|\d{1,9}))?\s*"


def _pace(name: str, row: Mapping[str, object]) -> Pace:
    return Pace(str(row["pipe"]), _cycles(name, row, "latency", 1), _cycles(name, row, "interval", QUADS))


def _cycles(name: str, row: Mapping[str, object], key: str, least: int) -> int | None:
    value = row.get(key, "none")
    if key == "interval" and value == "none":
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= LONGEST:
        raise ValueError(f"instructions.{name}: {key} cannot be {value!r}: it is a whole number from {least} to {LONGEST}")
    return value


def _refuse_shared(added: Mapping[Op, Pace], owners: dict[int, str]) -> None:
    """Raise ValueError for two instructions with one opcode. `owners`: instructions of the table that the file names."""
    for op in added:
        if op.opcode in owners:
            raise ValueError(f"instructions.{owners[op.opcode]} and instructions.{op.name} have one opcode, {op.opcode}")
        owners[op.opcode] = op.name


# The template


def template(device: Device, name: str) -> str:
    """A whole file, which reads as the device: every number and name, with what it means."""
    lines = [
        "# A ShaderCore device for lanewise: `--device FILE`, or `device` in lanewise.toml.",
        f"# It says all that {device.name} has. Leave out what stays as it is there: `base` has it.",
        "",
        f'base = "{nearest(device).name}"',
        f'name = "{name}"',
        "# The pipes that instructions are in; add one here before an instruction names it.",
        f"pipes = [{', '.join([_quoted(pipe) for pipe in device.pipes if pipe != EMPTY])}]",
        "",
        "[set]",
    ]
    for group in GROUPS:
        lines += ["", f"# {_GROUP_TITLES[group]}"]
        for parameter in PARAMETERS:
            if parameter.group != group:
                continue
            lines += ["", f"# {parameter.topic}: {parameter.values}."]
            lines += [f"#   {value} = {text}" for value, text in parameter.answers.items()]
            lines.append(f"{parameter.key} = {_toml(device.setting(parameter.key))}")
    lines += [
        "",
        "# Instructions: the pipe, the cycles to the result, and the cycles to the next issue (none: as issue_interval, or",
        "# special_interval in the pipe SPEC).",
    ]
    tabled = tabled_of(device)
    for op in device.ops:
        rows = [(aspect, f"{op.name}_{aspect}") for aspect in ASPECTS if device.has(f"{op.name}_{aspect}")]
        lines += ["", f"[instructions.{op.name}]  # opcode {op.opcode}: {op.summary}"]
        lines += [f"{aspect} = {_toml(device.setting(key))}" for aspect, key in rows]
        if op.name in tabled:
            lines.append(f"{EXACTNESS} = [{', '.join([f'0x{result:08X}' for result in table_of(op.operation)[1]])}]")
        elif op in device.added:
            lines += _own_lines(op)
    lines += [
        "",
        "# A new instruction has an opcode (14, or 32 to 2047: bits 58 to 63 hold the upper bits, 43 to 57 a third source) and",
        "# a meaning: an expression of a, b and c with + - * & | ^ ~ << >> < <= > >= == !=, the instructions by their names",
        "# (rcp, min, frc, ...), abs, floor, saturate and select. 2 and 0.5 are numbers, 0xFF is a pattern.",
        "#",
        "# [instructions.fma]",
        "# opcode = 32",
        '# pipe = "MUL"',
        "# latency = 6",
        '# meaning = "a * b + c"',
    ]
    return "\n".join(lines) + "\n"


def _own_lines(op: Op) -> list[str]:
    """The lines of a new instruction, besides its times."""
    lines = [f"opcode = {op.opcode}", f"summary = {_quoted(op.summary)}"]
    if is_function(op):
        return [*lines, f"# its meaning is {described(op)}: such a device is not a file"]
    return [*lines, f"meaning = {_quoted(op.operation)}"]


def _toml(value: str | int | None) -> str:
    return str(value) if isinstance(value, int) else _quoted(value_text(value))


def _quoted(text: str) -> str:
    from json import dumps

    return dumps(text, ensure_ascii=False)
