// Published models: folders open or say why not, what is shown follows from their numbers, and
// every claim of the presets.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "app/labs/checkpoint/page.h"
#include "app/labs/extrapolation/page.h"
#include "app/labs/session.h"
#include "app/labs/session_files.h"
#include "trying.h"

namespace checkpoint_test {

using namespace lab::checkpoint;  // NOLINT: the box under test
using namespace lab::trying;
namespace fs = std::filesystem;
using core::Index, core::VectorD;

namespace {

using Made = Trial<Parameters>;
Made made(const param::Values& values) { return lab::trying::made<Parameters>(values); }

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
  std::string read(const std::string& file) const {
    std::ifstream in(path_ / file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void remove(const std::string& file) const { fs::remove(path_ / file); }
  void take(const fs::path& from) const {
    fs::copy_file(from, path_ / from.filename(), fs::copy_options::overwrite_existing);
  }

 private:
  fs::path path_ = fs::temp_directory_path() / "attnscope_lab_checkpoint";
};

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
  bool whole = false, tokens_first = false;
  const Partly partly{[&](const Model& so_far) {
                        if (!so_far.reading) {
                          CHECK(layers.empty());
                          CHECK(so_far.tokens->ids.size() > 3);
                          tokens_first = true;
                          return;
                        }
                        layers.push_back(so_far.reading->trace.decoder.layers.size());
                        whole = whole || so_far.reading->whole;
                        CHECK(so_far.attending(so_far.place.layer) != nullptr);
                        CHECK(so_far.layer(static_cast<Index>(layers.back())) == nullptr);
                      },
                      -1};
  const Model model = make_model(m.p, m.context(), partly);
  CHECK(tokens_first);
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
  // A place before the last: the likeliest of the last norm and head on the stream there.
  for (std::size_t place = 0; place < 4; ++place) {
    const auto& trace = model.reading->trace.decoder;
    const core::Matrix& stream = place == 0 ? trace.embedding : trace.layers[place - 1]->hidden;
    const auto logits = model.opened->model->read_out(core::Matrix(stream.bottomRows(1)));
    Index best = 0;
    logits.row(0).maxCoeff(&best);
    CHECK(model.lens->places[place].back().id == best);
  }
  // The head's row times the last norm.
  const Scene scene{m.p, model, m.words};
  const auto product = head_product(scene, 17);
  REQUIRE(product);
  CHECK(std::abs(product->row.dot(product->given) - (*model.said)(17)) < 1e-5);
}

TEST_CASE("the same weights with another activation, epsilon or base say something else") {
  const auto logits_with = [](const std::string& from, const std::string& to) {
    const Folder folder(shipped("llama"));
    std::string config = folder.read("config.json");
    const auto at = config.find(from);
    REQUIRE(at != std::string::npos);
    folder.write("config.json", config.replace(at, from.size(), to));
    Made m = made({{"folder", folder.path()}, {"view", "next"}, {"most", "0"}});
    return *m.model().said;
  };
  const VectorD plain = logits_with("\"silu\"", "\"silu\"");
  for (const auto& [from, to] : {std::pair{"\"silu\"", "\"gelu\""},
                                 {"\"rms_norm_eps\": 1e-05", "\"rms_norm_eps\": 1e-01"},
                                 {"\"rope_theta\": 10000.0", "\"rope_theta\": 500.0"}}) {
    CAPTURE(to);
    CHECK((logits_with(from, to) - plain).cwiseAbs().maxCoeff() > 0.1);
  }
}

TEST_CASE("what rounding does is said of the tokens and the turns that it is of") {
  const auto caption = [](Made& m) {
    const lab::Page page = m.page();
    const auto figure = std::find_if(page.figures.begin(), page.figures.end(),
                                     [](const auto& one) { return one.id == "changes"; });
    REQUIRE(figure != page.figures.end());
    return figure->caption;
  };
  Made m = made({{"model", "llama"}, {"view", "positions"}, {"offset", "100"}});
  CHECK(caption(m) ==
        "The text stands at positions 100 to 125; against exact turns there, of all logits of all "
        "tokens. Distances are as at position 0, so exactly turned nothing would change.");
  std::string text;
  for (int k = 0; k < 80; ++k) text += "?!";
  m.set({{"text", text}});
  REQUIRE(m.model().tokens->ids.size() > 64);
  CHECK(caption(m) ==
        "The first 64 tokens of the text stand at positions 100 to 163; against exact turns there, "
        "of all their logits. Distances are as at position 0, so exactly turned nothing would "
        "change.");
  // Of a model whose frequencies depend on the length, exact turns differ with the place.
  Made dynamic =
      made({{"folder", reference("checkpoints/llama-dynamic").string()}, {"view", "positions"}});
  CHECK(caption(dynamic).ends_with(
      "Its frequencies depend on how far the text reaches, so exact turns change with the "
      "position, too."));
  const Model model = dynamic.model();
  core::checkpoint::ForwardOptions<double> options;
  const auto here = model.opened->model->forward<double>(model.tokens->input(), options).logits;
  options.first_position = 10000;
  const auto there = model.opened->model->forward<double>(model.tokens->input(), options).logits;
  CHECK((here - there).cwiseAbs().maxCoeff() > 1e-4);
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
  double distance = 0;
  for (Index i = 1; i < n; ++i) {
    self += static_cast<double>(weights(i, i)) / static_cast<double>(n - 1);
    for (Index j = 0; j < i; ++j) {
      distance += static_cast<double>(weights(i, j)) * static_cast<double>(i - j) /
                  static_cast<double>(n - 1);
    }
    previous += static_cast<double>(weights(i, i - 1)) / static_cast<double>(n - 1);
    first += static_cast<double>(weights(i, 0)) / static_cast<double>(n - 1);
  }
  CHECK(s.previous == doctest::Approx(previous));
  CHECK(s.first == doctest::Approx(first));
  CHECK(s.self == doctest::Approx(self));
  CHECK(s.distance == doctest::Approx(distance));
  CHECK(s.entropy > 0);
  CHECK(s.entropy <= 1);
}

TEST_CASE("statistics leave the first token out, as those of the other labs of decoders do") {
  Made m = made({{"model", "gpt2"}});
  const Model model = m.model();
  const std::vector<std::int32_t>& ids = model.tokens->ids;
  const std::vector<std::int32_t> none(ids.size(), -1);
  for (std::size_t l = 0; l < 3; ++l) {
    for (std::size_t h = 0; h < 4; ++h) {
      core::task::HeadMeter meter;
      meter.add({ids, none, std::vector<std::uint8_t>(ids.size(), 0), none},
                model.attending(static_cast<Index>(l))->weights[h].matrix());
      const auto& s = (*model.statistics)[l][h];
      CHECK(s.previous == doctest::Approx(meter.scores().previous_token.mean));
      CHECK(s.first == doctest::Approx(meter.scores().first_token.mean));
      CHECK(s.entropy == doctest::Approx(meter.scores().uniform.mean));
    }
  }
}

TEST_CASE("a path that is not there is refused, whatever lies around it") {
  for (const std::string name : {"nowhere", "config.jsonn", "model.safetensors.no"}) {
    Made m = made({{"folder", (shipped("gpt2") / name).string()}});
    const std::string why = refusal(m);
    CHECK(why.find("there is no such file or folder") != std::string::npos);
    CHECK(why.find(name) != std::string::npos);
  }
}

TEST_CASE("the root of a hub's cache opens its snapshot, by the knob and by the command") {
  const Folder folder(shipped("gpt2"));
  const fs::path root = folder.path();
  fs::create_directories(root / "snapshots" / "abc");
  fs::create_directories(root / "refs");
  for (const char* file : {"config.json", "model.safetensors", "tokenizer.json"}) {
    fs::rename(root / file, root / "snapshots" / "abc" / file);
  }
  folder.write("refs/main", "abc");
  Made m = made({{"folder", root.string()}});
  CHECK(m.page().status.find("GPT-2") != std::string::npos);
  const auto session = lab::session_opening(root);
  REQUIRE(session);
  CHECK(session->lab == "checkpoint");
}

TEST_CASE("what is not read is listed in the file's table and counted in the status") {
  const Folder folder(reference("checkpoints/llama"));
  Made m = made({{"folder", folder.path()}, {"view", "file"}});
  CHECK(m.page().status.find("not read") == std::string::npos);
  std::string config = folder.read("config.json");
  config.insert(config.find('{') + 1, "\"residual_multiplier\": 0.5, \"logit_scale\": 2,");
  folder.write("config.json", config);
  const lab::Page page = m.page();
  CHECK(page.status.ends_with(" · settings not read: 2"));
  const auto& table = mark_of<figure::Table>(plot_of(page, "facts"));
  std::string all;
  for (const auto& row : table.rows) all += row.back().front().text + "\n";
  CHECK(all.find("logit_scale, residual_multiplier") != std::string::npos);
}

TEST_CASE("a vocabulary that is not read is named, with what to do") {
  const Folder folder(shipped("gpt2"));
  folder.remove("tokenizer.json");
  folder.write("tokenizer.model", "\n");
  Made m = made({{"folder", folder.path()}});
  CHECK(
      m.page().notes.front().starts_with("The folder has no tokenizer that is read, but "
                                         "tokenizer.model, a vocabulary of SentencePiece "
                                         "alone: make tokenizer.json of it in Python"));
  m.set({{"text", "cats"}});
  CHECK(refusal(m).starts_with(
      "text: expected numbers of tokens with spaces between them, as the folder has "
      "tokenizer.model, a vocabulary of SentencePiece alone"));
}

TEST_CASE("a token that the model has no row for is told by its name and file") {
  const Folder folder(shipped("gpt2"));
  folder.write("tokenizer_config.json",
               R"({"added_tokens_decoder": {"5000": {"content": "<|far|>", "special": true}}})");
  Made m = made({{"folder", folder.path()}, {"text", "a<|far|>"}});
  const std::string why = refusal(m);
  CHECK(why.ends_with("got 5000 (\"<|far|>\") out of tokenizer.json, tokenizer_config.json"));
}

TEST_CASE("the file's page reads headers alone") {
  Made m = made({{"model", "llama"}, {"view", "file"}});
  const Model model = m.model();
  CHECK_FALSE(model.reading);
  CHECK(model.opened->model->weights().bytes_kept() == 0);
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
  const auto said = [&] { return lab::file_note({path, then}).in_english(); };
  CHECK(said() == "this session reads the folder " + path + ", which is as it was");
  folder.write("config.json", "{}");
  CHECK(said().find("which has changed since: it had") != std::string::npos);
  folder.take(shipped("gpt2") / "config.json");
  CHECK(said().ends_with("which is as it was"));
  folder.write("more.txt", "");  // no byte more, and another folder all the same
  CHECK(said() == "this session reads the folder " + path + ", whose contents have changed since");
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
  CHECK(has(jump(of("llama3"), "extrapolation"), "yarn", "paper"));
  CHECK(has(jump(of("llama3"), "extrapolation"), "attention", "off"));
  CHECK(has(jump(of("pythia"), "rotary"), "rotated", "4"));
  CHECK(has(jump(of("bloom"), "alibi_rounding"), "heads", "4"));
  CHECK(of("t5").jumps.empty());
  CHECK(of("gpt2").jumps.size() == 1);
}

TEST_CASE("longer than trained is opened with the very frequencies of the model") {
  const auto holds = [](const param::Values& opened) {
    Made m = made(opened);
    m.set({{"view", "positions"}});
    const lab::Page page = m.page();
    const auto jump = std::find_if(page.jumps.begin(), page.jumps.end(),
                                   [](const lab::Jump& one) { return one.lab == "extrapolation"; });
    REQUIRE(jump != page.jumps.end());
    auto beyond = lab::trying::made<lab::extrapolation::Parameters>(jump->sets);
    const auto shown = beyond.model();
    const auto& theta = shown.rotation(beyond.p.method).theta;
    const auto rotary = *m.model().positions().rotary;
    const VectorD wanted = rotary.frequencies(beyond.p.length);
    REQUIRE(theta.size() == wanted.size());
    CHECK((theta - wanted).cwiseQuotient(wanted).cwiseAbs().maxCoeff() < 1e-14);
    const bool yarn = beyond.p.method == lab::extrapolation::Method::yarn;
    CHECK((yarn ? shown.attention_factor : 1) == doctest::Approx(rotary.multiplier).epsilon(1e-12));
  };
  holds({{"model", "llama"}});  // yarn
  for (const std::string folder : {"llama-linear", "llama3"}) {
    CAPTURE(folder);
    holds({{"folder", (reference("checkpoints") / folder).string()}});
  }
  // A context of 8 positions is less than that lab has.
  const Folder longer(reference("checkpoints") / "llama-dynamic");
  std::string config = longer.read("config.json");
  const std::string before = "\"max_position_embeddings\": 8";
  REQUIRE(config.find(before) != std::string::npos);
  longer.write("config.json", config.replace(config.find(before), before.size(),
                                             "\"max_position_embeddings\": 64"));
  holds({{"folder", longer.path()}});
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

TEST_CASE("an attention that the model has not is told, and the others can be chosen") {
  Made m = made({{"model", "t5"}, {"attention", "sideways"}});
  const lab::Page page = m.page();
  CHECK(page.fault.in_english().find("expected one of decoder, cross, encoder") !=
        std::string::npos);
  CHECK(page.found.at("attention").names->size() == 3);
  m.set({{"attention", "encoder"}});
  CHECK(m.page().fault.empty());
  CHECK(m.model().place.encoder);
}

}  // namespace checkpoint_test
