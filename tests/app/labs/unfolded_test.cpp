// Picked activations of the trained labs are unfolded from number to number: what is printed is
// what the pass has, and what stands under it is the tensor before.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "app/labs/alignment/page.h"
#include "app/labs/documents/page.h"
#include "app/labs/translation/page.h"
#include "trying.h"

namespace unfolded_test {

using namespace lab::trying;
using core::Index;

namespace {

// Numbers that stand alone in a line: "≈ 0.1250".
std::vector<double> results(const lab::Page& page) {
  std::vector<double> all;
  for (const auto& line : page.explanation.lines) {
    std::string text;
    for (const auto& span : line.right) text += span.text;
    if (!text.starts_with("≈ ")) continue;
    const char* begin = text.c_str() + std::string("≈ ").size();
    char* end = nullptr;
    const double value = std::strtod(begin, &end);
    if (end != begin && *end == '\0') all.push_back(value);
  }
  return all;
}

bool has_result(const lab::Page& page, double wanted) {
  const std::vector<double> all = results(page);
  return std::any_of(all.begin(), all.end(),
                     [&](double one) { return std::abs(one - wanted) < 7e-5; });
}

// The last one: what all that stands above leads to.
double last_result(const lab::Page& page) {
  const std::vector<double> all = results(page);
  REQUIRE(!all.empty());
  return all.back();
}

std::string number(Index value) { return std::to_string(value); }

double cell(const core::model::Traced<float>& traced, Index row, Index col) {
  const Index width = traced.shape.back();
  return static_cast<double>(traced.values[static_cast<std::size_t>(row * width + col)]);
}

}  // namespace

TEST_CASE("alignment: states go down to gates, and the decoder's begin with the encoder's last") {
  using namespace lab::alignment;
  const param::Values forms[] = {
      {},
      {{"attention", "false"}},
      {{"weights", "here"}, {"cell", "lstm"}, {"steps", "2"}, {"step", "2"}, {"hidden", "12"}},
      {{"weights", "here"}, {"looks", "after"}, {"steps", "2"}, {"step", "2"}, {"hidden", "12"}}};
  for (const param::Values& form : forms) {
    Trial<Parameters> m = made<Parameters>(form);
    m.set({{"explain", "state"}});
    const lab::alignment::Model model = m.model();
    const lab::Reading& reading = model.reading();
    const bool lstm = model.form().decoder.cell == core::model::Cell::lstm;
    const struct {
      const char *states, *scope;
      std::vector<const char*> gates;
    } kinds[] = {{"decoder", "decoder.0.", {}},
                 {"forward", "encoder.0.forward.", {"candidate"}},
                 {"backward", "encoder.0.backward.", {"candidate"}}};
    for (const auto& kind : kinds) {
      CAPTURE(std::string(kind.states));
      CAPTURE(form.empty() ? "" : form.back().first);
      const bool written = std::string_view(kind.states) == "decoder";
      const Index last = (written ? reading.steps() : reading.source_tokens()) - 1;
      for (const Index row : {Index{0}, Index{2}, last}) {
        for (const Index unit : {Index{0}, Index{5}}) {
          CAPTURE(row);
          m.set({{"states", kind.states},
                 {"row", number(row)},
                 {"token", number(row)},
                 {"number", number(unit)}});
          const lab::Page page = m.page();
          const std::string scope = kind.scope;
          CHECK(has_result(page, cell(reading.traced(scope + "states"), row, unit)));
          std::vector<std::string> gates;
          if (!kind.gates.empty()) {
            gates = lstm ? std::vector<std::string>{"input", "forget", "candidate", "output"}
                         : std::vector<std::string>{"reset", "update", "candidate"};
          }
          for (const std::string& gate : gates) {
            CHECK(has_result(page, cell(reading.traced(scope + gate), row, unit)));
          }
          CHECK(says(page, "tanh([→; ←]·W + b)") == (written && row == 0));
        }
      }
    }
    // A click on the figure picks what it shows.
    const figure::Plot plot = plot_of(m.page(), "states_forward");
    const auto map = mark_of<figure::Heatmap>(plot);
    CHECK(map.row_param == "token");
    CHECK(map.source->value(1, 3) ==
          doctest::Approx(cell(reading.traced("encoder.0.forward.states"), 1, 3)));
  }
}

TEST_CASE("documents: states of words and sentences, and their means") {
  using namespace lab::documents;
  for (const char* states : {"gru", "window", "inputs"}) {
    CAPTURE(states);
    Trial<Parameters> m = made<Parameters>({{"weights", "here"},
                                            {"steps", "2"},
                                            {"step", "2"},
                                            {"beside", "false"},
                                            {"word_states", states},
                                            {"sentence_states", states}});
    for (const Index sentence : {0, 1}) {
      for (const Index word : {0, 2}) {
        for (const Index unit : {0, 3, 12}) {
          m.set({{"at_sentence", number(sentence + 1)},
                 {"at_word", number(word + 1)},
                 {"number", number(unit)}});
          const Model model = m.model();
          const lab::documents::Reading& reading = *model.reading;
          const auto& words = reading.looked.words;
          const auto& sentences = reading.looked.sentences;
          const Index length = words.weights.cols();
          const auto expect = [&](const char* explained, const char* level, double wanted) {
            CAPTURE(explained);
            CAPTURE(level);
            CAPTURE(unit);
            m.set({{"explain", explained}, {"level", level}});
            CHECK(has_result(m.page(), wanted));
          };
          const auto of = [&](const core::Matrix& all, Index row) {
            return static_cast<double>(all(row, std::min(unit, all.cols() - 1)));
          };
          expect("state", "words", of(words.states, sentence * length + word));
          expect("state", "sentences", of(sentences.states, sentence));
          expect("vector", "words", of(sentences.inputs, sentence));
          expect("vector", "sentences",
                 reading.looked.document[std::min(unit, reading.looked.document.size() - 1)]);
        }
      }
    }
  }
}

TEST_CASE("documents: the state before and the gates of a word are the trace's") {
  using namespace lab::documents;
  Trial<Parameters> m =
      made<Parameters>({{"explain", "state"}, {"at_sentence", "1"}, {"number", "2"}});
  const Model model = m.model();
  const auto& net = model.trained.model;
  core::model::Trace<float> trace;
  core::model::Tape<float> tape;
  tape.begin(model.trained.numbers(), nullptr, {.differentiates = false}, &trace);
  core::task::DocumentBatch batch;
  batch.fill({model.reading->kept}, 0, 1);
  net->net(tape, batch.ids(), batch.documents());
  for (const Index word : {0, 1, 3}) {
    CAPTURE(word);
    m.set({{"at_word", number(word + 1)}});
    const lab::Page page = m.page();
    for (const char* gate : {"reset", "update", "candidate", "states"}) {
      CHECK(has_result(page, cell(trace.at(std::string("words.0.forward.") + gate), word, 2)));
    }
  }
}

TEST_CASE("translation: every tensor of every place, under every way to build it") {
  using namespace lab::translation;
  const param::Values base{{"weights", "here"},     {"task", "reversal"},    {"letters", "4"},
                           {"longest", "4"},        {"steps", "2"},          {"step", "2"},
                           {"encoder_layers", "2"}, {"decoder_layers", "2"}, {"d_head", "6"},
                           {"d_ff", "10"},          {"explain", "number"},   {"source", "abcd"},
                           {"next_token", "right"}};
  std::vector<param::Values> forms;
  for (const char* positions :
       {"none", "learned", "sinusoidal", "rotary", "t5", "urpe", "complex", "floater"}) {
    forms.push_back({{"positions", positions}});
  }
  forms.push_back({{"norm_first", "true"}});
  forms.push_back({{"norm_first", "true"}, {"positions", "floater"}});
  forms.push_back({{"d_ff", "0"}});
  std::set<TensorId> seen;
  for (const param::Values& form : forms) {
    CAPTURE(form.front().second);
    Trial<Parameters> m = made<Parameters>(base);
    m.set(form);
    for (const char* part : {"cross", "encoder", "decoder"}) {
      for (const char* layer : {"1", "2"}) {
        m.set({{"part", part}, {"layer", layer}, {"row", "2"}, {"token", "1"}, {"dim", "7"}});
        const Model model = m.model();
        const Scene scene{m.p, model, m.words};
        for (const TensorOf& one : tensors_of(scene)) {
          CAPTURE(one.name);
          seen.insert(one.vector);
          m.set(
              {{"vector", std::string(vector_options()[static_cast<std::size_t>(one.vector)].id)}});
          const Index row = one.of_keys ? 1 : 2;
          const double wanted = cell(model.reading->traced(one.name), row, 7);
          const lab::Page page = m.page();
          CHECK(has_result(page, wanted));
          CHECK(page.explanation.lines.size() > 1);
          // The figure has a map of it, with this number where it is picked.
          const auto map = mark_of<figure::Heatmap>(plot_of(
              page,
              "numbers_" + std::string(vector_options()[static_cast<std::size_t>(one.vector)].id)));
          CHECK(map.source->value(row, 7) == doctest::Approx(wanted));
          REQUIRE(map.pinned);
          CHECK(*map.pinned == std::pair(row, Index{7}));
        }
      }
    }
  }
  CHECK(seen.size() == vector_options().size());
}

TEST_CASE("translation: a query's number is the product that the trace has, whatever is picked") {
  using namespace lab::translation;
  Trial<Parameters> m = made<Parameters>({{"explain", "number"}, {"vector", "value"}});
  const Model model = m.model();
  const auto& values = model.reading->traced("decoder.0.cross.values");
  for (const Index token : {0, 3}) {
    for (const Index dim : {0, 9, 31}) {
      m.set({{"token", number(token)}, {"dim", number(dim)}});
      CHECK(last_result(m.page()) == doctest::Approx(cell(values, token, dim)).epsilon(1e-4));
      CHECK(says(m.page(), "the encoder's output"));
    }
  }
}

}  // namespace unfolded_test
