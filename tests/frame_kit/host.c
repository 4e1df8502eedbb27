/* host RECORDS OUT FRAME BUFFER: gives the lists of a file of records to lanewise_frame.c, which records one frame to OUT. */
#define _GNU_SOURCE
#include <3ds.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HEAP = 0x30000000, SIZE = 32 << 20, PHYSICAL = 0x20000000 };
u32 __ctru_linear_heap = HEAP, __ctru_linear_heap_size = SIZE;

void lanewise_frame_start(void *buffer, unsigned size);
void lanewise_frame_mark(void);
void lanewise_frame_record(unsigned frames);
const char *lanewise_frame_save(const char *path);

u32 osConvertVirtToPhys(const void *address)
{
	u32 place = (u32)(size_t)address;
	return place >= HEAP && place < HEAP + SIZE ? place - HEAP + PHYSICAL : 0;
}

int main(int count, char **arguments)
{
	u8 *heap = mmap((void *)(size_t)HEAP, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	FILE *file = count == 5 ? fopen(arguments[1], "rb") : NULL;
	if (heap == MAP_FAILED || !file)
		return 2;
	unsigned wanted = (unsigned)atoi(arguments[3]), size = (unsigned)atoi(arguments[4]), frame = 0;
	lanewise_frame_start(malloc(size), size);
	struct { char tag[4]; u32 first, second, length; } record;
	while (fread(&record, sizeof record, 1, file) == 1) {
		if (!memcmp(record.tag, "FRAM", 4)) {
			if (frame++ == wanted)
				lanewise_frame_record(1);
			lanewise_frame_mark();
		} else if (record.first < PHYSICAL || record.first - PHYSICAL > SIZE - record.length ||
		           fread(heap + (record.first - PHYSICAL), 1, record.length, file) != record.length) {
			return 3;
		} else if (!memcmp(record.tag, "LIST", 4)) {
			u32 command[8] = { 0x01000101, HEAP + (record.first - PHYSICAL), record.length };
			gspSubmitGxCommand(command);
			memset(heap + (record.first - PHYSICAL), 0xEE, record.length);  /* the program goes on */
		}
	}
	lanewise_frame_mark();
	const char *message = lanewise_frame_save(arguments[2]);
	puts(message ? message : "nothing");
	return 0;
}
