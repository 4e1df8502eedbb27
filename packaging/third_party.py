"""Code of other projects in what lanewise publishes: `THIRD_PARTY.md`, and bills of materials (CycloneDX 1.6, JSON).

    python packaging/third_party.py                      writes THIRD_PARTY.md from the lock files
    python packaging/third_party.py --sbom FOLDER        writes a bill of materials of each publication
    python packaging/third_party.py --validate FILE...   holds bills against the schema, which is in cyclonedx-python-lib
    python packaging/third_party.py --compare FILE...    compares wheels, or lists of licences of bundles, with the lock files

The exit code is 1 where something is wrong.
"""

from __future__ import annotations

import base64
import json
import os
import re
import sys
import tomllib
import uuid
import zipfile
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "THIRD_PARTY.md"
_HEADING = re.compile(r"(?:^|\n(?:={80}\n|-{80}\n\n)|packages:\n\n)(\S+) (\S+) \((.+)\)\n")
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^\]]*\])?\s*([^;]*)(?:;\s*(.*))?")


_OWN_EXTRAS = {"dev", "docs", "fuzz"}  # for work on lanewise
_ABOUT = """\
# Third-party software

For people who distribute lanewise. After this page you know whose code is in what is published, and under which licences.
`python packaging/third_party.py` writes it from the lock files. A test compares it with them; `nox -s packages` and the
sessions that build the bundles compare what is in these.

The wheel and the sdist of lanewise hold no code of other projects. They need NumPy and llvmlite, and optional parts more, as
`pyproject.toml` says with the reason for each; pip installs these from their own packages. `lanewise-studio` (its wheel), the
playground (a folder that `nox -s playground` builds) and the extension for VS Code hold bundles of the packages of npm below; a
bundle leaves out what is not used. No fonts are in any of them. The site of the documentation, which `nox -s docs` builds,
holds the theme Furo (MIT) and scripts of Sphinx (BSD-2-Clause).
"""


class Component(NamedTuple):
    """A package of npm with its licence (SPDX), and the SHA-512 of its archive in the registry."""

    name: str
    version: str
    licence: str
    sha512: str


class Publication(NamedTuple):
    """A thing that is published and holds such packages."""

    name: str
    "Its name, and that of its bill of materials."
    title: str
    project: str
    "The folder of its pyproject.toml; empty where it is no distribution of Python."
    begins: str
    "The first words of the list of licences in it."
    where: str
    "The file of that list."
    roots: tuple[tuple[str, str], ...]
    "The folders of lock files, and the package there from which code is taken: with what it needs; empty for all that run."


_STUDIO = ("studio/page", "")
PUBLICATIONS = (
    Publication("lanewise", "the packages of lanewise", ".", "", "", ()),
    Publication(
        "lanewise_studio",
        "`lanewise studio`",
        "studio",
        "The page of lanewise studio",
        "`lanewise_studio/page/assets/LICENSES.txt` in the wheel",
        (_STUDIO,),
    ),
    Publication(
        "lanewise-playground",
        "the playground",
        "",
        "The playground of lanewise",
        "`assets/LICENSES.txt` in its folder",
        (_STUDIO, ("studio/playground", "pyodide")),
    ),
    Publication(
        "lanewise-vscode",
        "the extension for VS Code",
        "",
        "lanewise for VS Code",
        "`NOTICE.txt` in the .vsix",
        (("editors/vscode", "vscode-languageclient"),),
    ),
)
# Packages of npm that need others only in Node.js, not in what is published.
_ALONE = {"pyodide"}


def components(publication: Publication) -> list[Component]:
    """The packages whose code may be in a publication, by name: a bundle leaves out what is not used."""
    found: dict[str, Component] = {}
    for folder, root in publication.roots:
        rows: dict[str, dict[str, Any]] = json.loads((ROOT / folder / "package-lock.json").read_text("utf-8"))["packages"]
        todo = [(root, "")] if root else [(name, "") for name in rows[""].get("dependencies", {})]
        seen: set[str] = set()
        while todo:
            name, place = todo.pop()
            place = _resolved(rows, name, place)
            if place not in seen:
                seen.add(place)
                row = rows[place]
                digest = base64.b64decode(row["integrity"].removeprefix("sha512-")).hex()
                found[f"{name} {row['version']}"] = Component(name, row["version"], row["license"], digest)
                todo += [] if name in _ALONE else [(each, place) for each in row.get("dependencies", {})]
    return [found[key] for key in sorted(found)]


def _resolved(rows: dict[str, dict[str, Any]], name: str, place: str) -> str:
    """Where Node.js finds a package that the one at `place` needs."""
    while True:
        path = f"{place}/node_modules/{name}".lstrip("/")
        if path in rows:
            return path
        if not place:
            raise KeyError(f"{name} is not in the lock file")
        place = place.rpartition("/node_modules/")[0]


def page() -> str:
    """The text of `THIRD_PARTY.md`."""
    holding = [publication for publication in PUBLICATIONS if publication.roots]
    names = {publication.name: set(components(publication)) for publication in holding}
    lines = [
        _ABOUT,
        f"| package | version | licence | {' | '.join(publication.title for publication in holding)} |",
        f"|---|---|---|{'---|' * len(holding)}",
    ]
    for row in sorted(set[Component]().union(*names.values())):
        held = ["yes" if row in names[publication.name] else "" for publication in holding]
        lines.append(f"| {row.name} | {row.version} | {row.licence} | {' | '.join(held)} |")
    lines += [
        "",
        "Pyodide is Python (PSF-2.0) with its standard library, built for WebAssembly with the libraries that it links; its",
        "[source](https://github.com/pyodide/pyodide) names them.",
        "",
        "The texts of the licences, with the copyright of each package, are in the file that a publication holds:",
        "",
        *[f"- {publication.title}: {publication.where}" for publication in holding],
        "",
        "A bill of materials of each (CycloneDX, JSON) is made by `nox -s packages`.",
    ]
    return "\n".join(lines) + "\n"


def bill(publication: Publication) -> dict[str, Any]:
    """The bill of materials of a publication."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    python = bool(publication.project)
    name = publication.name.replace("_", "-")
    this = {
        "type": "application",
        "bom-ref": name,
        "name": name,
        "version": version,
        "licenses": [{"license": {"id": "MIT"}}],
        **({"purl": f"pkg:pypi/{name}@{version}"} if python else {}),
    }
    parts = [*(_requirements(publication) if python else []), *[_part(row) for row in components(publication)]]
    body: dict[str, Any] = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": this},
        "components": parts,
        "dependencies": [{"ref": name, "dependsOn": sorted(part["bom-ref"] for part in parts)}],
    }
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        body["metadata"]["timestamp"] = datetime.fromtimestamp(int(epoch), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    body["serialNumber"] = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(body, sort_keys=True)).urn
    return body


def _part(row: Component) -> dict[str, Any]:
    """A package that is in a bundle."""
    purl = f"pkg:npm/{row.name.replace('@', '%40')}@{row.version}"
    return {
        "type": "library",
        "bom-ref": purl,
        "name": row.name,
        "version": row.version,
        "hashes": [{"alg": "SHA-512", "content": row.sha512}],
        "licenses": [{"license": {"id": row.licence}}],
        "purl": purl,
    }


def _requirements(publication: Publication) -> list[dict[str, Any]]:
    """What pip installs beside a distribution: without versions, as those are chosen then."""
    project = tomllib.loads((ROOT / publication.project / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [("", text) for text in project["dependencies"]]
    own = {"dev", "docs", "fuzz"}  # for work on lanewise
    needed += [
        (extra, text) for extra, row in project.get("optional-dependencies", {}).items() if extra not in own for text in row
    ]
    found: dict[str, dict[str, Any]] = {}
    for extra, text in needed:
        match = _REQUIREMENT.fullmatch(text)
        assert match is not None, text
        name, versions, marker = match[1].lower().replace("_", "-"), match[2].strip(), match[3]
        about = {"lanewise:version": versions, "lanewise:extra": extra, "lanewise:marker": marker or ""}
        found[name] = {
            "type": "library",
            "bom-ref": f"pkg:pypi/{name}",
            "name": name,
            "scope": "optional" if extra else "required",
            "purl": f"pkg:pypi/{name}",
            "properties": [{"name": key, "value": value} for key, value in about.items() if value],
        }
    return [found[name] for name in sorted(found)]


def compared(text: str) -> list[str]:
    """What is wrong with a list of licences that is in a bundle: packages that are not in the lock files, or have no text."""
    publication = next((row for row in PUBLICATIONS if row.begins and text.startswith(row.begins)), None)
    if publication is None:
        return [f"not a list of licences: it begins with {text[:40]!r}"]
    known = {(row.name, row.version, row.licence) for row in components(publication)}
    found = [match.groups() for match in _HEADING.finditer(text)]
    wrong = [f"{publication.name} holds {' '.join(row)}, which is not in its lock file" for row in found if row not in known]
    return wrong if found else [f"{publication.name}: its list of licences is empty"]


def _lists(path: Path) -> list[str]:
    """The lists of licences in a file: itself, or those in a wheel or an extension."""
    if path.suffix not in {".whl", ".vsix"}:
        return [path.read_text("utf-8")]
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.endswith(("/LICENSES.txt", "/NOTICE.txt"))]
        return [archive.read(name).decode() for name in names]


def invalid(path: Path) -> str:
    """What the schema has against a bill of materials; empty for nothing. Raises ModuleNotFoundError without the library."""
    versions: Any = import_module("cyclonedx.schema").SchemaVersion
    judge: Any = import_module("cyclonedx.validation.json").JsonStrictValidator(versions.V1_6)
    found = judge.validate_str(path.read_text("utf-8"))
    return "" if found is None else f"{path}: {found}"


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--sbom"] and len(arguments) == 2:
        for publication in PUBLICATIONS:
            text = json.dumps(bill(publication), indent=1) + "\n"
            Path(arguments[1], f"{publication.name}.cdx.json").write_text(text, encoding="utf-8", newline="\n")
        return 0
    if arguments[:1] == ["--compare"]:
        wrong = [line for path in arguments[1:] for text in _lists(Path(path)) for line in compared(text)]
        return _reported(wrong)
    if arguments[:1] == ["--validate"]:
        return _reported([text for path in arguments[1:] if (text := invalid(Path(path)))])
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
    return 0


def _reported(wrong: list[str]) -> int:
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
