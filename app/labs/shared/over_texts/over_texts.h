// What models that have read do over the texts that came with them, which they did not learn from,
// and how labs show it.
#pragma once

#include "app/labs/shared/model/published_model.h"
#include "core/checkpoint/over_texts/changed.h"
#include "core/checkpoint/over_texts/precision.h"
#include "core/checkpoint/over_texts/text_scores.h"
#include "core/task/inside/interventions.h"

namespace lab {

// --- heads that see less, say nothing, or are held against what counts

// Over the first `most` tokens of each text.
struct OverTexts {
  enum class What { sinks, ablated, explained };
  What what = What::sinks;
  Index most = 0;
  core::checkpoint::WindowLosses windows = {};  // of sinks
  core::checkpoint::Explained explained = {};
  MatrixD cells = {};  // (layers, heads) of the others
};
struct OverTextsKey {
  std::shared_ptr<const PublishedModel> opened;
  OverTexts::What what = OverTexts::What::sinks;
  bool operator==(const OverTextsKey&) const = default;
};
OverTexts over_texts(const OverTextsKey& key, const Run& run);

// `scores`: of all heads over these texts. A click on a cell sets "layer" and "head".
struct OverView {
  const PublishedModel& opened;
  const OverTexts& over;
  const core::checkpoint::AllHeadScores& scores;
  core::task::HeadIndex place;
  const Words& w;
};
std::vector<Figure> over_figures(const OverView& view);

// --- how well it guesses, beside others

// Figures, and the bits a byte of the model and of the best of the others; a note where nobody
// measured them.
void add_comparison(const PublishedModel& opened, const Words& w, Page& page);

// --- numbers rounded

inline constexpr Index kPrecisionTokens = 24;
// Over each second text, and of it the first tokens: as many as seconds allow.
struct Precision {
  Index texts = 0;
  core::checkpoint::RoundedLosses losses = {};
};
struct PrecisionKey {
  std::shared_ptr<const PublishedModel> opened;
  int offset = 0;  // where the first token stands when ids and tables are rounded
  bool operator==(const PrecisionKey&) const = default;
};
Precision measure_precision(const PrecisionKey& key, const Run& run);

struct PrecisionView {
  const PublishedModel& opened;
  const Precision& precision;
  const core::checkpoint::RoundedNext& next;  // of the text that is shown
  int offset;
  const Words& w;
};
std::vector<Figure> precision_figures(const PrecisionView& view);

}  // namespace lab
