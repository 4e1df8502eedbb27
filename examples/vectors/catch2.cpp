// A suite of lanewise as a test of Catch2, version 3 or 2. Run with LANEWISE_VECTORS=pica200-quick-hardware.lwv.
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif

#include <cstdlib>

#include "lanewise_vectors.h"  // of `lanewise vectors --header > lanewise_vectors.h`, in a folder of -I
#include "shader_unit.h"

TEST_CASE("shader unit gives what lanewise gives", "[shader]") {
    const char* path = std::getenv("LANEWISE_VECTORS");
    REQUIRE(path);
    const lanewise::Suite suite = lanewise::Suite::load(path);
    for (const lanewise::Case& c : suite.cases) {
        if (c.may_hang || c.may_abort) continue;
        INFO(c.name << ": " << c.shows << " (" << c.ops << ")");
        for (const lanewise::Difference& d : lanewise::compare(c, run_shader(c), suite.header.bits)) FAIL_CHECK(d.text);
    }
}
