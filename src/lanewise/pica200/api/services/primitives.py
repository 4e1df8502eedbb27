"""`lanewise run` with an index list: both shader stages, and the primitives that they make."""

from __future__ import annotations

from lanewise.arrays.lists import ndarray
from lanewise.core.diagnostics import InputError
from lanewise.core.origins import placed
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import Answer, Drawn
from lanewise.pica200.api.colours import with_commas
from lanewise.pica200.api.depth_warnings import depth_warnings, lost_warnings
from lanewise.pica200.api.uniform_warnings import uniform_warnings
from lanewise.pica200.container.mistaken import explained

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.core.origins import Origins
    from lanewise.core.view import View
    from lanewise.drawing.scene import Blame, Scene
    from lanewise.pica200.api.primitives import Primitives
    from lanewise.pica200.api.services.plan import Stages
    from lanewise.pica200.api.services.values import Values
    from lanewise.pica200.api.stages import Bound
    from lanewise.pica200.api.tracing import Trace


def show_primitives(plan: Stages, view: View, origins: Origins | None = None) -> Answer:
    """The primitives of both stages. Raises InputError."""
    from lanewise.pica200.api.services import primitive_report

    pipeline, result = plan.pipeline, _run(plan)
    faults = pipeline.describe(result)
    findings = [*faults, *pipeline.output_map.diagnostics, *explained(plan.findings, _warnings(plan, result, origins))]
    rasterized = result.rasterized(clamp_colour=True) if plan.rasterized else None
    files = ((view.output, primitive_report.as_npz(result, rasterized)),) if view.output else ()
    if view.as_json:
        data = primitive_report.as_data(pipeline, result, rasterized, [*plan.findings, *findings])
        return Answer(data=data, files=files, failed=bool(faults), schema="primitives")
    table = primitive_report.table(result, rasterized, everything=view.everything, bits=view.bits) + "\n"
    return Answer(text=table, first=tuple(plan.findings), last=tuple(findings), files=files, failed=bool(faults))


def scene_primitives(plan: Stages, origins: Origins | None = None) -> Drawn:
    """The triangles of both stages. Raises InputError."""
    pipeline, result = plan.pipeline, _run(plan)
    faults = pipeline.describe(result)
    last = [*faults, *pipeline.output_map.diagnostics, *explained(plan.findings, _warnings(plan, result, origins))]
    scene = result.scene()
    if plan.buffers.attributes:
        from lanewise.drawing.scene import Suspect

        def suspects() -> Iterator[Suspect]:
            yield from result.scene().suspects()
            for message, changed in _other_types(plan):
                try:
                    found = _run(plan._replace(inputs=changed))
                except InputError:  # such as an index of a vertex that there is not with this type
                    continue
                position = found.rasterized()["position"].astype("float64")
                yield Suspect(
                    code="attribute-type",
                    message=message,
                    fix="correct the type of --attribute, and of AttrInfo_AddLoader",
                    position=position,
                )

        scene = scene._replace(suspects=suspects)
    return Drawn(
        scene=_with_zeroed(scene, result.vertices.zeroed),
        first=tuple(plan.findings),
        last=tuple(last),
        failed=bool(faults),
    )


def _with_zeroed(scene: Scene, zeroed: Sequence[str]) -> Scene:
    """The scene, whose values that come of inputs without data are blamed on these."""
    if not zeroed:
        return scene

    def blame(triangle: int, corner: int, output: str, component: int) -> Blame | None:
        found = scene.blame(triangle, corner, output, component)
        name = next((name for name in zeroed if found is not None and f"{name}." in found.message), "")
        if found is None or not name:
            return found
        return found._replace(message=f"{found.message}: {name} has no data, 0 is of --default 0: give --input {name}=...")

    return scene._replace(blame=blame)


def trace_primitives(plan: Stages, number: int) -> Trace:
    """What a vertex or a run of the geometry shader does. Raises InputError."""
    return plan.pipeline.trace(
        plan.inputs,
        plan.indices,
        plan.uniforms,
        number=number,
        stage=plan.traced,
        geometry_uniforms=plan.own,
        vertices_per_primitive=plan.per_primitive,
        **plan.settings.traced(),
    )


def bound_pipeline(plan: Stages) -> Bound:
    """The values of a run in registers, and the vertices of each run of the geometry shader. Raises InputError."""
    return plan.pipeline.bound(
        plan.inputs,
        plan.indices,
        plan.uniforms,
        geometry_uniforms=plan.own,
        vertices_per_primitive=plan.per_primitive,
        **plan.settings.bound(),
    )


def _warnings(plan: Stages, result: Primitives, origins: Origins | None) -> list[Diagnostic]:
    """The warnings about a result, and about the values that it is of."""
    vertex = plan.pipeline.vertex
    found = [*depth_warnings(plan.uniforms, vertex, result.vertices)]
    found += lost_warnings(plan.inputs, plan.uniforms, vertex, result.vertices)
    others = with_commas(plan.pipeline.warnings(result), plan.inputs)
    found += uniform_warnings(plan.inputs, plan.uniforms, vertex, result.vertices, others)
    return [*others, *placed(found, origins or {})]


def _run(plan: Stages) -> Primitives:
    return plan.pipeline.run(
        plan.inputs,
        plan.indices,
        plan.uniforms,
        geometry_uniforms=plan.own,
        topology=plan.topology,
        vertices_per_primitive=plan.per_primitive,
        **plan.settings.run(),
    )


def _other_types(plan: Stages) -> Iterator[tuple[str, Values]]:
    """The inputs with another type of an attribute, where the buffer can be read so, and what is wrong then."""
    for message, arrays in plan.buffers.other_types():
        rows = [len(before) for name in arrays if isinstance(before := plan.inputs.get(name), ndarray)]
        if rows and all(len(array) for array in arrays.values()):  # a larger type leaves fewer vertices
            yield message, {**plan.inputs, **arrays}
