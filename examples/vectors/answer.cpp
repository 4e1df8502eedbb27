// Answer a suite: answer SUITE.lwv ANSWERS.lwv; then `lanewise vectors --report ANSWERS.lwv` says what the answers follow.
#include <iostream>

#include "lanewise_vectors.h"  // of `lanewise vectors --header > lanewise_vectors.h`, in a folder of -I
#include "shader_unit.h"

int main(int count, char** arguments) try {
    if (count != 3) return std::cerr << "usage: answer SUITE.lwv ANSWERS.lwv\n", 2;
    const lanewise::Suite suite = lanewise::Suite::load(arguments[1]);
    std::ofstream out(arguments[2], std::ios::binary);
    if (!out) throw lanewise::Error(std::string("cannot write ") + arguments[2]);
    lanewise::write_header(out, suite.header);
    std::size_t differing = 0;
    for (const lanewise::Case& c : suite.cases) {
        if (c.may_hang || c.may_abort) continue;
        const lanewise::Outcome found = run_shader(c);
        lanewise::write_answer(out, c.job, found);
        differing += !lanewise::compare(c, found, suite.header.bits).empty();
    }
    std::cout << suite.cases.size() << " cases, " << differing << " differ\n";
    return differing != 0;
} catch (const lanewise::Error& error) {
    std::cerr << error.what() << "\n";
    return 2;
}
