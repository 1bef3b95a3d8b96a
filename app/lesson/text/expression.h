// What a lesson says about a page: references to what is on it, and sums and conditions over them.
//
//   knob:bandwidth   readout:prediction   figure:weights   plot:weights   cell:attention:3,7
//   bar:weights:2    point:data:0         box:bits:4       line:score:0   picked:weights
//
// An index counts as the plot's axis does; it may be the id of a knob that holds a number, and *
// stands for all.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lesson/text/fault.h"

namespace lesson {

enum class Kind { knob, readout, figure, plot, cell, bar, point, box, line, picked, moved };

std::string_view kind_name(Kind kind);
// How many indices its references have: 2 for a cell.
std::size_t indices_of(Kind kind);
// True for parts of a plot that have a value and can be pointed at.
bool is_element(Kind kind);

struct Index {
  std::optional<core::Index> number = {};
  std::string knob = {};  // whose number it is
  bool every() const { return !number && knob.empty(); }
  bool operator==(const Index&) const = default;
};

struct Reference {
  Kind kind = Kind::knob;
  std::string id = {};         // of a knob, readout, figure or plot; `picked` alone has none
  std::vector<Index> at = {};  // none: every one
  bool operator==(const Reference&) const = default;
};
std::string to_text(const Reference& reference);

struct Expression {
  enum class Does {
    number,
    word,
    refer,
    call,
    negate,
    add,
    subtract,
    multiply,
    divide,
    power,
    less,
    at_most,
    more,
    at_least,
    equal,
    unequal,
    both,
    either,
    none  // and, or, not
  };
  Does does = Does::number;
  double number = 0;      // of an equality: how far both may lie apart
  bool percent = false;   // that is in percent of the right side
  std::string word = {};  // a bare word, or a function's name
  Reference reference = {};
  std::vector<Expression> parts = {};

  bool is_condition() const { return does >= Does::less || is_event(); }
  bool is_event() const {
    return does == Does::refer && (reference.kind == Kind::picked || reference.kind == Kind::moved);
  }
  bool operator==(const Expression&) const = default;
};

// What a function's name stands for; empty: there is none of that name.
struct Function {
  std::string_view name;
  std::size_t least, most;  // arguments
  std::string_view does;    // in the words of assets/lessons/README.md
};
const std::vector<Function>& functions();

// Each reads the whole text. Throws Fault.
Reference read_reference(std::string_view text, const Where& where);
Expression read_expression(std::string_view text, const Where& where);
Expression read_condition(std::string_view text, const Where& where);

// Every reference of an expression, from left to right.
std::vector<Reference> references(const Expression& expression);

}  // namespace lesson
