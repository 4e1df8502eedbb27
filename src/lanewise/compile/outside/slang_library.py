"""Compile with the shared library of Slang, as slangpy brings it: run as a program, so that a crash or a hang of it is only its
own.

Arguments: the library, the file to write, and those of slangc. Messages go to standard error. Source of the functions: slang.h
and slang-deprecated.h of shader-slang/slang.
"""

from __future__ import annotations

import sys
from ctypes import (
    CDLL,
    CFUNCTYPE,
    POINTER,
    Structure,
    byref,
    c_bool,
    c_char_p,
    c_int,
    c_size_t,
    c_uint32,
    c_void_p,
    cast,
    sizeof,
    string_at,
)
from pathlib import Path

_GET_POINTER, _GET_SIZE = 3, 4  # of the table of ISlangBlob, after the three functions of IUnknown
_LANGUAGE = 2018  # SLANG_LANGUAGE_VERSION_2018, the one without modules


class _Session(Structure):
    """SlangGlobalSessionDesc."""

    _fields_ = (("size", c_uint32), ("api", c_uint32), ("language", c_uint32), ("glsl", c_bool), ("reserved", c_uint32 * 16))


def main(library: str, output: str, *arguments: str) -> int:
    slang = CDLL(library)
    slang.spCreateCompileRequest.restype = c_void_p
    slang.spCreateCompileRequest.argtypes = [c_void_p]
    slang.spProcessCommandLineArguments.argtypes = [c_void_p, POINTER(c_char_p), c_int]
    slang.spCompile.argtypes = [c_void_p]
    slang.spGetDiagnosticOutput.argtypes = [c_void_p]
    slang.spGetDiagnosticOutput.restype = c_char_p
    slang.spGetTargetCodeBlob.argtypes = [c_void_p, c_int, POINTER(c_void_p)]
    session, blob = c_void_p(), c_void_p()
    wanted = _Session(sizeof(_Session), 0, _LANGUAGE, True)
    if slang.slang_createGlobalSession2(byref(wanted), byref(session)) < 0:
        sys.stderr.write("error: the library of Slang does not start\n")
        return 1
    request = slang.spCreateCompileRequest(session)
    given = [argument.encode() for argument in arguments]
    result = slang.spProcessCommandLineArguments(request, (c_char_p * len(given))(*given), len(given))
    result = slang.spCompile(request) if result >= 0 else result
    sys.stderr.buffer.write(slang.spGetDiagnosticOutput(request) or b"")
    if result < 0 or slang.spGetTargetCodeBlob(request, 0, byref(blob)) < 0 or not blob.value:
        return 1
    functions = cast(cast(blob, POINTER(c_void_p))[0], POINTER(c_void_p))
    start = CFUNCTYPE(c_void_p, c_void_p)(functions[_GET_POINTER])(blob)
    size = CFUNCTYPE(c_size_t, c_void_p)(functions[_GET_SIZE])(blob)
    Path(output).write_bytes(string_at(start, size))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
