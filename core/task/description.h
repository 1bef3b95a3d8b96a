// What a trained model is made of, as JSON in the metadata of its file: fields by name, read with
// limits so that a few words of metadata cannot take all memory.
#pragma once

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/enum_array.h"
#include "core/io/tensor/safetensors.h"
#include "core/model/transformer.h"
#include "core/task/fit.h"
#include "core/task/pair/pairs.h"
#include "core/text/printable.h"

namespace core::task::description {

inline constexpr Index kMostWidth = 4096, kMostLayers = 96, kMostSymbols = 100'000;

// `all`: what the enumerators are called, in their order.
template <class Enum>
struct Names;
template <>
struct Names<Language> {
  static constexpr std::array<std::string_view, 2> all{"english", "chinese"};
};
template <>
struct Names<model::Scheme> {
  static constexpr auto all = model::kSchemeIds;
};
template <>
struct Names<model::Activation> {
  static constexpr std::array<std::string_view, 6> all{"relu", "gelu", "gelu_tanh",
                                                       "silu", "tanh", "sigmoid"};
};

template <class Enum>
constexpr const auto& names_of() {
  static_assert(Names<Enum>::all.size() == kEnumerators<Enum>, "one name for each enumerator");
  return Names<Enum>::all;
}

// Visitors of fields: a name, the field, and the least and the most that a number may be.
struct Writer {
  nlohmann::json& to;
  template <class T>
  void operator()(const char* name, const T& value, Index = 0, Index = 0) const {
    if constexpr (std::is_enum_v<T>) {
      to[name] = names_of<T>()[static_cast<std::size_t>(value)];
    } else {
      to[name] = value;
    }
  }
};

struct Reader {
  const nlohmann::json& from;
  const std::string& file;

  template <class T>
  void operator()(const char* name, T& value, Index least = 0, Index most = 0) const {
    const auto found = from.find(name);
    if (found == from.end()) refuse_field(name, "null");
    if constexpr (std::is_enum_v<T>) {
      read_enum(name, *found, value);
    } else if constexpr (std::is_same_v<T, bool>) {
      if (!found->is_boolean()) refuse_field(name, found->dump());
      value = found->template get<bool>();
    } else if constexpr (std::is_same_v<T, double>) {
      if (!found->is_number() || !(found->template get<double>() > 0)) {
        refuse_field(name, found->dump());
      }
      value = found->template get<double>();
    } else {
      if (!found->is_number_integer()) refuse_field(name, found->dump());
      value = found->template get<Index>();
      if (value < least || value > most) refuse_field(name, found->dump());
    }
  }

  template <class Enum>
  void read_enum(const char* name, const nlohmann::json& found, Enum& value) const {
    const auto& all = names_of<Enum>();
    const std::string text = found.is_string() ? found.get<std::string>() : std::string();
    const auto known = std::find(all.begin(), all.end(), text);
    if (known == all.end()) refuse_field(name, found.dump());
    value = static_cast<Enum>(known - all.begin());
  }

  [[noreturn]] void refuse_field(const char* name, const std::string& came) const {
    throw InputError(Message(N_("{}: expected a model's description, got {} for \"{}\""), file,
                             printable(came), name));
  }
};

// What translators and decoders have in common.
template <class Form, class Visit>
void each_field_of_layer(Form& layer, Visit visit) {
  visit("d_model", layer.d_model, 1, kMostWidth);
  visit("heads", layer.heads, 1, kMostWidth);
  visit("key_heads", layer.key_heads, 1, kMostWidth);
  visit("feed_forward", layer.feed_forward.width, 0, 4 * kMostWidth);
  visit("activation", layer.feed_forward.function);
  visit("gated", layer.feed_forward.gated);
  visit("feed_forward_bias", layer.feed_forward.bias);
  visit("norm_first", layer.norm_first);
  visit("bias", layer.bias);
}
template <class Form, class Visit>
void each_field_of_positions(Form& positions, Visit visit) {
  visit("positions", positions.scheme);
  visit("longest_sequence", positions.longest, 1, 1'000'000);
  visit("base", positions.base);
  visit("clip", positions.clip, 1, 1'000'000);
  visit("buckets", positions.buckets, 2, 1024);
  visit("farthest", positions.farthest, 2, 1'000'000);
  if (positions.scheme != model::Scheme::floater) return;
  visit("flow_width", positions.flow_width, 1, kMostWidth);
  visit("flow_delta", positions.flow_delta);
}

// The description under `key`; null: there is none.
nlohmann::json of_file(const Safetensors& file, const std::string& key);

nlohmann::json of_history(const std::vector<Milestone>& history);
// InputError for what is none; `file` is what messages call it.
std::vector<Milestone> history_of(const nlohmann::json& list, const std::string& file);
std::vector<std::string> symbols_of(const nlohmann::json& list, const std::string& file);

}  // namespace core::task::description
