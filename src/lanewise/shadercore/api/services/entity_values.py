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
            hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(known)}"
            raise ValueError(f"{place or 'the file'}: unknown key '{key[:LONGEST_NAME]}': {hint}")


def name(place: str, value: object) -> str:
    """A name that VHDL, Verilog and Python take."""
    if value is None:
        table_name, point, key = place.rpartition(".")
        what = f"the port of your core under [{table_name}]" if point else "the entity or module of your core"
        raise ValueError(f'{place} is missing: write `{key} = "NAME"`, {what}')
    lower = value.lower() if isinstance(value, str) else ""
    if lower[:1] not in _START or not lower or not _LETTERS.issuperset(lower) or len(lower) > LONGEST_NAME:
        key = place.rpartition(".")[2]
        meant = _plain(str(value))
        fix = f'; write `{key} = "{meant}"`' if meant and meant != lower else ""
        raise ValueError(
            f"{place}: {str(value)[:LONGEST_NAME]!r} is not a name of letters, digits and _, with a letter first{fix}"
        )
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
    return str(value)


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
        hint = f"; write `{place.rpartition('.')[2]} = {digits}`" if digits and least <= int(digits) <= most else ""
        raise ValueError(f"{place} {shown}: it is a whole number from {least} to {most}{hint}")
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
