"""Profiles: an answer to every open question about the hardware, for reproducible runs.

The questions, their answers and the evidence for each are the rows of `isa.facts`; a field here is the key of a row, and its
value the short name of an answer. `profiles` has three, built from those rows: `hardware` with the best evidence for each,
`azahar` and `panda3ds` with the behaviour of those emulators' interpreters.
"""

from __future__ import annotations

from types import MappingProxyType

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.isa.facts import CHOICES, EMULATORS

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT = "hardware"
PRESETS = (DEFAULT, *EMULATORS)


class Profile(Record):
    """One answer to each question; hashable, so that results for one can be cached.

    Derive another with `replace`, which checks names and values. All values are text, as `--set` takes them.
    """

    rounding: str
    overflow: str
    mad_rounding: str
    dot_order: str
    negative_zero: str
    zero_reciprocal: str
    nan_pattern: str
    subnormal_arithmetic: str
    subnormal_floor: str
    subnormal_mov: str
    subnormal_min: str
    subnormal_set: str
    subnormal_litp: str
    max_zero_neg_inf: str
    compare_nan: str
    precision: str
    dsti_operands: str
    litp_nan: str
    litp_flags: str
    litp_mask: str
    upload: str
    constant_subnormals: str
    index_wrap: str
    al_offset: str
    index_files: str
    mova_fraction: str
    mova_range: str
    cmp_operators: str
    stack_check: str
    stack_depth: str
    fourth_return: str
    jump_at_end: str
    loop_rounds: str
    loop_register: str
    al_width: str
    al_break: str
    al_last: str
    al_restore: str
    empty_break: str
    past_end: str
    code_limit: str
    unknown_words: str
    initial_state: str
    emit_slots: str
    winding_swap: str
    keep_registers_between_invocations: str

    def replace(self, /, **values: str) -> Profile:
        """A copy with other values of these fields. Raises ValueError for unknown names or values."""
        for name, value in values.items():
            _check(name, value)
        return self._replace(**values)

    def set(self, assignment: str) -> Profile:
        """`replace` for a text such as `rounding=nearest`. Raises ValueError."""
        name, equals, value = (part.strip() for part in assignment.partition("="))
        if not equals:
            raise ValueError(f"a setting is FIELD=VALUE, such as rounding=nearest, not '{assignment}'")
        return self.replace(**{name: value})

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


profiles: Mapping[str, Profile] = MappingProxyType({name: _preset(name) for name in PRESETS})
HARDWARE = profiles[DEFAULT]


def find_profile(profile: Profile | str | None) -> Profile:
    """Find a preset by name; None is `hardware`, a profile is returned. Raises ValueError."""
    if profile is None:
        return HARDWARE
    if isinstance(profile, Profile):
        return profile
    if profile not in profiles:
        hint = "read_profile reads one from the bytes of a file" if is_profile_file(profile) else _instead(profile, PRESETS)
        raise ValueError(f"unknown profile '{profile}': {hint}")
    return profiles[profile]


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


def _check(name: str, value: str) -> None:
    if name not in CHOICES:
        raise ValueError(f"unknown profile field '{name}': {_instead(name, CHOICES)}")
    answers = CHOICES[name].answers
    if value not in answers:
        raise ValueError(f"{name} cannot be '{value}': {_listed(answers)}")


def _listed(values: Mapping[str, str] | tuple[str, ...]) -> str:
    *most, last = values
    return f"{', '.join(most)} or {last}"


def _instead(text: str, known: Mapping[str, object] | tuple[str, ...]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(text.lower(), list(known), 1, 0.5)
    if near:
        return f"did you mean {near[0]}?"
    return f"use {', '.join(known)}" if len(known) < 9 else "lanewise isa pica200 --evidence lists them"
