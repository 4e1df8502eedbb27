"""Counts of loops on the command line, `NAME=COUNT`: what was meant where one has another form."""

from __future__ import annotations

import re

MOST = 255
_SETTING = re.compile(r"(?P<name>[A-Za-z_][\w.\[\]]*)\s*(?P<sign><=|[=:<]|\s|$)\s*(?P<value>.*)")
_PLAIN = re.compile(r"[+-]?\d+")


def count_meant(text: str, option: str, *, register: bool = False) -> str:
    """The fix of an option whose value is not NAME=COUNT; of one for registers, i0 to i15, not iN=COUNT,START,STEP."""
    parts = re.split(r"[,;]\s*(?=[A-Za-z_])", text.strip())
    if len(parts) > 1:
        return "give each by itself: " + " ".join([f"{option} {part.strip()}" for part in parts])
    found = _SETTING.fullmatch(text.strip())
    form = "iN=COUNT, or iN=COUNT,START,STEP" if register else f"NAME=COUNT, with a count of 0 to {MOST}"
    most = "the most that it can be" if option == "--bound" else "its count"
    if found is None and register and (own := re.fullmatch(r"(\d+)\s*=(.*)", text.strip())):
        return count_meant(f"i{text.strip()}", option, register=True) if own[2] else f"write i{own[1]}=COUNT"
    if found is None:
        number = _PLAIN.fullmatch(text.strip())
        name = "the register of the loop" if register else "the uniform that the loop counts to"
        return f"write {name} before it, {'i0' if register else 'NAME'}={text.strip()}" if number else f"write {form}"
    name, value = found["name"], found["value"].strip()
    number = re.fullmatch(r"i?(\d+)", name.lower())
    if register and (number is None or int(number[1]) > 15):
        return f"'{name}' is not a register of loops: write i0 to i15, such as i0={value or 'COUNT'}, as the instruction has it"
    name = f"i{number[1]}" if register and number else name
    if not value:
        return f"add {most}, such as {name}=8"
    numbers = [_whole(each) for each in re.split(r"[,;:]|\.\.", value)]
    if None in numbers or not numbers:
        return f"'{value}' is not a number: write {most}, such as {name}=8"
    counts = [each for each in numbers if each is not None]
    count = counts[-1] if ".." in value else counts[0] - (found["sign"] == "<")
    if not 0 <= count <= MOST:
        return f"the count is {count}, expected 0 to {MOST}"
    if register and len(counts) in (2, 3) and ".." not in value:
        return f"write {name}={','.join(map(str, counts if len(counts) == 3 else [*counts, 1]))}"
    more = ": start and step are those of the source" if len(counts) > 1 and ".." not in value else ""
    return f"write {name}={count}{more}"


def _whole(text: str) -> int | None:
    """The whole number that a text is in any notation; None for another text."""
    try:
        return int(text.strip(), 0)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return None
    return int(number) if number == number // 1 else None


__all__ = ["MOST", "count_meant"]
