// An ordered list of items that are joined one after the other: "local window=3; or atrous step=4;
// minus painted". What the items may be is said once, in a catalogue.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace param {

enum class Scale { linear, log };

struct Option {
  std::string_view id, label;
};

// A number that an entry takes: a whole one, or with `parts` one in so many parts of 1.
struct Argument {
  std::string_view id, label, help;
  int min = 0, max = 1, initial = 0;
  Scale scale = Scale::linear;  // how a slider moves; from 0, by log(1 + value)
  int parts = 1;  // 100: min, max, initial and the item's number count hundredths, 50 is 0.5

  double number(int value) const { return static_cast<double>(value) / parts; }
  std::string serialize(int value) const;  // "7", "0.5"
};

struct Entry {
  static constexpr std::size_t kMostArguments = 4;
  std::string_view id, label, help;
  std::vector<Argument> arguments = {};
};

// `operations[k]` and `entries[k]` are what an item's numbers name. No operation has the id of an
// entry, so that a text reads in one way only. Without operations items just follow one another.
struct Catalogue {
  std::vector<Option> operations;
  std::vector<Entry> entries;
};

// The operation that joins it to the item before (the first item joins nothing: 0), its entry, and
// its arguments.
struct StackItem {
  int operation = 0;
  int entry = 0;
  std::array<int, Entry::kMostArguments> arguments = {};  // 0 where the entry takes none
  bool operator==(const StackItem&) const = default;
};
using StackItems = std::vector<StackItem>;

// The kind of parameter: 1 to `most` items.
struct Stack {
  StackItems* value;
  std::shared_ptr<const Catalogue> catalogue;
  std::size_t most;
};

// An entry with its arguments as the catalogue begins them.
StackItem initial_item(const Catalogue& catalogue, int entry, int operation = 0);

// Every argument written out, so that other defaults would not change what a text means.
std::string serialize_stack(const StackItems& items, const Catalogue& catalogue);
std::string serialize_item(const StackItem& item, const Catalogue& catalogue);  // with no operation

// Splits items at semicolons. Arguments left out have their initial values; an operation before the
// first item is dropped. Throws core::InputError in one sentence, which names the item.
StackItems read_stack(std::string_view text, const Catalogue& catalogue, std::size_t most);

// Edits of a stack by a widget. The operation stays with its item, except at the head of the list,
// which has none: an item that leaves the head takes over the operation of the one that comes
// there.
StackItems with_moved(StackItems items, std::size_t k, int by);  // by 1 down or -1 up
StackItems with_removed(StackItems items, std::size_t k);

}  // namespace param
