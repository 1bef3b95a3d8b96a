// What the lab of absolute positions says: helps, cards, presets, notes.
#include "absolute_rig.h"

namespace absolute_text_test {

using namespace absolute_rig;  // NOLINT: the box under test

TEST_CASE("What helps, cards and presets claim of the waves holds for every width and base") {
  for (const char* rule : {"paper", "tensor2tensor"}) {
    for (const char* width : {"2", "4", "16", "64", "1024"}) {
      for (const char* base : {"1", "10", "10000", "1e8"}) {
        CAPTURE(rule);
        CAPTURE(width);
        CAPTURE(base);
        Made made;
        made.set({{"column", "0"}, {"rule", rule}, {"width", width}, {"base", base}});
        const lab::Page page = made.page();
        const double d = std::stod(width), b = std::stod(base);
        const double longest = readout(page, "longest_wave"), whole = 2 * std::numbers::pi * b;
        CHECK(readout(page, "shortest_wave") == doctest::Approx(2 * std::numbers::pi));
        CHECK(longest <= whole * (1 + 1e-12));
        if (std::string(rule) == "paper") {
          CHECK(longest == doctest::Approx(whole * std::pow(b, -2 / d)).epsilon(1e-12));
        } else if (d >= 4) {
          CHECK(longest == doctest::Approx(whole).epsilon(1e-12));
        }
        CHECK(page.cards.at(0).truth.find("once in " + lab::short_number(longest) + ".") !=
              std::string::npos);
      }
    }
  }
  // No two rows of the first look are equal.
  Made first = preset("first_look");
  first.set({{"show", "collisions"}});
  CHECK(readout(first.page(), "separation") > 0.1);
}

TEST_CASE("A page whose products never rise says so") {
  Made made = preset("oscillates");
  made.set({{"width", "2"}, {"length", "3"}, {"lag", "1"}});
  const lab::Page page = made.page();
  CHECK(readout(page, "first_rise") == 0);
  const figure::Figure& decay = page.figures.back();
  CHECK(decay.title == "Against distance");
  CHECK(decay.caption.find("never rises") != std::string::npos);
}

TEST_CASE("The expansion of e^s is right with the halves, and off by them without") {
  for (const char* projection : {"random", "tied", "identity"}) {
    for (const auto& [place, key] : {std::pair{12, 2}, {0, 5}, {3, 3}}) {
      const int query = place;
      CAPTURE(projection);
      CAPTURE(query);
      Made made = preset("four_terms");
      made.set({{"projection", projection},
                {"query", std::to_string(query)},
                {"key", std::to_string(key)}});
      const lab::Page page = made.page();
      const Model model = made.model();
      const Pairs& pairs = *model.pairs;
      // s of tokens with a part of their positions added, multiplied out anew.
      const auto s = [&, query = query, key = key](double m, double n) {
        const MatrixD q = (pairs.X.row(query) + m * pairs.P.row(query)) * pairs.W_q;
        const MatrixD k = (pairs.X.row(key) + n * pairs.P.row(key)) * pairs.W_k;
        return pairs.scale() * q.row(0).dot(k.row(0));
      };
      constexpr double kPart = 0.01;
      const double exact = std::exp(s(kPart, kPart) - s(0, 0));
      // s is linear in either part, so these are its slopes.
      const double slope_m = s(1, 0) - s(0, 0), slope_n = s(0, 1) - s(0, 0);
      const double halves = kPart * kPart * (slope_m * slope_m + slope_n * slope_n) / 2;
      const double whole = readout(page, "expansion") * exact,
                   without = readout(page, "expansion_unhalved") * exact;
      CHECK(std::abs(without - halves) <= whole + 1e-13);
      CHECK(whole < halves / 4);
    }
  }
}

TEST_CASE("What rounding leaves of the map's promise is what its help says") {
  Made made;
  made.set({{"show", "shift"}, {"length", "1000000"}, {"width", "128"}, {"base", "3"}});
  for (const std::string offset : {"1", "1000", "-1000", "999999", "-999999"}) {
    CAPTURE(offset);
    made.set({{"offset", offset}});
    CHECK(readout(made.page(), "shift_error") < (offset.size() < 6 ? 1e-12 : 1e-9));
  }
}

TEST_CASE("A map that fits few rows is called so only when it does; distances have no sign") {
  Made made = preset("learned_shift");
  made.set({{"rows", "8"}, {"seen", "8"}, {"length", "8"}, {"width", "16"}});
  const auto fits = [&] {
    const lab::Page page = made.page();
    return std::any_of(page.notes.begin(), page.notes.end(), [](const std::string& note) {
      return note.find("A linear map fits so few") != std::string::npos;
    });
  };
  CHECK(fits());
  CHECK(readout(made.page(), "shift_error") < 1e-9);
  // Equal rows that would have to become different ones.
  made.set({{"rows", "4"}, {"seen", "4"}, {"beyond", "last"}, {"offset", "-1"}});
  CHECK_FALSE(fits());
  CHECK(readout(made.page(), "shift_error") > 0.01);
  made.set({{"beyond", "refuse"}, {"offset", "-7"}});
  CHECK(made.page().notes.at(1).find("No two rows are 7 apart") == 0);
}

TEST_CASE("Position with position falls off from the diagonal, with one projection for both") {
  for (int seed = 0; seed < 10; ++seed) {
    for (const char* projection : {"tied", "identity"}) {
      CAPTURE(seed);
      CAPTURE(projection);
      Made made = preset("four_terms");
      made.set({{"seed", std::to_string(seed)}, {"projection", projection}});
      const MatrixD& pp = made.model().pairs->terms.position_position;
      const auto mean_at = [&](Index t) { return pp.diagonal(t).mean(); };
      for (Index t = 1; t < pp.rows(); ++t) CHECK(mean_at(t) < mean_at(0));
      CHECK(mean_at(1) > mean_at(4));
    }
  }
}

}  // namespace absolute_text_test
