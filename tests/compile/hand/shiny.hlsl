// One light with a highlight, by the half vector.
float4x4 worldViewProjection;
float4x4 world;
float3 eye;
float3 toLight;
float3 diffuse;
float3 specular;
float power;
float4 material;

struct Given
{
    float4 position : POSITION;
    float3 normal : NORMAL;
    float2 uv : TEXCOORD0;
};

struct Made
{
    float4 position : SV_Position;
    float4 color : COLOR0;
    float2 uv : TEXCOORD0;
};

Made main(Given given)
{
    Made made;
    float3 place = mul(world, given.position).xyz;
    float3 n = normalize(mul((float3x3)world, given.normal));
    float3 halfway = normalize(normalize(eye - place) + toLight);
    float light = max(dot(n, toLight), 0);
    float shine = pow(max(dot(n, halfway), 0), power);
    made.position = mul(worldViewProjection, given.position);
    made.color = float4(material.rgb * light * diffuse + specular * shine, material.a);
    made.uv = given.uv;
    return made;
}
