#include "app/param/stack.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/param/reading.h"

namespace param {
namespace {

template <class Named>
std::string ids_of(const std::vector<Named>& all) {
  std::string names;
  for (const Named& each : all) {
    if (!names.empty()) names += ", ";
    names += each.id;
  }
  return names;
}

template <class Named>
std::optional<int> index_of(const std::vector<Named>& all, std::string_view id) {
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (all[k].id == id) return static_cast<int>(k);
  }
  return std::nullopt;
}

std::vector<std::string_view> words_in(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const std::size_t end = text.find_first_of(" \t\r\n");
    words.push_back(text.substr(0, end));
    text.remove_prefix(words.back().size());
  }
  return words;
}

// "0.25" as 25 hundredths; empty for what is not a whole number of parts.
std::optional<int> in_parts(std::string_view text, int parts) {
  const auto value = whole<double>(text);
  if (!value || !(std::abs(*value) * parts < 1e9)) return std::nullopt;
  const double count = std::round(*value * parts);
  // What is typed in decimals may be off by rounding, not by more.
  if (std::abs(*value * parts - count) > 1e-6) return std::nullopt;
  return static_cast<int>(count);
}

// Reads one item of a stack; `number_` counts from 1, as people do.
class ItemReader {
 public:
  ItemReader(const Catalogue& catalogue, std::size_t number)
      : catalogue_(catalogue), number_(number) {}

  StackItem read(std::string_view text) const {
    std::vector<std::string_view> words = words_in(text);
    const auto operation = index_of(catalogue_.operations, words.empty() ? "" : words.front());
    if (operation) words.erase(words.begin());
    if (!operation && number_ > 1 && !catalogue_.operations.empty()) {
      refuse(words::Sentence(N_("item {} to begin with one of {}"), number_,
                             ids_of(catalogue_.operations)),
             words.empty() ? "" : words.front());
    }
    const auto entry = index_of(catalogue_.entries, words.empty() ? "" : words.front());
    if (!entry) {
      refuse(words::Sentence(N_("in item {} one of {}"), number_, ids_of(catalogue_.entries)),
             words.empty() ? "" : words.front());
    }
    StackItem item = initial_item(catalogue_, *entry, number_ > 1 ? operation.value_or(0) : 0);
    std::vector<bool> seen(Entry::kMostArguments);
    for (std::size_t k = 1; k < words.size(); ++k) set_argument(item, words[k], seen);
    return item;
  }

 private:
  [[noreturn]] static void refuse(const words::Sentence& expected, std::string_view got) {
    throw Mismatch(expected, shown(got));
  }

  void set_argument(StackItem& item, std::string_view word, std::vector<bool>& seen) const {
    const Entry& entry = catalogue_.entries[static_cast<std::size_t>(item.entry)];
    std::string_view text = word;
    const auto k = index_of(entry.arguments, taken_to('=', text));
    if (entry.arguments.empty()) {
      refuse(words::Sentence(N_("in item {} nothing after {}"), number_, entry.id), word);
    }
    if (!k || text.empty()) {
      refuse(words::Sentence(N_("in item {} after {} a number for one of {}, such as {}={}"),
                             number_, entry.id, ids_of(entry.arguments), entry.arguments[0].id,
                             entry.arguments[0].serialize(entry.arguments[0].initial)),
             word);
    }
    const auto at = static_cast<std::size_t>(*k);
    const Argument& argument = entry.arguments[at];
    if (seen[at]) {
      refuse(words::Sentence(N_("in item {} each argument once"), number_), word);
    }
    seen[at] = true;
    const auto value = argument.parts == 1 ? whole<int>(text) : in_parts(text, argument.parts);
    if (!value || *value < argument.min || *value > argument.max) {
      refuse(words::Sentence(argument.parts == 1 ? N_("in item {} for {} an integer from {} to {}")
                                                 : N_("in item {} for {} a number from {} to {} "
                                                      "in steps of {}"),
                             number_, argument.id, argument.serialize(argument.min),
                             argument.serialize(argument.max), argument.serialize(1)),
             text);
    }
    item.arguments[at] = *value;
  }

  const Catalogue& catalogue_;
  std::size_t number_;
};

}  // namespace

std::string Argument::serialize(int value) const { return fmt::format("{}", number(value)); }

StackItem initial_item(const Catalogue& catalogue, int entry, int operation) {
  StackItem item{operation, entry, {}};
  const auto& arguments = catalogue.entries.at(static_cast<std::size_t>(entry)).arguments;
  for (std::size_t k = 0; k < arguments.size(); ++k) item.arguments.at(k) = arguments[k].initial;
  return item;
}

std::string serialize_item(const StackItem& item, const Catalogue& catalogue) {
  const Entry& entry = catalogue.entries.at(static_cast<std::size_t>(item.entry));
  std::string text(entry.id);
  for (std::size_t k = 0; k < entry.arguments.size(); ++k) {
    const Argument& argument = entry.arguments[k];
    text += fmt::format(" {}={}", argument.id, argument.serialize(item.arguments.at(k)));
  }
  return text;
}

std::string serialize_stack(const StackItems& items, const Catalogue& catalogue) {
  std::string text;
  for (const StackItem& item : items) {
    if (!text.empty()) {
      text += "; ";
      const auto operation = static_cast<std::size_t>(item.operation);
      if (!catalogue.operations.empty()) {
        text += fmt::format("{} ", catalogue.operations.at(operation).id);
      }
    }
    text += serialize_item(item, catalogue);
  }
  return text;
}

StackItems read_stack(std::string_view text, const Catalogue& catalogue, std::size_t most) {
  StackItems items;
  text = trimmed(text);
  if (text.ends_with(';')) text.remove_suffix(1);
  do {
    if (items.size() == most) {
      const auto more = std::count(text.begin(), text.end(), ';') + 1;
      throw Mismatch(
          words::Sentence(N_("at most {} items"), most),
          words::Sentence::plain(fmt::format("{}", items.size() + static_cast<std::size_t>(more))));
    }
    items.push_back(ItemReader(catalogue, items.size() + 1).read(taken_to(';', text)));
  } while (!text.empty());
  return items;
}

StackItems with_moved(StackItems items, std::size_t k, int by) {
  if (k >= items.size() || (by < 0 ? k == 0 : k + 1 == items.size())) return items;
  const std::size_t upper = by < 0 ? k - 1 : k;
  std::swap(items[upper], items[upper + 1]);
  if (upper == 0) std::swap(items[0].operation, items[1].operation);
  return items;
}

StackItems with_removed(StackItems items, std::size_t k) {
  if (k >= items.size() || items.size() == 1) return items;
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(k));
  items.front().operation = 0;
  return items;
}

}  // namespace param
