// The same of HLSL: members, casts, functions with other names.
cbuffer Params : register(b0) { float4x4 mvp; row_major float4x4 world; float4 lightDir; float bands; float4 colors[4]; };
float3 ambient;
static const float GAIN = 0.5 * 3.0;
struct VIn { float4 pos : POSITION; float3 normal : NORMAL; float2 uv : TEXCOORD0; };
struct VOut { float4 pos : SV_Position; float4 color : COLOR0; float2 uv : TEXCOORD0; };

float half_lambert(float x) { return x * 0.5 + 0.5; }

VOut main(VIn input)
{
    VOut o;
    float3 n = normalize(mul((float3x3)world, input.normal));
    float d = saturate(dot(n, lightDir.xyz)) * GAIN;
    d += lerp(bands, d, 0.25);
    float e = d > 0.5 ? frac(d * 2) : d.x;
    float3 c = ambient + e * half_lambert(d);
    [unroll] for (int i = 0; i < 4; i++) c += colors[i].rgb * d;
    o.pos = mul(mvp, input.pos);
    o.color = float4(c,
                     1.0 - d * d);
    o.uv = input.uv.yx * float2(2.0, 3.0) + rsqrt(d);
    return o;
}
