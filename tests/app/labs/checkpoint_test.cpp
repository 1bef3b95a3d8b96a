// Published models: folders open or say why not, what is shown follows from their numbers, and
// every claim of the presets.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "app/labs/checkpoint/page.h"
#include "app/labs/session.h"
#include "app/labs/session_files.h"
#include "core/position/alibi.h"
#include "trying.h"

namespace checkpoint_test {

using namespace lab::checkpoint;  // NOLINT: the box under test
using namespace lab::trying;
namespace fs = std::filesystem;
namespace published = core::checkpoint;
using core::Index, core::Matrix, core::MatrixD, core::VectorD;

namespace {

using Made = Trial<Parameters>;
Made made(const param::Values& values) { return lab::trying::made<Parameters>(values); }
Made preset(std::string_view id) { return lab::trying::preset<Parameters>("checkpoint", id); }

fs::path reference(const std::string& name) {
  return fs::path(ATTNSCOPE_SOURCE_DIR) / "tests/reference" / name;
}
fs::path shipped(const std::string& name) {
  return fs::path(ATTNSCOPE_SOURCE_DIR) / "assets/checkpoints" / name;
}

std::string refusal(Made& m) {
  try {
    m.page();
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "";
}

// A folder of its own that goes with the block.
class Folder {
 public:
  explicit Folder(const fs::path& from) {
    fs::remove_all(path_);
    fs::copy(from, path_);
    for (const auto& file : fs::directory_iterator(path_)) {
      fs::permissions(file, fs::perms::owner_all);
    }
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path() const { return path_.string(); }
  void write(const std::string& file, const std::string& bytes) const {
    std::ofstream(path_ / file, std::ios::binary) << bytes;
  }
  void remove(const std::string& file) const { fs::remove(path_ / file); }
  void take(const fs::path& from) const {
    fs::copy_file(from, path_ / from.filename(), fs::copy_options::overwrite_existing);
  }

 private:
  fs::path path_ = fs::temp_directory_path() / "attnscope_lab_checkpoint";
};

const Rounding::Change& change_of(const Model& model, Rounded what) {
  return model.rounding->changes[static_cast<std::size_t>(what)];
}

double weight_of(const Model& model, Index query, Index key) {
  return static_cast<double>(
      model.attending()->weights[static_cast<std::size_t>(model.place.head)](query, key));
}

std::vector<std::string> plots_of(const lab::Page& page, std::string_view id) {
  std::vector<std::string> plots;
  for (const auto& figure : page.figures) {
    if (figure.id != id) continue;
    for (const auto& plot : figure.plots) plots.push_back(plot.id);
  }
  return plots;
}

}  // namespace

TEST_CASE("every small published model opens from its folder and fills every page") {
  for (const auto& folder : fs::directory_iterator(reference("checkpoints"))) {
    CAPTURE(folder.path().filename().string());
    Made m = made({{"folder", folder.path().string()}});
    for (const char* view : {"heads", "next", "positions", "file"}) {
      CAPTURE(view);
      m.set({{"view", view}});
      const lab::Page page = m.page();
      CHECK(page.fault.empty());
      CHECK(page.made_up.empty());
      CHECK(page.figures.size() >= 2);
      CHECK(readout(page, "tokens") == 12);
    }
  }
}

TEST_CASE("a folder, a file in it and the shipped one are the same model") {
  Made of_program = made({{"model", "llama"}, {"view", "next"}});
  const double logit = readout(of_program.page(), "logit");
  for (const char* file : {"", "config.json", "model.safetensors", "tokenizer.json"}) {
    Made m = made({{"folder", (shipped("llama") / file).string()}, {"view", "next"}});
    const lab::Page page = m.page();
    CHECK(readout(page, "logit") == logit);
    CHECK(page.made_up.empty());
    CHECK(page.status.find("llama · LLaMA") == 0);
  }
  CHECK_FALSE(of_program.page().made_up.empty());
}

TEST_CASE("what is refused is one sentence that names the file") {
  Made nowhere = made({{"folder", "/no such folder/at all"}});
  CHECK(refusal(nowhere).find("config.json") != std::string::npos);
  Made m = made({{"folder", reference("checkpoints/gpt2").string()}, {"text", "cats"}});
  CHECK(refusal(m).find("text: expected numbers of tokens") == 0);
  m.set({{"text", "1 2 47 48"}});
  CHECK(refusal(m) == "tokens: expected numbers from 0 to 47, got 48");
  m.set({{"text", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17"}});
  CHECK(refusal(m).find("expected at most 16 tokens") != std::string::npos);
  m.set({{"text", "1, 2\t3"}});
  CHECK(readout(m.page(), "tokens") == 3);

  const Folder folder(shipped("gpt2"));
  Made own = made({{"folder", folder.path()}});
  CHECK(refusal(own).empty());
  folder.write("tokenizer.json", R"({"model":{"type":"Telepathy"}})");
  CHECK(refusal(own).find("tokenizer.json") != std::string::npos);
  folder.remove("tokenizer.json");
  own.set({{"text", "3 4"}});
  const lab::Page page = own.page();
  CHECK(readout(page, "tokens") == 2);
  CHECK(page.notes.front().find("no tokenizer") != std::string::npos);
  folder.remove("model.safetensors");
  CHECK(refusal(own).find("expected model.safetensors") != std::string::npos);
}

TEST_CASE("a folder that is written anew is read anew") {
  const Folder folder(shipped("bert"));
  Made m = made({{"folder", folder.path()}});
  CHECK(m.page().status.find("BERT") != std::string::npos);
  for (const char* file : {"config.json", "model.safetensors", "tokenizer.json"}) {
    folder.take(shipped("gpt2") / file);
  }
  CHECK(m.page().status.find("GPT-2") != std::string::npos);
  // The tokenizer beside vocab.json and merges.txt.
  folder.remove("tokenizer.json");
  folder.take(reference("tokenizers/bpe-gpt2/vocab.json"));
  folder.take(reference("tokenizers/bpe-gpt2/merges.txt"));
  CHECK(m.model().opened->tokenizer_from == "vocab.json, merges.txt");
}

TEST_CASE("word lists lower the case unless the folder says otherwise") {
  const Folder folder(shipped("bert"));
  folder.remove("tokenizer.json");
  folder.take(reference("tokenizers/wordpiece-uncased/vocab.txt"));
  Made m = made({{"folder", folder.path()}, {"text", "The THE"}});
  const auto ids = m.model().tokens->ids;
  CHECK(m.model().opened->tokenizer_from == "vocab.txt");
  CHECK(ids.size() >= 4);
  m.set({{"text", "the the"}});
  CHECK(m.model().tokens->ids == ids);
  folder.write("tokenizer_config.json", R"({"do_lower_case": false})");
  m.set({{"text", "The THE"}});
  CHECK(m.model().tokens->ids != ids);
}

TEST_CASE("layers are shown as they are computed, and the whole page is the same") {
  Made m = made({});
  std::vector<std::size_t> layers;
  bool whole = false;
  const Partly partly{[&](const Model& so_far) {
                        layers.push_back(so_far.reading->trace.decoder.layers.size());
                        whole = whole || so_far.reading->whole;
                        CHECK(so_far.attending(so_far.place.layer) != nullptr);
                        CHECK(so_far.layer(static_cast<Index>(layers.back())) == nullptr);
                      },
                      -1};
  const Model model = make_model(m.p, m.context(), partly);
  CHECK(layers.size() == 3);
  CHECK(layers.front() == 1);
  CHECK_FALSE(whole);
  CHECK(model.reading->whole);
  CHECK(model.attending(2) != nullptr);
}

TEST_CASE("weights, probabilities and continuation are the core's, whatever is kept") {
  Made m = made({{"model", "llama"}, {"view", "next"}, {"most", "5"}});
  const Model model = m.model();
  const auto whole = model.opened->model->forward<float>(model.tokens->input());
  const VectorD last = whole.logits.bottomRows(1).row(0).cast<double>();
  CHECK((*model.said - last).cwiseAbs().maxCoeff() < 1e-5);
  std::vector<std::int32_t> ids = model.tokens->ids;
  for (const auto& one : model.continuation->text.tokens) {
    const auto logits = model.opened->model->forward<float>({.tokens = ids}).logits;
    Index best = 0;
    logits.bottomRows(1).row(0).maxCoeff(&best);
    CHECK(one.id == best);
    ids.push_back(one.id);
  }
  CHECK(model.continuation->text.tokens.size() == 5);
  CHECK(model.lens->places.size() == 4);
  CHECK(model.lens->places.back().back().id == model.continuation->text.tokens.front().id);
  // The head's row times the last norm.
  const Scene scene{m.p, model, m.words};
  const auto product = head_product(scene, 17);
  REQUIRE(product);
  CHECK(std::abs(product->row.dot(product->given) - (*model.said)(17)) < 1e-5);
}

TEST_CASE("a model stops where it has no more places") {
  Made m = made({{"folder", shipped("gpt2").string()}, {"view", "next"}});
  m.set({{"text", "a a a a a a a a"}, {"most", "256"}});
  const Model model = m.model();
  const auto n = static_cast<Index>(model.tokens->ids.size());
  CHECK(model.continuation->full);
  CHECK(static_cast<Index>(model.continuation->text.tokens.size()) == 128 - n + 1);
}

TEST_CASE("statistics by hand: of weights that are known") {
  Made m = made({{"model", "bloom"}});
  const Model model = m.model();
  const auto& s = (*model.statistics)[1][2];
  const auto& weights = model.attending(1)->weights[2];
  double previous = 0, first = 0, self = 0;
  const Index n = model.queries();
  for (Index i = 0; i < n; ++i) {
    self += static_cast<double>(weights(i, i)) / static_cast<double>(n);
    if (i == 0) continue;
    previous += static_cast<double>(weights(i, i - 1)) / static_cast<double>(n - 1);
    first += static_cast<double>(weights(i, 0)) / static_cast<double>(n - 1);
  }
  CHECK(s.previous == doctest::Approx(previous));
  CHECK(s.first == doctest::Approx(first));
  CHECK(s.self == doctest::Approx(self));
  CHECK(s.entropy > 0);
  CHECK(s.entropy <= 1);
}

TEST_CASE("a folder opens this lab from the command line and by drop, a file of text does not") {
  const auto folder = reference("checkpoints") / "gpt2";
  const auto session = lab::session_opening(folder);
  REQUIRE(session);
  CHECK(session->lab == "checkpoint");
  CHECK(std::find(session->values.begin(), session->values.end(),
                  std::pair<std::string, std::string>("folder", folder.string())) !=
        session->values.end());
  CHECK_FALSE(lab::session_opening(folder / "config.json"));
}

TEST_CASE("a session says whether the files of its folder are what they were") {
  const Folder folder(shipped("gpt2"));
  const std::string path = folder.path();
  const auto then = lab::fingerprint(path);
  REQUIRE(then);
  const auto said = [&] { return lab::file_note(path, then).in_english(); };
  CHECK(said() == "this session reads the folder " + path + ", which is as it was");
  folder.write("config.json", "{}");
  CHECK(said().find("which has changed since: it had") != std::string::npos);
  folder.take(shipped("gpt2") / "config.json");
  CHECK(said().ends_with("which is as it was"));
  folder.write("more.txt", "");  // no byte more, and another folder all the same
  CHECK(said().find("which has changed since: it had") != std::string::npos);
}

TEST_CASE("other labs are opened with the model's own numbers") {
  const auto jump = [](const lab::Page& page, std::string_view lab) {
    for (const lab::Jump& one : page.jumps) {
      if (one.lab == lab) return one.sets;
    }
    FAIL("no way to " << lab);
    return param::Values{};
  };
  const auto has = [](const param::Values& values, const char* id, const char* value) {
    return std::find(values.begin(), values.end(),
                     std::pair<std::string, std::string>(id, value)) != values.end();
  };
  Made llama = made({{"model", "llama"}, {"view", "positions"}});
  const lab::Page page = llama.page();
  CHECK(has(jump(page, "rope_rounding"), "d", "16"));
  CHECK(has(jump(page, "rope_rounding"), "base", "10000"));
  CHECK(has(jump(page, "rope_rounding"), "length", "16384"));
  CHECK(has(jump(page, "extrapolation"), "method", "yarn"));
  CHECK(has(jump(page, "extrapolation"), "trained", "4096"));
  CHECK(has(jump(page, "extrapolation"), "length", "16384"));
  CHECK(has(jump(page, "rotary"), "pairing", "halves"));
  CHECK(has(jump(page, "position_ids"), "length", "16384"));
  const auto of = [&](const char* folder) {
    Made m =
        made({{"folder", reference("checkpoints").string() + "/" + folder}, {"view", "positions"}});
    return m.page();
  };
  CHECK(has(jump(of("llama-linear"), "extrapolation"), "method", "interpolation"));
  CHECK(has(jump(of("llama-dynamic"), "extrapolation"), "method", "dynamic"));
  CHECK(has(jump(of("llama3"), "extrapolation"), "method", "none"));
  CHECK(has(jump(of("pythia"), "rotary"), "rotated", "4"));
  CHECK(has(jump(of("bloom"), "alibi_rounding"), "heads", "4"));
  CHECK(of("t5").jumps.empty());
  CHECK(of("gpt2").jumps.size() == 1);
}

TEST_CASE("the labs of decoders are opened with the folder and the text") {
  const std::string folder = (reference("checkpoints") / "qwen3").string();
  Made m = made({{"folder", folder}, {"text", "5 6 7"}});
  const auto of = [](const lab::Page& page, std::string_view lab) {
    for (const lab::Jump& one : page.jumps) {
      if (one.lab == lab) return one.sets;
    }
    return param::Values{};
  };
  const auto has = [](const param::Values& values, std::string_view id, std::string_view value) {
    return std::any_of(values.begin(), values.end(),
                       [&](const auto& one) { return one.first == id && one.second == value; });
  };
  const param::Values written = of(m.page(), "decoding");
  CHECK(has(written, "from", "published"));
  CHECK(has(written, "folder", folder));
  CHECK(has(written, "prompt", "5 6 7"));
  const param::Values inside = of(m.page(), "gpt_inside");
  CHECK(has(inside, "folder", folder));
  CHECK(has(inside, "text", "5 6 7"));
  CHECK(has(inside, "view", "heads"));
  CHECK(has(inside, "layer", "1"));
  m.set({{"folder", ""}, {"model", "llama"}, {"around", "false"}, {"view", "next"}});
  m.set({{"text", "the dog"}});
  CHECK(has(of(m.page(), "decoding"), "published", "llama"));
  CHECK(has(of(m.page(), "gpt_inside"), "published", "llama"));
  CHECK(has(of(m.page(), "gpt_inside"), "view", "stream"));
  CHECK(has(of(m.page(), "decoding"), "around", "false"));
  m.set({{"model", "bert"}});
  CHECK(m.page().jumps.empty());
}

TEST_CASE("presets: heads and weights") {
  Made heads = preset("heads");
  const lab::Page page = heads.page();
  CHECK(plots_of(page, "heads").size() == 12);
  CHECK(heads.model().facts().name == "GPT-2");

  Made weight = preset("weight");
  const Model model = weight.model();
  CHECK(model.facts().heads == 4);
  CHECK(model.facts().key_heads == 2);
  CHECK(says(weight.page(), "head 2 reads key head 1"));
  // softmax of q·k times the scale, by hand.
  const auto* looks = model.attending();
  const auto q = looks->queries.row(9).segment(2 * 16, 16).cast<double>();
  VectorD scores(10);
  for (Index j = 0; j < 10; ++j) {
    scores(j) = 0.25 * q.dot(looks->keys.row(j).segment(16, 16).cast<double>());
  }
  const VectorD e = (scores.array() - scores.maxCoeff()).exp();
  CHECK(weight_of(model, 9, 3) == doctest::Approx(e(3) / e.sum()).epsilon(1e-5));
}

TEST_CASE("preset: no token of a Chinese character can be read alone") {
  Made m = preset("half_character");
  const Model model = m.model();
  std::string all;
  for (const std::int32_t id : model.tokens->ids) {
    CHECK(model.opened->shown(id).find("\\x") != std::string::npos);
    CHECK(model.opened->tokenizer->bytes(id).size() <= 2);
    all += model.opened->tokenizer->bytes(id);
  }
  CHECK(all == m.p.text);
}

TEST_CASE("presets: the next token, chosen and drawn") {
  Made next = preset("next");
  const Model model = next.model();
  for (std::size_t t = 0; t < model.lens->places.back().size(); ++t) {
    const auto& cell = model.lens->places.back()[t];
    CHECK(cell.probability == cell.of_last);
  }
  Made sampled = preset("sampled");
  const auto written = sampled.model().continuation->text.tokens;
  Made again = preset("sampled");
  const auto once_more = again.model().continuation->text.tokens;
  REQUIRE(written.size() == once_more.size());
  for (std::size_t k = 0; k < written.size(); ++k) CHECK(written[k].id == once_more[k].id);
  // Without a cache: a whole pass for each token.
  const Model of = sampled.model();
  const auto plain = core::decode::write(
      [&](const std::vector<std::int32_t>& ids) -> VectorD {
        const auto logits = of.opened->model->forward<float>({.tokens = ids}).logits;
        return logits.bottomRows(1).row(0).cast<double>();
      },
      of.tokens->ids,
      {.filters = {{core::decode::Filter::Kind::temperature, 1.5}}, .seed = 7, .most = 24});
  REQUIRE(plain.tokens.size() == written.size());
  for (std::size_t k = 0; k < written.size(); ++k) CHECK(plain.tokens[k].id == written[k].id);
  sampled.set({{"seed", "8"}});
  CHECK(sampled.model().continuation->text.log_probability !=
        of.continuation->text.log_probability);
}

TEST_CASE("presets: where the text stands, and what of it is rounded") {
  Made far = preset("ten_thousand");
  const Model model = far.model();
  const double ids = change_of(model, Rounded::ids).largest;
  const double tables = change_of(model, Rounded::tables).largest;
  CHECK(ids > 20 * tables);
  CHECK(tables > 0);
  const core::Rounder low(core::kBFloat16);
  CHECK(low(10048.0) == low(10049.0));
  CHECK(low(9984.0) != low(10048.0));
  CHECK(change_of(model, Rounded::everything).largest > 10 * tables);
  // The same text ever farther out.
  CHECK(model.rounding->by_ids.back() > 10 * model.rounding->by_tables.back());

  Made near = preset("first_positions");
  CHECK(change_of(near.model(), Rounded::ids).largest == 0);
  CHECK(change_of(near.model(), Rounded::ids).tokens_changed == 0);
  CHECK(change_of(near.model(), Rounded::tables).largest > 0);

  Made infinite = preset("float16");
  CHECK_FALSE(change_of(infinite.model(), Rounded::ids).finite);
  CHECK(change_of(infinite.model(), Rounded::tables).finite);
  CHECK(change_of(infinite.model(), Rounded::tables).tokens_changed == 0);
}

TEST_CASE("preset: a format of one's own") {
  Made m = preset("own_format");
  CHECK(core::format_facts(lab::format_of(m.p.format)).max == 240);
  CHECK_FALSE(change_of(m.model(), Rounded::ids).finite);
  m.set({{"specials", "none"}});
  CHECK(core::format_facts(lab::format_of(m.p.format)).max == 480);
  CHECK(change_of(m.model(), Rounded::ids).finite);
}

TEST_CASE("exactly turned, the same text says the same at every place") {
  Made m = made({{"model", "llama"}, {"view", "next"}});
  const Model model = m.model();
  published::ForwardOptions<double> options;
  const auto here = model.opened->model->forward<double>(model.tokens->input(), options).logits;
  options.first_position = 10000;
  const auto there = model.opened->model->forward<double>(model.tokens->input(), options).logits;
  CHECK((here - there).cwiseAbs().maxCoeff() < 1e-8);
}

TEST_CASE("preset: stretched fourfold") {
  Made m = preset("stretched");
  const published::Rotary& rotary = *m.model().positions().rotary;
  CHECK(rotary.factor == 4);
  published::Rotary plain = rotary;
  plain.scaling = published::RopeScaling::none;
  const VectorD ratio = plain.frequencies(100).array() / rotary.frequencies(100).array();
  CHECK(ratio.size() == 8);
  CHECK(ratio(0) == 1);
  CHECK(ratio(7) == doctest::Approx(4));
  CHECK(m.page().jumps.size() == 4);
}

TEST_CASE("presets: slopes and the penalty") {
  Made m = preset("alibi");
  const VectorD slopes = m.model().positions().slopes;
  REQUIRE(slopes.size() == 6);
  const VectorD eight = core::alibi_slopes(8);
  CHECK(slopes(4) == eight(0));
  CHECK(slopes(5) == eight(2));
  Made penalty = preset("penalty");
  CHECK(penalty.model().positions().slopes.maxCoeff() == slopes(4));
  CHECK(slopes(4) == 0.5);
  CHECK(says(penalty.page(), "0.5·(10 - 12)"));
  CHECK(says(penalty.page(), "-1.00000"));
}

TEST_CASE("presets: a hidden word, buckets, one text on another") {
  Made masked = preset("masked");
  const Model bert = masked.model();
  CHECK(bert.opened->shown(bert.query_ids()[4]) == "[MASK]");
  CHECK(bert.said->size() == bert.facts().vocabulary);
  CHECK(bert.reading->trace.pooled.size() == 32);
  CHECK(bert.sees(0, 5));
  CHECK(has_figure(masked.page(), "pooled"));

  Made buckets = preset("buckets");
  const Model t5 = buckets.model();
  REQUIRE(t5.positions().buckets.size() == 2);
  const core::T5Buckets bucket(t5.positions().buckets.front().spec);
  CHECK(bucket(-128) == bucket(-5000));
  CHECK(bucket(-90) != bucket(-128));

  Made cross = preset("cross");
  const Model model = cross.model();
  CHECK(model.place.cross);
  CHECK(model.attending()->scale == 1);
  CHECK(model.keys() == static_cast<Index>(model.tokens->ids.size()));
  CHECK(model.queries() == static_cast<Index>(model.tokens->decoder.size()));
  CHECK(says(cross.page(), "Positions do nothing here"));
  double sum = 0;
  for (Index j = 0; j < model.keys(); ++j) sum += weight_of(model, 2, j);
  CHECK(sum == doctest::Approx(1));
}

TEST_CASE("preset: what is in the file") {
  Made m = preset("file");
  const lab::Page page = m.page();
  const auto& table = mark_of<figure::Table>(plot_of(page, "facts"));
  std::string all;
  for (const auto& row : table.rows) {
    for (const auto& cell : row) all += cell.front().text + "\n";
  }
  CHECK(all.find("wte.weight, tied to the embedding") != std::string::npos);
  CHECK(all.find("float16: ") != std::string::npos);
  CHECK(readout(page, "parameters") == static_cast<double>(m.model().facts().parameters));
  // All of them are in memory but the vectors, which are kept apart, and the places.
  CHECK(m.model().opened->model->weights().bytes_kept() > 50'000);
}

TEST_CASE("an attention that the model has not is told, and the others can be chosen") {
  Made m = made({{"model", "t5"}, {"attention", "sideways"}});
  const lab::Page page = m.page();
  CHECK(page.fault.in_english().find("expected one of decoder, cross, encoder") !=
        std::string::npos);
  CHECK(page.names.at("attention").names->size() == 3);
  m.set({{"attention", "encoder"}});
  CHECK(m.page().fault.empty());
  CHECK(m.model().place.encoder);
}

}  // namespace checkpoint_test
