"""Expressions of a source that instructions of a module compute: which are certain, and what is left to the statement."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest

from installed import needs
from lanewise.compile.outside.modules import to_spirv
from lanewise.compile.spirv.expressions import placed
from lanewise.compile.spirv.module import Module, read_module
from lanewise.compile.spirv.syntax import Node, expressions_of
from lanewise.core.service import SourceFile

FOLDER = Path(__file__).parent / "placed"
GLSL, HLSL = (FOLDER / name for name in ("hard.glsl.spv", "hard.hlsl.spv"))
# Reads, writes and moves of components; the rest computes something.
_MOVES = (
    "OpLoad",
    "OpStore",
    "OpCompositeExtract",
    "OpAccessChain",
    "OpVariable",
    "OpBranch",
    "OpReturn",
    "OpBranchConditional",
)
_MADE = (*_MOVES, "OpReturnValue", "OpCompositeConstruct", "OpVectorShuffle")
STATEMENT = "-"
# By line, in the order of the instructions.
EXPECTED = {
    GLSL: {
        16: ["x * y", "x * y + y"],
        19: ["turn * normal.xyz", "normalize(turn * normal.xyz)", "a.zyx * 2.0", "a.zyx * 2.0 + n"],
        20: ["dot(n, light.xyz)", "max(dot(n, light.xyz), 0.0)", "-d"],
        21: ["k > 0.0", "m.x * k", "d += k > 0.0 ? m.x * k : m.y"],
        22: ["warped(d, k)", "e + k", "warped(warped(d, k), e + k)", "e *= warped(warped(d, k), e + k)"],
        23: ["d * k", "d * k", "d * k + d * k"],
        24: ["e * (GAIN * 2.0)", "e * (GAIN * 2.0) + HALF"],
        25: [STATEMENT, STATEMENT, "sqrt(d)"],  # a macro
        26: ["i < 4", "dot(rows[i], a)", "dot(rows[i], a) * d", "same += dot(rows[i], a) * d", "i++"],
        27: ["n * 2.0"],
        28: ["pow(d, 2.0)", "pow(d, 2.0) + after"],
        30: ["q.yx - m.xy"],
        31: ["clamp(q.z, 0.0, same)"],
        32: ["d > 1.0", "k < 2.0", "d > 1.0 && k < 2.0", "mix(macro, folded, 0.25)"],
        33: ["q + vec4(e)"],
        34: ["mvp * a", "a + light", "mvp * (a + light)"],
    },
    HLSL: {
        8: ["x * 0.5", "x * 0.5 + 0.5"],
        11: [STATEMENT],  # glslang's own function calls that of the source
        13: ["mul((float3x3)world, input.normal)", "normalize(mul((float3x3)world, input.normal))"],
        14: ["dot(n, lightDir.xyz)", "saturate(dot(n, lightDir.xyz))", "saturate(dot(n, lightDir.xyz)) * GAIN"],
        15: ["lerp(bands, d, 0.25)", "d += lerp(bands, d, 0.25)"],
        16: ["d > 0.5", "d * 2", "frac(d * 2)", "d > 0.5 ? frac(d * 2) : d.x"],
        17: ["half_lambert(d)", "e * half_lambert(d)", "ambient + e * half_lambert(d)"],
        18: ["i < 4", "colors[i].rgb * d", "c += colors[i].rgb * d", "i++"],
        19: ["mul(mvp, input.pos)"],
        21: ["d * d", "1.0 - d * d"],
        22: ["input.uv.yx * float2(2.0, 3.0)", "rsqrt(d)", "input.uv.yx * float2(2.0, 3.0) + rsqrt(d)"],
    },
}


def read(data: bytes) -> Module:
    found = read_module(data)
    assert isinstance(found, Module), found
    placed(found)
    return found


def computed(module: Module) -> dict[int, list[str]]:
    """By line what the instructions compute that compute something."""
    found: dict[int, list[str]] = {}
    for function in module.functions.values():
        for block in function.blocks.values():
            for each in (*block.phis, *block.body):
                if each.line >= 0 and each.name not in _MADE:
                    expression = module.expressions.get(each.line)
                    text = expression.text if expression is not None else STATEMENT
                    found.setdefault(module.lines[each.line].line, []).append(text)
    return {line: found[line] for line in sorted(found)}


@pytest.mark.parametrize("path", EXPECTED, ids=lambda path: path.stem)
def test_hard_cases(path: Path) -> None:
    assert computed(read(path.read_bytes())) == EXPECTED[path]


@pytest.mark.parametrize(
    ("path", "compiler"),
    [
        pytest.param(GLSL, "glslc", marks=needs("glslc")),
        pytest.param(GLSL, "glslang", marks=needs("glslangValidator")),
        pytest.param(HLSL, "glslang", marks=needs("glslangValidator")),
    ],
    ids=lambda value: getattr(value, "stem", value),
)
def test_hard_cases_as_compiled_here(path: Path, compiler: str) -> None:
    source = FOLDER / ("hard.vert" if path is GLSL else "hard.hlsl")
    language = "glsl" if path is GLSL else "hlsl"
    found = computed(read(to_spirv(SourceFile(source.name, source.read_bytes()), language, compiler=compiler, plain=True).data))
    assert {text for texts in found.values() for text in texts} >= {
        text for texts in EXPECTED[path].values() for text in texts if "&&" not in text
    }


def test_a_place_is_the_expression_in_the_source() -> None:
    module = read(GLSL.read_bytes())
    texts = (FOLDER / "hard.vert").read_text().split("\n")
    several = 0
    for line, expression in module.expressions.items():
        span = module.lines[line]
        assert span.text == texts[span.line - 1]
        shown = span.text[span.column - 1 : span.column - 1 + span.length]
        several += shown != expression.text
        assert expression.text.startswith(shown) or shown == f"return {expression.text}"
    assert several >= 2  # on several lines: the first of them


def test_alike_expressions_are_in_the_order_of_evaluation() -> None:
    module = read(GLSL.read_bytes())
    spans = [module.lines[line] for line, each in module.expressions.items() if each.text == "d * k"]
    assert [(span.line, span.column) for span in spans] == [(23, 18), (23, 26)]


def test_folded_operands_have_their_values() -> None:
    folded = [each for expression in read(GLSL.read_bytes()).expressions.values() for each in expression.folded]
    assert folded == [("GAIN * 2.0", (6.0,)), ("HALF", (0.5,))]
    assert [each for expression in read(HLSL.read_bytes()).expressions.values() for each in expression.folded] == [
        ("GAIN", (1.5,))
    ]


def test_the_result_of_a_function_is_marked() -> None:
    assert {each.text for each in read(GLSL.read_bytes()).expressions.values() if each.is_result} == {"x * y + y"}


# Certainty: another operation, constant or name is another expression.

_OTHERS = {"OpFAdd": 131, "OpFSub": 129, "OpFMul": 129, "OpFNegate": 111, "OpDot": 133, "OpMatrixTimesVector": 129}


@pytest.mark.parametrize("name", _OTHERS)
def test_another_operation_is_not_the_expression(name: str) -> None:
    data = GLSL.read_bytes()
    module = read(data)
    every = [each for each in module.instructions if each.name == name]
    assert every
    for each in every:
        head = struct.unpack_from("<I", data, each.offset)[0]
        other = bytearray(data)
        struct.pack_into("<I", other, each.offset, head & 0xFFFF0000 | _OTHERS[name])
        changed = read(bytes(other))
        where = next(
            i for f in changed.functions.values() for b in f.blocks.values() for i in b.body if i.offset == each.offset
        )
        assert where.line not in changed.expressions


@pytest.mark.parametrize(
    ("old", "new", "gone"),
    [
        (struct.pack("<f", 2.0), struct.pack("<f", 2.5), {"a.zyx * 2.0", "pow(d, 2.0)", "k < 2.0", "n * 2.0"}),
        (struct.pack("<f", 0.25), struct.pack("<f", 0.5), {"mix(macro, folded, 0.25)"}),
        (b"ligh", b"nigh", {"light.xyz", "dot(n, light.xyz)", "a + light"}),
        (b"warp", b"warm", {"warped(d, k)", "warped(warped(d, k), e + k)"}),
    ],
)
def test_another_name_or_number_is_not_the_expression(old: bytes, new: bytes, gone: set[str]) -> None:
    data = GLSL.read_bytes()
    end = -(-data.index(b"\0", data.index(b"#version")) // 4) * 4  # of the text of the source, which keeps its names
    words = [data[at : at + 4] for at in range(end, len(data), 4)]
    changed = data[:end] + b"".join([new if word == old else word for word in words])
    before = {each.text for each in read(data).expressions.values()}
    after = {each.text for each in read(changed).expressions.values()}
    assert gone <= before
    assert not gone & after


def test_what_is_no_text_of_the_source_has_no_expressions() -> None:
    module = read_module(GLSL.read_bytes())
    assert isinstance(module, Module)
    module.sources.clear()
    placed(module)
    assert not module.expressions


@pytest.mark.parametrize("seed", range(40))
def test_any_module_that_is_read_has_its_expressions_or_none(seed: int) -> None:
    rng = random.Random(seed)
    data = bytearray((GLSL, HLSL)[seed % 2].read_bytes())
    start = data.index(b"OpTypeVoid") if b"OpTypeVoid" in data else len(data) // 2
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(start // 4, len(data) // 4) * 4
        struct.pack_into(
            "<I", data, at, rng.choice((rng.randrange(220), struct.unpack_from("<I", data, at)[0] ^ 1 << rng.randrange(32)))
        )
    module = read_module(bytes(data))
    if isinstance(module, Module):
        placed(module)


# Trees


def tree(node: Node) -> str:
    inner = " ".join([tree(child) for child in node.children])
    return f"({node.text} {inner})" if inner and node.kind not in ("paren",) else inner or node.text


@pytest.mark.parametrize(
    ("statement", "trees"),
    [
        ("x = a.xyz * 2.0 + b;", ["(= x (+ (* (xyz a) 2.0) b))"]),
        ("float a = f(x, -y), b, c = a ? b : c, d[2];", ["(= a (f x (- y)))", "(= c (? a b c))"]),
        ("a = b = c - d - e;", ["(= a (= b (- (- c d) e)))"]),
        ("a += b << 2 & 3 == 4 || c && d ^^ e;", ["(+= a (|| (& (<< b 2) (== 3 4)) (^^ (&& c d) e)))"]),
        ("if (a < b) c = d; else e++;", ["(< a b)", "(= c d)", "(++ e)"]),
        ("for (int i = 0; i < n; ++i) { s += t[i].x; }", ["(= i 0)", "(< i n)", "(++ i)", "(+= s (x ([ t i)))"]),
        ("return (float3)a * (b) - (c);", ["(return (- (* (float3 a) b) c))"]),
        ("vec3[2] v = vec3[2](a, b);", []),  # constructors of arrays are left to the statement
        ("switch (a + 1) { case 2: b = 1; break; default: c = 2.5e-3; }", ["(+ a 1)", "(= b 1)", "(= c 2.5e-3)"]),
        ("do { x *= .5; } while (x > 1.);", ["(*= x .5)", "(> x 1.)"]),
        ("[loop] while (a) b(); // c();", ["a", "b"]),
        ("x = a /* + b */ * c;", ["(= x (* a c))"]),
        ("x = TWICE(a); y = b;", ["(= y b)"]),
        ("x = a +\n#ifdef Q\n b\n#endif\n + c; y = d;", ["(= y d)"]),
        ("x = ; y = (a; z = b + c);", ["(= z (+ b c))"]),
        ("x = (a, b);", ["(= x (, a b))"]),
    ],
)
def test_trees(statement: str, trees: list[str]) -> None:
    found = expressions_of(f"#define TWICE(x) (2 * (x))\nvoid main() {{\n{statement}\n}}\n")
    assert [tree(root.node) for root in found.roots] == trees
    assert {root.function for root in found.roots} <= {"main"}


@pytest.mark.parametrize(
    "text", ["(" * 9000, "-" * 9000, "a+" * 9000 + "a", "a?" * 9000, "a[" * 9000, "f(" * 9000, "a=" * 9000]
)
def test_what_is_nested_deeply_is_left_out(text: str) -> None:
    found = expressions_of(f"void main() {{ x = {text}; y = a + b; }}")
    assert [tree(root.node) for root in found.roots][-1:] == ["(= y (+ a b))"]
    assert all(len([*root.node.nodes()]) < 999 for root in found.roots)
