"""Texts of words in the form of another tool: what they are, and the command or the text that gives words."""

from __future__ import annotations

_DIGITS = frozenset("0123456789abcdef")
_WORD, _BITS = 8, 32  # digits
_RUST = ("[u32", "[i32")  # of `[u32; 5]`, from whose `;` on a line is a comment


def of_text(text: str, marked: bool) -> tuple[str, str]:
    """The fault of a text whose numbers are parts of words, and the fix; empty texts for others. `marked`: with 0x."""
    tokens = text.replace(",", " ").lower().split()
    if len(tokens) < 4 or len(tokens) % 2:
        return "", ""
    if marked and all(len(token) == 2 + _WORD // 2 and token.startswith("0x") for token in tokens):
        high, low = tokens[:2]
        return "the numbers are halves of words", f"write two as a word, such as {high}{low[2:]} for {high} {low}"
    if marked and len(tokens) % 4 == 0:
        digits = [token.removeprefix("0x") for token in tokens]
        bytewise = all(
            each != token and 0 < len(each) <= 2 and _DIGITS.issuperset(each)
            for each, token in zip(digits, tokens, strict=True)
        )
        if not bytewise:
            return "", ""
        word = "".join([each.zfill(2) for each in reversed(digits[:4])])
        return (
            "the numbers are bytes, not words",
            f"write four bytes as a word, the first one lowest: 0x{word} for {' '.join(tokens[:4])}",
        )
    for size in () if marked else (2, 4):
        if len(tokens) * size % 8 == 0 and all(len(token) == size and _DIGITS.issuperset(token) for token in tokens):
            return (
                f"groups of {size} digits are bytes, not words",
                "make the binary of which they are, and give it: `xxd -r -p FILE OUT`",
            )
    return "", ""


def of_token(text: str, token: str) -> tuple[str, str]:
    """The fault of a token that is not a word, and the fix, by the rest of the text; empty texts where nothing is known."""
    plain = token.lower().strip("\"',;")
    if len(plain) == _BITS and set(plain) <= {"0", "1"}:
        command = "python3 -c \"print(*[hex(int(word, 2)) for word in open('FILE').read().split()])\" > words.txt"
        return f"'{token[:16]}...' has 32 binary digits", f"write {int(plain, 2):#010x}, and so for the others: `{command}`"
    if token[0] in "$&" and _DIGITS.issuperset(plain[1:]) and len(plain) > 1:
        return f"'{token}' begins with {token[0]}", f"write 0x{plain[1:]}: `tr '{token[0]},' '  ' < FILE > words.txt`"
    after = text.split(token, 1)[-1].split()[:1]
    if token.endswith(":") and _DIGITS.issuperset(plain[:-1]) and after and len(after[0].removeprefix("0x")) == _WORD:
        return (
            f"a listing, in which '{token}' is an address",
            f"give its words, such as {after[0]}: `awk '{{print $2}}' FILE > words.txt`",
        )
    if len(plain) >= 2 * _WORD and len(plain) % 2 == 0 and _DIGITS.issuperset(plain):
        return (
            f"'{token[:16]}...' has {len(plain)} digits: bytes, as `xxd -p` writes them",
            "make the binary of which they are, and give it: `xxd -r -p FILE OUT`",
        )
    if token.startswith(":") and len(token) > _WORD and _DIGITS.issuperset(token[1:].lower()):
        return (
            f"'{token[:16]}' is a record of Intel HEX",
            "make the binary of it, and give that: `objcopy -I ihex -O binary FILE OUT`",
        )
    if token.startswith("@") and _DIGITS.issuperset(token[1:].lower()):
        return f"'{token}' is an address of $readmemh", "remove it: `grep -v @ FILE > words.txt`"
    if plain.endswith("h") and _DIGITS.issuperset(plain[:-1]) and len(plain) <= _WORD + 2:
        return (
            f"'{token}' ends in h",
            f"write 0x{plain[:-1].lstrip('0') or '0'}, and so for the others: `sed 's/[hH]//g' FILE > words.txt`",
        )
    first = _first_word(text) or ("0x22021080" if text.rstrip().endswith(_RUST) else "")
    if first:
        return (
            f"'{token[:40]}' is not a word",
            f"give a file with the words only, such as {first}: `grep -o '0[xX][0-9A-Fa-f]*' FILE > words.txt`",
        )
    return "", ""


def _first_word(text: str) -> str:
    """The first whole word with 0x of a text; empty without one."""
    lowered, at = text.lower(), -1
    while (at := lowered.find("0x", at + 1)) >= 0:
        end = at + 2
        while lowered[end : end + 1] in _DIGITS and end < len(text):
            end += 1
        if end - at == 2 + _WORD:
            return text[at:end]
    return ""


__all__ = ["of_text", "of_token"]
