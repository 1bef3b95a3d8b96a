#include "core/task/document/document_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/model/layer/cross_entropy.h"
#include "core/parallel.h"

namespace core::task {
namespace {

// Documents that are read at once.
constexpr Index kDocumentsTogether = 32;

DocumentForm of_task(DocumentForm form, const DocumentTask& task, Index words) {
  form.words = words;
  form.classes = classes_of(task);
  return form;
}

// each(tape, batch, first, count) for every part of the documents, forward only.
template <class Each>
void in_parts(const DocumentModel& model, const float* values,
              const std::vector<EncodedDocument>& documents, int threads, Each each) {
  const auto all = static_cast<Index>(documents.size());
  parallel_for(ceil_div(all, kDocumentsTogether), threads, [&](Index k, int) {
    const model::ObjectPool<model::Tape<float>>::Use tape(model.tapes);
    const Index first = k * kDocumentsTogether, count = std::min(kDocumentsTogether, all - first);
    DocumentBatch batch;
    batch.fill(documents, first, count);
    tape->begin(values, nullptr, {.differentiates = false});
    each(*tape, batch, first, count);
  });
}

}  // namespace

Index EncodedDocument::words() const {
  Index all = 0;
  for (const auto& sentence : sentences) all += static_cast<Index>(sentence.size());
  return all;
}

EncodedDocument encode(const Vocabulary& vocabulary, const Document& document) {
  EncodedDocument encoded{{}, static_cast<std::int32_t>(document.label)};
  for (const std::vector<std::string>& sentence : document.sentences) {
    std::vector<std::int32_t>& ids = encoded.sentences.emplace_back();
    for (const std::string& word : sentence) ids.push_back(vocabulary.id(word));
  }
  return encoded;
}

EncodedDocument without(const EncodedDocument& document, Document::WordPosition word) {
  EncodedDocument less = document;
  const auto sentence = less.sentences.begin() + word.sentence;
  sentence->erase(sentence->begin() + word.word);
  if (sentence->empty()) less.sentences.erase(sentence);
  return less;
}

void DocumentBatch::fill(const std::vector<EncodedDocument>& documents, Index first, Index count) {
  sentences_ = words_ = 1;
  labels_.clear();
  sentence_counts_.clear();
  const auto begin = documents.begin() + first, end = begin + count;
  for (auto one = begin; one != end; ++one) {
    labels_.push_back(one->label);
    sentence_counts_.push_back(std::max<Index>(1, static_cast<Index>(one->sentences.size())));
    sentences_ = std::max(sentences_, sentence_counts_.back());
    for (const auto& sentence : one->sentences) {
      words_ = std::max(words_, static_cast<Index>(sentence.size()));
    }
  }
  word_counts_.assign(static_cast<std::size_t>(count * sentences_), 0);
  ids_.assign(static_cast<std::size_t>(count * sentences_ * words_), Vocabulary::kStart);
  Index row = 0;
  for (auto one = begin; one != end; ++one, row += sentences_) {
    for (std::size_t s = 0; s < one->sentences.size(); ++s) {
      const auto& sentence = one->sentences[s];
      const Index at = row + static_cast<Index>(s);
      word_counts_[static_cast<std::size_t>(at)] = static_cast<Index>(sentence.size());
      std::copy(sentence.begin(), sentence.end(), ids_.begin() + at * words_);
    }
  }
}

model::Documents DocumentBatch::documents() const {
  return {.batch = static_cast<Index>(labels_.size()),
          .sentences = sentences_,
          .words = words_,
          .sentence_counts = sentence_counts_.data(),
          .word_counts = word_counts_.data()};
}

DocumentModel::DocumentModel(const DocumentTask& of, const DocumentForm& as,
                             std::vector<std::string> words)
    : task(of), vocabulary(std::move(words)), form(of_task(as, of, vocabulary.size())) {
  net = model::HierarchicalAttention::declare(model::Scope(layout), form);
}

DocumentScore score(const DocumentModel& model, const float* values,
                    const std::vector<EncodedDocument>& documents, int threads) {
  std::vector<DocumentScore> scores(
      static_cast<std::size_t>(ceil_div(static_cast<Index>(documents.size()), kDocumentsTogether)));
  in_parts(model, values, documents, threads,
           [&](model::Tape<float>& tape, const DocumentBatch& batch, Index first, Index count) {
             const auto z = model.net(tape, batch.ids(), batch.documents()).logits;
             DocumentScore& one = scores[static_cast<std::size_t>(first / kDocumentsTogether)];
             one.documents = count;
             one.right = model::hits(z, batch.labels());
             one.loss = *model::cross_entropy(tape, z, batch.labels(), 1.0F).value;
           });
  DocumentScore sum;
  for (const DocumentScore& one : scores) {
    sum.documents += one.documents;
    sum.right += one.right;
    sum.loss += one.loss;
  }
  if (sum.documents > 0) sum.loss /= static_cast<double>(sum.documents);
  return sum;
}

Matrix logits(const DocumentModel& model, const float* values,
              const std::vector<EncodedDocument>& documents, int threads) {
  Matrix all(static_cast<Index>(documents.size()), model.form.classes);
  in_parts(model, values, documents, threads,
           [&](model::Tape<float>& tape, const DocumentBatch& batch, Index first, Index count) {
             all.middleRows(first, count) =
                 model.net(tape, batch.ids(), batch.documents()).logits.matrix();
           });
  return all;
}

LookedDocument look(const DocumentModel& model, const float* values,
                    const EncodedDocument& document) {
  const model::ObjectPool<model::Tape<float>>::Use tape(model.tapes);
  DocumentBatch batch;
  batch.fill({document}, 0, 1);
  tape->begin(values, nullptr, {.differentiates = false});
  const auto read = model.net(*tape, batch.ids(), batch.documents());
  const auto level = [](const auto& pooled, Matrix inputs) {
    return LookedLevel{std::move(inputs), pooled.states.matrix(), pooled.found.scores.matrix(),
                       pooled.found.weights.matrix()};
  };
  const auto table = tape->parameter(model.net.embedding).matrix();
  const Index rows = batch.documents().rows();
  Matrix embedded(rows, table.cols());
  for (Index i = 0; i < rows; ++i) embedded.row(i) = table.row(batch.ids()[i]);
  LookedDocument looked{level(read.words, std::move(embedded)),
                        level(read.sentences, read.words.found.context.matrix()),
                        {},
                        {}};
  looked.document = read.sentences.found.context.matrix().row(0).cast<double>();
  looked.logits = read.logits.matrix().row(0).cast<double>();
  return looked;
}

double log_odds(const VectorD& logits, Index label) {
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;
  for (Index c = 0; c < logits.size(); ++c) {
    if (c != label) largest = std::max(largest, logits[c]);
  }
  for (Index c = 0; c < logits.size(); ++c) {
    if (c != label) sum += std::exp(logits[c] - largest);
  }
  return logits[label] - largest - std::log(sum);
}

std::vector<std::vector<double>> worth_of_words(const DocumentModel& model, const float* values,
                                                const EncodedDocument& document, int threads) {
  std::vector<EncodedDocument> all{document};
  for (std::size_t s = 0; s < document.sentences.size(); ++s) {
    for (std::size_t t = 0; t < document.sentences[s].size(); ++t) {
      all.push_back(without(document, {static_cast<Index>(s), static_cast<Index>(t)}));
    }
  }
  const MatrixD z = logits(model, values, all, threads).cast<double>();
  Index label = 0;
  z.row(0).maxCoeff(&label);
  const double whole = log_odds(z.row(0), label);
  std::vector<std::vector<double>> worth;
  Index row = 1;
  for (const auto& sentence : document.sentences) {
    std::vector<double>& words = worth.emplace_back();
    for (std::size_t t = 0; t < sentence.size(); ++t) {
      words.push_back(whole - log_odds(z.row(row++), label));
    }
  }
  return worth;
}

}  // namespace core::task
