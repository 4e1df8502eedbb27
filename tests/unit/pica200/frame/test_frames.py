"""Files of frames to draws: containers, lists, state, vertices; what is broken is a finding, and the other draws are served."""

from __future__ import annotations

import random
import struct
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from black_frame import black_frame
from lanewise.core.diagnostics import InputError
from lanewise.pica200.api.drawn import drawn_file
from lanewise.pica200.api.frame_review import review, reviewed_of
from lanewise.pica200.api.pipeline import Pipeline
from lanewise.pica200.frame.citrace import AZAHAR, GIVEN, header_of, layout_of, read_citrace, write_citrace
from lanewise.pica200.frame.commands import commands, encode
from lanewise.pica200.frame.draws import draws_of
from lanewise.pica200.frame.isolate import isolated
from lanewise.pica200.frame.recording import MAPPED, Load, Memory, Place, Submit, Write
from lanewise.pica200.frame.records import read_records
from lanewise.pica200.frame.registers import name_of, rows, table
from lanewise.pica200.frame.state import components, packed, unpacked
from lanewise.pica200.frame.vertices import feeds_of, numbers_of, topology_of
from pica200_frames import EMIT, FLOAT, IDENTITY, LISTS, TRIANGLE, Recorder, as_azahar, assembled, triangle
from together import together

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lanewise.pica200.frame.draws import Draw


def _frames(data: bytes):
    recording = read_citrace(data, "a") if data.startswith(b"CiTr") else read_records(data, "a")
    return draws_of(recording, "a")


def _codes(data: bytes) -> list[list[str]]:
    return [[finding.code for finding in each.findings] for each in review(_frames(data).draws, "a")]


def _positions(draw: Draw) -> NDArray[Any]:
    file = drawn_file(draw, "a:0")
    data = file.data
    assert data is not None
    return file.vertex.run(data.inputs, data.vertex_uniforms, count=len(data.vertices)).outputs["position"]


# Containers


def test_a_triangle_of_records_and_of_citrace_is_the_same_draw():
    recorder = triangle()
    for data in (recorder.bytes(), recorder.citrace()):
        frames = _frames(data)
        assert (len(frames.draws), frames.findings) == (1, ())
        np.testing.assert_array_equal(_positions(frames.draws[0]), [(*row, 1) for row in TRIANGLE])


def test_frames_are_counted_by_their_ends():
    recorder = triangle(triangle().end())
    assert [(draw.frame, draw.in_frame) for draw in _frames(recorder.citrace()).draws] == [(0, 0), (1, 0)]


@pytest.mark.parametrize("cut", [1, 15, 40, 1000])
def test_a_file_of_records_that_is_cut_keeps_the_draws_before(cut: int):
    data = triangle(triangle()).bytes()
    recording = read_records(data[:-cut], "a")
    assert [finding.code for finding in recording.findings] == ["F001"]
    assert len(draws_of(recording, "a").draws) >= 1


def test_the_layout_of_azahar_is_found_by_the_length_of_the_file():
    registers = [0] * 0x300
    registers[0x4F] = 2
    data = as_azahar(registers)
    header = header_of(data)
    assert header is not None
    assert layout_of(header, len(data))[0] == AZAHAR
    recording = read_citrace(data, "a")
    assert recording.initial.registers is not None
    assert recording.initial.registers[0x4F] == 2
    assert recording.initial.code is None
    assert "stream" in recording.notes


def test_citra_has_a_width_before_the_value_of_a_write():
    recorder = triangle()
    data = bytearray(recorder.citrace())
    header = header_of(bytes(data))
    assert header is not None
    for number in range(header.elements):
        at = header.stream + 20 * number
        kind, address, value, _, _ = struct.unpack_from("<5I", data, at)
        if kind == 0xE3:
            struct.pack_into("<5I", data, at, kind, address, 0xD3, value, 0)
    assert len(_frames(bytes(data)).draws) == 1


def test_w_of_the_state_before_is_unknown():
    base = triangle().citrace()
    header = header_of(base)
    assert header is not None
    numbers = [number for pair in header.arrays for number in pair]
    numbers[12:14] = [header.size, 96 * 4]
    shift = 96 * 16
    stream = bytearray(base[header.stream :])
    for at in range(0, len(stream), 20):
        if struct.unpack_from("<I", stream, at)[0] == 0xE2:
            struct.pack_into("<I", stream, at + 4, struct.unpack_from("<I", stream, at + 4)[0] + shift)
    data = b"CiTr" + struct.pack("<24I", 1, header.size, *numbers, header.stream + shift, header.elements)
    data += struct.pack("<384I", *[0x3F0000] * 384) + base[header.size : header.stream] + bytes(stream)
    recording = read_citrace(data, "a")
    assert recording.layout.startswith(f"CiTrace 1, {GIVEN}")
    assert recording.initial.uniforms is not None
    assert recording.initial.uniforms[95] == (0x3F0000, 0x3F0000, 0x3F0000, None)
    draw = draws_of(recording, "a").draws[0]
    file = drawn_file(draw, "a:0")
    assert file.data is not None
    assert "c0" in file.data.vertex_uniforms  # the list has sent it
    assert "c95" not in file.data.vertex_uniforms


def test_loads_that_overlap_are_read_as_they_are_last():
    memory = Memory()
    place = Place(0, 0)
    for load in (Load(0x1000, memoryview(b"abcdefgh"), place), Load(0x1002, memoryview(b"XY"), place)):
        memory.load(load.address, load.data)
    view = memory.at()
    memory.load(0x1000, memoryview(b"later"))
    assert bytes(view.read(0x1000, 8) or b"") == b"abXYefgh"
    assert view.read(0x1000, 9) is None
    assert view.known(0x1004, 100) == 4


# Lists and state


def test_commands_are_written_and_read():
    words = [*encode(0x2B0, [1], mask=3), *encode(0x100, list(range(300))), *encode(0x50, [7, 8, 9], consecutive=True)]
    found = list(commands(words))
    assert [(each.register, each.mask, len(each.values), each.consecutive) for each in found] == [
        (0x2B0, 3, 1, False),
        (0x100, 15, 256, False),
        (0x100, 15, 44, False),
        (0x50, 15, 3, True),
    ]
    assert [value for each in found[1:3] for value in each.values] == list(range(300))


def test_packed_vectors_come_back():
    vector = (0x123456, 0x789ABC, 0xDEF012, 0x345678)
    assert unpacked(packed(vector)) == vector


def test_a_list_that_jumps_into_itself_is_a_finding_and_others_are_served():
    recorder = Recorder()
    recorder.write(0x238, 3).write(0x23A, LISTS >> 3).write(0x23C, 1).submit()
    frames = _frames(triangle(recorder).bytes())
    assert [finding.code for finding in frames.findings] == ["F002"]
    assert len(frames.draws) == 1


def test_a_list_goes_on_with_another_and_what_follows_is_left_out():
    second = triangle().records[-1][16:]
    place = Place(0, 0)
    recorder = triangle()
    recording = read_records(recorder.bytes(), "a")
    jump = [*encode(0x239, [len(second) >> 3]), *encode(0x23B, [LISTS >> 3]), *encode(0x23D, [1]), *encode(0x22E, [1])]
    data = struct.pack(f"<{len(jump)}I", *jump)
    events = [*recording.events[:-1], Load(0x22000000, memoryview(data), place), Submit(0x22000000, len(data), place)]
    frames = draws_of(recording._replace(events=events), "a")
    assert len(frames.draws) == 1
    assert frames.draws[0].where.address == LISTS


def test_registers_that_the_processor_writes_count():
    place = Place(0, 0)
    recording = read_records(triangle().bytes(), "a")
    events = [Write(MAPPED + 4 * 0x40, 2, place), *recording.events]
    assert draws_of(recording._replace(events=events), "a").draws[0].registers[0x40] == 2


def test_defaults_and_draws_of_the_processor_are_as_in_a_list():
    place = Place(0, 0)
    recording = read_records(triangle().bytes(), "a")
    sent = [(0x232, 1), *zip((0x233, 0x234, 0x235), packed([0x3F0000, 0, 0, 0x3F0000]), strict=True), (0x22E, 1)]
    events = [*recording.events, *(Write(MAPPED + 4 * number, value, place) for number, value in sent)]
    draws = draws_of(recording._replace(events=events), "a").draws
    assert len(draws) == 2
    before, after = draws[0].defaults[1], draws[1].defaults[1]
    assert after is not None and components(after) == (0x3F0000, 0, 0, 0x3F0000)
    assert before != after


def test_masks_keep_the_other_bytes():
    recorder = Recorder().write(0x25E, 0x11223344).write(0x25E, 0xAABBCCDD, mask=2)
    draw = _frames(triangle_after(recorder)).draws[0]
    assert draw.registers[0x25F] == 0


def triangle_after(recorder: Recorder) -> bytes:
    return triangle(recorder).bytes()


def test_what_the_vertex_unit_is_sent_goes_to_the_geometry_unit_unless_they_are_apart():
    frames = _frames(triangle().bytes())
    assert frames.draws[0].geometry.code == frames.draws[0].vertex.code
    apart = triangle(Recorder().write(0x244, 1)).bytes()
    recorder = Recorder().state().write(0x244, 1).program(assembled()).attributes((FLOAT, 3), (FLOAT, 4), fixed=2)
    recorder.uniforms(IDENTITY).default(1, 1, 1, 1, 1).vertices(TRIANGLE).arrays(3).submit()
    assert _frames(recorder.bytes()).draws[0].geometry.code == ()
    assert _frames(apart).draws[0].geometry.code  # `state` shares them again


def test_the_hardest_case_immediate_vertices_for_a_geometry_shader_with_state_of_an_earlier_list():
    file = assembled(geometry=EMIT)
    recorder = Recorder().state().write(0x244, 1).program(file).program(file, stage="geometry")
    recorder.attributes((FLOAT, 3), (FLOAT, 4)).uniforms(IDENTITY).uniforms(IDENTITY, base=0x280)
    recorder.write(0x229, 2).write(0x289, 1).write(0x252, 0).write(0x25E, 0x300).submit()
    colours = ((1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1))
    vertices = [((*row, 1), colour) for row, colour in zip(TRIANGLE, colours, strict=True)]
    recorder.immediate(vertices).submit()
    for data in (recorder.bytes(), recorder.citrace()):
        (draw,) = _frames(data).draws
        assert (draw.kind, topology_of(draw), len(draw.immediate)) == ("immediate", "geometry", 3)
        opened = drawn_file(draw, "a:0")
        values = opened.data
        assert values is not None
        given = Pipeline(file.vertex, file.geometry).run(
            {"place": [(*row, 1) for row in TRIANGLE], "tint": colours}, uniforms={"scale": IDENTITY}, vertices_per_primitive=1
        )
        found = opened.pipeline.run(
            values.inputs,
            values.indices,
            values.vertex_uniforms,
            geometry_uniforms=values.geometry_uniforms,
            vertices_per_primitive=values.per_primitive,
            topology=values.topology,
        )
        assert found.triangles == given.triangles == 3
        np.testing.assert_array_equal(found.outputs["color"], given.outputs["color"])
        assert _codes(data) == [[]]


def test_float32_uniforms_stay_what_they_are():
    recorder = Recorder().state().program(assembled()).attributes((FLOAT, 3), (FLOAT, 4), fixed=2).default(1, 1, 1, 1, 1)
    recorder.uniforms([(0.1, 0, 0, 0), *IDENTITY[1:]], wide=True).vertices(TRIANGLE).arrays(3).submit()
    draw = _frames(recorder.bytes()).draws[0]
    vector = draw.vertex.uniforms[0]
    assert vector is not None
    assert components(vector)[0] == struct.unpack("<I", struct.pack("<f", 0.1))[0]


def test_elements_take_the_vertices_of_the_list():
    recorder = Recorder().state().program(assembled()).attributes((FLOAT, 3), (FLOAT, 4), fixed=2).default(1, 1, 1, 1, 1)
    recorder.uniforms(IDENTITY).vertices(TRIANGLE).elements([2, 0, 1, 2, 1, 0]).submit()
    draw = _frames(recorder.bytes()).draws[0]
    file = drawn_file(draw, "a:0")
    assert file.data is not None
    assert file.data.indices is not None
    assert (list(file.data.vertices), file.data.indices.tolist()) == ([0, 1, 2], [2, 0, 1, 2, 1, 0])
    assert numbers_of(draw).asked == 6


def test_one_draw_alone_gives_the_same():
    recorder = triangle(triangle())
    draw = _frames(recorder.bytes()).draws[1]
    (alone,) = _frames(write_citrace(isolated([draw]))).draws
    assert alone.vertex[:3] == draw.vertex[:3]
    assert [(f.register, f.source, f.stride) for f in feeds_of(alone)] == [
        (f.register, f.source, f.stride) for f in feeds_of(draw)
    ]
    np.testing.assert_array_equal(_positions(alone), _positions(draw))


# Findings: a draw that is broken on purpose, and its twin


def _draw(fixed: int = 2, stride: int | None = None, count: int = 3) -> Recorder:
    recorder = Recorder().state().program(assembled()).uniforms(IDENTITY).default(1, 1, 1, 1, 1)
    return recorder.attributes((FLOAT, 3), (FLOAT, 4), fixed=fixed, stride=stride).vertices(TRIANGLE)


BROKEN = {
    "F004": lambda: _draw().write(0x2B9, 0).arrays(3),
    "F005": lambda: _draw().write(0x2BB, 0x00).arrays(3),
    "F006": lambda: _draw(stride=0).arrays(3),
    "F007": lambda: _draw().write(0x203, 2).arrays(3),
    "F008": lambda: _draw().arrays(3000),
    "F009": lambda: (
        Recorder().state().program(assembled()).default(1, 1, 1, 1, 1).attributes((FLOAT, 3), (FLOAT, 4), fixed=2).arrays(3)
    ),
    "F010": lambda: _draw().write(0x2BA, 500).arrays(3),
    "F011": lambda: _draw().write(0x2BD, 7).arrays(3),
    "F014": lambda: _draw().write(0x4D, 0).arrays(3),
    "F017": lambda: _draw().write(0x41, 0x45E000).write(0x43, 0).write(0x68, 0).arrays(3),
}


@together("code", BROKEN)
def test_a_broken_draw_has_its_finding_and_its_twin_has_none(code: str):
    (found,) = _codes(BROKEN[code]().submit().bytes())
    assert code in found
    assert _codes(_draw().arrays(3).submit().bytes()) == [["F015"]]


def test_an_index_past_the_memory_is_a_finding_at_its_draw_only():
    recorder = _draw().elements([0, 1, 40000]).submit()
    assert [codes.count("F008") for codes in _codes(triangle(recorder).bytes())] == [1, 0]


def test_a_loop_whose_integer_was_never_written():
    text = (
        (
            ".in place v0\n.ivec count i0\n.out o position\n.proc main\n    mov r0, place\n    for count\n"
            "        add r0, place, r0\n    .end\n    mov o, r0\n    end\n.end\n"
        )
        .replace(" v0\n", "\n")
        .replace(" i0\n", "\n")
    )
    recorder = Recorder().state().program(assembled(text)).attributes((FLOAT, 3)).vertices(TRIANGLE)
    assert _codes(recorder.arrays(3).submit().bytes()) == [["F012"]]
    recorder = Recorder().state().program(assembled(text)).attributes((FLOAT, 3)).vertices(TRIANGLE)
    assert _codes(recorder.write(0x2B1, 2).arrays(3).submit().bytes()) == [[]]


@pytest.mark.parametrize(("inputs", "wrong"), [(1, False), (3, False), (2, True)])
def test_inputs_of_a_geometry_shader_are_outputs_of_whole_vertices(inputs: int, wrong: bool):
    file = assembled(geometry=EMIT)
    recorder = Recorder().state().write(0x244, 1).program(file).program(file, stage="geometry").vertices(TRIANGLE)
    recorder.attributes((FLOAT, 3), (FLOAT, 4), fixed=2).default(1, 1, 1, 1, 1).uniforms(IDENTITY)
    recorder.write(0x229, 2).write(0x289, inputs).write(0x252, 0).write(0x25E, 0x300).arrays(3).submit()
    assert ("F013" in _codes(recorder.bytes())[0]) == wrong


def test_a_matrix_with_reversed_rows_is_a_note():
    recorder = _draw().arrays(3).submit()
    recorder.uniforms([row[::-1] for row in IDENTITY]).arrays(3).submit()
    assert [codes.count("F016") for codes in _codes(recorder.bytes())] == [0, 1]


def test_one_draw_has_the_findings_that_it_has_among_all():
    draws = _frames(black_frame()).draws
    for number, each in enumerate(review(draws, "a")):
        assert reviewed_of(draws[number], draws[:number], "a").findings == each.findings
    assert [finding.code for finding in reviewed_of(draws[1], draws[:1], "a").findings] == ["F016"]


def test_a_draw_without_its_state_says_which_registers_lack():
    recorder = Recorder().write(0x22E, 1).submit()
    (found,) = _codes(recorder.bytes())
    assert {"F003", "F010"} <= set(found)
    with pytest.raises(InputError):
        drawn_file(_frames(recorder.bytes()).draws[0], "a:0")


# The table


def test_the_table_has_every_register_that_is_decoded():
    for number in (0x40, 0x4F, 0x56, 0x200, 0x226, 0x227, 0x25E, 0x280, 0x2BA, 0x2DD):
        assert number in rows()
    # libctru 516e3a0, include/3ds/gpu/registers.h
    assert name_of(0x2BA) == "GPUREG_VSH_ENTRYPOINT"
    assert name_of(0x203) == "GPUREG_ATTRIBBUFFER0_OFFSET"
    assert name_of(0x20A) == "GPUREG_ATTRIBBUFFER2_CONFIG1"
    assert name_of(0x226) == "GPUREG_ATTRIBBUFFERB_CONFIG2"
    assert name_of(0x2BC) == "GPUREG_VSH_ATTRIBUTES_PERMUTATION_HIGH"
    for row in table():
        fields = sorted([(low, high) for _, low, high in row.fields])
        assert all(0 <= low <= high < 32 for low, high in fields)
        assert all(before[1] < after[0] for before, after in pairwise(fields)), row.name
        assert row.about
        assert row.evidence


def test_damaged_files_give_draws_or_findings_and_never_fail():
    base = triangle(triangle().end())
    for data in (base.bytes(), base.citrace()):
        for seed in range(60):
            generator = random.Random(seed)
            damaged = bytearray(data)
            for _ in range(generator.randrange(1, 12)):
                damaged[generator.randrange(len(damaged))] = generator.choice(
                    [0, 1, 0x7F, 0x80, 0xFF, generator.randrange(256)]
                )
            damaged = damaged[: generator.randrange(12, len(damaged) + 1)] if seed % 3 == 0 else damaged
            if bytes(damaged[:4]) in (b"CiTr", b"FRAM"):
                list(review(_frames(bytes(damaged)).draws, "a"))
