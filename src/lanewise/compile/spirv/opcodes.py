"""Instructions of SPIR-V: number, name, and where its result is.

Numbers and names: the SPIR-V specification 1.6, section 3.52, as in spirv.core.grammar.json of SPIRV-Headers. Those of kernels'
queues and pipes are left out.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping


class Opcode(Record):
    """An instruction of SPIR-V."""

    number: int
    "The number in the first word."
    name: str
    "The name without Op."
    typed: bool
    "Its first operand is the type of its result."
    result: bool
    "It has a result."
    operands: str
    "A letter for each further operand: `i` an id, `n` a number, `s` a string, `.` anything; `?` optional, `*` repeated."


# With the type of the result and the result.
_TYPED = """
    1 Undef -, 12 ExtInst ini*, 41 ConstantTrue -, 42 ConstantFalse -, 43 Constant n., 44 ConstantComposite i*, 45 \
ConstantSampler nnn,
    46 ConstantNull -, 48 SpecConstantTrue -, 49 SpecConstantFalse -, 50 SpecConstant n., 51 SpecConstantComposite i*, 52 \
SpecConstantOp n.,
    54 Function ni, 55 FunctionParameter -, 57 FunctionCall ii*, 59 Variable ni?, 60 ImageTexelPointer iii, 61 Load in?., 65 \
AccessChain ii*,
    66 InBoundsAccessChain ii*, 67 PtrAccessChain iii*, 68 ArrayLength in, 69 GenericPtrMemSemantics i, 70 \
InBoundsPtrAccessChain iii*,
    77 VectorExtractDynamic ii, 78 VectorInsertDynamic iii, 79 VectorShuffle iin*, 80 CompositeConstruct i*, 81 \
CompositeExtract in*,
    82 CompositeInsert iin*, 83 CopyObject i, 84 Transpose i, 86 SampledImage ii, 87 ImageSampleImplicitLod iin?., 88 \
ImageSampleExplicitLod iin.,
    89 ImageSampleDrefImplicitLod iiin?., 90 ImageSampleDrefExplicitLod iiin., 91 ImageSampleProjImplicitLod iin?.,
    92 ImageSampleProjExplicitLod iin., 93 ImageSampleProjDrefImplicitLod iiin?., 94 ImageSampleProjDrefExplicitLod iiin., 95 \
ImageFetch iin?.,
    96 ImageGather iiin?., 97 ImageDrefGather iiin?., 98 ImageRead iin?., 100 Image i, 101 ImageQueryFormat i, 102 \
ImageQueryOrder i,
    103 ImageQuerySizeLod ii, 104 ImageQuerySize i, 105 ImageQueryLod ii, 106 ImageQueryLevels i, 107 ImageQuerySamples i, 109 \
ConvertFToU i,
    110 ConvertFToS i, 111 ConvertSToF i, 112 ConvertUToF i, 113 UConvert i, 114 SConvert i, 115 FConvert i, 116 QuantizeToF16 \
i,
    117 ConvertPtrToU i, 118 SatConvertSToU i, 119 SatConvertUToS i, 120 ConvertUToPtr i, 121 PtrCastToGeneric i, 122 \
GenericCastToPtr i,
    123 GenericCastToPtrExplicit in, 124 Bitcast i, 126 SNegate i, 127 FNegate i, 128 IAdd ii, 129 FAdd ii, 130 ISub ii, 131 \
FSub ii, 132 IMul ii,
    133 FMul ii, 134 UDiv ii, 135 SDiv ii, 136 FDiv ii, 137 UMod ii, 138 SRem ii, 139 SMod ii, 140 FRem ii, 141 FMod ii, 142 \
VectorTimesScalar ii,
    143 MatrixTimesScalar ii, 144 VectorTimesMatrix ii, 145 MatrixTimesVector ii, 146 MatrixTimesMatrix ii, 147 OuterProduct \
ii, 148 Dot ii,
    149 IAddCarry ii, 150 ISubBorrow ii, 151 UMulExtended ii, 152 SMulExtended ii, 154 Any i, 155 All i, 156 IsNan i, 157 \
IsInf i, 158 IsFinite i,
    159 IsNormal i, 160 SignBitSet i, 161 LessOrGreater ii, 162 Ordered ii, 163 Unordered ii, 164 LogicalEqual ii, 165 \
LogicalNotEqual ii,
    166 LogicalOr ii, 167 LogicalAnd ii, 168 LogicalNot i, 169 Select iii, 170 IEqual ii, 171 INotEqual ii, 172 UGreaterThan ii,
    173 SGreaterThan ii, 174 UGreaterThanEqual ii, 175 SGreaterThanEqual ii, 176 ULessThan ii, 177 SLessThan ii, 178 \
ULessThanEqual ii,
    179 SLessThanEqual ii, 180 FOrdEqual ii, 181 FUnordEqual ii, 182 FOrdNotEqual ii, 183 FUnordNotEqual ii, 184 FOrdLessThan \
ii,
    185 FUnordLessThan ii, 186 FOrdGreaterThan ii, 187 FUnordGreaterThan ii, 188 FOrdLessThanEqual ii, 189 FUnordLessThanEqual \
ii,
    190 FOrdGreaterThanEqual ii, 191 FUnordGreaterThanEqual ii, 194 ShiftRightLogical ii, 195 ShiftRightArithmetic ii, 196 \
ShiftLeftLogical ii,
    197 BitwiseOr ii, 198 BitwiseXor ii, 199 BitwiseAnd ii, 200 Not i, 201 BitFieldInsert iiii, 202 BitFieldSExtract iii, 203 \
BitFieldUExtract iii,
    204 BitReverse i, 205 BitCount i, 207 DPdx i, 208 DPdy i, 209 Fwidth i, 210 DPdxFine i, 211 DPdyFine i, 212 FwidthFine i, \
213 DPdxCoarse i,
    214 DPdyCoarse i, 215 FwidthCoarse i, 227 AtomicLoad iii, 229 AtomicExchange iiii, 230 AtomicCompareExchange iiiiii,
    231 AtomicCompareExchangeWeak iiiiii, 232 AtomicIIncrement iii, 233 AtomicIDecrement iii, 234 AtomicIAdd iiii, 235 \
AtomicISub iiii,
    236 AtomicSMin iiii, 237 AtomicUMin iiii, 238 AtomicSMax iiii, 239 AtomicUMax iiii, 240 AtomicAnd iiii, 241 AtomicOr iiii, \
242 AtomicXor iiii,
    245 Phi i*, 259 GroupAsyncCopy iiiiii, 261 GroupAll ii, 262 GroupAny ii, 263 GroupBroadcast iii, 264 GroupIAdd ini, 265 \
GroupFAdd ini,
    266 GroupFMin ini, 267 GroupUMin ini, 268 GroupSMin ini, 269 GroupFMax ini, 270 GroupUMax ini, 271 GroupSMax ini,
    305 ImageSparseSampleImplicitLod iin?., 306 ImageSparseSampleExplicitLod iin., 307 ImageSparseSampleDrefImplicitLod iiin?.,
    308 ImageSparseSampleDrefExplicitLod iiin., 309 ImageSparseSampleProjImplicitLod iin?., 310 \
ImageSparseSampleProjExplicitLod iin.,
    311 ImageSparseSampleProjDrefImplicitLod iiin?., 312 ImageSparseSampleProjDrefExplicitLod iiin., 313 ImageSparseFetch iin?.,
    314 ImageSparseGather iiin?., 315 ImageSparseDrefGather iiin?., 316 ImageSparseTexelsResident i, 318 AtomicFlagTestAndSet \
iii,
    320 ImageSparseRead iin?., 321 SizeOf i, 328 NamedBarrierInitialize i, 333 GroupNonUniformElect i, 334 GroupNonUniformAll \
ii,
    335 GroupNonUniformAny ii, 336 GroupNonUniformAllEqual ii, 337 GroupNonUniformBroadcast iii, 338 \
GroupNonUniformBroadcastFirst ii,
    339 GroupNonUniformBallot ii, 340 GroupNonUniformInverseBallot ii, 341 GroupNonUniformBallotBitExtract iii,
    342 GroupNonUniformBallotBitCount ini, 343 GroupNonUniformBallotFindLSB ii, 344 GroupNonUniformBallotFindMSB ii, 345 \
GroupNonUniformShuffle iii,
    346 GroupNonUniformShuffleXor iii, 347 GroupNonUniformShuffleUp iii, 348 GroupNonUniformShuffleDown iii, 349 \
GroupNonUniformIAdd inii?,
    350 GroupNonUniformFAdd inii?, 351 GroupNonUniformIMul inii?, 352 GroupNonUniformFMul inii?, 353 GroupNonUniformSMin inii?,
    354 GroupNonUniformUMin inii?, 355 GroupNonUniformFMin inii?, 356 GroupNonUniformSMax inii?, 357 GroupNonUniformUMax inii?,
    358 GroupNonUniformFMax inii?, 359 GroupNonUniformBitwiseAnd inii?, 360 GroupNonUniformBitwiseOr inii?, 361 \
GroupNonUniformBitwiseXor inii?,
    362 GroupNonUniformLogicalAnd inii?, 363 GroupNonUniformLogicalOr inii?, 364 GroupNonUniformLogicalXor inii?,
    365 GroupNonUniformQuadBroadcast iii, 366 GroupNonUniformQuadSwap iii, 400 CopyLogical i, 401 PtrEqual ii, 402 PtrNotEqual \
ii, 403 PtrDiff ii,
    5631 ExpectKHR ii
"""

# With a result that has no type: types, labels, strings.
_RESULT = """
    7 String s, 11 ExtInstImport s, 19 TypeVoid -, 20 TypeBool -, 21 TypeInt nn, 22 TypeFloat nn?, 23 TypeVector in, 24 \
TypeMatrix in,
    25 TypeImage innnnnnn?, 26 TypeSampler -, 27 TypeSampledImage i, 28 TypeArray ii, 29 TypeRuntimeArray i, 30 TypeStruct i*, \
31 TypeOpaque s,
    32 TypePointer ni, 33 TypeFunction ii*, 34 TypeEvent -, 35 TypeDeviceEvent -, 36 TypeReserveId -, 37 TypeQueue -, 38 \
TypePipe n,
    73 DecorationGroup -, 248 Label -, 322 TypePipeStorage -, 327 TypeNamedBarrier -, 6086 TypeBufferSurfaceINTEL n
"""

# Without a result.
_PLAIN = """
    0 Nop -, 2 SourceContinued s, 3 Source nni?s?, 4 SourceExtension s, 5 Name is, 6 MemberName ins, 8 Line inn, 10 Extension \
s, 14 MemoryModel nn,
    15 EntryPoint nisi*, 16 ExecutionMode in., 17 Capability n, 39 TypeForwardPointer in, 56 FunctionEnd -, 62 Store iin?., 63 \
CopyMemory iin?.,
    64 CopyMemorySized iiin?., 71 Decorate in., 72 MemberDecorate inn., 74 GroupDecorate ii*, 75 GroupMemberDecorate i., 99 \
ImageWrite iiin?.,
    218 EmitVertex -, 219 EndPrimitive -, 220 EmitStreamVertex i, 221 EndStreamPrimitive i, 224 ControlBarrier iii, 225 \
MemoryBarrier ii,
    228 AtomicStore iiii, 246 LoopMerge iin., 247 SelectionMerge in, 249 Branch i, 250 BranchConditional iiin*, 251 Switch \
ii., 252 Kill -,
    253 Return -, 254 ReturnValue i, 255 Unreachable -, 256 LifetimeStart in, 257 LifetimeStop in, 260 GroupWaitEvents iii, \
317 NoLine -,
    319 AtomicFlagClear iii, 329 MemoryNamedBarrier iii, 330 ModuleProcessed s, 331 ExecutionModeId in., 332 DecorateId in.,
    4416 TerminateInvocation -, 5380 DemoteToHelperInvocation -, 5630 AssumeTrueKHR i, 5632 DecorateString in., 5633 \
MemberDecorateString inn.
"""


def _rows(text: str, typed: bool, result: bool) -> list[Opcode]:
    pairs = [row.split() for row in text.replace("\n", " ").split(",")]
    return [
        Opcode(number=int(number), name=name, typed=typed, result=result, operands=operands.strip("-"))
        for number, name, operands in pairs
    ]


OPCODES: Mapping[int, Opcode] = {
    row.number: row for row in (*_rows(_TYPED, True, True), *_rows(_RESULT, False, True), *_rows(_PLAIN, False, False))
}


def name_of(number: int) -> str:
    """The name of an instruction as the specification writes it: `OpFAdd`; its number where it is unknown."""
    row = OPCODES.get(number)
    return f"Op{row.name}" if row is not None else f"instruction {number}"
