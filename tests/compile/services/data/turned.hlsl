// Each way to take a matrix apart: rows are what HLSL calls rows, and lie in one register each.
cbuffer Scene
{
    float4x4 m;
    float3x3 small;
    int which;
};

struct Vertex
{
    float4 place : POSITION;
};

struct Out
{
    float4 place : SV_Position;
    float4 normalquat : NORMALQUAT;
    float4 color : COLOR0;
    float3 view : VIEW;
};

Out main(Vertex v)
{
    Out o;
    o.place = mul(m, v.place);
    o.normalquat = mul(v.place, m);
    o.color = float4(m[1].xy, m[2][3], m[which].z);
    o.view = mul(small, v.place.xyz);
    return o;
}
