"""Ranges of `lanewise diff` are of inputs, uniforms and registers that there are."""

import pytest

from corpus import REPOSITORY
from lanewise.tools.cli import main

PICA, SC, D3D = (str(REPOSITORY / "examples" / name) for name in ("transform.v.pica", "transform.sc", "direct3d9/lit.vsa"))


@pytest.mark.parametrize(
    ("file", "name", "says"),
    [
        (PICA, "pos", "unknown input or uniform 'pos': did you mean position?"),
        (PICA, "position.x", ""),
        (PICA, "projection[1]", ""),
        (PICA, "v2.y", ""),
        (PICA, "*", ""),
        (SC, "positio", "unknown input or uniform 'positio': did you mean position?"),
        (SC, "c3", ""),
        (D3D, "positon", "unknown input or uniform 'positon': did you mean position?"),
        (D3D, "position", ""),
    ],
)
def test_a_range_of_what_is_not_there(file: str, name: str, says: str, capsys: pytest.CaptureFixture[str]):
    code = main(["diff", file, file, "--ulp", "1", "--range", f"{name}=0..1"])
    assert (code == 2) is bool(says)
    assert says in capsys.readouterr().err
