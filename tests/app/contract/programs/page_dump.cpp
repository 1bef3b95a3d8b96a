#include "programs/page_dump.h"

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "page_fields.h"
#include "sampled.h"

namespace contract {

namespace {

template <class T>
constexpr bool kPlain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Dump {
 public:
  explicit Dump(std::string& out) : out_(out) {}

  template <HasFields T>
  void add(const std::string& path, const T& value) {
    const T usual{};
    const auto usual_fields = fields(usual);
    add_fields(path, value, usual_fields.values,
               std::make_index_sequence<std::tuple_size_v<decltype(usual_fields.values)>>{});
  }

 private:
  template <class T, class Usual, std::size_t... K>
  void add_fields(const std::string& path, const T& value, const Usual& usual,
                  std::index_sequence<K...>) {
    std::vector<std::string> names;
    each_field(value, [&names](std::string_view name, const auto&) { names.emplace_back(name); });
    const auto all = fields(value).values;
    (add_unusual(path + "." + names[K], std::get<K>(all), std::get<K>(usual)), ...);
  }
  template <class T>
  void add_unusual(const std::string& path, const T& value, const T& usual) {
    if constexpr (std::is_same_v<T, figure::Number>) {
      add_unusual(path, value.value, usual.value);
    } else {
      if constexpr (kPlain<T>) {
        if (value == usual) return;
      }
      add(path, value);
    }
  }

  void line(const std::string& path, std::string_view text) {
    out_ += fmt::format("{} = {}\n", path, text);
  }
  template <class T>
  requires kPlain<T>
  static std::string plain(T value) {
    if constexpr (std::is_enum_v<T>) {
      return fmt::format("{}", static_cast<int>(value));
    } else if constexpr (std::is_same_v<T, float>) {
      if (core::is_masked(value)) return "masked";
      return fmt::format("{}", value);
    } else {
      return fmt::format("{}", value);
    }
  }
  template <class T>
  requires kPlain<T>
  void add(const std::string& path, T value) { line(path, plain(value)); }
  void add(const std::string& path, const std::string& text) {
    if (!text.empty()) line(path, "\"" + text + "\"");
  }
  void add(const std::string& path, const core::Message& message) {
    add(path, message.in_english());
  }
  void add(const std::string& path, const std::function<std::string()>& bytes) {
    if (bytes) line(path, fmt::format("{} bytes", bytes().size()));
  }
  void add(const std::string& path, const param::Facts& facts) {
    for (const auto& [id, found] : facts) add(fmt::format("{}.{}", path, id), found);
  }
  template <class A, class B>
  void add(const std::string& path, const std::pair<A, B>& pair) {
    add(path + ".first", pair.first);
    add(path + ".second", pair.second);
  }
  template <class T>
  void add(const std::string& path, const std::vector<T>& all) {
    for (std::size_t k = 0; k < all.size(); ++k) add(fmt::format("{}[{}]", path, k), all[k]);
  }
  template <class T>
  requires kPlain<T>
  void add(const std::string& path, const std::vector<T>& all) {
    if (all.empty()) return;
    std::string text;
    for (const T value : all) text += plain(value) + " ";
    line(path, text);
  }
  template <class T>
  void add(const std::string& path, const std::optional<T>& value) {
    if (value) add(path, *value);
  }
  template <class T>
  void add(const std::string& path, const std::shared_ptr<const T>& value) {
    if (value) add(path, *value);
  }
  template <class... T>
  void add(const std::string& path, const std::variant<T...>& value) {
    static constexpr const char* kNames[] = {"heatmap", "line",  "band",     "bars",   "points",
                                             "rule",    "note",  "links",    "arrows", "handle",
                                             "table",   "boxes", "interval", "diagram"};
    static_assert(std::size(kNames) == sizeof...(T));
    std::visit([&](const auto& held) { add(path + "." + kNames[value.index()], held); }, value);
  }
  void add(const std::string& path, const figure::TileSource& source) {
    const Sampled sampled = sample(source);
    line(path, fmt::format("{} x {}", sampled.rows, sampled.cols));
    std::size_t next = 0;
    for (const core::Index row : sampled.at_row) {
      std::string text;
      for (std::size_t k = 0; k < sampled.at_col.size(); ++k) {
        text += plain(sampled.values[next++]) + " ";
      }
      line(fmt::format("{}.row[{}]", path, row), text);
    }
    add(path + ".pooled", sampled.pooled);
  }

  std::string& out_;
};

}  // namespace

std::string dump(const lab::Page& page, const std::string& prefix) {
  std::string text;
  Dump(text).add(prefix, page);
  return text;
}

}  // namespace contract
