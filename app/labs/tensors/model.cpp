#include "app/labs/tensors/model.h"

#include "app/labs/shared/drawing/tensor_source.h"
#include "app/labs/shared/parts.h"
#include "core/heads/rollout.h"
#include "core/io/tensor/token_list.h"
#include "core/parallel.h"

#include <atomic>

namespace lab::tensors {
namespace {

using core::heads::HeadRows, core::heads::HeadStatistics;

Given resolve_stage(const Choice& choice, const Run&) { return resolve(choice); }

// --- maps

// The number of largest magnitude, with its sign, or the mean; of a block of cells.
class PooledCell {
 public:
  void add(float number) {
    if (core::is_masked(number)) return;
    ++count_;
    nan_ = nan_ || std::isnan(number);
    sum_ += to_double(number);
    if (count_ == 1 || std::abs(number) > std::abs(largest_)) largest_ = number;
  }
  float result(core::Pool pool) const {
    if (count_ == 0) return core::kMasked;
    if (nan_) return std::numeric_limits<float>::quiet_NaN();
    return pool == core::Pool::max ? largest_ : to_float(sum_ / to_double(count_));
  }

 private:
  Index count_ = 0;
  bool nan_ = false;
  double sum_ = 0;
  float largest_ = 0;
};

void pool_rows(const HeadRows& head, int level, const figure::Region& region, core::Pool pool,
               float* out, const core::Cancel& cancel) {
  const figure::Region under = Cells::under(level, region, head.queries(), head.keys());
  const Index block = std::min<Index>(64, under.rows);
  std::vector<PooledCell> cells(to_size(region.rows * region.cols));
  std::vector<float> rows(to_size(block * head.keys()));
  for (Index begin = 0; begin < under.rows; begin += block) {
    const Index count = std::min(block, under.rows - begin);
    cancel.poll();
    head.read(under.row + begin, count, rows.data(), cancel);
    for (Index i = 0; i < count; ++i) {
      const Index row = ((under.row + begin + i) >> level) - region.row;
      for (Index j = under.col; j < under.col + under.cols; ++j) {
        const Index col = (j >> level) - region.col;
        cells[to_size(row * region.cols + col)].add(rows[to_size(i * head.keys() + j)]);
      }
    }
  }
  std::transform(cells.begin(), cells.end(), out,
                 [pool](const PooledCell& cell) { return cell.result(pool); });
}

// Every step-th query and key, read a row at a time.
class EveryRow final : public HeadRows {
 public:
  EveryRow(HeadPointer head, Index step) : head_(std::move(head)), step_(step) {}
  Index queries() const override { return core::ceil_div(head_->queries(), step_); }
  Index keys() const override { return core::ceil_div(head_->keys(), step_); }
  void read(Index first, Index count, float* out, const core::Cancel& cancel) const override {
    std::vector<float> row(to_size(head_->keys()));
    for (Index i = 0; i < count; ++i) {
      head_->read((first + i) * step_, 1, row.data(), cancel);
      for (Index j = 0; j < keys(); ++j) *out++ = row[to_size(j * step_)];
    }
  }

 private:
  HeadPointer head_;
  Index step_;
};

double largest_of(const HeadRows& head, Index rows, const core::Cancel& cancel) {
  double largest = 0;
  std::vector<float> row(to_size(head.keys()));
  for (const Index query : core::heads::spread_rows(head.queries(), rows)) {
    head.read(query, 1, row.data(), cancel);
    for (const float weight : row) {
      if (std::isfinite(weight)) largest = std::max(largest, std::abs(to_double(weight)));
    }
  }
  return largest;
}

// So many rows, spread evenly, of which some have numbers that are none.
Index non_finite_rows(const HeadRows& head, Index rows, const core::Cancel& cancel) {
  Index found = 0;
  std::vector<float> row(to_size(head.keys()));
  for (const Index query : core::heads::spread_rows(head.queries(), rows)) {
    head.read(query, 1, row.data(), cancel);
    found += std::any_of(row.begin(), row.end(), [](float weight) {
      return !std::isfinite(weight) && !core::is_masked(weight);
    });
  }
  return found;
}

// --- tokens

struct TokensKey {
  SourcePointer source;
  FileStamp file, key_file;
  Index n = 0, m = 0;
  bool operator==(const TokensKey&) const = default;
};

bool is_for_keys(const std::string& name) { return name.find("key") != std::string::npos; }

// Texts that are named for it, or else as many as there are queries; or an array of bytes.
const core::TextEntry* texts_in(const Source& source, bool of_keys, Index count) {
  const core::TextEntry* as_many = nullptr;
  for (const core::TextEntry& entry : source.file->texts) {
    if (is_for_keys(entry.name) != of_keys) continue;
    if (is_of_tokens(entry.name)) return &entry;
    if (!as_many && to_index(entry.texts.size()) == count) as_many = &entry;
  }
  return as_many;
}

std::vector<std::string> tokens_in(const Source& source, bool of_keys, Index count) {
  if (const core::TextEntry* texts = texts_in(source, of_keys, count)) return texts->texts;
  for (const core::Tensor& tensor : source.file->tensors) {
    if (!names_tokens(tensor) || is_for_keys(tensor.name) != of_keys) continue;
    return core::tokens_of(tensor, core::Message::plain(source.name + ", " + tensor.name));
  }
  return of_keys ? std::vector<std::string>{} : source.tokens;
}

Labels shown_names(const std::vector<std::string>& tokens) {
  if (tokens.empty()) return nullptr;
  return labels(each(tokens, [&](const std::string& token) { return core::shown_token(token); }));
}

// So many tokens: the last ones where there are more, numbers behind them where there are fewer.
std::vector<std::string> fitted(std::vector<std::string> tokens, Index count) {
  if (tokens.empty()) return tokens;
  const Index have = to_index(tokens.size());
  for (Index k = have; k < count; ++k) tokens.push_back(fmt::format("#{}", k));
  return tokens;
}

Tokens read_all_tokens(const TokensKey& key, const Run& run) {
  Tokens tokens;
  tokens.queries = key.file.path.empty() ? tokens_in(*key.source, false, key.n)
                                         : core::read_tokens(key.file.path, run.cancel);
  tokens.keys = key.key_file.path.empty() ? tokens_in(*key.source, true, key.m)
                                          : core::read_tokens(key.key_file.path, run.cancel);
  const auto given = to_index(tokens.queries.size());
  // Queries of a text whose beginning is in a cache are its last tokens.
  const bool one_text = tokens.keys.empty() && (key.n == key.m || given == key.m);
  if (one_text) tokens.keys = tokens.queries;
  if (one_text && key.n < key.m && given == key.m) {
    tokens.queries.erase(tokens.queries.begin(), tokens.queries.begin() + (key.m - key.n));
  }
  tokens.given_queries = to_index(tokens.queries.size());
  tokens.given_keys = to_index(tokens.keys.size());
  const auto fits = [](Index have, Index wanted) { return have == 0 || have == wanted; };
  tokens.fits = fits(tokens.given_queries, key.n) && fits(tokens.given_keys, key.m);
  tokens.queries = fitted(std::move(tokens.queries), key.n);
  tokens.keys = fitted(std::move(tokens.keys), key.m);
  tokens.queries.resize(tokens.queries.empty() ? 0 : to_size(key.n));
  tokens.keys.resize(tokens.keys.empty() ? 0 : to_size(key.m));
  tokens.query_names = shown_names(tokens.queries);
  tokens.key_names = shown_names(tokens.keys);
  return tokens;
}

// --- combinations and filters

// Which tokens are in the sentence A, which ends with the first separator.
std::vector<bool> in_first(const std::vector<std::string>& tokens,
                           const std::vector<std::string>& separators) {
  const std::vector<bool> ends = among(tokens, separators);
  std::vector<bool> first(tokens.size(), true);
  const auto end = std::find(ends.begin(), ends.end(), true);
  for (auto k = end == ends.end() ? end : end + 1; k != ends.end(); ++k) {
    first[to_size(k - ends.begin())] = false;
  }
  return first;
}

void negate(std::vector<bool>& list) { list.flip(); }

core::heads::RowFilter filter_of(const Look& look, const Tokens& tokens) {
  core::heads::RowFilter filter;
  if (!look.filters()) return filter;
  filter.share = look.share;
  filter.renormalize = look.renormalize;
  if (look.pair != Pair::all && !tokens.queries.empty() && !tokens.keys.empty()) {
    filter.queries = in_first(tokens.queries, look.separators);
    filter.keys = in_first(tokens.keys, look.separators);
    if (look.pair == Pair::b_to_a || look.pair == Pair::b_to_b) negate(filter.queries);
    if (look.pair == Pair::a_to_b || look.pair == Pair::b_to_b) negate(filter.keys);
  }
  if (look.hidden.empty() || tokens.keys.empty()) return filter;
  const std::vector<bool> hidden = among(tokens.keys, look.hidden);
  if (filter.keys.empty()) filter.keys.assign(hidden.size(), true);
  for (std::size_t j = 0; j < hidden.size(); ++j) filter.keys[j] = filter.keys[j] && !hidden[j];
  return filter;
}

std::vector<HeadPointer> heads_of(const Given& given, const HeadAt& layer) {
  std::vector<HeadPointer> heads;
  for (Index head = 0; head < given.heads; ++head) {
    heads.push_back(given.head({layer.layer, layer.batch, head}));
  }
  return heads;
}

HeadPointer rolled_out(const Given& given, const Look& look, Shown& shown, const Run& run) {
  if (given.n > kMostRolled) {
    throw core::InputError(core::Message(
        N_("attention rollout multiplies maps of all layers: expected at most {} tokens, got {}"),
        kMostRolled, given.n));
  }
  auto steps = std::make_shared<std::vector<MatrixD>>();
  for (Index layer = 0; layer <= look.at.layer; ++layer) {
    run.cancel.progress(to_float(layer) / to_float(look.at.layer + 1));
    const MatrixD mixed = core::heads::with_residual(
        *core::heads::mean_rows(heads_of(given, {layer, look.at.batch, 0})), look.residual,
        run.cancel.without_progress());
    steps->push_back(layer == 0 ? mixed
                                : core::heads::rolled_on(mixed, steps->back(), run.threads,
                                                         run.cancel.without_progress()));
  }
  shown.rolled = steps;
  return core::heads::dense_rows(steps->back().cast<float>());
}

HeadPointer combined(const Given& given, const GivenPointer& other, const Look& look, Shown& shown,
                     const Run& run) {
  switch (look.combine) {
    case Combine::head: break;
    case Combine::mean: return core::heads::mean_rows(heads_of(given, look.at));
    case Combine::largest: return core::heads::largest_rows(heads_of(given, look.at));
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
  shown.largest = largest_of(*shown.rows, kScaleRows, run.cancel);
  if (look.combine != Combine::head || filtered) {
    shown.looked_rows = rows > 0 ? std::min<Index>(rows, given->n) : given->n;
    shown.nan_rows = non_finite_rows(*shown.rows, shown.looked_rows, run.cancel);
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
    const auto small = std::make_shared<const EveryRow>(head, sheet.step);
    sheet.maps[to_size(k)] = {at, row_source(sheet.step == 1 ? head : small)};
    largest[to_size(k)] = largest_of(*head, 4, run.cancel);
    nan_rows += non_finite_rows(*head, key.rows, run.cancel);
  });
  sheet.nan_rows = nan_rows;
  sheet.rows = count * key.rows;
  sheet.largest = *std::max_element(largest.begin(), largest.end());
  return sheet;
}

Statistics make_statistics(const GivenPointer& given, const TokensPointer& tokens, Index batch,
                           int rows, const std::vector<std::string>& separators, const Run& run) {
  const core::heads::StatisticsOptions options{
      .tolerance = core::heads::sum_tolerance(given->type()),
      .most_rows = rows,
      .separators = among(tokens->keys, separators)};
  const Index count = given->layers * given->heads;
  Statistics all;
  all.heads.resize(to_size(count));
  all.rows = rows > 0 ? std::min<Index>(rows, given->n) : given->n;
  std::atomic<Index> done = 0;
  core::parallel_for(count, run.threads, [&](Index k, int) {
    const HeadAt at{k / given->heads, batch, k % given->heads};
    all.heads[to_size(k)] =
        core::heads::head_statistics(*given->head(at), options, run.cancel.without_progress());
    run.cancel.progress(to_float(++done) / to_float(count));
  });
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
  look.hidden = words_of(p.hidden);
  look.pair = p.pair;
  if (p.pair != Pair::all) look.separators = words_of(p.separators);
  if (p.combine != Combine::difference) look.share = p.share;
  if (look.filters() && p.combine != Combine::difference) {
    look.renormalize = p.renormalize;
  } else {
    look.renormalize = false;
  }
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
  Choice choice = choice_of(p, model.other_source);
  // The array of the same name where there is one; otherwise its best.
  if (!choice.array.empty() && !model.other_source->file->find(choice.array)) choice.array.clear();
  return context.stage("other given", resolve_stage, choice);
}

}  // namespace

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

std::vector<bool> among(const std::vector<std::string>& tokens,
                        const std::vector<std::string>& wanted) {
  std::vector<bool> found(tokens.size(), false);
  if (wanted.empty()) return found;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const std::string shown = core::shown_token(tokens[k]);
    found[k] = std::any_of(wanted.begin(), wanted.end(), [&](const std::string& one) {
      return one == tokens[k] || one == shown;
    });
  }
  return found;
}

std::shared_ptr<const TileSource> row_source(HeadPointer rows) {
  Cells cells{.rows = rows->queries(), .cols = rows->keys()};
  cells.value = [rows](Index row, Index col) { return rows->row(row)[to_size(col)]; };
  cells.pooled = [rows](int level, const figure::Region& region, core::Pool pool, float* out,
                        const core::Cancel& cancel) {
    pool_rows(*rows, level, region, pool, out, cancel);
  };
  cells.cost = [rows](int level, const figure::Region& region) {
    constexpr double kCell = 40;  // multiply-adds of reading, softmax and filters
    return kCell * to_double(region.rows << level) * to_double(rows->keys());
  };
  return cell_source(std::move(cells));
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
  model.given = context.stage("given", resolve_stage, choice_of(p, source));
  const Given& given = *model.given;
  model.other = model.given;
  if (p.view == View::head && p.combine == Combine::difference) {
    model.other = given_of_other(p, model, context);
  }
  context.cancel.poll();
  model.tokens = context.stage(
      "tokens", read_all_tokens,
      TokensKey{source, stamp_of(p.tokens_file), stamp_of(p.key_tokens_file), given.n, given.m});
  model.at = place_in(given, p.layer, p.batch, p.head);
  model.look = look_of(p, model);
  model.shown = context.stage("shown", make_shown, model.given, model.other, model.tokens,
                              model.look, p.rows);
  context.cancel.poll();
  model.query = std::min<Index>(p.query, given.n - 1);
  model.row = model.shown->rows->row(model.query, context.cancel);
  model.key_chosen = p.key >= 0;
  model.key = model.key_chosen ? std::min<Index>(p.key, given.m - 1) : strongest(model.row);
  const auto separators = words_of(p.separators);
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
