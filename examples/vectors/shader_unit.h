// Where your implementation goes: this one gives the expected outcome, so that the examples can be built and run.
#pragma once
#include "lanewise_vectors.h"  // of `lanewise vectors --header > lanewise_vectors.h`, in a folder of -I

inline lanewise::Outcome run_shader(const lanewise::Case& c) {
    // Your unit: load c.job.code, c.job.descriptors, c.job.floats, ...; run from c.job.entry for each lane; fill outputs[register][lane].
    static const int once = std::fputs("run_shader of shader_unit.h gives the expected outcome: call your unit there\n", stderr);
    static_cast<void>(once);
    return c.expected;
}
