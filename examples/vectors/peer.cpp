// Answers jobs of `lanewise fuzz --against ./peer --only add,mov,mul --profile azahar --ignore-nan` with a shader unit of three instructions on float32.
// Only `run` is about the unit: put yours there, and leave out --only. Build: c++ -std=c++17 -I FOLDER_OF_THE_HEADER peer.cpp -o peer
#include <cmath>
#include <iostream>

#include "lanewise_vectors.h"  // of `lanewise vectors --header > lanewise_vectors.h`, in a folder of -I

using namespace lanewise;
using Row = std::array<float, 4>;

static Row numbers(const Vector& words) {
    Row row;
    std::memcpy(row.data(), words.data(), 16);
    return row;
}

static Outcome run(const Job& job) {
    enum { Add = 0x00, Mul = 0x08, Mov = 0x13, Nop = 0x21, End = 0x22 };
    Outcome found;
    for (Word o : job.outputs) found.outputs[o] = Lanes(job.lanes);
    std::array<Row, 16> in{}, temporaries{}, out{};
    for (Word lane = 0; lane < job.lanes; ++lane) {
        for (const auto& [r, lanes] : job.inputs) in[r] = numbers(lanes[lane]);
        for (std::size_t pc = job.entry; pc < job.code.size(); ++pc) {
            const Word word = job.code[pc], op = word >> 26, descriptor = job.descriptors[word & 0x7F];
            if (op == End) break;
            if (op == Nop) continue;
            if (op != Add && op != Mul && op != Mov) throw Error("an instruction that this unit does not have");
            auto source = [&](Word r, unsigned shift) {  // the operand with its selector and sign
                const auto uniform = job.floats.find(r - 32);
                const Row row = r < 16 ? in[r] : r < 32 ? temporaries[r - 16] : uniform == job.floats.end() ? Row{} : numbers(uniform->second);
                Row seen;
                for (unsigned c = 0; c < 4; ++c) seen[c] = row[descriptor >> (shift + 7 - 2 * c) & 3] * (descriptor >> shift & 1 ? -1.0f : 1.0f);
                return seen;
            };
            const Row a = source(word >> 12 & 0x7F, 4), b = source(word >> 7 & 0x1F, 13);
            Row& to = (word >> 21 & 0x1F) < 16 ? out[word >> 21 & 0x1F] : temporaries[(word >> 21 & 0x1F) - 16];
            for (unsigned c = 0; c < 4; ++c) {
                if (!(descriptor & (8u >> c))) continue;
                to[c] = op == Add ? a[c] + b[c] : op == Mul ? a[c] * b[c] : a[c];
                if (op == Mul && std::isnan(to[c]) && !std::isnan(a[c]) && !std::isnan(b[c])) to[c] = 0;  // 0 times infinity
            }
        }
        for (Word o : job.outputs) std::memcpy(found.outputs[o][lane].data(), out[o].data(), 16);
    }
    return found;
}

int main() {
    read_header(std::cin);
    for (Job job; read_job(std::cin, job); job = {}) write_answer(std::cout, job, run(job));
}
