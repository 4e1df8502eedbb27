"""Open questions of Direct3D 9, with answers and evidence.

Documentation and hardware disagree about them or leave them open.

A row is a choice of a run; `Choices` are answers to all of them. `direct3d9.sem.numbers` has a set for each number rule.
Sources: [D] is Microsoft's reference of the shader languages, [W] what the tests of Wine found on real cards, both as collected
in reference/direct3d9.md 4; dxvk issues by their numbers.
"""

from __future__ import annotations

from types import MappingProxyType

from lanewise.core.evidence import INFERRED, MEASURED, UNKNOWN
from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping


class Choice(Record):
    """An open question with its answers."""

    key: str
    "The name of the question, as options have it."
    topic: str
    "The question as a heading."
    answers: Mapping[str, str]
    "The values with their meaning."
    default: str
    "The value under a number rule that is not in `rules`."
    known: str
    "The evidence for the default: measured, inferred or unknown."
    source: str
    "The source of the evidence."
    ops: tuple[str, ...]
    "Instructions that it concerns."
    rules: Mapping[str, str] = {}
    "Values by the name of a number rule."

    def value(self, rule: str) -> str:
        """The answer under a number rule, by its name."""
        return self.rules.get(rule, self.default)


_RULE = "the result of the number rule's operation"

CHOICES = (
    Choice(
        key="zero_product",
        topic="0 times infinity or NaN",
        answers={"rule": _RULE, "zero": "+0, as 0 times anything"},
        default="rule",
        known=MEASURED,
        source="dxvk models every multiplication of Direct3D 9 hardware this way (issues 2016, 1619, PR 2294); the rule d3d9 "
        "is IEEE with this answer",
        ops=("mul", "mad", "dp3", "dp4", "lrp", "nrm", "pow", "lit"),
        rules={"d3d9": "zero"},
    ),
    Choice(
        key="functions",
        topic="rcp, rsq, exp, log, pow and nrm where a device has no exact instruction for them",
        answers={
            "rule": _RULE,
            "compiled": "the routine that `lanewise compile` writes, with the bits of the compiled program",
        },
        default="rule",
        known=INFERRED,
        source="docs/compiler-routines.md; the rule rtl-compiled is the device rtl with this answer",
        ops=("rcp", "rsq", "exp", "log", "expp", "logp", "pow", "nrm", "lit"),
        rules={"rtl-compiled": "compiled"},
    ),
    Choice(
        key="rcp_zero",
        topic="rcp of 0",
        answers={"rule": _RULE + ": an infinity", "largest": "FLT_MAX with the sign of the zero"},
        default="rule",
        known=UNKNOWN,
        source="[D] has infinity in the text and FLT_MAX in the pseudo-code; [W] fp_special_test: cards disagree",
        ops=("rcp",),
    ),
    Choice(
        key="rsq_zero",
        topic="rsq of 0",
        answers={"rule": _RULE + ": infinity", "largest": "FLT_MAX"},
        default="rule",
        known=UNKNOWN,
        source="[D] has both; [W] fp_special_test: cards disagree",
        ops=("rsq",),
    ),
    Choice(
        key="log_zero",
        topic="log and logp of 0",
        answers={"rule": _RULE + ": minus infinity", "largest": "-FLT_MAX"},
        default="rule",
        known=UNKNOWN,
        source="[D] has minus infinity and -FLT_MAX; [W] fp_special_test: cards disagree",
        ops=("log", "logp"),
    ),
    Choice(
        key="pow_zero",
        topic="pow with an exponent of 0, of a base that has no finite logarithm",
        answers={"rule": "2^(b * log2|a|) without an exception", "one": "1.0 for every base"},
        default="rule",
        known=UNKNOWN,
        source="[D] defines pow by exp and log; [W]: pow never gives infinity or NaN on real cards",
        ops=("pow", "lit"),
    ),
    Choice(
        key="min_max",
        topic="min and max with a NaN",
        answers={"rule": _RULE, "second": "a < b ? a : b and a >= b ? a : b, so the second source"},
        default="rule",
        known=INFERRED,
        source="[D] defines both by the comparison; a device has its own instructions",
        ops=("min", "max"),
        rules={"ieee": "second", "d3d9": "second"},
    ),
    Choice(
        key="sincos",
        topic="sincos in shader model 3",
        answers={
            "series": (
                "the series of half the angle, as in shader model 2: at most 0.0018 from the sine and 0.00064 from the "
                "cosine, for angles from -pi to pi"
            ),
            "exact": "sine and cosine of any finite angle, to 0.50000002 units in the last place",
        },
        default="series",
        known=UNKNOWN,
        source="[D] has cos(V) and sin(V) for angles from -pi to pi, and no bound of the error; a device has no instruction "
        "for them, and its programs have the series",
        ops=("sincos",),
        rules={"ieee": "exact", "d3d9": "exact"},
    ),
    Choice(
        key="scalar",
        topic="The component that rcp, rsq, exp, log, expp, logp take of a source with no replicate swizzle",
        answers={"w": "the last of the swizzle", "x": "the first of the swizzle"},
        default="w",
        known=MEASURED,
        source="[W] d3d8 tests: w on most cards; [D] has x. Shader model 2 allows replicate swizzles only",
        ops=("rcp", "rsq", "exp", "log", "expp", "logp"),
    ),
    Choice(
        key="logp",
        topic="logp in vs_1_x",
        answers={"log2": "log2|x| in all components", "parts": "(exponent, mantissa, log2|x|, 1), as DirectX 8 defines it"},
        default="log2",
        known=INFERRED,
        source="[D]; [W] logp_test in d3d8 saw (0, 1, 0) for 1.0 on Intel and VMware drivers",
        ops=("logp",),
    ),
    Choice(
        key="mov_a0",
        topic="mov to a0 in vs_1_1",
        answers={"floor": "rounds down", "nearest": "rounds to nearest"},
        default="floor",
        known=MEASURED,
        source="[W]: -2.4 gives -3, 1.6 gives 1; [D] has to nearest",
        ops=("mov",),
    ),
    Choice(
        key="mova_tie",
        topic="mova of a number halfway between two",
        answers={"even": "the even one", "up": "the greater one", "away": "away from 0"},
        default="even",
        known=UNKNOWN,
        source="[W] tests only -2.4, -1.6 and 1.6",
        ops=("mova",),
    ),
    Choice(
        key="cnd_coissue",
        topic="cnd in ps_1_1 to ps_1_3 with the co-issue bit",
        answers={"second": "always the second source", "tested": "as without the bit"},
        default="second",
        known=MEASURED,
        source="[W] on real cards",
        ops=("cnd",),
    ),
    Choice(
        key="coissue",
        topic="The two instructions of a pair",
        answers={"together": "both read before either writes", "in_order": "the second sees what the first has written"},
        default="together",
        known=INFERRED,
        source="[D]: they are issued at the same time",
        ops=("mov",),
    ),
    Choice(
        key="texkill",
        topic="Components that texkill tests in ps_2_0 and later",
        answers={"all": "x, y, z and w", "xyz": "x, y and z"},
        default="all",
        known=MEASURED,
        source="[W] texkill_test on real cards; [D] has three",
        ops=("texkill",),
    ),
    Choice(
        key="ps1_constants",
        topic="c# of ps_1_x",
        answers={"clamped": "between -1 and 1", "free": "as given"},
        default="clamped",
        known=INFERRED,
        source="[D]",
        ops=(),
    ),
    Choice(
        key="ps1_colors",
        topic="v# of ps_1_x",
        answers={"clamped": "between 0 and 1", "free": "as given"},
        default="clamped",
        known=INFERRED,
        source="[D]",
        ops=(),
    ),
    Choice(
        key="ps1_range",
        topic="Range of r# in ps_1_x",
        answers={"free": "any float32", "8": "-8 to 8", "1": "-1 to 1"},
        default="free",
        known=UNKNOWN,
        source="[D]: at least -1 to 1, by a capability of the card up to 8",
        ops=("mov",),
    ),
)

BY_KEY: Mapping[str, Choice] = MappingProxyType({choice.key: choice for choice in CHOICES})
_PLACE: Mapping[str, int] = MappingProxyType({choice.key: place for place, choice in enumerate(CHOICES)})


class Choices(Record):
    """An answer to each question of `CHOICES`, in their order."""

    values: tuple[str, ...]

    def value(self, key: str) -> str:
        """The answer to a question. Raises KeyError."""
        return self.values[_PLACE[key]]

    def replace(self, changes: Mapping[str, str]) -> Choices:
        """The same but for these answers. Raises ValueError for a question or answer that does not exist."""
        values = list(self.values)
        for key, value in changes.items():
            if key not in BY_KEY:
                raise ValueError(f"unknown choice '{key}'")
            if value not in BY_KEY[key].answers:
                raise ValueError(f"{key} cannot be '{value}': it is {' or '.join(BY_KEY[key].answers)}")
            values[_PLACE[key]] = value
        return Choices(tuple(values))

    def differences(self, other: Choices) -> dict[str, str]:
        """The answers that are not the other's, by their keys."""
        return {key: mine for key, mine, theirs in zip(BY_KEY, self.values, other.values, strict=True) if mine != theirs}


def choices_of(rule: str) -> Choices:
    """The answers under a number rule, by its name; those of a device for a name that no row has."""
    return Choices(tuple(choice.value(rule) for choice in CHOICES))


def check_choices(choices: tuple[Choice, ...] = CHOICES) -> None:
    """Raise ValueError unless every row has evidence, and answers only what it offers."""
    if len({choice.key for choice in choices}) != len(choices):
        raise ValueError("two rows have one key")
    for choice in choices:
        if choice.known not in (MEASURED, INFERRED, UNKNOWN) or not (choice.topic and choice.source):
            raise ValueError(f"{choice.key} lacks evidence")
        if any(value not in choice.answers for value in (choice.default, *choice.rules.values())):
            raise ValueError(f"{choice.key} answers what it does not offer")
