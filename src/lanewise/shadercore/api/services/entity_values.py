"""Values of entities as TOML files: names of ports, numbers, choices. Each raises ValueError with the place."""

from __future__ import annotations

from keyword import iskeyword

from lanewise.core.record import TYPE_CHECKING, cast
from lanewise.core.text import suggestions
from lanewise.shadercore.api.entity import HIGH, LOW, Signal
from lanewise.shadercore.container.memory import vhdl_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LONGEST_NAME = 60
_MOST_DIGITS = 9
# What levels and edges are called elsewhere, true and false among them.
_MEANT = {
    **dict.fromkeys(("0", "false", "l", "low", "n", "neg", "negative", "lo", "'0'"), "low"),
    **dict.fromkeys(("1", "true", "h", "high", "p", "pos", "positive", "hi", "'1'"), "high"),
    **dict.fromkeys(("rise", "rising", "posedge", "up", "rising_edge"), "rising"),
    **dict.fromkeys(("fall", "falling", "negedge", "down", "falling_edge"), "falling"),
}
# Keys by what other tools call them.
_COUNTS = ("depth", "rows", "words", "entries", "size")
_FREQUENCIES = ("frequency", "freq", "mhz", "hz", "clock_frequency", "rate", "fmax")
_KEYS = {
    "entity": ("module", "name", "dut", "top", "toplevel", "top_level", "core", "component", "design"),
    "limit": ("timeout", "max_cycles", "watchdog", "cycles", "most"),
    "clock": ("clk", "clocks"),
    "reset": ("rst", "resetn", "rst_n", "areset"),
    "program": ("instructions", "imem", "rom", "code", "prog", "icache"),
    "constants": ("consts", "uniforms", "cb", "const"),
    "registers": ("regs", "register", "gpr", "regfile"),
    "results": ("outputs_read", "result", "debug", "readback"),
    "start": ("go", "begin", "run", "launch", "trigger"),
    "done": ("finish", "finished", "ready", "busy", "valid", "end", "complete", "idle"),
    "inputs": ("input", "in"),
    "outputs": ("output", "out"),
    "enable": ("we", "en", "write", "wr", "wren", "wr_en", "write_enable", "re", "rd_en", "strobe", "cs", "valid"),
    "data": ("wdata", "din", "d", "q", "dout", "write_data", "rdata", "value", "port"),
    "address_width": ("depth", "rows", "words", "entries", "size", "addr_width", "awidth", "address_bits", "bits"),
    "address": ("addr", "a", "adr", "index"),
    "width": ("bits", "size", "data_width", "length", "w"),
    "port": ("name", "signal", "pin", "net", "wire"),
    "active": ("polarity", "level", "active_level", "sense"),
    "period": (*_FREQUENCIES, "time", "ns", "period_ns", "t"),
    "edge": ("active", "trigger", "sensitivity", "posedge"),
    "cycles": ("length", "duration", "hold", "clocks"),
    "overhead": ("offset", "extra", "latency", "cycles"),
    "value": ("default", "init", "initial", "constant", "tie"),
    "latency": ("delay", "read_latency", "cycles", "wait"),
    "order": ("layout", "fields", "packing"),
    "files": ("banks", "file", "types", "register_files"),
}
_HERTZ = 100_000
_START = "abcdefghijklmnopqrstuvwxyz"
_LETTERS = frozenset(_START + "0123456789_")
# Reserved words of Verilog (IEEE 1364-2005, annex B) that neither VHDL nor Python has, and names of a bench.
_TAKEN = (
    " "
    "always automatic buf bufif0 bufif1 casex casez cell cmos deassign default defparam design edge endcase "
    "endconfig endfunction endgenerate endmodule endprimitive endspecify endtable endtask event forever fork highz0 "
    "highz1 ifnone incdir include initial input instance integer join large liblist localparam macromodule medium "
    "module negedge nmos noshowcancelled notif0 notif1 output parameter pmos posedge primitive pull0 pull1 pulldown "
    "pullup rcmos real realtime reg repeat rnmos rpmos rtran rtranif0 rtranif1 scalared showcancelled signed small "
    "specify specparam strong0 strong1 supply0 supply1 table task time tran tranif0 tranif1 tri tri0 tri1 triand "
    "trior trireg unsigned vectored wand weak0 weak1 wire wor "
    "count expected found label_of line n natural place positive row run_wave std_logic text to_hstring wave write writeline "
)


def table(whole_file: Mapping[str, object], name: str) -> dict[str, object]:
    value = whole_file.get(name, {})
    if not isinstance(value, dict):
        raise ValueError(f"{name} is a table: write [{name}] and its keys")
    return cast("dict[str, object]", value)


def refuse_unknown(place: str, table: Mapping[str, object], known: Sequence[str]) -> None:
    for key in table:
        if key not in known:
            near = suggestions.near(key, known)
            hint = _meant(key, table[key], known) or (f"did you mean {near[0]}?" if near else f"it has {', '.join(known)}")
            raise ValueError(f"{place or 'the file'}: unknown key '{key[:LONGEST_NAME]}': {hint}")


def _meant(key: str, value: object, known: Sequence[str]) -> str:
    """The fix for a key that has another name elsewhere; empty for others."""
    low = key.lower()
    meant = next((to for to, words in _KEYS.items() if to in known and low in words), "")
    if isinstance(value, dict):
        return f"write [{meant}]" if meant else ""
    if meant == "address_width" and low in _COUNTS and isinstance(value, int):
        return f"write `address_width = {max(1, (value - 1).bit_length())}`, the bits of an address"
    if meant == "period" and low in _FREQUENCIES:
        period = _period(value)
        return f"write `period = {period}`, in ns" if period else "write `period = 10`, in ns: 1000 by the MHz"
    if meant in ("active", "edge"):
        value = _MEANT.get(str(value).strip().lower(), value)
    return f"write `{meant} = {_toml(value)}`" if meant else ""


def _period(value: object) -> int:
    """The ns of a period from a frequency in MHz or Hz; 0 for none."""
    digits = str(value).lower().replace(" ", "").replace("mhz", "").replace("_", "")
    try:
        number = float(digits)
    except ValueError:
        return 0
    ns = 1e9 / number if number >= _HERTZ else 1e3 / number if number > 0 else 0
    return 2 * round(ns / 2)


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)


def name(place: str, value: object) -> str:
    """A name that VHDL, Verilog and Python take."""
    listed = cast("list[object]", value if isinstance(value, list) else [])
    if len(listed) == 1 and isinstance(listed[0], str):
        raise ValueError(f'{place} is a list: write `{place.rpartition(".")[2]} = "{listed[0]}"`')
    if value is None:
        table_name, point, key = place.rpartition(".")
        what = f"the port of your core under [{table_name}]" if point else "the entity or module of your core"
        raise ValueError(f'{place} is missing: write `{key} = "NAME"`, {what}')
    text = str(cast("object", value))
    lower = text.lower() if isinstance(value, str) else ""
    if lower[:1] not in _START or not lower or not _LETTERS.issuperset(lower) or len(lower) > LONGEST_NAME:
        key = place.rpartition(".")[2]
        meant = _plain(text)
        fix = f'; write `{key} = "{meant}"`' if meant and meant != lower else ""
        if isinstance(value, bool):
            fix = f": write the name of the port in quotes, or remove the line{'' if value else ', which is the same as false'}"
        raise ValueError(f"{place}: {text[:LONGEST_NAME]!r} is not a name of letters, digits and _, with a letter first{fix}")
    of_bench = lower.startswith(("bench_", "load_", "read_"))
    doubled = "__" in lower or lower.endswith("_")
    if of_bench or doubled or f" {lower} " in _TAKEN or iskeyword(lower) or vhdl_name(lower) != lower:
        what = (
            "has _ twice or last, which VHDL does not allow"
            if doubled
            else "is a name of the bench"
            if of_bench
            else "is a reserved word of VHDL, Verilog or Python, or a name of the bench"
        )
        raise ValueError(f"{place}: {value} {what}: use another name, such as core_{lower.strip('_').replace('__', '_')}")
    return text


def _plain(text: str) -> str:
    """The name in a text that has more than a name: a library, an instance, an architecture, bits; empty for none."""
    kept = text.partition("(")[0].partition("[")[0].strip().rpartition(".")[2].rpartition("/")[2]
    found = "".join(letter if letter.lower() in _LETTERS else "_" for letter in kept).strip("_")
    return found if found[:1].lower() in _START and found and len(found) <= LONGEST_NAME else ""


def whole(place: str, value: object, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        shown = "is missing" if value is None else f"cannot be {value!r:.{LONGEST_NAME}}"
        text = value.strip() if isinstance(value, str) else ""
        digits = text[: len(text) - len(text.lstrip("0123456789"))][:_MOST_DIGITS]
        if isinstance(value, float) and value.is_integer():
            digits = str(int(value))
        if text.lower().endswith((" us", " ms", " s", " fs")) or text.lower()[len(digits) :] in ("us", "ms", "s"):
            digits = ""
        if text.lower().endswith("hz"):
            digits = str(_period(text)) if place.endswith(".period") else ""
        if isinstance(value, dict):
            inner = next(iter(cast("dict[str, object]", value).values()), None)
            digits = str(inner) if isinstance(inner, int) else ""
        if text.lower().startswith(("0x", "0b")) or "'" in text:
            digits = _based(text)
        hint = f"; write `{place.rpartition('.')[2]} = {digits}`" if digits and least <= int(digits) <= most else ""
        raise ValueError(f"{place} {shown}: it is a whole number from {least} to {most}{hint}")
    return value


def _based(text: str) -> str:
    """The decimal digits of `0x1F` or `2'b01`; empty for other texts."""
    low = text.lower().partition("'")[2].lstrip("s") if "'" in text else text.lower()[1:]
    base = {"x": 16, "h": 16, "b": 2, "o": 8, "d": 10}.get(low[:1], 0)
    try:
        return str(int(low[1:], base)) if base else ""
    except ValueError:
        return ""


def width(place: str, value: object, widths: Sequence[int]) -> int:
    """One of the widths of a memory."""
    if isinstance(value, bool) or not isinstance(value, int) or value not in widths:
        *most, last = map(str, widths)
        shown = "is missing" if value is None else f"cannot be {value!r:.{LONGEST_NAME}}"
        number = int(value) if isinstance(value, str) and value.strip().isdecimal() else value
        near = [number, 8 * number, number + 1] if isinstance(number, int) else []  # bytes, and the highest bit
        meant = next((each for each in near if each in widths), 0)
        hint = f"; write `{place.rpartition('.')[2]} = {meant}`" if meant else ""
        raise ValueError(f"{place} {shown}: it is {', '.join(most)} or {last} bits{hint}")
    return value


def choice(place: str, value: object, choices: Sequence[str]) -> str:
    if value not in choices:
        meant = _MEANT.get(str(value).strip().lower().replace("active", "").strip("-_ "), "")
        line = f'; write `{place.rpartition(".")[2]} = "{meant}"`' if meant in choices else ""
        raise ValueError(f"{place} cannot be {str(value)[:LONGEST_NAME]!r}: it is {' or '.join(choices)}{line}")
    return str(value)


def signal(place: str, table: Mapping[str, object]) -> Signal:
    active = choice(f"{place}.active", table.get("active", HIGH), (HIGH, LOW))
    return Signal(name(f"{place}.port", table.get("port")), active)
