"""Tables that users write: what is wrong with JSON, and where keys are."""

import pytest

from lanewise.core.diagnostics import InputError
from lanewise.core.tables import parse


@pytest.mark.parametrize(
    ("text", "place", "message", "fix"),
    [
        ('{\n "a": 1,\n}', (2, 8), "a comma before the end of a list or an object", "remove the comma"),
        ('{"a": [1,\n 2, ]}', (2, 3), "a comma before the end of a list or an object", "remove the comma"),
        ("{'a': 1}", (1, 2), "a text in single quotes", "write texts in double quotes"),
        ('{"a": 1 // one\n}', (1, 9), "a comment, which JSON does not have", "remove it, or write the file as TOML"),
        ('# one\n{"a": 1}', (1, 1), "a comment, which JSON does not have", "remove it, or write the file as TOML"),
        ('{"a": True}', (1, 7), "'True', expected true", "write true"),
        ('{"a": nan}', (1, 7), "'nan', expected a number", 'write "NaN"'),
        ('{"a": 0x3F0000}', (1, 7), "a hexadecimal number", 'write "a": {"bits": "0x3F0000"}'),
        ('{"bits": 0x3F0000}', (1, 10), "a hexadecimal number", 'write "bits": "0x3F0000"'),
        ('{"bits": [0x3F0000, 0]}', (1, 11), "a hexadecimal number", 'write "bits": ["0x3F0000", 0]'),
        ('{"v1": {"bits": ["0x1",\n 0x400000]}}', (2, 2), "a hexadecimal number", 'write "bits": ["0x1", "0x400000"]'),
        ('{"c0": [0x3F0000]}', (1, 9), "a hexadecimal number", 'write "c0": {"bits": ["0x3F0000"]}'),
        ('{"i0": [0x03, 0, 0x1]}', (1, 9), "a hexadecimal number", 'write "i0": [3, 0, 1]'),
        ('{"entry": 0x10}', (1, 11), "a hexadecimal number", 'write "entry": 16'),
        (
            '{"v0": [[1, 0x3F0000]]}',
            (1, 13),
            "a hexadecimal number",
            'write "0x3F0000", in quotes, and so for the others, as bits',
        ),
        ('{"a": .5}', (1, 7), "a number without a digit before the point", "write 0.5 for .5"),
        ('{"a": 1\n "b": 2}', (2, 2), "'\"', expected ','", "add ',' before it"),
        ('{"a" 1}', (1, 6), "'1', expected ':'", "add ':' before it"),
        ("{a: 1}", (1, 2), "'a:', expected a name in double quotes", 'write "name": value'),
        ('{"a": [1, 2', (1, 12), "the text ends inside a value", "close lists with ] and objects with }"),
        ("[inputs]\nv0 = 1", (1, 2), "a line of TOML", "name the file .toml"),
        ("[1, 2", (1, 6), "the text ends inside a value", "close lists"),
        ("c0 = 1", (1, 1), "'c0', expected {", 'write {"name": value, ...}; a file of TOML has a name that ends in .toml'),
        ('{"a" = 1}', (1, 6), "'=', expected ':'", 'write "name": value, or name the file .toml'),
        ('{"a": 1} 2', (1, 10), "text after the end of the object", "remove it"),
        ('{"a": 1}\n{"b": 2}', (2, 1), "text after the end of the object", "keep one object in a file"),
    ],
)
def test_json_of_other_languages(text: str, place: tuple[int, int], message: str, fix: str):
    with pytest.raises(InputError) as caught:
        parse(text.encode(), "d.json", toml=False, what="values")
    (finding,) = caught.value.diagnostics
    assert (finding.span.line, finding.span.column) == place
    assert (finding.code, finding.message) == ("T001", f"invalid JSON: {message}")
    assert finding.fix.startswith(fix)


@pytest.mark.parametrize(
    ("text", "place", "message", "fix"),
    [
        (" \n", (0, 0), "the file is empty", 'write {"name": value, ...}'),
        ("[1]", (0, 0), "invalid JSON: found a list, expected values", 'write {"name": value, ...}'),
        (
            '{"a": {"b": 1},\n "c": {"b": 2, "d": 1,\n  "d" : 2}}',
            (3, 3),
            "the key d is there twice in one object",
            "remove one",
        ),
        ('{"a": "\\"a\\": {", "b": 1, "a": 2}', (1, 27), "the key a is there twice in one object", "remove one"),
    ],
)
def test_json_that_is_no_table_of_values(text: str, place: tuple[int, int], message: str, fix: str):
    with pytest.raises(InputError) as caught:
        parse(text.encode(), "d.json", toml=False, what="values")
    (finding,) = caught.value.diagnostics
    assert (finding.code, (finding.span.line, finding.span.column)) == ("T001", place)
    assert finding.message.startswith(message)
    assert finding.fix.startswith(fix)


def test_the_same_key_in_two_objects_is_fine():
    _, table = parse(b'{"a": {"bits": 1}, "b": [{"bits": 1}, {"bits": 2}]}', "d.json", toml=False, what="values")
    assert table["b"] == [{"bits": 1}, {"bits": 2}]


def test_json_named_toml():
    with pytest.raises(InputError, match="this is JSON") as caught:
        parse(b'{"a": 1}', "d.toml", toml=True, what="values")
    assert caught.value.diagnostics[0].fix == "give the file a name that ends in .json"


def test_places_of_keys():
    text = '[a]\nb.c = 1\nd = { e = 1, "f" = 2 }\n[[test]]\n[test.g]\n"h.i" = [0.5, 2.5]\n'
    reader, _ = parse(text.encode(), "d.toml", toml=True, what="values")
    lines = {key: reader.span(key).line for key in ("a", "b", "c", "d", "e", "f", "test", "g", "h.i")}
    assert lines == {"a": 1, "b": 2, "c": 2, "d": 3, "e": 3, "f": 3, "test": 4, "g": 5, "h.i": 6}
