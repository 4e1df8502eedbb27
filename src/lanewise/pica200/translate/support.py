"""The functions that translated shaders use, as text: those of `float24` or `float32`, and their forms for vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.numbers.binary import dot_in_order
from lanewise.pica200.sem.numbers import number_rule, rules_of
from lanewise.pica200.translate import float24, float32
from lanewise.translating.functions import Library
from lanewise.translating.languages import I32, NUMBER, VECTOR
from lanewise.translating.names import identifier
from lanewise.translating.operators import added, bare, negated
from lanewise.translating.support import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lanewise.pica200.sem.numbers import Float24, Float32
    from lanewise.pica200.sem.profile import Profile
    from lanewise.pica200.translate.languages import PicaC

_LETTERS = "xyzw"
# Choices of profiles that a translation has no code for: the field, its other values, and the value to choose instead.
_REFUSED = {
    "index_wrap": "uniforms",
    "index_files": "ignored",
    "mad_rounding": "twice",
}
_EXACT_ONLY = {"precision": "exact"}
_FLOAT_ONLY = {
    "precision": "float32",
    "subnormal_arithmetic": "keep",
    "subnormal_floor": "keep",
    "negative_zero": "ieee",
    "nan_pattern": "kept",
}

# What is done where an infinity or NaN comes up: of a product, and of a dot product.
_OF_INFINITY = "product_of_infinity"
SUM_OF_PRODUCTS = "sum_of_products"
# With the products of the language: the forms for vectors, and a dot product, which may be -0.
PLAIN = {"mul": "plain_mul", "mad": "plain_mad"}
PLAIN_DOT = "plain_dot"

# Of names that stand beside that of a shader.
_SUFFIXES = (
    *("inputs", "uniforms", "outputs", "constants", "registers", "state", "primitive", "emit", "infinities"),
    *("straight", "batch", "columns", "results"),
)


class Support:
    """The functions that shaders in a language under a profile use. Raises RefusedError for a profile that has none."""

    tests: bool
    rule: Float24 | Float32
    routines: Library

    def __init__(self, language: PicaC, profile: Profile, *, finite: bool = False, batch: bool = False) -> None:
        """`finite`: nothing is an infinity or NaN, and the sign of a sum of zeros does not count; of float32 only. `batch`: a
        function for arrays of vertices is there too; of C only."""
        self.language = language
        self.finite = finite
        self.batch = batch
        self.profile = profile
        # Whether products are those of the language, and what they differ in is tested for.
        self.tests = language.row.is_library and not language.exact
        refuse(profile, exact=language.exact)
        self.rule = number_rule(profile)
        module = float24 if language.exact else float32
        rules = rules_of(
            profile,
            nearest=profile.rounding != "zero",
            largest_on_overflow=language.exact and profile.overflow == "largest",
        )
        chosen = float24.choices(rules, profile.litp_nan, profile.litp_flags, profile.mova_fraction, profile.mova_range)
        self.routines = Library(module, {**chosen, "FINITE": finite}, seldom=(_OF_INFINITY,))
        # What shaders use, in the order of first use.
        self.functions: dict[str, None] = {}
        self.vectors: dict[str, int] = {}
        self.dots: dict[str, None] = {}
        self.sets: dict[str, None] = {}
        self.swizzles: dict[str, None] = {}
        self.setters: dict[str, None] = {}
        self.constants: dict[float, None] = {}
        self.helpers: dict[str, None] = {}
        self._taken: set[str] = set()

    def named(self, name: str, others: Iterable[str] = ()) -> str:
        """The name of a shader or a procedure as an identifier, each once, and none of these others."""
        found = identifier(name, self.language, self._taken | set(others), self.language.functions)
        self._taken |= {found, *[f"{found}_{suffix}" for suffix in _SUFFIXES if self.language.members]}
        return found

    # The functions that are used, as text

    def text(self) -> list[str]:
        """Everything that the parts need, each after what it needs."""
        language = self.language
        # What is printed below uses functions of numbers.
        for name in self.dots:
            self._dot(name)
        for name, count in self.vectors.items():
            self._vector(name, count)
        for name in self.sets:
            self._comparison(name.removeprefix("set_"), "a", "b")
        used = self.routines.used(self.functions)
        blocks: list[list[str]] = []
        if self.sets or "at" in self.helpers or "point" in self.helpers:
            self.constants.update({1.0: None, 0.0: None})
        if self.language.exact:
            declared = [language.declared_constant(value, self.rule.constant(value)) for value in sorted(self.constants)]
            if declared:
                blocks.append(declared)
        for name, values in self.routines.tables(used).items():
            blocks.append(
                [language.comment("log2(1 + 2**-k) for k = 1 to 60 in steps of 2**-62"), *language.table(name, values)]
                if name.endswith("HIGH")
                else language.table(name, values)
            )
        blocks.extend([self.routines.text(name, language) for name in used])
        for name in self.sets:
            own = name.removeprefix("set_")
            condition = self._comparison(own, "a", "b")
            value = language.choice(condition, self.constant(1.0), self.constant(0.0))
            blocks.append(
                [f"{language.function(name, [('a', NUMBER), ('b', NUMBER)], NUMBER)} {{", f"    return {value};", "}"]
            )
        if self.vectors or self.swizzles or self.helpers.keys() & {"vector", "point", "splat"}:
            blocks.append(language.constructor())
        blocks.extend([self._vector(name, count) for name, count in self.vectors.items()])
        blocks.extend([self._dot(name) for name in self.dots])
        if "point" in self.helpers:
            parts = ["a.x", "a.y", "a.z", self.constant(1.0)]
            blocks.append(
                [f"{language.function('point', [('a', VECTOR)], VECTOR)} {{", f"    return {language.construct(parts)};", "}"]
            )
        if "splat" in self.helpers and language.members:
            head = language.function("splat", [("a", NUMBER)], VECTOR)
            blocks.append([f"{head} {{", f"    return {language.construct(['a'] * 4)};", "}"])
        blocks.extend([language.swizzle_function(letters) for letters in self.swizzles])
        blocks.extend([language.setter(letters) for letters in self.setters])
        if "offset" in self.helpers:
            value = language.choice("a < -128 || a > 127", "0", "a")
            blocks.append(
                [
                    language.comment("An index register as it counts: values out of range are 0."),
                    f"{language.function('offset', [('a', I32)], I32)} {{",
                    f"    return {value};",
                    "}",
                ]
            )
        if "at" in self.helpers:
            blocks.append(language.reader(self.constant(1.0)))
        return [line for block in blocks if block for line in ("", *block)]

    def constant(self, value: float) -> str:
        self.constants.setdefault(abs(value) if value == 0 else value)
        return self.language.constant(abs(value) if value == 0 else value)

    def call(self, name: str, *texts: str) -> str:
        """A function of numbers."""
        if name.startswith("set_"):
            self.sets.setdefault(name)
        else:
            if not self.language.exact and name in ("add", "negate"):
                return self._native(name, *texts)
            self.functions.setdefault(name)
        return f"{self.language.prefix}{name}({', '.join(map(bare, texts))})"

    def _native(self, name: str, *texts: str) -> str:
        return negated(texts[0]) if name == "negate" else added(texts[0], texts[1])

    def dot(self, name: str, *texts: str) -> str:
        """A dot product: `dot`, `SUM_OF_PRODUCTS` or `PLAIN_DOT`, with the number of its terms."""
        if name.startswith("dot") and self._tests_sums:
            self.dots.setdefault(f"{SUM_OF_PRODUCTS}{name[3:]}")
        self.dots.setdefault(name)
        return f"{self.language.prefix}{name}({', '.join(map(bare, texts))})"

    @property
    def _tests_sums(self) -> bool:
        """Whether a dot product is computed with the products of the language first."""
        return self.tests and not self.finite

    def _comparison(self, name: str, a: str, b: str) -> str:
        signs = {"eq": "==", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
        if self.language.exact or name not in signs:
            self.functions.setdefault(name)
            return f"{self.language.prefix}{name}({bare(a)}, {bare(b)})"
        return f"({a} {signs[name]} {b})"

    comparison = _comparison

    def _vector(self, name: str, count: int) -> list[str]:
        language = self.language
        letters = "abc"[:count]
        rows = [[f"{letter}.{channel}" for letter in letters] for channel in _LETTERS]
        parts = [bare(plain_product(*row) if name in PLAIN.values() else self.call(name, *row)) for row in rows]
        head = language.function(f"{name}4", [(letter, VECTOR) for letter in letters], VECTOR)
        return [f"{head} {{", f"    return {language.construct(parts)};", "}"]

    def _dot(self, name: str) -> list[str]:
        language, order, count = self.language, self.profile.dot_order, int(name[-1])
        sides = [[f"{letter}.{channel}" for channel in _LETTERS[:count]] for letter in "ab"]

        def exact() -> str:
            return bare(dot_in_order(_Sum(self), order, *sides))

        def plain() -> str:
            return bare(dot_in_order(_Plain(self), "pairs" if order == "pairs" else "left", *sides))

        match name[:-1]:
            case "dot" if self._tests_sums:
                # A sum from 0 on is never -0, and what is not NaN has no product that is.
                zero = self.constant(0.0) if order == "from-zero" else "sum"
                lines = [
                    language.variable(NUMBER, "sum", plain()),
                    f"if ({language.is_ordinary('sum')}) {{",
                    "    return sum;",
                    "}",
                    f"return sum == {self.constant(0.0)} ? {zero} : {language.prefix}{SUM_OF_PRODUCTS}{count}(a, b);",
                ]
            case "dot" | "plain_dot" if self.tests:
                lines = [f"return {plain()};"]
            case _:
                lines = [f"return {exact()};"]
        head = language.function(name, [("a", VECTOR), ("b", VECTOR)], NUMBER, seldom=name[:-1] == SUM_OF_PRODUCTS)
        return [f"{head} {{", *[f"    {line}" for line in lines], "}"]


def plain_product(a: str, b: str, added_to: str = "") -> str:
    """A product of the language, and a sum with it."""
    product = f"{a} * {b}"
    return f"({product} + {added_to})" if added_to else f"({product})"


class _Sum:
    """The operations of a dot product on texts."""

    def __init__(self, support: Support) -> None:
        self._support = support

    def constant(self, value: float) -> str:
        return self._support.constant(value)

    def add(self, a: str, b: str) -> str:
        return self._support.call("add", a, b)

    def mul(self, a: str, b: str) -> str:
        return self._support.call("mul", a, b)


class _Plain(_Sum):
    """The same with the product of the language, for which 0 times an infinity is NaN."""

    def mul(self, a: str, b: str) -> str:
        return f"{a} * {b}"


def refuse(profile: Profile, *, exact: bool) -> None:
    """Raise RefusedError for a profile that the number mode does not have."""
    if exact == (profile.rounding == "float32"):
        mode, other = ("float24", "float") if exact else ("float", "float24")
        raise RefusedError(
            f"profile '{profile.describe()}' computes in {'float32' if exact else 'float24'}, not in {mode}",
            f"use --numbers {other}, or a profile whose rounding is {'zero or nearest' if exact else 'float32'}",
        )
    for field, value in {**_REFUSED, **(_EXACT_ONLY if exact else _FLOAT_ONLY)}.items():
        found = getattr(profile, field)
        if found != value:
            raise RefusedError(f"{field}={found} has no translation", f"use --set {field}={value}")
    if profile.dot_order == "once":
        raise RefusedError("dot_order=once has no translation", "use --set dot_order=left")
