#include "core/checkpoint/over_texts/precision.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/checkpoint/inside/rounded_rotation.h"
#include "core/precision/convert.h"

namespace core::checkpoint {
namespace {

constexpr RoundingRule kRule{Rounding::nearest_even, Overflow::saturate};

void round_some(float* at, Index count, const Format& format) {
  const ConvertOptions options{.rule = kRule, .threads = 1};
  if (bit_count(format) > 8) return round_floats(format, at, at, count, options);
  Eigen::Map<Eigen::ArrayXf> numbers(at, count);
  const float largest = numbers.abs().maxCoeff();
  if (!(largest > 0) || !std::isfinite(largest)) return;
  const auto scale = largest / static_cast<float>(max_finite(format));
  numbers /= scale;
  round_floats(format, at, at, count, options);
  numbers *= scale;
}

// Matrices are rounded once, before the first pass.
class RoundingEdit final : public PassEdit {
 public:
  RoundingEdit(const Model& model, const RoundedCase& what, const Format& format,
               const Cancel& cancel)
      : what_(what), format_(format) {
    if (what.part != RoundedPart::weights) return;
    const auto& declared = model.weights().declared();
    matrices_.resize(declared.size());
    for (std::size_t at = 0; at < declared.size(); ++at) {
      if (declared[at].rows > 1) matrices_[at] = rounded(*model.weights().matrix({at}, cancel));
    }
  }

  Weights::Stored matrix(const Parameter& of, Weights::Stored stored) const override {
    return of.at < matrices_.size() && matrices_[of.at] ? matrices_[of.at] : stored;
  }
  void given(Matrix& rows) const override {
    if (what_.part == RoundedPart::activations) round_scaled(rows, format_, what_.group);
  }
  void kept(Matrix& keys, Matrix& values) const override {
    if (what_.part != RoundedPart::cache) return;
    round_scaled(keys, format_, what_.group);
    round_scaled(values, format_, what_.group);
  }

 private:
  Weights::Stored rounded(const decode::StoredMatrix& from) const {
    Matrix numbers(from.rows(), from.cols());
    for (Index r = 0; r < from.rows(); ++r) from.read(r, numbers.row(r).data());
    round_scaled(numbers, format_, what_.group);
    const auto to = std::make_shared<decode::StoredMatrix>(from.rows(), from.cols());
    for (Index r = 0; r < from.rows(); ++r) to->put(r, numbers.row(r).data());
    return to;
  }

  RoundedCase what_;
  Format format_;
  std::vector<Weights::Stored> matrices_;  // by the parameter's place
};

bool rotates(const RoundedCase& what) {
  return what.part == RoundedPart::ids || what.part == RoundedPart::tables;
}

// Turns from `offset` on; without a format exact ones.
ForwardOptions<float> rotated_from(Index offset, const RoundedCase& what,
                                   const std::optional<Format>& format) {
  RotaryRounding rounding{.carrier = kFloat64};
  if (format) {
    rounding.low = *format;
    rounding.rule = kRule;
    rounding.steps = {what.part == RoundedPart::ids ? RotaryStep::id : RotaryStep::table};
  }
  ForwardOptions<float> options;
  options.first_position = offset;
  options.rotary_table = [rounding](const VectorD& frequencies, const VectorD& positions,
                                    double multiplier) {
    return rounded_rotary_table(frequencies, positions, multiplier, rounding, 1);
  };
  return options;
}

// Calls f(case, format's number, the pass) for all cases that the model has.
template <class Fn>
void each_case(const Model& model, Index offset, const Cancel& cancel, Fn f) {
  const auto& cases = rounded_cases();
  const auto& formats = rounded_formats();
  const auto all = static_cast<float>(cases.size() * formats.size());
  float done = 0;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    for (std::size_t k = 0; k < formats.size(); ++k) {
      cancel.poll();
      if (!rotates(cases[c]) || model.facts().positions.rotary) {
        f(c, k, RoundedPass(model, cases[c], formats[k].format, offset, cancel.without_progress()));
      }
      cancel.progress(++done / all);
    }
  }
}

}  // namespace

const std::array<RoundedCase, 11>& rounded_cases() {
  using enum RoundedPart;
  using enum ScaleGroup;
  static constexpr std::array<RoundedCase, 11> kAll{{{ids, tensor},
                                                     {tables, tensor},
                                                     {weights, tensor},
                                                     {weights, row},
                                                     {weights, block},
                                                     {activations, tensor},
                                                     {activations, row},
                                                     {activations, block},
                                                     {cache, tensor},
                                                     {cache, row},
                                                     {cache, block}}};
  return kAll;
}

const std::array<NamedFormat, 6>& rounded_formats() {
  static constexpr std::array<NamedFormat, 6> kAll{{{"float16", kFloat16},
                                                    {"bfloat16", kBFloat16},
                                                    {"e4m3fn", kFp8E4m3},
                                                    {"e5m2", kFp8E5m2},
                                                    {"e2m3", kFp6E2m3},
                                                    {"e2m1", kFp4E2m1}}};
  return kAll;
}

void round_scaled(Matrix& x, const Format& format, ScaleGroup group) {
  if (group == ScaleGroup::tensor) return round_some(x.data(), x.size(), format);
  const Index width = group == ScaleGroup::row ? x.cols() : kScaleBlock;
  for (Index r = 0; r < x.rows(); ++r) {
    for (Index c = 0; c < x.cols(); c += width) {
      round_some(x.row(r).data() + c, std::min(width, x.cols() - c), format);
    }
  }
}

RoundedPass::RoundedPass(const Model& model, const RoundedCase& what, const Format& format,
                         Index offset, const Cancel& cancel) {
  if (rotates(what)) {
    options_ = rotated_from(offset, what, format);
    return;
  }
  edit_ = std::make_unique<RoundingEdit>(model, what, format, cancel);
  options_.edit = edit_.get();
}

RoundedLosses rounded_losses(const Model& model, const std::vector<TokenText>& texts, Index offset,
                             int threads, const Cancel& cancel) {
  const Cancel quiet = cancel.without_progress();
  const TextLoss plain = text_loss(model, texts, {}, threads, quiet);
  const TextLoss there = model.facts().positions.rotary
                             ? text_loss(model, texts, rotated_from(offset, {}, {}), threads, quiet)
                             : plain;
  RoundedLosses losses;
  each_case(model, offset, cancel, [&](std::size_t c, std::size_t k, const RoundedPass& pass) {
    const TextLoss& exact = rotates(rounded_cases()[c]) ? there : plain;
    const TextLoss other = text_loss(model, texts, pass.options(), threads, quiet);
    losses[c][k] = {other.mean() - exact.mean(), changed_share(exact, other)};
  });
  return losses;
}

RoundedNext rounded_next(const Model& model, const TokenText& text, Index offset, int threads,
                         const Cancel& cancel) {
  RoundedNext next;
  const auto say = [&](ForwardOptions<float> options) {
    options.keep_weights = options.keep_layers = false;
    options.logits = Logits::last;
    options.threads = threads;
    const Matrix logits =
        model.forward({.tokens = text}, options, cancel.without_progress()).logits;
    Index best = 0;
    logits.row(0).maxCoeff(&best);
    return static_cast<std::int32_t>(best);
  };
  next.exact = say({});
  for (auto& row : next.rounded) row.fill(next.exact);
  each_case(model, offset, cancel, [&](std::size_t c, std::size_t k, const RoundedPass& pass) {
    next.rounded[c][k] = say(pass.options());
  });
  return next;
}

std::size_t breaks_at(const std::array<RoundedLoss, 6>& losses, double least) {
  const auto broken = [&](const RoundedLoss& one) { return !(one.rise <= least); };
  return static_cast<std::size_t>(std::find_if(losses.begin(), losses.end(), broken) -
                                  losses.begin());
}

}  // namespace core::checkpoint
