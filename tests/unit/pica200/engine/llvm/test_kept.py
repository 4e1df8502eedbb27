"""Plans that are kept on disk: they are the plans, and a start that finds one analyses nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import lanewise as lw
from lanewise.llvm import cache, loading
from lanewise.pica200.engine.differential_geometry import geometry_case
from lanewise.pica200.engine.llvm import generate, plan
from lanewise.pica200.engine.llvm.compiled import Compiled
from lanewise.pica200.engine.llvm.kept import from_json, to_json
from lanewise.pica200.engine.llvm.planned import Plan
from lanewise.pica200.engine.random_programs import case
from lanewise.pica200.engine.run import KEPT_BREAK_EVEN
from lanewise.pica200.ir.ssa import Geometry, Unsupported

if TYPE_CHECKING:
    from pathlib import Path

    from lanewise.pica200.engine.llvm.planned import Analysis

SOURCE = ".out pos position\n.proc main\n    add pos, v0, v0\n    end\n.end\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    return tmp_path


def run(source: str = SOURCE) -> list[float]:
    found = lw.assemble(source).vertex.run({"v0": np.ones((20, 4), np.float32)}, engine="llvm")
    return found.outputs["position"][0].tolist()


def nothing() -> Analysis:
    raise AssertionError("analysed")


def never(*_: object) -> object:
    raise AssertionError("done again")


def test_a_plan_comes_back_as_it_was():
    """Branches, masks that depend on the lane, gathers, emissions of geometry shaders, and programs that are not compiled."""
    plans: list[Plan] = []
    reasons: list[Unsupported] = []
    for turn in range(40):
        if turn % 2:
            sent = geometry_case(9, turn).program
            geometry = Geometry((0, 1), range(4, 7) if turn % 4 == 1 else range(0))
            program = Compiled(sent.words, sent.descriptors, 0, sent.profile, geometry=geometry)
            plan = program.plan([True] * 16)
        else:
            one = case(9, turn)
            program = Compiled(one.words, one.descriptors, 0, one.profile)
            plan = program.plan(one.booleans)
        if isinstance(plan, Unsupported):
            reasons.append(plan)
            assert from_json(to_json(plan), program.profile, nothing) == plan
            continue
        plans.append(plan)
        again = from_json(to_json(plan), program.profile, plan.analysis)
        assert again == plan
    assert len(plans) > 20 and reasons
    assert {plan.gathers for plan in plans} == {plan.loops for plan in plans} == {True, False}
    assert any(plan.unsure for plan in plans) and any(plan.booleans for plan in plans)


def test_a_start_that_finds_plan_and_kernel_analyses_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch):
    assert run() == [2.0] * 4
    assert len(cache.plans()) == 1
    for module, name in ((plan, "plan"), (plan, "plan_geometry"), (generate, "generate")):
        monkeypatch.setattr(module, name, never)
    monkeypatch.setattr(loading, "compile_object", never)
    assert run() == [2.0] * 4


def test_a_kernel_that_is_missing_is_made_from_the_plan_that_is_there(folder: Path):
    run()
    (kernel,) = cache.kept()
    code = kernel.read_bytes()
    kernel.unlink()
    assert run() == [2.0] * 4
    assert kernel.read_bytes() == code


@pytest.mark.parametrize("damage", [b"", b"short", None])
def test_a_damaged_plan_is_as_good_as_none(damage: bytes | None, folder: Path):
    run()
    (path,) = cache.plans()
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]) if damage is None else damage)
    assert run() == [2.0] * 4
    assert path.read_bytes() == data


@pytest.mark.parametrize("data", [b"", b"\xff", b"[]", b"1", b"{}", b'{"outputs":1}', b'{"unsupported'])
def test_other_data_is_as_good_as_none(data: bytes, folder: Path):
    run()
    (path,) = cache.plans()
    whole = path.read_bytes()
    cache.put(path.stem, data, cache.PLAN)
    assert run() == [2.0] * 4
    assert path.read_bytes() == whole


def test_a_plan_is_no_kernel_and_a_kernel_no_plan(folder: Path):
    run()
    (kernel,), (plan,) = cache.kept(), cache.plans()
    kernel.with_suffix(cache.PLAN).write_bytes(kernel.read_bytes())
    plan.with_suffix(cache.KERNEL).write_bytes(plan.read_bytes())
    assert cache.get(kernel.stem, cache.PLAN) is None
    assert cache.get(plan.stem, cache.KERNEL) is None


def test_the_reason_why_a_program_is_not_compiled_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch):
    def reason() -> str:
        return lw.assemble(SOURCE).vertex.explain_engine(profile=lw.pica200.profiles["hardware"].replace(precision="float32"))

    before = reason()
    monkeypatch.setattr(plan, "plan", never)
    assert reason() == before


def test_auto_takes_a_kernel_that_is_kept_for_less_work_than_it_compiles_one_for(folder: Path):
    few, some = KEPT_BREAK_EVEN // 2 - 1, KEPT_BREAK_EVEN
    assert lw.assemble(SOURCE).vertex.explain_engine(vertices=some).startswith("reference: ")
    assert list(folder.iterdir()) == []
    run()
    assert lw.assemble(SOURCE).vertex.explain_engine(vertices=some).startswith("llvm: ")
    assert lw.assemble(SOURCE).vertex.explain_engine(vertices=few).startswith("reference: ")
