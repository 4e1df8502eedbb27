"""A page for each open question: fields of a profile, parameters of a device, choices of a Direct3D 9 run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.direct3d9.isa.choices import CHOICES as DIRECT3D9_CHOICES
from lanewise.pica200.isa.experiments import EXPERIMENTS, UNDECIDABLE
from lanewise.pica200.isa.facts import CHOICES, EMULATORS
from lanewise.shadercore.isa.devices import PARAMETERS
from lanewise_site.markup import escape, page, table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.direct3d9.isa.choices import Choice
    from lanewise.pica200.isa.experiments import Experiment
    from lanewise.pica200.isa.facts import Fact
    from lanewise.shadercore.isa.parameters import Parameter

_FOLDERS = {"pica200": "profile", "shadercore": "device", "direct3d9": "choice"}


def field_page(isa: str, key: str) -> str:
    """The page of a question, as a link from a page in another folder of the reference."""
    return f"../{_FOLDERS[isa]}/{key}.md"


def pages() -> dict[str, str]:
    found = {f"reference/profile/{fact.key}.md": _fact(fact) for fact in CHOICES.values()}
    found |= {f"reference/device/{row.key}.md": _parameter(row) for row in PARAMETERS}
    found |= {f"reference/choice/{row.key}.md": _choice(row) for row in DIRECT3D9_CHOICES}
    found["reference/profile/index.md"] = page(
        "Profile fields of the PICA200",
        "A profile answers every question about the hardware that no test has settled for every case. `lanewise run "
        "--profile NAME --set FIELD=VALUE` and [`Profile.replace`](../api/Profile.md) choose the answers; the preset "
        "`hardware` has the best known ones.",
        f"The presets of emulators follow the interpreters of {' and '.join(EMULATORS.values())}. [How evidence is "
        "graded](../../explain/evidence.md) explains the first column.",
        table(
            ("known", "field", "question", *("hardware", *EMULATORS)),
            [
                (
                    f"**{f.known}**",
                    f"[`{f.key}`]({f.key}.md)",
                    escape(f.topic),
                    *[f"`{f.value(p)}`" for p in ("hardware", *EMULATORS)],
                )
                for f in CHOICES.values()
            ],
        ),
        orphan=False,
    )
    found["reference/device/index.md"] = page(
        "Device parameters of ShaderCore",
        "The device `document` follows the specification, `rtl` the public hardware description. `--device NAME --set "
        "FIELD=VALUE` tries other values. `NAME_latency`, `NAME_pipe` and `NAME_interval` are parameters too, for each "
        "instruction.",
        table(
            ("group", "parameter", "question", "document", "rtl"),
            [
                (r.group, f"[`{r.key}`]({r.key}.md)", escape(r.topic), _value(r, r.document), _value(r, r.rtl))
                for r in PARAMETERS
            ],
        ),
        orphan=False,
    )
    found["reference/choice/index.md"] = page(
        "Choices of a Direct3D 9 run",
        "Documentation and hardware disagree about these questions or leave them open. A number rule (`--rule`) has a set of "
        "answers, `--set FIELD=VALUE` changes one.",
        table(
            ("known", "choice", "question", "answers"),
            [
                (f"**{r.known}**", f"[`{r.key}`]({r.key}.md)", escape(r.topic), ", ".join([f"`{a}`" for a in r.answers]))
                for r in DIRECT3D9_CHOICES
            ],
        ),
        orphan=False,
    )
    return found


def _answers(answers: Mapping[str, str]) -> str:
    return table(("value", "meaning"), [(f"`{value}`", escape(text)) for value, text in answers.items()])


def experiments(tests: Sequence[Experiment]) -> str:
    """The table of some test programs."""
    return table(
        ("program", "question", "what it shows", "method", "state"),
        [(f"`{t.name}`", t.question, escape(t.about), escape(t.method), escape(t.evidence)) for t in tests],
    )


def _instructions(isa: str, names: Sequence[str]) -> str:
    if not names:
        return ""
    from lanewise_site.instructions import slug

    return "## Instructions\n\n" + ", ".join([f"[`{name}`](../{isa}/{slug(name)}.md)" for name in names])


def _fact(fact: Fact) -> str:
    presets = ("hardware", *EMULATORS)
    parts = [
        f"{escape(fact.topic)}.",
        f"Certainty of the first answer: **{fact.known}**.",
        "## Answers",
        _answers(fact.answers),
        "## Presets",
        table(
            ("profile", "value", "revision"),
            [(p, f"`{fact.value(p)}`", EMULATORS.get(p, "best known answer")) for p in presets],
        ),
        "## Evidence",
        escape(fact.source) + ".",
    ]
    if fact.others:
        parts += ["## Answers that lanewise does not implement", "\n".join([f"- {escape(text)}" for text in fact.others])]
    tests = [row for row in EXPERIMENTS if fact.key in row.fields]
    if tests:
        parts += [
            "## Experiments",
            "Programs of `lanewise evidence kit` whose result depends on this field:",
            experiments(tests),
        ]
    for row in UNDECIDABLE:
        if row.field == fact.key:
            parts.append(f"No program on a console can show {escape(row.what)}: {escape(row.reason)}.")
    parts.append(_instructions("pica200", fact.ops))
    parts += ["## Use", f"```sh\nlanewise run shader.v.pica --set {fact.key}={list(fact.answers)[-1]}\n```"]
    return page(f"`{fact.key}`", *parts, above="[Profile fields](index.md)")


def _value(row: Parameter, value: object) -> str:
    if value is None:
        return "none"
    return f"{value} {row.unit}{'' if value == 1 else 's'}" if not row.answers and row.unit else f"`{value}`"


def _parameter(row: Parameter) -> str:
    limits = f"A number of {row.unit}s from {row.least} to {row.most}" + (
        ", or `none`: not defined." if row.may_be_none else "."
    )
    return page(
        f"`{row.key}`",
        f"{escape(row.topic)}.",
        _answers(row.answers) if row.answers else limits,
        "## Devices",
        table(
            ("device", "value", "certainty", "source"),
            [
                ("`document`", _value(row, row.document), f"**{row.kind}**", escape(row.reason)),
                ("`rtl`", _value(row, row.rtl), f"**{row.known}**", escape(row.source)),
            ],
        ),
        _instructions("shadercore", row.ops),
        above="[Device parameters](index.md)",
    )


def _choice(row: Choice) -> str:
    rules = [("the others", row.default), *row.rules.items()] if row.rules else [("all", row.default)]
    return page(
        f"`{row.key}`",
        f"{escape(row.topic)}.",
        "## Answers",
        _answers(row.answers),
        "## Number rules",
        table(("rule", "answer"), [(f"`{rule}`" if rule in row.rules else rule, f"`{answer}`") for rule, answer in rules]),
        "## Evidence",
        f"**{row.known}**: {escape(row.source)}.",
        _instructions("direct3d9", row.ops),
        above="[Choices](index.md)",
    )
