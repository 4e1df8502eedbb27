"""The C functions of llvmlite, and strings that they allocate."""

from typing import Any

class OutputString:
    def __enter__(self) -> OutputString: ...
    def __exit__(self, *exc: object) -> None: ...

lib: Any
