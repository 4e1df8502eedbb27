"""Random sources in which the moves find something: copies, values computed twice or in parts, products that are added to,
constants, loops."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_INPUTS, _TEMPORARIES = ("inpos", "incol", "intex"), ("r0", "r1", "r2", "r3", "r4")
_NUMBERS = ("0", "1", "1", "1", "-1", "0.5", "-0.5", "2", "-2", "3", "0.25", "-0")
_MASKS = ("", "", "", ".x", ".y", ".z", ".w", ".xy", ".zw", ".xyz", ".xz", ".yzw")
_SWIZZLES = ("", "", "", "", ".x", ".y", ".z", ".w", ".yzxw", ".wzyx", ".xyxy", ".xyzz")
_RELATIONS = ("eq", "ne", "lt", "le", "gt", "ge")
_CONSTANTS = 5


def random_source(seed: int, number: int) -> str:
    """The text of the program of a number: each fourth is a geometry shader."""
    return _Writer(random.Random(f"optimised {seed} {number}"), geometry=number % 4 == 3).text()


class _Writer:
    """A source while it grows: `_written` are the statements so far, of which some are repeated."""

    def __init__(self, rng: random.Random, *, geometry: bool) -> None:
        self._rng, self._geometry = rng, geometry
        self._written: list[str] = []
        self._indexed = rng.random() < 0.3  # then constants stay in their registers

    def text(self) -> str:
        rng = self._rng
        vectors = [", ".join([rng.choice(_NUMBERS) for _ in range(4)]) for _ in range(_CONSTANTS)]
        if rng.random() < 0.5:
            vectors[1] = ", ".join(["1"] * 4)
        head = [
            ".gsh point c0" if self._geometry else "",
            ".fvec u[4]",
            ".ivec n",
            ".bool flag, other",
            *[f".constf k{n}({vector})" for n, vector in enumerate(vectors)],
            f".consti t({rng.randrange(3)}, {rng.randrange(3)}, {rng.randrange(2)}, 0)",
            ".out outpos position",
            ".out outcol color",
            ".out outtex texcoord0" + rng.choice(("", ".xy")),
            *[f".in {name}" if not self._geometry else f".alias {name} v{n}" for n, name in enumerate(_INPUTS)],
            ".entry start",
        ]
        procedures = [".proc helper", *self._block(rng.randrange(1, 3), 0), ".end"]
        body = [".proc start", *self._block(rng.randrange(4, 11), rng.choice((0, 0, 1, 1, 2)))]
        for _ in range(rng.randrange(1, 3) if self._geometry else 1):
            body += self._ending()
        return "\n".join([line for line in (*head, *procedures, *body, "end", ".end") if line]) + "\n"

    def _ending(self) -> list[str]:
        """Every output, and the vertex of a geometry shader."""
        rng = self._rng
        found = [f"setemit {rng.randrange(3)}{rng.choice(('', ', prim', ', prim inv'))}"] if self._geometry else []
        found += self._transform("outpos") if rng.random() < 0.4 else [f"mov outpos, {self._read()}"]
        found += self._parts("outcol") if rng.random() < 0.4 else [f"mov outcol, {self._read()}"]
        found.append(f"mov outtex, {self._read()}")
        return [*found, *(("emit",) if self._geometry else ())]

    # Operands

    def _source(self, *names: Sequence[str]) -> str:
        rng = self._rng
        return f"{rng.choice(('', '', '', '-'))}{rng.choice(rng.choice(names))}{rng.choice(_SWIZZLES)}"

    def _read(self) -> str:
        return self._source(_TEMPORARIES, _TEMPORARIES, _INPUTS)

    def _wide(self) -> str:
        if self._indexed and self._rng.random() < 0.2:
            return f"u[{self._rng.choice(('aL', 'a0.x'))}]"
        return self._source([f"k{n}" for n in range(_CONSTANTS)], [f"u[{n}]" for n in range(4)])

    def _any(self) -> str:
        return self._wide() if self._rng.random() < 0.5 else self._read()

    def _temporary(self) -> str:
        return self._source(_TEMPORARIES)

    def _to(self) -> str:
        return self._rng.choice(_TEMPORARIES) + self._rng.choice(_MASKS)

    # Statements

    def _block(self, count: int, depth: int) -> list[str]:
        found: list[str] = []
        for _ in range(count):
            found += self._statement(depth)
        return found

    def _statement(self, depth: int) -> list[str]:
        rng = self._rng
        if depth and rng.random() < 0.16:
            return self._flow(depth)
        if self._written and rng.random() < 0.15:
            return [rng.choice(self._written)]
        kinds: tuple[Callable[[], list[str]], ...] = (
            self._plain,
            self._plain,
            self._plain,
            self._copy,
            self._copy,
            self._product,
            self._pair,
            self._rule,
            self._comparisons,
            lambda: self._parts(rng.choice(_TEMPORARIES)),
            lambda: self._transform(rng.choice(_TEMPORARIES)),
            lambda: ["nop"],
        )
        found = rng.choice(kinds)()
        self._written += found[-1:]
        return found

    def _plain(self) -> list[str]:
        rng = self._rng
        name = rng.choice(("mov", "add", "mul", "max", "min", "dp3", "dp4", "dph", "mad", "rcp", "rsq", "flr", "sge", "slt"))
        if name in ("mov", "rcp", "rsq", "flr"):
            return [f"{name} {self._to()}, {self._any()}"]
        if name == "mad":
            middle, last = (self._wide(), self._temporary()) if rng.random() < 0.5 else (self._temporary(), self._wide())
            return [f"mad {self._to()}, {self._temporary()}, {middle}, {last}"]
        return [f"{name} {self._to()}, {self._any()}, {self._temporary()}"]

    def _copy(self) -> list[str]:
        rng = self._rng
        register = rng.choice(_TEMPORARIES)
        return [
            f"mov {register}, {self._any()}",
            f"{rng.choice(('add', 'mul', 'max'))} {self._to()}, {self._any()}, {register}",
        ]

    def _product(self) -> list[str]:
        register = self._rng.choice(_TEMPORARIES)
        return [f"mul {register}, {self._any()}, {self._temporary()}", f"add {self._to()}, {register}, {self._temporary()}"]

    def _pair(self) -> list[str]:
        """Instructions that do the same with different registers."""
        rng = self._rng
        one, other, read = rng.sample(_TEMPORARIES, 3)
        name, constant = rng.choice(("add", "mul", "max")), rng.choice(("k0", "k1", "k2.x", "u[1]"))
        return [
            f"add {one}, {constant}, {read}{rng.choice(_SWIZZLES)}",
            f"{name} {one}, {constant}, {one}.{rng.choice('xyzw')}",
            f"{name} {other}{rng.choice(_MASKS)}, {constant}, {read}{rng.choice(_SWIZZLES)}",
            f"add {self._to()}, {one}.x, {other}",
        ]

    def _rule(self) -> list[str]:
        """Instructions that a rewrite rule makes less."""
        rng = self._rng
        register, read = rng.sample(_TEMPORARIES, 2)
        names = (("max", "max"), ("min", "min"), ("mul", "add"), ("add", "mul"), ("flr", "flr"), ("mul", "mul"))
        operands = [f"k{rng.randrange(4)}.{rng.choice('xyzw')}, " for _ in range(2)]
        first, second = rng.choice(names)
        if first == "flr":
            operands = ["", ""]
        return [f"{first} {register}, {operands[0]}{read}", f"{second} {self._to()}, {operands[1]}{register}"]

    def _comparisons(self) -> list[str]:
        """Comparisons of the same registers, with a flag of each."""
        rng = self._rng
        register, constant = rng.choice(_TEMPORARIES), rng.choice(("k0", "k1", "k2"))
        found: list[str] = []
        for _ in range(2):
            relations = f"{rng.choice(_RELATIONS)}, {rng.choice(_RELATIONS)}"
            test = rng.choice(("cmp.x", "cmp.y", "!cmp.x", "!cmp.y"))
            found += [
                f"cmp {constant}{rng.choice(_SWIZZLES)}, {relations}, {register}{rng.choice(_SWIZZLES)}",
                f"ifc {test}",
                f"mov {self._to()}, {self._any()}",
                ".end",
            ]
        return [*found, *self._plain()]

    def _parts(self, register: str) -> list[str]:
        """The components of a vector one by one."""
        rng = self._rng
        name = rng.choice(("mov", "add", "mul"))
        first, second = rng.choice((*_INPUTS, "u[0]", "k0", "k1")), rng.choice(_TEMPORARIES)
        cut = rng.choice(((".x", ".yzw"), (".xy", ".zw"), (".x", ".y", ".z", ".w"), (".xyz", ".w")))
        return [
            f"{name} {register}{part}, {first}{rng.choice(_SWIZZLES)}{'' if name == 'mov' else ', ' + second}" for part in cut
        ]

    def _transform(self, register: str) -> list[str]:
        """A position with a w of 1, and rows of a matrix."""
        rng = self._rng
        vector = rng.choice([name for name in _TEMPORARIES if name != register])
        rows = [f"dp4 {register}.{c}, u[{n}], {vector}" for n, c in enumerate("xyzw")]
        return [f"mov {vector}.xyz, {rng.choice(_INPUTS)}", f"mov {vector}.w, k1.{rng.choice('xyzw')}", *rows]

    def _flow(self, depth: int) -> list[str]:
        rng = self._rng
        inner = self._block(rng.randrange(0, 4), depth - 1)
        kind = rng.random()
        if kind < 0.3:
            question = rng.choice(("ifu flag", "ifu other"))
        elif kind < 0.5:
            question = f"ifc cmp.{rng.choice('xy')}"
        elif kind < 0.65:
            return ["call helper"]
        else:
            if self._indexed and rng.random() < 0.5:
                inner.append(f"mul {self._to()}, u[aL], {self._temporary()}")
            out = ["breakc cmp.x"] if rng.random() < 0.2 else []
            return [f"for {rng.choice(('n', 't', 't'))}", *inner, *out, self._plain()[0], ".end"]
        ask = [f"cmp {self._wide()}, {rng.choice(_RELATIONS)}, {rng.choice(_RELATIONS)}, {self._temporary()}"]
        otherwise = [".else", *self._block(rng.randrange(0, 3), depth - 1)] if rng.random() < 0.4 else []
        index = [f"mova a0.x, {self._temporary()}"] if self._indexed else []
        return [*index, *(ask if "ifc" in question else []), question, *inner, *otherwise, ".end"]


__all__ = ["random_source"]
