"""Public names of one instruction set are in its package; the top has those that were there before, with a warning."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys

import pytest

import lanewise as lw
from corpus import REPOSITORY
from lanewise.packages import PACKAGES
from together import together

MOVED: dict[str, str] = vars(lw)["_MOVED"]


@pytest.mark.parametrize("package", [package.name for package in PACKAGES])
def test_a_package_has_its_names(package: str):
    module = importlib.import_module(f"lanewise.{package}")
    assert getattr(lw, package) is module
    assert {*module.__all__} <= {*dir(module)}
    for name in module.__all__:
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match=f"module 'lanewise.{package}' has no attribute 'teapot'"):
        getattr(module, "teapot")  # noqa: B009


@together("name", MOVED)
def test_a_name_that_has_moved_warns(name: str):
    more = "; invalid input is lanewise.InputError" if name == "RunError" else ""
    with pytest.warns(
        DeprecationWarning, match=rf"^lanewise\.{name} is deprecated: use lanewise\.{MOVED[name]}\.{name}{more}$"
    ) as seen:
        old = getattr(lw, name)
    assert old is getattr(getattr(lw, MOVED[name]), name)
    assert [warning.filename for warning in seen] == [__file__]
    assert name not in lw.__all__


def test_an_import_of_an_old_name_says_its_line():
    run = subprocess.run([sys.executable, "-c", "from lanewise import flatten"], capture_output=True, text=True, check=True)
    assert run.stderr.startswith("<string>:1: DeprecationWarning: lanewise.flatten is deprecated: use lanewise.pica200.flatten")


def test_our_own_text_has_the_new_names():
    """Code of tests, pages and examples that used an old one would fail, by `filterwarnings`."""
    old = re.compile(rf"\b(lw|lanewise)\.({'|'.join(MOVED)})\b")
    texts = [
        *(REPOSITORY / "src").rglob("*.py"),
        *(REPOSITORY / "docs").rglob("*.md"),
        *(REPOSITORY / "studio" / "src").rglob("*.py"),
    ]
    found = {str(path) for path in [*texts, REPOSITORY / "README.md"] if old.search(path.read_text("utf-8"))}
    assert found == set()
