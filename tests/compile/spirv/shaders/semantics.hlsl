// Semantics of Direct3D 9 and Cg. semantics.O0.spv is what `glslangValidator -D -V -e main -S vert --aml --amb -g
// -fhlsl_functionality1` writes, semantics.O.spv what glslc does with its names of these options and -O.
struct Vertex { float4 place : POSITION; float3 up : NORMAL; float4 tint : DIFFUSE; float4x2 picks : TEXCOORD2; };
struct Varying {
  float4 a : HPOS; float4 b : COLOR0; float4 c : COLOR1; float2 uv[2] : TEXCOORD0; float fog : FOG; float3 view : TEXCOORD5;
};
float4x4 projection;
Varying main(Vertex vertex) {
  Varying made;
  made.a = mul(projection, vertex.place);
  made.b = vertex.tint;
  made.c = vertex.tint * vertex.up.x;
  made.uv[0] = vertex.picks[0];
  made.uv[1] = vertex.picks[3];
  made.fog = vertex.up.y;
  made.view = vertex.up;
  return made;
}
