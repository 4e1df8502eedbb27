"""lanewise: assemble, read and run shaders of the Nintendo 3DS GPU (PICA200).

    import lanewise as lw
    shader = lw.load("light.v.pica").vertex
    result = shader.run(inputs={"position": vertices}, uniforms={"mvp": matrix})

Names are imported when they are first used, so that `import lanewise` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"
