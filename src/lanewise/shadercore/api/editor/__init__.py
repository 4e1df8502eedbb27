"""ShaderCore in editors."""

from __future__ import annotations

from lanewise.core.editor import Editor
from lanewise.shadercore.api.editor.analysing import analyse
from lanewise.shadercore.api.editor.completing import complete, signature
from lanewise.shadercore.api.editor.describing import describe
from lanewise.shadercore.api.editor.remarks import INLAYS, remarks

EDITOR = Editor(analyse=analyse, describe=describe, complete=complete, signature=signature, inlays=INLAYS, remarks=remarks)

__all__ = ["EDITOR"]
