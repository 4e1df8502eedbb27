"""Code for all processors: it calls nothing, has no instruction of another one, and an Arm (by qemu) gives the bits of the
reference engine."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest

from effort import EXHAUSTIVE, times
from engines.arm import Arm, ArmRunner, Machine
from engines.kernels import Intercepted, InterceptedRunner, unknown
from engines.shaders import descriptor, word
from engines.test_differential import flushed_products
from engines.unary import COUNT, FUNCTIONS, ROUNDINGS, profile
from lanewise.core.engines import LLVM
from lanewise.llvm.movement import ONE, PACKED, ROWS, Layout
from lanewise.llvm.target import MODES, aarch64, assembly, host
from lanewise.pica200.engine.binding import Column, Columns, Inputs, Uniforms
from lanewise.pica200.engine.differential import compare
from lanewise.pica200.engine.llvm.generate import generate
from lanewise.pica200.engine.llvm.plan import Plan, plan, plan_geometry
from lanewise.pica200.engine.random_programs import case
from lanewise.pica200.engine.run import Runner
from lanewise.pica200.ir.ssa import Geometry
from lanewise.pica200.isa.table import FLOAT as C
from lanewise.pica200.isa.table import OPS
from lanewise.pica200.isa.table import TEMPORARY as R
from lanewise.pica200.sem.profile import HARDWARE, profiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from engines.kernels import Site
    from lanewise.llvm.target import Target
    from lanewise.pica200.sem.profile import Profile

PROFILES = {
    "zero": profile("zero"),
    "nearest": profile("nearest"),
    "ieee": HARDWARE.replace(negative_zero="ieee", nan_pattern="kept", overflow="largest", mova_fraction="nearest"),
    "float32": profiles["azahar"].replace(initial_state="zero"),
    "float32-kept": HARDWARE.replace(
        rounding="float32", nan_pattern="kept", subnormal_arithmetic="keep", subnormal_floor="keep"
    ),
}
# Every instruction that computes, between flow on which lanes part.
COMPUTING = tuple(
    word(
        op.name,
        **{f"src{n}": (n - 1 + C * (n == 1)) % 0x80 if op.source_count > 1 else n for n in range(1, op.source_count + 1)},
        **({"dst": R + place % 16} if op.format.has("dst") else {}),
    )
    for place, op in enumerate(
        op for op in OPS if "src" in op.operands and not op.name.endswith("i") and not op.name.startswith("mad")
    )
)
BODY = (
    word("mova", src1=0),
    word("mov", dst=R, src1=C, idx=1),
    word("for", dst=5),
    word("mad", dst=R, src1=R, src2=0, src3=1),
    word("cmp", src1=R, src2=1),
    word("breakc", refx=1, condop=2),
    *COMPUTING,
)
PROGRAM = (*BODY, *(word("mov", dst=n, src1=R + n) for n in range(16)), word("end"))
PROGRAMS = times(2, 60)
LAYOUTS = {0: Layout(PACKED, 4), 1: Layout(ROWS, 3), 2: Layout(ONE, 2), 3: Layout(ROWS, 4)}


# Emits in a loop that lanes leave when they like; registers that are fed, by an index that differs.
SENDING = (
    word("mova", src1=0),
    word("mov", dst=0, src1=C, idx=1),
    word("for", dst=6),
    word("cmp", src1=R, src2=1),
    word("breakc", refx=1, condop=2),
    word("setemit", vertex=2, primitive=1),
    word("emit"),
    word("emit"),
    word("end"),
)


def code(target: Target, rules: Profile, *, exact: bool, sends: bool = False) -> tuple[str, str]:
    """IR and assembly of a kernel of everything; `sends`: of a geometry shader."""
    if sends:
        rules = rules.replace(keep_registers_between_invocations="cleared")
        made = plan_geometry(SENDING, [descriptor()], 0, {}, rules, Geometry((0, 1), range(4, 9)))
    else:
        made = plan(PROGRAM, [descriptor()], 0, {}, rules)
    assert isinstance(made, Plan), made
    text = generate(made, LAYOUTS, target, exact=exact)
    return text, assembly(text, target)


@pytest.mark.one_of(7)
@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize("sends", [False, True])
@pytest.mark.parametrize("level", ["native", "avx512", "avx2", "sse"] if EXHAUSTIVE else ["native", "sse"])
def test_kernels_call_nothing(level: str, sends: bool, name: str, exact: bool):
    """No function of the C library, which another system may not have, and which knows nothing of the rounding that is set."""
    try:
        target = host(level)
    except ValueError as error:
        pytest.skip(str(error))
    _, text = code(target, PROFILES[name], exact=exact, sends=sends)
    # The address of a function stands in a call, or in a register if it may be far away.
    called = re.findall(r"^\s+(?:callq?|jmp|bl|b)\s+([A-Za-z_]\w*)$|movabsq\s+\$([A-Za-z_]\w*)", text, re.MULTILINE)
    names = {near or far for near, far in called} - {"_GLOBAL_OFFSET_TABLE_"}
    assert {name.removeprefix("_") for name in names} <= {"kernel"}


@pytest.mark.one_of(7)
@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize("sends", [False, True])
def test_code_for_arm_has_nothing_of_x86(sends: bool, name: str, exact: bool):
    ir, text = code(aarch64(), PROFILES[name], exact=exact, sends=sends)
    assert "x86" not in ir
    assert "x86" not in text
    assert not re.search(r"\b[xyz]mm\d", text)
    assert set(re.findall(r"^\s+bl\s+(\S+)", text, re.MULTILINE)) == {"kernel"}
    assert len(re.findall(r"^\s+msr\s+FPCR", text, re.MULTILINE | re.IGNORECASE)) == 2
    assert len(re.findall(r"^\s+mrs\s+x\d+, FPCR", text, re.MULTILINE | re.IGNORECASE)) == 1


def test_control_words():
    """Rounding and flushing in MXCSR (Intel SDM 1, 10.2.3) and FPCR (Arm ARM, C5.2.8)."""
    for name, words in MODES.items():
        rounding = 3 if name.startswith("zero") else 0
        flush = name.endswith("flush")
        assert words["x86"] >> 13 & 3 == words["aarch64"] >> 22 & 3 == rounding
        assert (words["x86"] >> 15 & 1, words["x86"] >> 6 & 1, words["aarch64"] >> 24 & 1) == (flush, flush, flush)
        assert words["x86"] >> 7 & 0x3F == 0x3F  # all exceptions masked


class Unknown(Intercepted):
    """A program on a processor of which nothing is known."""

    def __init__(
        self, words: Sequence[int], descriptors: Sequence[int], entry: int, profile: Profile, level: str = "native"
    ) -> None:
        super().__init__(words, descriptors, entry, profile, level)
        self.target = unknown()

    def execute(self, site: Site, words: NDArray[np.int64]) -> None:
        assert site.exact or self.profile.rounding == "float32"
        site.kernel.run(words.ctypes.data)


class UnknownRunner(InterceptedRunner):
    kind = Unknown


def test_random_programs_where_rounding_cannot_be_set():
    compiled = 0
    numbers = range(60) if EXHAUSTIVE else range(3, 7)  # short ones: LLVM takes seconds for others
    for number in numbers:
        found = compare(case(5000, number), make=UnknownRunner)
        assert found.difference is None, f"case(5000, {number})"
        compiled += not found.reason
    assert compiled > len(numbers) * 3 // 4


@pytest.fixture(scope="module")
def arm(arm_machine: Machine) -> Machine:
    Arm.machine = arm_machine
    return arm_machine


@pytest.mark.usefixtures("arm")
def test_random_programs_on_an_arm():
    compiled = 0
    for number in range(PROGRAMS):
        found = compare(case(4000, number), make=ArmRunner)
        assert found.difference is None, f"case(4000, {number})"
        compiled += not found.reason
    assert compiled > PROGRAMS * 3 // 4


@pytest.mark.usefixtures("arm")
@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_an_arm_flushes_before_it_rounds(rounding: str):
    """x86 flushes what is small after rounding, Arm what is small before; the rules do not let that be seen."""
    assert compare(flushed_products(rounding), make=ArmRunner).difference is None


# All words in `nox -s exhaustive`, one in 211 otherwise.
STEP = times(211, 1)
PIECE = 1 << 14


@pytest.mark.usefixtures("arm")
@pytest.mark.one_of(3)
@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_functions_of_one_number_on_an_arm(rounding: str, name: str, exact: bool):
    """Against the machine that this runs on, whose results of all words have the digests (test_unary.py)."""
    rules = profile(rounding)
    words = [word(name, dst=0, src1=0, desc=component) for component in range(4)]
    descriptors = [descriptor(8 >> component, selectors=[0x55 * component] * 3) for component in range(4)]
    # An infinite uniform has everything done by exact kernels.
    source = [*words, word("mov", dst=1, src1=C, desc=4), word("end")]
    first = 0x7F0000 if exact else 0
    uniforms = Uniforms(
        floats=((first, first, first, first),) * 96, integers=((0, 0, 0, 0),) * 4, booleans=(False,) * 16, given=frozenset()
    )
    here, there = (
        Runner(source, [*descriptors, descriptor()], 0, rules),
        ArmRunner(source, [*descriptors, descriptor()], 0, rules),
    )
    given = np.arange(0, COUNT, STEP, dtype=np.uint32)
    given = np.resize(given, (-(-len(given) // 4), 4))
    for start in range(0, len(given), PIECE):
        rows = given[start : start + PIECE]
        inputs = Inputs(Columns({0: Column(rows, raw=True, profile=rules)}, len(rows)), len(rows))
        wanted, found = (runner.run(inputs, uniforms, (), (0, 1), 1000, engine=LLVM) for runner in (here, there))
        assert found.engine == wanted.engine == LLVM
        wrong = np.nonzero(found.bits["o0"] != wanted.bits["o0"])
        assert not len(wrong[0]), [f"{word:06X}" for word in rows[wrong][:5].tolist()]
