"""Patterns of file names, as `.gitignore` has them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from installed import needs
from lanewise.tools.patterns import Patterns
from together import together

CASES: list[tuple[tuple[str, ...], list[str], list[str]]] = [
    (("old",), ["old", "old/a.pica", "src/old/a.pica"], ["older", "src/a.pica"]),
    (("*.gen.pica",), ["a.gen.pica", "src/a.gen.pica"], ["a.pica", "a.gen.pica.txt"]),
    (("src/old",), ["src/old/a.pica"], ["old/a.pica", "lib/src/old/a.pica"]),
    (("/old",), ["old/a.pica"], ["src/old/a.pica"]),
    (("old/",), ["old/a.pica", "src/old/a.pica"], ["old"]),
    (("**/gen/*.pica",), ["gen/a.pica", "src/x/gen/a.pica"], ["gen/x/a.pica"]),
    (("src/**",), ["src/a.pica", "src/x/a.pica"], ["a.pica"]),
    (("*.pica", "!keep.pica"), ["a.pica"], ["keep.pica", "src/keep.pica"]),
    (("old", "!old/keep.pica"), ["old/keep.pica"], []),  # what is in an excluded folder stays out
    (("a?.[vg].pica",), ["ab.v.pica", "ab.g.pica"], ["ab.x.pica", "abc.v.pica"]),
    (("a[!0-9].pica",), ["ax.pica"], ["a1.pica"]),
    (("a.b",), ["a.b"], ["axb"]),
    (("[+--]x",), ["+x", ",x", "-x"], ["ax", ".x"]),  # a range that ends with -, which Python warns about
    (("[a||b&&]x", "[~~-]y"), ["|x", "&x", "ax", "~y", "-y"], ["cx", "a|x"]),
    (("[^a]x", "[[]y", "[a-]z"), ["bx", "^x", "[y", "-z"], ["ax", "bz"]),
]


@together(("texts", "fits", "others"), CASES)
def test_patterns(texts: tuple[str, ...], fits: list[str], others: list[str]):
    patterns = Patterns(texts)
    assert [path for path in (*fits, *others) if patterns.match(path)] == fits


@needs("git")
def test_git_agrees(tmp_path: Path):
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    for texts, fits, others in CASES:
        (tmp_path / ".gitignore").write_text("".join(f"{text}\n" for text in texts))
        done = subprocess.run(
            ["git", "check-ignore", "--no-index", "--", *fits, *others],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout.splitlines() == fits, texts


@pytest.mark.parametrize("text", ["", "/", "!", "[z-a].pica", "[a--]", "old\tests"])
def test_wrong_patterns(text: str):
    with pytest.raises(ValueError, match="pattern"):
        Patterns((text,))


@pytest.mark.parametrize(
    ("text", "right", "path"),
    [("third_party\\old", "third_party/old", "third_party/old/a.pica"), ("old\\*", "[*] for *", ""), ("!a\\b", "!a/b", "")],
)
def test_a_backslash_is_not_between_folders(text: str, right: str, path: str):
    with pytest.raises(ValueError, match="has a backslash: write ") as error:
        Patterns((text,))
    assert str(error.value).partition(": write ")[2].startswith(right)
    assert not path or Patterns((right,)).match(path)
