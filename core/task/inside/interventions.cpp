#include "core/task/inside/interventions.h"

#include <algorithm>
#include <utility>

#include "core/parallel.h"
#include "core/precision/convert.h"
#include "core/refuse.h"

namespace core::task {
namespace {

constexpr RoundingRule kToLargest{.overflow = Overflow::saturate};

std::string heads_name(Index layer) { return "decoder." + std::to_string(layer) + ".self.heads"; }

bool is_cached(std::string_view name) {
  return name.ends_with(".self.keys") || name.ends_with(".self.values");
}

}  // namespace

HeadMeans head_means(const SequenceModel& model, const float* values,
                     const std::vector<Sequence>& sequences, int threads) {
  const auto all = static_cast<Index>(sequences.size());
  const Index layers = model.form.layers, d = model.form.layer.d_model;
  // (layers, d_model) a sequence, added up in their order.
  std::vector<MatrixD> sums(sequences.size());
  parallel_for(all, threads, [&](Index k, int) {
    const auto at = static_cast<std::size_t>(k);
    const LookedSequence looked = look(model, values, sequences[at].ids);
    sums[at].resize(layers, d);
    for (Index layer = 0; layer < layers; ++layer) {
      const auto& heads = looked.trace.at(heads_name(layer));
      sums[at].row(layer) = Eigen::Map<const Matrix>(heads.values.data(), heads.size() / d, d)
                                .cast<double>()
                                .colwise()
                                .sum();
    }
  });
  MatrixD sum = MatrixD::Zero(layers, d);
  double tokens = 0;
  for (std::size_t k = 0; k < sequences.size(); ++k) {
    sum += sums[k];
    tokens += static_cast<double>(sequences[k].ids.size());
  }
  HeadMeans means;
  for (Index layer = 0; layer < layers; ++layer) {
    means.emplace_back((sum.row(layer) / std::max(1.0, tokens)).cast<float>());
  }
  return means;
}

InterventionEdit::InterventionEdit(const SequenceModel& model, Intervention what)
    : what_(std::move(what)), width_(model.form.layer.d_model / model.form.layer.heads) {
  const Index layers = model.form.layers, heads = model.form.layer.heads;
  for (const auto& [layer, head] : what_.heads) {
    if (layer < 0 || layer >= layers || head < 0 || head >= heads) {
      refuse("knock out", "a head of " + shape_text(layers, heads),
             "head " + std::to_string(head) + " of layer " + std::to_string(layer));
    }
    names_.push_back(heads_name(layer));
  }
  const auto wide = [&](const Vector& mean) { return mean.size() == model.form.layer.d_model; };
  if (!what_.means.empty() && (static_cast<Index>(what_.means.size()) != layers ||
                               !std::all_of(what_.means.begin(), what_.means.end(), wide))) {
    refuse("knock out", "means of every layer", std::to_string(what_.means.size()) + " of others");
  }
}

void InterventionEdit::operator()(std::string_view name, const model::Tensor<float>& t,
                                  const model::Sequences&) const {
  for (std::size_t k = 0; k < names_.size(); ++k) {
    if (names_[k] == name) ablate(what_.heads[k], t);
  }
  if (what_.cache && is_cached(name)) {
    round_floats(*what_.cache, t.value, t.value, t.size(), {.rule = kToLargest, .threads = 1});
  }
}

void InterventionEdit::ablate(const HeadIndex& place, const model::Tensor<float>& t) const {
  auto columns = t.matrix().middleCols(place.head * width_, width_);
  if (what_.means.empty()) {
    columns.setZero();
    return;
  }
  const Vector& mean = what_.means[static_cast<std::size_t>(place.layer)];
  columns.rowwise() = mean.segment(place.head * width_, width_).transpose();
}

std::vector<float> rounded_parameters(const SequenceModel& model, const float* values,
                                      const Format& format) {
  std::vector<float> out(static_cast<std::size_t>(model.layout.size()));
  round_floats(format, values, out.data(), model.layout.size(), {.rule = kToLargest, .threads = 1});
  return out;
}

OtherPositions with_positions(const SequenceModel& model, const float* values,
                              model::Scheme scheme) {
  if (scheme != model.form.positions.scheme && model::entry(scheme).learns) {
    refuse("positions", "a scheme without parameters of its own", "one that has to be learned");
  }
  model::DecoderForm form = model.form;
  form.positions.scheme = scheme;
  auto made = std::make_shared<const SequenceModel>(model.task, form);
  std::vector<float> copied(static_cast<std::size_t>(made->layout.size()));
  for (const model::Parameter& parameter : made->layout.parameters()) {
    const model::Slot& from = model.layout.find(parameter.name)->slot;
    std::copy_n(values + from.offset, from.size(), copied.data() + parameter.slot.offset);
  }
  return {std::move(made), std::move(copied)};
}

Mask without_tokens(Index length, const std::vector<Index>& tokens) {
  BoolMatrix allowed = BoolMatrix::Constant(length, length, true);
  for (const Index token : tokens) {
    if (token < 0 || token >= length) {
      refuse("mask", "a token below " + std::to_string(length), std::to_string(token));
    }
    allowed.col(token).setConstant(false);
  }
  return Mask::causal(length, length) & Mask::dense(std::move(allowed));
}

}  // namespace core::task
