// The kinds of parameters, and what a description says of one.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/param/painted.h"
#include "app/param/stack.h"

namespace param {

// What a description says besides the kind. Label, group, unit and help are English messages; id,
// label and help are filled in by List.
struct Info {
  std::string_view id = "";
  std::string_view label = "";
  std::string_view help = "";
  std::string_view unit = "";
  double min = 0, max = 1;      // numbers only; may depend on fields described before
  double step = 0;              // numbers only; 0: any value (an integer's step is at least 1)
  Scale scale = Scale::linear;  // how a slider moves; from 0, by log(1 + value)
  std::optional<double> slides_to = std::nullopt;  // its end; none: max. What is typed may be more
  bool active = true;  // false: has no effect with the other values as they are
  std::optional<double> unpinned = std::nullopt;  // what un-pinning sets it back to
  double plays = 0;        // an integer's steps a second when it is played; 0: it is not
  bool tabs = false;       // a choice of which page is shown: tabs over the page, no knob
  bool measures = false;   // a switch, or a number that goes up: a button that starts a measurement
  bool essential = false;  // it has an effect and is shown at first; see List::essential
};

// The kinds (and Stack, Painted). Each points into the live struct.
struct Flag {
  bool* value;
};
struct Integer {
  int* value;
};
struct Real {
  double* value;
};
struct Choice {
  std::function<int()> get;
  std::function<void(int)> set;
  std::vector<Option> options;
};
// The path of a file that the lab reads; empty: none. Where "/" is one of the endings, also that of
// a folder.
struct File {
  std::string* value;
  std::string_view endings;  // ".csv .txt"
};
// Points in a plane, in the order in which they were set.
using PointList = std::vector<std::array<double, 2>>;
struct Points {
  PointList* value;
  std::size_t most;
  double x_min, x_max, y_min, y_max;
};
// A name, and how it is shown to people; an empty label is the name itself.
struct Named {
  std::string id, label = {};
  bool operator==(const Named&) const = default;
  const std::string& shown() const { return label.empty() ? id : label; }
};
using Names = std::shared_ptr<const std::vector<Named>>;
// The least and the largest number that there is.
struct Range {
  double min = 0, max = 0;
  bool operator==(const Range&) const = default;
};
// Names or a range found in `of`, the value of what was opened; valid for that alone.
struct Found {
  std::string of;
  Names names = {};
  std::optional<Range> range = {};
  std::string in =
      {};  // of a range: what was opened, as a sentence calls it, such as a file's name
  bool operator==(const Found&) const = default;
};
// A text. Where it names several things, with spaces between them, that are known once something
// was opened, each of its words is one of these.
struct Text {
  std::string* value;
  std::size_t max_bytes;
  Names words = {};  // null: any text
};
// What was found for each parameter, by its id.
using Facts = std::map<std::string, Found, std::less<>>;
// One of names that are known once something was opened: columns of a file, tensors, tokens. Any
// text of one line is a value: a name that is not there is kept, in case it comes back.
struct Name {
  std::string* value;     // empty: the name at `otherwise`
  std::size_t otherwise;  // counts from 0
  Names names;            // null: not known yet

  // Index of the name meant; empty: that is not known, or it is not there.
  std::optional<std::size_t> at() const;
  // True when the names are known and this is none of them.
  bool missing() const { return names && !value->empty() && !at(); }
};
using Kind = std::variant<Flag, Integer, Real, Choice, Text, File, Points, Name, Stack, Painted>;

struct Parameter {
  Info info;
  std::string_view group;
  Kind kind;
  // What the file or model is called that the range, or the words, were found in.
  std::string found_in = {};
};

}  // namespace param
