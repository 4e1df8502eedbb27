"""Pages of the files that hold programs, field by field."""

from __future__ import annotations

from lanewise.core.document import Heading
from lanewise.packages import packages
from lanewise_site import files_direct3d9, files_pica200
from lanewise_site.instructions import overview
from lanewise_site.markup import escape, markdown, page, table

# The pages of each container, by package and name: title and address of each.
LINKS = {
    ("pica200", "shbin"): (("SHBIN", "shbin"),),
    ("pica200", "cache"): (("OpenGL", "cache-opengl"), ("Vulkan", "cache-vulkan")),
    ("pica200", "frame"): (("CiTrace", "citrace"),),
    ("shadercore", "shadercore"): (("ShaderCore file", "shadercore"),),
    ("direct3d9", "direct3d9"): (("bytecode", "direct3d9"),),
    ("direct3d9", "effect"): (("fx_2_0", "effect-fx"), ("MGFX", "effect-mgfx"), ("XNB and DXBC", "effect-xnb")),
}


def pages() -> dict[str, str]:
    rows = [
        (
            escape(container.title),
            ", ".join([f"`{suffix}`" for suffix in container.suffixes]),
            escape(package.title),
            ", ".join([f"[{title}]({name}.md)" for title, name in LINKS[package.name, container.name]]),
        )
        for package in packages()
        for container in package.containers
    ]
    about = "Files that hold programs, field by field. They are recognised by their content, then by their suffix."
    return {
        "reference/containers/index.md": page(
            "Files", about, table(("file", "suffixes", "instruction set", "fields"), rows), orphan=False
        ),
        "reference/containers/shadercore.md": _shadercore(),
        **files_pica200.pages(),
        **files_direct3d9.pages(),
    }


def _shadercore() -> str:
    package = next(p for p in packages() if p.name == "shadercore")
    blocks = overview(package)[0]
    start = next(n for n, b in enumerate(blocks) if isinstance(b, Heading) and b.text == "File")
    end = next(n for n in range(start + 1, len(blocks)) if isinstance(blocks[n], Heading))
    return page("ShaderCore file", markdown(blocks[start + 1 : end]), above="[Files](index.md)")


__all__ = ["LINKS", "pages"]
