"""What the printer reads back: each name and each operand once, and the whole text only where it holds words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lanewise.direct3d9.api import disassembling
from lanewise.direct3d9.isa.program import Shader, make_dest, make_inst, make_source
from lanewise.direct3d9.isa.table import BY_NAME, BY_VERSION_NAME, CONST, TEMP
from lanewise.direct3d9.text import printer

if TYPE_CHECKING:
    from collections.abc import Callable

_VERSION = BY_VERSION_NAME["vs_2_sw"]


def _shader(length: int, first: int = 0) -> Shader:
    """`add` with all pairs of a few registers from `first` on, which no other test uses."""
    insts = [
        make_inst(
            BY_NAME["add"],
            _VERSION,
            make_dest(TEMP, 0),
            (make_source(CONST, first + n % 20), make_source(CONST, first + n // 20)),
        )
        for n in range(length)
    ]
    return Shader(version=_VERSION, items=tuple(insts))


@pytest.fixture(name="calls")
def calls_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[object, str], list[Any]]:
    """Count the calls of a function of a module."""

    def counted(module: object, name: str) -> list[Any]:
        found: list[Any] = []
        original = getattr(module, name)

        def call(*arguments: Any) -> Any:
            found.append(arguments)
            return original(*arguments)

        monkeypatch.setattr(module, name, call)
        return found

    return counted


def test_a_line_of_known_parts_is_not_read_again(calls: Callable[[object, str], list[Any]]):
    lines = calls(printer, "read_line")
    text = printer.print_shader(_shader(400, 1000))
    assert len(lines) == 20  # one for each register
    assert printer.print_shader(_shader(400, 1000)) == text
    assert len(lines) == 20


def test_parts_are_known_in_their_places_only(calls: Callable[[object, str], list[Any]]):
    """A known operand is read again with a new name or a new destination, and in another version."""
    lines = calls(printer, "read_line")
    printer.print_shader(_shader(1, 1500))
    for name in ("mul", "add"):
        inst = make_inst(BY_NAME[name], _VERSION, make_dest(TEMP, 0, mask=3), (make_source(CONST, 1500),) * 2)
        printer.print_shader(Shader(version=_VERSION, items=(inst,)))
    printer.print_shader(_shader(1, 1500)._replace(version=BY_VERSION_NAME["vs_3_sw"]))
    assert [arguments[0] for arguments in lines] == [
        "add r0, c1500, c1500",
        "mul r0.xy, c1500, c1500",
        "add r0, c1500, c1500",
    ]


def test_wrong_words_are_found_among_known_parts():
    """A token that no line gives, in an instruction whose operands are all known."""
    good = _shader(1, 1600)
    inst = good.insts[0]
    wrong = [inst._replace(token=inst.token | bits) for bits in (1 << 16, 1 << 30 | 1 << 29, 1 << 24)]
    for shader in (good, good._replace(items=tuple(wrong)), good._replace(items=(inst._replace(token=BY_NAME["mul"].opcode),))):
        text, verified = printer.printed(shader)
        assert verified is (shader is good)
        assert (".dword" in text) is (shader is not good)


def test_the_whole_text_is_read_where_it_holds_words(calls: Callable[[object, str], list[Any]]):
    texts = calls(disassembling, "read_source_text")
    shader = _shader(30, 1700)
    disassembling.disassemble_shader(shader)
    assert not texts
    for other in (shader._replace(tail=(1, 2)), shader._replace(end=None), shader._replace(rest=b"x")):
        disassembling.disassemble_shader(other)
    assert len(texts) == 3
