"""Lines that are not TOML: what is said is followed, and then the file is read."""

from __future__ import annotations

import tomllib

import pytest

from lanewise.core.tables import parse
from lanewise.core.toml_meant import meant
from together import together

BEFORE, AFTER = "a = 1\n", "\nz = 2\n[t]\nb = 1\n"


@together(
    ("line", "right"),
    [
        ("program = \u201clit.v.pica\u201d", 'program = "lit.v.pica"'),
        ("program = \u2018lit.v.pica\u2019", "program = 'lit.v.pica'"),
        ('program = "shaders\\lit.v.pica"', 'program = "shaders/lit.v.pica"'),
        ('program = "C:\\Users\\lit.v.pica"', 'program = "C:/Users/lit.v.pica"'),
        ("program = lit.v.pica", 'program = "lit.v.pica"'),
        ("program: lit.v.pica", 'program = "lit.v.pica"'),
        ('program := "lit.v.pica"', 'program = "lit.v.pica"'),
        ('program "lit.v.pica"', 'program = "lit.v.pica"'),
        ('program = "lit.v.pica', 'program = "lit.v.pica"'),
        ('program = "lit.v.pica";', 'program = "lit.v.pica"'),
        ('program = "lit.v.pica",', 'program = "lit.v.pica"'),
        ("sun = [0, 0, 1", "sun = [0, 0, 1]"),
        ("sun = [0, 0, 1}", "sun = [0, 0, 1]"),
        ("sun = (0, 0, 1)", "sun = [0, 0, 1]"),
        ("sun = {0, 0, 1}", "sun = [0, 0, 1]"),
        ("sun = vec3(0, 0, 1)", "sun = [0, 0, 1]"),
        ("sun = np.array([0, 0, 1])", "sun = [0, 0, 1]"),
        ("sun = [0 0 1]", "sun = [0, 0, 1]"),
        ("sun = [0; 0; 1]", "sun = [0, 0, 1]"),
        ("sun = 0, 0, 1", "sun = [0, 0, 1]"),
        ("sun = 0 0 1", "sun = [0, 0, 1]"),
        ("sun = [.5, 0, 1.]", "sun = [0.5, 0, 1.0]"),
        ("sun = [0.5f, 0, 1]", "sun = [0.5, 0, 1]"),
        ("sun = [\u22121, 0, 0]", "sun = [-1, 0, 0]"),
        ("sun\u00a0= [0, 0, 1]", "sun = [0, 0, 1]"),
        ("sun = [0, 0, 1] // towards the light", "sun = [0, 0, 1]"),
        ("uniform vec3 sun = [0, 0, 1]", "sun = [0, 0, 1]"),
        ("m = ((1, 0), (0, 1))", "m = [[1, 0], [0, 1]]"),
        ("m = [[1, 0] [0, 1]]", "m = [[1, 0], [0, 1]]"),
        ("glossy = True", "glossy = true"),
        ("glossy = off", "glossy = false"),
        ("glossy = None", ""),
        ("glossy =", ""),
        ("; a comment", ""),
        ("```toml", ""),
        ("[[test]", "[[test]]"),
        ("uniforms:", "[uniforms]"),
        ("inputs = { position: [0, 0, 0] }", "inputs = { position = [0, 0, 0] }"),
        ("inputs = { position = [0, 0, 0], }", "inputs = { position = [0, 0, 0] }"),
        ("ambient = #403830", "ambient = [0.251, 0.22, 0.188]"),
        ("x = 1,5", "x = 1.5"),
        ("x = 1/3", "x = 0.333333333"),
        ("name = it's fine", 'name = "it\'s fine"'),
        ('name = "a "quoted" name"', "name = 'a \"quoted\" name'"),
        ("gr\u00f6\u00dfe = 1", '"gr\u00f6\u00dfe" = 1'),
    ],
)
def test_lines(line: str, right: str):
    with pytest.raises(tomllib.TOMLDecodeError) as error:
        tomllib.loads(BEFORE + line + AFTER)
    found = meant(BEFORE + line + AFTER, str(error.value))
    assert found is not None
    assert (found.line, found.fix) == (2, f"write `{right}`" if right else "remove the line")
    tomllib.loads(BEFORE + right + AFTER)


@together(
    ("text", "line", "fix"),
    [
        ("inputs = {\n  a = [0, 0],\n  b = 1\n}\nc = 2\n", 1, "write `inputs = { a = [0, 0], b = 1 }` on one line"),
        ("m = [\n [1, 0]\n [0, 1]\n]\nc = 2\n", 2, "write `[1, 0],`"),
        ("m = [\n [1, 0],\n [0, 1]\nc = 2\n[t]\n", 3, "write `[0, 1]]`"),
        ("sun = [0, 0, 1\n\n[t]\n", 1, "write `sun = [0, 0, 1]`"),
        ("sun = [0, 0, 1", 1, "write `sun = [0, 0, 1]`"),
        ('a = "x\nc = 1\n', 1, 'write `a = "x"`'),
        ("[test]\na = 1\n[test]\na = 2\n", 3, "put its keys below line 1, or write [[test]] each time for a list of tables"),
        ("[test]\na = 1\n[[test]]\na = 2\n", 1, "write [[test]] here too"),
        ("[[test]] # one\na = 1\n[t]\n[test] # two\na = 2\n", 4, "write [[test]] here too"),
        ("[[test]]\na = 1\n[test.b]\nc = 1\n[ test ]\na = 2\n", 5, "write [[test]] here too"),
        ("[test.b]\nc = 1\n[[test]]\na = 2\n", 1, "write [[test]] in the line before it, or move it below line 3"),
        ("test.a = 1\n[[test]]\na = 2\n", 1, "write [[test]], and below it a"),
        ("[[test]]\n[test.b]\n[[test]]\n[test.b]\na = 1\n[test.b]\n", 6, "put its keys below line 4"),
        ("[[uniforms]]\na = 1\n[uniforms]\nb = 2\n", 3, "write [uniforms] in line 1, and below it the keys of line 3"),
        ("[uniforms]\na = 1\n[[uniforms]]\nb = 2\n", 3, "put its keys below line 1"),
        ("a = 1\nb = 2\na = 3\n", 3, "remove one of them"),
        ("[t]\na = {b = 1}\n[t.a]\nc = 1\n", 3, "put its keys into one of them"),
    ],
)
def test_statements_of_several_lines(text: str, line: int, fix: str):
    with pytest.raises(tomllib.TOMLDecodeError) as error:
        tomllib.loads(text)
    found = meant(text, str(error.value))
    assert found is not None
    assert (found.line, found.fix) == (line, fix)


def test_what_is_not_known_stays_as_it_is():
    assert meant("", "Invalid value (at end of document)") is None
    assert meant('a = """x\nb\n', "Unterminated string (at end of document)") is None
    assert parse(b"a = 1\n", "a.toml", toml=True, what="values")[1] == {"a": 1}
