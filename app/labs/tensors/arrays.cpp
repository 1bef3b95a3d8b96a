// Which arrays of a file are attention, and how they fit together.
#include "app/labs/shared/parts.h"
#include "app/labs/tensors/model.h"
#include "core/text/lower_case.h"
#include "core/text/printable.h"

#include <cctype>

namespace lab::tensors {
namespace {

using core::Tensor;
using core::heads::Axes, core::heads::Axis, core::heads::Kind;

// The words of a name: "layers.0.self_attn.q_proj" has layers, self, attn, q and proj.
std::vector<std::string> name_words(const std::string& name) {
  std::vector<std::string> words{""};
  for (const char c : core::ascii_lower(name)) {
    if (std::isalpha(static_cast<unsigned char>(c))) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  return words;
}

bool has_word(const std::vector<std::string>& words, std::initializer_list<const char*> wanted) {
  return std::any_of(wanted.begin(), wanted.end(), [&](const char* one) {
    return std::find(words.begin(), words.end(), one) != words.end();
  });
}

bool is_query(const std::vector<std::string>& words) {
  return has_word(words, {"q", "query", "queries"});
}
bool is_key(const std::vector<std::string>& words) { return has_word(words, {"k", "key", "keys"}); }
bool is_value(const std::vector<std::string>& words) {
  return has_word(words, {"v", "value", "values"});
}
bool is_attention(const std::vector<std::string>& words) {
  return has_word(words, {"attention", "attentions", "attn", "attns", "weights", "probs", "alpha",
                          "scores", "a"});
}

// Higher is better; below 0 it is none.
int fitness(const Tensor& tensor, Part part) {
  const std::size_t axes = tensor.shape.size();
  if (axes < 2 || axes > core::heads::kMostAxes || tensor.count() == 0) return -1;
  if (names_tokens(tensor)) return -1;
  const auto words = name_words(tensor.name);
  if (part == Part::queries) return is_query(words) ? 2 : is_key(words) || is_value(words) ? 0 : 1;
  if (part == Part::keys) return is_key(words) ? 2 : is_query(words) || is_value(words) ? 0 : 1;
  if (is_query(words) || is_key(words) || is_value(words)) return 0;
  const bool square = tensor.shape[axes - 1] == tensor.shape[axes - 2];
  return 1 + (square ? 1 : 0) + (is_attention(words) ? 2 : 0);
}

core::Message where_of(const Source& source, const Tensor& tensor) {
  return core::Message(N_("{}, array \"{}\""), source.name, core::printable(tensor.name));
}

Axes guessed(const Source& source, const Tensor& tensor, Kind kind, const core::Message& where) {
  if (!source.is_stack(tensor.name)) {
    return core::heads::guessed_axes(tensor.shape, tensor.name, kind, where);
  }
  // Each is one layer's array, which its number says.
  const std::vector<Index> one(tensor.shape.begin() + 1, tensor.shape.end());
  Axes axes = core::heads::guessed_axes(one, "layer 0", kind, where);
  axes.insert(axes.begin(), Axis::layer);
  return axes;
}

// As the letters say, or guessed where they say nothing or nothing that fits.
Array array_of(const Source& source, const Tensor& tensor, const std::string& letters, Kind kind,
               bool& odd) {
  const core::Message where = where_of(source, tensor);
  Axes axes = guessed(source, tensor, kind, where);
  if (const auto told = core::heads::axes_of(letters, axes.size(), kind)) {
    axes = *told;
  } else if (!words_of(letters).empty()) {
    odd = true;
  }
  return {tensor, std::move(axes)};
}

Index along(const Array& array, Axis axis) {
  return core::heads::size_of(array.tensor, array.axes, axis);
}

bool has_both_vectors(const Source& source) {
  const auto best = [&](Part part) {
    const auto all = fitting(*source.file, part);
    return !all.empty() && fitness(*all.front(), part) == 2;
  };
  return best(Part::queries) && best(Part::keys);
}

Holds found_holds(const Choice& choice) {
  if (choice.holds != Holds::found) return choice.holds;
  if (!choice.array.empty()) return Holds::weights;
  const auto pairs = fitting(*choice.source->file, Part::pairs);
  const bool some = !pairs.empty() && fitness(*pairs.front(), Part::pairs) > 0;
  return some || !has_both_vectors(*choice.source) ? Holds::weights : Holds::vectors;
}

core::Message shapes_differ(const Given& given) {
  return core::Message(
      N_("expected queries and keys of one width, with as many layers and batch entries and keys "
         "of all heads or of groups of them, got the shapes {} and {}"),
      core::tensor_shape_text(given.queries->tensor.shape),
      core::tensor_shape_text(given.keys->tensor.shape));
}

void take_vectors(const Choice& choice, Given& given) {
  const Source& source = *choice.source;
  const Tensor* const q = chosen(source, Part::queries, choice.queries);
  const Tensor* const k = chosen(source, Part::keys, choice.keys);
  if (!q || !k)
    throw core::InputError(
        core::Message(N_("{}: it holds no arrays of queries and keys"), source.name));
  given.queries = array_of(source, *q, choice.vector_order, Kind::vectors, given.odd_vector_order);
  given.keys = array_of(source, *k, choice.vector_order, Kind::vectors, given.odd_vector_order);
  const auto equal = [&](Axis axis) {
    return along(*given.queries, axis) == along(*given.keys, axis);
  };
  const Index heads = along(*given.queries, Axis::head);
  given.key_heads = along(*given.keys, Axis::head);
  if (equal(Axis::width) && equal(Axis::layer) && equal(Axis::batch) &&
      heads % given.key_heads == 0) {
    return;
  }
  throw core::InputError(shapes_differ(given));
}

void take_sizes(const Array& array, Given& given) {
  given.layers = along(array, Axis::layer);
  given.batches = along(array, Axis::batch);
  given.heads = along(array, Axis::head);
}

// Beside weights that are given, queries and keys are looked at where they fit.
void take_vectors_beside(const Choice& choice, Given& given) {
  const bool named = !choice.queries.empty() || !choice.keys.empty();
  if (!named && !has_both_vectors(*choice.source)) {
    given.no_vectors = core::Message(N_("the file has no arrays that are named q and k"));
    return;
  }
  take_vectors(choice, given);
  const bool fit = along(*given.queries, Axis::token) == given.n &&
                   along(*given.keys, Axis::token) == given.m &&
                   along(*given.queries, Axis::head) == given.heads &&
                   along(*given.queries, Axis::layer) == given.layers &&
                   along(*given.queries, Axis::batch) == given.batches;
  if (fit) return;
  given.no_vectors = core::Message(N_("the weights have the shape {}, queries and keys {} and {}"),
                                   core::tensor_shape_text(given.pairs->tensor.shape),
                                   core::tensor_shape_text(given.queries->tensor.shape),
                                   core::tensor_shape_text(given.keys->tensor.shape));
  given.queries.reset();
  given.keys.reset();
}

}  // namespace

bool is_of_tokens(const std::string& name) {
  return has_word(name_words(name), {"token", "tokens"});
}

bool names_tokens(const Tensor& tensor) {
  const bool bytes =
      tensor.type == core::NumberType::uint8 || tensor.type == core::NumberType::int8;
  return bytes && tensor.shape.size() <= 2 && tensor.count() > 0 && is_of_tokens(tensor.name);
}

std::vector<const Tensor*> fitting(const core::TensorFile& file, Part part) {
  std::vector<std::pair<int, const Tensor*>> found;
  for (const Tensor& tensor : file.tensors) {
    if (const int how = fitness(tensor, part); how >= 0) found.emplace_back(how, &tensor);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<const Tensor*> all;
  for (const auto& [how, tensor] : found) all.push_back(tensor);
  return all;
}

const Tensor* chosen(const Source& source, Part part, const std::string& name) {
  const auto all = fitting(*source.file, part);
  if (name.empty()) return all.empty() ? nullptr : all.front();
  for (const Tensor* const tensor : all) {
    if (tensor->name == name) return tensor;
  }
  throw core::InputError(
      core::Message(N_("{}: expected the name of an array of two to five axes, got \"{}\""),
                    source.name, core::printable(name)));
}

Choice choice_of(const Parameters& p, SourcePointer source) {
  Choice choice{.source = std::move(source), .holds = p.holds};
  const bool vectors = p.holds == Holds::vectors;
  if (!vectors) choice.array = p.array, choice.order = p.order;
  if (vectors || p.holds == Holds::found || p.view == View::neuron) {
    choice.queries = p.queries, choice.keys = p.keys, choice.vector_order = p.vector_order;
  }
  choice.causal = p.holds != Holds::weights && p.causal;
  return choice;
}

Given resolve(const Choice& choice) {
  Given given;
  given.holds = found_holds(choice);
  given.causal = choice.causal && given.holds != Holds::weights;
  if (given.holds == Holds::vectors) {
    take_vectors(choice, given);
    take_sizes(*given.queries, given);
    given.n = along(*given.queries, Axis::token);
    given.m = along(*given.keys, Axis::token);
    return given;
  }
  const Tensor* const tensor = chosen(*choice.source, Part::pairs, choice.array);
  if (!tensor) {
    throw core::InputError(
        core::Message(N_("{}: it holds no array of two to five axes"), choice.source->name));
  }
  given.pairs = array_of(*choice.source, *tensor, choice.order, Kind::pairs, given.odd_order);
  take_sizes(*given.pairs, given);
  given.n = along(*given.pairs, Axis::query);
  given.m = along(*given.pairs, Axis::key);
  take_vectors_beside(choice, given);
  return given;
}

core::TensorView Given::vectors(const Array& array, HeadAt at) const {
  return core::heads::view_of(array.tensor, array.axes, at);
}

HeadAt Given::key_place(HeadAt at) const {
  at.head /= std::max<Index>(1, heads / std::max<Index>(1, key_heads));
  return at;
}

std::optional<core::TensorView> Given::stored(const HeadAt& at) const {
  if (holds != Holds::weights) return std::nullopt;
  return core::heads::view_of(pairs->tensor, pairs->axes, at);
}

HeadPointer Given::head(const HeadAt& at) const {
  if (const auto view = stored(at)) return core::heads::stored_rows(*view);
  if (holds == Holds::scores) {
    return core::heads::softmax_rows_of(
        core::heads::stored_rows(core::heads::view_of(pairs->tensor, pairs->axes, at)),
        {.causal = causal});
  }
  const core::TensorView q = vectors(*queries, at);
  return core::heads::softmax_rows_of(core::heads::product_rows(q, vectors(*keys, key_place(at)),
                                                                1 / std::sqrt(to_double(q.cols()))),
                                      {.causal = causal});
}

}  // namespace lab::tensors
