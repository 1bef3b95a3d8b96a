#include "app/labs/transformer/tensors.h"

#include "app/labs/shared/parts.h"
#include "app/labs/transformer/norms.h"
#include "core/enum_array.h"

namespace lab::transformer {
namespace {

constexpr double kHidden = std::numeric_limits<double>::quiet_NaN();

// What a part is called, and what its axes count: d is d_model, f d_ff, k d_k of the key heads.
struct PartFacts {
  std::string_view symbol, letters;
  std::string_view row_name, col_name;
};

std::string_view token_letter(const Spot& spot) { return spot.info().decoder ? "m" : "n"; }
std::string_view key_letter(const Spot& spot) {
  return spot.info().decoder && !spot.cross() ? "m" : "n";
}

Tensor plain(const Spot& spot, Part part, std::string symbol, std::string letters, MatrixD cells,
             std::string_view row_name = N_("row"), std::string_view col_name = N_("column")) {
  Tensor t;
  t.block = spot.block;
  t.part = part;
  t.symbol = std::move(symbol);
  t.letters = std::move(letters);
  t.sizes = fmt::format("{} × {}", cells.rows(), cells.cols());
  t.matrices.push_back(std::move(cells));
  t.row_name = row_name;
  t.col_name = col_name;
  return t;
}

// Rows of tokens.
Tensor tokens(const Spot& spot, Part part, std::string symbol, std::string_view width,
              const MatrixD& cells, bool keys = false) {
  const std::string_view letter = keys ? key_letter(spot) : token_letter(spot);
  Tensor t = plain(spot, part, std::move(symbol), fmt::format("{} × {}", letter, width), cells,
                   N_("token"), N_("feature"));
  t.rows = keys ? spot.key_names() : spot.rows();
  return t;
}

Labels words_of(const Spot& spot) { return labels(spot.texts.words); }

// --- inputs and outputs

Tensor of_input(const Spot& spot, Part part) {
  const Pass& pass = spot.pass;
  const MatrixD embedded = pass.tokens(spot.side() + ".embedded");
  const MatrixD placed = pass.tokens(spot.side() + ".placed");
  if (part == Part::table) {
    Tensor t = plain(spot, part, "E", "V × d_model", pass.parameter("embedding"), N_("word"),
                     N_("feature"));
    t.rows = words_of(spot);
    return t;
  }
  if (part == Part::embedded) {
    return tokens(spot, part, spot.pass.form.scaled ? "√d_model · E[id]" : "E[id]", "d_model",
                  embedded);
  }
  if (part == Part::positions) return tokens(spot, part, "P", "d_model", placed - embedded);
  return tokens(spot, Part::result, "x", "d_model", placed);
}

MatrixD softmax_rows(MatrixD x) {
  for (Index i = 0; i < x.rows(); ++i) {
    x.row(i) = (x.row(i).array() - x.row(i).maxCoeff()).exp().eval();
    x.row(i) /= x.row(i).sum();
  }
  return x;
}

Tensor of_output(const Spot& spot, Part part) {
  const MatrixD logits = spot.pass.tokens("decoder.logits");
  const bool raw = part == Part::logits;
  Tensor t = tokens(spot, raw ? part : Part::result, raw ? "logits" : "softmax", "V",
                    raw ? logits : softmax_rows(logits));
  t.cols = words_of(spot);
  t.col_name = N_("word");
  t.weights = !raw;
  return t;
}

// --- attention

Tensor of_heads(const Spot& spot, Part part) {
  const Pass& pass = spot.pass;
  const bool weights = part == Part::weights;
  Tensor t;
  t.block = spot.block;
  t.part = part;
  t.symbol = weights ? "softmax" : "Q·Kᵀ / √d_k";
  t.of_heads = true;
  t.weights = weights;
  t.rows = spot.rows();
  t.cols = spot.key_names();
  t.row_name = N_("query");
  t.col_name = N_("key");
  const MatrixD queries = pass.tokens(spot.in_sub() + "queries");
  const MatrixD keys = pass.tokens(spot.in_sub() + "keys");
  const Index d_k = pass.d_k(), group = pass.heads() / pass.key_heads();
  for (Index h = 0; h < pass.heads(); ++h) {
    MatrixD cells;
    if (weights) {
      cells = pass.head(spot.in_sub() + "weights", h);
    } else {
      cells = queries.middleCols(h * d_k, d_k) * keys.middleCols(h / group * d_k, d_k).transpose() /
              std::sqrt(to_double(d_k));
      const MatrixD bias = pass.head(spot.in_sub() + "bias", h);
      if (bias.size() > 0) cells += bias;
    }
    for (Index i = 0; spot.causal() && i < cells.rows(); ++i) {
      for (Index j = i + 1; j < cells.cols(); ++j) cells(i, j) = kHidden;
    }
    t.matrices.push_back(std::move(cells));
  }
  t.letters = fmt::format("h × {} × {}", token_letter(spot), key_letter(spot));
  t.sizes = fmt::format("{} × {} × {}", pass.heads(), t.row_count(), t.col_count());
  return t;
}

std::string key_width(const Spot& spot) {
  return spot.pass.key_heads() == spot.pass.heads() ? "d_model" : "g·d_k";
}

Tensor of_attention(const Spot& spot, Part part) {
  const Pass& pass = spot.pass;
  const std::string sub = spot.in_sub(), keys = key_width(spot);
  const auto matrix = [&](const char* symbol, const std::string& name, const std::string& width) {
    return plain(spot, part, symbol, "d_model × " + width, pass.parameter(sub + name + ".weight"),
                 N_("feature"), N_("feature"));
  };
  switch (part) {
    case Part::query_weight: return matrix("W_Q", "query", "d_model");
    case Part::key_weight: return matrix("W_K", "key", keys);
    case Part::value_weight: return matrix("W_V", "value", keys);
    case Part::output_weight: return matrix("W_O", "output", "d_model");
    case Part::queries: return tokens(spot, part, "Q", "d_model", pass.tokens(sub + "queries"));
    case Part::keys: return tokens(spot, part, "K", keys, pass.tokens(sub + "keys"), true);
    case Part::values: return tokens(spot, part, "V", keys, pass.tokens(sub + "values"), true);
    case Part::scores:
    case Part::weights: return of_heads(spot, part);
    case Part::heads:
      return tokens(spot, part, "[head₁ … head_h]", "d_model", pass.tokens(sub + "heads"));
    default: break;
  }
  return tokens(spot, Part::result, "· W_O", "d_model", pass.tokens(sub + "output"));
}

// --- the rest

Tensor of_norm(const Spot& spot, Part part) {
  if (!spot.normed() || part == Part::sum) {
    return tokens(spot, Part::sum, spot.adds() ? "x + f(x)" : "f(x)", "d_model",
                  spot.pass.tokens(spot.in_sub() + "sum"));
  }
  if (part == Part::moments) {
    const MatrixD x = spot.pass.tokens(spot.before_norm());
    MatrixD moments(x.rows(), 2);
    moments.col(0) = x.rowwise().mean();
    moments.col(1) =
        ((x.colwise() - moments.col(0)).array().square().rowwise().mean() + kEpsilon).sqrt();
    return tokens(spot, part, "μ, σ", "2", moments);
  }
  return tokens(spot, Part::result, "norm", "d_model", spot.pass.tokens(spot.after_norm()));
}

Tensor of_forward(const Spot& spot, Part part) {
  const Pass& pass = spot.pass;
  const std::string sub = spot.in_sub();
  switch (part) {
    case Part::up_weight:
      return plain(spot, part, "W_1", "d_model × d_ff", pass.parameter(sub + "up.weight"),
                   N_("feature"), N_("feature"));
    case Part::down_weight:
      return plain(spot, part, "W_2", "d_ff × d_model", pass.parameter(sub + "down.weight"),
                   N_("feature"), N_("feature"));
    case Part::up: return tokens(spot, part, "x·W_1 + b_1", "d_ff", pass.tokens(sub + "up"));
    case Part::active: return tokens(spot, part, "f", "d_ff", pass.tokens(sub + "active"));
    default: break;
  }
  return tokens(spot, Part::result, "· W_2 + b_2", "d_model", pass.tokens(sub + "down"));
}

figure::DenseSource* dense(const MatrixD& cells) {
  Matrix floats = cells.cast<float>();
  for (Index k = 0; k < floats.size(); ++k) {
    if (std::isnan(cells.data()[k])) floats.data()[k] = core::kMasked;
  }
  return new DenseSource(std::move(floats));
}

}  // namespace

const BlockFacts& facts(Block block) {
  static constexpr core::EnumArray<Block, BlockFacts> kFacts{
      {{Kind::none, false, "", N_("nothing")},
       {Kind::input, false, "", N_("Embedding and position")},
       {Kind::attention, false, "self", N_("Self-attention")},
       {Kind::norm, false, "self", N_("Add & norm")},
       {Kind::forward, false, "feed_forward", N_("Feed-forward")},
       {Kind::norm, false, "feed_forward", N_("Add & norm")},
       {Kind::out, false, "", N_("Encoder's output")},
       {Kind::input, true, "", N_("Embedding and position")},
       {Kind::attention, true, "self", N_("Causal self-attention")},
       {Kind::norm, true, "self", N_("Add & norm")},
       {Kind::attention, true, "cross", N_("Cross-attention")},
       {Kind::norm, true, "cross", N_("Add & norm")},
       {Kind::forward, true, "feed_forward", N_("Feed-forward")},
       {Kind::norm, true, "feed_forward", N_("Add & norm")},
       {Kind::out, true, "", N_("Decoder's output")},
       {Kind::output, true, "", N_("Linear and softmax")}}};
  return kFacts[block];
}

std::string Spot::stream() const {
  if (info().sub == "self") {
    return layer == 0 ? side() + ".placed" : fmt::format("{}.{}.out", side(), layer - 1);
  }
  Spot below = *this;
  below.block = !info().decoder ? Block::encoder_self
                : cross()       ? Block::decoder_self
                                : Block::decoder_cross;
  return below.left();
}

double Tensor::largest() const {
  double largest = 0;
  for (const MatrixD& m : matrices) {
    for (Index k = 0; k < m.size(); ++k) {
      const double size = std::abs(m.data()[k]);
      if (size > largest) largest = size;  // false for NaN
    }
  }
  return largest;
}

Tensor tensor(const Spot& spot, Part part) {
  switch (spot.info().kind) {
    case Kind::input: return of_input(spot, part);
    case Kind::attention: return of_attention(spot, part);
    case Kind::norm: return of_norm(spot, part);
    case Kind::forward: return of_forward(spot, part);
    case Kind::output: return of_output(spot, part);
    case Kind::out:
    case Kind::none: break;
  }
  return tokens(spot, Part::result, "out", "d_model", spot.pass.tokens(spot.side() + ".out"));
}

std::vector<Part> parts_of(const Spot& spot) {
  switch (spot.info().kind) {
    case Kind::input: return {Part::table, Part::embedded, Part::positions, Part::result};
    case Kind::attention:
      return {Part::query_weight, Part::key_weight,    Part::value_weight, Part::queries,
              Part::keys,         Part::values,        Part::scores,       Part::weights,
              Part::heads,        Part::output_weight, Part::result};
    case Kind::norm:
      if (!spot.normed()) return {Part::sum};
      return {Part::sum, Part::moments, Part::result};
    case Kind::forward:
      return {Part::up_weight, Part::up, Part::active, Part::down_weight, Part::result};
    case Kind::output: return {Part::logits, Part::result};
    case Kind::out:
    case Kind::none: break;
  }
  return {Part::result};
}

std::shared_ptr<const TileSource> source_of(const Tensor& tensor, Index head) {
  return std::shared_ptr<const TileSource>(dense(tensor.of(head)));
}

std::shared_ptr<const TileSource> picture(const Tensor& tensor) {
  if (!tensor.of_heads) return source_of(tensor, 0);
  const auto heads = to_index(tensor.matrices.size());
  const Index cols = tensor.col_count();
  MatrixD side_by_side(tensor.row_count(), heads * (cols + 1) - 1);
  side_by_side.setConstant(kHidden);
  for (Index h = 0; h < heads; ++h) {
    side_by_side.middleCols(h * (cols + 1), cols) = tensor.matrices[to_size(h)];
  }
  return std::shared_ptr<const TileSource>(dense(side_by_side));
}

ColorScale colors(const Tensor& tensor) {
  if (tensor.weights) return weight_scale(tensor.largest());
  return signed_scale(tensor.largest());
}

}  // namespace lab::transformer
