"""Reading on after a statement with an error: its block is opened or closed, and a placeholder stands for its instruction.

Loaded for sources with errors only.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa import module as m
from lanewise.pica200.isa.module import DECLARATIONS, STRUCTURE, Mark
from lanewise.pica200.isa.table import COMPUTATION, FLOAT, LOOP, SETEMIT, TEMPORARY
from lanewise.pica200.text.damage import meant, placeholder
from lanewise.pica200.text.picasso.arguments import poison
from lanewise.pica200.text.picasso.directives import DIRECTIVES
from lanewise.pica200.text.picasso.syntax import MAX_BLOCKS, MNEMONICS, Open, is_register, numeric_operands

if TYPE_CHECKING:
    from lanewise.pica200.text.picasso.reader import Reader

# Blocks as other assemblers begin and end them.
OPENS = ("if", "loop", "rep", *[f"if_{operator}" for operator in ("lt", "le", "gt", "ge", "eq", "ne")])
CLOSES = ("endif", "endloop", "endrep", "}")
# Directives without which blocks or stages are not as meant.
_STRUCTURAL = (".proc", ".else", ".end", ".gsh", ".entry", ".nodvle", ".word", ".opdesc", ".nonop")


def recover(reader: Reader, statement: str, meant: str = "") -> None:
    """Put a placeholder in the place of an unreadable statement; open or close its block: its `.end` is not reported too.

    `meant` is the statement that it is read as, where that is known: its names are declared.
    """
    if meant and len(reader.blocks) == reader.depth and _obeyed(reader, statement, meant):
        return
    if statement[0] == "#":
        return
    statement = statement.rpartition(":")[2].strip()
    if not statement or len(reader.blocks) != reader.depth:
        reader.doubt = STRUCTURE if statement else reader.doubt
        return
    words = statement.split(None, 1)
    word = words[0].lower()
    if word[0] == ".":
        reader.doubt = STRUCTURE if word in _STRUCTURAL or word not in DIRECTIVES else reader.doubt or DECLARATIONS
        if word not in _STRUCTURAL:
            _unreported(reader, "".join(words[1:]))
    elif word not in (*OPENS, *CLOSES, "else"):
        _damaged(reader, word, words[1].split(",") if len(words) > 1 else [])
        return
    else:
        reader.doubt = STRUCTURE
    if word in (".proc", *OPENS) and reader.depth < MAX_BLOCKS:
        reader.blocks.append(Open("broken", reader.span(), word))
    elif word in CLOSES and len(reader.blocks) > 1:  # not the procedure
        block = reader.blocks.pop()
        if block.kind != "broken":
            reader.items.append(Mark(block.kind, block.name, reader.span()))
    elif word == ".end" and reader.blocks:
        reader.blocks.pop()


def _unreported(reader: Reader, rest: str) -> None:
    """Names that a declaration with an error may have been about are not reported where they are used."""
    for text in rest.replace(",", " ").replace("[", " ").split():
        if text.isidentifier() and not is_register(text):
            poison(reader, text)


def _obeyed(reader: Reader, statement: str, meant: str) -> bool:
    """Whether reading goes on as after the statement that is meant."""
    from lanewise.pica200.text.picasso.reading_as import declare_as, read_as

    if meant[0] == ";":
        return True
    if meant.endswith(":"):
        reader.labels[meant[:-1]] = reader.span()
        reader.items.append(Mark(m.LABEL, meant[:-1], reader.span()))
        reader.doubt = STRUCTURE
        return True
    if meant[0] != ".":
        word = statement.split(None, 1)[0].lower()  # the words of such a block are reported when this one is right
        return word[0] != "." and word not in OPENS and read_as(reader, meant, keep=True)
    word = meant.split(None, 1)[0].lower()
    reader.doubt = STRUCTURE if word in _STRUCTURAL else reader.doubt or DECLARATIONS
    declare_as(reader, meant)
    return True


def _damaged(reader: Reader, word: str, arguments: list[str]) -> None:
    """A placeholder for an instruction with these operands."""
    if not reader.blocks:  # a declaration of another language
        _unreported(reader, ",".join(arguments))
        return
    op, count = MNEMONICS.get(word), len(arguments)
    if op is None:
        fitting = [name for name, row in MNEMONICS.items() if count == len(row.operands) - row.opens_block]
        op = MNEMONICS.get(meant(word, fitting, reader.suggestions))
        if op is not None and op.opens_block and count and _is_register(arguments[0]):
            op = None  # no block is of a register: `foo r1` is no `for`
        if op is None and (count > 2 or (count == 2 and _may_be_written(reader, arguments[0]))):
            op = COMPUTATION
    reader.argument = -1
    if op is not None and op.opens_block:
        numeric = count >= numeric_operands(op) and any(each.strip()[:2].lower() == "0x" for each in arguments)
        if numeric or (op.kind != LOOP and count >= numeric_operands(op)) or len(reader.blocks) >= MAX_BLOCKS:
            op = None
        else:
            reader.open(m.END_FOR if op.kind == LOOP else m.END_IF, op.name)
    elif op is not None and op.kind == SETEMIT and not reader.make_unit().geometry:
        reader.become_geometry(reader.make_unit())
    reader.make_unit()
    reader.items.append(placeholder(op, reader.span()))


def _may_be_written(reader: Reader, text: str) -> bool:
    """Whether an operand looks like a destination: then its instruction computes."""
    name = text.strip().partition(".")[0]
    alias = reader.operands.aliases.get(name)
    return TEMPORARY <= alias.register < FLOAT or alias.letter == "o" if alias is not None else name[:1] in ("r", "o")


def _is_register(text: str) -> bool:
    name = text.strip().partition(".")[0]
    return name[:1] in ("r", "o", "v") and name[1:].isdigit()


def is_reported(block: Open, word: str) -> bool:
    """Whether a word that is no instruction ends or divides a block whose beginning has been reported."""
    return block.kind == "broken" and block.name in OPENS and word.lower() in ("else", *CLOSES)
