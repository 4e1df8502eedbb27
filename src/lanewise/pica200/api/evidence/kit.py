"""The kit: a homebrew project for a console, with the programs of the open questions.

C with libctru and citro3d (libctru 516e3a0, citro3d 9f21cf7), for devkitARM. Each picture is drawn to a small buffer, whose
middle is read and written to a file on the SD card. Where a picture is begun, the file says so first: after a hang the kit goes
on with the next one.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.api.evidence.programs import NAMES, exact, outcomes, pictures
from lanewise.pica200.api.evidence.results import FIRST_LINE, digest
from lanewise.pica200.isa.experiments import GEOMETRY, RUN

if TYPE_CHECKING:
    from lanewise.pica200.api.evidence.programs import Picture

NAME = "lanewise-evidence"
_SIZE = 64  # pixels of a picture's side


def kit() -> dict[str, bytes]:
    """The files of the project by path."""
    files = {
        "README.md": _readme(),
        "Makefile": _MAKEFILE,
        "source/main.c": _main(),
        "source/pictures.h": _header(),
        "source/pictures.c": _pictures(),
        "expected.txt": expected(),
    }
    found = {path: text.encode() for path, text in files.items()}
    for picture in pictures():
        found |= {f"shaders/{name}": text.encode() for name, text in picture.sources.items()}
        found[f"shaders/{picture.name}.shbin"] = picture.data
    return found


def expected() -> str:
    """A line for each picture and outcome: the hypotheses that give it."""
    lines = [f"# {RUN}", "# Each picture: its colour, and the values of the fields of a profile that give it."]
    for picture in pictures():
        lines.append(f"{picture.name} ({picture.experiment.question}: {picture.experiment.about})")
        by_colour: dict[str, list[str]] = {}
        for values, colour in outcomes(picture.name).items():
            text = ", ".join([f"{field}={value}" for field, value in zip(picture.experiment.fields, values, strict=True)])
            by_colour.setdefault(colour, []).append(text)
        for colour, texts in by_colour.items():
            name = f" {NAMES[colour]}" if colour in NAMES else ""
            lines.append(f"    {colour}{name}: {'; '.join(texts)}")
        lines += [
            f"    the number of the {number + 1}. colour is {exact(word)} (0x{word:06X})"
            for number, word in enumerate(picture.words)
        ]
    return "\n".join(lines) + "\n"


def _header() -> str:
    return f"""/* {RUN.upper()}. Written by lanewise evidence kit. */
#pragma once
#include <3ds.h>

typedef struct {{
	const char* name;     /* as in expected.txt */
	const u32* shbin;     /* the program: a vertex shader, or one of each */
	u32 size;             /* in bytes */
	const u32* upper;     /* words for 512 and after it, or NULL */
	u32 upper_count;
	bool upper_first;     /* whether they are sent before the first draw */
	bool geometry;        /* whether the second shader is a geometry shader */
	bool risk;            /* whether a hang is one of the outcomes */
}} Picture;

extern const Picture pictures[];
extern const int picture_count;

#define KIT "{digest()}"
#define FIRST_LINE "{FIRST_LINE}"
"""


def _pictures() -> str:
    parts = [f'/* {RUN.upper()}. Written by lanewise evidence kit. */\n#include <stddef.h>\n#include "pictures.h"\n']
    rows: list[str] = []
    for number, picture in enumerate(pictures()):
        parts.append(_array(f"shbin_{number}", _words(picture.data)))
        if picture.upper:
            parts.append(_array(f"upper_{number}", picture.upper))
        rows.append(_row(number, picture))
    parts.append("const Picture pictures[] = {\n" + "".join(rows) + "};\n")
    parts.append("const int picture_count = sizeof(pictures) / sizeof(pictures[0]);\n")
    return "\n".join(parts)


def _row(number: int, picture: Picture) -> str:
    upper = f"upper_{number}, {len(picture.upper)}" if picture.upper else "NULL, 0"
    flags = [picture.name == "code-high", picture.experiment.stage == GEOMETRY, bool(picture.experiment.risk)]
    listed = ", ".join(["true" if flag else "false" for flag in flags])
    return f'\t{{ "{picture.name}", shbin_{number}, sizeof(shbin_{number}), {upper}, {listed} }},\n'


def _words(data: bytes) -> tuple[int, ...]:
    padded = data + bytes(-len(data) % 4)
    return tuple([int.from_bytes(padded[at : at + 4], "little") for at in range(0, len(padded), 4)])


def _array(name: str, words: tuple[int, ...]) -> str:
    lines = ["\t" + ", ".join([f"0x{word:08X}" for word in words[at : at + 8]]) + ",\n" for at in range(0, len(words), 8)]
    return f"static const u32 {name}[] = {{\n{''.join(lines)}}};\n"


def _readme() -> str:
    risky = ", ".join([picture.name for picture in pictures() if picture.experiment.risk])
    return f"""# Evidence kit for the PICA200 ({digest()})

**{RUN[0].upper()}{RUN[1:]}.** The programs were run in lanewise under every hypothesis; the C code was compared with the \
headers of libctru and citro3d, and no console and
no devkitARM were at hand. Remove this line when the kit has run.

Build it with devkitARM, libctru and citro3d (`make`), and start `{NAME}.3dsx` on a console from the Homebrew Launcher. It draws
{len(pictures())} small pictures and writes `sdmc:/{NAME}.txt`. Then, on a computer:

    lanewise evidence import {NAME}.txt

Pictures that may hang the console come last: {risky}. If the screen stands still, hold the power button for ten seconds, and \
start the kit again: it goes on
with the next picture. Delete `{NAME}.txt` to begin anew.

`expected.txt` lists what each colour means, `shaders/` has the sources and binaries. `lanewise evidence plan` explains the \
questions.
"""


def _main() -> str:
    return _MAIN.replace("@RUN@", RUN.upper()).replace("@SIZE@", str(_SIZE)).replace("@NAME@", NAME)


_MAKEFILE = f"""# {RUN.upper()}. Needs devkitARM, libctru and citro3d (pacman -S 3ds-dev).
ifeq ($(strip $(DEVKITARM)),)
$(error "Set DEVKITARM in the environment: export DEVKITARM=<path to>devkitARM")
endif

TOPDIR ?= $(CURDIR)
include $(DEVKITARM)/3ds_rules

TARGET  := {NAME}
ARCH    := -march=armv6k -mtune=mpcore -mfloat-abi=hard -mtp=soft
CFLAGS  := -g -Wall -O2 -mword-relocations -ffunction-sections $(ARCH) -D__3DS__ -I$(CTRULIB)/include -Isource
LDFLAGS := -specs=3dsx.specs -g $(ARCH)
LIBS    := -lcitro3d -lctru -lm
OBJECTS := source/main.o source/pictures.o

APP_TITLE       := {NAME}
APP_DESCRIPTION := Open questions about the PICA200
APP_AUTHOR      := lanewise
_3DSXFLAGS      += --smdh=$(TARGET).smdh

.PHONY: all clean
all: $(TARGET).3dsx

$(TARGET).3dsx: $(TARGET).elf $(TARGET).smdh

$(TARGET).elf: $(OBJECTS)
	$(CC) $(LDFLAGS) $(OBJECTS) -L$(CTRULIB)/lib $(LIBS) -o $@

source/%.o: source/%.c source/pictures.h
	$(CC) $(CFLAGS) -c $< -o $@

clean:
	rm -f $(OBJECTS) $(TARGET).elf $(TARGET).3dsx $(TARGET).smdh
"""

_MAIN = r"""/* @RUN@.
 *
 * Draws each picture of pictures.c to a buffer of @SIZE@ x @SIZE@ pixels, reads the pixel in the middle and writes its colour
 * to sdmc:/@NAME@.txt. Before a picture the file gets a line "begin", so that a hang leaves a trace and is not met again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <3ds.h>
#include <citro3d.h>
#include "pictures.h"

#define SIZE @SIZE@
#define RESULTS "sdmc:/@NAME@.txt"
#define BACKGROUND 0x404040FF

/* To linear memory, as it is: the colour buffer is tiled. */
#define TRANSFER \
	(GX_TRANSFER_FLIP_VERT(0) | GX_TRANSFER_OUT_TILED(0) | GX_TRANSFER_RAW_COPY(0) | \
	GX_TRANSFER_IN_FORMAT(GX_TRANSFER_FMT_RGBA8) | GX_TRANSFER_OUT_FORMAT(GX_TRANSFER_FMT_RGBA8) | \
	GX_TRANSFER_SCALING(GX_TRANSFER_SCALE_NO))

/* A triangle that covers everything, twice: a geometry shader runs two times. */
static const float corners[6][4] = {
	{ -1.0f, -1.0f, -0.5f, 1.0f }, { 3.0f, -1.0f, -0.5f, 1.0f }, { -1.0f, 3.0f, -0.5f, 1.0f },
	{ -1.0f, -1.0f, -0.5f, 1.0f }, { 3.0f, -1.0f, -0.5f, 1.0f }, { -1.0f, 3.0f, -0.5f, 1.0f },
};

static C3D_RenderTarget* target;
static void* vertices;
static u32* pixels;
static char before[1 << 16]; /* what the file had when the kit began */

static void note(const char* key, const char* name, const char* value)
{
	FILE* file = fopen(RESULTS, "a");
	if (!file)
		return;
	fprintf(file, "%s %s%s%s\n", key, name, *value ? " " : "", value);
	fclose(file); /* what is in a buffer is lost in a hang */
}

static bool is_begun(const char* name)
{
	char line[80];
	snprintf(line, sizeof(line), "\nbegin %s\n", name);
	return strstr(before, line) != NULL;
}

static void read_before(void)
{
	FILE* file = fopen(RESULTS, "r");
	size_t length = 0;
	if (file)
	{
		length = fread(before, 1, sizeof(before) - 1, file);
		fclose(file);
	}
	before[length] = 0;
}

static void send_upper(const Picture* picture)
{
	GPUCMD_AddWrite(GPUREG_VSH_CODETRANSFER_CONFIG, 512);
	GPUCMD_AddWrites(GPUREG_VSH_CODETRANSFER_DATA, picture->upper, picture->upper_count);
	GPUCMD_AddWrite(GPUREG_VSH_CODETRANSFER_END, 1);
}

static void bind_state(void)
{
	C3D_AttrInfo* attributes = C3D_GetAttrInfo();
	AttrInfo_Init(attributes);
	AttrInfo_AddLoader(attributes, 0, GPU_FLOAT, 4);

	C3D_BufInfo* buffers = C3D_GetBufInfo();
	BufInfo_Init(buffers);
	BufInfo_Add(buffers, vertices, sizeof(corners[0]), 1, 0x0);

	C3D_TexEnv* env = C3D_GetTexEnv(0);
	C3D_TexEnvInit(env);
	C3D_TexEnvSrc(env, C3D_Both, GPU_PRIMARY_COLOR, GPU_PRIMARY_COLOR, GPU_PRIMARY_COLOR);
	C3D_TexEnvFunc(env, C3D_Both, GPU_REPLACE);

	C3D_CullFace(GPU_CULL_NONE);
	C3D_DepthTest(false, GPU_ALWAYS, GPU_WRITE_ALL);
}

/* The colour in the middle, 0xRRGGBB. */
static u32 draw(const Picture* picture)
{
	DVLB_s* dvlb = DVLB_ParseFile((u32*)picture->shbin, picture->size);
	shaderProgram_s program;
	shaderProgramInit(&program);
	/* Of a file with two, the first is the vertex shader. Two outputs of three vertices are the inputs of a run. */
	shaderProgramSetVsh(&program, &dvlb->DVLE[0]);
	if (picture->geometry)
		shaderProgramSetGsh(&program, &dvlb->DVLE[1], 6);
	GPU_Primitive_t kind = picture->geometry ? GPU_GEOMETRY_PRIM : GPU_TRIANGLES;
	int count = picture->geometry ? 6 : 3;

	C3D_FrameBegin(C3D_FRAME_SYNCDRAW);
	C3D_RenderTargetClear(target, C3D_CLEAR_ALL, BACKGROUND, 0);
	C3D_FrameDrawOn(target);
	C3D_BindProgram(&program);
	bind_state();
	if (picture->upper && picture->upper_first)
		send_upper(picture);
	C3D_DrawArrays(kind, 0, count); /* sends the program, too */
	if (picture->upper && !picture->upper_first)
	{
		send_upper(picture);
		C3D_DrawArrays(kind, 0, count);
	}
	C3D_FrameEnd(0);

	const u32 dim = GX_BUFFER_DIM(SIZE, SIZE);
	C3D_SyncDisplayTransfer((u32*)target->frameBuf.colorBuf, dim, pixels, dim, TRANSFER);
	GSPGPU_InvalidateDataCache(pixels, SIZE * SIZE * 4);
	u32 colour = pixels[SIZE / 2 * SIZE + SIZE / 2] >> 8;

	shaderProgramFree(&program);
	DVLB_Free(dvlb);
	return colour;
}

static void run(void)
{
	read_before();
	if (!*before)
	{
		bool is_new = false;
		APT_CheckNew3DS(&is_new);
		FILE* file = fopen(RESULTS, "w");
		if (!file)
		{
			printf("cannot write %s\n", RESULTS);
			return;
		}
		fprintf(file, "%s\n", FIRST_LINE);
		fclose(file);
		note("kit", KIT, "");
		note("console", is_new ? "New 3DS" : "Old 3DS", "");
	}
	int i;
	for (i = 0; i < picture_count && aptMainLoop(); i++)
	{
		if (is_begun(pictures[i].name))
			continue;
		printf("%2d of %d: %s%s\n", i + 1, picture_count, pictures[i].name, pictures[i].risk ? " (may hang)" : "");
		note("begin", pictures[i].name, "");
		char text[8];
		snprintf(text, sizeof(text), "%06lX", (unsigned long)draw(&pictures[i]));
		note("cell", pictures[i].name, text);
	}
	note("end", KIT, "");
	printf("done: %s\n", RESULTS);
}

int main(void)
{
	gfxInitDefault();
	consoleInit(GFX_BOTTOM, NULL);
	C3D_Init(C3D_DEFAULT_CMDBUF_SIZE);
	target = C3D_RenderTargetCreate(SIZE, SIZE, GPU_RB_RGBA8, GPU_RB_DEPTH24_STENCIL8);
	vertices = linearAlloc(sizeof(corners));
	pixels = linearAlloc(SIZE * SIZE * 4);
	memcpy(vertices, corners, sizeof(corners));

	run();
	printf("START ends the program.\n");
	while (aptMainLoop())
	{
		hidScanInput();
		if (hidKeysDown() & KEY_START)
			break;
		gspWaitForVBlank();
	}

	linearFree(pixels);
	linearFree(vertices);
	C3D_RenderTargetDelete(target);
	C3D_Fini();
	gfxExit();
	return 0;
}
"""
