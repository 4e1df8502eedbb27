// The direction of a mirrored ray, and how much is mirrored at that angle.
float4x4 worldViewProjection;
float4x4 world;
float3 eye;
float least;

void main(float4 position : POSITION, float3 normal : NORMAL, out float4 place : SV_Position, out float4 color : COLOR0,
    out float2 ray : TEXCOORD0)
{
    float3 view = normalize(eye - mul(world, position).xyz);
    float3 n = normalize(mul((float3x3)world, normal));
    float cosine = saturate(dot(view, n));
    float missing = 1 - cosine;
    float square = missing * missing;
    place = mul(worldViewProjection, position);
    color = float4(1, 1, 1, lerp(square * square * missing, 1, least));
    ray = reflect(-view, n).xy;
}
