#include "core/heads/given_heads.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "core/heads/words.h"
#include "core/io/tensor/stacked_layers.h"
#include "core/parallel.h"
#include "core/text/lower_case.h"
#include "core/text/printable.h"

namespace core::heads {
namespace {

// The words of a name: "layers.0.self_attn.q_proj" has layers, self, attn, q and proj.
std::vector<std::string> name_words(const std::string& name) {
  std::vector<std::string> words{""};
  for (const char c : ascii_lower(name)) {
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
  if (axes < 2 || axes > kMostAxes || tensor.count() == 0) return -1;
  if (names_tokens(tensor)) return -1;
  const auto words = name_words(tensor.name);
  if (part == Part::queries) return is_query(words) ? 2 : is_key(words) || is_value(words) ? 0 : 1;
  if (part == Part::keys) return is_key(words) ? 2 : is_query(words) || is_value(words) ? 0 : 1;
  if (is_query(words) || is_key(words) || is_value(words)) return 0;
  const bool square = tensor.shape[axes - 1] == tensor.shape[axes - 2];
  return 1 + (square ? 1 : 0) + (is_attention(words) ? 2 : 0);
}

// That of the name, or the best; null: there is none. InputError for a name that is not there.
const Tensor* chosen(const HeadFile& source, Part part, const std::string& name) {
  const auto all = fitting(*source.file, part);
  if (name.empty()) return all.empty() ? nullptr : all.front();
  for (const Tensor* const tensor : all) {
    if (tensor->name == name) return tensor;
  }
  throw InputError(Message(N_("{}: expected the name of an array of two to five axes, got \"{}\""),
                           source.name, printable(name)));
}

Message where_of(const HeadFile& source, const Tensor& tensor) {
  return Message(N_("{}, array \"{}\""), source.name, printable(tensor.name));
}

Axes guessed(const HeadFile& source, const Tensor& tensor, Kind kind, const Message& where) {
  if (!source.is_stack(tensor.name)) {
    return guessed_axes(tensor.shape, tensor.name, kind, where);
  }
  // Each is one layer's array, which its number says.
  const std::vector<Index> one(tensor.shape.begin() + 1, tensor.shape.end());
  Axes axes = guessed_axes(one, "layer 0", kind, where);
  axes.insert(axes.begin(), Axis::layer);
  return axes;
}

// As the letters say, or guessed where they say nothing or nothing that fits.
HeadArray array_of(const HeadFile& source, const Tensor& tensor, const std::string& letters,
                   Kind kind, bool& odd) {
  const Message where = where_of(source, tensor);
  Axes axes = guessed(source, tensor, kind, where);
  if (const auto named = axes_of(letters, axes.size(), kind)) {
    axes = *named;
  } else if (letters.find_first_not_of(' ') != std::string::npos) {
    odd = true;
  }
  return {tensor, std::move(axes)};
}

Index along(const HeadArray& array, Axis axis) { return size_of(array.tensor, array.axes, axis); }

bool has_both_vectors(const HeadFile& source) {
  const auto best = [&](Part part) {
    const auto all = fitting(*source.file, part);
    return !all.empty() && fitness(*all.front(), part) == 2;
  };
  return best(Part::queries) && best(Part::keys);
}

Holds found_holds(const HeadChoice& choice) {
  if (choice.holds != Holds::found) return choice.holds;
  if (!choice.array.empty()) return Holds::weights;
  const auto pairs = fitting(*choice.source->file, Part::pairs);
  const bool some = !pairs.empty() && fitness(*pairs.front(), Part::pairs) > 0;
  return some || !has_both_vectors(*choice.source) ? Holds::weights : Holds::vectors;
}

Message shapes_differ(const GivenHeads& given) {
  return Message(
      N_("expected queries and keys of one width, with as many layers and batch entries and keys "
         "of all heads or of groups of them, got the shapes {} and {}"),
      tensor_shape_text(given.queries->tensor.shape), tensor_shape_text(given.keys->tensor.shape));
}

void take_vectors(const HeadChoice& choice, GivenHeads& given) {
  const HeadFile& source = *choice.source;
  const Tensor* const q = chosen(source, Part::queries, choice.queries);
  const Tensor* const k = chosen(source, Part::keys, choice.keys);
  if (!q || !k)
    throw InputError(Message(N_("{}: it holds no arrays of queries and keys"), source.name));
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
  throw InputError(shapes_differ(given));
}

void take_sizes(const HeadArray& array, GivenHeads& given) {
  given.layers = along(array, Axis::layer);
  given.batches = along(array, Axis::batch);
  given.heads = along(array, Axis::head);
}

// Beside weights that are given, queries and keys are looked at where they fit.
void take_vectors_beside(const HeadChoice& choice, GivenHeads& given) {
  const bool named = !choice.queries.empty() || !choice.keys.empty();
  if (!named && !has_both_vectors(*choice.source)) {
    given.no_vectors = Message(N_("the file has no arrays that are named q and k"));
    return;
  }
  take_vectors(choice, given);
  const bool fit = along(*given.queries, Axis::token) == given.n &&
                   along(*given.keys, Axis::token) == given.m &&
                   along(*given.queries, Axis::head) == given.heads &&
                   along(*given.queries, Axis::layer) == given.layers &&
                   along(*given.queries, Axis::batch) == given.batches;
  if (fit) return;
  given.no_vectors = Message(N_("the weights have the shape {}, queries and keys {} and {}"),
                             tensor_shape_text(given.pairs->tensor.shape),
                             tensor_shape_text(given.queries->tensor.shape),
                             tensor_shape_text(given.keys->tensor.shape));
  given.queries.reset();
  given.keys.reset();
}

// Arrays that hold no number are listed with those that cannot be read.
void leave_out_empty(TensorFile& file) {
  std::vector<Tensor> kept;
  for (Tensor& tensor : file.tensors) {
    if (tensor.count() > 0) {
      kept.push_back(std::move(tensor));
      continue;
    }
    file.unread.push_back(
        {tensor.name,
         Message(N_("{}, array \"{}\": expected at least one number, got the shape {}"),
                 tensor.file, printable(tensor.name), tensor_shape_text(tensor.shape))});
  }
  file.tensors = std::move(kept);
}

}  // namespace

bool HeadFile::is_stack(const std::string& array) const {
  return std::find(stacks.begin(), stacks.end(), array) != stacks.end();
}

HeadFile open_head_file(const std::filesystem::path& path, const Cancel& cancel) {
  auto file = std::make_shared<TensorFile>(*open_tensors(path, cancel));
  leave_out_empty(*file);
  HeadFile source;
  source.name = printable(path.filename().string(), 400);
  const std::vector<Tensor> stacks = stacked_layers(file->tensors);
  for (const Tensor& stack : stacks) source.stacks.push_back(stack.name);
  file->tensors.insert(file->tensors.begin(), stacks.begin(), stacks.end());
  source.file = std::move(file);
  return source;
}

bool is_of_tokens(const std::string& name) {
  return has_word(name_words(name), {"token", "tokens"});
}

bool names_tokens(const Tensor& tensor) {
  const bool bytes = tensor.type == NumberType::uint8 || tensor.type == NumberType::int8;
  return bytes && tensor.shape.size() <= 2 && tensor.count() > 0 && is_of_tokens(tensor.name);
}

std::vector<const Tensor*> fitting(const TensorFile& file, Part part) {
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

GivenHeads given_heads(const HeadChoice& choice) {
  GivenHeads given;
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
    throw InputError(Message(N_("{}: it holds no array of two to five axes"), choice.source->name));
  }
  given.pairs = array_of(*choice.source, *tensor, choice.order, Kind::pairs, given.odd_order);
  take_sizes(*given.pairs, given);
  given.n = along(*given.pairs, Axis::query);
  given.m = along(*given.pairs, Axis::key);
  take_vectors_beside(choice, given);
  return given;
}

TensorView GivenHeads::pair_numbers(const HeadAt& at) const {
  return view_of(pairs->tensor, pairs->axes, at);
}

TensorView GivenHeads::query_vectors(const HeadAt& at) const {
  return view_of(queries->tensor, queries->axes, at);
}

TensorView GivenHeads::key_vectors(HeadAt at) const {
  at.head /= std::max<Index>(1, heads / std::max<Index>(1, key_heads));
  return view_of(keys->tensor, keys->axes, at);
}

std::optional<TensorView> GivenHeads::stored(const HeadAt& at) const {
  return holds == Holds::weights && !words ? std::optional(pair_numbers(at)) : std::nullopt;
}

HeadPointer GivenHeads::head(const HeadAt& at) const {
  return words ? joined_rows(token_head(at), words->queries, words->keys) : token_head(at);
}

HeadPointer GivenHeads::token_head(const HeadAt& at) const {
  if (holds == Holds::weights) return stored_rows(pair_numbers(at));
  if (holds == Holds::scores) {
    return softmax_rows_of(stored_rows(pair_numbers(at)), {.causal = causal});
  }
  const TensorView q = query_vectors(at);
  const double scale = 1 / std::sqrt(static_cast<double>(q.cols()));
  return softmax_rows_of(product_rows(q, key_vectors(at), scale), {.causal = causal});
}

std::vector<HeadPointer> GivenHeads::heads_of(const HeadAt& layer) const {
  std::vector<HeadPointer> all;
  for (Index one = 0; one < heads; ++one) all.push_back(head({layer.layer, layer.batch, one}));
  return all;
}

std::vector<HeadStatistics> all_statistics(const GivenHeads& given, Index batch,
                                           StatisticsOptions options, int threads,
                                           const Cancel& cancel) {
  options.tolerance = sum_tolerance(given.type());
  const Index count = given.layers * given.heads;
  std::vector<HeadStatistics> all(static_cast<std::size_t>(count));
  std::atomic<Index> done = 0;
  parallel_for(count, threads, [&](Index k, int) {
    const HeadPointer head = given.head({k / given.heads, batch, k % given.heads});
    all[static_cast<std::size_t>(k)] = head_statistics(*head, options, cancel.without_progress());
    cancel.progress(static_cast<float>(++done) / static_cast<float>(count));
  });
  return all;
}

}  // namespace core::heads
