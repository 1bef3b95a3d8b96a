#include "core/task/document/document_fit.h"

#include <algorithm>

namespace core::task {
namespace {

// One in so many words that are no evidence is read as unknown, so that a word never seen later is
// nothing to go by.
constexpr std::uint32_t kUnknownOneIn = 30;

void forget_some(const Document& document, EncodedDocument& encoded, Random& random) {
  for (std::size_t s = 0; s < encoded.sentences.size(); ++s) {
    const bool tells = std::any_of(
        document.evidence.begin(), document.evidence.end(),
        [&](const auto& position) { return position.sentence == static_cast<Index>(s); });
    for (std::int32_t& id : encoded.sentences[s]) {
      if (random.below(kUnknownOneIn) == 0 && !tells) id = Vocabulary::kUnknown;
    }
  }
}

}  // namespace

std::vector<EncodedDocument> FitOfDocuments::draw(const DocumentModel& model, std::uint64_t seed,
                                                  Index count, bool held) {
  Random random(stream_seed(seed, fit_streams::kDropout));
  std::vector<EncodedDocument> encoded;
  for (const Document& one : draw_documents(model.task, seed, count, held)) {
    encoded.push_back(model.encoded(one));
    if (!held) forget_some(one, encoded.back(), random);
  }
  return encoded;
}

DocumentFit::DocumentFit(const DocumentTask& task, const DocumentForm& form,
                         const FitOptions& options)
    : Fit(options, task, form, words_of(task)) {}

}  // namespace core::task
