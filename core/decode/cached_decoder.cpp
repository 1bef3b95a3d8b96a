#include "core/decode/cached_decoder.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/model/kernels/kernels.h"
#include "core/model/layer/vectors.h"
#include "core/parallel.h"
#include "core/refuse.h"

namespace core::decode {
namespace {

using model::Scheme;
using model::View;

// So much of the cache is worth waking threads for.
constexpr Index kWorthThreads = 1 << 18;

void rotate_pair(float cos, float sin, float& x, float& y) {
  const float a = x, b = y;
  x = a * cos - b * sin;
  y = a * sin + b * cos;
}

// Calls rotate(i, x, y) with the numbers of every pair.
template <class Rotate>
void for_pairs(RotaryPairing pairing, Index pairs, float* x, Rotate rotate) {
  const bool halves = pairing == RotaryPairing::halves;
  const Index step = halves ? 1 : 2, other = halves ? pairs : 1;
  for (Index i = 0; i < pairs; ++i) rotate(i, x[step * i], x[step * i + other]);
}

// How many tokens can be read in all.
Index limit_of(const model::DecoderForm& decoder, const CachedOptions& options) {
  constexpr Index kEndless = Index{1} << 40;
  const model::PositionForm& form = decoder.positions;
  if (decoder.sees) {
    const Index most = std::min(form.longest, decoder.sees->longest());
    return options.longest > 0 ? std::min(options.longest, most) : most;
  }
  const bool closed_up =
      options.cache.positions == CachePositions::in_cache && options.cache.window > 0;
  // xPos multiplies queries and keys by powers of their places, which pass float's range in the
  // end.
  if (closed_up && !model::entry(form.scheme).grows) return kEndless;
  return options.longest > 0 ? std::min(options.longest, form.longest) : form.longest;
}

void check_form(const model::PositionForm& form, const CacheForm& cache) {
  if (cache.positions == CachePositions::in_cache && cache.window > 0 && is_in_keys(form.scheme)) {
    throw InputError(
        Message(N_("cache: expected positions that the heads apply, got ones that are part of the "
                   "keys: a stored key cannot be moved to another position")));
  }
  if (cache.sinks + cache.window > form.longest) {
    throw InputError(Message(N_("cache: expected at most {} tokens, as many as the model has "
                                "positions, got a window of {} and {} sinks"),
                             form.longest, cache.window, cache.sinks));
  }
}

}  // namespace

bool is_in_keys(Scheme scheme) {
  const model::Acts acts = model::entry(scheme).acts;
  return acts == model::Acts::embeddings || acts == model::Acts::layers;
}

CachedDecoder::CachedDecoder(std::shared_ptr<const PackedDecoder> weights,
                             const CachedOptions& options)
    : weights_(std::move(weights)), options_(options) {
  const model::DecoderForm& form = weights_->form;
  check_form(form.positions, options_.cache);
  const Index d = form.layer.d_model;
  sizes_ = {d,
            form.layers,
            form.layer.heads,
            form.layer.key_heads,
            d / form.layer.heads,
            form.layer.feed_forward.width};
  limit_ = limit_of(form, options_);
  cache_ = KeyValueCache(options_.cache, std::min(limit_, form.positions.longest), sizes_.layers,
                         sizes_.key_heads, sizes_.width);
  reserve();
}

void CachedDecoder::reserve() {
  const PackedPositions& positions = weights_->positions;
  const Index d = sizes_.d;
  for (FloatBuffer* buffer : {&x_, &normed_, &made_, &joined_, &given_}) {
    buffer->reserve(kBlock * d);
  }
  heads_.reserve(kBlock * (d + 2 * sizes_.key_heads * sizes_.width));
  wide_.reserve(kBlock * std::max<Index>(1, 2 * sizes_.wide));
  moments_.reserve(2 * kBlock);
  logits_ = Vector::Zero(weights_->form.vocabulary);
  distances_.resize(static_cast<std::size_t>(kBlock * capacity()));
  const Index group = sizes_.group();
  const Index decoded = std::max({StoredMatrix::kRoom, sizes_.d, sizes_.wide});
  room_ = round_up(2 * group * sizes_.width + sizes_.width + group * capacity() +
                       positions.for_queries.rows() + decoded,
                   16);
  rooms_.reserve(room_ * thread_count(options_.threads));
  if (options_.keep_weights) kept_.reserve(sizes_.layers * sizes_.heads * capacity());
}

CachedDecoder::Room CachedDecoder::room(int worker) {
  const Index group = sizes_.group();
  Room room;
  room.decoded = rooms_.data() + worker * room_;
  room.queries = room.decoded + std::max({StoredMatrix::kRoom, sizes_.d, sizes_.wide});
  room.far_queries = room.queries + group * sizes_.width;
  room.key = room.far_queries + group * sizes_.width;
  room.scores = room.key + sizes_.width;
  room.products = room.scores + group * capacity();
  return room;
}

// --- tokens

void CachedDecoder::check(const std::int32_t* ids, Index count) const {
  if (count < 1) throw InputError(Message(N_("text: expected at least one token, got none")));
  if (tokens_ + count > limit_) {
    throw InputError(
        Message(N_("text: expected at most {} tokens, got {}"), limit_, tokens_ + count));
  }
  const Index vocabulary = weights_->form.vocabulary;
  for (Index i = 0; i < count; ++i) {
    if (ids[i] < 0 || ids[i] >= vocabulary) {
      throw InputError(
          Message(N_("tokens: expected numbers from 0 to {}, got {}"), vocabulary - 1, ids[i]));
    }
  }
}

Eigen::Map<const Vector> CachedDecoder::read(const std::int32_t* ids, Index count) {
  check(ids, count);
  for (Index done = 0; done < count; done += kBlock) {
    read_block(ids + done, std::min(kBlock, count - done));
  }
  const Index last = (count - 1) % kBlock;
  const PackedDecoder& w = *weights_;
  const View<float> stream = rows(x_, kBlock, sizes_.d).rows_from(last, 1);
  const View<float> normed = rows(normed_, 1, sizes_.d);
  const bool norms = w.last.gain.size() > 0;
  if (norms) norm(w.last, 1, stream.data, normed.data);
  const StoredMatrix& output = w.form.tied ? w.embedding : w.output;
  multiply(output, w.output_bias.size() > 0 ? w.output_bias.data() : nullptr,
           norms ? normed : stream, View<float>(logits_.data(), 1, logits_.size()),
           options_.threads, rooms_.data());
  return {logits_.data(), logits_.size()};
}

void CachedDecoder::read_block(const std::int32_t* ids, Index count) {
  embed(ids, count);
  for (Index b = 0; b < count; ++b) {
    cache_.slots().distances(tokens_ + b + 1, distances_.data() + b * capacity());
  }
  for (Index l = 0; l < sizes_.layers; ++l) {
    const PackedLayer& layer = weights_->layers[static_cast<std::size_t>(l)];
    around(layer.around_self, count, [&](const View<const float>& given) {
      const float* bias = layer.heads_bias.size() > 0 ? layer.heads_bias.data() : nullptr;
      multiply(layer.heads, bias, with_course(l, count, given),
               rows(heads_, count, layer.heads.rows()), options_.threads, rooms_.data());
      attention(l, count);
      const float* output_bias = layer.output_bias.size() > 0 ? layer.output_bias.data() : nullptr;
      multiply(layer.output, output_bias, rows(joined_, count, sizes_.d),
               rows(made_, count, sizes_.d), options_.threads, rooms_.data());
    });
    if (sizes_.wide == 0) continue;
    around(layer.around_feed_forward, count, [&](const View<const float>& given) {
      const float* bias = layer.wide_bias.size() > 0 ? layer.wide_bias.data() : nullptr;
      multiply(layer.wide, bias, given, rows(wide_, count, layer.wide.rows()), options_.threads,
               rooms_.data());
      feed_forward(layer, count);
    });
  }
  tokens_ += count;
}

void CachedDecoder::embed(const std::int32_t* ids, Index count) {
  const model::DecoderForm& form = weights_->form;
  const auto factor =
      static_cast<float>(form.scaled ? std::sqrt(static_cast<double>(form.layer.d_model)) : 1.0);
  const StoredMatrix& added = weights_->positions.added;
  for (Index b = 0; b < count; ++b) {
    float* x = x_.data() + b * sizes_.d;
    weights_->embedding.read(ids[b], x);
    for (Index i = 0; i < sizes_.d; ++i) x[i] *= factor;
    rotate_word(ids[b], tokens_ + b, x);
    if (added.rows() == 0) continue;
    added.read(tokens_ + b, normed_.data());
    model::add(normed_.data(), sizes_.d, x);
  }
}

// Complex positions, as model::ComplexOrderStep.
void CachedDecoder::rotate_word(std::int32_t id, Index position, float* x) const {
  const Matrix& frequency = weights_->positions.frequency;
  for (Index k = 0; k < frequency.cols(); ++k) {
    const double angle = static_cast<double>(frequency(id, k)) * static_cast<double>(position);
    const auto cos = static_cast<float>(std::cos(angle)), sin = static_cast<float>(std::sin(angle));
    const float imaginary = x[2 * k], real = x[2 * k + 1];
    x[2 * k] = imaginary * cos + real * sin;
    x[2 * k + 1] = real * cos - imaginary * sin;
  }
}

// What the heads of a layer are given, with the course where there is one.
View<const float> CachedDecoder::with_course(Index layer, Index count,
                                             const View<const float>& given) {
  const StoredMatrix& courses = weights_->positions.courses;
  if (courses.rows() == 0) return given;
  const Index first = layer * weights_->form.positions.longest + tokens_;
  for (Index b = 0; b < count; ++b) {
    float* to = given_.data() + b * sizes_.d;
    courses.read(first + b, to);
    model::add(given.row(b), sizes_.d, to);
  }
  return {given_.data(), count, sizes_.d};
}

// --- the parts of a layer

void CachedDecoder::norm(const PackedNorm& with, Index count, const float* x, float* y) {
  model::kernels::table().norm({x, count, sizes_.d, with.centered, with.epsilon, with.gain.data(),
                                with.shift.size() > 0 ? with.shift.data() : nullptr, y,
                                moments_.data(), moments_.data() + kBlock});
}

// The stream becomes x + part(norm(x)), or norm(x + part(x)): model::Residual. `part` leaves what
// it makes in made_.
template <class Part>
void CachedDecoder::around(const PackedNorm& with, Index count, Part part) {
  const model::TransformerForm& form = weights_->form.layer;
  const Index size = count * sizes_.d;
  const bool before = form.norm_first && form.normed;
  if (before) norm(with, count, x_.data(), normed_.data());
  part(View<const float>(before ? normed_.data() : x_.data(), count, sizes_.d));
  if (form.residual) {
    model::add(made_.data(), size, x_.data());
  } else {
    std::copy_n(made_.data(), size, x_.data());
  }
  if (form.normed && !before) {
    norm(with, count, x_.data(), normed_.data());
    std::copy_n(normed_.data(), size, x_.data());
  }
}

void CachedDecoder::feed_forward(const PackedLayer& layer, Index count) {
  const model::FeedForward::Form& form = weights_->form.layer.feed_forward;
  model::Tape<float> tape;
  const auto active = [&](float* x, Index size) {
    const model::Tensor<float> all{x, nullptr, 1, size};
    model::ActivationStep<float>{all, all, form.function}.forward(tape);
  };
  View<float> wide = rows(wide_, count, layer.wide.rows());
  if (form.gated) {
    for (Index b = 0; b < count; ++b) {
      float* gate = wide.row(b);
      active(gate, sizes_.wide);
      for (Index i = 0; i < sizes_.wide; ++i) gate[i] *= gate[sizes_.wide + i];
    }
    wide = wide.columns(0, sizes_.wide);
  } else {
    active(wide.data, count * sizes_.wide);
  }
  multiply(layer.down, layer.down_bias.size() > 0 ? layer.down_bias.data() : nullptr, wide,
           rows(made_, count, sizes_.d), options_.threads, rooms_.data());
}

void CachedDecoder::attention(Index layer, Index count) {
  const Index bytes = cache_.bytes_held(tokens_ + count) / sizes_.layers;
  const int threads = bytes < kWorthThreads ? 1 : options_.threads;
  parallel_for(sizes_.key_heads, threads, [&](Index key_head, int worker) {
    for (Index b = 0; b < count; ++b) {
      attend({layer, b, tokens_ + b}, key_head, room(worker));
    }
  });
}

// The queries that share a key head, over all that is held with the newest.
void CachedDecoder::attend(const Newest& newest, Index key_head, const Room& room) {
  const Index group = sizes_.group(), width = sizes_.width;
  const float* row = heads_.data() + newest.row * (sizes_.d + 2 * sizes_.key_heads * width);
  std::copy_n(row + key_head * group * width, group * width, room.queries);
  std::copy_n(row + sizes_.d + key_head * width, width, room.key);
  rotate(room.key, newest.token, true);
  cache_.put(newest.layer, key_head, newest.token, room.key,
             row + sizes_.d + (sizes_.key_heads + key_head) * width);
  score(newest, key_head, room);
  const Index held = cache_.slots().held(newest.token + 1);
  for (Index k = 0; k < group; ++k) {
    const Index head = key_head * group + k;
    float* scores = room.scores + k * capacity();
    const bool sees = std::any_of(scores, scores + held, [](float s) { return !std::isinf(s); });
    model::softmax_row(scores, sees ? held : 0, held);
    float* out = joined_.data() + newest.row * sizes_.d + head * width;
    std::fill_n(out, width, 0.F);
    if (options_.keep_weights) {
      std::copy_n(scores, held, kept_.data() + (newest.layer * sizes_.heads + head) * capacity());
    }
    scale_weights(newest, head, held, scores);
    cache_.values(newest.layer)
        .add_mixture(cache_.first_row(key_head), held, scores, out, room.decoded);
  }
}

// URPE: multiplies by the factors of the distances.
void CachedDecoder::scale_weights(const Newest& newest, Index head, Index held,
                                  float* weights) const {
  const Matrix& factors = weights_->positions.tables.factors;
  if (factors.size() == 0) return;
  const Index* distances = distances_of(newest.row);
  const float* of_head = factors.row(newest.layer * sizes_.heads + head).data();
  for (Index j = 0; j < held; ++j) weights[j] *= of_head[distances[j]];
}

// far_queries become the queries as they are, or turned for the first keys; queries those that meet
// all others.
void CachedDecoder::place_queries(const Newest& newest, Index key_head, bool closes_up,
                                  const Room& room) const {
  const PackedPositions& positions = weights_->positions;
  const Index group = sizes_.group(), width = sizes_.width;
  const Index held = cache_.slots().held(newest.token + 1);
  std::copy_n(room.queries, group * width, room.far_queries);
  for (Index k = 0; k < group; ++k) {
    float* query = room.queries + k * width;
    if (closes_up) rotate(room.far_queries + k * width, held - 1, false);
    rotate(query, newest.token, false);
    if (positions.tables.content_bias.size() == 0) continue;
    model::add(positions.tables.content_bias.data() + (key_head * group + k) * width, width, query);
  }
}

void CachedDecoder::score(const Newest& newest, Index key_head, const Room& room) {
  const PackedPositions& positions = weights_->positions;
  const Index group = sizes_.group(), width = sizes_.width;
  const Index held = cache_.slots().held(newest.token + 1), first = cache_.first_row(key_head);
  // Turned as if the first keys, which stay where they were, were next to the others.
  const bool closes_up = options_.cache.positions == CachePositions::in_cache &&
                         positions.query_rotations && cache_.slots().evicts(newest.token + 1);
  const Index far = closes_up ? options_.cache.sinks : 0;
  place_queries(newest, key_head, closes_up, room);
  const View<float> scores(room.scores, group, held, capacity());
  const StoredMatrix& keys = cache_.keys(newest.layer);
  keys.dots(first, far, View<float>(room.far_queries, group, width), scores, room.decoded);
  keys.dots(first + far, held - far, View<float>(room.queries, group, width),
            scores.columns(far, held - far), room.decoded);
  const double products = model::entry(weights_->form.positions.scheme).products;
  const auto scale = static_cast<float>(1 / std::sqrt(products * static_cast<double>(width)));
  for (Index k = 0; k < group; ++k) {
    // What positions add to products, and then what they add to scores.
    add_positions(newest, key_head * group + k, room.far_queries + k * width, room, scores.row(k));
    for (Index j = 0; j < held; ++j) scores.row(k)[j] *= scale;
    mask_scores(newest, scores.row(k));
    if (positions.tables.by_distance.size() == 0) continue;
    const Index* distances = distances_of(newest.row);
    const float* bias = positions.tables.by_distance.row(key_head * group + k).data();
    for (Index j = 0; j < held; ++j) scores.row(k)[j] += bias[distances[j]];
  }
}

// What the model's mask keeps from the newest token has the score minus infinity.
void CachedDecoder::mask_scores(const Newest& newest, float* scores) const {
  const auto& sees = weights_->form.sees;
  if (!sees) return;
  const CacheSlots& slots = cache_.slots();
  const Index tokens = newest.token + 1, held = slots.held(tokens);
  for (Index j = 0; j < held; ++j) {
    if (sees->allowed()(newest.token, slots.token_in(j, tokens))) continue;
    scores[j] = -std::numeric_limits<float>::infinity();
  }
}

// query: as it was before anything was done to it.
void CachedDecoder::add_positions(const Newest& newest, Index head, const float* query,
                                  const Room& room, float* scores) const {
  const PackedPositions& positions = weights_->positions;
  if (positions.for_queries.rows() == 0) return;
  const model::PositionForm& form = weights_->form.positions;
  const model::DistanceTables& tables = positions.tables;
  if (tables.for_keys.size() > 0) return add_disentangled(newest, head, query, room, scores);
  const Index held = cache_.slots().held(newest.token + 1), width = sizes_.width;
  const Index* distances = distances_of(newest.row);
  const bool clipped = tables.clip >= 0;
  const Index first = clipped ? 0 : head * form.longest;
  const Index count = clipped ? tables.clip + 1 : farthest(newest.token + 1) + 1;
  std::copy_n(query, width, room.key);
  if (!clipped) model::add(positions.tables.position_bias.data() + head * width, width, room.key);
  positions.for_queries.dots(first, count, View<const float>(room.key, 1, width),
                             View<float>(room.products, 1, count), room.decoded);
  for (Index j = 0; j < held; ++j) {
    const Index at = clipped ? tables.clip - std::min(distances[j], tables.clip) : distances[j];
    scores[j] += room.products[at];
  }
}

// The content of the query with the distance, and the content of each key with the distance.
void CachedDecoder::add_disentangled(const Newest& newest, Index head, const float* query,
                                     const Room& room, float* scores) const {
  const PackedPositions& positions = weights_->positions;
  const Index clip = weights_->form.positions.clip, width = sizes_.width;
  const Index* distances = distances_of(newest.row);
  const Index table = head * 2 * clip;
  positions.for_queries.dots(table, 2 * clip, View<const float>(query, 1, width),
                             View<float>(room.products, 1, 2 * clip), room.decoded);
  const StoredMatrix& keys = cache_.keys(newest.layer);
  const Index first = cache_.first_row(head / sizes_.group());
  const Index held = cache_.slots().held(newest.token + 1);
  for (Index j = 0; j < held; ++j) {
    scores[j] += room.products[std::min(clip + distances[j], 2 * clip - 1)];
    const Index row = table + std::max<Index>(clip - distances[j], 0);
    float product = 0;
    keys.dots(first + j, 1, View<const float>(positions.tables.for_keys.row(row).data(), 1, width),
              View<float>(&product, 1, 1), room.decoded);
    scores[j] += product;
  }
}

void CachedDecoder::rotate(float* x, Index position, bool key) const {
  const PackedPositions& positions = weights_->positions;
  const auto& rotations = key ? positions.key_rotations : positions.query_rotations;
  if (!rotations) return;
  const RotaryTable& table = rotations->floats;
  const bool beyond = position >= table.cos.rows();
  for_pairs(positions.pairing, table.cos.cols(), x, [&](Index i, float& a, float& b) {
    if (!beyond) return rotate_pair(table.cos(position, i), table.sin(position, i), a, b);
    const double angle = static_cast<double>(position) * positions.turns(i);
    const double by = positions.multiplier;
    rotate_pair(static_cast<float>(by * std::cos(angle)), static_cast<float>(by * std::sin(angle)),
                a, b);
  });
}

// --- what is known of it

void CachedDecoder::back_to(Index tokens) {
  if (tokens < 0 || tokens > tokens_) {
    refuse("back to", "at most " + std::to_string(tokens_) + " tokens", std::to_string(tokens));
  }
  if (cache_.slots().evicts(tokens_) && tokens < tokens_ && tokens > 0) {
    throw InputError(Message(N_("cache: expected a cache that still has every token, got one that "
                                "evicted tokens which the first {} would see"),
                             tokens));
  }
  tokens_ = tokens;
}

Eigen::Map<const Vector> CachedDecoder::weights(Index layer, Index head) const {
  if (!options_.keep_weights)
    refuse("weights", "a decoder that keeps weights", "one that does not");
  return {kept_.data() + (layer * sizes_.heads + head) * capacity(), held()};
}

Index CachedDecoder::farthest(Index tokens) const {
  const CacheForm& form = options_.cache;
  const bool far =
      form.positions == CachePositions::original && (form.window == 0 || form.sinks > 0);
  return (far ? tokens : cache_.slots().held(tokens)) - 1;
}

TokenBytes CachedDecoder::bytes_of_token(Index tokens) const {
  constexpr auto kFloat = static_cast<Index>(sizeof(float));
  const Index held = cache_.slots().held(tokens);
  TokenBytes bytes{weights_->bytes_a_token(), 0, cache_.bytes_held(tokens), cache_.bytes_a_token()};
  Index numbers = 0;  // of a layer's tables
  const PackedPositions& positions = weights_->positions;
  const model::DistanceTables& tables = positions.tables;
  if (tables.clip >= 0 || tables.for_keys.size() > 0) {
    numbers = positions.for_queries.rows() * sizes_.width + tables.for_keys.size();
  } else if (positions.for_queries.rows() > 0) {
    numbers = sizes_.d * (farthest(tokens) + 1);
  }
  if (tables.by_distance.size() > 0) numbers += sizes_.heads * held;
  bytes.tables = numbers * kFloat * sizes_.layers;
  return bytes;
}

}  // namespace core::decode
