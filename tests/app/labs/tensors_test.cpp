// One's own tensors: what is read of a file and how it is taken, and every claim of the presets.
#include "app/labs/tensors/model.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "app/labs/session.h"
#include "app/labs/tensors/page.h"
#include "core/io/safetensors.h"
#include "trying.h"

namespace tensors_test {

using namespace lab::tensors;  // NOLINT: the box under test
using namespace lab::trying;
using core::Index;
using core::heads::HeadAt;

namespace {

namespace fs = std::filesystem;

using Made = Trial<Parameters>;
Made made(const param::Values& values) { return lab::trying::made<Parameters>(values); }

// A folder of its own that goes with it.
class Folder {
 public:
  Folder()
      : path_(fs::temp_directory_path() / ("attnscope_tensors_" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return (path_ / name).string();
  }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string npy(const std::string& type, const std::string& shape, std::string_view bytes) {
  const std::string said =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(said.size() & 0xff);
  out += static_cast<char>(said.size() >> 8);
  return out + said + std::string(bytes);
}
std::string npy(const std::string& shape, const std::vector<float>& numbers) {
  return npy("<f4", shape,
             {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)});
}

// 2 layers, 3 heads, 4 by 4; each number tells its place: rows add up to 1 nowhere.
std::vector<float> counted() {
  std::vector<float> all(2 * 3 * 4 * 4);
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<float>(k) / 100;
  return all;
}

// Of rows of n numbers: column, row, head, layer, the slowest last.
std::vector<float> turned(const std::vector<float>& lhqk) {
  std::vector<float> all(lhqk.size());
  for (std::size_t l = 0; l < 2; ++l) {
    for (std::size_t h = 0; h < 3; ++h) {
      for (std::size_t q = 0; q < 4; ++q) {
        for (std::size_t k = 0; k < 4; ++k) {
          all[((q * 4 + k) * 2 + l) * 3 + h] = lhqk[((l * 3 + h) * 4 + q) * 4 + k];
        }
      }
    }
  }
  return all;
}

std::string fault(Made& m) { return m.page().fault.in_english(); }

double resident_bytes() {
  std::ifstream in("/proc/self/statm");
  double whole = 0, resident = 0;
  in >> whole >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

// --- files

TEST_CASE("an array is taken apart by its axes, whichever their order is") {
  const Folder folder;
  Made m;
  m.set({{"file", folder.write("a.npy", npy("(2, 3, 4, 4)", counted()))},
         {"layer", "2"},
         {"head", "3"},
         {"query", "3"},
         {"key", "1"}});
  const Model model = m.model();
  CHECK(model.given->layers == 2);
  CHECK(model.given->heads == 3);
  CHECK(model.row[1] == doctest::Approx(0.93F));  // ((1·3 + 2)·4 + 3)·4 + 1 = 93
  CHECK(says(m.page(), "a[1, 2, 3, 1]"));
  m.set({{"file", folder.write("b.npy", npy("(4, 4, 2, 3)", turned(counted())))}});
  CHECK(core::heads::letters_of(m.model().given->pairs->axes) == "qklh");  // guessed
  CHECK(m.model().row == model.row);
  CHECK(says(m.page(), "b[3, 1, 1, 2]"));
  // Told otherwise, keys are queries.
  m.set({{"order", "kqlh"}, {"query", "1"}, {"key", "3"}});
  CHECK(m.model().row[3] == doctest::Approx(0.93F));
  m.set({{"order", "lhbqk"}});
  CHECK(notes(m.page(), "The letters \"lhbqk\" do not name the axes"));
  CHECK(core::heads::letters_of(m.model().given->pairs->axes) == "qklh");
}

TEST_CASE("knobs beyond what there is stay within it") {
  const Folder folder;
  Made m;
  m.set({{"file", folder.write("a.npy", npy("(2, 3, 4, 4)", counted()))},
         {"layer", "400"},
         {"head", "400"},
         {"batch", "9"},
         {"query", "1000"},
         {"key", "1000"}});
  const Model model = m.model();
  CHECK(model.at == HeadAt{1, 0, 2});
  CHECK(model.query == 3);
  CHECK(model.key == 3);
}

TEST_CASE("arrays are chosen by name; the best fit comes first") {
  const Folder folder;
  const std::vector<float> numbers = counted();
  const std::string file = folder.write(
      "a.safetensors", core::safetensors_bytes({{"bias", {4, 3, 8}, numbers.data()},
                                                {"h.attn_probs", {2, 3, 4, 4}, numbers.data()},
                                                {"k_proj", {2, 3, 4, 4}, numbers.data()},
                                                {"q_proj", {2, 3, 4, 4}, numbers.data()}},
                                               core::NumberType::float32, {}));
  Made m;
  m.set({{"file", file}});
  const lab::Page page = m.page();
  const auto& names = page.names.at("array");
  CHECK(names.of == file);
  CHECK(names.names->front().id == "h.attn_probs");
  CHECK(page.names.at("queries").names->front().id == "q_proj");
  CHECK(page.names.at("keys").names->front().id == "k_proj");
  CHECK(m.model().given->has_vectors());
  m.set({{"array", "bias"}});
  CHECK(m.model().given->m == 8);
  m.set({{"array", "nothing"}});
  CHECK(fault(m) ==
        "a.safetensors: expected the name of an array of two to five axes, got \"nothing\"");
  CHECK(m.page().names.contains("array"));  // another may be chosen
}

TEST_CASE("queries and keys alone give weights, groups of heads sharing keys") {
  const Folder folder;
  // Two heads of queries, one of keys: q = (2, 0), (0, 2) and (0, 0), (2, 2); k = (1, 0), (0, 1).
  const std::vector<float> q{2, 0, 0, 2, 0, 0, 2, 2}, k{1, 0, 0, 1};
  const std::string file = folder.write(
      "a.safetensors",
      core::safetensors_bytes({{"layer.q", {2, 2, 2}, q.data()}, {"layer.k", {1, 2, 2}, k.data()}},
                              core::NumberType::float32, {}));
  Made m;
  m.set({{"file", file}, {"query", "0"}});
  CHECK(m.model().given->holds == Holds::vectors);
  CHECK(m.model().given->key_heads == 1);
  const double e = std::exp(2 / std::sqrt(2.0));
  CHECK(m.model().row[0] == doctest::Approx(e / (e + 1)));
  m.set({{"head", "2"}});
  CHECK(m.model().row[0] == doctest::Approx(0.5));
  m.set({{"causal", "true"}});
  CHECK(m.model().row[0] == 1);
  CHECK(core::is_masked(m.model().row[1]));
  const std::vector<float> wide{1, 0, 0, 1, 1, 1};
  m.set({{"file",
          folder.write("b.safetensors", core::safetensors_bytes({{"q", {2, 2, 2}, q.data()},
                                                                 {"k", {1, 2, 3}, wide.data()}},
                                                                core::NumberType::float32, {}))}});
  CHECK(fault(m).starts_with("expected queries and keys of one width"));
}

TEST_CASE("what is no attention is refused in a sentence") {
  const Folder folder;
  Made m;
  const auto why = [&](const std::string& name, const std::string& bytes) {
    m.set({{"file", folder.write(name, bytes)}});
    return fault(m);
  };
  CHECK(why("a.npy", npy("(4,)", {1, 2, 3, 4})) == "a.npy: it holds no array of two to five axes");
  CHECK(why("b.npy", npy("(1, 1, 1, 1, 2, 2)", {1, 2, 3, 4})) ==
        "b.npy: it holds no array of two to five axes");
  CHECK(why("c.npy", npy("(0, 2)", {})) == "c.npy: it holds no array of two to five axes");
  m.set({{"holds", "vectors"}});
  CHECK(fault(m) == "c.npy: it holds no arrays of queries and keys");
  m.set({{"file", folder.write("d.npy", "no array")}});
  CHECK_THROWS_AS(m.page(), core::InputError);
  m.set({{"file", folder / "none.npy"}});
  CHECK_THROWS_AS(m.page(), core::InputError);
}

TEST_CASE("rows that are no probabilities are counted and said") {
  const Folder folder;
  const float nan = std::nanf("");
  Made m;
  m.set({{"file", folder.write("a.npy", npy("(4, 2)", {0.5F, 0.5F, 0.5F, 0.25F, -1, 2, nan, 1}))}});
  const lab::Page page = m.page();
  CHECK(readout(page, "rows") == 4);
  CHECK(readout(page, "rows_not_one") == 1);
  CHECK(readout(page, "rows_negative") == 1);
  CHECK(readout(page, "rows_nan") == 1);
  CHECK(notes(page, "1 of 4 rows do not add up to 1 (25.0 %); the farthest, row 1, to 0.75."));
  CHECK(notes(page, "4 queries and 2 keys"));
}

TEST_CASE("weights beside a model's configuration lead to the lab of models") {
  const Folder folder;
  Made m;
  m.set({{"file", folder.write("model.npy", npy("(1, 2)", {0.25F, 0.75F}))}, {"query", "0"}});
  CHECK(m.page().jumps.empty());
  const std::string config = folder.write("config.json", "{}");
  const auto jumps = m.page().jumps;
  REQUIRE(jumps.size() == 1);
  CHECK(jumps.front().lab == "checkpoint");
  const std::string path = std::filesystem::path(config).parent_path().string();
  CHECK(jumps.front().sets == param::Values{{"folder", path}});
}

TEST_CASE("a file that was written anew is read anew") {
  const Folder folder;
  Made m;
  m.set({{"file", folder.write("a.npy", npy("(1, 2)", {0.25F, 0.75F}))}, {"query", "0"}});
  CHECK(m.model().row[1] == 0.75F);
  folder.write("a.npy", npy("(2, 2)", {0.5F, 0.5F, 1, 0}));
  CHECK(m.model().row[1] == 0.5F);
  CHECK(m.model().n() == 2);
}

TEST_CASE("tokens come from a file, or from an array of bytes, for queries and keys") {
  const Folder folder;
  Made m;
  const std::string file = folder.write("a.npy", npy("(2, 3)", {1, 0, 0, 0, 0.5F, 0.5F}));
  m.set({{"file", file},
         {"tokens_file", folder.write("q.txt", "la\nle\n")},
         {"key_tokens_file", folder.write("k.json", "[\"the\", \" cat\", \"\\n\"]")}});
  CHECK(m.model().query_name(1) == "le");
  CHECK(m.model().key_name(1) == "␣cat");
  CHECK_FALSE(notes(m.page(), "names of"));
  // One text: the queries are its last tokens.
  m.set({{"tokens_file", folder / "k.json"}, {"key_tokens_file", ""}});
  CHECK(m.model().query_name(1) == "⏎");
  CHECK(m.model().key_name(0) == "the");
  m.set({{"tokens_file", folder.write("one.txt", "only\n")}});
  CHECK(notes(m.page(), "There are names of 1 and 0 tokens for 2 queries and 3 keys"));
  m.set({{"tokens_file", folder.write("bad.json", "{}")}});
  CHECK(fault(m).find("expected a list of texts") != std::string::npos);
}

TEST_CASE("tokens that are no text are hidden by a button, as long as there are some") {
  const Folder folder;
  Made m = made({{"file", folder.write("a.npy", npy("(4, 4)", std::vector<float>(16, 0.25f)))},
                 {"view", "head"},
                 {"tokens_file", folder.write("k.json", R"(["[CLS]", "<0x0A>", "cat", "</s>"])")}});
  const lab::Page page = m.page();
  REQUIRE(page.offer.sets.size() == 1);
  CHECK(page.offer.sets[0].second == "[CLS] </s>");
  m.set(page.offer.sets);
  CHECK(m.page().offer.sets.empty());
  const auto row = m.model().shown->rows->row(0);
  CHECK(row[2] == doctest::Approx(0.5));
  CHECK(row[1] == doctest::Approx(0.5));
}

TEST_CASE("the difference with itself is zero, also out of another file") {
  const Folder folder;
  Made m;
  const std::string file = folder.write("a.npy", npy("(2, 3, 4, 4)", counted()));
  m.set({{"file", file},
         {"view", "head"},
         {"combine", "difference"},
         {"layer", "2"},
         {"head", "3"},
         {"other_layer", "2"},
         {"other_head", "3"}});
  for (Index i = 0; i < 4; ++i) {
    for (const float cell : m.model().shown->rows->row(i)) CHECK(cell == 0);
  }
  auto other = counted();
  for (float& one : other) one += 1;
  m.set({{"other_file", folder.write("b.npy", npy("(2, 3, 4, 4)", other))}});
  for (const float cell : m.model().row) CHECK(cell == doctest::Approx(-1));
  m.set({{"other_file", folder.write("c.npy", npy("(2, 2)", {1, 0, 0, 1}))}});
  CHECK(fault(m) == "expected maps of one size, got 4 by 4 and 2 by 2");
}

TEST_CASE("large files are opened without being read") {
  const Folder folder;
  const auto sparse = [&](const std::string& name, const std::string& type,
                          const std::string& shape, double bytes) {
    const std::string head = npy(type, shape, "");
    const std::string path = folder.write(name, head);
    fs::resize_file(path, head.size() + static_cast<std::uintmax_t>(bytes));
    return path;
  };
  const std::string large = sparse("large.npy", "<f4", "(12, 12, 1024, 1024)", 4.0 * 144 * 1048576);
  const std::string huge =
      sparse("huge.npy", "<f2", "(32, 32, 8192, 8192)", 2.0 * 1024 * 8192 * 8192);
  const double before = resident_bytes();
  for (const std::string& file : {large, huge}) {
    Made m;
    m.set({{"file", file}, {"layer", "12"}, {"head", "12"}});
    const lab::Page page = m.page();
    CHECK(page.fault.empty());
    CHECK(readout(page, "rows") == 128);
    CHECK(readout(page, "rows_empty") == 128);
    CHECK(notes(page, "Sampled: of each head 128 of"));
  }
  CHECK(resident_bytes() - before < 150e6);
  Made m;
  m.set({{"file", huge}});
  const Model model = m.model();
  CHECK(model.sheet->maps.size() == kMostSheet);
  CHECK_FALSE(model.sheet->whole);
  CHECK(model.sheet->step == 64);
  CHECK(model.shown->cells->rows() == 8192);
  CHECK(model.shown->cells->value(8191, 8191) == 0);
  m.set({{"view", "head"}, {"combine", "rollout"}});
  CHECK(fault(m).ends_with("expected at most 2048 tokens, got 8192"));
}

TEST_CASE("the lab opens files of its endings from the command line and by drop") {
  const Folder folder;
  const auto session = lab::session_opening(folder.write("a.npy", npy("(1, 2)", {0, 1})));
  REQUIRE(session);
  CHECK(session->lab == "tensors");
  CHECK_FALSE(lab::session_opening(folder.write("a.attn", "{}")));
  CHECK_FALSE(lab::session_opening(folder.write("a.json", "{}")));
  CHECK_THROWS_AS(lab::session_opening(folder / "none.npy"), core::InputError);
}

TEST_CASE("names that no token has are said, in every view that looks for them") {
  for (const char* view : {"model", "head", "neuron", "statistics"}) {
    CAPTURE(view);
    Made m = made({{"view", view}, {"separators", "e otter . [SEP]"}});
    CHECK(notes(m.page(), "Separators that are no token here: \"otter\", \"[SEP]\"."));
    m.set({{"separators", "e ."}});
    CHECK_FALSE(notes(m.page(), "Separators that are no token"));
  }
  Made m = made({{"view", "head"}, {"hidden", "e otter"}});
  CHECK(notes(m.page(), "Hidden tokens that are none here: \"otter\"."));
  const Folder folder;
  m = made({{"view", "head"}, {"pair", "b_to_a"}, {"separators", "="}});
  m.set({{"file", folder.write("a.npy", npy("(2, 2)", {1, 0, 0.5F, 0.5F}))}});
  CHECK(notes(m.page(), "Tokens have no names here: sentences are not told apart."));
  CHECK_FALSE(notes(m.page(), "all of it is sentence A"));
}

TEST_CASE("all that is noted stands over the other figures, and nothing does where nothing is") {
  const Folder folder;
  Made m = made({{"file", folder.write("a.npy", npy("(2, 2)", {1, 0.5F, -1, 0.5F}))},
                 {"order", "xyz"},
                 {"separators", "otter"}});
  const lab::Page page = m.page();
  REQUIRE(page.figures.front().id == "found");
  const auto& table = mark_of<figure::Table>(plot_of(page, "found"));
  REQUIRE(table.rows.size() == page.notes.size());
  CHECK(page.notes.size() >= 4);
  for (std::size_t k = 0; k < page.notes.size(); ++k) {
    CHECK(table.rows[k].front().front().text == page.notes[k]);
  }
  CHECK(made({}).page().figures.front().id == "heads");
}

// --- the presets

TEST_CASE("each metric sorts the heads, and a bar picks one") {
  for (const auto& metric : named_metrics()) {
    Made m =
        made({{"view", "statistics"}, {"metric", std::string(metric.id)}, {"separators", "e"}});
    const lab::Page page = m.page();
    const auto& bars = mark_of<figure::Bars>(plot_of(page, "sorted"));
    CHECK(std::is_sorted(bars.values.rbegin(), bars.values.rend()));
    REQUIRE(bars.picks.size() == 8);
    const Model model = m.model();
    const std::string layer = bars.picks[0][0].second, head = bars.picks[0][1].second;
    const auto index = static_cast<std::size_t>((std::stoi(layer) - 1) * 4 + std::stoi(head) - 1);
    CHECK(bars.values[0] == model.statistics->heads[index].*metric.value);
  }
}

}  // namespace tensors_test
