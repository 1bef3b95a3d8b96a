#include "core/model/pass_tensors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/attention/softmax.h"
#include "core/model/layer/norm_moments.h"

namespace core::model {
namespace {

using Kind = BlockKind;
using Part = TensorPart;

// Where the numbers come from: a parameter, an activation with rows of queries or of keys, a matrix
// for each head, or elsewhere.
enum class From { parameter, rows, key_rows, heads, others };

struct Entry {
  Kind block;
  Part part;
  From from;
  // What the columns count, for a parameter rows and columns ("g·d_k" is d_model if every head has
  // keys of its own); and the name after that of the block.
  std::string_view symbol, letters, name = {};
};

constexpr Entry kEntries[] = {
    {Kind::input, Part::table, From::parameter, "E", "V × d_model", "embedding"},
    {Kind::input, Part::embedded, From::rows, "E[id]", "d_model", "embedded"},
    {Kind::input, Part::positions, From::others, "P", "d_model"},
    {Kind::input, Part::result, From::rows, "x", "d_model", "placed"},
    {Kind::attention, Part::query_weight, From::parameter, "W_Q", "d_model × d_model",
     "query.weight"},
    {Kind::attention, Part::key_weight, From::parameter, "W_K", "d_model × g·d_k", "key.weight"},
    {Kind::attention, Part::value_weight, From::parameter, "W_V", "d_model × g·d_k",
     "value.weight"},
    {Kind::attention, Part::queries, From::rows, "Q", "d_model", "queries"},
    {Kind::attention, Part::keys, From::key_rows, "K", "g·d_k", "keys"},
    {Kind::attention, Part::values, From::key_rows, "V", "g·d_k", "values"},
    {Kind::attention, Part::scores, From::heads, "Q·Kᵀ / √d_k", ""},
    {Kind::attention, Part::weights, From::heads, "softmax", ""},
    {Kind::attention, Part::heads, From::rows, "[head₁ … head_h]", "d_model", "heads"},
    {Kind::attention, Part::output_weight, From::parameter, "W_O", "d_model × d_model",
     "output.weight"},
    {Kind::attention, Part::result, From::rows, "· W_O", "d_model", "output"},
    {Kind::norm, Part::sum, From::rows, "f(x)", "d_model", "sum"},
    {Kind::norm, Part::moments, From::others, "μ, σ", "2"},
    {Kind::norm, Part::result, From::rows, "norm", "d_model", "after"},
    {Kind::feed_forward, Part::up_weight, From::parameter, "W_1", "d_model × d_ff", "up.weight"},
    {Kind::feed_forward, Part::up, From::rows, "x·W_1 + b_1", "d_ff", "up"},
    {Kind::feed_forward, Part::active, From::rows, "f", "d_ff", "active"},
    {Kind::feed_forward, Part::down_weight, From::parameter, "W_2", "d_ff × d_model",
     "down.weight"},
    {Kind::feed_forward, Part::result, From::rows, "· W_2 + b_2", "d_model", "down"},
    {Kind::out, Part::result, From::rows, "out", "d_model", "out"},
    {Kind::output, Part::logits, From::rows, "logits", "V", "logits"},
    {Kind::output, Part::result, From::others, "softmax", "V"}};

bool has(const BlockPlace& place, const Entry& entry) {
  return entry.block == place.block &&
         (entry.block != Kind::norm || place.normed() || entry.part == Part::sum);
}

const Entry& entry_of(const BlockPlace& place, Part part) {
  const Entry* found = nullptr;
  for (const Entry& one : kEntries) {
    if (!has(place, one)) continue;
    found = &one;
    if (one.part == part) break;
  }
  return *found;
}

std::string name_of(const BlockPlace& place, const Entry& entry) {
  const std::string name(entry.name);
  if (name.empty() || entry.part == Part::table) return name;
  if (entry.block == Kind::norm && entry.part == Part::result) return place.after_norm();
  const bool in_layer = entry.block == Kind::attention || entry.block == Kind::norm ||
                        entry.block == Kind::feed_forward;
  return (in_layer ? place.prefix() : place.side() + ".") + name;
}

std::string letters_of(const BlockPlace& place, const Entry& entry) {
  constexpr std::string_view kShared = "g·d_k";
  const std::string rows = place.decoder ? "m" : "n";
  const std::string keys = place.decoder && !place.cross() ? "m" : "n";
  if (entry.from == From::heads) return "h × " + rows + " × " + keys;
  std::string letters(entry.letters);
  const std::size_t at = letters.find(kShared);
  if (at != letters.npos && place.form.layer.key_heads == place.form.layer.heads) {
    letters.replace(at, kShared.size(), "d_model");
  }
  if (entry.from == From::parameter) return letters;
  return (entry.from == From::key_rows ? keys : rows) + " × " + letters;
}

// Hides the tokens after each query.
void mask(const BlockPlace& place, MatrixD& cells) {
  for (Index i = 0; place.causal() && i < cells.rows(); ++i) {
    cells.row(i)
        .tail(std::max<Index>(0, cells.cols() - i - 1))
        .setConstant(std::numeric_limits<double>::quiet_NaN());
  }
}

MatrixD computed(const EncoderDecoderPass& pass, const BlockPlace& place, Part part) {
  if (part == Part::positions) {
    return pass.tokens(place.side() + ".placed") - pass.tokens(place.side() + ".embedded");
  }
  if (part == Part::moments) return row_moments(pass.tokens(place.before_norm()));
  return softmax_rows<double>(pass.tokens("decoder.logits"));
}

// The loss is the mean of -log p of the next token.
MatrixD gradient_by_probabilities(const std::vector<std::int32_t>& next, const MatrixD& p) {
  MatrixD by = MatrixD::Zero(p.rows(), p.cols());
  for (Index i = 0; i < p.rows(); ++i) {
    const Index right = next[static_cast<std::size_t>(i)];
    by(i, right) = -1 / (p(i, right) * static_cast<double>(p.rows()));
  }
  return by;
}

MatrixD computed_gradient(const EncoderDecoderPass& pass, const BlockPlace& place,
                          const PassTensor& t) {
  const EncoderDecoderPass& by = *pass.gradients;
  if (t.part == Part::positions) return by.tokens(place.side() + ".placed");
  if (t.part != Part::moments) return gradient_by_probabilities(pass.ids.next, t.of(0));
  return gradient_by_row_moments(pass.tokens(place.before_norm()),
                                 pass.parameter(place.norm() + "gain").row(0),
                                 by.tokens(place.after_norm()));
}

}  // namespace

TensorFacts tensor_facts(const BlockPlace& place, TensorPart part) {
  const Entry& entry = entry_of(place, part);
  TensorFacts facts{.part = entry.part,
                    .symbol = std::string(entry.symbol),
                    .letters = letters_of(place, entry),
                    .name = name_of(place, entry),
                    .learned = entry.from == From::parameter,
                    .of_heads = entry.from == From::heads,
                    .probabilities = entry.symbol == "softmax"};
  if (facts.part == Part::embedded && place.form.scaled)
    facts.symbol = "√d_model · " + facts.symbol;
  if (facts.part == Part::sum && place.adds()) facts.symbol = "x + " + facts.symbol;
  if (facts.of_heads) {
    facts.rows = TensorAxis::query;
    facts.cols = TensorAxis::key;
  } else if (!facts.learned) {
    facts.rows = entry.from == From::key_rows ? TensorAxis::key_token : TensorAxis::token;
  }
  if (facts.part == Part::table) facts.rows = TensorAxis::word;
  if (entry.block == Kind::output) facts.cols = TensorAxis::word;
  return facts;
}

std::vector<TensorPart> parts_of(const BlockPlace& place) {
  std::vector<TensorPart> parts;
  for (const Entry& one : kEntries) {
    if (has(place, one)) parts.push_back(one.part);
  }
  return parts;
}

double PassTensor::largest() const {
  double largest = 0;
  for (const MatrixD& m : matrices) {
    largest = std::max(largest, m.cwiseAbs().maxCoeff<Eigen::PropagateNumbers>());
  }
  return largest;
}

double PassTensor::rms() const {
  double squares = 0;
  Index count = 0;
  for (const MatrixD& cells : matrices) {
    const MatrixD kept = cells.array().isNaN().select(0.0, cells);
    squares += kept.squaredNorm();
    count += (!cells.array().isNaN()).count();
  }
  return count > 0 ? std::sqrt(squares / static_cast<double>(count)) : 0;
}

std::string PassTensor::sizes() const {
  const std::string cells = std::to_string(row_count()) + " × " + std::to_string(col_count());
  return of_heads ? std::to_string(matrices.size()) + " × " + cells : cells;
}

PassTensor pass_tensor(const EncoderDecoderPass& pass, const BlockPlace& place, TensorPart part) {
  PassTensor t{tensor_facts(place, part)};
  for (Index h = 0; t.of_heads && h < pass.heads(); ++h) {
    t.matrices.push_back(t.part == Part::weights ? pass.head(place.prefix() + "weights", h)
                                                 : pass.scores(place.prefix(), h));
    mask(place, t.matrices.back());
  }
  if (t.of_heads) return t;
  t.matrices = {t.name.empty() ? computed(pass, place, t.part)
                : t.learned    ? pass.parameter(t.name)
                               : pass.tokens(t.name)};
  return t;
}

PassTensor pass_gradient(const EncoderDecoderPass& pass, const BlockPlace& place, TensorPart part) {
  if (!pass.gradients)
    refuse("pass_gradient", "a pass that was differentiated", "one that was not");
  const EncoderDecoderPass& by = *pass.gradients;
  PassTensor t = pass_tensor(pass, place, part);
  t.probabilities = false;
  for (Index h = 0; t.of_heads && h < pass.heads(); ++h) {
    MatrixD& cells = t.matrices[static_cast<std::size_t>(h)];
    cells = t.part == Part::scores ? pass.score_gradients(place.prefix(), h)
                                   : pass.weight_gradients(place.prefix(), h);
    mask(place, cells);
  }
  if (t.of_heads) return t;
  t.matrices = {t.name.empty() ? computed_gradient(pass, place, t)
                : t.learned    ? by.parameter(t.name)
                               : by.tokens(t.name)};
  return t;
}

}  // namespace core::model
