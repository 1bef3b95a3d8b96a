// Published models: what is shown follows from their numbers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "checkpoint_rig.h"

namespace checkpoint_test {

using namespace checkpoint_rig;

TEST_CASE("layers are shown as they are computed, and the whole page is the same") {
  Made m = made({{"model", "gpt2"}});
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

TEST_CASE("each written token has the attention that it was written with, of every head") {
  for (const char* name : {"llama", "gpt2", "bloom", "t5"}) {
    CAPTURE(name);
    for (const char* attention : {"decoder", "cross"}) {
      if (std::string_view(attention) == "cross" && std::string_view(name) != "t5") continue;
      CAPTURE(attention);
      Made m = made({{"model", name}, {"view", "next"}, {"most", "5"}, {"layer", "2"}});
      if (std::string_view(name) == "t5") m.set({{"attention", attention}});
      const Model model = m.model();
      REQUIRE(model.written_heads);
      const lab::WrittenHeads& written = *model.written_heads;
      const auto count = static_cast<Index>(model.continuation->tokens.size());
      REQUIRE(count > 1);
      CHECK(written.rows() == count);
      CHECK(written.layers() == model.layers());
      // A pass over all that was read then, for each token on its own.
      const bool two = std::string_view(name) == "t5", cross = model.place.cross;
      std::vector<std::int32_t> read = two ? model.tokens->decoder : model.tokens->ids;
      for (Index k = 0; k < count; ++k) {
        core::checkpoint::Input input{.tokens = two ? model.tokens->ids : read};
        if (two) input.decoder_tokens = read;
        const auto trace = model.opened->model->forward<double>(input, {.keep_heads = true});
        double most = 0;
        for (Index l = 0; l < written.layers(); ++l) {
          const auto& layer = *trace.decoder.layers[static_cast<std::size_t>(l)];
          const auto& looks = cross ? layer.cross : layer.self;
          for (Index h = 0; h < written.heads(); ++h) {
            const auto& expected = looks.weights[static_cast<std::size_t>(h)];
            const auto& got =
                *written.cells[static_cast<std::size_t>(l)][static_cast<std::size_t>(h)];
            for (Index j = 0; j < expected.cols(); ++j) {
              const auto weight = static_cast<double>(got.value(k, j));
              most = std::max(most, std::abs(weight - expected(expected.rows() - 1, j)));
            }
            for (Index j = expected.cols(); j < got.cols(); ++j) {
              CHECK(core::is_masked(got.value(k, j)));  // it came later
            }
          }
        }
        CHECK(most < 2e-5);
        read.push_back(model.continuation->tokens[static_cast<std::size_t>(k)].id);
      }
      const lab::Page page = m.page();
      CHECK(has_figure(page, "written_heads"));
      CHECK(plot_of(page, "written_map").y.labels->size() == static_cast<std::size_t>(count));
    }
  }
  CHECK_FALSE(has_figure(made({{"view", "next"}, {"most", "0"}}).page(), "written_heads"));
}

TEST_CASE("weights, probabilities and continuation are the core's, whatever is kept") {
  Made m = made({{"model", "llama"}, {"view", "next"}, {"most", "5"}});
  const Model model = m.model();
  const auto whole = model.opened->model->forward<float>(model.tokens->input());
  const VectorD last = whole.logits.bottomRows(1).row(0).cast<double>();
  CHECK((*model.said - last).cwiseAbs().maxCoeff() < 1e-5);
  std::vector<std::int32_t> ids = model.tokens->ids;
  for (const auto& one : model.continuation->tokens) {
    const auto logits = model.opened->model->forward<float>({.tokens = ids}).logits;
    Index best = 0;
    logits.bottomRows(1).row(0).maxCoeff(&best);
    CHECK(one.id == best);
    ids.push_back(one.id);
  }
  CHECK(model.continuation->tokens.size() == 5);
  CHECK(model.lens->cells.size() == 4);
  CHECK(model.lens->cells.back().back().best == model.continuation->tokens.front().id);
  // A place before the last: the likeliest of the last norm and head on the stream there.
  for (std::size_t place = 0; place < 4; ++place) {
    const auto& trace = model.reading->trace.decoder;
    const core::Matrix& stream = place == 0 ? trace.embedding : trace.layers[place - 1]->hidden;
    const auto logits = model.opened->model->read_out(core::Matrix(stream.bottomRows(1)));
    Index best = 0;
    logits.row(0).maxCoeff(&best);
    CHECK(model.lens->cells[place].back().best == best);
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
  for (const auto& one : {std::pair{"\"silu\"", "\"gelu\""},
                          {"\"rms_norm_eps\": 1e-05", "\"rms_norm_eps\": 1e-01"},
                          {"\"rope_theta\": 10000.0", "\"rope_theta\": 500.0"}}) {
    CAPTURE(one.second);
    CHECK((logits_with(one.first, one.second) - plain).cwiseAbs().maxCoeff() > 0.1);
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
  CHECK(
      caption(m) ==
      "The text is at positions 100 to 125; compared with exact rotations there, of all logits of "
      "all tokens. Distances are as at position 0, so with exact rotation nothing would change.");
  std::string text;
  for (int k = 0; k < 80; ++k) text += "?!";
  m.set({{"text", text}});
  REQUIRE(m.model().tokens->ids.size() > 64);
  CHECK(caption(m) ==
        "The first 64 tokens of the text are at positions 100 to 163; compared with exact "
        "rotations there, of all their logits. Distances are as at position 0, so with exact "
        "rotation nothing would change.");
  // Of a model whose frequencies depend on the length, exact turns differ with the position.
  Made dynamic =
      made({{"folder", reference("checkpoints/llama-dynamic").string()}, {"view", "positions"}});
  CHECK(
      caption(dynamic).ends_with("Its frequencies depend on how far the text reaches, so exact "
                                 "rotations change with the position, too."));
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
  const param::Found found = m.page().found.at("most");
  CHECK(found.range == param::Range{0, static_cast<double>(128 - n + 1)});
  CHECK(static_cast<Index>(model.continuation->tokens.size()) == 128 - n + 1);
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
  CHECK(s.diagonal == doctest::Approx(self));
  CHECK(s.distance == doctest::Approx(distance));
  CHECK(s.entropy_share > 0);
  CHECK(s.entropy_share <= 1);
}

TEST_CASE("statistics count the first token where it sees others") {
  for (const auto& one :
       {std::pair{"bert", ""}, std::pair{"t5", "encoder"}, std::pair{"t5", "cross"}}) {
    CAPTURE(one.first);
    CAPTURE(one.second);
    Made m = made({{"model", one.first}, {"attention", one.second}});
    const Model model = m.model();
    const core::Matrix weights = model.attending(0)->weights[0].matrix();
    const auto& s = (*model.statistics)[0][0];
    const auto same = core::heads::head_statistics(*core::heads::dense_rows(weights), {});
    CHECK(s.counted == weights.rows());
    CHECK(s.first == doctest::Approx(weights.col(0).cast<double>().mean()));
    CHECK(s.first == same.first);
    CHECK(s.diagonal == same.diagonal);
    CHECK(s.previous == same.previous);
    CHECK(s.distance == same.distance);
    CHECK(s.entropy_share == same.entropy_share);
  }
}

TEST_CASE("of a text of one token there are no means") {
  Made m = made({{"model", "gpt2"}, {"text", "a"}});
  REQUIRE(m.model().queries() == 1);
  CHECK((*m.model().statistics)[0][0].counted == 0);
  const auto page = m.page();
  for (const char* id : {"previous", "first", "head_entropy"}) {
    CHECK(std::none_of(page.readouts.begin(), page.readouts.end(),
                       [&](const auto& one) { return one.id == id; }));
  }
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
      CHECK(s.entropy_share == doctest::Approx(meter.scores().uniform.mean));
    }
  }
}

TEST_CASE("the file's page reads headers alone") {
  Made m = made({{"model", "llama"}, {"view", "file"}});
  const Model model = m.model();
  CHECK_FALSE(model.reading);
  CHECK(model.opened->model->weights().bytes_kept() == 0);
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
