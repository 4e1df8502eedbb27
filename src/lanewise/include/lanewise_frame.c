/* Records what a 3DS program tells the GPU, in the program itself, as a file that `lanewise frame` and other readers of
 * CiTrace 1 open. MIT licence, the lanewise authors.
 *
 * Never run on a console. It was compiled and run on a PC against the public libctru and citro3d. Write to us when you have.
 *
 * 1. Add this file to the sources, and -Wl,--wrap=gspSubmitGxCommand to LDFLAGS.
 * 2. Declare and call:
 *
 *      void lanewise_frame_start(void *buffer, unsigned size);    // once, before gfxInit: 2 to 8 MiB from malloc
 *      void lanewise_frame_mark(void);                            // after every C3D_FrameBegin(C3D_FRAME_SYNCDRAW)
 *      void lanewise_frame_record(unsigned frames);               // at a key: the next frames, counted from the next mark
 *      const char *lanewise_frame_save(const char *path);         // after every mark: 0 while there is nothing to say
 *
 *      lanewise_frame_mark();
 *      if (hidKeysDown() & KEY_SELECT) lanewise_frame_record(1);
 *      const char *message = lanewise_frame_save("sdmc:/frame.ctf");
 *      if (message) puts(message);
 *
 * citro3d sends only what has changed, and nothing can be read back from the GPU: so from the first list on a shadow of its
 * state is kept (about 40 KiB), and a file begins with it. The hook runs on libctru's event thread, whose stack is 4 KiB: it
 * copies to the buffer and never opens a file. What is copied: the lists, and the indices and vertices that their draws read,
 * as they are when a list is submitted. Not copied: textures. Uniforms and default attributes are sent again at the beginning
 * of a file, as they came: the arrays of CiTrace have 24 bits of each, and nothing that says which were sent. A file holds what your program shows: think before you share it.
 *
 * Registers: https://www.3dbrew.org/wiki/GPU/Internal_Registers. The format: the structures of citrace.h of Citra, version 1.
 */
#include <3ds.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { REGISTERS = 0x300, WORDS = 4096, DESCRIPTORS = 128, UNIFORMS = 96, ATTRIBUTES = 16, JUMPS = 256 };
enum { FRAME_MARKER = 0xE1, MEMORY_LOAD = 0xE2, REGISTER_WRITE = 0xE3 };
enum { IDLE, ARMED, RECORDING, DONE };

typedef struct {  /* a shader unit, as its registers leave it */
	u32 code[WORDS], descriptors[DESCRIPTORS], uniforms[UNIFORMS][4], pending[4];
	u8 sent[UNIFORMS];  /* the words of each uniform, as they came: none, three of 24-bit floats, four of 32-bit floats */
	u32 word, descriptor, uniform, waiting;
	bool wide_now;
} Unit;

typedef struct {  /* an element of the stream: 20 bytes in the file */
	u32 type, a, b, c, pad;
} Element;

typedef struct {
	u32 registers[REGISTERS], attributes[ATTRIBUTES][3], attributes_sent, attribute, parts;
	Unit vertex, geometry;
} State;

static State gpu;

static struct {
	u8 *buffer;  /* the state at the beginning, then data; elements grow from the back */
	u32 size, used, elements;
	u32 frames, lists, other;
	volatile int state;
	bool full, partial, lost;
	u32 uncopied;  /* ranges that are neither in linear memory nor in VRAM */
} record;

static LightLock lock = 1;  /* as LightLock_Init leaves it */
static char message[384];

Result __real_gspSubmitGxCommand(const u32 command[8]);

static const u8 *at(u32 physical, u32 size)
{
	extern u32 __ctru_linear_heap, __ctru_linear_heap_size;
	u32 heap = osConvertVirtToPhys((const void *)(size_t)__ctru_linear_heap);
	if (physical >= heap && physical - heap < __ctru_linear_heap_size && size <= __ctru_linear_heap_size - (physical - heap))
		return (const u8 *)(size_t)(__ctru_linear_heap + (physical - heap));
	if (physical >= 0x18000000 && physical - 0x18000000 < 0x600000 && size <= 0x600000 - (physical - 0x18000000))
		return (const u8 *)(size_t)(0x1F000000 + (physical - 0x18000000));
	return NULL;
}

static Element *element(u32 number) { return (Element *)(record.buffer + record.size) - 1 - number; }

static void add(u32 type, u32 a, u32 b, u32 c)
{
	if (record.full || record.used + (record.elements + 1) * sizeof(Element) > record.size) {
		record.full = true;
		return;
	}
	*element(record.elements++) = (Element){ type, a, b, c, 0 };
}

/* Copies memory, unless the last copy of this range is still what is there. */
static void load(u32 physical, u32 size)
{
	const u8 *data = at(physical, size);
	record.uncopied += !data && size;
	if (!data || !size)
		return;
	for (u32 n = record.elements; n-- > 0;) {
		Element *e = element(n);
		if (e->type != MEMORY_LOAD || e->c >= physical + size || physical >= e->c + e->b)
			continue;
		if (e->c <= physical && physical + size <= e->c + e->b && !memcmp(record.buffer + e->a + (physical - e->c), data, size))
			return;
		break;
	}
	u32 padded = (size + 3) & ~3u;
	if (record.full || padded > record.size - record.used - (record.elements + 1) * sizeof(Element)) {
		record.full = true;
		return;
	}
	memcpy(record.buffer + record.used, data, size);
	memset(record.buffer + record.used + size, 0, padded - size);
	add(MEMORY_LOAD, record.used, size, physical);
	record.used += padded;
}

/* The vertices of a draw: what its loaders read between the lowest and the highest vertex. */
static void load_vertices(bool indexed)
{
	const u32 *r = gpu.registers;
	u32 base = (r[0x200] >> 1 & 0x0FFFFFFF) << 4, count = r[0x228], low = r[0x22A], high = low + count - 1;
	if (!count)
		return;
	if (indexed) {
		bool wide = r[0x227] >> 31;
		u32 place = base + (r[0x227] & 0x0FFFFFFF);
		const u8 *indices = count <= 0x02000000 ? at(place, count << wide) : NULL;
		load(place, count <= 0x02000000 ? count << wide : ~0u);
		if (!indices)
			return;
		low = 0xFFFF, high = 0;
		for (u32 n = 0; n < count; n++) {
			u32 index = wide ? indices[2 * n] | indices[2 * n + 1] << 8 : indices[n];
			low = index < low ? index : low, high = index > high ? index : high;
		}
	}
	for (u32 loader = 0; loader < 12; loader++) {
		const u32 *l = r + 0x203 + 3 * loader;
		u32 components = l[2] >> 28, stride = l[2] >> 16 & 0xFF, bytes = 0;
		for (u32 n = 0; n < components && n < 12; n++) {
			u32 kind = (n < 8 ? l[1] >> 4 * n : l[2] >> 4 * (n - 8)) & 15;
			if (kind >= 12) {
				bytes = ((bytes + 3) & ~3u) + 4 * (kind - 11);
				continue;
			}
			u32 format = (kind < 8 ? r[0x201] >> 4 * kind : r[0x202] >> 4 * (kind - 8)) & 15;
			u32 width = (format & 3) == 3 ? 4 : (format & 3) == 2 ? 2 : 1;
			bytes = ((bytes + width - 1) & ~(width - 1)) + width * ((format >> 2) + 1);
		}
		if (components && high - low < 0x01000000)
			load(base + (l[0] & 0x0FFFFFFF) + low * stride, (high - low) * stride + bytes);
		else
			record.uncopied += components != 0;
	}
}

static void put_uniform(Unit *unit, bool both)
{
	u32 n = unit->uniform++;
	if (n >= UNIFORMS)
		return;
	memcpy(unit->uniforms[n], unit->pending, 16);
	unit->sent[n] = unit->wide_now ? 4 : 3;
	if (both)
		memcpy(gpu.geometry.uniforms[n], unit->pending, 16), gpu.geometry.sent[n] = unit->sent[n];
}

/* Registers are numbered as those of the geometry unit. */
static void write_unit(Unit *unit, u32 number, u32 value, bool both)
{
	if (number == 0x290) {
		unit->uniform = value & 0xFF, unit->wide_now = value >> 31, unit->waiting = 0;
	} else if (number >= 0x291 && number <= 0x298) {
		unit->pending[unit->waiting++] = value;
		if (unit->waiting == (unit->wide_now ? 4 : 3))
			put_uniform(unit, both), unit->waiting = 0;
	} else if (number == 0x29B) {
		unit->word = value & 0xFFF;
	} else if (number >= 0x29C && number <= 0x2A3) {
		u32 place = unit->word++ & 0xFFF;
		(both ? gpu.geometry.code : unit->code)[place] = unit->code[place] = value;
	} else if (number == 0x2A5) {
		unit->descriptor = value & 0x7F;
	} else if (number >= 0x2A6 && number <= 0x2AD) {
		u32 place = unit->descriptor++ & 0x7F;
		(both ? gpu.geometry.descriptors : unit->descriptors)[place] = unit->descriptors[place] = value;
	} else if (both && (number == 0x280 || (number >= 0x281 && number <= 0x284) || number == 0x28D)) {
		gpu.registers[number] = value;  /* booleans, integers, output mask */
	}
}

static void write_register(u32 number, u32 mask, u32 value)
{
	if (number >= REGISTERS)
		return;
	u32 keep = (mask & 1 ? 0xFF : 0) | (mask & 2 ? 0xFF00 : 0) | (mask & 4 ? 0xFF0000 : 0) | (mask & 8 ? 0xFF000000 : 0);
	value = gpu.registers[number] = (gpu.registers[number] & ~keep) | (value & keep);
	if (number == 0x232) {
		gpu.attribute = value & 15, gpu.parts = 0;
	} else if (number >= 0x233 && number <= 0x235) {  /* 15 is immediate mode: vertices, which the list holds */
		static u32 part[3];
		part[gpu.parts++] = value;
		if (gpu.parts == 3 && gpu.attribute < 12) {
			memcpy(gpu.attributes[gpu.attribute], part, sizeof part);
			gpu.attributes_sent |= 1u << gpu.attribute++;
		}
		gpu.parts %= 3;
	} else if (number >= 0x280 && number < 0x2B0) {
		write_unit(&gpu.geometry, number, value, false);
	} else if (number >= 0x2B0 && number < 0x2E0) {
		write_unit(&gpu.vertex, number - 0x30, value, !(gpu.registers[0x244] & 1));
	}
}

static void read_list(u32 physical, u32 size)
{
	const u32 *list = (const u32 *)at(physical, size);
	u32 length = size / 4, n = 0, jumps = 0;
	bool copying = record.state == RECORDING;
	record.lost |= !list;
	if (list && copying)
		load(physical, size);
	while (list && n + 1 < length) {
		u32 header = list[n + 1], number = header & 0xFFFF, mask = header >> 16 & 15, extra = header >> 20 & 0xFF, jump = 0;
		for (u32 k = 0; k <= extra && (k == 0 || n + 1 + k < length) && !jump; k++) {
			u32 target = number + (header >> 31 ? k : 0);
			write_register(target, mask, list[k ? n + 1 + k : n]);
			if (copying && (target == 0x22E || target == 0x22F))
				load_vertices(target == 0x22F);
			if (target == 0x23C || target == 0x23D)
				jump = target;
		}
		n = (n + 2 + extra + 1) & ~1u;
		if (jump) {
			size = (gpu.registers[jump - 4] & 0x1FFFFF) << 3, physical = (gpu.registers[jump - 2] & 0x1FFFFFFF) << 3;
			list = ++jumps > JUMPS ? NULL : (const u32 *)at(physical, size), length = size / 4, n = 0;
			record.lost |= !list;
			if (list && copying)
				load(physical, size);
		}
	}
}

Result __wrap_gspSubmitGxCommand(const u32 command[8])
{
	LightLock_Lock(&lock);
	bool copying = record.state == RECORDING;
	if ((command[0] & 0xFF) == 1) {
		u32 physical = osConvertVirtToPhys((const void *)(size_t)command[1]), size = command[2];
		read_list(physical, size);
		if (copying) {
			add(REGISTER_WRITE, 0x104018E0, size >> 3, 0);
			add(REGISTER_WRITE, 0x104018E8, physical >> 3, 0);
			add(REGISTER_WRITE, 0x104018F0, 1, 0);
			record.lists++;
		}
	} else if (copying && (command[0] & 0xFF) != 5) {
		record.other++;
	}
	LightLock_Unlock(&lock);
	return __real_gspSubmitGxCommand(command);
}

static u32 float24(u32 bits)
{
	u32 exponent = bits >> 23 & 0xFF;
	if (exponent < 65 || exponent > 190)
		return (bits >> 8 & 0x800000) | (exponent > 190 ? 0x7F0000 : 0) | (exponent == 255 ? bits >> 7 & 0xFFFF : 0);
	return (bits >> 8 & 0x800000) | (exponent - 64) << 16 | (bits >> 7 & 0xFFFF);
}

static void resend(u32 number, u32 value) { add(REGISTER_WRITE, 0x10401000 + 4 * number, value, 0); }

static void send_uniforms(const Unit *unit, u32 base)
{
	for (u32 n = 0; n < UNIFORMS; n++) {
		if (unit->sent[n])
			resend(base, (unit->sent[n] == 4 ? 0x80000000 : 0) | n);
		for (u32 k = 0; k < unit->sent[n]; k++)
			resend(base + 1, unit->uniforms[n][k]);
	}
	if (gpu.registers[base])  /* where the next value goes */
		resend(base, (u32)unit->wide_now << 31 | (unit->uniform & 0xFF));
}

void lanewise_frame_start(void *buffer, unsigned size)
{
	record.buffer = size > sizeof gpu ? buffer : NULL, record.size = size & ~3u;
}

void lanewise_frame_record(unsigned frames)
{
	record.full = !record.buffer;
	if (record.state == IDLE && frames)
		record.frames = frames, record.state = record.full ? DONE : ARMED;
}

void lanewise_frame_mark(void)
{
	LightLock_Lock(&lock);
	if (record.state == RECORDING) {
		add(FRAME_MARKER, 0, 0, 0);
		if (--record.frames == 0)
			record.state = DONE;
	} else if (record.state == ARMED) {
		record.used = sizeof gpu, record.elements = record.lists = record.other = record.uncopied = 0;
		record.full = record.lost = false;
		record.partial = gpu.vertex.waiting || gpu.geometry.waiting || gpu.parts;
		memcpy(record.buffer, &gpu, sizeof gpu);
		u32 *first = ((State *)record.buffer)->registers;
		first[0x2CB] = gpu.vertex.word, first[0x2D5] = gpu.vertex.descriptor;
		first[0x29B] = gpu.geometry.word, first[0x2A5] = gpu.geometry.descriptor;
		send_uniforms(&gpu.vertex, 0x2C0), send_uniforms(&gpu.geometry, 0x290);
		for (u32 n = 0; n < ATTRIBUTES; n++) {
			u32 parts = gpu.attributes_sent >> n & 1 ? 3 : 0;
			for (u32 k = 0; k <= parts && parts; k++)
				resend(0x232 + k, k ? gpu.attributes[n][k - 1] : n);
		}
		record.state = RECORDING;
	}
	LightLock_Unlock(&lock);
}

static bool write_words(FILE *file, const u32 *words, u32 count) { return fwrite(words, 4, count, file) == count; }

static bool write_numbers(FILE *file, const u32 *p, bool wide)
{
	u32 narrow[4] = { p[2] & 0xFFFFFF, (p[1] & 0xFFFF) << 8 | p[2] >> 24, (p[0] & 0xFF) << 16 | p[1] >> 16, p[0] >> 8 };
	if (wide)
		narrow[0] = float24(p[3]), narrow[1] = float24(p[2]), narrow[2] = float24(p[1]), narrow[3] = float24(p[0]);
	return write_words(file, narrow, 4);
}

static bool write_unit_state(FILE *file, const Unit *unit)
{
	if (!write_words(file, unit->code, WORDS) || !write_words(file, unit->descriptors, DESCRIPTORS))
		return false;
	for (u32 n = 0; n < UNIFORMS; n++)
		if (!write_numbers(file, unit->uniforms[n], unit->sent[n] == 4))
			return false;
	return true;
}

static bool write_file(FILE *file)
{
	enum { HEADER = 100, UNIT = WORDS + DESCRIPTORS + 4 * UNIFORMS };
	u32 data = HEADER + 4 * (REGISTERS + 4 * ATTRIBUTES + 2 * UNIT), place = HEADER;
	u32 header[HEADER / 4] = { 0x72546943, 1, HEADER };  /* CiTr */
	const u32 sizes[10] = { 0, 0, REGISTERS, 4 * ATTRIBUTES, WORDS, DESCRIPTORS, 4 * UNIFORMS, WORDS, DESCRIPTORS, 4 * UNIFORMS };
	for (u32 n = 0; n < 10; n++)
		header[3 + 2 * n] = place, header[4 + 2 * n] = sizes[n], place += 4 * sizes[n];
	const State *first = (const State *)record.buffer;
	header[23] = data + record.used - sizeof gpu, header[24] = record.elements;
	if (!write_words(file, header, HEADER / 4) || !write_words(file, first->registers, REGISTERS))
		return false;
	for (u32 n = 0; n < ATTRIBUTES; n++)
		if (!write_numbers(file, first->attributes[n], false))
			return false;
	if (!write_unit_state(file, &first->vertex) || !write_unit_state(file, &first->geometry) ||
	    fwrite(first + 1, 1, record.used - sizeof gpu, file) != record.used - sizeof gpu)
		return false;
	for (u32 n = 0; n < record.elements; n++) {
		Element e = *element(n);
		if (e.type == MEMORY_LOAD)
			e.a += data - sizeof gpu;
		if (!write_words(file, (u32 *)&e, 5))
			return false;
	}
	return true;
}

const char *lanewise_frame_save(const char *path)
{
	if (record.state != DONE)
		return NULL;
	const char *trouble = record.full ? "the buffer is too small: give lanewise_frame_start a larger one" : NULL;
	FILE *file = record.full || !record.lists ? NULL : fopen(path, "wb");
	if (!trouble && !record.lists)
		trouble = "no list was submitted: is lanewise_frame_mark called after C3D_FrameBegin, and the linker told to wrap?";
	else if (!trouble && !file)
		trouble = "the file cannot be opened";
	bool whole = file && write_file(file);
	if (file && (fclose(file) != 0 || !whole)) {
		remove(path);
		trouble = "the file cannot be written: is the card full?";
	}
	if (trouble)
		snprintf(message, sizeof message, "%.80s: not saved: %s", path, trouble);
	else
		snprintf(message, sizeof message, "%.80s: %lu lists%s%s%s%s", path, (unsigned long)record.lists,
		         record.other ? "; fills, transfers and DMA are not recorded, memory is as it was at each list" : "",
		         record.uncopied ? "; some vertices are outside linear memory and VRAM" : "",
		         record.lost ? "; a list could not be read, what follows it may be incomplete" : "",
		         record.partial ? "; a uniform was half sent when recording began" : "");
	record.state = IDLE;
	return message;
}
