#include "core/task/inside/head_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/heads/statistics.h"
#include "core/parallel.h"
#include "core/refuse.h"

namespace core::task {
namespace {

constexpr HeadScore HeadScores::*kHeadScores[] = {
    &HeadScores::previous_token, &HeadScores::duplicate_token,
    &HeadScores::induction,      &HeadScores::same_class,
    &HeadScores::first_token,    &HeadScores::uniform,
    &HeadScores::right_position, &HeadScores::right_position_largest,
    &HeadScores::punctuation,    &HeadScores::headword,
    &HeadScores::opening};

void count_in(HeadScore& score, double value, double even) {
  score.mean += value;
  score.even += even;
  ++score.positions;
}

// The weights of a token and of how many tokens they are.
struct Gathered {
  double weight = 0;
  Index tokens = 0;
  void take(float w) {
    weight += static_cast<double>(w);
    ++tokens;
  }
  void count_in(HeadScore& score, double all) const {
    if (tokens > 0) task::count_in(score, weight, static_cast<double>(tokens) / all);
  }
};

double entropy_of(const Eigen::Ref<const Eigen::RowVectorXf>& weights) {
  const auto w = weights.array().cast<double>();
  return -(w > 0).select(w * w.max(std::numeric_limits<double>::min()).log(), 0.0).sum();
}

}  // namespace

bool HeadMeter::alike(std::int32_t a, std::int32_t b) const {
  if (classes_.empty()) return false;
  const TokenClass of = classes_[static_cast<std::size_t>(a)];
  return of != TokenClass::none && of == classes_[static_cast<std::size_t>(b)];
}

void HeadMeter::add(const Sequence& sequence, const Eigen::Ref<const Matrix>& weights) {
  const auto n = static_cast<Index>(sequence.ids.size());
  if (weights.rows() != n || weights.cols() != n) {
    refuse("head scores", "weights of " + shape_text(n, n), shape_text(weights));
  }
  const auto& ids = sequence.ids;
  for (Index t = 0; t < n; ++t) {
    const auto at = static_cast<std::size_t>(t);
    const auto row = weights.row(t);
    const auto all = static_cast<double>(t + 1);
    Gathered same, behind, kin;
    for (Index s = 0; s < t; ++s) {
      if (ids[static_cast<std::size_t>(s)] != ids[at]) {
        if (alike(ids[static_cast<std::size_t>(s)], ids[at])) kin.take(row(s));
        continue;
      }
      same.take(row(s));
      behind.take(row(s + 1));
    }
    kin.count_in(sums_.same_class, all);
    same.count_in(sums_.duplicate_token, all);
    behind.count_in(sums_.induction, all);
    if (heads::has_choice(t + 1)) {
      count_in(sums_.previous_token, static_cast<double>(row(t - 1)), 1 / all);
      count_in(sums_.first_token, static_cast<double>(row(0)), 1 / all);
      count_in(sums_.uniform, entropy_of(row.head(t + 1)) / std::log(all), 1);
    }
    if (const Index source = sequence.source[at]; source >= 0) {
      Index largest = 0;
      row.head(t + 1).maxCoeff(&largest);
      count_in(sums_.right_position, static_cast<double>(row(source)), 1 / all);
      count_in(sums_.right_position_largest, largest == source ? 1 : 0, 1 / all);
    }
  }
}

void HeadMeter::add_marks(const TextMarks& marks, const Eigen::Ref<const Matrix>& weights) {
  const auto n = static_cast<Index>(marks.opened.size());
  if (weights.rows() != n || weights.cols() != n) {
    refuse("head scores", "weights of " + shape_text(n, n), shape_text(weights));
  }
  for (Index t = 0; t < n; ++t) {
    const auto row = weights.row(t);
    const auto all = static_cast<double>(t + 1);
    const bool in_headword = marks.headword[static_cast<std::size_t>(t)] != 0;
    Gathered points, head;
    for (Index s = 0; s < t; ++s) {
      if (marks.punctuation[static_cast<std::size_t>(s)] != 0) points.take(row(s));
      if (marks.headword[static_cast<std::size_t>(s)] != 0 && !in_headword) head.take(row(s));
    }
    points.count_in(sums_.punctuation, all);
    head.count_in(sums_.headword, all);
    const Index opened = marks.opened[static_cast<std::size_t>(t)];
    if (opened >= 0 && opened < t) {
      count_in(sums_.opening, static_cast<double>(row(opened)), 1 / all);
    }
  }
}

void HeadMeter::add(const HeadMeter& other) {
  for (const auto score : kHeadScores) {
    HeadScore& to = sums_.*score;
    const HeadScore& from = other.sums_.*score;
    to.mean += from.mean;
    to.even += from.even;
    to.positions += from.positions;
  }
}

HeadScores HeadMeter::scores() const {
  HeadScores means = sums_;
  for (const auto score : kHeadScores) {
    HeadScore& one = means.*score;
    if (one.positions == 0) continue;
    one.mean /= static_cast<double>(one.positions);
    one.even /= static_cast<double>(one.positions);
  }
  return means;
}

std::vector<std::vector<HeadScores>> head_scores(const SequenceModel& model, const float* values,
                                                 const std::vector<Sequence>& sequences,
                                                 int threads, const model::Edit<float>* edit) {
  const Index layers = model.form.layers, heads = model.form.layer.heads;
  // Meters of the layers one after another; the weights of the sequences are held by rounds, so
  // that each meter adds up in the sequences' order.
  std::vector<HeadMeter> meters(static_cast<std::size_t>(layers * heads),
                                HeadMeter(token_classes(model.task)));
  const auto all = static_cast<Index>(sequences.size());
  constexpr Index kRound = 16;
  for (Index first = 0; first < all; first += kRound) {
    const Index count = std::min(kRound, all - first);
    std::vector<LookedSequence> looked(static_cast<std::size_t>(count));
    parallel_for(count, threads, [&](Index k, int) {
      looked[static_cast<std::size_t>(k)] =
          look(model, values, sequences[static_cast<std::size_t>(first + k)].ids, edit, nullptr,
               "weights");
    });
    parallel_for(layers * heads, threads, [&](Index unit, int) {
      const Index layer = unit / heads, head = unit % heads;
      const std::string name = "decoder." + std::to_string(layer) + ".self.weights";
      for (Index k = 0; k < count; ++k) {
        const Sequence& sequence = sequences[static_cast<std::size_t>(first + k)];
        const auto n = static_cast<Index>(sequence.ids.size());
        const float* at = looked[static_cast<std::size_t>(k)].trace.at(name).values.data();
        meters[static_cast<std::size_t>(unit)].add(
            sequence, Eigen::Map<const Matrix>(at + head * n * n, n, n));
      }
    });
  }
  std::vector<std::vector<HeadScores>> out(static_cast<std::size_t>(layers));
  for (Index unit = 0; unit < layers * heads; ++unit) {
    out[static_cast<std::size_t>(unit / heads)].push_back(
        meters[static_cast<std::size_t>(unit)].scores());
  }
  return out;
}

}  // namespace core::task
