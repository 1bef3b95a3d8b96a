// A state's gates as they are unfolded, against those of the pass itself.
#include "app/labs/shared/derivation/recurrent_derivation.h"

#include <doctest/doctest.h>

#include "core/random.h"

namespace recurrent_derivation_test {

using namespace lab;  // NOLINT: the box under test
using core::Index;
using namespace core::model;

namespace {

constexpr Index kIn = 9, kHidden = 5, kTokens = 4;

// A network read both ways, with its trace.
struct Read {
  Layout layout;
  Recurrent net;
  std::vector<float> values;
  core::Matrix x{kTokens, kIn};
  Trace<float> trace;

  explicit Read(Cell cell)
      : net(Recurrent::declare(Scope(layout), kIn, kHidden, {.cell = cell, .both_ways = true})),
        values(layout.start<float>(3)) {
    core::Random random(5);
    for (float& value : values) value += static_cast<float>(0.3 * random.gaussian());
    for (Index k = 0; k < x.size(); ++k) x.data()[k] = static_cast<float>(random.gaussian());
    Tape<float> tape;
    tape.begin(values.data(), nullptr, {.differentiates = false}, &trace);
    net(tape, tape.input(x), {.batch = 1, .length = kTokens});
  }
  double of(const std::string& name, Index token, Index unit) const {
    return static_cast<double>(
        trace.at(name).values[static_cast<std::size_t>(token * kHidden + unit)]);
  }
  StateNumber number(bool back, Index token, Index unit) const {
    const std::string scope = back ? "0.backward." : "0.forward.";
    StateNumber out = state_number(layout, values.data(), scope, net.form.cell);
    out.x = doubles(x.row(token));
    const Index before = back ? token + 1 : token - 1;
    const bool first = before < 0 || before >= kTokens;
    for (Index k = 0; k < kHidden; ++k) {
      out.before.push_back(first ? 0 : of(scope + "states", before, k));
      if (net.form.cell == Cell::lstm) {
        out.cells_before.push_back(first ? 0 : of(scope + "cells", before, k));
      }
    }
    out.unit = unit;
    out.term_name = [](std::size_t k) { return fmt::format("x[{}]", k); };
    return out;
  }
};

std::vector<std::string> gate_names(Cell cell) {
  if (cell == Cell::gru) return {"reset", "update", "candidate"};
  return {"input", "forget", "candidate", "output"};
}

std::string text_of(const Explanation::Line& line) {
  std::string text;
  for (const auto& span : line.right) text += span.text;
  return text;
}

}  // namespace

TEST_CASE("gates, cells and states are those of the pass's trace, in both directions") {
  for (const Cell cell : {Cell::gru, Cell::lstm}) {
    const Read read(cell);
    const std::vector<std::string> names = gate_names(cell);
    for (const bool back : {false, true}) {
      const std::string scope = back ? "0.backward." : "0.forward.";
      for (Index token = 0; token < kTokens; ++token) {
        for (Index unit = 0; unit < kHidden; ++unit) {
          CAPTURE(scope);
          CAPTURE(token);
          CAPTURE(unit);
          const StateNumber number = read.number(back, token, unit);
          const std::vector<double> gates = number.gates();
          REQUIRE(gates.size() == names.size());
          for (std::size_t k = 0; k < names.size(); ++k) {
            CHECK(gates[k] ==
                  doctest::Approx(read.of(scope + names[k], token, unit)).epsilon(1e-4));
          }
          CHECK(number.value() ==
                doctest::Approx(read.of(scope + "states", token, unit)).epsilon(1e-4));
          if (cell == Cell::lstm) {
            CHECK(number.cell_state() ==
                  doctest::Approx(read.of(scope + "cells", token, unit)).epsilon(1e-4));
          }
        }
      }
    }
  }
}

TEST_CASE("the lines name every gate, the largest terms first and the rest as one") {
  const words::Words words;
  for (const Cell cell : {Cell::gru, Cell::lstm}) {
    const Read read(cell);
    const StateNumber number = read.number(false, 2, 1);
    Derivation derivation(words);
    explain_state_number(number, words, derivation);
    const Lines lines = derivation.take();
    CHECK(lines.front().left == "h[1]");
    CHECK(text_of(lines.front()) == "≈ " + fixed(number.value(), 4));
    std::size_t headings = 0;
    double before = 0;
    for (const Explanation::Line& line : lines) {
      const std::string text = text_of(line);
      if (line.left.empty() && line.right.front().style == figure::TextStyle::label_bold) {
        ++headings;
      }
      if (text.find(")(") == std::string::npos) continue;
      // Within one sum no term is larger than the one before.
      const std::size_t at = text.find("≈ ") + std::string("≈ ").size();
      const double size = std::abs(std::atof(text.c_str() + at));
      if (text.starts_with("+ ")) CHECK(size <= before);
      before = size;
    }
    CHECK(headings == number.gates().size());
    const auto rest = [](const Explanation::Line& line) {
      return text_of(line).find("more terms: 3") != std::string::npos;
    };
    // Six of the nine numbers of x are written out, and all five of the state.
    CHECK(static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), rest)) ==
          number.gates().size());
  }
}

}  // namespace recurrent_derivation_test
