// What the folder holds: the model, its tensors, what was read of it.
#include "app/labs/checkpoint/page.h"
#include "app/labs/shared/drawing/table_numbers.h"
#include "core/text/printable.h"

namespace lab::checkpoint {
namespace {

using core::checkpoint::Kind;
using figure::Table;

constexpr std::size_t kMostNames = 24;

class Rows {
 public:
  explicit Rows(const Words& w) : table_{.columns = {{w("fact"), 1}, {w("of this model"), 2}}} {}
  void add(std::string what, std::string value) {
    table_.rows.push_back(
        {{{std::move(what), Role::dim, TextStyle::label}}, {mono(std::move(value))}});
  }
  Table take() { return std::move(table_); }
  std::size_t count() const { return table_.rows.size(); }

 private:
  Table table_;
};

std::string kind_text(Kind kind, const Words& w) {
  switch (kind) {
    case Kind::decoder: return w("decoder");
    case Kind::encoder: return w("encoder");
    case Kind::encoder_decoder: return w("encoder and decoder");
  }
  return {};
}

// "float16 (tensors: 12)".
std::string number_types(const Model& model, const Words& w) {
  std::map<std::string, Index> counts;
  for (const auto& one : model.opened->model->weights().declared()) {
    ++counts[std::string(core::facts(one.tensor.type).name)];
  }
  std::string text;
  for (const auto& [type, count] : counts) {
    text += (text.empty() ? "" : ", ") + w.format("{} (tensors: {})", type, count);
  }
  return text;
}

std::string names_text(const std::vector<std::string>& names, const Words& w) {
  if (names.empty()) return w("none");
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), kMostNames); ++k) {
    text += (k == 0 ? "" : ", ") + core::printable(names[k]);
  }
  if (names.size() > kMostNames) text += w.format(" and {} more", names.size() - kMostNames);
  return text;
}

Index declared_bytes(const Model& model) {
  Index bytes = 0;
  for (const auto& one : model.opened->model->weights().declared()) {
    bytes += one.tensor.count() * to_index(core::facts(one.tensor.type).bytes);
  }
  return bytes;
}

Table file_sizes(const Scene& scene) {
  const Words& w = scene.w;
  Table table{.columns = {{w("file"), 2}, {w("size"), 1, 1}}};
  for (const FileStamp& file : scene.model.opened->files) {
    table.rows.push_back({{mono(file.path)}, {mono(bytes_text(to_double(file.size)))}});
    add_numbers(table, {{"size (bytes)", to_double(file.size)}});
    if (table.rows.size() >= kMostNames) break;
  }
  return table;
}

}  // namespace

std::vector<Figure> file_figures(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const auto& facts = model.facts();
  Rows rows(w);
  rows.add(w("architecture"), w.format("{} ({})", facts.name, kind_text(facts.kind, w)));
  rows.add(w("parameters"), grouped(facts.parameters));
  rows.add(w("number type"), number_types(model, w));
  rows.add(w("layers"), facts.kind == Kind::encoder_decoder
                            ? fmt::format("{} + {}", facts.layers, facts.decoder_layers)
                            : fmt::format("{}", facts.layers));
  rows.add(w("heads"), facts.key_heads == facts.heads
                           ? fmt::format("{}", facts.heads)
                           : w.format("{}, of keys and values {}", facts.heads, facts.key_heads));
  rows.add(w("width of a head"), fmt::format("{}", facts.head_width));
  rows.add(w("d_model"), fmt::format("{}", facts.width));
  rows.add(w("feed-forward width"), fmt::format("{}", facts.feed_forward));
  rows.add(w("vocabulary"), grouped(facts.vocabulary));
  rows.add(w("positions"), scheme_text(scene));
  rows.add(w("output head"), facts.head.empty() ? w("none")
                             : facts.tied       ? w.format("{}, tied to the embedding", facts.head)
                                                : w.format("{}, a tensor of its own", facts.head));
  rows.add(w("tokenizer"),
           model.opened->tokenizer ? model.opened->tokenizer_from : w("none in the folder"));
  rows.add(w("masks and tables, computed and not read"), names_text(facts.buffers, w));
  if (!facts.without_effect.empty()) {
    rows.add(w("tensors without an effect here"), names_text(facts.without_effect, w));
  }
  rows.add(w("tensors that nothing reads"), names_text(facts.left_over, w));
  rows.add(w("settings that nothing reads"), names_text(facts.unread_settings, w));
  if (!model.opened->tokenizer_unread.empty()) {
    rows.add(w("settings of the tokenizer that nothing reads"),
             names_text(model.opened->tokenizer_unread, w));
  }
  rows.add(w("weights"), bytes_text(to_double(declared_bytes(model))));
  const float height = 80 + 27 * to_float(rows.count());
  Figure figure = new_figure("facts", w("What the folder holds"), {.span = 8, .height = height});
  figure.caption =
      w("Read from config.json and the headers, before any weight; weights stay as they were "
        "published: nothing is folded or centred, and no number of up to 32 bits is rounded.");
  Plot plot{.id = "facts"};
  plot.add(rows.take());
  Figure files = new_figure("files", w("Its files"), {.span = 4, .height = height});
  files.caption = w("Files in the folder with the endings that are looked for.");
  Plot sizes{.id = "files"};
  sizes.add(file_sizes(scene));
  return {with(std::move(figure), std::move(plot)), with(std::move(files), std::move(sizes))};
}

}  // namespace lab::checkpoint
