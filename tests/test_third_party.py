"""What is bundled is what the lock files say, and has its licence."""

from __future__ import annotations

import json
import subprocess
from runpy import run_path

import pytest

from corpus import REPOSITORY
from installed import needs

JUDGE = run_path(str(REPOSITORY / "packaging" / "third_party.py"))
BUNDLES = [row for row in JUDGE["PUBLICATIONS"] if row.roots]
FREE = {"BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "ISC", "MIT", "MPL-2.0"}


def test_the_page_is_that_of_the_lock_files():
    text = (REPOSITORY / "THIRD_PARTY.md").read_text("utf-8")
    assert text == JUDGE["page"](), "run python packaging/third_party.py"
    assert "| three | 0." in text


def test_the_page_of_the_studio_has_all_that_its_lock_file_installs():
    """The same set by another rule: npm marks what only development needs."""
    rows = json.loads((REPOSITORY / "studio" / "page" / "package-lock.json").read_text("utf-8"))["packages"]
    mine = {(path.rpartition("node_modules/")[2], row["version"]) for path, row in rows.items() if path and not row.get("dev")}
    (studio,) = [row for row in BUNDLES if row.project == "studio"]
    assert {(row.name, row.version) for row in JUDGE["components"](studio)} == mine


@pytest.mark.parametrize("bundle", BUNDLES, ids=lambda row: row.name)
def test_a_package_that_is_not_in_the_lock_file_is_found(bundle: object):
    first, second, *_ = JUDGE["components"](bundle)
    assert {row.licence for row in JUDGE["components"](bundle)} <= FREE
    begins = getattr(bundle, "begins")  # noqa: B009 - the module is loaded by its path
    forms = (
        "{begins} holds code of these packages.\n\n" + "=" * 80 + "\n{0}\n\ntext\n\n" + "=" * 80 + "\n{1}\n\ntext\n",
        "{begins} contains these packages:\n\n{0}\n\ntext\n\n" + "-" * 80 + "\n\n{1}\n\ntext\n",
    )
    fine = [f"{row.name} {row.version} ({row.licence})" for row in (first, second)]
    other = f"{second.name} 0.0.1 ({second.licence})"
    for form in forms:
        assert JUDGE["compared"](form.format(*fine, begins=begins)) == []
        (wrong,) = JUDGE["compared"](form.format(fine[0], other, begins=begins))
        assert f"{second.name} 0.0.1" in wrong
    assert "is empty" in JUDGE["compared"](begins)[0]
    assert "not a list" in JUDGE["compared"]("Something else")[0]


@pytest.mark.parametrize("publication", JUDGE["PUBLICATIONS"], ids=lambda row: row.name)
def test_bills_of_materials_name_everything_once(publication: object, monkeypatch: pytest.MonkeyPatch):
    """`nox -s packages` holds them against the schema."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    bill = JUDGE["bill"](publication)
    assert bill == JUDGE["bill"](publication)
    assert bill["metadata"]["timestamp"] == "2026-09-21T14:13:20Z"
    refs = [part["bom-ref"] for part in bill["components"]]
    assert sorted(set(refs)) == bill["dependencies"][0]["dependsOn"] == sorted(refs)
    npm = [part for part in bill["components"] if part["purl"].startswith("pkg:npm/")]
    assert len(npm) == len(JUDGE["components"](publication))
    assert all(len(part["hashes"][0]["content"]) == 128 for part in npm)
    if getattr(publication, "name") == "lanewise":  # noqa: B009
        scopes = {part["name"]: part["scope"] for part in bill["components"]}
        assert {name for name, scope in scopes.items() if scope == "required"} == {"numpy", "llvmlite"}
        assert scopes["pillow"] == "optional" and "ruff" not in scopes


@needs("git")
def test_no_code_of_others_is_in_the_repository():
    """Fonts, bundles and compiled code come with the packages that they are in."""
    if not (REPOSITORY / ".git").exists():
        pytest.skip("not a checkout")
    files = subprocess.run(["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout.split()
    kinds = (".woff", ".woff2", ".ttf", ".otf", ".min.js", ".min.css", ".wasm", ".so", ".dll", ".whl")
    assert len(files) > 1000 and [name for name in files if name.endswith(kinds)] == []
