"""Compilers: front ends give programs, back ends make code of instruction sets of them.

The package is a function too: `lanewise.compile("light.vert", target="pica200")` compiles a shader and gives a
`lanewise.Compilation`, the program with its report (`lanewise.api.compilation.compile`).
"""

from lanewise.core.calls import make_callable

make_callable(__name__, "lanewise.api.compilation", "compile")
