/* What lanewise_frame.c takes from libctru, for a PC. */
#include <stddef.h>
#include <stdint.h>
typedef uint8_t u8;
typedef uint32_t u32;
typedef int32_t Result;
typedef int LightLock;
static inline void LightLock_Lock(LightLock *lock) { *lock = 0; }
static inline void LightLock_Unlock(LightLock *lock) { *lock = 1; }
u32 osConvertVirtToPhys(const void *address);
Result gspSubmitGxCommand(const u32 command[8]);
