// Structs whose values are described, set and refused in tests.
#pragma once

#include <doctest/doctest.h>

#include "app/param/values.h"

namespace param_samples {

enum class Mask { none, causal, local };

struct Sample {
  bool scaled = true;
  int heads = 8;
  int head = 3;  // at most `heads`
  int block = 16;
  double temperature = 1;
  double base = 1e4;
  Mask mask = Mask::causal;
  std::string text = "the cat";
};

inline param::List describe(Sample& s) {
  param::List list;
  list.group("Heads");
  list.flag(s.scaled, "scaled", "Scale", "");
  list.integer(s.heads, "heads", "Heads", "", {.min = 1, .max = 32});
  list.integer(s.head, "head", "Head", "", {.min = 1, .max = double(s.heads)});
  list.integer(s.block, "block", "Block", "", {.min = 4, .max = 30, .step = 4});
  list.group("Rest");
  list.real(s.temperature, "temperature", "T", "", {.min = 0.05, .max = 20, .step = 0.05});
  list.real(s.base, "base", "Base", "", {.min = 1e2, .max = 1e7});
  list.choice(s.mask, "mask", "Mask", "",
              {{"none", "None"}, {"causal", "Causal"}, {"local", "Local"}});
  list.text(s.text, "text", "Text", "", 20);
  return list;
}

inline param::Describe describer(Sample& s) {
  return [&s] { return describe(s); };
}

inline void set(Sample& s, std::string_view id, std::string_view text) {
  param::List list = describe(s);
  param::Parameter* parameter = list.find(id);
  REQUIRE(parameter != nullptr);
  param::parse(*parameter, text);
}

inline std::string refusal(std::string_view id, std::string_view text) {
  Sample s;
  const param::Values before = param::values(describer(s));
  try {
    set(s, id, text);
  } catch (const core::InputError& error) {
    CHECK(param::values(describer(s)) == before);  // the value is left alone
    return error.what();
  }
  return "accepted";
}

struct Drawn {
  std::string path;
  param::PointList points;
  std::string column;
  param::Facts facts = {};
};

inline void describe(Drawn& d, param::List& list) {
  list.file(d.path, "data", "Data", "", ".csv .txt");
  list.points({&d.points, 3, 0, 10, -1, 1}, "points", "Points", "");
  list.name(d.column, "column", "Column", "", d.path, 1);
}

inline param::Describe describer(Drawn& d) {
  return [&d] {
    param::List list(d.facts);
    describe(d, list);
    return list;
  };
}

inline std::string refused(Drawn& d, const std::string& id, const std::string& text) {
  try {
    param::assign(describer(d), {{id, text}});
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace param_samples
