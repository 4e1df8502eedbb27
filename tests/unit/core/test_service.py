"""Services: names of files."""

import pytest

from lanewise.core.service import SourceFile


@pytest.mark.parametrize(
    ("path", "stem"),
    [
        ("light.sc", "light"),
        ("shaders/light.v.sc", "light"),
        ("a\\b.vsa", "b"),
        ("-", "shader"),
        ("", "shader"),
        (".sc", "shader"),
    ],
)
def test_the_stem_of_a_file(path: str, stem: str):
    assert SourceFile("x", b"", path).stem == stem
