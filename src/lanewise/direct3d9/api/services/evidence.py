"""Evidence pages of Direct3D 9: number rules and open questions."""

from __future__ import annotations

from lanewise.core.document import Heading, Items, Paragraph
from lanewise.core.evidence import CLASSES
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.topics import on_topic
from lanewise.direct3d9.isa.choices import BY_KEY, CHOICES
from lanewise.direct3d9.isa.table import BY_NAME
from lanewise.direct3d9.sem.numbers import D3D9, IEEE, NAMES
from lanewise.direct3d9.text.names import MNEMONICS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.document import Block
    from lanewise.direct3d9.isa.choices import Choice
    from lanewise.direct3d9.isa.table import Op

_ZERO = BY_KEY["zero_product"]
_DEVICE = "The ShaderCore of that name: each instruction in its words (`lanewise isa shadercore --evidence`)."
# Each number rule with its arithmetic and the evidence for it.
RULES = (
    (
        IEEE,
        "IEEE 754 binary32, to nearest with ties to even; subnormal numbers are numbers; one NaN, 0x7FC00000.",
        "the specification of ShaderCore; Direct3D 9 leaves the arithmetic open",
    ),
    (D3D9, "The same with 0 times anything 0.", f"{_ZERO.known}: {_ZERO.source}"),
    *((name, _DEVICE, "lanewise isa shadercore --evidence") for name in NAMES[2:]),
)


def choices_of(op: Op) -> list[Choice]:
    """The open questions that concern an instruction."""
    return [choice for choice in CHOICES if op.name in choice.ops]


def rules() -> list[Block]:
    """The number rules."""
    return [Heading(2, "Number rules"), Items(tuple((name, arithmetic) for name, arithmetic, _ in RULES))]


def evidence(choices: Sequence[Choice] = CHOICES, topic: str = "") -> list[Block]:
    """Every open question: its answers, the one that a run takes by default, and the evidence; on a topic only some."""
    blocks: list[Block] = [
        Heading(1, f"Direct3D 9: what is open on {topic}" if topic else "Direct3D 9: what is open"),
        Paragraph(
            "Where documentation and cards disagree, or say nothing, a run has a choice: `--set KEY=ANSWER`. The default "
            f"answer is {', '.join(CLASSES[:-1])} or {CLASSES[-1]}; [D] is Microsoft's reference, [W] what the tests of Wine "
            "found on real cards."
        ),
    ]
    for choice in choices:
        blocks += choice_page(choice, 2)
    return blocks


def evidence_on(topic: str) -> tuple[list[Block], dict[str, object]]:
    """The page of the open questions about a topic, and the same as plain data. Raises UsageError where there are none."""
    mnemonic = MNEMONICS.get(topic.strip().lower())
    choices = on_topic(mnemonic.op.name if mnemonic else topic, CHOICES, _words_of, BY_NAME)
    return evidence(choices, topic), {"choices": [choice_data(choice) for choice in choices]}


def _words_of(choice: Choice) -> tuple[str, ...]:
    """The words of an open question in which topics are searched."""
    return (*choice.answers, *choice.answers.values(), choice.known, choice.source)


def choice_page(choice: Choice, level: int) -> list[Block]:
    """An open question with its answers, under a heading of a level."""
    others = {rule: answer for rule, answer in choice.rules.items() if answer != choice.default}
    points = [
        (f"`{value}`", meaning + (", the default" if value == choice.default else ""))
        for value, meaning in choice.answers.items()
    ]
    points += [(rule, f"takes `{answer}`") for rule, answer in others.items()]
    points.append(("evidence", f"{choice.known}: {choice.source}"))
    return [Heading(level, choice.key), Paragraph(choice.topic), Items(tuple(points))]


def choice_data(choice: Choice) -> dict[str, object]:
    """An open question as plain values."""
    return {
        "key": choice.key,
        "topic": choice.topic,
        "answers": dict(choice.answers),
        "default": choice.default,
        "rules": dict(choice.rules),
        "known": choice.known,
        "source": choice.source,
        "ops": list(choice.ops),
    }
