"""Changes of `vectors_changes` that no program can show, each with the reason: by function, the statements as they are with the
change."""

from __future__ import annotations

_ROWS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "_leave_blocks",
        "a true part ends, and a call returns, at the address after an instruction, which is 1 or more",
        (
            "goal = if_to if if_to > 0 else call_to if call_to >= 0 else jump if jump >= 0 else after",
            "goal = if_to if if_to >= 1 else call_to if call_to >= 0 else jump if jump >= 0 else after",
            "goal = if_to if if_to >= 0 else call_to if call_to > 0 else jump if jump >= 0 else after",
            "goal = if_to if if_to >= 0 else call_to if call_to >= 1 else jump if jump >= 0 else after",
        ),
    ),
    ("_leave_blocks", "any negative number says that there is no address", ("ifs, if_to = (state.ifs, -2)",)),
    ("_return", "any negative number says that there is no address", ("goal, copy = (-2, after)",)),
    (
        "_break",
        "the loop's end replaces the address that the other rings lead to",
        (
            "return _leave_loop(_leave_blocks(state, profile, 1), profile, broken=True)",
            "return _leave_loop(_leave_blocks(state, profile, -2), profile, broken=True)",
            "return _leave_loop(_leave_blocks(state, profile, -0), profile, broken=True)",
        ),
    ),
    (
        "answer",
        "a loop is left when its counter is 0, so no counter is negative",
        ("return m.integer_within(values.counters[slot], -1, 0)",),
    ),
    (
        "Numbers.to_integer",
        "128 less is 128 more modulo 256",
        ("return (value - 128 & 255) - 128 if self.profile.mova_range == 'byte' else value",),
    ),
    (
        "Float32.__init__",
        "words are converted from this format, and nothing is rounded to it",
        ("self._float24 = Binary(FLOAT24, rules_of(profile, nearest=True))",),
    ),
    (
        "Float24.add",
        "at equality both sides of the condition give the same",
        (
            "if exponent > other:",
            "size = -total if total <= 0 else total",
            "size = -total if total < 1 else total",
            "size = size >> shift if shift > 0 else size << -shift",
            "size = size >> shift if shift >= 1 else size << -shift",
        ),
    ),
    (
        "Float24.add",
        "a total of 0 went to the general method",
        (
            "return (SIGN if total <= 0 else 0) | top << MANTISSA_BITS | size & FRACTION",
            "return (SIGN if total < 1 else 0) | top << MANTISSA_BITS | size & FRACTION",
        ),
    ),
    (
        "Float24.add",
        "the general method, which is the definition, does more numbers",
        ("if self._nearest or not 1 < top < EXPONENT_MAX or (not total):",),
    ),
    ("Float24.add", "sums of finite numbers are the same in both orders", ("return super().add(b, a) (2)",)),
    (
        "Float24.mul",
        "products of finite numbers are the same in both orders",
        ("return ZERO if self._plain_zero else super().mul(b, a)",),
    ),
    (
        "Float24.mul",
        (
            "the general method, which is the definition, does more numbers: all, where the carry is so large that the "
            "exponent is out of range"
        ),
        (
            "if self._nearest or not 1 < top < EXPONENT_MAX:",
            "carry = product << 2 * MANTISSA_BITS + 1",
            "carry = product >> 2 + MANTISSA_BITS + 1",
            "carry = product >> 1 * MANTISSA_BITS + 1",
        ),
    ),
    (
        "Float24.compare",
        "the general method, which is the definition, does more numbers",
        (
            "if op >= GE or a & MAGNITUDE > INFINITY or b & MAGNITUDE > INFINITY:",
            "if op > GE or a & MAGNITUDE >= INFINITY or b & MAGNITUDE > INFINITY:",
            "if op > GE or a & MAGNITUDE > INFINITY or b & MAGNITUDE >= INFINITY:",
            "if op > GE or a | MAGNITUDE > INFINITY or b & MAGNITUDE > INFINITY:",
            "if op > GE or a & MAGNITUDE > INFINITY or b | MAGNITUDE > INFINITY:",
        ),
    ),
    ("_whole", "without places behind the point nothing is cut", ("if power > 0:", "if power >= 1:")),
    ("_whole", "0 has no rest", ("up = mantissa <= 0 and rest > 0", "up = mantissa < 1 and rest > 0")),
    (
        "dot_in_order",
        "sums with 0 are the same in both orders, and 0 is not NaN",
        ("total = m.add(products[0], m.constant(0.0)) if order == 'from-zero' else products[0]",),
    ),
    (
        "Binary.constant",
        "no constant of a meaning is negative",
        ("word = self._round(numerator < -1, abs(numerator), 1 - denominator.bit_length())",),
    ),
    ("Binary.constant", "no constant of a meaning is subnormal", ("mantissa, power = self._unpack(word, flush=True)",)),
    (
        "Binary.convert",
        "mantissas of the two formats are 7 places apart",
        (
            "mantissa = mantissa << shift if shift > 0 else mantissa >> -shift",
            "mantissa = mantissa << shift if shift >= 1 else mantissa >> -shift",
            "mantissa = mantissa << shift if shift >= -1 else mantissa >> -shift",
        ),
    ),
    (
        "Binary.convert",
        (
            "a NaN of float32 that comes of float24 words has a digit among the upper 16: it is one of these with its "
            "digits, or the one that an operation makes"
        ),
        (
            "kept = self._infinity | (mantissa or self._hidden << 1)",
            "kept = self._infinity | (mantissa or self._hidden >> 2)",
            "kept = self._infinity | (mantissa or self._hidden >> 0)",
        ),
    ),
    (
        "Binary._exact_sum",
        "the total is not 0 there",
        (
            "return self._round(total <= 0, abs(total), low) if total else self._zero(zero_is_negative)",
            "return self._round(total < 1, abs(total), low) if total else self._zero(zero_is_negative)",
        ),
    ),
    ("Binary.floor", "without places behind the point nothing is cut", ("if power > 0:", "if power >= 1:")),
    ("Binary.rcp", "more digits than are needed", ("places = 3 * self._mantissa_bits + _GUARD",)),
    (
        "Binary._root",
        "the power is halved and cut to a whole number, so it does not matter whether an odd one is one less",
        ("mantissa, power = (mantissa << 1, power - 0)",),
    ),
    (
        "Binary._root",
        (
            "the root still has more than the two digits beyond the format that `_round` needs: 22 of 18 in float24, 30 of "
            "25 in float32"
        ),
        (
            "places += self._mantissa_bits // 2 - 2",
            "places += self._mantissa_bits // 2 + 3",
            "places += self._mantissa_bits // 2 + 1",
            "places += self._mantissa_bits // 3 + 2",
            "places += self._mantissa_bits // 1 + 2",
        ),
    ),
    (
        "Binary._root",
        (
            "the last digit is then 1 for exact roots too; these are powers of two, whose digits beyond the format are 0, so 1 "
            "in the last place rounds as 0 does"
        ),
        tuple(
            [
                f"return self._round(0, root << 1 | ({unequal}), -(power >> 1) - places - 1)"
                for unequal in (
                    "root * root + mantissa != 1 << 2 * places",
                    "root * root * mantissa != 1 >> 2 * places",
                    "(root + root) * mantissa != 1 << 2 * places",
                    "root * root * mantissa != 2 << 2 * places",
                    "root * root * mantissa != 0 << 2 * places",
                    "root * root * mantissa != 1 << 2 + places",
                    "root * root * mantissa != 1 << 3 * places",
                    "root * root * mantissa != 1 << 1 * places",
                )
            ]
        ),
    ),
    (
        "Binary._root",
        (
            "the last digit is then 1 for exact roots too; these have half of the digits of their square, so those beyond the "
            "format are 0"
        ),
        tuple(
            [
                f"return self._round(0, root << 1 | ({unequal}), (power >> 1) - places - 1)"
                for unequal in (
                    "root + root != mantissa << 2 * places",
                    "root * root != mantissa >> 2 * places",
                    "root * root != mantissa << 2 + places",
                    "root * root != mantissa << 3 * places",
                    "root * root != mantissa << 1 * places",
                )
            ]
        ),
    ),
    ("Binary.exp2", "one digit more than is needed", ("wanted = self._mantissa_bits + 3",)),
    (
        "Binary.exp2",
        "a power that is out of range is so by the general method too",
        (
            "if exponent > self._bias + self.format.exponent_bits + 1:",
            "if exponent > self._bias + self.format.exponent_bits - 0:",
        ),
    ),
    (
        "Binary.exp2",
        "any power out of range gives the same",
        (
            "return self._round(0, 2, -4 * self._bias if a & self._sign else 2 * self._bias)",
            "return self._round(0, 1, -4 * self._bias if a & self._sign else 2 + self._bias)",
            "return self._round(0, 1, -4 * self._bias if a & self._sign else 3 * self._bias)",
            "return self._round(0, 1, -5 * self._bias if a & self._sign else 2 * self._bias)",
            "return self._round(0, 1, -3 * self._bias if a & self._sign else 2 * self._bias)",
        ),
    ),
    (
        "Binary.exp2",
        (
            "all of these round as the value does: to 1, or below 1 toward zero to the number before it; half a step below 1 "
            "is a tie, and 1 is even"
        ),
        (
            "return self._round(0, near - 2 if a & self._sign else near + 1, -wanted - 1)",
            "return self._round(0, near - 1 if a & self._sign else near + 2, -wanted - 1)",
            "return self._round(0, near - 1 if a & self._sign else near + 0, -wanted - 1)",
        ),
    ),
    (
        "Binary.log2",
        "one digit more than is needed",
        ("return self._round(*transcendental.log2(whole, mantissa << shift, self._mantissa_bits, self._mantissa_bits + 3))",),
    ),
    (
        "Registers.__init__",
        "no instruction names a register past the last",
        (
            "self.written: list[int] = [0] * 17",
            "self.outputs: list[Vector[V]] = [*left.outputs] if left else [zero] * 17",
            "self.readable: list[Vector[V]] = [*inputs, *temporaries, *floats, *[ones] * (_FLOAT_ROWS + FLOAT_COUNT)]",
        ),
    ),
    (
        "indexed_row",
        "a number of 8 bits is not negative",
        ("row = m.integer_select(m.integer_within(number, -1, FLOAT - 1), number, row)",),
    ),
    (
        "indexed_row",
        "numbers from 32 on are those of uniforms, which is the row",
        (
            "row = m.integer_select(m.integer_within(number, 0, FLOAT + 1), number, row)",
            "row = m.integer_select(m.integer_within(number, 0, FLOAT - 0), number, row)",
        ),
    ),
    ("_merged", "what follows does the full mask too", ("if mask == 16:",)),
    (
        "Emitter.__init__",
        "no instruction names an output past the last",
        (
            "self.bank: list[Vector[V]] = [*left.bank] if left is not None and kept else [nothing] * 17",
            "self.written: list[int] = [0] * 17",
            "empty: Vertex[V] = Vertex((nothing,) * 17, (0,) * 16)",
            "empty: Vertex[V] = Vertex((nothing,) * 16, (0,) * 17)",
        ),
    ),
    (
        "Emitter.__init__",
        "no program sees which components of a vertex were written; findings of runs say it",
        (
            "self.written: list[int] = [1] * 16",
            "self.written: list[int] = [-1] * 16",
            "empty: Vertex[V] = Vertex((nothing,) * 16, (0,) * 15)",
            "empty: Vertex[V] = Vertex((nothing,) * 16, (1,) * 16)",
            "empty: Vertex[V] = Vertex((nothing,) * 16, (-1,) * 16)",
        ),
    ),
)

# By function and statement.
EQUAL = {(function, text): reason for function, reason, texts in _ROWS for text in texts}
