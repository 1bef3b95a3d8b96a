#include "app/labs/tensors/page.h"
#include "app/labs/shared/text/text.h"

#include <filesystem>

#include "core/heads/words.h"
#include "core/io/tensor/token_list.h"
#include "core/text/printable.h"

namespace lab::tensors {
namespace {

using core::heads::among, core::heads::fitting;
using core::heads::HeadStatistics, core::heads::Part, core::heads::RowFaults;

std::string token_name(const Labels& names, Index at, const Words& w) {
  return names ? w.format("\"{}\" ({})", (*names)[to_size(at)], at) : fmt::format("{}", at);
}

// Weight of the map's row that is shown.
void add_weight(const Scene& scene, std::vector<Readout>& list) {
  const auto& [p, model, w] = scene;
  if (!std::isfinite(scene.weight())) return;
  const double weight = to_double(scene.weight());
  list.push_back({"weight", scene.difference() ? w("Difference") : w("Weight"), weight,
                  weight_text(weight), w("Of the picked query and key, as it is shown")});
}

void add_statistics(const Scene& scene, std::vector<Readout>& list) {
  const auto& [p, model, w] = scene;
  const HeadStatistics& head = *model.checked;
  if (head.counted == 0) return;
  for (const NamedMetric& metric : named_metrics()) {
    const double value = head.*metric.value;
    list.push_back({std::string(metric.id),
                    w.format("Head {}: {}", head_name(model.at), w(metric.name)), value,
                    metric.unit.empty() ? fixed(value) : fixed(value) + " " + w(metric.unit),
                    w(metric.help)});
  }
}

const RowFaults& faults_of(const Model& model) {
  return model.statistics ? model.statistics->faults : model.checked->faults;
}

void add_faults(const Scene& scene, std::vector<Readout>& list) {
  const auto& [p, model, w] = scene;
  const RowFaults& faults = faults_of(model);
  const auto add = [&](const char* id, std::string label, Index count, std::string help) {
    list.push_back({id, std::move(label), to_double(count), grouped(count), std::move(help)});
  };
  add("rows", w("Rows sampled"), faults.rows,
      model.statistics ? w("Of all heads") : w("Of the picked head, before heads are combined"));
  add("rows_not_one", w("Rows that do not add up to 1"), faults.not_one,
      w("Beyond what rounding to the file's type makes"));
  add("rows_negative", w("Rows with negative numbers"), faults.negative,
      w("Weights are never below 0"));
  add("rows_nan", w("Rows with NaN or infinity"), faults.nan, w("They are in no mean"));
  add("rows_empty", w("Empty rows"), faults.empty, w("Nothing but zeros and masked keys"));
}

std::string formula(const Scene& scene) {
  const auto& [p, model, w] = scene;
  switch (model.look.combine) {
    case Combine::head: break;
    case Combine::mean: return "W = \\frac{1}{h} \\sum_{i} A_{i}";
    case Combine::largest: return "W = \\max_{i} A_{i}";
    case Combine::rollout: return "R_{l} = (r I + (1 - r) W_{l}) R_{l-1}";
    case Combine::difference: return "Δ = A_{1} - A_{2}";
  }
  if (p.view == View::statistics) return "H = -\\sum_{j} A_{ij} \\log A_{ij}";
  return "A = \\text{softmax}\\left(\\frac{\\Q{Q} \\K{K}^{⊤}}{\\sqrt{d_{k}}}\\right)";
}

std::string percent_of(Index part, Index whole) {
  return percent(to_double(part) / to_double(std::max<Index>(1, whole)), 1);
}

void note_faults(const Scene& scene, Page& page) {
  const auto& [p, model, w] = scene;
  const RowFaults& faults = faults_of(model);
  if (faults.nan > 0) {
    page.note(w.format("Rows with NaN or infinite numbers: {} of {} ({}).", faults.nan, faults.rows,
                       percent_of(faults.nan, faults.rows)));
  }
  // Faults of heads that are not picked, and of a map that combines several.
  if (model.sheet && model.sheet->nan_rows > faults.nan) {
    page.note(w.format("Rows of all heads with NaN or infinite numbers: {} of {} ({}).",
                       model.sheet->nan_rows, model.sheet->rows,
                       percent_of(model.sheet->nan_rows, model.sheet->rows)));
  }
  if (model.shown->nan_rows > 0) {
    page.note(w.format("Rows of the map that is shown with NaN or infinite numbers: {} of {} ({}).",
                       model.shown->nan_rows, model.shown->looked_rows,
                       percent_of(model.shown->nan_rows, model.shown->looked_rows)));
  }
  if (faults.negative > 0) {
    page.note(
        w.format("Rows with negative numbers: {} of {} ({}). If these are scores, choose so under "
                 "\"Numbers are\".",
                 faults.negative, faults.rows, percent_of(faults.negative, faults.rows)));
  }
  if (faults.not_one > 0) {
    page.note(w.format(
        "Rows that do not add up to 1: {} of {} ({}); the farthest, row {}, adds up to {}.",
        faults.not_one, faults.rows, percent_of(faults.not_one, faults.rows), faults.worst_row,
        significant(faults.worst_sum)));
  }
  if (faults.empty > 0) {
    page.note(
        w.format("Empty rows, zeros alone or all masked: {} of {}.", faults.empty, faults.rows));
  }
  const Index each = p.rows > 0 ? std::min<Index>(p.rows, model.n()) : model.n();
  if (each < model.n()) {
    page.note(w.format("Sampled: of each head, {} of {} queries were used for the statistics.",
                       each, model.n()));
  }
}

std::string unread_text(const Scene& scene) {
  const std::size_t count = scene.model.source->file->unread.size();
  return count == 1 ? scene.w("1 entry is not read")
                    : scene.w.format("{} entries are not read", count);
}

// Files of the folder that was opened go by their names.
std::string without_folder(std::string text, const Source& source) {
  const std::string& path = source.file->name;
  if (!path.ends_with(source.name) || path == source.name) return text;
  const std::string folder = path.substr(0, path.size() - source.name.size());
  for (std::size_t at = text.find(folder); at != text.npos; at = text.find(folder, at)) {
    text.erase(at, folder.size());
  }
  return text;
}

// What the file has besides: by name, and why of the first ones.
void note_unread(const Scene& scene, Page& page) {
  const auto& [p, model, w] = scene;
  constexpr std::size_t kMostNamed = 8, kMostListed = 4;
  const auto& unread = model.source->file->unread;
  if (unread.empty()) return;
  std::vector<std::string> names;
  for (const core::UnreadEntry& one : unread) {
    if (names.size() == kMostNamed) break;
    names.push_back(core::printable(one.name, 60));
  }
  if (unread.size() > names.size()) names.emplace_back("…");
  page.note(w.format("{}: {}.", unread_text(scene), w.list(names)));
  for (std::size_t k = 0; k < std::min(kMostListed, unread.size()); ++k) {
    page.note(w.format("{}.", without_folder(unread[k].why.in(w), *model.source)));
  }
}

void note_arrays(const Scene& scene, Page& page) {
  const auto& [p, model, w] = scene;
  const Given& given = scene.given();
  if (given.odd_order || given.odd_vector_order) {
    page.note(w.format(
        "The letters \"{}\" do not name the axes of this array once each: they are guessed.",
        core::printable(given.odd_order ? p.order : p.vector_order)));
  }
  if (p.view == View::neuron && !given.has_vectors()) {
    page.note(
        w.format("There are no queries and keys to be looked at: {}.", given.no_vectors.in(w)));
  }
  if (model.n() != model.m()) {
    page.note(
        w.format("Queries: {}, keys: {}. The last query is aligned with the last key, and the "
                 "diagonal is counted from there.",
                 model.n(), model.m()));
  }
}

Index count_of(const std::vector<bool>& found) {
  return std::count(found.begin(), found.end(), true);
}

// Those of the words that no token has for a name, quoted; "" where there are none.
std::string no_tokens(const Tokens& tokens, const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) {
    if (count_of(among(tokens.keys, {word})) + count_of(among(tokens.queries, {word})) > 0)
      continue;
    list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", core::printable(word));
  }
  return list;
}

// A button that hides the tokens that are no text, as long as there are some.
void offer_hiding(const Scene& scene, Page& page) {
  const auto& [p, model, w] = scene;
  std::vector<std::string> hidden = typed_words(p.hidden);
  const std::size_t before = hidden.size();
  for (const std::string& token : model.tokens->keys) {
    const bool known = std::find(hidden.begin(), hidden.end(), token) != hidden.end();
    if (core::heads::is_special(token) && !known) hidden.push_back(token);
  }
  if (hidden.size() == before || hidden.size() == model.tokens->keys.size()) return;
  std::string all;
  for (const std::string& token : hidden) all += (all.empty() ? "" : " ") + token;
  if (all.size() > kMostNames) return;
  page.offer = {w("Hide special tokens"),
                w("Keys such as [CLS] and <s> are left out, as \"Hidden tokens\" says"),
                {{"hidden", all}}};
}

void note_words(const Scene& scene, Page& page) {
  const auto& [p, model, w] = scene;
  if (!model.joined_from) return;
  const auto& [queries, keys] = *model.joined_from;
  if (!scene.given().words) {
    page.note(w("Tokens have no names here: words cannot be told apart."));
  } else if (queries == model.n() && keys == model.m()) {
    page.note(w("No token goes on with a word here: nothing is joined."));
  } else {
    page.note(
        w.format("Words: {} queries of {} tokens, {} keys of {}. Weights on the tokens of a word "
                 "are summed, those of its tokens averaged.",
                 model.n(), queries, model.m(), keys));
  }
}

void note_tokens(const Scene& scene, Page& page) {
  const auto& [p, model, w] = scene;
  const Tokens& tokens = *model.tokens;
  note_words(scene, page);
  if (!tokens.fits) {
    page.note(
        w.format("Names of tokens: {} and {}, queries: {}, keys: {}. The rest are numbers, or "
                 "names are left over.",
                 tokens.given_queries, tokens.given_keys,
                 model.joined_from ? model.joined_from->first : model.n(),
                 model.joined_from ? model.joined_from->second : model.m()));
  }
  if (const auto list = no_tokens(tokens, typed_words(p.separators)); !list.empty()) {
    page.note(w.format("Separators that are no token here: {}.", list));
  }
  if (p.view != View::head) return;
  offer_hiding(scene, page);
  if (!p.find.empty()) {
    Index found = 0;
    for (Index j = 0; j < model.m(); ++j)
      found += model.key_name(j).find(p.find) != std::string::npos;
    page.note(
        w.format("Found in {} of {} tokens: \"{}\".", found, model.m(), core::printable(p.find)));
  }
  if (!model.look.hidden.empty()) {
    page.note(w.format("Hidden tokens: {} of {}.", count_of(among(tokens.keys, model.look.hidden)),
                       model.m()));
  }
  if (const auto list = no_tokens(tokens, model.look.hidden); !list.empty()) {
    page.note(w.format("Hidden tokens that are none here: {}.", list));
  }
  if (model.look.pair == Pair::all) return;
  if (tokens.keys.empty()) {
    page.note(w("Tokens have no names here: sentences are not told apart."));
  } else if (count_of(among(tokens.keys, model.look.separators)) == 0) {
    page.note(w("No token is one of the separators: all of it is sentence A."));
  }
}

std::string status(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Given& given = scene.given();
  std::string text = w.format("layers {} · heads {} · queries {} · keys {}", given.layers,
                              given.heads, given.n, given.m);
  if (given.batches > 1) text += " · " + w.format("batch {}", given.batches);
  if (given.has_vectors()) {
    text += fmt::format(" · d {}", given.width());
    if (given.key_heads != given.heads)
      text += " · " + w.format("heads of keys {}", given.key_heads);
  }
  text += " · " + std::string(core::facts(given.type()).name);
  if (!p.file.empty()) text += " · " + model.source->name;
  if (!model.source->file->unread.empty()) text += " · " + unread_text(scene);
  return text;
}

void add_figures(const Scene& scene, Page& page) {
  auto& figures = page.figures;
  switch (scene.p.view) {
    case View::model:
      figures.push_back(sheet_figure(scene));
      figures.push_back(map_figure(scene, 5));
      figures.push_back(arrays_figure(scene));
      figures.push_back(saving_figure(scene));
      break;
    case View::head:
      figures.push_back(tokens_figure(scene));
      figures.push_back(map_figure(scene, 7));
      figures.push_back(links_figure(scene));
      figures.push_back(row_figure(scene));
      break;
    case View::neuron:
      if (scene.given().has_vectors()) {
        figures.push_back(neuron_figure(scene));
        figures.push_back(products_figure(scene));
      }
      figures.push_back(map_figure(scene, 7));
      break;
    case View::statistics:
      figures.push_back(metric_figure(scene));
      figures.push_back(sorted_figure(scene));
      figures.push_back(plane_figure(scene));
      figures.push_back(map_figure(scene, 7));
      break;
  }
}

// All that is noted, over the other figures: the window's last line has room for the first alone.
void add_found(const Scene& scene, Page& page) {
  if (page.notes.empty()) return;
  const Words& w = scene.w;
  figure::Table table{.columns = {{w("of what is looked at"), 1}}};
  for (const std::string& note : page.notes) {
    table.rows.push_back({{{note, Role::text, TextStyle::label}}});
  }
  Figure figure =
      new_figure("found", w("What was found"), {.height = 86 + 30 * to_float(page.notes.size())});
  figure.caption =
      w("What figures alone would not show: it is counted and reported, never repaired.");
  Plot plot{.id = "found"};
  plot.add(std::move(table));
  page.figures.insert(page.figures.begin(), with(std::move(figure), std::move(plot)));
}

param::Names names_of(const core::TensorFile& file, Part part) {
  auto names = each(fitting(file, part), [&](const core::Tensor* const tensor) {
    return param::Named{tensor->name, fmt::format("{} {}", core::printable(tensor->name, 200),
                                                  core::tensor_shape_text(tensor->shape))};
  });
  return std::make_shared<const std::vector<param::Named>>(std::move(names));
}

// The places that there are.
void add_ranges(const Parameters& p, const Model& model, const Words& w, param::Facts& found) {
  const auto add = [&](const char* id, const std::string& of, double min, Index max,
                       const SourcePointer& source, const std::string& file) {
    const std::string in = file.empty() ? w("the sample") : source->name;
    found[id] = {.of = of, .range = {{min, to_double(max)}}, .in = in};
  };
  const Given& given = *model.given;
  const auto add_own = [&](const char* id, double min, Index max) {
    add(id, opened_arrays(p), min, max, model.source, p.file);
  };
  add_own("layer", 1, given.layers);
  add_own("head", 1, given.heads);
  add_own("batch", 1, given.batches);
  add_own("query", 0, given.n - 1);
  add_own("key", -1, given.m - 1);
  if (p.view != View::head || p.combine != Combine::difference) return;
  const bool same = !model.other_source;
  const SourcePointer& other = same ? model.source : model.other_source;
  const std::string& file = same ? p.file : p.other_file;
  add("other_layer", opened_other(p), 1, model.other->layers, other, file);
  add("other_head", opened_other(p), 1, model.other->heads, other, file);
}

param::Facts names(const Parameters& p, const Source& source) {
  const std::string of = opened_name(p);
  return {{"array", {of, names_of(*source.file, Part::pairs)}},
          {"queries", {of, names_of(*source.file, Part::queries)}},
          {"keys", {of, names_of(*source.file, Part::keys)}}};
}

Page page_of(const Parameters& p, const Model& model, const Words& words) {
  const Scene scene{p, model, words};
  Page page;
  add_figures(scene, page);
  add_weight(scene, page.readouts);
  add_statistics(scene, page.readouts);
  add_faults(scene, page.readouts);
  page.formula = formula(scene);
  page.explanation = explain(scene);
  page.cards = cards("tensors", words);
  note_faults(scene, page);
  note_unread(scene, page);
  note_arrays(scene, page);
  note_tokens(scene, page);
  add_found(scene, page);
  page.status = status(scene);
  return page;
}

}  // namespace

std::string Scene::query_name() const {
  return token_name(model.tokens->query_names, model.query, w);
}
std::string Scene::key_name() const { return token_name(model.tokens->key_names, model.key, w); }

namespace {

// Beside a published model's configuration its weights are no attention: it is opened as a model.
std::vector<Jump> jumps(const std::string& file, const Words& w) {
  std::error_code unreadable;
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (file.empty() || !std::filesystem::is_regular_file(folder / "config.json", unreadable)) {
    return {};
  }
  return {{"checkpoint",
           w("Open its model"),
           w("A published model's configuration lies beside this file"),
           {{"folder", folder.string()}}}};
}

}  // namespace

std::string head_name(const HeadAt& at) { return fmt::format("{}.{}", at.layer + 1, at.head + 1); }

Page compute(const Parameters& p, const Context& context) {
  const SourcePointer source = opened("file", p.file, p.sample, context);
  Page page;
  try {
    const Model model = make_model(p, source, context);
    page = page_of(p, model, context.words);
    page.jumps = jumps(p.file, context.words);
    add_ranges(p, model, context.words, page.found);
  } catch (const core::InputError& error) {
    page.fault = core::message_of(error);
  }
  page.found.merge(names(p, *source));
  return page;
}

}  // namespace lab::tensors
