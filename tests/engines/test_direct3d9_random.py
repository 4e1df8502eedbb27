"""Random Direct3D 9 shaders: both engines give the same bits, under every rule, on every processor that can be told."""

from __future__ import annotations

import random

import pytest

from effort import times
from lanewise.core.diagnostics import InputError
from lanewise.direct3d9.engine.differential import compare
from lanewise.direct3d9.engine.random_programs import VERSIONS, Options, random_case
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.table import BY_VERSION_NAME
from lanewise.direct3d9.sem.numbers import NAMES, rule_of
from lanewise.direct3d9.sem.tree import resolve

EACH = times(1, 12)


@pytest.mark.one_of(3)
@pytest.mark.parametrize("rule", NAMES)
@pytest.mark.parametrize("version", VERSIONS)
def test_engines_agree(version: str, rule: str):
    for seed in range(EACH):
        rng = random.Random(f"{version} {rule} {seed}")
        case = random_case(rng, Options(versions=(version,)), lanes=rng.choice((1, 5, 16, 33)))
        difference = compare(case, rule_of(rule))
        assert difference is None, (seed, difference)


@pytest.mark.parametrize("level", ["sse", "avx2", "avx512"])
def test_engines_agree_on_other_processors(level: str):
    from lanewise.llvm.target import host

    try:
        host(level)
    except ValueError as error:
        pytest.skip(str(error))
    for seed in range(EACH):
        rng = random.Random(f"{level} {seed}")
        assert compare(random_case(rng), rule_of(rng.choice(NAMES)), level) is None, seed


@pytest.mark.parametrize(
    "setting",
    [
        "zero_product=zero",
        "rcp_zero=largest,rsq_zero=largest,log_zero=largest",
        "scalar=x,logp=parts",
        "mova_tie=up,pow_zero=one",
        "mova_tie=away,min_max=rule",
        "coissue=in_order,ps1_range=1",
        "mov_a0=nearest",
    ],
)
def test_engines_agree_under_every_choice(setting: str):
    for seed in range(EACH):
        rng = random.Random(f"{setting} {seed}")
        assert compare(random_case(rng), rule_of(rng.choice(NAMES)).set(setting)) is None, seed


def test_a_hundred_shaders_have_everything():
    """Every arithmetic instruction and every instruction of flow, in some shader, in a version that has it; all resolve."""
    seen: set[str] = set()
    expected = {op.name for op in isa.OPS if op.role in (isa.ARITHMETIC, isa.FLOW)} - {"nop", "bem"}
    for seed in range(400):
        if seed >= times(100, 400) and expected <= seen:
            return
        case = random_case(random.Random(seed))
        flow, findings = resolve(case.shader)
        assert flow is not None, findings
        for inst in case.shader.insts:
            assert isa.has(inst.op, case.shader.version), inst.op.name
            seen.add(inst.op.name)
    assert expected <= seen, expected - seen


def test_what_compiles_has_nothing_that_only_a_run_can_do():
    for seed in range(200):
        case = random_case(random.Random(seed), Options(compiles=True))
        flow, _ = resolve(case.shader)
        assert flow is not None
        for inst in flow.insts:
            assert inst.op.name not in ("dsx", "dsy", "texkill") and inst.op.role != isa.TEXTURING
            if inst.op.name in ("loop", "rep"):
                assert inst.sources[-1].number in flow.integers
    assert set(VERSIONS) <= set(BY_VERSION_NAME)


def test_a_wrong_compiler_is_found(monkeypatch: pytest.MonkeyPatch):
    """The comparison sees a word that is computed wrongly."""
    from lanewise.direct3d9.engine.llvm.ops import Vectors

    monkeypatch.setattr(Vectors, "negate", lambda self, a: a)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    monkeypatch.setenv("LANEWISE_CACHE", "off")
    monkeypatch.setattr("lanewise.direct3d9.engine.llvm.kernel._kernels", {})
    found = 0
    for seed in range(30):
        try:
            found += compare(random_case(random.Random(seed)), rule_of("ieee")) is not None
        except InputError:
            continue
        if found > 3:
            return
    pytest.fail(f"only {found} differ")
