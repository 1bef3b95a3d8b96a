// A word's weight, a sentence's, and the probability of a class; states and means:
// explain_number.cpp.
#include "app/labs/documents/page.h"
#include "app/labs/shared/derivation/model_derivation.h"

namespace lab::documents {
namespace {

using core::task::LookedLevel;

Matrix parameter(const Scene& scene, const core::model::Slot& slot) {
  return Eigen::Map<const Matrix>(scene.trained().numbers() + slot.offset, slot.rows, slot.cols);
}

// A level's row of keys under its u, in double.
class Keyed {
 public:
  Keyed(const Scene& scene, const core::model::WeighedLevel& level, const LookedLevel& looked)
      : weight_(parameter(scene, level.key.weight).cast<double>()),
        bias_(parameter(scene, level.key.bias).cast<double>()),
        context_(parameter(scene, level.context).cast<double>()),
        keys_((level.form.keys_of_inputs ? looked.inputs : looked.states).cast<double>()) {}

  Index width() const { return context_.rows(); }
  VectorD u(Index row) const {
    return (keys_.row(row) * weight_ + bias_).array().tanh().transpose();
  }
  double score(Index row) const { return u(row).dot(context_.col(0)); }

  // s = u·u_w, and one number of u.
  void explain(Index row, Index dim, const char* name, Derivation& lines) const {
    const VectorD tanh = u(row);
    Product dot{.left = {},
                .right = {},
                .left_color = Role::key,
                .right_color = Role::query,
                .left_name = "u",
                .right_name = fmt::format("u_{}", name)};
    for (Index k = 0; k < width(); ++k) {
      dot.left.push_back(tanh[k]);
      dot.right.push_back(context_(k, 0));
    }
    lines.begin("s", fmt::format("u·u_{}", name));
    lines.product("s", dot);
    Product in{.left = {},
               .right = {},
               .left_color = Role::key,
               .right_color = Role::text,
               .left_name = "h",
               .right_name = "W"};
    for (Index k = 0; k < keys_.cols(); ++k) {
      in.left.push_back(keys_(row, k));
      in.right.push_back(weight_(k, dim));
    }
    const double sum = keys_.row(row).dot(weight_.col(dim)), bias = bias_(0, dim);
    lines.begin(fmt::format("u[{}]", dim), fmt::format("tanh(h·W[:,{0}] + b[{0}])", dim));
    const std::string product = lines.product("h·W", in);
    lines
        .about_picked(fmt::format("u[{}]", dim),
                      fmt::format("tanh({} + {})", bracketed(product), bracketed(fixed(bias, 5))))
        .about_result(std::tanh(sum + bias), 4);
  }

 private:
  MatrixD weight_, bias_, context_, keys_;
};

struct Level {
  LevelRows rows;
  const char *letter, *context;
  std::string_view from_inputs, from_states;
};

void explain_level(const Scene& scene, const Level& level, Derivation& lines) {
  const LevelRows& rows = level.rows;
  if (rows.net.form.mean) {
    lines.begin(level.letter, fmt::format("1 / {}", rows.count));
    const double weight = 1 / to_double(rows.count);
    lines.line("", {accented(equated(weight, weight_text(weight)))});
    lines.say(scene.w("Average pooling: there are no scores, and all words weigh the same."));
    return;
  }
  const Keyed keyed(scene, rows.net, rows.looked);
  SoftmaxRow row{.scores = {}, .picked = to_size(rows.picked), .name = [&](std::size_t k) {
                   return rows.names[k];
                 }};
  for (Index k = 0; k < rows.count; ++k) row.scores.push_back(keyed.score(rows.first + k));
  lines.weight(level.letter, row);
  keyed.explain(rows.row(), std::min<Index>(scene.p.dim, keyed.width() - 1), level.context, lines);
  lines.normalizer(row);
  lines.say(scene.w(rows.net.form.keys_of_inputs ? level.from_inputs : level.from_states));
}

void explain_word(const Scene& scene, Derivation& lines) {
  explain_level(scene,
                {word_rows(scene), "α", "w",
                 N_("h is the word's embedding, a row of the learned table: the word has the same "
                    "score in any context."),
                 N_("h is the word's state, which also depends on the words around it.")},
                lines);
}

void explain_sentence(const Scene& scene, Derivation& lines) {
  explain_level(scene,
                {sentence_rows(scene), "β", "s",
                 N_("h is the sentence's own vector, the weighted mean of its words' states."),
                 N_("h is the sentence's state, which also depends on the sentences around it.")},
                lines);
}

void explain_class(const Scene& scene, Derivation& lines) {
  const Reading& reading = scene.reading();
  const DocumentModel& model = *scene.trained().model;
  const Index label = reading.label();
  const VectorD& z = reading.looked.logits;
  SoftmaxRow row{
      .scores = {z.begin(), z.end()},
      .picked = to_size(label),
      .name = [&](std::size_t k) { return class_name(model.task, to_index(k), scene.w); },
      .score = "z"};
  const core::model::Linear& output = model.net.output;
  const Matrix weight = parameter(scene, output.weight);
  explain_outcome({row,
                   {.product = {.left = reading.looked.document,
                                .right = weight.col(label),
                                .left_color = Role::text,
                                .right_color = Role::value,
                                .left_name = "v",
                                .right_name = "W"},
                    .bias = to_double(parameter(scene, output.bias)(0, label)),
                    .name = "z",
                    .dot = "v·W",
                    .whole = "v·W + b"}},
                  lines);
}

}  // namespace

LevelRows word_rows(const Scene& scene) {
  const Reading& reading = scene.reading();
  const WordPosition whole = *scene.model.picked, at = *reading.in_kept(whole);
  const Index length = reading.looked.words.weights.cols();
  std::vector<std::string> names;
  for (Index t = 0; t < reading.count(whole.sentence); ++t) {
    if (reading.in_kept({whole.sentence, t})) names.push_back(reading.word({whole.sentence, t}));
  }
  const auto count = to_index(names.size());
  return {scene.trained().model->net.words,
          reading.looked.words,
          at.sentence * length,
          count,
          at.word,
          std::move(names)};
}

LevelRows sentence_rows(const Scene& scene) {
  const Reading& reading = scene.reading();
  std::vector<std::string> names;
  for (Index s = 0; s < reading.sentences(); ++s) {
    if (reading.sentence_in_kept(s)) names.push_back(scene.w.format("sentence {}", s + 1));
  }
  const auto count = to_index(names.size());
  return {scene.trained().model->net.sentences,
          reading.looked.sentences,
          0,
          count,
          *reading.sentence_in_kept(scene.model.picked->sentence),
          std::move(names)};
}

Explanation explain(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Derivation lines(w);
  Explanation explanation;
  if (p.explained == Explained::outcome || !model.picked) {
    explanation.title =
        w.format("Why \"{}\"", class_name(scene.trained().model->task, scene.reading().label(), w));
    explain_class(scene, lines);
  } else if (p.explained == Explained::word) {
    explanation.title =
        w.format("The weight of \"{}\" in its sentence", scene.reading().word(*model.picked));
    explain_word(scene, lines);
  } else if (p.explained == Explained::state || p.explained == Explained::vector) {
    explanation.title = number_title(scene);
    explain_number(scene, lines);
  } else {
    explanation.title = w.format("The weight of sentence {}", model.picked->sentence + 1);
    explain_sentence(scene, lines);
  }
  explanation.lines = lines.take();
  return explanation;
}

}  // namespace lab::documents
