// A number of a state: its gates, what was read and the state before; of the decoder's first state
// what it begins with.
#include "app/labs/alignment/page.h"
#include "app/labs/shared/derivation/recurrent_derivation.h"

namespace lab::alignment {
namespace {

using core::model::Cell;

std::vector<double> row_of(const Matrix& rows, Index row) { return doubles(rows.row(row)); }

// The encoder's last states side by side: what the decoder begins with is made of them, and where
// there is no attention they are the context.
std::vector<double> last_states(const Scene& scene, const std::string& name = "states") {
  std::vector<double> both =
      row_of(traced(scene, "encoder.0.forward." + name), scene.reading().source_tokens() - 1);
  const std::vector<double> back = row_of(traced(scene, "encoder.0.backward." + name), 0);
  both.insert(both.end(), back.begin(), back.end());
  return both;
}

// A number of it, as the figure of states has it.
std::string name_last(std::size_t k, std::size_t half) {
  return k < half ? fmt::format("→[{}]", k) : fmt::format("←[{}]", k - half);
}

// tanh(W [last forward; last backward] + b), of "state" or "cell": of the encoder's states or
// cells.
Projected begin_number(const Scene& scene, const char* part, const char* letter, Index unit) {
  const Matrix weight = parameter(scene, fmt::format("begin.0.{}.weight", part));
  const Matrix bias = parameter(scene, fmt::format("begin.0.{}.bias", part));
  Projected number;
  number.product.left = last_states(scene, fmt::format("{}s", part));
  number.product.right = weight.col(unit);
  number.product.left_color = Role::key;
  number.product.right_color = Role::text;
  number.product.most = number.product.first = 12;
  number.product.left_name = "[→; ←]";
  number.product.right_name = "W";
  number.product.term_name = [half = number.product.left.size() / 2](std::size_t k) {
    return name_last(k, half);
  };
  number.bias = to_double(bias(0, unit));
  number.name = fmt::format("{}[{}]", letter, unit);
  number.dot = "[→; ←]·W";
  return number;
}

std::vector<double> begin_numbers(const Scene& scene, const char* part, Index count) {
  std::vector<double> all;
  for (Index unit = 0; unit < count; ++unit) {
    all.push_back(std::tanh(begin_number(scene, part, "", unit).value()));
  }
  return all;
}

void explain_begin(const Scene& scene, const char* part, const char* letter, Index unit,
                   Derivation& lines) {
  const Projected number = begin_number(scene, part, letter, unit);
  lines.begin(number.name, "tanh([→; ←]·W + b)");
  const std::string sum = lines.product(number.dot, number.product);
  lines.about_picked(
      number.name, fmt::format("tanh({} + {})", bracketed(sum), bracketed(fixed(*number.bias, 5))));
  lines.about_result(std::tanh(number.value()), 4);
}

// --- the encoder

StateNumber encoder_number(const Scene& scene, bool back, Index unit) {
  const std::string prefix = back ? "encoder.0.backward." : "encoder.0.forward.";
  StateNumber number =
      state_number(scene.learned().model->translator.layout(), scene.learned().numbers(), prefix,
                   scene.model.form().encoder.cell);
  const Index token = scene.read(), before = back ? token + 1 : token - 1;
  const bool first = before < 0 || before >= scene.reading().source_tokens();
  const auto numbers = [&](const char* name) {
    if (first) return std::vector<double>(to_size(number.hidden()), 0.0);
    return row_of(traced(scene, prefix + name), before);
  };
  number.before = numbers("states");
  if (number.cell == Cell::lstm) number.cells_before = numbers("cells");
  const std::int32_t id = scene.reading().encoded.source[to_size(token)];
  number.x = parameter(scene, "source.embedding").row(id);
  number.unit = std::min(unit, number.hidden() - 1);
  number.term_name = [](std::size_t k) { return fmt::format("x[{}]", k); };
  return number;
}

void explain_encoder(const Scene& scene, bool back, Derivation& lines) {
  const Words& w = scene.w;
  const std::int32_t id = scene.reading().encoded.source[to_size(scene.read())];
  explain_state_number(encoder_number(scene, back, scene.p.unit), w, lines);
  lines.say(w.format("x is the embedding of \"{}\", a row of the learned table.",
                     token_name(scene.learned(), id, w)));
  const Index before = back ? scene.read() + 1 : scene.read() - 1;
  if (before < 0 || before >= scene.reading().source_tokens()) {
    lines.say(w("h' is zero: nothing was read before."));
  } else {
    lines.say(w("h' is the state at the token read before: pick it in the figure."));
  }
}

// --- the decoder

// The context that goes into the step.
std::vector<double> context_of(const Scene& scene) {
  const auto& form = scene.model.form().decoder;
  const Index row = scene.model.row;
  if (!form.attends) return last_states(scene);
  const Matrix contexts = traced(scene, "decoder.context");
  if (!form.query_after) return row_of(contexts, row);
  if (row > 0) return row_of(contexts, row - 1);
  return std::vector<double>(to_size(contexts.cols()), 0.0);
}

std::int32_t given_token(const Scene& scene) {
  const Index row = scene.model.row;
  return row == 0 ? core::task::Vocabulary::kStart : scene.reading().token(row - 1);
}

std::vector<double> context_and_token(const Scene& scene) {
  std::vector<double> both = context_of(scene);
  const Matrix table = parameter(scene, "target.embedding");
  for (const float e : table.row(given_token(scene))) both.push_back(to_double(e));
  return both;
}

// Names a number of [c; e].
auto name_given(const Scene& scene) {
  return [width = context_of(scene).size()](std::size_t k) {
    return k < width ? fmt::format("c[{}]", k) : fmt::format("e[{}]", k - width);
  };
}

// j = W [c; e] + b.
Projected joined_number(const Scene& scene, Index unit) {
  const Matrix weight = parameter(scene, "decoder.joined.weight");
  Projected number;
  number.product.left = context_and_token(scene);
  number.product.right = weight.col(unit);
  number.product.left_color = Role::value;
  number.product.right_color = Role::text;
  number.product.most = number.product.first = 12;
  number.product.left_name = "[c; e]";
  number.product.right_name = "W";
  number.product.term_name = name_given(scene);
  number.bias = to_double(parameter(scene, "decoder.joined.bias")(0, unit));
  number.name = fmt::format("j[{}]", unit);
  number.dot = "[c; e]·W";
  number.whole = "[c; e]·W + b";
  return number;
}

StateNumber decoder_number(const Scene& scene, Index unit) {
  StateNumber number =
      state_number(scene.learned().model->translator.layout(), scene.learned().numbers(),
                   "decoder.0.", scene.model.form().decoder.cell);
  const Index row = scene.model.row;
  number.state = "s";
  number.before = row > 0 ? row_of(traced(scene, "decoder.0.states"), row - 1)
                          : begin_numbers(scene, "state", number.hidden());
  if (number.cell == Cell::lstm) {
    number.cells_before = row > 0 ? row_of(traced(scene, "decoder.0.cells"), row - 1)
                                  : begin_numbers(scene, "cell", number.hidden());
  }
  if (scene.model.form().decoder.joined > 0) {
    number.read = "j";
    number.x = row_of(traced(scene, "decoder.joined"), row);
    number.term_name = [](std::size_t k) { return fmt::format("j[{}]", k); };
  } else {
    number.x = context_and_token(scene);
    number.term_name = name_given(scene);
  }
  number.unit = std::min(unit, number.hidden() - 1);
  return number;
}

// The strongest number of j in the first gate that is told.
Index strongest_joined(const StateNumber& number) {
  Index best = 0;
  double largest = -1;
  const Index gate = number.cell == Cell::gru ? 1 : 3;
  for (std::size_t k = 0; k < number.x.size(); ++k) {
    const auto row = to_index(k);
    const double weight = to_double(number.input_weight(row, gate * number.hidden() + number.unit));
    if (const double size = std::abs(number.x[k] * weight); size > largest) {
      largest = size;
      best = row;
    }
  }
  return best;
}

void say_context(const Scene& scene, Derivation& lines) {
  const auto& form = scene.model.form().decoder;
  const Words& w = scene.w;
  if (!form.attends) {
    lines.say(
        w("c is one context for all steps: the encoder's last states from the left and from the "
          "right, also in the figure."));
  } else if (form.query_after && scene.model.row == 0) {
    lines.say(w("c is zero at the first step: there was no attention before."));
  } else if (form.query_after) {
    lines.say(w("c is the context of the step before: go there to work out its components."));
  } else {
    lines.say(w("c is the context of this step: \"a component of c\" works it out."));
  }
}

void explain_decoder(const Scene& scene, Derivation& lines) {
  const Words& w = scene.w;
  const StateNumber number = decoder_number(scene, scene.p.unit);
  explain_state_number(number, w, lines);
  if (scene.model.form().decoder.joined > 0) {
    lines.heading(w("what is read"));
    explain_projected(joined_number(scene, strongest_joined(number)), lines);
    lines.say(
        w("Context and token are joined first; the component of j with the largest term is worked "
          "out."));
  }
  lines.say(w("e is the embedding of the token written before, a row of the learned table."));
  say_context(scene, lines);
  if (scene.model.row > 0) {
    lines.say(w("s' is the state after the step before: pick it in the figure."));
    return;
  }
  lines.heading(w("the initial state"));
  explain_begin(scene, "state", "s'", number.unit, lines);
  if (number.cell == Cell::lstm) explain_begin(scene, "cell", "cell'", number.unit, lines);
  lines.say(
      w("→ and ← are the encoder's last states (for cell' its last cells): at the last token from "
        "the left, and at the first one from the right."));
}

}  // namespace

void explain_state(const Scene& scene, Derivation& lines) {
  if (scene.p.states == States::decoder) return explain_decoder(scene, lines);
  explain_encoder(scene, scene.p.states == States::backward, lines);
}

}  // namespace lab::alignment
