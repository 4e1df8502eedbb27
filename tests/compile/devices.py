"""Random devices: answers to each question that go together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.shadercore.isa.devices import DOCUMENT, RTL, TIME, TRAITS

if TYPE_CHECKING:
    import random

    from lanewise.shadercore.isa.devices import Device


def random_device(rng: random.Random, share: float = 0.3) -> Device:
    """One of the two with about this share of its answers changed."""
    while True:
        base = rng.choice((DOCUMENT, RTL))
        changes: dict[str, str] = {}
        for trait in TRAITS:
            if rng.random() >= share:
                continue
            if trait.answers:
                changes[trait.key] = rng.choice(list(trait.answers))
            elif trait.group == TIME:
                changes[trait.key] = str(rng.randint(trait.least, min(trait.most, trait.least + 20)))
        try:
            return base.replace(changes)
        except ValueError:  # answers that do not go together
            continue
