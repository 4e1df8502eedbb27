"""Arguments of a kernel, as code is generated for them and as `Call` fills them in; what runs a kernel from the cache imports
nothing else of it."""

from __future__ import annotations

# The words of 64 bits that a kernel is given. Pointers to inputs, each with its stride, to outputs and to flags of what was
# written follow. A kernel does the vectors from FIRST to COUNT and stores in DONE how far it came. ROOM is how many vectors
# there is room for in each list. Programs with loops return after REFILLS times `CHUNK` steps of loops, or when the word at
# STOP is not 0: then DONE is less than COUNT, and that vector is to be done again. If BYPASS is not 0, outputs begin at
# multiples of 64 bytes and are stored past the caches. LOADER and STORER are the functions of `llvm.movers`, 0 for a kernel
# that calls none.
(
    COUNT,
    LIST,
    VERTICES,
    UNIFORMS,
    INTEGERS,
    BOOLEANS,
    FLAGGED,
    FLAGGED_COUNT,
    BAILED,
    BAILED_COUNT,
    FUEL,
    FIRST,
    DONE,
    ROOM,
    REFILLS,
    STOP,
    BYPASS,
    LOADER,
    STORER,
) = range(19)
DATA = 19
CHUNK = 1 << 16  # steps of loops between two looks at STOP

# The words behind all others in a geometry shader: where records begin, how many there is room for in each vector, how many
# each vector has, the settings that runs have left; the values of registers that are fed, and the bytes from one of these to
# the next.
RECORDS, RECORDS_ROOM, COUNTS, LEFT, FEED, STRIDE = range(6)
EMISSION = 6

ROWS = 128  # of a table of float uniforms; past c95 are ones
# The tables, one after the other: times 2**-64 without subnormals, unchanged, and without subnormals.
TABLES = ("scaled", "exact", "flushed")
NUMBERS = 4 * ROWS
