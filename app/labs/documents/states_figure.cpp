// The states of the words and of the sentences, and the means by their weights.
#include "app/labs/documents/page.h"

namespace lab::documents {
namespace {

// One of them: a row for each token, a column for each number.
struct Block {
  const char *id, *explained, *level, *row_param;
  std::string title, row_name;
  Matrix cells;
  Labels rows = nullptr;
  Index row = 0;  // the picked one
};

Plot plot_of(const Scene& scene, const Block& block) {
  const auto& [p, model, w] = scene;
  Plot plot{.id = block.id, .title = block.title};
  plot.x = cell_axis(w("feature"), block.cells.cols());
  plot.y = cell_axis(block.row_name, block.cells.rows(),
                     {.labels = block.rows, .marked = to_int(block.row)});
  plot.y.origin = -1;
  plot.x_param = "number";
  plot.y_param = block.row_param;
  const bool state = std::string_view(block.explained) == "state";
  const bool words = std::string_view(block.level) == "words";
  Heatmap map = lab::heatmap(block.cells, signed_scale(1));
  plot.click = sets("explain", block.explained, "level", block.level);
  if (words && state) add_sets(plot.click, "at_sentence", model.picked->sentence + 1);
  map.bar_label = w("state");
  map.color_bar = false;
  if (p.explained == (state ? Explained::state : Explained::vector) &&
      p.taken == (words ? Taken::words : Taken::sentences)) {
    map.pinned = {block.row, std::min<Index>(p.unit, block.cells.cols() - 1)};
  }
  plot.add(std::move(map));
  return plot;
}

Labels names(std::vector<std::string> all) { return labels(std::move(all)); }

// With a masked row for each that is left out.
Block word_states(const Scene& scene) {
  const Reading& reading = scene.reading();
  const WordPosition picked = *scene.model.picked;
  const LevelRows rows = word_rows(scene);
  const Index count = reading.count(picked.sentence);
  Matrix cells = Matrix::Constant(count, rows.looked.states.cols(), core::kMasked);
  std::vector<std::string> words;
  for (Index t = 0; t < count; ++t) {
    words.push_back(reading.word({picked.sentence, t}));
    if (const auto at = reading.in_kept({picked.sentence, t})) {
      cells.row(t) = rows.looked.states.row(rows.first + at->word);
    }
  }
  return {"states_words",
          "state",
          "words",
          "at_word",
          scene.w.format("h, words of sentence {}", picked.sentence + 1),
          scene.w("word"),
          cells,
          names(std::move(words)),
          picked.word};
}

Block of_sentences(const Scene& scene, bool states) {
  const Reading& reading = scene.reading();
  const core::task::LookedLevel& looked = reading.looked.sentences;
  const Matrix& of = states ? looked.states : looked.inputs;
  Matrix cells = Matrix::Constant(reading.sentences(), of.cols(), core::kMasked);
  std::vector<std::string> numbers;
  for (Index s = 0; s < reading.sentences(); ++s) {
    numbers.push_back(fmt::format("{}", s + 1));
    if (const auto at = reading.sentence_in_kept(s)) cells.row(s) = of.row(*at);
  }
  return {states ? "states_sentences" : "vectors",
          states ? "state" : "vector",
          states ? "sentences" : "words",
          "at_sentence",
          states ? scene.w("h of sentences") : scene.w("s, their words' means"),
          scene.w("sentence"),
          cells,
          names(std::move(numbers)),
          scene.model.picked->sentence};
}

Block document_vector(const Scene& scene) {
  Matrix cells = scene.reading().looked.document.transpose().cast<float>();
  return {"vector",
          "vector",
          "sentences",
          "",
          scene.w("v, the sentences' mean"),
          scene.w("document"),
          std::move(cells),
          names({"v"}),
          0};
}

}  // namespace

Figure states_figure(const Scene& scene) {
  const Words& w = scene.w;
  Figure figure =
      new_figure("states", w("The states, from words to document"), {.height = 300, .columns = 4});
  figure.caption =
      w("From the words of the picked sentence to the vector that is classified: states of words, "
        "their weighted means, states of sentences, and their weighted mean.");
  figure.pointer_caption = w("A click works out a component at the side.");
  return with(std::move(figure), plot_of(scene, word_states(scene)),
              plot_of(scene, of_sentences(scene, false)), plot_of(scene, of_sentences(scene, true)),
              plot_of(scene, document_vector(scene)));
}

}  // namespace lab::documents
