#include "core/task/document/document_focus.h"

#include <algorithm>

namespace core::task {
namespace {

std::vector<double> row_of(const Matrix& weights, Index row, Index count) {
  const auto part = weights.row(row).head(count).cast<double>();
  return {part.begin(), part.end()};
}

}  // namespace

double found(const std::vector<double>& values, const std::vector<Index>& wanted) {
  if (values.empty()) return 0;
  const double largest = *std::max_element(values.begin(), values.end());
  Index all = 0, hit = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k] != largest) continue;
    ++all;
    hit += std::find(wanted.begin(), wanted.end(), static_cast<Index>(k)) != wanted.end();
  }
  return static_cast<double>(hit) / static_cast<double>(all);
}

Focus focus(const DocumentModel& model, const float* values, const std::vector<Document>& documents,
            const Cancel& cancel, int threads) {
  Focus sum;
  Index sentences = 0;
  for (const Document& document : documents) {
    cancel.poll();
    const EncodedDocument encoded = model.encoded(document);
    const LookedDocument looked = look(model, values, encoded);
    const auto worth = worth_of_words(model, values, encoded, threads);
    std::vector<Index> evidence;
    for (const Document::WordPosition position : document.evidence) {
      const auto s = static_cast<std::size_t>(position.sentence);
      const auto words = static_cast<Index>(document.sentences[s].size());
      sum.word += found(row_of(looked.words.weights, position.sentence, words), {position.word});
      sum.left_out += found(worth[s], {position.word});
      sum.word_chance += 1 / static_cast<double>(words);
      evidence.push_back(position.sentence);
      ++sentences;
    }
    const auto count = static_cast<Index>(document.sentences.size());
    sum.sentence += found(row_of(looked.sentences.weights, 0, count), evidence);
    sum.sentence_chance +=
        static_cast<double>(evidence.size()) / static_cast<double>(document.sentences.size());
    for (std::size_t s = 0; s < worth.size(); ++s) {
      for (std::size_t t = 0; t < worth[s].size(); ++t) {
        sum.weights.push_back(looked.weight(static_cast<Index>(s), static_cast<Index>(t)));
        sum.worth.push_back(worth[s][t]);
      }
    }
  }
  sum.documents = static_cast<Index>(documents.size());
  const double of_documents = 1 / std::max(1.0, static_cast<double>(sum.documents));
  const double of_sentences = 1 / std::max(1.0, static_cast<double>(sentences));
  sum.sentence *= of_documents;
  sum.sentence_chance *= of_documents;
  sum.word *= of_sentences;
  sum.left_out *= of_sentences;
  sum.word_chance *= of_sentences;
  return sum;
}

}  // namespace core::task
