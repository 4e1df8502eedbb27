"""The tests of a module of `src/lanewise`: `python -m tested_by FILE...` prints their paths, for pytest.

The tests of `src/lanewise/A/B/c.py` are `tests/unit/A/B`, and first of them `test_c.py`, where there is one; then those of
`ELSEWHERE`. `tests/test_organisation.py` holds every folder to that.
"""

from __future__ import annotations

import sys
from pathlib import Path, PurePosixPath

TESTS = Path(__file__).resolve().parent
SOURCE = TESTS.parent / "src" / "lanewise"

_EDITOR = ("unit/lsp", "editors")
# Tests of a module or a folder of `src/lanewise`, and of the folders in it, which are not in its folder of `unit`.
ELSEWHERE: dict[str, tuple[str, ...]] = {
    "__main__.py": ("unit/test_main.py",),
    "highlighting.py": ("unit/test_highlighting.py",),
    "installed.py": ("unit/test_installed.py",),
    "packages.py": ("unit/test_packages.py", "unit/test_toy_isa.py"),
    "arrays": ("engines",),
    "compile": ("compile",),
    "compile/direct3d9": ("compile",),
    "compile/outside": ("compile/outside",),
    "compile/pica200": ("compile", "spirv"),
    "compile/proving": ("compile",),
    "compile/services": ("compile/services",),
    "compile/shadercore": ("compile",),
    "compile/spirv": ("compile/spirv", "spirv"),
    "compile/vector": ("compile",),
    "core/editor.py": _EDITOR,
    "core/numbers": ("engines",),
    "core/service.py": ("unit/tools",),
    "core/text": ("golden", "property"),
    "core/trace.py": ("unit/debugger",),
    "debugger": ("property/test_debugger.py",),
    "direct3d9/api": ("engines",),
    "direct3d9/api/editor": _EDITOR,
    "direct3d9/api/services": ("unit/tools",),
    "direct3d9/check": ("check",),
    "direct3d9/container": ("property",),
    "direct3d9/engine": ("engines",),
    "direct3d9/engine/llvm": ("engines",),
    "direct3d9/isa": ("golden", "conformance"),
    "direct3d9/sem": ("engines",),
    "direct3d9/text": ("golden", "property"),
    "direct3d9/translate": ("engines/test_translated_programs.py",),
    "llvm": ("engines",),
    "lsp": ("editors",),
    "pica200/api": ("engines", "property"),
    "pica200/api/editor": _EDITOR,
    "pica200/api/evidence": ("unit/tools", "conformance"),
    "pica200/api/services": ("unit/tools",),
    "pica200/check": ("check",),
    "pica200/container": ("golden", "conformance"),
    "pica200/engine": ("engines",),
    "pica200/ir": ("engines",),
    "pica200/isa": ("golden", "conformance"),
    "pica200/opt": ("check/test_hints.py",),
    "pica200/proof": ("engines/test_proof_rules.py",),
    "pica200/sem": ("engines",),
    "pica200/text": ("golden", "property", "conformance"),
    "pica200/translate": ("engines/test_translations.py",),
    "shadercore/api": ("engines",),
    "shadercore/api/editor": _EDITOR,
    "shadercore/api/services": ("unit/tools",),
    "shadercore/check": ("check",),
    "shadercore/container": ("conformance",),
    "shadercore/engine": ("engines", "conformance"),
    "shadercore/engine/llvm": ("engines",),
    "shadercore/isa": ("golden", "conformance"),
    "shadercore/sem": ("engines",),
    "shadercore/text": ("golden", "property"),
    "shadercore/translate": ("engines/test_translated_programs.py",),
    "translating": ("unit/pica200/translate", "engines/test_translations.py", "engines/test_translated_programs.py"),
}


def of_its_own(module: PurePosixPath) -> list[str]:
    """The tests in the mirror of a module's folder: of its name, of the folder, or of the folder's name beside it."""
    folder = PurePosixPath("unit") / module.parent
    found = [folder / f"test_{module.stem}.py", folder, folder.parent / f"test_{folder.name}.py"]
    return [str(path) for path in found if _has_tests(TESTS / path)]


def paths_for(module: PurePosixPath) -> list[str]:
    """Paths below `tests`, most particular first, of the tests of a path below `src/lanewise`."""
    rows = [path for place in (module, *module.parents) for path in ELSEWHERE.get(str(place), ())]
    return list(dict.fromkeys([*of_its_own(module), *rows]))


def _has_tests(path: Path) -> bool:
    return path.is_file() or any(path.glob("test_*.py"))


def main(arguments: list[str]) -> None:
    for argument in arguments:
        module = Path(argument).resolve().relative_to(SOURCE)
        print(*[f"tests/{path}" for path in paths_for(PurePosixPath(module.as_posix()))])


if __name__ == "__main__":
    main(sys.argv[1:])
