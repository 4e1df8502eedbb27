"""Includes of GLSL, HLSL and Slang, without a compiler: what is read, what a compiler gets, and that no line moves."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lanewise.compile.outside.includes import MARK, Included, resolve
from lanewise.core import including
from together import together

FILES = {
    "s/a.h": '#pragma once\n#include "sub/b.h"\nA\n',
    "s/sub/b.h": '#include "../a.h"\n#include "c.h"\nB\n',
    "i/c.h": "C\n",
    "i/a.h": "other\n",
    "s/tools/more.slang": '#include "../a.h"\n',
}


def read(path: str) -> str:
    path = path.replace(os.sep, "/")
    if path not in FILES:
        raise FileNotFoundError(2, "No such file or directory", path)
    return FILES[path]


def of(text: str, language: str = "glsl") -> Included:
    return resolve(text, "s/main.vert", language, ("i",), read)


def test_each_file_is_copied_once():
    found = of('#include "a.h"\nmain\n#include <a.h>\n # include "sub/b.h" // again\n')
    assert found.given == '#include "included-0-a.h"\nmain\n#include "included-3-a.h"\n#include "included-1-b.h"\n'
    assert [(copy.name, copy.shown.replace(os.sep, "/")) for copy in found.copies] == [
        ("included-0-a.h", "s/a.h"),
        ("included-1-b.h", "s/sub/b.h"),
        ("included-2-c.h", "i/c.h"),
        ("included-3-a.h", "i/a.h"),
    ]
    a, b, *_ = found.copies
    assert a.given == '#pragma once\n#include "included-1-b.h"\nA\n'
    assert b.given == '#include "included-0-a.h"\n#include "included-2-c.h"\nB\n'
    assert (a.text, found.missing) == (FILES["s/a.h"], ())


def test_a_text_without_includes_stays():
    text = "// a comment\r\nint x; /* more */\r\n"
    assert of(text).given == text
    assert of('a // #include "a.h"\nb').given == "a  \nb"


@together(
    "text",
    [
        '#include "/dev/zero"\n',
        '/* c */ #include "/dev/zero"\n',
        '#/* c */include/**/ "/dev/zero"\n',
        '# \\\n include \\\r\n "/dev/zero"\n',
        '#inc\\\nlude "/dev/zero"\n',
        '/\\\n* c *\\\n/ #include "/dev/zero"\n',
        "\v#\tinclude </dev/zero>\n",
        '/* /* */ #include "/dev/zero"\n',
        'x " /*\n#include "/dev/zero"\n',
        '#import "/dev/zero"\n',
        '#include "/dev/zero',
        "\r#include NAME\r",
    ],
)
def test_no_other_spelling_reaches_a_compiler(text: str):
    found = of(text + "last")
    kept = found.given.replace("\r", "\n").split("\n")
    assert not [line for line in kept if line.lstrip().startswith("#") and line.strip() != f"#error {MARK}0"]
    assert not found.copies
    assert len(kept) == text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1


def test_modules_of_slang():
    found = of('import tools.more;\n__include a_h ; import "a.h";\nimport "/etc/passwd";import slang;', "slang")
    assert found.given == f'import tools.more;\n__include a_h ; import "included-1-a.h";\nimport "{MARK}0";import slang;'
    assert next(copy.name for copy in found.copies) == "tools/more.slang"
    assert [missing.name for missing in found.missing] == ["/etc/passwd"]
    assert of("import tools.more;", "glsl").copies == ()


def test_limits(monkeypatch: pytest.MonkeyPatch):
    def endless(path: str) -> str:
        number = int(Path(path).name) + 1
        return f'#include "{number}"\n'

    def reason(text: str) -> str:
        return resolve(text, "", "glsl", (), endless).missing[-1].reason

    assert reason('#include "1"') == "includes are nested deeper than 64 files"
    many = "".join([f'#include "{number}"\n' for number in range(0, 90_000, 100)])
    assert reason(many) == "more than 1,000 files or 16 MiB are included"
    monkeypatch.setattr(including, "MOST_TEXT", 100)
    assert reason('#include "1"') == "more than 1,000 files or 0 MiB are included"


def test_many_continued_lines_take_no_time():
    assert of("\\\n" * 200_000 + '#include "a.h"\n').given.count("\n") == 200_001
