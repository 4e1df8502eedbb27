// Test vectors of lanewise: read a suite, run jobs, compare, write answers. C++17, no dependencies.
// The form of the file is described in docs/vectors.md. SPDX-License-Identifier: MIT. Copyright (c) 2026 The lanewise authors
#pragma once
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <istream>
#include <map>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace lanewise {
using Word = std::uint32_t;
using Vector = std::array<Word, 4>;
using Lanes = std::vector<Vector>;  // a vector for each lane
using Words = std::vector<Word>;
enum Kind : Word { Vertex, Geometry, Wave, Pixel };
enum Status : Word { Ended, Stopped, Endless };
enum Evidence : Word { Measured, Inferred, Unknown };
struct Error : std::runtime_error { using std::runtime_error::runtime_error; };
// A program with its data. Words are numbers of the suite's format: float24 words or float32 patterns.
struct Job {
    Word number = 0, kind = 0, lanes = 0, entry = 0, booleans = 0;
    Words code, descriptors;
    std::map<Word, Vector> floats, integers;
    std::map<Word, Lanes> inputs;
    Words outputs, state;  // registers to answer; those of `state` may be left out
};

struct Primitive { Word run = 0, inverted = 0; std::array<Lanes, 3> vertices; };  // of each vertex the job's outputs, in order
struct Write { Word cycle = 0, quad = 0, place = 0; Vector lanes{}; };
// What a job gives. Parts that are left empty are not compared, apart from outputs (vertex programs) and primitives (geometry shaders).
struct Outcome {
    Words status;  // one of Status for each lane; empty: all have ended
    std::map<Word, Lanes> outputs;
    std::map<Word, Words> written;  // masks of written components of each lane, x in bit 3
    std::map<Word, Lanes> state;
    bool has_primitives = false;
    std::vector<Primitive> primitives;
    Words cycles;
    std::vector<Write> writes;
};
struct Case {
    Job job;
    Outcome expected;
    std::string name, group, ops, shows, differs, hazards;
    Evidence evidence = Measured;
    bool may_hang = false, may_abort = false;
};
struct Header {
    Word isa = 0, bits = 0, cases = 0, seed = 0;  // isa: 1 PICA200, 2 ShaderCore, 3 Direct3D 9; bits: of a number
    std::array<unsigned char, 32> sha256{};
    std::string text;  // lines of KEY=VALUE: lanewise, suite, variant
    Words raw;         // as it is in the file, for answers
};

struct Difference { std::string text; };
struct Tolerance { bool any_nan = false, nan_sign = false; Word ulp = 0; };

namespace detail {
enum Record : Word { JobRecord = 1, AnswerRecord = 2, EndRecord = 3 };
enum Section : Word {
    Code = 1, Descriptors, Floats, Integers, Booleans, Inputs, Asked, StateAsked,
    StatusOf = 16, Outputs, Written, State, Primitives, Cycles, Writes, Name = 32, Shows, Differs, Hazards, Ops, Group
};
inline bool get(std::istream& in, Word* words, std::size_t count) {
    unsigned char b[4];
    for (std::size_t n = 0; n < count; ++n) {
        if (!in.read(reinterpret_cast<char*>(b), 4)) return false;
        words[n] = Word(b[0]) | Word(b[1]) << 8 | Word(b[2]) << 16 | Word(b[3]) << 24;
    }
    return true;
}
inline void put(std::ostream& out, const Words& words) {
    for (Word word : words)
        for (int shift = 0; shift < 32; shift += 8) out.put(char(word >> shift & 0xFF));
}
inline std::string text(const Words& words) {
    std::string found;
    for (Word word : words)
        for (; word; word >>= 8) found += char(word & 0xFF);
    return found;
}
struct Sections {
    std::map<Word, Words> found;
    Sections(const Words& words, std::size_t at) {
        while (at + 2 <= words.size()) {
            const Word tag = words[at], size = words[at + 1];
            if (size > words.size() - at - 2) throw Error("a section goes past the end of its record");
            found[tag].assign(words.begin() + std::ptrdiff_t(at) + 2, words.begin() + std::ptrdiff_t(at) + 2 + std::ptrdiff_t(size));
            at += 2 + size;
        }
    }
    const Words& of(Word tag) const { static const Words none; auto it = found.find(tag); return it == found.end() ? none : it->second; }
};
inline std::map<Word, Vector> vectors(const Words& words) {
    std::map<Word, Vector> found;
    for (std::size_t n = 0; n + 5 <= words.size(); n += 5) found[words[n]] = {words[n + 1], words[n + 2], words[n + 3], words[n + 4]};
    return found;
}
inline Lanes rows(const Word* words, std::size_t count) {
    Lanes found(count);
    if (count) std::memcpy(found.data(), words, 16 * count);
    return found;
}
inline std::map<Word, Lanes> registers(const Words& words, Word lanes) {
    std::map<Word, Lanes> found;
    for (std::size_t n = 0, size = 1 + 4 * std::size_t(lanes); n + size <= words.size(); n += size) found[words[n]] = rows(&words[n] + 1, lanes);
    return found;
}
inline bool read_record(std::istream& in, Word& kind, Words& words) {
    Word head[2];
    if (!get(in, head, 2) || head[0] == EndRecord) return false;
    if (head[1] > 1u << 24) throw Error(head[0] == 0x4556574Cu ? "the header LWVECTOR, not a record: call read_header before the first record is read" : "a record of more than 64 MiB");
    kind = head[0];
    words.resize(head[1]);
    if (!get(in, words.data(), words.size())) throw Error("the file ends inside a record");
    return true;
}
inline Case job(const Words& words) {
    if (words.size() < 5 || !words[3] || words[3] > 1u << 16) throw Error("a job of less than 5 words, or not of 1 to 65536 lanes");
    Case found;
    Job& j = found.job;
    j.number = words[0], j.kind = words[1], j.lanes = words[3], j.entry = words[4];
    found.may_hang = words[2] & 1, found.may_abort = words[2] & 2, found.evidence = Evidence(words[2] >> 8);
    const Sections s(words, 5);
    j.code = s.of(Code), j.descriptors = s.of(Descriptors), j.floats = vectors(s.of(Floats)), j.integers = vectors(s.of(Integers));
    j.booleans = s.of(Booleans).empty() ? 0 : s.of(Booleans)[0];
    j.inputs = registers(s.of(Inputs), j.lanes), j.outputs = s.of(Asked), j.state = s.of(StateAsked);
    found.name = text(s.of(Name)), found.group = text(s.of(Group)), found.ops = text(s.of(Ops)), found.shows = text(s.of(Shows));
    found.differs = text(s.of(Differs)), found.hazards = text(s.of(Hazards));
    return found;
}
inline Outcome answer(const Words& words) {
    Outcome found;
    const Sections s(words, 1);
    found.status = s.of(StatusOf);
    const Word lanes = Word(found.status.size());
    found.outputs = registers(s.of(Outputs), lanes), found.state = registers(s.of(State), lanes), found.cycles = s.of(Cycles);
    const Words& masks = s.of(Written);
    for (std::size_t n = 0; n + 1 + lanes <= masks.size(); n += 1 + lanes) found.written[masks[n]].assign(&masks[n] + 1, &masks[n] + 1 + lanes);
    const Words& sent = s.of(Primitives);
    found.has_primitives = !sent.empty();
    const std::size_t size = sent.empty() || !sent[0] ? 0 : (sent.size() - 1) / sent[0], each = size < 14 ? 0 : (size - 2) / 12;
    for (std::size_t n = 1; each && n + size <= sent.size(); n += size) {
        Primitive p{sent[n], sent[n + 1], {}};
        for (std::size_t corner = 0; corner < 3; ++corner) p.vertices[corner] = rows(&sent[n + 2 + 4 * each * corner], each);
        found.primitives.push_back(p);
    }
    const Words& log = s.of(Writes);
    for (std::size_t n = 0; n + 7 <= log.size(); n += 7) found.writes.push_back({log[n], log[n + 1], log[n + 2], {log[n + 3], log[n + 4], log[n + 5], log[n + 6]}});
    return found;
}
inline void add(Words& words, Word tag, const Words& more) {
    if (more.empty()) return;
    words.push_back(tag), words.push_back(Word(more.size()));
    words.insert(words.end(), more.begin(), more.end());
}
inline Words flat(const std::map<Word, Lanes>& rows) {
    Words found;
    for (const auto& [number, lanes] : rows) {
        found.push_back(number);
        for (const Vector& v : lanes) found.insert(found.end(), v.begin(), v.end());
    }
    return found;
}
inline const char* converted(std::istream& in) {  // what is told of a file whose line ends were converted
    bool ends = false, all = true;
    in.clear(), in.seekg(0);
    for (char c = 0, before = 0; in.get(c); before = c) if (c == '\n') ends = true, all = all && before == '\r';
    return ends && all ? "; all 0A follow 0D, as where line ends were converted: write *.lwv binary to .gitattributes, and the file again" : "";
}
inline std::string hex(Word word) { char text[16]; std::snprintf(text, sizeof text, "0x%08X", unsigned(word)); return text; }
}  // namespace detail
inline Header read_header(std::istream& in) {
    Header h;
    h.raw.resize(16);
    if (!detail::get(in, h.raw.data(), 16) || h.raw[0] != 0x4556574C || h.raw[1] != 0x524F5443) throw Error((h.raw[0] & 0xFF) == '{' ? "JSON lines, not flat words: leave out --form jsonl" : "not a file of test vectors: it does not begin with LWVECTOR");
    if (h.raw[2] != 1) throw Error("test vectors of another version");
    if (h.raw[3] < 64 || h.raw[3] > 1 << 16 || h.raw[3] % 4) throw Error("a header of a wrong size");
    h.isa = h.raw[4], h.bits = h.raw[5], h.cases = h.raw[6], h.seed = h.raw[7];
    for (int n = 0; n < 32; ++n) h.sha256[std::size_t(n)] = static_cast<unsigned char>(h.raw[std::size_t(8 + n / 4)] >> 8 * (n % 4));
    h.raw.resize(h.raw[3] / 4);
    if (!detail::get(in, h.raw.data() + 16, h.raw.size() - 16)) throw Error("the file ends inside its header");
    h.text = detail::text(Words(h.raw.begin() + 16, h.raw.end()));
    return h;
}

// The next job of a stream; false at its end.
inline bool read_job(std::istream& in, Job& job) {
    Words words;
    for (Word kind; detail::read_record(in, kind, words);)
        if (kind == detail::JobRecord) return job = detail::job(words).job, true;
    return false;
}
inline void write_header(std::ostream& out, const Header& header) { detail::put(out, header.raw); }
inline void write_answer(std::ostream& out, const Job& job, const Outcome& o) {
    Words words{job.number};
    detail::add(words, detail::StatusOf, o.status.empty() ? Words(job.lanes, Ended) : o.status);
    detail::add(words, detail::Outputs, detail::flat(o.outputs));
    Words masks, sent, log;
    for (const auto& [number, lanes] : o.written) masks.push_back(number), masks.insert(masks.end(), lanes.begin(), lanes.end());
    detail::add(words, detail::Written, masks);
    detail::add(words, detail::State, detail::flat(o.state));
    if (o.has_primitives || job.kind == Geometry) sent.push_back(Word(o.primitives.size()));
    for (const Primitive& p : o.primitives) {
        sent.push_back(p.run), sent.push_back(p.inverted);
        for (const Lanes& corner : p.vertices) for (const Vector& v : corner) sent.insert(sent.end(), v.begin(), v.end());
    }
    detail::add(words, detail::Primitives, sent);
    detail::add(words, detail::Cycles, o.cycles);
    for (const Write& w : o.writes) log.insert(log.end(), {w.cycle, w.quad, w.place, w.lanes[0], w.lanes[1], w.lanes[2], w.lanes[3]});
    detail::add(words, detail::Writes, log);
    detail::put(out, {detail::AnswerRecord, Word(words.size())});
    detail::put(out, words);
    out.flush();
}
struct Suite {
    Header header;
    std::vector<Case> cases;
    static Suite read(std::istream& in) {
        Suite suite;
        Words words;
        suite.header = read_header(in);
        for (Word kind; detail::read_record(in, kind, words);) {
            if (kind == detail::JobRecord) suite.cases.push_back(detail::job(words));
            else if (!suite.cases.empty()) suite.cases.back().expected = detail::answer(words);
        }
        for (const Case& c : suite.cases) if (c.expected.status.size() != c.job.lanes) throw Error("case " + c.name + " has no answer");
        if (suite.cases.size() != suite.header.cases) throw Error("the file does not have the cases that its header counts");
        return suite;
    }
    static Suite load(const std::string& path) {
        std::ifstream in(path, std::ios::binary);
        const int first = in ? in.peek() : 0;
        if (!in || first == '{') throw Error(path + (first == '{' ? " has JSON lines: give the file NAME.lwv" : in.is_open() ? " is a folder, or empty: give one file, NAME.lwv" : " cannot be read"));
        try { return read(in); } catch (const Error& error) { throw Error(path + ": " + error.what() + detail::converted(in)); }
    }
};
inline bool equal(Word a, Word b, Word bits, const Tolerance& t = {}) {
    if (a == b) return true;
    const Word sign = bits == 32 ? 1u << 31 : 1u << 23, size = sign - 1, infinity = bits == 32 ? 0x7F800000u : 0x7F0000u;
    const bool nan_a = (a & size) > infinity, nan_b = (b & size) > infinity;
    if (nan_a || nan_b) return nan_a && nan_b && (t.any_nan || (t.nan_sign && ((a ^ b) & size) == 0));
    auto place = [&](Word w) { return w < sign ? std::int64_t(w) : std::int64_t(sign) - std::int64_t(w); };
    const std::int64_t apart = place(a) - place(b);
    return t.ulp && (apart < 0 ? -apart : apart) <= std::int64_t(t.ulp);
}
// All differences of an answer from what a case expects. Lanes that are not expected to end are compared by their status only.
inline std::vector<Difference> compare(const Case& c, const Outcome& found, Word bits, const Tolerance& tolerance = {}) {
    std::vector<Difference> list;
    auto report = [&](const std::string& what, Word expected, Word given) { list.push_back({c.name + ": " + what + ": expected " + detail::hex(expected) + ", found " + detail::hex(given)}); };
    auto vector = [&](const std::string& name, const Vector& wanted, const Vector& given, Word mask) {
        for (unsigned n = 0; n < 4; ++n)
            if ((mask & (8u >> n)) && !equal(wanted[n], given[n], bits, tolerance)) report(name + ", " + "xyzw"[n], wanted[n], given[n]);
    };
    std::vector<bool> ended(c.job.lanes, true);
    bool all = true;
    for (Word lane = 0; lane < c.job.lanes; ++lane) {
        const Word wanted = c.expected.status[lane], given = lane < found.status.size() ? found.status[lane] : Word(Ended);
        ended[lane] = wanted == Ended && given == Ended, all = all && ended[lane];
        if ((wanted == Ended) != (given == Ended)) report("status of lane " + std::to_string(lane), wanted, given);
    }
    auto rows = [&](const std::string& what, const std::map<Word, Lanes>& wanted, const std::map<Word, Lanes>& given, bool required, bool masked) {
        for (const auto& [number, lanes] : wanted) {
            const std::string name = what + " " + std::to_string(number);
            const auto it = given.find(number);
            if (it == given.end() || it->second.size() != lanes.size()) { if (required || it != given.end()) report(name + " is missing", number, 0); continue; }
            const auto masks = c.expected.written.find(number);
            for (std::size_t lane = 0; lane < lanes.size(); ++lane)
                if (ended[lane]) vector(name + " of lane " + std::to_string(lane), lanes[lane], it->second[lane], masked && masks != c.expected.written.end() ? masks->second[lane] : 15);
        }
    };
    rows("output", c.expected.outputs, found.outputs, true, true);
    rows("state", c.expected.state, found.state, false, false);
    for (const auto& [number, masks] : c.expected.written)
        if (const auto it = found.written.find(number); it != found.written.end())
            for (std::size_t lane = 0; lane < masks.size() && lane < it->second.size(); ++lane)
                if (ended[lane] && masks[lane] != it->second[lane]) report("write mask of output " + std::to_string(number), masks[lane], it->second[lane]);
    if (c.expected.has_primitives && all) {
        const auto &one = c.expected.primitives, &other = found.primitives;
        if (one.size() != other.size()) report("number of primitives", Word(one.size()), Word(other.size()));
        for (std::size_t n = 0; n < one.size() && one.size() == other.size(); ++n) {
            const std::string name = "primitive " + std::to_string(n) + ", ";
            if (one[n].run != other[n].run) report(name + "run", one[n].run, other[n].run);
            if (one[n].inverted != other[n].inverted) report(name + "winding", one[n].inverted, other[n].inverted);
            for (std::size_t corner = 0; corner < 3; ++corner)
                for (std::size_t k = 0; k < c.job.outputs.size() && k < one[n].vertices[corner].size() && k < other[n].vertices[corner].size(); ++k)
                    vector(name + "vertex " + std::to_string(corner) + ", output " + std::to_string(c.job.outputs[k]), one[n].vertices[corner][k], other[n].vertices[corner][k], 15);
        }
    }
    for (std::size_t n = 0; n < c.expected.cycles.size() && !found.cycles.empty(); ++n)
        if (n >= found.cycles.size() || found.cycles[n] != c.expected.cycles[n]) report("cycles " + std::to_string(n), c.expected.cycles[n], n < found.cycles.size() ? found.cycles[n] : 0);
    if (!found.writes.empty() && found.writes.size() != c.expected.writes.size()) report("number of writes", Word(c.expected.writes.size()), Word(found.writes.size()));
    for (std::size_t n = 0; n < found.writes.size() && n < c.expected.writes.size(); ++n) {
        const Write &one = c.expected.writes[n], &other = found.writes[n];
        if (one.cycle != other.cycle) report("cycle of write " + std::to_string(n), one.cycle, other.cycle);
        if (one.quad != other.quad || one.place != other.place) report("place of write " + std::to_string(n), one.place * 4 + one.quad, other.place * 4 + other.quad);
        vector("write " + std::to_string(n), one.lanes, other.lanes, 15);
    }
    return list;
}
}  // namespace lanewise
