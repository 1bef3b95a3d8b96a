// One number in one format, and its place among the others. Everything follows in closed form.
#pragma once

#include "app/labs/lab.h"
#include "app/labs/shared/number_format.h"

namespace lab::number_line {

using core::Code, core::Format;

// --- what the number line lab can be set to

// What is rounded: the number x, or one of those that are no finite numbers.
enum class Special { number, infinity, minus_infinity, nan, minus_nan };
enum class Explained { bits, rounding, spacing, facts };

// Beyond the largest number of float32, so that every format can overflow.
inline constexpr double kLargestX = 1e39;

struct Parameters {
  NumberFormat format;
  double x = 0.1;
  Special special = Special::number;
  int payload = 64;
  NumberRounding rounding;
  core::Overflow overflow = core::Overflow::ieee;
  int shown = 24;
  double middle = 0.1;
  Explained explained = Explained::rounding;
};
void describe(Parameters& p, param::List& list);

// The largest mantissa field that a NaN of the format can have; 1 where there is no choice.
int most_payload(const core::Format& format);

// --- the model

// The numbers of the format that the line shows.
struct Window {
  double lo = 0, hi = 1;
  std::vector<double> numbers;  // rising; beyond kMostPoints one of each of that many stretches
  Index count = 0;              // how many there are
  bool on_x = false;            // centred on x because x lies outside of what was asked for
};
inline constexpr Index kMostPoints = 3000;

// What a format makes of the number.
struct Stored {
  std::optional<Code> code;  // nothing for NaN in a format that has none
  double value = 0;
  core::NumberClass number_class = core::NumberClass::nan;
};

// Another format beside the chosen one.
struct Other {
  std::string name, id;  // the id of its choice
  Format format;
  Stored stored;
  core::FormatFacts facts;
  bool chosen = false;
};

struct Curve {
  std::string name;
  std::vector<double> x = {}, spacing = {};   // two points a binade, positive side
  std::vector<double> least = {}, most = {};  // of spacing / x in the binade
  bool chosen = false;
};

struct Model {
  Format format;
  std::string name;
  core::FormatFacts facts;
  double x = 0;  // infinite or NaN too
  Stored stored;
  // The numbers of the format on both sides of x, x itself left out; of a finite x. Infinite where
  // there is none.
  double below = 0, above = 0;
  // For a finite x between two numbers of the format: the share of the step from `below` to
  // `above`.
  bool exact = true;
  double share = 0;
  double spacing = 0;  // of the binade of a finite x
  // Every number in here is stored as the same: of a finite x and value, and no chance.
  std::optional<std::pair<double, double>> basin;
  std::uint64_t random = 0;  // the random bits of stochastic rounding
  Window window;
  std::vector<Other> others;  // widest first, a custom one last
  std::shared_ptr<const std::vector<Curve>> curves;
};

Model make_model(const Parameters& p, const Context& context);

// What to set so that this code is stored, by value and sign, whatever the rule.
Assignments assignments_of(const Format& format, Code code);

// floor(log2 |x|), x finite and not 0.
int binade_of(double x);

}  // namespace lab::number_line
