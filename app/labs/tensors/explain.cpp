// The picked cell, down to what the file holds.
#include <algorithm>
#include <numeric>

#include "app/labs/shared/derivation/model_derivation.h"
#include "app/labs/shared/derivation/sum.h"
#include "app/labs/tensors/page.h"
#include "core/heads/rollout.h"
#include "core/text/printable.h"

namespace lab::tensors {
namespace {

using core::heads::Axis;

// "attention[0, 3, 20, 19]": a number of the file, as one writes it in Python.
std::string indexed(const Array& array, const HeadAt& at, Index row, Index col) {
  std::string text;
  for (const Axis axis : array.axes) {
    const bool down = axis == Axis::query || axis == Axis::token;
    const Index index = axis == Axis::layer   ? at.layer
                        : axis == Axis::batch ? at.batch
                        : axis == Axis::head  ? at.head
                        : down                ? row
                                              : col;
    text += (text.empty() ? "" : ", ") + fmt::format("{}", index);
  }
  return fmt::format("{}[{}]", core::printable(array.tensor.name), text);
}

double stored_value(const Scene& scene, const HeadAt& at) {
  return scene.given().pair_numbers(at).value(scene.model.query, scene.model.key);
}

std::string printed(double number) { return std::isnan(number) ? "NaN" : significant(number, 9); }

void say_stored(const Scene& scene, const HeadAt& at, const std::string& name, Derivation& lines) {
  lines.begin(name, indexed(*scene.given().pairs, at, scene.model.query, scene.model.key));
  const double value = stored_value(scene, at);
  lines.next(printed(value));
}

Labels names_of_keys(const Scene& scene) {
  if (scene.model.tokens->key_names) return scene.model.tokens->key_names;
  return labels(each(scene.model.m(), [&](Index j) { return fmt::format("{}", j); }));
}

bool is_seen(const Scene& scene, Index key) {
  if (!scene.given().causal) return true;
  return key <= core::heads::own_key(scene.model.query, scene.model.n(), scene.model.m());
}

// Softmax of scores that the file has.
void explain_scores(const Scene& scene, Derivation& lines) {
  const Model& model = scene.model;
  const Labels names = names_of_keys(scene);
  SoftmaxRow row{.scores = std::vector<double>(to_size(model.m())),
                 .picked = to_size(model.key),
                 .name = [names](std::size_t j) { return (*names)[j]; }};
  scene.given().pair_numbers(model.at).read<double>({model.query, 0, 1, model.m()},
                                                    row.scores.data());
  for (Index j = 0; j < model.m(); ++j) row.allowed.push_back(is_seen(scene, j));
  lines.softmax("w", row);
}

// Softmax of products of the file's queries and keys.
void explain_vectors(const Scene& scene, Derivation& lines) {
  const Model& model = scene.model;
  const core::TensorView queries = scene.given().query_vectors(model.at);
  const core::TensorView keys = scene.given().key_vectors(model.at);
  core::model::HeadAttention look{.query = VectorD(queries.cols()),
                                  .keys = MatrixD(keys.rows(), keys.cols())};
  queries.read({model.query, 0, 1, queries.cols()}, look.query.data());
  keys.read({0, 0, keys.rows(), keys.cols()}, look.keys.data());
  for (Index j = 0; j < model.m(); ++j) look.allowed.push_back(is_seen(scene, j));
  explain_head_weight(look, model.key, names_of_keys(scene), lines);
}

// What a word attends to: sums over the tokens of a key, their mean over those of the query.
void explain_words(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const core::heads::JoinedWords& words = *scene.given().words;
  const auto end = [](const std::vector<Index>& starts, Index word, Index tokens) {
    return to_size(word) + 1 < starts.size() ? starts[to_size(word) + 1] : tokens;
  };
  const HeadPointer tokens = scene.given().token_head(model.at);
  const Index from = words.queries[to_size(model.query)], key = words.keys[to_size(model.key)];
  const Index key_end = end(words.keys, model.key, tokens->keys());
  std::vector<double> sums;
  for (Index i = from; i < end(words.queries, model.query, tokens->queries()); ++i) {
    const std::vector<float> row = tokens->row(i);
    sums.push_back(0);
    for (Index j = key; j < key_end; ++j) {
      const float weight = row[to_size(j)];
      sums.back() += core::is_masked(weight) ? 0 : to_double(weight);
    }
  }
  const double sum = std::accumulate(sums.begin(), sums.end(), 0.0);
  lines.begin("Σ w", w.format("the weights on tokens {} to {}, summed for each token of the word",
                              key, key_end - 1));
  lines.terms(sum_terms(
      sums, {.most = 32, .shown = 32},
      [&, w = &w](std::size_t k) { return w->format("token {}", from + to_index(k)); },
      [w = &w](std::size_t) { return (*w)("the other tokens"); }));
  lines.about_picked("Σ w", sum, 5);
  lines.is("W", fmt::format("≈ {} / {}", fixed(sum, 5), sums.size()));
  lines.about_result(sum / to_double(sums.size()), 5);
}

void explain_head(const Scene& scene, Derivation& lines) {
  if (scene.given().words) return explain_words(scene, lines);
  switch (scene.given().holds) {
    case Holds::vectors: return explain_vectors(scene, lines);
    case Holds::scores: return explain_scores(scene, lines);
    default: say_stored(scene, scene.model.at, "w", lines);
  }
}

// What each head of the layer has for the pair.
std::vector<double> head_weights(const Scene& scene, Index layer, Index query, Index key) {
  std::vector<double> all;
  for (const HeadPointer& rows : scene.given().heads_of({layer, scene.model.at.batch})) {
    const float weight = rows->row(query)[to_size(key)];
    all.push_back(core::is_masked(weight) ? 0 : to_double(weight));
  }
  return all;
}

std::vector<Derivation::Term> head_terms(const Scene& scene, Index layer,
                                         const std::vector<double>& weights) {
  return sum_terms(
      weights, {.most = 32, .shown = 32},
      [&](std::size_t head) {
        return scene.w.format("head {}", head_name({layer, 0, to_index(head)}));
      },
      [&](std::size_t) { return scene.w("the other heads"); });
}

void explain_mean(const Scene& scene, Index layer, Index query, Index key, Derivation& lines) {
  const std::vector<double> weights = head_weights(scene, layer, query, key);
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  lines.begin("Σ w", scene.w.format("the weights of the heads of layer {}", layer + 1));
  lines.terms(head_terms(scene, layer, weights));
  lines.about_picked("Σ w", sum, 5);
  lines.is("W", fmt::format("≈ {} / {}", fixed(sum, 5), weights.size()));
  lines.about_result(sum / to_double(weights.size()), 5);
}

void explain_largest(const Scene& scene, Derivation& lines) {
  const Model& model = scene.model;
  const std::vector<double> weights =
      head_weights(scene, model.look.at.layer, model.query, model.key);
  const auto best = std::max_element(weights.begin(), weights.end());
  const HeadAt at{model.look.at.layer, 0, to_index(best - weights.begin())};
  lines.begin("W", fmt::format("max_h w_h"));
  lines.next(printed(*best));
  lines.say(scene.w.format("It is head {} that has the largest of the {} weights.", head_name(at),
                           weights.size()));
}

void explain_difference(const Scene& scene, Derivation& lines) {
  const Model& model = scene.model;
  const auto value = [&](const Given& given, const HeadAt& at) {
    const float weight = given.head(at)->row(model.query)[to_size(model.key)];
    return core::is_masked(weight) ? 0.0 : to_double(weight);
  };
  const double first = value(*model.given, model.look.at);
  const double second = value(*model.other, model.look.other);
  lines.begin("Δ", scene.w.format("head {} less head {}", head_name(model.look.at),
                                  head_name(model.look.other)));
  lines.about(fmt::format("{} - {}", fixed(first, 6), bracketed(fixed(second, 6))));
  lines.about_result(first - second, 6);
}

// A_l R_(l-1) of the picked pair; of the first layer its weights and the residual.
void explain_rollout(const Scene& scene, Derivation& lines) {
  const Model& model = scene.model;
  const auto& steps = *model.shown->rolled;
  const Index layer = model.look.at.layer, n = model.n();
  const HeadPointer mean = core::heads::mean_rows(scene.given().heads_of({layer, model.at.batch}));
  const MatrixD mixed = core::heads::with_residual(*mean, model.look.residual);
  if (layer > 0) {
    lines.begin("R", "Σ_k A[i,k] R′[k,j]");
    lines.say(scene.w.format("A: layer {} with its residual; R′: the rollout of the layers before.",
                             layer + 1));
    const Index by = model.query, to = model.key;
    const MatrixD& before = steps[to_size(layer - 1)];
    // The largest first: those are written out.
    std::vector<double> left, right;
    for (const Index k : largest_first(n, [&](Index k) { return mixed(by, k) * before(k, to); }))
      left.push_back(mixed(by, k)), right.push_back(before(k, to));
    lines.product(
        "R",
        {.left = std::move(left), .right = std::move(right), .left_name = "A", .right_name = "R′"});
    return;
  }
  lines.begin("A", "(r [i = j] + (1 - r) W) / Σ");
  lines.next(printed(mixed(model.query, model.key)));
  explain_mean(scene, layer, model.query, model.key, lines);
}

void explain_whole(const Scene& scene, Derivation& lines) {
  const Model& model = scene.model;
  switch (model.look.combine) {
    case Combine::head: return explain_head(scene, lines);
    case Combine::mean:
      return explain_mean(scene, model.look.at.layer, model.query, model.key, lines);
    case Combine::largest: return explain_largest(scene, lines);
    case Combine::rollout: return explain_rollout(scene, lines);
    case Combine::difference: return explain_difference(scene, lines);
  }
}

// What the filters make of it.
void explain_filter(const Scene& scene, Derivation& lines) {
  const Model& model = scene.model;
  const core::heads::RowFilter& filter = model.shown->filter;
  if (filter.changes_nothing()) return;
  lines.heading(scene.w("Filtered"));
  if (core::is_masked(scene.weight())) {
    lines.say(scene.w("The filters leave this pair out, or nothing of its row."));
    return;
  }
  if (!filter.renormalize) {
    lines.say(scene.w("The pair is kept as it is."));
    return;
  }
  const std::vector<float> whole = model.shown->whole->row(model.query);
  double sum = 0;
  for (std::size_t j = 0; j < whole.size(); ++j) {
    if (!core::is_masked(model.row[j])) sum += to_double(whole[j]);
  }
  const double before = to_double(whole[to_size(model.key)]);
  lines.is("w′", fmt::format("≈ {} / {}", fixed(before, 6), bracketed(fixed(sum, 6))));
  lines.about_result(before / sum, 5);
  lines.say(scene.w("Below the line: what is left of the row."));
}

void explain_score(const Scene& scene, Derivation& lines) {
  const Model& model = scene.model;
  const std::vector<double> q = query_vector(scene), k = key_vector(scene, model.key);
  const double score = std::inner_product(q.begin(), q.end(), k.begin(), 0.0);
  lines.begin("s", fmt::format("q·k / √{}", q.size()));
  const std::string sum = lines.product("q·k", {.left = q, .right = k});
  lines.about_picked("s", fmt::format("{} / √{}", bracketed(sum), q.size()))
      .about_result(score / std::sqrt(to_double(q.size())), 5);
  if (scene.given().holds != Holds::weights) return;
  say_stored(scene, model.at, "w", lines);
  lines.say(
      scene.w("The weight is the file's own. Softmax over the keys makes such weights of scores; "
              "the file does not say whether a mask or a bias came between."));
}

}  // namespace

Explanation explain(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Derivation lines(w);
  const bool neuron = p.view == View::neuron && scene.given().has_vectors();
  if (neuron && scene.given().holds != Holds::vectors) {
    explain_score(scene, lines);
  } else {
    explain_whole(scene, lines);
    explain_filter(scene, lines);
  }
  return {w.format("{} attends to {}", scene.query_name(), scene.key_name()), lines.take()};
}

}  // namespace lab::tensors
