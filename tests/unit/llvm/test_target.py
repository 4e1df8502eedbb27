"""Which processor code is compiled for: this one, a level of it, or the one that LANEWISE_CPU names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import llvmlite.binding as llvm
import pytest

from corpus import REPOSITORY
from lanewise.llvm.target import PROCESSORS, VARIABLE, NoSuchProcessor, detected, host
from lanewise.tools import cli

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

V2 = ("cx16", "sahf", "popcnt", "sse3", "ssse3", "sse4.1", "sse4.2")
V3 = (*V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
V4 = (*V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """LLVM on a machine of a family with some features."""

    def build(family: str, features: Sequence[str]) -> None:
        monkeypatch.setattr(llvm, "get_process_triple", lambda: f"{family}-unknown-linux-gnu")
        monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: llvm.FeatureMap(dict.fromkeys(features, True)))

    return build


@pytest.mark.parametrize(
    ("features", "cpu", "level", "found"),
    [
        (V4, "", "native", "avx512"),
        (V4, "native", "native", "avx512"),
        (V3, "", "native", "avx2"),
        (V2, "", "native", "sse"),
        ((), "", "native", "sse"),
        (V4, "x86-64-v4", "native", "avx512"),
        (V4, "x86-64-v3", "native", "avx2"),
        (V4, "x86-64-v2", "native", "sse"),
        (V3, "x86-64-v3", "avx2", "avx2"),
        (V4, "x86-64-v3", "sse", "sse"),
        (("avx2", "fma"), "", "native", "avx2"),
    ],
)
def test_the_level(machine: Callable[..., None], features: tuple[str, ...], cpu: str, level: str, found: str):
    machine("x86_64", features)
    target = detected(level, cpu)
    assert target.level == found
    if cpu in PROCESSORS and level == "native":
        assert target.cpu == cpu


@pytest.mark.parametrize(
    ("family", "features", "cpu", "level", "message"),
    [
        ("x86_64", V4, "x86-64-v3", "avx512", "this machine has no avx512: LANEWISE_CPU is x86-64-v3"),
        ("aarch64", (), "", "avx2", "this machine has no avx2: it is aarch64"),
        ("x86_64", V3, "", "avx512", "this machine has no avx512: it is avx2"),
        (
            "x86_64",
            V3,
            "x86-64-v4",
            "native",
            (
                "LANEWISE_CPU is x86-64-v4, but this machine (x86_64) has no avx512f, avx512bw, avx512cd, avx512dq, avx512vl: "
                "use native"
            ),
        ),
        (
            "x86_64",
            V3[:-1],
            "x86-64-v3",
            "native",
            "LANEWISE_CPU is x86-64-v3, but this machine (x86_64) has no movbe: use native",
        ),
        ("x86_64", V3[:-1], "", "avx2", "this machine has not all of x86-64-v3: movbe"),
        ("x86_64", V4, "znver4", "native", "unknown LANEWISE_CPU 'znver4': use native, x86-64-v4, x86-64-v3, x86-64-v2"),
        (
            "aarch64",
            (),
            "x86-64-v2",
            "native",
            "LANEWISE_CPU is x86-64-v2, but this machine (aarch64) has no x86-64-v2: use native",
        ),
    ],
)
def test_what_a_machine_does_not_have(
    machine: Callable[..., None], family: str, features: tuple[str, ...], cpu: str, level: str, message: str
):
    machine(family, features)
    with pytest.raises(NoSuchProcessor) as caught:
        detected(level, cpu)
    assert str(caught.value) == message
    assert isinstance(caught.value, ValueError)


def test_the_key_of_a_kernel_has_the_processor(monkeypatch: pytest.MonkeyPatch):
    keys = {""}
    for cpu in PROCESSORS:
        monkeypatch.setenv(VARIABLE, cpu)
        try:
            keys.add(host().key)
        except NoSuchProcessor:
            keys.add(cpu)
    assert len(keys) == 1 + len(PROCESSORS)


# Runners of ShaderCore are kept by program: nothing else runs this one.
OWN = "add r0.x, v0.x, 1\nmul r0.y, r0.x, v0.x\nmul r0.z, r0.y, v0.y\nmov o0.x, r0.z\nend\n"
SHADERS = ("skinning.v.pica", "direct3d9/skin.vsa", "own.sc")


@pytest.mark.parametrize("name", SHADERS)
def test_every_engine_asks(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str):
    monkeypatch.setenv(VARIABLE, "z80")
    if name == "own.sc":
        (tmp_path / name).write_text(OWN)
    shader = str((tmp_path if name == "own.sc" else REPOSITORY / "examples") / name)
    assert cli.main(["run", shader, "--default", "0", "--count", "100", "--engine", "llvm"]) == 2
    assert (
        capsys.readouterr().err
        == "lanewise run: error: unknown LANEWISE_CPU 'z80': use native, x86-64-v4, x86-64-v3, x86-64-v2\n"
    )
