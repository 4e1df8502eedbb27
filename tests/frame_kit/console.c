/* The console's side of gspSubmitGxCommand, in a file of its own: the linker wraps only what a file does not define itself. */
#include <3ds.h>

Result gspSubmitGxCommand(const u32 command[8]) { return command ? 0 : -1; }
