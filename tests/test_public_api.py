"""The public interface differs from that of the last release only where the changelog says so."""

from __future__ import annotations

import public_api


def test_every_change_is_named():
    changes = public_api.differences(public_api.FILE.read_text("utf-8"), public_api.text())
    missing = public_api.unnamed(changes, public_api.CHANGELOG.read_text("utf-8"))
    assert missing == [], "name them as code in 'Unreleased' of CHANGELOG.md; after a release: python -m public_api in tests"


def test_a_change_has_to_be_named():
    before = "lanewise.Shader.run(count: int)\noption run --all\njson run.lanes\ncode V001\n"
    after = "lanewise.Shader.run(count: int, by: str)\noption run --every\njson run.lanes (optional)\ncode V002\n"
    changes = public_api.differences(before, after)
    assert len(changes) == 8
    assert public_api.unnamed(changes, "# Changelog\n\n## Unreleased\n\n- run, lanes\n\n## 0.1\n\n- `run`\n") == changes
    said = "# Changelog\n\n## Unreleased\n\n- `run` has `by`; `--every` for `--all`; `lanes` may be left out; V002 for V001\n"
    assert public_api.unnamed(changes, said) == []
    assert public_api.unnamed(changes, said.replace("`--every` for `--all`", "`--every`")) == ["- option run --all"]


def test_every_public_attribute_has_a_type():
    plain = [line for line in public_api.lines() if line.startswith("lanewise.") and ":" not in line and "(" not in line]
    assert plain == []
    loose = [line for line in public_api.lines() if line.startswith("lanewise.") and line.endswith(": Any")]
    assert {line.split(".")[1] for line in loose} == {"Case"}  # values as test files have them


def test_the_interface_has_what_it_promises():
    lines = public_api.lines()
    for line in ("lanewise.compile(", "lanewise.pica200.Shader.run(", "option run --input", "json run.schema = lanewise/run/1"):
        assert [found for found in lines if found.startswith(line)], line
    assert "lanewise.core.package.IsaPackage.name: str" in lines
    assert "code V001" in lines
    assert not [line for line in lines if ".Shader.any_runner" in line]
