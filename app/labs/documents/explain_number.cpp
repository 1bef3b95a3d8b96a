// A number of a state or of a mean, down to embeddings: states of a recurrent network gate by gate.
#include "app/labs/documents/page.h"
#include "app/labs/shared/derivation/recurrent_derivation.h"

namespace lab::documents {
namespace {

using Read = core::model::WeighedLevel::Reading;

Matrix parameter(const Scene& scene, const std::string& name) {
  return parameter_of(scene.trained().model->layout, scene.trained().numbers(), name);
}

// One of the two levels, with what its parts are called.
struct Number {
  const Scene& scene;
  LevelRows rows;
  bool of_words;

  explicit Number(const Scene& of)
      : scene(of),
        rows(of.p.taken == Taken::words ? word_rows(of) : sentence_rows(of)),
        of_words(of.p.taken == Taken::words) {}

  Index width() const { return rows.looked.states.cols(); }
  Index unit() const { return std::min<Index>(scene.p.unit, width() - 1); }
  std::string scope() const { return of_words ? "words." : "sentences."; }
  // The letter of what is read.
  std::string read() const { return of_words ? "x" : "s"; }
  std::string name(Index k) const { return rows.names[to_size(k)]; }
};

// What is read there, and where that comes from.
void say_read(const Number& number, Derivation& lines) {
  const Words& w = number.scene.w;
  if (number.of_words) {
    lines.say(w.format("x is the embedding of \"{}\", a row of the learned table.",
                       number.name(number.rows.picked)));
  } else {
    lines.say(
        w("s is the sentence's own vector, the weighted mean of its words' states: pick one of its "
          "components in the figure."));
  }
}

// --- states

// One number of the picked row, both directions side by side.
StateNumber recurrent_number(const Number& number) {
  const LevelRows& rows = number.rows;
  const Index hidden = rows.net.network.hidden();
  const bool back = number.unit() >= hidden;
  StateNumber state =
      state_number(number.scene.trained().model->layout, number.scene.trained().numbers(),
                   number.scope() + (back ? "0.backward." : "0.forward."), rows.net.form.cell);
  state.x = rows.looked.inputs.row(rows.row());
  const Index before = back ? rows.picked + 1 : rows.picked - 1;
  const bool first = before < 0 || before >= rows.count;
  state.before =
      first
          ? std::vector<double>(to_size(hidden), 0.0)
          : doubles(rows.looked.states.row(rows.first + before).segment(back ? hidden : 0, hidden));
  state.unit = back ? number.unit() - hidden : number.unit();
  state.read = number.read();
  state.term_name = [letter = state.read](std::size_t k) {
    return fmt::format("{}[{}]", letter, k);
  };
  return state;
}

void explain_recurrent(const Number& number, Derivation& lines) {
  const Words& w = number.scene.w;
  const LevelRows& rows = number.rows;
  const bool back = number.unit() >= rows.net.network.hidden();
  lines.say(back ? w("In the direction from the right; components are counted from 0.")
                 : w("In the direction from the left."));
  explain_state_number(recurrent_number(number), w, lines);
  say_read(number, lines);
  const Index before = back ? rows.picked + 1 : rows.picked - 1;
  if (before < 0 || before >= rows.count) {
    lines.say(w("h' is zero: nothing was read before."));
  } else {
    lines.say(w.format("h' is the state of \"{}\", read before: pick it in the figure.",
                       number.name(before)));
  }
}

// tanh([x_t; x_(t-1)] W + b)
void explain_window(const Number& number, Derivation& lines) {
  const LevelRows& rows = number.rows;
  const Matrix weight = parameter(number.scene, number.scope() + "window.weight");
  const double bias =
      to_double(parameter(number.scene, number.scope() + "window.bias")(0, number.unit()));
  const std::string letter = number.read();
  std::vector<double> both = doubles(rows.looked.inputs.row(rows.row()));
  const std::size_t width = both.size();
  if (rows.picked > 0) {
    const std::vector<double> before = doubles(rows.looked.inputs.row(rows.row() - 1));
    both.insert(both.end(), before.begin(), before.end());
  } else {
    both.resize(2 * width, 0.0);
  }
  const std::string name = fmt::format("h[{}]", number.unit()), pair = letter + "; " + letter + "'";
  const Product product{.left = both,
                        .right = weight.col(number.unit()),
                        .left_color = Role::key,
                        .right_color = Role::text,
                        .most = 12,
                        .first = 12,
                        .left_name = "[" + pair + "]",
                        .right_name = "W",
                        .term_name = [letter, width](std::size_t k) {
                          return k < width ? fmt::format("{}[{}]", letter, k)
                                           : fmt::format("{}'[{}]", letter, k - width);
                        }};
  lines.begin(name, fmt::format("tanh([{}]·W + b)", pair));
  const std::string sum = lines.product(fmt::format("[{}]·W", pair), product);
  lines.about_picked(name, fmt::format("tanh({} + {})", bracketed(sum), bracketed(fixed(bias, 5))));
  const double inner =
      std::inner_product(both.begin(), both.end(), product.right.begin(), 0.0) + bias;
  lines.about_result(std::tanh(inner), 4);
  say_read(number, lines);
  if (rows.picked > 0) {
    lines.say(number.scene.w.format("{} is the same for \"{}\", the word before.", letter + "'",
                                    number.name(rows.picked - 1)));
  }
}

void explain_state(const Number& number, Derivation& lines) {
  switch (number.rows.net.form.states) {
    case Read::recurrent: return explain_recurrent(number, lines);
    case Read::window: return explain_window(number, lines);
    case Read::inputs: break;
  }
  const double value = to_double(number.rows.looked.states(number.rows.row(), number.unit()));
  const std::string at = fmt::format("[{}]", number.unit());
  lines.about_picked("h" + at, value, 4);
  lines.next(number.read() + at);
  say_read(number, lines);
}

// --- means

void explain_mean(const Number& number, Derivation& lines) {
  const LevelRows& rows = number.rows;
  const std::string made = number.of_words ? "s" : "v", weight = number.of_words ? "α" : "β";
  const Index sequence = rows.sequence();
  Product product{.left = {},
                  .right = {},
                  .left_color = Role::accent,
                  .right_color = Role::value,
                  .left_name = weight,
                  .right_name = "h",
                  .term_name = [names = rows.names](std::size_t k) { return names[k]; }};
  for (Index k = 0; k < rows.count; ++k) {
    product.left.push_back(to_double(rows.looked.weights(sequence, k)));
    product.right.push_back(to_double(rows.looked.states(rows.first + k, number.unit())));
  }
  lines.product(fmt::format("{}[{}]", made, number.unit()), product);
  lines.say(
      number.of_words
          ? number.scene.w("α are the words' weights, h their states: pick a component of one.")
          : number.scene.w(
                "β are the sentences' weights, h their states: pick a component of one."));
}

}  // namespace

std::string number_title(const Scene& scene) {
  const Words& w = scene.w;
  const Number number(scene);
  const Index unit = number.unit();
  if (scene.p.explained == Explained::state) {
    return w.format("Component {} of the state of \"{}\"", unit, number.name(number.rows.picked));
  }
  if (!number.of_words) return w.format("Component {} of the document's vector", unit);
  return w.format("Component {} of the vector of sentence {}", unit,
                  scene.model.picked->sentence + 1);
}

void explain_number(const Scene& scene, Derivation& lines) {
  const Number number(scene);
  if (scene.p.explained == Explained::state) {
    explain_state(number, lines);
  } else {
    explain_mean(number, lines);
  }
}

}  // namespace lab::documents
