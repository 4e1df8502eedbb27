"""Fields of an SHBIN by key."""

import pytest

from lanewise.pica200.container.flat import apply, flatten
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.container.shbin import ConstantEntry, Dvle, LabelEntry, OutputEntry, Shbin, UniformEntry, write_shbin
from together import together

SAMPLE = Shbin(
    words=(0x4C201000, 0x88000000),
    descriptors=(0x36F, 0x1B),
    dvles=(Dvle(version=0x1002, endmain=2, uniforms=(UniformEntry(0, 0, 0), UniformEntry(2, 16, 19)), symbols=b"a\0matrix\0"),),
    seconds=(0, 5),
)


def test_the_keys_in_their_order():
    tables = ("constants", "labels", "outputs", "uniforms", "symbols")
    assert list(flatten(SAMPLE)) == [
        "dvlb.count",
        "layout",
        "dvlp.header",
        "dvlp.version",
        "dvlp.unknown18",
        "dvlp.unknown1c",
        "files",
        "descriptor[0].second",
        "descriptor[1].second",
        "dvle0.version",
        "dvle0.type",
        "dvle0.flags",
        "dvle0.main",
        "dvle0.endmain",
        "dvle0.input_mask",
        "dvle0.output_mask",
        "dvle0.geometry_mode",
        "dvle0.array_start",
        "dvle0.variable_count",
        "dvle0.fixed_count",
        "dvle0.constants.count",
        "dvle0.labels.count",
        "dvle0.outputs.count",
        "dvle0.uniforms.count",
        "dvle0.uniform[0].symbol",
        "dvle0.uniform[0].first",
        "dvle0.uniform[0].last",
        "dvle0.uniform[1].symbol",
        "dvle0.uniform[1].first",
        "dvle0.uniform[1].last",
        "dvle0.symbols",
        "dvlp.after",
        "code.offset",
        "code.after",
        "descriptors.offset",
        "descriptors.after",
        "files.offset",
        "files.after",
        "dvle0.after",
        *(f"dvle0.{table}.{what}" for table in tables for what in ("offset", "after")),
    ]


def test_the_keys_of_entries():
    full = Dvle(constants=(ConstantEntry(),), labels=(LabelEntry(),), outputs=(OutputEntry(),))
    keys = [key for key in flatten(Shbin(dvles=(Dvle(), full))) if "[" in key]
    assert keys == [
        "dvle1.constant[0].type",
        "dvle1.constant[0].register",
        "dvle1.constant[0].value",
        "dvle1.label[0].id",
        "dvle1.label[0].unknown",
        "dvle1.label[0].word",
        "dvle1.label[0].size",
        "dvle1.label[0].symbol",
        "dvle1.output[0].type",
        "dvle1.output[0].register",
        "dvle1.output[0].mask",
        "dvle1.output[0].unknown",
    ]


def test_values():
    flat = flatten(SAMPLE)
    assert flat["layout"] == b"picasso"
    assert flat["descriptor[1].second"] == 5
    assert flat["dvle0.version"] == 0x1002
    assert flat["dvle0.uniform[1].last"] == 19
    assert flat["dvle0.symbols"] == b"a\0matrix\0"
    assert flat["dvlp.unknown18"] == flat["dvle0.labels.offset"] == -1


def test_one_changed_field_is_one_key_and_usual_values_stay_usual():
    """A longer program still has picasso's word at DVLP 0x18 and picasso's padding; only what was changed is said."""
    changed = apply(SAMPLE, {"dvle0.flags": 2})
    assert {key for key, value in flatten(changed).items() if flatten(SAMPLE)[key] != value} == {"dvle0.flags"}
    longer = SAMPLE._replace(words=(0,) * 100, descriptors=(1, 2, 3))
    assert apply(longer, {"dvle0.symbols": b"b\0matrix\0"}).dvles[0].symbols[:1] == b"b"
    read, _ = read_shbin(write_shbin(longer), "")
    assert read == longer


def test_tables_grow_and_shrink_whatever_the_order_of_the_keys():
    changes = {
        "dvle1.output[1].mask": 15,
        "dvle1.outputs.count": 2,
        "dvle0.uniforms.count": 1,
        "dvlb.count": 2,
        "dvle1.symbols": b"x",
    }
    result = apply(SAMPLE, changes)
    assert result.dvles[1] == Dvle(outputs=(OutputEntry(), OutputEntry(mask=15)), symbols=b"x")
    assert result.dvles[0].uniforms == SAMPLE.dvles[0].uniforms[:1]
    assert (
        apply(
            result,
            {
                "dvlb.count": 1,
                "dvle0.uniforms.count": 2,
                "dvle0.uniform[1].symbol": 2,
                "dvle0.uniform[1].first": 16,
                "dvle0.uniform[1].last": 19,
            },
        )
        == SAMPLE
    )


def test_gaps_come_and_go():
    gap = apply(SAMPLE, {"code.after": b"gap!", "dvle0.labels.offset": 0xFFFFFFFF})
    assert len(write_shbin(gap)) == len(write_shbin(SAMPLE)) + 4
    assert apply(gap, {"code.after": b"", "dvle0.labels.offset": -1}) == SAMPLE


@pytest.mark.parametrize(
    ("key", "near"),
    [
        ("dvle0.verison", "dvle0.version"),
        ("dvle1.version", "dvle0.version"),
        ("dvle0.uniform[2].first", "dvle0.uniform[1].first"),
        ("descriptor[2].second", "descriptor[1].second"),
        ("dvle0.offset", "dvle0.labels.offset"),
    ],
)
def test_an_unknown_key_names_the_nearest(key: str, near: str):
    with pytest.raises(KeyError) as raised:
        apply(SAMPLE, {key: 0})
    assert f"unknown field {key}" in str(raised.value)
    assert near in str(raised.value)


@together(
    ("key", "value", "reason"),
    [
        ("dvle0.version", 0x10000, "does not fit 16 bits"),
        ("dvle0.type", -1, "does not fit 8 bits"),
        ("dvlp.unknown18", -2, "not -1 for the usual value"),
        ("dvle0.main", b"\0", "holds a number"),
        ("dvle0.symbols", 3, "holds bytes"),
        ("dvle0.constant[0].value", b"short", "holds 16 bytes"),
        ("dvle0.labels.count", 1 << 32, "does not fit"),
        ("dvlb.count", b"1", "holds a number"),
        ("layout", b"upside down", "no section 'upside'"),
        ("code.offset", 4, "only an empty table"),
        ("dvlp.header", 0x24, "dvlp.header is 0x24"),
    ],
)
def test_a_value_that_does_not_fit(key: str, value: int | bytes, reason: str):
    changes = {"dvle0.constants.count": 1, key: value}
    with pytest.raises(ValueError, match=reason):
        apply(SAMPLE, changes)
