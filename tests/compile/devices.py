"""Random devices: answers to each question that go together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.shadercore.isa.devices import DOCUMENT, PARAMETERS, RTL
from lanewise.shadercore.isa.parameters import TIME

if TYPE_CHECKING:
    import random

    from lanewise.shadercore.isa.devices import Device


def random_device(rng: random.Random, share: float = 0.3) -> Device:
    """One of the two with about this share of its answers changed."""
    while True:
        base = rng.choice((DOCUMENT, RTL))
        changes: dict[str, str] = {}
        for parameter in PARAMETERS:
            if rng.random() >= share:
                continue
            if parameter.answers:
                changes[parameter.key] = rng.choice(list(parameter.answers))
            elif parameter.group == TIME:
                changes[parameter.key] = str(rng.randint(parameter.least, min(parameter.most, parameter.least + 20)))
        try:
            return base.replace(changes)
        except ValueError:  # answers that do not go together
            continue
