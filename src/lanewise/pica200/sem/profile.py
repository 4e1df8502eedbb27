"""Profiles: an answer to every open question about the hardware, for reproducible runs.

The questions, their answers and the evidence for each are the rows of `isa.facts`; a field here is the key of a row, and its
value the short name of an answer. `profiles` has three, built from those rows: `hardware` with the best evidence for each,
`azahar` and `panda3ds` with the behaviour of those emulators' interpreters.
"""

from __future__ import annotations

from lanewise.core.objects import Presets, answering
from lanewise.core.record import TYPE_CHECKING, Record, cast
from lanewise.pica200.isa.facts import CHOICES, EMULATORS

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT = "hardware"
PRESETS = (DEFAULT, *EMULATORS)


@answering("replace", "set", "to_toml", "differences")
class Profile(Record):
    """One answer to each question; hashable, so that results for one can be cached.

    Derive another with `replace`, which checks names and values. All values are text, as `--set` takes them: keys of the
    answers in `isa.facts`.
    """

    _advice = " (a preset with other values is `lanewise.pica200.profiles['hardware'].replace(FIELD=VALUE)`)"

    rounding: str
    "Rounding of results (C2)."
    overflow: str
    "Results of 2^64 and more."
    mad_rounding: str
    "Rounding of the product in mad."
    dot_order: str
    "Order of additions in dot products (C11)."
    negative_zero: str
    "Sign of zero (C3)."
    zero_reciprocal: str
    "rcp and rsq of -0."
    nan_pattern: str
    "Pattern of a written NaN."
    subnormal_arithmetic: str
    "Subnormals in other arithmetic."
    subnormal_floor: str
    "Subnormals in flr (C8)."
    subnormal_mov: str
    "Subnormals in mov (C8)."
    subnormal_min: str
    "Subnormals in min (C8)."
    subnormal_set: str
    "Subnormals in sge and slt (C8)."
    subnormal_litp: str
    "Subnormals in litp (C8)."
    max_zero_neg_inf: str
    "max(0, -inf) (C1)."
    compare_nan: str
    "Comparisons with NaN."
    precision: str
    "Precision of rcp, rsq, ex2, lg2 (C14)."
    dsti_operands: str
    "Meaning of dsti (C7)."
    litp_nan: str
    "NaN and -0 in litp (C13)."
    litp_flags: str
    "Flags of litp for NaN and -0 (C13)."
    litp_mask: str
    "Flags of litp under a write mask."
    upload: str
    "Inputs and uniforms given as numbers."
    constant_subnormals: str
    "float24 subnormals as float32."
    index_wrap: str
    "Sum of a register number and an index."
    al_offset: str
    "aL as an index outside -128 to 127."
    index_files: str
    "Index registers on v and r registers (errata E14)."
    mova_fraction: str
    "mova of fractions (C4)."
    mova_range: str
    "mova of NaN, infinity and large numbers."
    cmp_operators: str
    "cmp operators 6 and 7 (C9)."
    stack_check: str
    "Ends of blocks and calls."
    stack_depth: str
    "Full CALL, IF and LOOP stacks."
    fourth_return: str
    "Four returns at one address."
    jump_at_end: str
    "jmpc and jmpu at the end of a block or procedure."
    loop_rounds: str
    "Iterations of a loop."
    loop_register: str
    "Integer register of a loop (C16)."
    al_width: str
    "Width of aL (C5)."
    al_break: str
    "aL at break (C5)."
    al_last: str
    "aL after the last iteration (C5)."
    al_restore: str
    "aL after a nested loop (C5)."
    empty_break: str
    "break with an empty LOOP stack."
    past_end: str
    "PC past the last word (C12)."
    code_limit: str
    "Words from 512 on in a vertex shader (C15)."
    unknown_words: str
    "Opcodes 10, 11, 14-17, 1C-1F."
    initial_state: str
    "Registers at the start of a vertex."
    emit_slots: str
    "Vertices that emit can hold (C6)."
    winding_swap: str
    "Vertices that the winding flag swaps (C6)."
    keep_registers_between_invocations: str
    "Registers at the start of a geometry shader's run (C10)."
    fixed_by_arrays: str
    "A geometry shader in mode fixed and a draw without an index list."

    if not TYPE_CHECKING:

        def __new__(cls, *values, **named):
            if values:
                name = values[0]
                try:
                    how = f"`lanewise.pica200.profiles[{find_profile(name).describe()!r}]`" if len(values) == 1 else "one name"
                except ValueError as error:
                    how = str(error)
                raise TypeError(f"a Profile is found by its name in `profiles`, not made of it: {how}")
            return super().__new__(cls, **named)

        def _meant(self, name):
            """Say what to write for a name that a profile does not have."""
            if name in CHOICES:
                return f"use `profile.{name}`"
            from lanewise.core.text.suggestions import near

            instead = _ELSEWHERE.get(name) or "".join([f"use `profile.{each}`" for each in near(name, self._fields)[:1]])
            return instead or "it is given to `run`, `shader.run(inputs, uniforms, profile=profile)`"

        def _setting(self, values):
            """The same profile with other values, as code."""
            return f"profile.replace({', '.join([f'{key}={value!r}' for key, value in values.items()])})"

    def replace(self, /, **values: str) -> Profile:
        """A copy with other values of these fields. Raises ValueError for unknown names or values."""
        for name, value in values.items():
            _check(name, value)
        return self._replace(**values)

    def set(self, assignment: str) -> Profile:
        """`replace` for a text such as `rounding=nearest`, with commas between several. Raises ValueError."""
        found = self
        for each in assignment.split(","):
            name, equals, value = (part.strip() for part in each.partition("="))
            several = each.replace(";", " ").split()
            if len(several) > 1 and all("=" in part.strip("=") for part in several):
                raise ValueError(f"'{each.strip()}' is {len(several)} settings: write commas between them, {','.join(several)}")
            if not equals:
                if name in profiles:
                    raise ValueError(f"a preset is given by --profile {name}, its fields are changed by --set FIELD=VALUE")
                field = name if name in CHOICES else next((key for key, row in CHOICES.items() if name in row.answers), "")
                others = [answer for answer in CHOICES[field].answers if answer != getattr(self, field)] if field else [""]
                answer = name if name != field else others[0]
                meant = f"{field}={answer}" if field else "rounding=nearest"
                meant = each.strip().replace(":", "=", 1) if ":" in each else meant
                raise ValueError(f"a setting is FIELD=VALUE, such as {meant}, not '{each.strip()}'")
            found = found.replace(**{name: value})
        return found

    def describe(self) -> str:
        """The nearest preset and what differs from it: `hardware`, or `azahar, rounding=nearest`."""
        found = _descriptions.get(self)
        if found is None:
            name = min(PRESETS, key=lambda preset: len(self.differences(preset)))
            found = ", ".join((name, *(f"{field}={value}" for field, value in self.differences(name).items())))
            if len(_descriptions) < _MOST_DESCRIPTIONS:
                _descriptions[self] = found
        return found

    def to_toml(self, about: str = "") -> str:
        """The profile as a file for `--profile`: the nearest preset, the fields that differ from it; `about` becomes
        comments."""
        preset = min(PRESETS, key=lambda name: len(self.differences(name)))
        lines = [f"# {line}".rstrip() for line in about.splitlines()]
        fields = [f'{name} = "{value}"' for name, value in self.differences(preset).items()]
        return "\n".join([*lines, f'preset = "{preset}"', *fields]) + "\n"

    def differences(self, preset: str = DEFAULT) -> dict[str, str]:
        """The fields whose value is not the preset's, with their values here."""
        other = find_profile(preset)
        return {name: mine for name, mine, theirs in zip(self._fields, self, other, strict=True) if mine != theirs}


_MOST_DESCRIPTIONS = 256
_descriptions: dict[Profile, str] = {}


def _preset(name: str) -> Profile:
    return Profile(**{key: fact.value(name) for key, fact in CHOICES.items()})


_FILE = (
    "in Python, read a file with `values = tomllib.load(open({!r}, 'rb'))`, and give "
    "`lanewise.pica200.profiles[values.pop('preset', 'hardware')].replace(**values)`"
)
_ELSEWHERE = {  # of profiles
    "name": "use `profile.describe()`",
    **dict.fromkeys(("save", "write", "dump", "to_file"), "`pathlib.Path('my.toml').write_text(profile.to_toml())`"),
    **dict.fromkeys(("copy", "with_", "update", "_replace", "evolve"), "use `profile.replace(rounding='nearest')`"),
    **dict.fromkeys(("to_dict", "items", "keys", "dict", "asdict"), "use `profile.differences()`"),
}
_SUCCEEDED = ("citra", "lime3ds", "pablomk7")  # emulators and forks of which Azahar is made


def find_profile(profile: Profile | str | None) -> Profile:
    """Find a preset by name; None is `hardware`, a profile is returned. Raises ValueError."""
    if profile is None:
        return HARDWARE
    if isinstance(profile, Profile):
        return profile
    if isinstance(profile, dict):
        shown = {key: "..." if "<" in repr(value) else repr(value) for key, value in cast("dict[str, object]", profile).items()}
        fields = ", ".join([f"{key}={value}" for key, value in shown.items()])
        raise ValueError(f"a profile is not a dict: use `lanewise.pica200.profiles['hardware'].replace({fields})`")
    if not isinstance(cast("object", profile), str):
        raise ValueError(f"a profile is its name or a Profile, not a {type(profile).__name__}: use {_listed(PRESETS)}")
    name = profile
    if name not in profiles:
        plain = name.strip().lower()
        if plain in profiles:
            raise ValueError(f"unknown profile '{name}': did you mean {plain}?")
        if name.lower().startswith(_SUCCEEDED):
            raise ValueError(f"unknown profile '{name}': use azahar, the profile of its successor Azahar")
        preset, comma, settings = name.partition(",")
        if comma and "=" in settings and preset.strip() in profiles:
            raise ValueError(f"unknown profile '{name}': write --profile {preset.strip()} --set {settings.strip()}")
        hint = _FILE.format(name) if is_profile_file(name) else _instead(name, PRESETS)
        raise ValueError(f"unknown profile '{name}': {hint}")
    return profiles[name]


profiles: Mapping[str, Profile] = Presets({name: _preset(name) for name in PRESETS}, find_profile, "profiles")
HARDWARE = profiles[DEFAULT]
SUFFIX = ".toml"  # of files with a profile


def read_profile(data: bytes, path: str) -> Profile:
    """The profile of a TOML file: a preset and fields with other values, as `Profile.to_toml` writes it.

    Raises InputFailure for what is not TOML, ValueError for unknown keys and values, all of them in one text.
    """
    from lanewise.core.settings import read_table

    table = read_table(data, path, "TOML", "the fields of a profile")
    preset = table.pop("preset", DEFAULT)
    wrong: list[str] = []
    if not isinstance(preset, str) or preset not in profiles:
        wrong.append(f"preset is {preset!r}: use {_listed(PRESETS)}")
    values: dict[str, str] = {}
    for name, value in table.items():
        try:
            _check(name, value if isinstance(value, str) else repr(value))
            values[name] = str(value)
        except ValueError as error:
            wrong.append(str(error))
    if wrong:
        raise ValueError(f"{path}: {'; '.join(wrong)}")
    return profiles[str(preset)].replace(**values)


def is_profile_file(name: str) -> bool:
    """Whether the name of a profile means a file."""
    return name not in PRESETS and name.lower().endswith(SUFFIX)


def _check(name: str, given: object) -> None:
    value = given if isinstance(given, str) else repr(given)
    if name not in CHOICES:
        parts = [[side.strip(" []'\"") for side in part.partition("=")] for part in value.split(",")]
        if all(field in CHOICES and equals for field, equals, _ in parts):
            meant = ", ".join([f'{field} = "{answer}"' for field, _, answer in parts])
            raise ValueError(f"unknown profile field '{name}': fields are keys of the table: write {meant}")
        raise ValueError(f"unknown profile field '{name}': {_instead(name, CHOICES)}")
    answers = CHOICES[name].answers
    if value not in answers:
        near = _near(value, answers)
        raise ValueError(f"{name} cannot be '{value}': use {_listed(answers)}" + (f" (did you mean {near}?)" if near else ""))


def _listed(values: Mapping[str, str] | tuple[str, ...]) -> str:
    *most, last = values
    return f"{', '.join(most)} or {last}"


# What others call the fields and their answers.
_MEANT = {
    **dict.fromkeys(("base", "parent", "extends", "inherits", "from", "name", "profile", "preset"), "preset"),
    **dict.fromkeys(("rne", "rtne", "rn", "even", "nearest-even", "tonearest", "round-to-nearest", "nearest_even"), "nearest"),
    **dict.fromkeys(("rtz", "rz", "truncate", "trunc", "toward-zero", "towards-zero", "chop"), "zero"),
    **dict.fromkeys(("f32", "single", "float", "ieee754", "binary32"), "float32"),
    **dict.fromkeys(("ftz", "daz", "flushed", "zeroed", "to-zero"), "flush"),
    **dict.fromkeys(("preserve", "gradual", "denormal", "kept"), "keep"),
    **dict.fromkeys(("sequential", "in-order", "left-to-right", "linear"), "left"),
    **dict.fromkeys(("tree", "pairwise", "pair"), "pairs"),
    **dict.fromkeys(
        ("hw", "console", "3ds", "new3ds", "n3ds", "old3ds", "default", "real", "device", "pica", "pica200"), "hardware"
    ),
}


def _near(text: str, known: Mapping[str, object] | tuple[str, ...]) -> str:
    from difflib import get_close_matches

    meant = _MEANT.get(text.lower(), "")
    if meant in known or meant == "preset":
        return meant
    return next(iter(get_close_matches(text.lower(), list(known), 1, 0.5)), "")


def _instead(text: str, known: Mapping[str, object] | tuple[str, ...]) -> str:
    near = _near(text, known)
    if near == "preset" and "preset" not in known:
        return 'a preset is given by --profile NAME, in a table by preset = "NAME"'
    if near:
        return f"did you mean {near}?"
    return f"use {', '.join(known)}" if len(known) < 9 else "lanewise isa pica200 --evidence lists them"
