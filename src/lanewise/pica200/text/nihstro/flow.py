"""The instructions of the nihstro language that steer: conditions, blocks, labels. Source: spec 004, Flow Control
Instructions."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.problems import Problem
from lanewise.pica200.isa import module as m
from lanewise.pica200.isa.program import BLOCK, Condition, Emission, Reference
from lanewise.pica200.isa.table import BY_NAME
from lanewise.pica200.text.nihstro.lexer import NAME, NUMBER
from lanewise.pica200.text.nihstro.syntax import usage

if TYPE_CHECKING:
    from lanewise.pica200.isa.program import Operand
    from lanewise.pica200.isa.table import Op
    from lanewise.pica200.text.nihstro.lexer import Cursor
    from lanewise.pica200.text.nihstro.reader import Reader


def flow(reader: Reader, cursor: Cursor, name: str) -> tuple[Op, tuple[Operand, ...]]:
    """Row and operands of an instruction that begins with `name`. Raises Problem, Poisoned."""
    if name == "if":
        return _if(reader, cursor)
    if name == "loop":
        if not cursor.more():
            raise Problem("P010", "loop needs an integer uniform", usage("loop"), cursor.end, 1)
        register = reader.operands.uniform(cursor, "i")
        cursor.finish(usage("loop"))
        reader.open(m.END_FOR)
        return BY_NAME["for"], (register, BLOCK)
    if name in ("break", "breakc"):
        return _break(reader, cursor, name)
    if name == "jmp":
        return _jump(reader, cursor)
    if name == "call":
        return _call(reader, cursor)
    if name in ("setemit", "setemitraw"):
        return _setemit(reader, cursor, name)
    cursor.finish(f"{name} has no operands")
    return BY_NAME[name], ()


def _if(reader: Reader, cursor: Cursor) -> tuple[Op, tuple[Operand, ...]]:
    start = cursor.peek().start
    condition = reader.operands.condition(cursor, "if")
    cursor.finish(usage("if"))
    if isinstance(condition, Condition):
        reader.open(m.END_IF)
        return BY_NAME["ifc"], (condition, BLOCK)
    register, negated = condition
    if negated:
        raise Problem(
            "V022", "if cannot negate a boolean uniform", "use `else`: if b0, else, ..., endif", start, cursor.end - start
        )
    reader.open(m.END_IF)
    return BY_NAME["ifu"], (register, BLOCK)


def _break(reader: Reader, cursor: Cursor, name: str) -> tuple[Op, tuple[Operand, ...]]:
    start, before = cursor.tokens[0].start, len(reader.diagnostics)
    if name == "break":
        reader.note(
            "break",
            "P070",
            "nihstro itself rejects break, although its manual describes it",
            "write breakc COND for nihstro",
            start,
            5,
        )
        if not cursor.more():
            return BY_NAME["break"], ()
    place = cursor.peek().start
    condition = reader.operands.condition(cursor, name)
    cursor.finish(usage(name))
    if not isinstance(condition, Condition):
        tested = reader.line[place : cursor.end].strip()
        del reader.diagnostics[before:]
        raise Problem(
            "P033",
            f"{name} tests only flags, not boolean uniforms",
            f"write `if {tested}`, then `break`, then `endif`" if tested[:1] != "!" else "test cc.x or cc.y",
            place,
            cursor.end - place,
        )
    return BY_NAME["breakc"], (condition,)


def _label(cursor: Cursor, usage_: str) -> str:
    token = cursor.peek()
    if token.kind != NAME:
        message = f"'{token.text}' is not a label" if token.text else "missing label"
        raise token.problem("P013" if token.text else "P010", message, usage_)
    cursor.next()
    return token.text


def _jump(reader: Reader, cursor: Cursor) -> tuple[Op, tuple[Operand, ...]]:
    name = _label(cursor, usage("jmp"))
    if not cursor.more():
        raise Problem(
            "P010",
            "jmp needs a condition: the hardware has only conditional jumps",
            "write jmp LABEL if COND, or call LABEL until LABEL",
            cursor.end,
            1,
        )
    cursor.expect("if", usage("jmp"))
    start = cursor.peek().start
    condition = reader.operands.condition(cursor, "jmp")
    cursor.finish(usage("jmp"))
    if isinstance(condition, Condition):
        return BY_NAME["jmpc"], (condition, Reference(name))
    register, negated = condition
    if negated:
        reader.note(
            "jmp !b",
            "P070",
            "nihstro itself rejects a negated boolean, although jmp has a bit for it",
            "with nihstro, jump for the boolean and exchange the two paths",
            start,
            cursor.end - start,
        )
    return BY_NAME["jmpu"], (register, Reference(name, int(negated)))


def _call(reader: Reader, cursor: Cursor) -> tuple[Op, tuple[Operand, ...]]:
    name = _label(cursor, usage("call"))
    if cursor.peek().text != "until":
        from lanewise.pica200.text.nihstro.advice import returning

        token = cursor.peek()
        raise token.problem("P010", "call needs the label at which it returns", returning(name))
    cursor.next()
    target = Reference(name, 0, _label(cursor, usage("call")))
    if not cursor.more():
        return BY_NAME["call"], (target,)
    cursor.expect("if", usage("call"))
    start = cursor.peek().start
    condition = reader.operands.condition(cursor, "call")
    cursor.finish(usage("call"))
    if isinstance(condition, Condition):
        return BY_NAME["callc"], (condition, target)
    register, negated = condition
    if negated:
        raise Problem(
            "V022", "call cannot negate a boolean uniform", "put the call into the `else` of an `if`", start, cursor.end - start
        )
    return BY_NAME["callu"], (register, target)


def _setemit(reader: Reader, cursor: Cursor, name: str) -> tuple[Op, tuple[Operand, ...]]:
    if name == "setemit":
        token = cursor.tokens[0]
        reader.note(
            "setemit ", "P070", "nihstro itself does not know setemit", "write setemitraw for nihstro", token.start, len(name)
        )
    token = cursor.next()
    if token.kind != NUMBER or not token.text.isdigit():
        message = f"'{token.text}' is not a vertex number" if token.text else f"{name} needs a vertex number"
        raise token.problem("P014" if token.text else "P010", message, usage(name))
    if len(token.text) > 3 or int(token.text) > 3:
        raise token.problem("V024", f"vertex {token.text} is out of range", "write 0, 1 or 2")
    vertex = int(token.text)
    if vertex == 3:
        reader.warn("V024", "vertex 3 may not exist: no test shows it", "write 0, 1 or 2", token.start, 1)
    flags: set[str] = set()
    while cursor.took(","):
        flag = cursor.next()
        if flag.text not in ("prim", "inv"):
            message = f"unknown flag '{flag.text}' of {name}" if flag.text else "missing flag"
            raise flag.problem("P015", message, "use `prim` and `inv`")
        flags.add(flag.text)
    cursor.finish(usage(name))
    reader.setemits += 1
    return BY_NAME["setemit"], (Emission(vertex, "prim" in flags, "inv" in flags),)
