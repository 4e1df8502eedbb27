"""The version is the same wherever it is written, and what a release needs is there."""

from __future__ import annotations

import re
import tomllib
from runpy import run_path

from corpus import REPOSITORY
from lanewise import __version__
from lanewise.core import where


def test_every_file_has_the_same_version():
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    citation = re.search(r"^version: (\S+)$", (REPOSITORY / "CITATION.cff").read_text(), re.MULTILINE)
    assert citation is not None
    recipe = (REPOSITORY / "packaging" / "conda" / "recipe.yaml").read_text("utf-8")
    conda = re.search(r'^  version: "(.*)"$', recipe, re.MULTILINE)
    assert conda is not None
    assert {project["version"], citation[1], conda[1]} == {__version__}
    needed = [
        f"    - {text.replace('>=', ' >=')}" for text in (f"python{project['requires-python']}", *project["dependencies"])
    ]
    run = recipe.partition("  run:\n")[2].partition("tests:")[0].splitlines()
    assert run == needed
    for name, target in project["scripts"].items():
        assert f"      - {name} = {target}\n" in recipe
    assert f'  summary: "{project["description"]}"\n' in recipe


def test_the_sdist_has_every_file_at_the_top():
    """What the README links to is in the archive."""
    target = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["sdist"]
    links = re.findall(r"\]\(([A-Z]+\.\w+)\)", (REPOSITORY / "README.md").read_text())
    assert {"CHANGELOG.md", "SECURITY.md", "CITATION.cff"} <= set(links)
    assert set(links) <= set(target["include"])


def test_the_readme_of_an_index_has_no_relative_links():
    """Without an address links are text and pictures go; with one, each leads to a file that the repository has."""
    hook = run_path(str(REPOSITORY / "hatch_build.py"))
    text = (REPOSITORY / "README.md").read_text("utf-8")
    alone = hook["readme"](text, "")
    assert not re.findall(r"\]\((?!https?:|#)", alone)
    assert "replace picasso" in alone
    linked = hook["readme"](text, "https://example.org/lanewise")
    found = re.findall(r"\(https://example\.org/lanewise/(?:blob|raw)/HEAD/([^)#]+)", linked)
    assert len(found) == len(re.findall(r"\]\((?!https?:|#)", text)) > 20
    assert "![" in linked
    assert "/raw/HEAD/docs/ring.svg" in linked
    assert all((REPOSITORY / name).exists() for name in found)


def test_addresses_are_one_variable():
    urls = run_path(str(REPOSITORY / "hatch_build.py"))["urls"]
    assert urls("", "") == {}
    assert set(urls("https://example.org/x", "https://example.org/docs/")) == {
        "Source",
        "Changelog",
        "Issues",
        "Documentation",
    }
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    assert {"readme", "urls"} <= set(project["dynamic"])
    assert not {"readme", "urls"} & set(project)
    studio = tomllib.loads((REPOSITORY / "studio" / "pyproject.toml").read_text("utf-8"))
    assert "urls" in studio["project"]["dynamic"] and "urls" not in studio["project"]
    hook = run_path(str(REPOSITORY / "studio" / "hatch_build.py"))["CustomMetadataHook"]
    metadata: dict[str, object] = {}
    hook(str(REPOSITORY / "studio"), {}).update(metadata)
    assert metadata == {"urls": urls(where.REPOSITORY, where.DOCUMENTATION)}
    copies = studio["tool"]["hatch"]["build"]["targets"]["sdist"]["force-include"]
    assert all((REPOSITORY / "studio" / source).is_file() for source in copies)
    text = (REPOSITORY / "studio" / "README.md").read_text("utf-8")
    assert not re.findall(r"\]\((?!https?:|#)", text)  # it goes to an index as it is
    assert all(word in project["description"] for word in ("PICA200", "ShaderCore", "Direct3D 9"))
    assert {"pica200", "shadercore", "direct3d9"} <= set(project["keywords"])
