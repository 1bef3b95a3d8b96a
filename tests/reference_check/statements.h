// Where each statement of 12_seed_errata is settled: statements.csv, which says what its columns
// are. The runner counts statements by it, and a test of the labs walks it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"

namespace core_check {

// A reference case by its file and name; a name may end in '*', for every case that begins so.
struct CaseName {
  std::string topic, name;

  bool is(std::string_view other) const {
    if (!name.ends_with('*')) return other == name;
    return other.starts_with(std::string_view(name).substr(0, name.size() - 1));
  }
};

struct Statement {
  std::string id, lab, preset;
  std::string readout, figure;  // what settles it there: one of the two, or none
  std::vector<CaseName> cases;  // empty: a statement of words
  std::string card;
};

inline std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

inline Statement parse_statement(const std::string& line) {
  const auto refuse = [&](const std::string& expected) {
    throw core::InputError("statements.csv: expected " + expected + ", got \"" + line + "\"");
  };
  const std::vector<std::string> fields = split(line, ',');
  if (fields.size() != 6) refuse("6 fields");
  Statement one;
  one.id = fields[0], one.lab = fields[1], one.preset = fields[2], one.card = fields[5];
  for (const std::size_t k : {0U, 1U, 2U, 5U}) {
    if (fields[k].empty()) refuse("an id, a lab, a preset and a card");
  }
  const std::vector<std::string> shown = split(fields[3], ':');
  if (shown.size() == 2 && shown[0] == "readout") {
    one.readout = shown[1];
  } else if (shown.size() == 2 && shown[0] == "figure") {
    one.figure = shown[1];
  } else if (!fields[3].empty()) {
    refuse("readout:ID or figure:ID");
  }
  for (const std::string& name : split(fields[4], ' ')) {
    if (name.empty()) continue;
    const std::vector<std::string> parts = split(name, ':');
    if (parts.size() != 2 || parts[0].empty() || parts[1].empty()) refuse("cases as TOPIC:NAME");
    one.cases.push_back({parts[0], parts[1]});
  }
  return one;
}

// Lines that begin with '#' say what it is; the first other one names the columns.
inline std::vector<Statement> parse_statements(std::string_view text) {
  std::vector<Statement> all;
  bool named = false;
  for (const std::string& line : split(text, '\n')) {
    if (line.empty() || line.starts_with('#')) continue;
    if (named) all.push_back(parse_statement(line));
    named = true;
  }
  return all;
}

}  // namespace core_check
