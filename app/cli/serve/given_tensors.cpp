#include "app/cli/serve/given_tensors.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/cli/serve/call.h"
#include "app/cli/shared/output.h"
#include "core/heads/head_arrays.h"
#include "core/text/base64.h"

namespace cli {
namespace {

using core::Index;
using core::InputError;
using core::heads::NumberArray;
using Json = nlohmann::ordered_json;

constexpr Index kMostNumbers = Index{1} << 28;

const Json& member(const std::string& name, const Json& of, const char* id) {
  const auto found = of.find(id);
  if (found != of.end()) return *found;
  words::refuse<InputError>(N_("{}: expected {}, got nothing"), name, in_quotes(id));
}

std::vector<Index> shape_of(const std::string& name, const Json& array) {
  const Json& given = member(name, array, "shape");
  std::vector<Index> shape;
  Index numbers = 1;
  for (const Json& side : given.is_array() ? given : Json::array()) {
    const bool whole = side.is_number_unsigned() && side.get<std::uint64_t>() > 0 &&
                       side.get<std::uint64_t>() <= static_cast<std::uint64_t>(kMostNumbers);
    shape.push_back(whole ? side.get<Index>() : 0);
    numbers = std::min(numbers * shape.back(), kMostNumbers + 1);
  }
  if (!shape.empty() && numbers > 0 && numbers <= kMostNumbers) return shape;
  words::refuse<InputError>(
      N_("{}: expected a shape of whole numbers from 1 on, of at most {} numbers, got {}"), name,
      kMostNumbers, shown(given));
}

// Numbers of this type, as they lie in the bytes.
template <class Number>
std::vector<float> numbers_in(const std::string& bytes) {
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
  return {numbers.begin(), numbers.end()};
}

NumberArray array_of(const std::string& name, const Json& given) {
  if (!given.is_object()) {
    words::refuse<InputError>(N_("{}: expected an object with shape, dtype and base64, got {}"),
                              name, shown(given));
  }
  NumberArray array{name, shape_of(name, given), {}};
  const Json& type = member(name, given, "dtype");
  const Json& text = member(name, given, "base64");
  if (type != "float32" && type != "float64") {
    words::refuse<InputError>(N_("{}: expected the dtype float32 or float64, got {}"), name,
                              shown(type));
  }
  const auto bytes =
      text.is_string() ? core::from_base64(text.get_ref<const std::string&>()) : std::nullopt;
  if (!bytes) words::refuse<InputError>(N_("{}: expected numbers in base64, got none"), name);
  Index numbers = 1;
  for (const Index side : array.shape) numbers *= side;
  const std::size_t size = type == "float32" ? sizeof(float) : sizeof(double);
  const std::size_t expected = static_cast<std::size_t>(numbers) * size;
  if (bytes->size() != expected) {
    words::refuse<InputError>(N_("{}: expected {} bytes for its shape, got {}"), name, expected,
                              bytes->size());
  }
  array.values = size == sizeof(float) ? numbers_in<float>(*bytes) : numbers_in<double>(*bytes);
  return array;
}

std::string keep(std::string_view bytes, std::string_view endings, GivenFiles& files) {
  auto file = std::make_unique<GivenFile>(bytes, endings);
  std::string path = file->path().string();
  files.emplace(path, std::move(file));
  return path;
}

void check_members(const Json& call) {
  for (const auto& [name, value] : call.items()) {
    const char* const known[] = {"id", "command", "arrays", "tokens", "key_tokens"};
    if (std::find(std::begin(known), std::end(known), name) == std::end(known)) {
      words::refuse<InputError>(N_("expected an option of {}, got {}"), "tensors", in_quotes(name));
    }
  }
}

std::string tokens_of(const std::string& name, const Json& tokens) {
  const bool texts = tokens.is_array() && std::all_of(tokens.begin(), tokens.end(),
                                                      [](const Json& t) { return t.is_string(); });
  if (!texts || tokens.empty()) {
    words::refuse<InputError>(N_("{}: expected a list of texts, got {}"), name, shown(tokens));
  }
  return tokens.dump();
}

}  // namespace

Json given_tensors(const Json& call, GivenFiles& files) {
  check_members(call);
  const auto arrays = call.find("arrays");
  if (arrays == call.end() || !arrays->is_object() || arrays->empty()) {
    words::refuse<InputError>(N_("arrays: expected an object of arrays, got {}"),
                              arrays == call.end() ? words::Sentence(N_("nothing"))
                                                   : words::Sentence("{}", shown(*arrays)));
  }
  std::vector<NumberArray> all;
  for (const auto& [name, array] : arrays->items()) all.push_back(array_of(name, array));
  std::vector<std::pair<const char*, std::string>> texts;
  for (const char* name : {"tokens", "key_tokens"}) {
    if (call.contains(name)) texts.emplace_back(name, tokens_of(name, call[name]));
  }
  Json set = {{"file", keep(core::heads::safetensors_of(all), ".safetensors", files)}};
  for (const auto& [name, text] : texts) {
    set[std::string(name) + "_file"] = keep(text, ".json", files);
  }
  return set;
}

void forget_tensors(const Json& call, GivenFiles& files) {
  const auto set = call.find("set");
  const auto refuse = [&] {
    words::refuse<InputError>(
        N_("set: expected what \"tensors\" answered, got {}"),
        set == call.end() ? words::Sentence(N_("nothing")) : words::Sentence("{}", shown(*set)));
  };
  if (set == call.end() || !set->is_object()) refuse();
  const auto given = [&](const Json& path) {
    return path.is_string() && files.contains(path.get<std::string>());
  };
  if (!std::all_of(set->begin(), set->end(), given)) refuse();
  for (const Json& path : *set) files.erase(path.get<std::string>());
}

}  // namespace cli
