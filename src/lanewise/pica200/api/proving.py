"""Whether two shaders are equal: matching, proof, and values with which they differ."""

from __future__ import annotations

from lanewise.core.comparison import DIFFERS, EQUAL, UNKNOWN, Comparison
from lanewise.core.engines import LLVM, REFERENCE
from lanewise.core.extras import compiler_lacks
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.api.counter_examples import example_of, registers_read
from lanewise.pica200.isa.table import FLOAT, INTEGER
from lanewise.pica200.proof.code import code_of_words, opcodes_of
from lanewise.pica200.proof.matching import match, other_registers, transposed
from lanewise.pica200.proof.questions import profiles_asked
from lanewise.pica200.proof.structure import Assumptions, Prover
from lanewise.pica200.sem.profile import HARDWARE, PRESETS, profiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.nearness import Near
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.engine.witness import Found, Pair
    from lanewise.pica200.proof.code import Code
    from lanewise.pica200.sem.profile import Profile

_FEW, _MANY = 12, 2_000  # vertices of a search: on the reference engine, on the compiled one
_ROUNDS = 8
_MOST_STEPS = 20_000  # of the reference engine with a profile, for each search that is asked for
_LISTED = 12  # uniforms of a counter-example that need no clearing
_CLEARINGS = 64
_PROFILES = 3  # that are tried besides the one under which the proof failed


class Question(Record):
    """What is asked of two shaders."""

    profiles: tuple[Profile, ...] | None = None
    "None: the presets with all open answers."
    assumptions: Assumptions = Assumptions()
    "What a proof may assume."
    rounds: int = _ROUNDS
    "How often a difference is searched for."
    near: Near | None = None
    "How far apart results may be under the first profile; None: they are the same."
    transposed: tuple[str, ...] = ()
    "Matrices whose registers are rows in one program and columns in the other."


def compare_shaders(
    first: Shader, second: Shader, names: tuple[str, str] | None = None, question: Question | None = None
) -> Comparison:
    """Compare two shaders for all inputs. Raises ValueError for `transposed` names that are not those of matrices."""
    asked = question or Question()
    names = names or _names(first, second)
    codes = (
        code_of_words(first.words, first.descriptors, first.interface),
        code_of_words(second.words, second.descriptors, second.interface),
    )
    if first.stage != second.stage:
        reason = f"{names[0]} is a {first.stage} shader and {names[1]} a {second.stage} shader"
        return Comparison(UNKNOWN, names, unmatched=[reason], reason="shaders of different stages are not compared")
    constants = asked.assumptions.constants
    matching = match(codes, (first.interface, second.interface), names, constants=constants)
    turned = transposed((first.interface, second.interface), asked.transposed)
    codes = codes[0], codes[1]._replace(numbers=matching.numbers, transposed=turned)
    if matching.unmatched:
        return Comparison(
            UNKNOWN, names, unmatched=matching.unmatched, reason="what only one program has is equal to nothing in the other"
        )
    prover = Prover(codes[0], asked.profiles, asked.assumptions)
    reason = None if matching.presets else prover.compare(codes[1])
    if reason is None and not matching.presets:
        stripped = [name for name, each in zip(names, (first, second), strict=True) if each.interface.stripped]
        registers = [f"inputs and uniforms by their registers: {name} has no names of them" for name in stripped]
        registers += other_registers(matching, (first.interface, second.interface), names)
        return Comparison(EQUAL, names, used=[*matching.alone, *registers, *question_used(codes, asked)])
    if asked.near is not None and not matching.presets:
        from lanewise.pica200.api.nearness import Nearness

        apart = Nearness(
            near=asked.near,
            codes=codes,
            interfaces=(first.interface, second.interface),
            profile=asked.profiles[0] if asked.profiles else HARDWARE,
            assumptions=asked.assumptions,
        )
        return apart.compared(names, asked.rounds, [*matching.alone, *question_used(codes, asked)])
    found = _search(codes, prover.profile, asked)
    if found is not None:
        pair, difference = found[0], _cleared(*found, codes)
        example = example_of(pair, difference, codes, (first.interface, second.interface))
        return Comparison(DIFFERS, names, unmatched=(*matching.alone, *matching.presets), example=example)
    profile, what = prover.profile, "constants that are not overwritten have other values"
    if reason is not None:
        profile, reason = prover.explained(codes[1], reason)
        what = reason.what
    where = f" under profile {profile.describe()}" if profile is not None else ""
    return Comparison(
        UNKNOWN,
        names,
        unmatched=(*matching.alone, *matching.presets),
        reason=f"no proof{where}: {what}; no difference found in {asked.rounds} searches",
    )


def _names(first: Shader, second: Shader) -> tuple[str, str]:
    """Names of two shaders that are not the same."""
    for names in ((first.file, second.file), (first.name, second.name)):
        if names[0] != names[1]:
            return names
    return "the first program", "the second program"


def question_used(codes: tuple[Code, Code], asked: Question) -> list[str]:
    """What a proof rests on, in sentences."""
    used: list[str] = []
    opcodes = opcodes_of(codes[0]) | opcodes_of(codes[1])
    if asked.profiles is None:
        count = len(profiles_asked(opcodes, geometry=codes[0].geometry))
        used.append(f"{count} profiles: {', '.join(PRESETS)}, and each of them with every other answer to one open question")
    else:
        used.append("profile " + "; ".join([profile.describe() for profile in asked.profiles]))
    if asked.assumptions.constants:
        used.append("constants of the files are not overwritten")
    used += [f"registers of {name} are its rows in one program and its columns in the other" for name in asked.transposed]
    used.append("NaN are compared by their patterns" if asked.assumptions.nan_patterns else "all NaN are one value")
    return used


def _search(codes: tuple[Code, Code], failed: Profile | None, asked: Question) -> tuple[Pair, Found] | None:
    """Look for a difference: with the profile under which the proof failed, then with the others that were asked for."""
    from lanewise.pica200.engine.witness import Pair, Side
    from lanewise.pica200.engine.witness_data import FEW, PLAIN

    tried: list[Profile] = [failed] if failed is not None else []
    tried += [profile for profile in asked.profiles or profiles.values() if profile != failed][:_PROFILES]
    constants, nan_patterns = asked.assumptions

    def side(code: Code, profile: Profile) -> Side:
        return Side(code, profile, constants=constants, nan_patterns=nan_patterns, quick=True)

    pairs = [Pair(side(codes[0], profile), side(codes[1], profile)) for profile in tried]
    searches = [
        (engine, number)
        for engine in ((REFERENCE, LLVM) if not compiler_lacks() else (REFERENCE,))
        for number in range(asked.rounds)
    ]
    if codes[0].geometry:
        searches = searches[: asked.rounds]
    searches += [("start", number) for number in range(asked.rounds)]  # where another program has left other values than zeros
    for name, number in searches:
        for pair in pairs:
            if pair.steps > _MOST_STEPS * asked.rounds:
                return None
            if name == "start":
                found = pair.differ(f"{name} {number}", _FEW, started=True, engine=REFERENCE) if pair.starts else None
            else:
                style = PLAIN if number < 2 else FEW if number < 4 else None
                vertices = _MANY if name == LLVM else _FEW
                found = pair.differ(f"{name} {number}", vertices, overwritten=bool(number & 1), style=style, engine=name)
            if found is not None:
                return _reduced(pair, found, pairs)
    return None


def _reduced(pair: Pair, found: Found, pairs: Sequence[Pair]) -> tuple[Pair, Found]:
    """The difference on its last vertex without those before it, and under a preset, where it is one there too."""
    last = found.data.of(slice(-1, None))
    wide = pair.profile.rounding == "float32"
    presets = [each for each in pairs if each.profile in profiles.values() and (each.profile.rounding == "float32") == wide]
    for each in (*presets, pair):
        alone = each.replay(last)
        if alone is not None:
            return each, alone
    return pair, found


def _cleared(pair: Pair, found: Found, codes: tuple[Code, Code]) -> Found:
    """The difference with zeros in the float uniforms that it does not need, where the programs may read many of them by an
    index."""
    floats = [n - FLOAT for n in sorted(registers_read(codes, found.data)) if FLOAT <= n < INTEGER]
    open_ = [floats] if len(floats) > _LISTED else []
    for _ in range(_CLEARINGS):
        if not open_:
            break
        part = open_.pop()
        words = [(0, 0, 0, 0) if n in part else row for n, row in enumerate(found.data.floats)]
        fewer = pair.replay(found.data._replace(floats=tuple(words)))
        if fewer is not None:
            found = fewer
        elif len(part) > 1:
            open_ += [part[: len(part) // 2], part[len(part) // 2 :]]
    return found
