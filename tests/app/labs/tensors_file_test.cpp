// One's own tensors: which files are opened, what is read of them, and how it is taken.
#include <doctest/doctest.h>

#include <cmath>

#include "app/session/session.h"
#include "core/io/tensor/safetensors.h"
#include "tensors_rig.h"

namespace tensors_file_test {

using namespace tensors_rig;

namespace {

std::string little(std::uint64_t number, int bytes) {
  std::string out;
  // An archive's field may be wider than a number: 0 beyond.
  for (int k = 0; k < bytes; ++k) out += static_cast<char>(k < 8 ? number >> (8 * k) & 0xff : 0);
  return out;
}

// An archive of stored files, of which nobody checks the sums.
std::string npz(const std::vector<std::pair<std::string, std::string>>& files) {
  std::string out, directory;
  for (const auto& [name, bytes] : files) {
    const std::string sizes =
        little(0, 4) + little(bytes.size(), 4) + little(bytes.size(), 4) + little(name.size(), 2);
    directory += "PK\x01\x02" + little(20, 2) + little(20, 2) + little(0, 8) + sizes +
                 little(0, 12) + little(out.size(), 4) + name;
    out += "PK\x03\x04" + little(20, 2) + little(0, 8) + sizes + little(0, 2) + name + bytes;
  }
  const std::string end = "PK\x05\x06" + little(0, 4) + little(files.size(), 2) +
                          little(files.size(), 2) + little(directory.size(), 4) +
                          little(out.size(), 4) + little(0, 2);
  return out + directory + end;
}

// Of rows of n numbers: column, row, head, layer, the slowest last.
std::vector<float> transposed(const std::vector<float>& lhqk) {
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

double resident_bytes() {
  std::ifstream in("/proc/self/statm");
  double whole = 0, resident = 0;
  in >> whole >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

TEST_CASE("one array a layer is one model") {
  const Folder folder;
  const std::vector<float> numbers = counted();  // two layers, one after the other
  std::vector<core::FloatTensor> layers;
  for (int k = 0; k < 2; ++k) {
    layers.push_back({"attention_" + std::to_string(k), {1, 3, 4, 4}, numbers.data() + 48 * k});
  }
  const auto write = [&](const std::string& name) {
    return folder.write(name, core::safetensors_bytes(layers, core::NumberType::float32, {}));
  };
  Made m;
  m.set({{"file", write("a.safetensors")}, {"layer", "2"}, {"head", "3"}, {"query", "3"}});
  const Model model = m.model();
  CHECK(model.given->pairs->tensor.name == "attention_*");
  CHECK(core::heads::letters_of(model.given->pairs->axes) == "lbhqk");
  CHECK(model.given->layers == 2);
  CHECK(model.row[1] == doctest::Approx(0.93F));
  CHECK(m.page().found.at("array").names->front().id == "attention_*");
  m.set({{"array", "attention_1"}});
  CHECK(m.model().given->layers == 1);

  // A number that is missing, another shape or type: they are no layers of one model.
  layers[1].name = "attention_3";
  m.set({{"array", ""}, {"file", write("b.safetensors")}});
  CHECK(m.model().given->pairs->tensor.name == "attention_0");
  layers[1].name = "attention_1";
  layers[1].shape = {3, 4, 4};
  m.set({{"file", write("c.safetensors")}});
  CHECK(m.model().given->layers == 1);
}

TEST_CASE("what a file holds besides numbers is left out and told") {
  const Folder folder;
  const auto text = [](const std::u32string& one) {
    std::string bytes;
    for (std::size_t k = 0; k < 5; ++k) bytes += little(k < one.size() ? one[k] : 0, 4);
    return bytes;
  };
  const std::string tokens = text(U"[CLS]") + text(U"the") + text(U"猫") + text(U"[SEP]");
  const std::string file = folder.write("a.npz", npz({{"w.npy", npy("(2, 3, 4, 4)", counted())},
                                                      {"tokens.npy", npy("<U5", "(4,)", tokens)},
                                                      {"empty.npy", npy("<f4", "(0,)", "")},
                                                      {"meta.npy", npy("|O", "()", "pickle")}}));
  Made m;
  m.set({{"file", file}, {"view", "head"}});
  CHECK(m.model().tokens->keys == std::vector<std::string>{"[CLS]", "the", "猫", "[SEP]"});
  const lab::Page page = m.page();
  CHECK(notes(page, "2 entries are not read: meta, empty."));
  CHECK(notes(page, "expected numbers, got Python objects, which are never unpickled."));
  CHECK(notes(page, "expected at least one number, got the shape (0)."));
  CHECK(page.status.ends_with("2 entries are not read"));
  // By the file's name, not by its whole path.
  CHECK(notes(page, "a.npz, entry \"meta.npy\": expected numbers"));
  for (const std::string& note : page.notes) CHECK(note.find(file) == note.npos);
  // Texts that are called otherwise name the tokens where there are as many.
  m.set({{"file", folder.write("b.npz", npz({{"w.npy", npy("(2, 3, 4, 4)", counted())},
                                             {"x.npy", npy("<U5", "(4,)", tokens)}}))}});
  CHECK(m.model().tokens->keys.back() == "[SEP]");
}

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
  m.set({{"file", folder.write("b.npy", npy("(4, 4, 2, 3)", transposed(counted())))}});
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
  const auto& names = page.found.at("array");
  CHECK(names.of == file);
  CHECK(names.names->front().id == "h.attn_probs");
  CHECK(page.found.at("queries").names->front().id == "q_proj");
  CHECK(page.found.at("keys").names->front().id == "k_proj");
  CHECK(m.model().given->has_vectors());
  m.set({{"array", "bias"}});
  CHECK(m.model().given->m == 8);
  m.set({{"array", "nothing"}});
  CHECK(fault(m) ==
        "a.safetensors: expected the name of an array of two to five axes, got \"nothing\"");
  CHECK(m.page().found.contains("array"));  // another may be chosen
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
  CHECK(notes(m.page(), "Names of tokens: 1 and 0, queries: 2, keys: 3."));
  m.set({{"tokens_file", folder.write("bad.json", "{}")}});
  CHECK(fault(m).find("expected a list of strings") != std::string::npos);
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
    CHECK(notes(page, "Sampled: of each head, 128 of"));
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
  const auto session = session::session_opening(folder.write("a.npy", npy("(1, 2)", {0, 1})));
  REQUIRE(session);
  CHECK(session->lab == "tensors");
  CHECK_FALSE(session::session_opening(folder.write("a.attn", "{}")));
  CHECK_FALSE(session::session_opening(folder.write("a.json", "{}")));
  CHECK_THROWS_AS(session::session_opening(folder / "none.npy"), core::InputError);
}

}  // namespace tensors_file_test
