// A suite of lanewise as tests of GoogleTest, one for each case. Run with LANEWISE_VECTORS=pica200-quick-hardware.lwv.
#include <gtest/gtest.h>

#include <cstdlib>

#include "lanewise_vectors.h"  // of `lanewise vectors --header > lanewise_vectors.h`, in a folder of -I
#include "shader_unit.h"

namespace {
const lanewise::Suite& suite() {
    static const lanewise::Suite loaded = lanewise::Suite::load(std::getenv("LANEWISE_VECTORS") ? std::getenv("LANEWISE_VECTORS") : "");
    return loaded;
}

class ShaderUnit : public testing::TestWithParam<lanewise::Case> {};

TEST_P(ShaderUnit, GivesWhatLanewiseGives) {
    const lanewise::Case& c = GetParam();
    if (c.may_hang || c.may_abort) GTEST_SKIP() << c.hazards;
    for (const lanewise::Difference& d : lanewise::compare(c, run_shader(c), suite().header.bits)) ADD_FAILURE() << c.shows << ": " << d.text;
}

INSTANTIATE_TEST_SUITE_P(Lanewise, ShaderUnit, testing::ValuesIn(suite().cases), [](const auto& info) { return "case" + std::to_string(info.index); });
}  // namespace
