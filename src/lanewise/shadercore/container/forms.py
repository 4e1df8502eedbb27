"""Forms in which the memories of a core are written, and the suffixes of their files, the usual one first."""

from __future__ import annotations

TARGETS: dict[str, tuple[str, ...]] = {
    "bin": (".bin",),
    "hex": (".hex",),
    "c": (".c", ".h"),
    "vhdl": (".vhd", ".vhdl"),
    "verilog": (".v",),
    "coe": (".coe",),
    "mem": (".mem",),
    "mif": (".mif",),
}
FORMS_BY_SUFFIX: dict[str, str] = {suffix: form for form, suffixes in TARGETS.items() for suffix in suffixes}
