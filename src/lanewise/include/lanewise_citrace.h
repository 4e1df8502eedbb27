/* CiTrace 1, the form of recorded frames: for emulators that want to write it. MIT licence, the lanewise authors.
 *
 * All numbers are little-endian. A file is a header, the arrays of the state before the first element, data, and the stream.
 * Offsets count bytes from the start of the file, sizes of arrays count words of 32 bits, that of the stream its elements.
 * Facts: citrace.h and recorder.cpp of Citra; docs/frames.md has how readers take files that differ from this.
 */
#ifndef LANEWISE_CITRACE_H
#define LANEWISE_CITRACE_H
#include <stdint.h>

enum { CITRACE_MAGIC = 0x72546943, CITRACE_VERSION = 1 }; /* "CiTr" */

typedef struct {
	uint32_t offset, size; /* in bytes from the start of the file, in words */
} citrace_array;

typedef struct {
	uint32_t magic, version, header_size; /* sizeof(citrace_header), 100 */
	citrace_array gpu_registers;          /* from 0x10400000 on; may be empty */
	citrace_array lcd_registers;          /* from 0x10202000 on; may be empty */
	citrace_array pica_registers;         /* 0x300: the GPU's internal registers, booleans and integers of both units among them */
	citrace_array default_attributes;     /* 16 of x, y, z, w, a float24 in the low bits of each word */
	citrace_array vertex_code;            /* up to 4096 */
	citrace_array vertex_descriptors;     /* 128 */
	citrace_array vertex_uniforms;        /* 96 of x, y, z, w, as the attributes */
	citrace_array geometry_code, geometry_descriptors, geometry_uniforms;
	uint32_t stream_offset, stream_size; /* the latter in elements */
} citrace_header;

enum {
	CITRACE_FRAME = 0xE1, /* a frame ends */
	CITRACE_LOAD = 0xE2,  /* memory has this content from here on */
	CITRACE_WRITE = 0xE3  /* a register is written */
};

typedef struct {
	uint32_t type;
	uint32_t a; /* load: offset of the data in the file; write: physical address of the register */
	uint32_t b; /* load: bytes; write: value */
	uint32_t c; /* load: physical address */
	uint32_t pad;
} citrace_element;

/* A command list is three writes: its bytes / 8, its physical address / 8, and 1. The internal registers of the GPU lie at
 * CITRACE_INTERNAL, a word each; a write there is one of a list of one command. */
enum { CITRACE_LIST_SIZE = 0x104018E0, CITRACE_LIST_ADDRESS = 0x104018E8, CITRACE_LIST_START = 0x104018F0, CITRACE_INTERNAL = 0x10401000 };

#endif
