// What the file holds, every head small, and how such files are saved.
#include "app/labs/tensors/page.h"
#include "core/text/printable.h"

namespace lab::tensors {
namespace {

using core::heads::Axis;

constexpr std::size_t kMostListed = 12;  // arrays

// "layers 2 · heads 4 · queries 96 · keys 96", in the order of the axes.
std::string axes_text(const Array& array, const Words& w) {
  std::string text;
  for (std::size_t k = 0; k < array.axes.size(); ++k) {
    const Index size = array.tensor.shape[k];
    if (!text.empty()) text += " · ";
    switch (array.axes[k]) {
      case Axis::layer: text += w.format("layers {}", size); break;
      case Axis::batch: text += w.format("batch {}", size); break;
      case Axis::head: text += w.format("heads {}", size); break;
      case Axis::query: text += w.format("queries {}", size); break;
      case Axis::key: text += w.format("keys {}", size); break;
      case Axis::token: text += w.format("tokens {}", size); break;
      case Axis::width: text += w.format("width {}", size); break;
    }
  }
  return fmt::format("{}: {}", core::heads::letters_of(array.axes), text);
}

// What it is looked at as; empty: it is not.
std::string role_text(const Scene& scene, const core::Tensor& tensor) {
  const auto& [p, model, w] = scene;
  const Given& given = scene.given();
  const auto is = [&](const std::optional<Array>& one) {
    return one && one->tensor.name == tensor.name;
  };
  if (is(given.pairs)) return axes_text(*given.pairs, w);
  if (is(given.queries)) return axes_text(*given.queries, w);
  if (is(given.keys)) return axes_text(*given.keys, w);
  return core::heads::names_tokens(tensor) ? w("names of tokens") : std::string();
}

// Those that are looked at first, then the others in the order of the file.
std::vector<const core::Tensor*> listed(const Scene& scene) {
  std::vector<const core::Tensor*> all;
  for (const core::Tensor& tensor : scene.model.source->file->tensors) all.push_back(&tensor);
  std::stable_partition(all.begin(), all.end(), [&](const core::Tensor* tensor) {
    return !role_text(scene, *tensor).empty();
  });
  if (all.size() > kMostListed) all.resize(kMostListed);
  return all;
}

}  // namespace

Figure arrays_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  figure::Table table{.columns = {{w("array"), 1.4F},
                                  {w("shape"), 1.2F},
                                  {w("number type"), 0.9F},
                                  {w("is looked at as"), 2.6F}}};
  const auto all = listed(scene);
  for (const core::Tensor* const tensor : all) {
    const std::string role = role_text(scene, *tensor);
    table.rows.push_back(
        {{mono(core::printable(tensor->name, 200))},
         {mono(core::tensor_shape_text(tensor->shape))},
         {mono(std::string(core::facts(tensor->type).name))},
         {{role.empty() ? "–" : role, role.empty() ? Role::dim : Role::text, TextStyle::label}}});
  }
  Figure figure =
      new_figure("arrays", w("What the file holds"), {.height = 86 + 30 * to_float(all.size())});
  const std::size_t count = model.source->file->tensors.size();
  figure.note = count > all.size() ? w.format("{} of {} arrays", all.size(), count)
                                   : w.format("arrays: {}", count);
  figure.caption =
      w("Each array with its shape; of those that are used, what each axis is taken for, one "
        "letter each: l layer, b batch, h head, q query, k key, t token, d width. Guessed from "
        "names and shapes; the knobs choose others.");
  return with_table(std::move(figure), std::move(table));
}

Figure sheet_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Sheet& sheet = *model.sheet;
  const auto columns = to_int(std::max<Index>(sheet.columns, 2));
  const auto rows = to_float((sheet.maps.size() + to_size(columns) - 1) / to_size(columns));
  const float each = rows > 8 ? 84 : rows > 3 ? 130 : 190;
  Figure figure =
      new_figure("heads", w("Every head of every layer"),
                 {.span = columns <= 6 ? 7 : 12, .height = 60 + each * rows, .columns = columns});
  if (!sheet.whole) {
    figure.note =
        w.format("{} of {} heads", sheet.maps.size(), scene.given().layers * scene.given().heads);
  }
  figure.caption = w("Layer and head, counted from 1; row: query, column: key.");
  figure.pointer_caption = w("Click a head to choose it.");
  if (sheet.step > 1) {
    figure.caption = w.format("{} {}", figure.caption,
                              w.format("Sampled: each small map has every {} query and key alone.",
                                       fmt::format("{}.", sheet.step)));
  }
  for (const SheetMap& one : sheet.maps) {
    Plot plot{.id = "head_" + head_name(one.at), .title = head_name(one.at)};
    plot.x = cell_axis("", one.cells->cols());
    plot.y = cell_axis("", one.cells->rows());
    plot.square = true;
    Heatmap cells{.source = one.cells, .scale = map_scale(scene, sheet.largest), .pool = p.pool};
    figure.plots.push_back(thumbnail(std::move(plot), std::move(cells), one.at == model.at,
                                     sets("layer", one.at.layer + 1, "head", one.at.head + 1)));
  }
  return figure;
}

Figure saving_figure(const Scene& scene) {
  const Words& w = scene.w;
  using Code = std::initializer_list<const char*>;
  figure::Table table{.columns = {{w("from"), 0.7F}, {w("in Python"), 3.6F}}};
  const auto add = [&](std::string from, Code lines) {
    figure::Table::Cell cell;
    for (const char* const line : lines) cell.push_back(mono(line));
    table.rows.push_back({{{std::move(from), Role::text, TextStyle::label}}, std::move(cell)});
  };
  add("NumPy", {"np.savez(\"heads.npz\", attention=weights,",
                "         tokens=np.frombuffer(\"\\n\".join(words).encode(), np.uint8))"});
  add("PyTorch", {"out, weights = mha.eval()(x, x, x, average_attn_weights=False)",
                  "np.save(\"heads.npy\", weights.detach().float().numpy())"});
  add("Hugging Face", {"model = AutoModel.from_pretrained(name, attn_implementation=\"eager\")",
                       "out = model(**inputs, output_attentions=True)",
                       "weights = torch.stack(out.attentions).detach().float().numpy()",
                       "words = tokenizer.convert_ids_to_tokens(inputs[\"input_ids\"][0])"});
  add("safetensors",
      {"save_file({\"q\": q.contiguous(), \"k\": k.contiguous()}, \"heads.safetensors\")"});
  Figure figure = new_figure("saving", w("How to save your own"), {.height = 300});
  figure.caption =
      w("Axes in the order layer, batch, head, query, key are guessed; leave out axes that are not "
        "there. Attention must be computed unfused (eager): fused kernels give no weights. Drop "
        "the file on the window.");
  return with_table(std::move(figure), std::move(table));
}

}  // namespace lab::tensors
