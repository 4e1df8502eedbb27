"""Operators and functions of other languages, and the instructions that compute them."""

from __future__ import annotations

COMPARED = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne", "=": "eq", "=<": "le", "=>": "ge", "<>": "ne"}
OPERATORS = {"lt": "lt", "le": "le", "gt": "gt", "ge": "ge", "eq": "eq", "ne": "ne", "l": "lt", "g": "gt", "e": "eq"}

# What the functions of other languages are here: D is the destination, A to C the arguments, T and U temporaries, 0 and 1
# constants.
LINES: dict[str, tuple[str, ...]] = {
    "sub": ("add D, A, -B",),
    "neg": ("mov D, -A",),
    "abs": ("max D, A, -A",),
    "saturate": ("max T, 0, A", "min D, 1, T"),
    "clamp": ("max T, B, A", "min D, C, T"),
    "frc": ("flr T, A", "add D, A, -T"),
    "ceil": ("flr T, -A", "mov D, -T"),
    "lrp": ("add T, B, -C", "mad D, A, T, C"),
    "mix": ("add T, B, -A", "mad D, C, T, A"),
    "nrm": ("dp3 T, A, A", "rsq T, T.x", "mul D, A, T"),
    "crs": ("mul T, A.zxyw, B.yzxw", "mad D, A.yzxw, B.zxyw, -T"),
    "length": ("dp3 T, A, A", "rsq T, T.x", "rcp D, T.x"),
    "distance": ("add T, A, -B", "dp3 T, T, T", "rsq T, T.x", "rcp D, T.x"),
    "dp2": ("mul T, A, B", "add D, T.x, T.y"),
    "sgn": ("slt T, 0, A", "slt U, A, 0", "add D, T, -U"),
    "step": ("sge D, B, A",),
    "smoothstep": (
        *("add T, B, -A", "rcp T, T", "add U, C, -A", "mul T, U, T", "max T, 0, T", "min T, 1, T"),
        *("mul U, T, T", "add T, T, T", "add T, 3, -T", "mul D, U, T"),
    ),
    "seq": ("sge T, A, B", "sge U, B, A", "mul D, T, U"),
    "sne": ("slt T, A, B", "slt U, B, A", "add D, T, U"),
    "sgt": ("slt D, B, A",),
    "sle": ("sge D, B, A",),
    "reflect": ("dp3 T, A, B", "add T, T, T", "mad D, -T.x, B, A"),
    "div": ("rcp T, B", "mul D, A, T"),
    "sqrt": ("rsq T, A", "rcp D, T"),
    "pow": ("lg2 T, A", "mul T, T, B", "ex2 D, T"),
    "mod": ("rcp T, B", "mul T, A, T", "flr T, T", "mad D, -T, B, A"),
    "inc": ("add D, 1, A",),
    "dec": ("add D, -1, A",),
    "clr": ("mov D, 0",),
}
OF_ONE = ("rcp", "rsq", "ex2", "lg2")  # instructions that read one component
ALSO = {
    **dict.fromkeys(("fsub", "vsub", "subtract"), "sub"),
    **dict.fromkeys(("fneg", "vneg"), "neg"),
    **dict.fromkeys(("fabs", "vabs"), "abs"),
    "sat": "saturate",
    **dict.fromkeys(("fract", "frac"), "frc"),
    "lerp": "mix",
    **dict.fromkeys(("rem", "fmod"), "mod"),
    **dict.fromkeys(("zero", "clear"), "clr"),
    **dict.fromkeys(("li", "ldc", "movi", "set"), "mov"),
    **dict.fromkeys(("normalize", "normalise"), "nrm"),
    "cross": "crs",
    "sign": "sgn",
    "fdiv": "div",
    "fsqrt": "sqrt",
    "inversesqrt": "rsq",
    "rsqrt": "rsq",
    **dict.fromkeys(("exp2", "exp"), "ex2"),
    **dict.fromkeys(("log2", "log"), "lg2"),
    "floor": "flr",
    **dict.fromkeys(("fma", "madd", "mla"), "mad"),
}
MODIFIERS = {  # of operands in Direct3D and Cg, as formulas
    **dict.fromkeys(("sat", "saturate", "clamp"), "saturate({})"),
    "abs": "abs({})",
    "bias": "({} - 0.5)",
    "bx2": "(2 * {} - 1)",
    "x2": "(2 * {})",
    "neg": "(-{})",
}
