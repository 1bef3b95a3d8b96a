// A parameter is described once, by one statement over a field of a plain struct. Sliders,
// sessions, --set, help, undo and the contract tests all come from that description.
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/param/kinds.h"
#include "app/words/sentence.h"
#include "app/words/words.h"
#include "core/enum_array.h"
#include "core/types.h"

namespace param {

// A view onto one live struct, in the order of description; cheap, rebuilt wherever it is needed.
class List {
 public:
  List() = default;
  // `facts` are copied from as parameters are described.
  explicit List(const Facts& facts) : facts_(&facts) {}

  // A heading for what follows.
  void group(std::string_view label) { group_ = label; }

  // Each takes the field, its id, label and help, what the kind needs, and what else is to be said.
  void flag(bool& value, std::string_view id, std::string_view label, std::string_view help,
            const Info& info = {}) {
    add(id, label, help, info, Flag{&value});
  }
  void integer(int& value, std::string_view id, std::string_view label, std::string_view help,
               const Info& info = {}) {
    add(id, label, help, info, Integer{&value});
  }
  void real(double& value, std::string_view id, std::string_view label, std::string_view help,
            const Info& info = {}) {
    add(id, label, help, info, Real{&value});
  }
  // `options[k]` names the enumerator of value k: there is one for each.
  template <class Enum>
  void choice(Enum& value, std::string_view id, std::string_view label, std::string_view help,
              std::vector<Option> options, const Info& info = {}) {
    require_options(id, options.size(), core::kEnumerators<Enum>);
    add(id, label, help, info,
        Choice{[&value] { return static_cast<int>(value); },
               [&value](int k) { value = static_cast<Enum>(k); }, std::move(options)});
  }
  // One of the values `offered`, which options[k] names. Another value counts as the first.
  template <class T>
  void choice_of(T& value, std::vector<T> offered, std::string_view id, std::string_view label,
                 std::string_view help, std::vector<Option> options, const Info& info = {}) {
    require_options(id, options.size(), offered.size());
    const auto all = std::make_shared<const std::vector<T>>(std::move(offered));
    add(id, label, help, info,
        Choice{[&value, all] {
                 const auto at = std::find(all->begin(), all->end(), value);
                 return at == all->end() ? 0 : static_cast<int>(at - all->begin());
               },
               [&value, all](int k) { value = (*all)[static_cast<std::size_t>(k)]; },
               std::move(options)});
  }
  void text(std::string& value, std::string_view id, std::string_view label, std::string_view help,
            std::size_t max_bytes, const Info& info = {}) {
    add(id, label, help, info, Text{&value, max_bytes});
  }
  void file(std::string& value, std::string_view id, std::string_view label, std::string_view help,
            std::string_view endings, const Info& info = {}) {
    add(id, label, help, info, File{&value, endings});
  }
  void points(const Points& points, std::string_view id, std::string_view label,
              std::string_view help, const Info& info = {}) {
    add(id, label, help, info, points);
  }
  // A name among those found in `of`, the value of a parameter described before.
  void name(std::string& value, std::string_view id, std::string_view label, std::string_view help,
            std::string_view of, std::size_t otherwise, const Info& info = {}) {
    add(id, label, help, info, Name{&value, otherwise, found(id, of)});
  }
  // 1 to `most` items of what the catalogue holds; the value is one of them from the beginning.
  void stack(StackItems& value, std::string_view id, std::string_view label, std::string_view help,
             std::shared_ptr<const Catalogue> catalogue, std::size_t most, const Info& info = {}) {
    add(id, label, help, info, Stack{&value, std::move(catalogue), most});
  }
  void painted(const Painted& painted, std::string_view id, std::string_view label,
               std::string_view help, const Info& info = {}) {
    add(id, label, help, info, painted);
  }

  // Limits numbers, described before, to the range found for them in `of`, where one is known; it
  // is never wider than described. A number that can have one value alone has no effect. Throws
  // std::out_of_range for an id that is not described.
  void found_ranges(std::initializer_list<std::string_view> ids, std::string_view of);
  // Holds the words of a text, described before, to the names found for it in `of`, where they are
  // known. Throws std::out_of_range for an id that is not described.
  void found_words(std::string_view id, std::string_view of);

  // The knobs shown at first, as far as they have an effect; all others wait behind a button. They
  // are described before. Throws std::out_of_range for one that is not.
  void essential(std::initializer_list<std::string_view> ids);

  std::vector<Parameter>& items() { return items_; }
  const std::vector<Parameter>& items() const { return items_; }
  Parameter* find(std::string_view id);

 private:
  void add(std::string_view id, std::string_view label, std::string_view help, Info info,
           Kind kind);
  // Throws std::logic_error unless there is an option for each value.
  static void require_options(std::string_view id, std::size_t options, std::size_t values);

  // Null unless it is known.
  const Found* fact(std::string_view id, std::string_view of) const;
  Names found(std::string_view id, std::string_view of) const;
  Parameter& at(std::string_view id);

  const Facts* facts_ = nullptr;
  std::string_view group_ = "";
  std::vector<Parameter> items_;
};

// The value as text that `parse` reads back exactly.
std::string serialize(const Parameter& parameter);
std::string serialize(const PointList& points);

// Sets the value from text; throws Refusal in one sentence (the id, what was expected with
// the permitted range, what came) and leaves the value alone when it does not fit.
void parse(const Parameter& parameter, std::string_view text);

// "an integer from 1 to 32", "one of none, causal, local": what `parse` takes.
words::Sentence expectation(const Parameter& parameter);
inline std::string expected(const Parameter& parameter, const words::Words& w = {}) {
  return expectation(parameter).in(w);
}

// A refused value; the parts make the sentence of a knob that is named by where it stands.
struct Refusal : core::InputError {
  Refusal(const Parameter& parameter, words::Sentence came);
  // Where more can be said of what was expected than `expected` does: which item, which argument.
  Refusal(std::string_view parameter, words::Sentence wanted, words::Sentence came);
  std::string id;
  words::Sentence expected, got;
};

// As above, with JSON's own types, for sessions.
nlohmann::json to_json(const Parameter& parameter);
void from_json(const Parameter& parameter, const nlohmann::json& value);

// "integer", "real", "flag", "choice", "text", "file", "points", "name", "stack" or "painted".
std::string_view kind_name(const Parameter& parameter);

// Message about a name that is known not to be there; empty otherwise.
words::Sentence missing(const Parameter& parameter);
// Throws Refusal for the first name that has an effect and is known not to be there.
void require_names(const List& list);
// True for a number beyond the range found for it, and for a text with words that were not found.
bool beyond_found(const Parameter& parameter);
// Its refusal.
Refusal refusal_found(const Parameter& parameter);
// Removes those words from the text.
void leave_out_beyond(const Text& text);
// Throws Refusal for the first of these ids that is beyond what was found.
void require_found(const List& list, const std::vector<std::string>& ids);

// Whether the path ends in one of `endings` (".csv .txt"), in capitals or not. "/" stands for an
// existing folder.
bool has_ending(std::string_view path, std::string_view endings);

// True for the kinds that are typed, not dragged: text, file, points and painted.
bool is_text(const Parameter& parameter);

// A number's value as double; empty for other kinds.
std::optional<double> number(const Parameter& parameter);

// The nearest permitted value to `wanted`: inside the range, on the step.
double nearest(const Parameter& parameter, double wanted);
// The nearest permitted point.
std::array<double, 2> nearest(const Points& points, double x, double y);

}  // namespace param
