"""`lanewise isa`: show the reference of an instruction set."""

from __future__ import annotations

from lanewise.core.document import Heading, Table
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import FLAG, OPTIONAL, TEXT, Option, UsageError
from lanewise.packages import languages, look_up, package_of, packages
from lanewise.tools.command import lacks, parse, refuse_foreign, request_for, show
from lanewise.tools.command_line import FORMAT, CommandLine
from lanewise.tools.console import OK, print_json, print_page

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.document import Block
    from lanewise.tools.command import Parsed

LINE = CommandLine(
    name="isa",
    about="Look up an instruction set, an instruction or a machine word.",
    options=(
        Option(
            names=("--evidence",),
            kind=OPTIONAL,
            help="how well the behaviour is known, and from where; about a TOPIC: an instruction, a field of a profile, words",
            metavar="TOPIC",
        ),
        Option(
            names=("--rewrites",),
            kind=FLAG,
            help="the rewrite rules of the compilers and the prover, and equations that are believed and wrong",
        ),
        Option(names=("--decode",), kind=TEXT, help="the fields of a machine word, in hexadecimal", metavar="WORD"),
        FORMAT,
    ),
    examples="""
  lanewise isa                              the instruction sets
  lanewise isa --rewrites                   what the compilers and the prover rewrite, and how each rule is known""",
    files="*",
    file_help="an instruction set, then a mnemonic or an opcode such as 0x13; without them the sets are listed",
    isa=False,
    dialect=False,
)


def main(argv: list[str]) -> int:
    parsed = parse(LINE, argv)
    names = parsed.files
    topic = parsed.values.get("evidence")
    if not names and topic in [package.name for package in packages()]:  # `lanewise isa --evidence pica200`
        names, topic = (str(topic),), ""
    word = parsed.values.get("decode")
    if len(names) > 2:
        raise UsageError(f"one instruction set and one OPCODE, not {' '.join(names)}")
    if sum((len(names) == 2, topic is not None, word is not None)) > 1:
        raise UsageError("OPCODE, --evidence and --decode are mutually exclusive")
    if parsed.values.get("rewrites"):
        if names or topic is not None or word is not None:
            raise UsageError("--rewrites is about no instruction set: write lanewise isa --rewrites")
        from lanewise.rules import page as rewriting

        return _show(rewriting.page(), rewriting.data(), parsed)
    if not names:
        if topic is not None or word is not None:
            raise UsageError(
                f"name the instruction set: lanewise isa {' or '.join([package.name for package in packages()])} ..."
            )
        if "device" in parsed.values:
            owner = parsed.owners["device"][0].name
            raise UsageError(f"name the instruction set: lanewise isa {owner} --device {parsed.text('device')}")
        look_up()
        listed = [(package.name, package.about) for package in packages()]
        page = [Heading(1, "Instruction sets"), Table(("name", "what"), tuple(listed))]
        return _show(page, {"isas": [{"name": name, "title": title} for name, title in listed]}, parsed)
    try:
        package = package_of(names[0].lower())
    except ValueError as error:
        raise UsageError(f"{error}{_which_have(names[0])}{_device(names[0])}") from None
    refuse_foreign(parsed, [package])
    parsed.used.append(package.name)
    if package.reference is None:
        raise lacks(package, "reference")
    reference = package.reference()
    if topic is not None:
        if reference.evidence is None:
            raise lacks(package, "table of evidence")
        return _show(*reference.evidence(str(topic)), parsed)
    if word is not None:
        if reference.decode is None:
            raise UsageError(
                f"{package.title} has no machine words to decode: lanewise inspect FILE --listing shows those of a file"
            )
        return _show(*reference.decode(request_for(parsed, (), package)), parsed)
    if len(names) == 2 and names[1].endswith(".toml") and not parsed.flag("device-template"):
        raise UsageError(f"{names[1]} is a file, expected an instruction: write lanewise isa {names[0]} --device {names[1]}")
    answer = (
        reference.machine(request_for(parsed, (), package), names[1] if len(names) == 2 else "") if reference.machine else None
    )
    if answer is not None:
        return show(answer, parsed)
    if len(names) == 2:
        return _show(*reference.instruction(names[1]), parsed)
    return _show(*reference.overview(), parsed)


def _device(name: str) -> str:
    """The command for a device or profile where an instruction set belongs, as the end of a message; empty for none."""
    for package in packages():
        option = next((row.option for row in package.variants() if row.name == name.lower()), "")
        if option:
            command = f" {option} {name.lower()}" if option == "--device" else ""
            return f"; {name} is a {option.lstrip('-')} of {package.title}: write lanewise isa {package.name}{command}"
    return ""


def _which_have(mnemonic: str) -> str:
    """The command that looks an instruction up, for a name that is an instruction where an instruction set belongs."""
    having = [package.name for package, language in languages() if mnemonic.lower() in language.mnemonics()]
    found = [f"`lanewise isa {name} {mnemonic}`" for name in dict.fromkeys(having)]
    return f"; for the instruction write {' or '.join(found)}" if found else ""


def _show(page: Sequence[Block], data: Mapping[str, object], parsed: Parsed) -> int:
    if parsed.as_json:
        print_json("isa", data, parsed.isa)
    else:
        print_page(page)
    return OK
