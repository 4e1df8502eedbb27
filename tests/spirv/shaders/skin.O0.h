/* skin_O0: a program for the PICA200, compiled by lanewise. */
#pragma once

#include <citro3d.h>

/* Inputs: registers for AttrInfo_AddLoader. */
#define skin_O0_IN_bone 3
#define skin_O0_IN_weight 2
#define skin_O0_IN_point 0
#define skin_O0_IN_normal 1

/* Outputs: register, name and semantic. */
/* o0 position: position.xyzw */
/* o1 color: color.xyzw */

/* Uniforms: first register and number of registers, for C3D_FVUnifSet, C3D_FVUnifMtx4x4 and C3D_FVUnifMtxNx4. */
#define skin_O0_FVEC_rows 0
#define skin_O0_ULEN_rows 60
#define skin_O0_FVEC_projection 60
#define skin_O0_ULEN_projection 4
#define skin_O0_FVEC_lamp 64
#define skin_O0_ULEN_lamp 1
