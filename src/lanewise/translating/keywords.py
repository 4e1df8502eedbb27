"""Words that names in translations must not be: those of each language, and those that every translation uses."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


C_WORDS = _words("""
    auto break case char const continue default do double else enum extern float for goto if inline int long register restrict \
return short signed sizeof
    static struct switch typedef union unsigned void volatile while bool true false main alignas alignof constexpr nullptr \
static_assert thread_local
    typeof in out u NULL NAN INFINITY EOF errno unix linux i386
""")
CPP_WORDS = C_WORDS | _words("""
    and asm bitand bitor catch class compl concept const_cast consteval constinit decltype delete dynamic_cast explicit export \
friend mutable namespace
    new noexcept not operator or private protected public reinterpret_cast requires static_cast template this throw try typeid \
typename using virtual
    wchar_t xor std
""")
GLSL_WORDS = _words("""
    attribute const uniform varying layout centroid flat smooth break continue do for while switch case default if else in out \
inout float int void bool
    true false invariant precise discard return mat2 mat3 mat4 vec2 vec3 vec4 ivec2 ivec3 ivec4 bvec2 bvec3 bvec4 uint uvec2 \
uvec3 uvec4 lowp mediump
    highp precision sampler2D sampler3D samplerCube struct active asm cast class common enum extern external filter fixed goto \
half hvec2 hvec3 hvec4
    inline input interface long namespace noinline output packed partition public shared short sizeof static superp template \
this typedef union unsigned
    using volatile coherent restrict readonly writeonly resource atomic_uint noperspective patch sample subroutine double \
dvec2 dvec3 dvec4 buffer main
    texture c i b abs acos all any asin atan ceil clamp cos cross degrees distance dot equal exp exp2 floor fract inversesqrt \
length log log2 max min mix
    mod normalize not pow radians reflect refract sign sin sqrt step tan transpose trunc round run
""")
WGSL_WORDS = GLSL_WORDS | _words("""
    alias const_assert continuing diagnostic enable fn let loop override requires select var array vec2f vec3f vec4f vec2u \
vec3u vec4u atomic bitcast ptr
    sampler texture_2d f16 f32 i32 u32 f64 NULL Self abstract as async await become crate delete export from get impl import \
match meta mod module move
    mut new nil null of operator package priv pub ref self set super target trait try type unless use virtual where with write \
yield handle demote final
    finally macro instanceof mesh metal regardless require typeof typename wgsl Inputs Uniforms Outputs
""")
# Functions of C that a shader cannot have the name of.
C_FUNCTIONS = _words("""
    abs acos asin atan bcmp bcopy bzero cbrt ceil close copysign cos cosh drem erf erfc exp exp2 expm1 fabs fdim ffs finite \
floor fma fmax fmin fmod frexp
    gamma hypot ilogb index isinf isnan j0 j1 jn ldexp lgamma log log1p log2 logb lrint lround memchr memcmp memcpy memmove \
memset modf nan nearbyint open
    pow printf read remainder rindex rint round scalb signgam significand sin sinh sqrt strcat strchr strcmp strcpy strlen \
strsep strstr swab tan tanh
    tgamma time trunc write y0 y1 yn
""")
