#include "app/labs/tensors/model.h"

#include "app/labs/shared/drawing/tensor_source.h"
#include "app/labs/shared/parts.h"
#include "core/heads/pooled_rows.h"
#include "core/heads/rollout.h"
#include "core/heads/words.h"
#include "core/io/tensor/token_list.h"
#include "core/parallel.h"

#include <atomic>

namespace lab::tensors {
namespace {

using core::heads::among, core::heads::in_first_sentence;
using core::heads::HeadChoice, core::heads::HeadStatistics, core::heads::RowFilter;

Given resolve(const HeadChoice& choice, const Run&) { return core::heads::given_heads(choice); }

// --- tokens

struct TokensKey {
  SourcePointer source;
  FileStamp file, key_file;
  Index n = 0, m = 0;
  bool operator==(const TokensKey&) const = default;
};

Labels shown_names(const std::vector<std::string>& tokens) {
  if (tokens.empty()) return nullptr;
  return labels(each(tokens, [&](const std::string& token) { return core::shown_token(token); }));
}

Tokens read_tokens(const TokensKey& key, const Run& run) {
  Tokens tokens{core::heads::given_tokens(*key.source, key.file.path, key.key_file.path, key.n,
                                          key.m, run.cancel)};
  tokens.query_names = shown_names(tokens.queries);
  tokens.key_names = shown_names(tokens.keys);
  return tokens;
}

// --- words

Given join(const GivenPointer& given, const TokensPointer& tokens, const Run&) {
  using core::heads::word_starts;
  return core::heads::joined_heads(*given, word_starts(tokens->queries), word_starts(tokens->keys));
}

Tokens join_names(const TokensPointer& tokens, const Run&) {
  using core::heads::word_names, core::heads::word_starts;
  Tokens words = *tokens;
  words.queries = word_names(tokens->queries, word_starts(tokens->queries));
  words.keys = word_names(tokens->keys, word_starts(tokens->keys));
  words.query_names = shown_names(words.queries);
  words.key_names = shown_names(words.keys);
  return words;
}

// What is shown are words from here on, where their tokens have names.
void join_words(const Context& context, Model& model) {
  model.joined_from = {model.n(), model.m()};
  if (model.tokens->queries.empty() || model.tokens->keys.empty()) return;
  const bool same = model.other == model.given;
  const GivenPointer other = model.other;
  model.given = context.stage("words", join, model.given, model.tokens);
  const bool fits = other->n == model.joined_from->first && other->m == model.joined_from->second;
  model.other = same || !fits ? (same ? model.given : other)
                              : context.stage("other words", join, other, model.tokens);
  model.tokens = context.stage("names of words", join_names, model.tokens);
}

// --- combinations and filters

RowFilter filter_of(const Look& look, const Tokens& tokens) {
  RowFilter filter;
  if (!look.filters()) return filter;
  filter.share = look.share;
  filter.renormalize = look.renormalize;
  if (look.pair != Pair::all && !tokens.queries.empty() && !tokens.keys.empty()) {
    filter.queries = in_first_sentence(tokens.queries, look.separators);
    filter.keys = in_first_sentence(tokens.keys, look.separators);
    if (look.pair == Pair::b_to_a || look.pair == Pair::b_to_b) filter.queries.flip();
    if (look.pair == Pair::a_to_b || look.pair == Pair::b_to_b) filter.keys.flip();
  }
  if (look.hidden.empty() || tokens.keys.empty()) return filter;
  const std::vector<bool> hidden = among(tokens.keys, look.hidden);
  if (filter.keys.empty()) filter.keys.assign(hidden.size(), true);
  for (std::size_t j = 0; j < hidden.size(); ++j) filter.keys[j] = filter.keys[j] && !hidden[j];
  return filter;
}

HeadPointer rolled_out(const Given& given, const Look& look, Shown& shown, const Run& run) {
  if (given.n > kMostRolled) {
    throw core::InputError(core::Message(
        N_("attention rollout multiplies maps of all layers: expected at most {} tokens, got {}"),
        kMostRolled, given.n));
  }
  const auto layers = each(look.at.layer + 1, [&](Index layer) {
    return core::heads::mean_rows(given.heads_of({layer, look.at.batch}));
  });
  shown.rolled = std::make_shared<const std::vector<MatrixD>>(
      core::heads::rollout_steps(layers, look.residual, run.threads, run.cancel));
  return core::heads::dense_rows(shown.rolled->back().cast<float>());
}

HeadPointer combined(const Given& given, const GivenPointer& other, const Look& look, Shown& shown,
                     const Run& run) {
  switch (look.combine) {
    case Combine::head: break;
    case Combine::mean: return core::heads::mean_rows(given.heads_of(look.at));
    case Combine::largest: return core::heads::largest_rows(given.heads_of(look.at));
    case Combine::rollout: return rolled_out(given, look, shown, run);
    case Combine::difference:
      return core::heads::difference_rows(given.head(look.at), other->head(look.other));
  }
  return given.head(look.at);
}

Shown make_shown(const GivenPointer& given, const GivenPointer& other, const TokensPointer& tokens,
                 const Look& look, int rows, const Run& run) {
  Shown shown;
  shown.whole = combined(*given, other, look, shown, run);
  shown.rows = shown.whole;
  shown.filter = filter_of(look, *tokens);
  const bool filtered = !shown.filter.changes_nothing();
  if (filtered) shown.rows = core::heads::filtered_rows(shown.whole, shown.filter);
  shown.largest = core::heads::largest_magnitude(*shown.rows, kScaleRows, run.cancel);
  if (look.combine != Combine::head || filtered) {
    shown.looked_rows = rows > 0 ? std::min<Index>(rows, given->n) : given->n;
    shown.nan_rows = core::heads::not_finite_rows(*shown.rows, shown.looked_rows, run.cancel);
  }
  const auto stored =
      look.combine == Combine::head && !filtered ? given->stored(look.at) : std::nullopt;
  shown.cells =
      stored ? std::shared_ptr<const TileSource>(tensor_source(*stored)) : row_source(shown.rows);
  return shown;
}

// --- all heads

struct SheetKey {
  GivenPointer given;
  Index batch = 0, first_layer = 0, layers = 1, first_head = 0, heads = 1;
  Index rows = 0;  // of each head that are looked at for NaN
  bool operator==(const SheetKey&) const = default;
};

// As many layers and heads as have room, those that are looked at among them.
SheetKey sheet_key(const GivenPointer& given, const HeadAt& at, int rows) {
  const auto most = to_index(kMostSheet);
  SheetKey key{.given = given, .batch = at.batch, .layers = given->layers, .heads = given->heads};
  if (key.heads > most) {
    key.heads = most;
    key.first_head = at.head / most * most;
    key.heads = std::min(most, given->heads - key.first_head);
  }
  const Index room = std::max<Index>(1, most / key.heads);
  if (key.layers > room) {
    key.first_layer = at.layer / room * room;
    key.layers = std::min(room, given->layers - key.first_layer);
  }
  const Index some = kLookedCells / std::max<Index>(1, key.layers * key.heads * given->m);
  key.rows = std::min({rows > 0 ? Index{rows} : given->n, given->n, std::max<Index>(4, some)});
  return key;
}

Sheet make_sheet(const SheetKey& key, const Run& run) {
  const Given& given = *key.given;
  Sheet sheet;
  sheet.columns = key.heads;
  sheet.step = std::max<Index>(1, std::max(given.n, given.m) / kSheetSide);
  sheet.whole = key.layers == given.layers && key.heads == given.heads;
  const Index count = key.layers * key.heads;
  std::vector<double> largest(to_size(count));
  std::atomic<Index> nan_rows = 0;
  sheet.maps.resize(to_size(count));
  core::parallel_for(count, run.threads, [&](Index k, int) {
    run.cancel.poll();
    const HeadAt at{key.first_layer + k / key.heads, key.batch, key.first_head + k % key.heads};
    const HeadPointer head = given.head(at);
    sheet.maps[to_size(k)] = {at, row_source(core::heads::every_row(head, sheet.step))};
    largest[to_size(k)] = core::heads::largest_magnitude(*head, 4, run.cancel);
    nan_rows += core::heads::not_finite_rows(*head, key.rows, run.cancel);
  });
  sheet.nan_rows = nan_rows;
  sheet.rows = count * key.rows;
  sheet.largest = *std::max_element(largest.begin(), largest.end());
  return sheet;
}

Statistics make_statistics(const GivenPointer& given, const TokensPointer& tokens, Index batch,
                           int rows, const std::vector<std::string>& separators, const Run& run) {
  Statistics all{
      .heads = core::heads::all_statistics(
          *given, batch, {.most_rows = rows, .separators = among(tokens->keys, separators)},
          run.threads, run.cancel),
      .rows = rows > 0 ? std::min<Index>(rows, given->n) : given->n};
  for (const HeadStatistics& one : all.heads) all.faults.add(one.faults);
  return all;
}

HeadStatistics check_head(const GivenPointer& given, const TokensPointer& tokens, const HeadAt& at,
                          int rows, const std::vector<std::string>& separators, const Run& run) {
  return core::heads::head_statistics(*given->head(at),
                                      {.tolerance = core::heads::sum_tolerance(given->type()),
                                       .most_rows = rows,
                                       .separators = among(tokens->keys, separators)},
                                      run.cancel);
}

// --- the knobs, which count layers, heads and entries from 1, within what there is

HeadAt place_in(const Given& given, int layer, int batch, int head) {
  const auto within = [](int wanted, Index count) {
    return std::clamp<Index>(wanted, 0, count - 1);
  };
  return {within(layer - 1, given.layers), within(batch - 1, given.batches),
          within(head - 1, given.heads)};
}

Look look_of(const Parameters& p, const Model& model) {
  Look look{.at = model.at};
  if (p.view != View::head) return look;
  look.combine = p.combine;
  if (p.combine == Combine::rollout) look.residual = p.residual;
  if (p.combine == Combine::difference) {
    look.other = place_in(*model.other, p.other_layer, p.batch, p.other_head);
  }
  if (p.combine == Combine::mean || p.combine == Combine::largest ||
      p.combine == Combine::rollout) {
    look.at.head = 0;
  }
  look.hidden = typed_words(p.hidden);
  look.pair = p.pair;
  if (p.pair != Pair::all) look.separators = typed_words(p.separators);
  if (p.combine != Combine::difference) look.share = p.share;
  look.renormalize = look.filters() && p.combine != Combine::difference && p.renormalize;
  return look;
}

// The key that weighs most, the first of several; 0 where nothing does.
Index strongest(const std::vector<float>& row) {
  Index best = 0;
  float most = 0;
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (!core::is_masked(row[j]) && std::abs(row[j]) > most) {
      most = std::abs(row[j]);
      best = to_index(j);
    }
  }
  return best;
}

GivenPointer given_of_other(const Parameters& p, Model& model, const Context& context) {
  if (p.other_file.empty()) return model.given;
  model.other_source = opened("other", p.other_file, p.sample, context);
  HeadChoice choice = choice_of(p, model.other_source);
  // The array of the same name where there is one; otherwise its best.
  if (!choice.array.empty() && !model.other_source->file->find(choice.array)) choice.array.clear();
  return context.stage("other given", resolve, choice);
}

}  // namespace

std::shared_ptr<const TileSource> row_source(const HeadPointer& rows) {
  Cells cells{.rows = rows->queries(), .cols = rows->keys()};
  cells.value = [rows](Index row, Index col) { return rows->row(row)[to_size(col)]; };
  cells.pooled = [rows](int level, const figure::Region& region, core::Pool pool, float* out,
                        const core::Cancel& cancel) {
    core::heads::pool_rows(*rows, level, region, pool, out, cancel);
  };
  cells.cost = [rows](int level, const figure::Region& region) {
    constexpr double kCell = 40;  // multiply-adds of reading, softmax and filters
    return kCell * to_double(region.rows << level) * to_double(rows->keys());
  };
  return cell_source(std::move(cells));
}

HeadChoice choice_of(const Parameters& p, SourcePointer source) {
  HeadChoice choice{.source = std::move(source), .holds = p.holds};
  const bool vectors = p.holds == Holds::vectors;
  if (!vectors) choice.array = p.array, choice.order = p.order;
  if (vectors || p.holds == Holds::found || p.view == View::neuron) {
    choice.queries = p.queries, choice.keys = p.keys, choice.vector_order = p.vector_order;
  }
  choice.causal = p.holds != Holds::weights && p.causal;
  return choice;
}

std::string Model::query_name(Index i) const {
  return tokens->query_names ? (*tokens->query_names)[to_size(i)] : fmt::format("{}", i);
}
std::string Model::key_name(Index j) const {
  return tokens->key_names ? (*tokens->key_names)[to_size(j)] : fmt::format("{}", j);
}

Model make_model(const Parameters& p, const SourcePointer& source, const Context& context) {
  Model model;
  model.source = source;
  model.given = context.stage("given", resolve, choice_of(p, source));
  model.other = model.given;
  if (p.view == View::head && p.combine == Combine::difference) {
    model.other = given_of_other(p, model, context);
  }
  model.tokens = context.stage("tokens", read_tokens,
                               TokensKey{source, stamp_of(p.tokens_file),
                                         stamp_of(p.key_tokens_file), model.n(), model.m()});
  if (p.words) join_words(context, model);
  const Given& given = *model.given;
  model.at = place_in(given, p.layer, p.batch, p.head);
  model.look = look_of(p, model);
  model.shown = context.stage("shown", make_shown, model.given, model.other, model.tokens,
                              model.look, p.rows);
  model.query = std::min<Index>(p.query, given.n - 1);
  model.row = model.shown->rows->row(model.query, context.cancel);
  model.key_chosen = p.key >= 0;
  model.key = model.key_chosen ? std::min<Index>(p.key, given.m - 1) : strongest(model.row);
  const auto separators = typed_words(p.separators);
  model.checked =
      context.stage("checked", check_head, model.given, model.tokens, model.at, p.rows, separators);
  if (p.view == View::model) {
    model.sheet = context.stage("sheet", make_sheet, sheet_key(model.given, model.at, p.rows));
  }
  if (p.view == View::statistics) {
    model.statistics = context.stage("statistics", make_statistics, model.given, model.tokens,
                                     model.at.batch, p.rows, separators);
  }
  return model;
}

}  // namespace lab::tensors
