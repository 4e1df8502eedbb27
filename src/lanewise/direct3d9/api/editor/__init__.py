"""Direct3D 9 assembly in editors."""

from __future__ import annotations

from lanewise.core.editor import Editor
from lanewise.direct3d9.api.editor.analysing import analyse
from lanewise.direct3d9.api.editor.completing import complete, signature
from lanewise.direct3d9.api.editor.describing import describe
from lanewise.direct3d9.api.editor.remarks import INLAYS, remarks

EDITOR = Editor(analyse=analyse, describe=describe, complete=complete, signature=signature, inlays=INLAYS, remarks=remarks)

__all__ = ["EDITOR"]
