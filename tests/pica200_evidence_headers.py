"""Declarations that stand for libctru's and citro3d's headers, so that a compiler of the host can check the kit's C.

Names and parameters as in libctru 516e3a0 and citro3d 9f21cf7.
"""

from __future__ import annotations

CTRU = """
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
typedef uint8_t u8; typedef uint16_t u16; typedef uint32_t u32; typedef uint64_t u64; typedef int32_t s32; typedef s32 Result;
typedef struct { int x; } PrintConsole;
typedef enum { GFX_TOP, GFX_BOTTOM } gfxScreen_t;
typedef enum { GPU_FLOAT = 3 } GPU_FORMATS;
typedef enum { GPU_TRIANGLES, GPU_GEOMETRY_PRIM = 0x300 } GPU_Primitive_t;
typedef enum { GPU_CULL_NONE } GPU_CULLMODE;
typedef enum { GPU_ALWAYS = 1 } GPU_TESTFUNC;
typedef enum { GPU_WRITE_ALL = 0x1F } GPU_WRITEMASK;
typedef enum { GPU_RB_RGBA8 } GPU_COLORBUF;
typedef enum { GPU_RB_DEPTH24_STENCIL8 = 3 } GPU_DEPTHBUF;
typedef enum { GPU_PRIMARY_COLOR } GPU_TEVSRC;
typedef enum { GPU_REPLACE } GPU_COMBINEFUNC;
typedef struct { int type; } DVLE_s;
typedef struct { u32 numDVLE; DVLE_s* DVLE; } DVLB_s;
typedef struct { void* vertexShader; } shaderProgram_s;
#define GX_TRANSFER_FLIP_VERT(x) ((x) << 0)
#define GX_TRANSFER_OUT_TILED(x) ((x) << 1)
#define GX_TRANSFER_RAW_COPY(x) ((x) << 3)
#define GX_TRANSFER_IN_FORMAT(x) ((x) << 8)
#define GX_TRANSFER_OUT_FORMAT(x) ((x) << 12)
#define GX_TRANSFER_SCALING(x) ((x) << 24)
#define GX_BUFFER_DIM(w, h) (((h) << 16) | ((w) & 0xFFFF))
enum { GX_TRANSFER_FMT_RGBA8, GX_TRANSFER_SCALE_NO = 0 };
#define GPUREG_VSH_CODETRANSFER_END 0x02BF
#define GPUREG_VSH_CODETRANSFER_CONFIG 0x02CB
#define GPUREG_VSH_CODETRANSFER_DATA 0x02CC
void GPUCMD_AddMaskedWrite(u32 reg, u8 mask, u32 val);
void GPUCMD_AddMaskedWrites(u32 reg, u8 mask, const u32* vals, u32 num);
#define GPUCMD_AddWrite(reg, val) GPUCMD_AddMaskedWrite((reg), 0xF, (val))
#define GPUCMD_AddWrites(reg, vals, num) GPUCMD_AddMaskedWrites((reg), 0xF, (vals), (num))
DVLB_s* DVLB_ParseFile(u32* shbinData, u32 shbinSize);
void DVLB_Free(DVLB_s* dvlb);
Result shaderProgramInit(shaderProgram_s* sp);
Result shaderProgramFree(shaderProgram_s* sp);
Result shaderProgramSetVsh(shaderProgram_s* sp, DVLE_s* dvle);
Result shaderProgramSetGsh(shaderProgram_s* sp, DVLE_s* dvle, u8 stride);
Result GSPGPU_InvalidateDataCache(const void* adr, u32 size);
void gspWaitForVBlank(void);
Result APT_CheckNew3DS(bool* out);
bool aptMainLoop(void);
void gfxInitDefault(void);
void gfxExit(void);
PrintConsole* consoleInit(gfxScreen_t screen, PrintConsole* console);
void* linearAlloc(size_t size);
void linearFree(void* mem);
void hidScanInput(void);
u32 hidKeysDown(void);
#define KEY_START (1u << 3)
"""

CITRO3D = """
#pragma once
#include <3ds.h>
typedef enum { C3D_CLEAR_COLOR = 1, C3D_CLEAR_DEPTH = 2, C3D_CLEAR_ALL = 3 } C3D_ClearBits;
typedef enum { C3D_RGB = 1, C3D_Alpha = 2, C3D_Both = 3 } C3D_TexEnvMode;
typedef struct { int x; } C3D_AttrInfo;
typedef struct { int x; } C3D_BufInfo;
typedef struct { int x; } C3D_TexEnv;
typedef struct { void* colorBuf; void* depthBuf; } C3D_FrameBuf;
typedef struct { C3D_FrameBuf frameBuf; } C3D_RenderTarget;
enum { C3D_FRAME_SYNCDRAW = 1 };
#define C3D_DEFAULT_CMDBUF_SIZE 0x40000
#define C3D_DEPTHTYPE int
bool C3D_Init(size_t cmdBufSize);
void C3D_Fini(void);
void C3D_BindProgram(shaderProgram_s* program);
void C3D_DrawArrays(GPU_Primitive_t primitive, int first, int size);
C3D_AttrInfo* C3D_GetAttrInfo(void);
void AttrInfo_Init(C3D_AttrInfo* info);
int AttrInfo_AddLoader(C3D_AttrInfo* info, int regId, GPU_FORMATS format, int count);
C3D_BufInfo* C3D_GetBufInfo(void);
void BufInfo_Init(C3D_BufInfo* info);
int BufInfo_Add(C3D_BufInfo* info, const void* data, ptrdiff_t stride, int attribCount, u64 permutation);
C3D_TexEnv* C3D_GetTexEnv(int id);
void C3D_TexEnvInit(C3D_TexEnv* env);
void C3D_TexEnvSrc(C3D_TexEnv* env, C3D_TexEnvMode mode, GPU_TEVSRC s1, GPU_TEVSRC s2, GPU_TEVSRC s3);
void C3D_TexEnvFunc(C3D_TexEnv* env, C3D_TexEnvMode mode, GPU_COMBINEFUNC param);
void C3D_CullFace(GPU_CULLMODE mode);
void C3D_DepthTest(bool enable, GPU_TESTFUNC function, GPU_WRITEMASK writemask);
C3D_RenderTarget* C3D_RenderTargetCreate(int width, int height, GPU_COLORBUF colorFmt, C3D_DEPTHTYPE depthFmt);
void C3D_RenderTargetDelete(C3D_RenderTarget* target);
void C3D_RenderTargetClear(C3D_RenderTarget* target, C3D_ClearBits clearBits, u32 clearColor, u32 clearDepth);
bool C3D_FrameBegin(u8 flags);
bool C3D_FrameDrawOn(C3D_RenderTarget* target);
void C3D_FrameEnd(u8 flags);
void C3D_SyncDisplayTransfer(u32* inadr, u32 indim, u32* outadr, u32 outdim, u32 flags);
"""
